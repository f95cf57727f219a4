"""The analysis of a recorded game in the terminal: a graph of the chances, mistakes, and better turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from referee.analysis.lines import TurnAnalysis
from referee.analysis.sentences import as_said
from referee.analysis.shown import LineStep, ShownAnalysis
from referee.narration.log import TONES, Sentence
from referee.terminal.seats import seat_text
from referee.text import visible

BARS: Final = "▁▂▃▄▅▆▇█"
MISTAKE: Final = "?"
MISTAKE_STYLE: Final = "bold red"
LONGEST_NAME: Final = 12
NARROWEST_GRAPH: Final = 8  # columns


# -- the graph


def graph_pane(seen: ShownAnalysis, names: Sequence[str], at: int, columns: int) -> RenderableType:
    """A line of bars for each seat, its mistakes below; then the turn that is shown, in words."""
    wide = max(columns - min(max(map(len, names)), LONGEST_NAME) - 10, NARROWEST_GRAPH)
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, justify="right")
    table.add_column(no_wrap=True)
    now = seen.chances_at(at)
    for seat in range(len(names)):
        chance = "" if now is None else percent(now[seat])
        name = seat_text(seat, names, most=LONGEST_NAME)
        table.add_row(name, chance, _bars(seen, seat, at, wide))
        table.add_row("", "", _marks(seen, seat, at, wide))
    return Group(table, *judgement(seen, names, at))


def _bars(seen: ShownAnalysis, seat: int, at: int, wide: int) -> Text:
    text = Text()
    here = _column(seen, at, wide)
    points = list(seen.points())
    for column in range(wide):
        step = _last_step_of(seen, column, wide)
        known = [point for point in points if point.step <= step]
        bar = _bar(known[-1].chances[seat]) if known else " "
        text.append(bar, "reverse" if column == here else "")
    return text


def _bar(chance: float) -> str:
    return BARS[min(int(chance * len(BARS)), len(BARS) - 1)]


def _marks(seen: ShownAnalysis, seat: int, at: int, wide: int) -> Text:
    """Signs below the bars, where the mistakes of a seat begin."""
    steps = [turn.first_step for turn in seen.mistakes if turn.seat == seat]
    marked = {_column(seen, step, wide) for step in steps}
    text = Text("".join(MISTAKE if column in marked else " " for column in range(wide)))
    text.stylize(MISTAKE_STYLE)
    if at in steps:
        here = _column(seen, at, wide)
        text.stylize("reverse", here, here + 1)
    return text


def _column(seen: ShownAnalysis, step: int, wide: int) -> int:
    return min(step * wide // (seen.end + 1), wide - 1)


def _last_step_of(seen: ShownAnalysis, column: int, wide: int) -> int:
    """The last step that a column stands for."""
    return ((column + 1) * (seen.end + 1) - 1) // wide


# -- in words


def judgement(seen: ShownAnalysis, names: Sequence[str], at: int) -> Iterator[Text]:
    """The mistake at a step with the better turn; elsewhere how the game was decided."""
    turn = seen.turn_at(at)
    if turn is None or not turn.is_mistake:
        yield Text(visible(seen.summary), style="dim")
        return
    yield mistake_text(turn, names)
    if turn.best is not None:
        text = as_said(turn.best.text, names[turn.seat])
        yield Text.assemble(("better: ", "bold"), text)
    yield Text(visible(turn.why), style="italic")


def mistake_text(turn: TurnAnalysis, names: Sequence[str]) -> Text:
    """What a mistake loses, in one sentence."""
    low, high = turn.loss_interval
    text = Text.assemble((f"turn {turn.turn} is a mistake: ", MISTAKE_STYLE))
    text.append_text(seat_text(turn.seat, names, most=LONGEST_NAME))
    lost = f" loses {percent(turn.loss)} ({100 * low:.0f} to {percent(high)})"
    return text.append(lost)


def percent(share: float) -> str:
    """A share in per cent, without decimals."""
    return f"{100 * share:.0f} %"


def line_sentences(line: Sequence[LineStep]) -> list[Sentence]:
    """The sentences of a better turn, without what goes without saying."""
    said = [sentence for step in line for sentence in step.sentences]
    return [one for one in said if TONES[int(one[1])] != "quiet"] or said[-1:]
