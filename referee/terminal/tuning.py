"""What `referee tune` shows: a live screen, progress lines, JSON lines, or only the result."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from referee.terminal import Output, say, show_json
from referee.terminal.full_screen.raw_terminal import RawTerminal
from referee.terminal.full_screen.rows import RowRenderer
from referee.terminal.tournament.lines import describe_progress, duration, share_done
from referee.terminal.tournament.live import STOPPING, Size, cut, progress_bar
from referee.terminal.tournament.run import (
    FRAME_EVERY_S,
    FRAME_PAUSE_FACTOR,
    LINE_EVERY_S,
    LINE_EVERY_SHARE,
    lost_line,
)
from referee.text import plural, shell_word, visible
from referee.tournament.coordinator import Progress
from referee.tournament.summary import RunOverview
from referee.tournament.workers.pool import Lost
from referee.tuning.plan import TuningState
from referee.tuning.steps import Position, present
from referee.tuning.summary import TuningSummary, describe_gain, state_to_dict

_BARS: Final = "▁▂▃▄▅▆▇█"
_FEWEST_CELLS, _MOST_CELLS = 4, 24  # of a path
_OTHER_COLUMNS: Final = 36  # of a terminal, for the name and the values
_HINT: Final = "Ctrl-C stop"
_ENDINGS: Final = {
    "done": "All iterations are finished",
    "budget": "The time of this run is used up",
    "too-few-bots": "The tuning was cut short",
    "stopped": "Stopped before all iterations were finished",
}


class TuningDisplay:
    """A way to show a run of a tuning; each method shows nothing unless it is overridden."""

    def opened(self, bot: str, overview: RunOverview, state: TuningState) -> None:
        """Show that the run begins."""

    def progressed(self, progress: Progress, state: TuningState) -> None:
        """Show the progress; called several times a second."""

    def lost(self, lost: Lost) -> None:
        """Show that a worker ended before its block did."""

    def closed(self) -> None:
        """End the display, however the run ended."""

    def ended(self, summary: TuningSummary) -> None:
        """Show the result of the run."""


class PlainTuningDisplay(TuningDisplay):
    """Lines for a pipe or a log file: what is tuned, progress from time to time, and the final table."""

    def __init__(self, console: Output | None = None) -> None:
        self._out = console or Output(highlight=False)
        self._printed_at = time.monotonic()
        self._printed_share = 0.0
        self._announced_stop = False

    def opened(self, bot: str, overview: RunOverview, state: TuningState) -> None:
        """Print what is tuned, and with which games."""
        for line in opening_lines(bot, overview, state):
            self._out.print(line, soft_wrap=True)

    def progressed(self, progress: Progress, state: TuningState) -> None:
        """Print a line after every tenth of the run, and at least every half a minute."""
        if progress.stopping and not self._announced_stop:
            self._announced_stop = True
            self._out.print(Text(STOPPING, style="yellow"))
        now, share = time.monotonic(), share_done(progress)
        is_time = now - self._printed_at >= LINE_EVERY_S
        if progress.new_games and (is_time or share >= self._printed_share + LINE_EVERY_SHARE):
            self._printed_at, self._printed_share = now, share
            line = f"{describe_progress(progress, now)}; {progress_text(state)}"
            self._out.print(Text(line), soft_wrap=True)

    def lost(self, lost: Lost) -> None:
        """Print a line for a block that is played again."""
        self._out.print(lost_line(lost), soft_wrap=True)

    def ended(self, summary: TuningSummary) -> None:
        """Print the table of all tuned parameters, how the run ended, and the next commands."""
        for part in final_lines(summary, self._out.width):
            self._out.print(part, soft_wrap=isinstance(part, Text))


class LiveTuningDisplay(PlainTuningDisplay):
    """A live screen; after it, the final table."""

    def __init__(self, console: Output | None = None, terminal: RawTerminal | None = None) -> None:
        super().__init__(console)
        self._terminal = terminal or RawTerminal(encoding=self._out.encoding)
        self._screen = ExitStack()  # restores the terminal
        self._rows = RowRenderer(self._out)
        self._next_frame = 0.0
        self._unprinted: list[Text] = []

    def opened(self, bot: str, overview: RunOverview, state: TuningState) -> None:
        """Print what is tuned, and start the screen."""
        super().opened(bot, overview, state)
        self._screen.enter_context(self._terminal)

    def progressed(self, progress: Progress, state: TuningState) -> None:
        """Draw a frame if the last one is old enough."""
        self._terminal.wait(0)  # keys do nothing
        now = time.monotonic()
        if now < self._next_frame:
            return
        size, began = Size(*self._terminal.size()), time.monotonic()
        self._terminal.draw(draw_frame(progress, state, now, size, self._rows))
        ended = time.monotonic()
        self._next_frame = ended + max(FRAME_EVERY_S, FRAME_PAUSE_FACTOR * (ended - began))

    def lost(self, lost: Lost) -> None:
        """Remember the line, which is printed after the screen."""
        self._unprinted.append(lost_line(lost))

    def closed(self) -> None:
        """Restore the terminal, and print what would have disturbed the screen."""
        self._screen.close()
        while self._unprinted:
            self._out.print(self._unprinted.pop(0), soft_wrap=True)


class JsonTuningDisplay(TuningDisplay):
    """JSON lines, for other programs."""

    def __init__(self) -> None:
        self._shown = -1  # iterations
        self._announced_stop = False

    def opened(self, bot: str, overview: RunOverview, state: TuningState) -> None:
        """Print the first object: what is tuned."""
        terms = state.terms
        about = {"bot": bot, "start": terms.start, "tuned": [one.name for one in terms.tuned]}
        show_json({"event": "begin-tuning", **about, **overview.to_dict()})

    def progressed(self, progress: Progress, state: TuningState) -> None:
        """Print an object for each finished iteration, and when the run was interrupted."""
        if progress.stopping and not self._announced_stop:
            self._announced_stop = True
            show_json({"event": "stopping"})
        if state.iteration > self._shown and progress.new_games:
            self._shown = state.iteration
            show_json({"event": "iteration", "games": progress.games, **state_to_dict(state)})

    def lost(self, lost: Lost) -> None:
        """Print an object for a worker that ended."""
        show_json({"event": "lost", "block": lost.block.id, "message": lost.message})

    def ended(self, summary: TuningSummary) -> None:
        """Print the last object: the result."""
        show_json({"event": "end-tuning", "folder": str(summary.folder), **summary.to_dict()})


class QuietTuningDisplay(TuningDisplay):
    """Prints only the result, in one line."""

    def ended(self, summary: TuningSummary) -> None:
        """Print the result in one line."""
        say(visible(f"{_counts(summary)}; {progress_text(summary.state)}; {summary.file}"))


# -- lines


def opening_lines(bot: str, overview: RunOverview, state: TuningState) -> Iterator[Text]:
    """Yield what is tuned, where the results go, and what is finished already."""
    terms, planned = state.terms, overview.planned
    tables = ", ".join(table.name for table in planned.definition.tables)
    parameters = plural(len(terms.tuned), "parameter")
    yield Text(visible(f"{overview.folder}: {parameters} of {bot} at {tables}"), style="bold")
    size = f"{plural(terms.iterations, 'iteration')}, {overview.size()}"
    yield Text(f"{size}; {overview.workers}; seed {terms.seed}")
    if overview.sandbox:
        yield Text(visible(overview.sandbox), style="dim")
    if overview.blocks_before:
        games = plural(overview.games_before, "game")
        yield Text(f"Continues the tuning; {games} finished before.")


def progress_text(state: TuningState) -> str:
    """Return the iteration and the measured gain over the start."""
    gain = state.gain()
    measured = "not measured yet" if gain is None else describe_gain(gain)
    return f"iteration {state.iteration} of {state.terms.iterations}; gain {measured}"


def final_lines(summary: TuningSummary, columns: int) -> Iterator[RenderableType]:
    """Yield the table of the parameters, how the run ended, and the next commands."""
    state, folder = summary.state, shell_word(summary.folder)
    yield Text("")
    yield parameter_table(state, len(state.terms.tuned), columns)
    yield Text("")
    yield Text(f"{_ENDINGS[summary.ending]}: {_counts(summary)} in {duration(summary.seconds)}.")
    yield Text(f"{progress_text(state)[0].upper()}{progress_text(state)[1:]}.", style="bold")
    if summary.lack is not None:
        yield Text(visible(f"Nothing more can be played: {summary.lack}."), style="red")
    if summary.faults:
        faults = plural(summary.faults, "fault")
        yield Text(f"{faults}: referee faults {folder}", style="red")
    yield Text(visible(f"The values are in {summary.file}; a bot takes them with --set @FILE"))
    if not summary.is_done:
        yield Text(f"To continue it: referee tune --resume {folder}")


def _counts(summary: TuningSummary) -> str:
    games = plural(summary.games, "game")
    return f"{games}, {summary.new_games:,} of them new"


# -- the table, and the live screen


def parameter_table(state: TuningState, rows: int, columns: int) -> Table:
    """Return a row for each tuned parameter, or for the `rows` that have moved furthest."""
    cells = max(_FEWEST_CELLS, min(_MOST_CELLS, columns - _OTHER_COLUMNS))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("parameter", "start", "now", "path"):
        table.add_column(
            title, justify="right" if title in ("start", "now") else "left", no_wrap=True
        )
    values = state.values
    for index in _furthest(state, rows):
        one = state.terms.tuned[index]
        path = sparkline([place[index] for place in _present_positions(state, cells)])
        table.add_row(one.name, f"{state.terms.start[one.name]:g}", f"{values[one.name]:g}", path)
    return table


def _furthest(state: TuningState, rows: int) -> list[int]:
    """Return the numbers of the parameters that have moved furthest, in the order of bot.toml."""
    first, last = state.positions[0], state.position
    moved = [abs(now - then) for then, now in zip(first, last, strict=True)]
    return sorted(sorted(range(len(moved)), key=lambda index: -moved[index])[: max(rows, 1)])


def _present_positions(state: TuningState, most: int) -> list[Position]:
    """Return the present position at a few moments, evenly spread."""
    last = state.iteration
    count = min(last + 1, most)
    moments = {round(number * last / max(1, count - 1)) for number in range(count)}
    return [present(state.positions[: moment + 1]) for moment in sorted(moments)]


def sparkline(shares: Sequence[float]) -> str:
    """Draw shares from 0 to 1 as a line of bars."""
    return "".join(_BARS[min(int(share * len(_BARS)), len(_BARS) - 1)] for share in shares)


def draw_frame(
    progress: Progress, state: TuningState, now: float, size: Size, renderer: RowRenderer
) -> list[str]:
    """Draw the whole screen: the progress, the gain, the parameters, and at the bottom notices."""
    bottom = [cut(Text(line, style=style), size.columns) for line, style in _notices(progress)]
    # The other lines: progress, gain, two blank ones, and two at the head of the table.
    table = parameter_table(state, size.rows - len(bottom) - 7, size.columns)
    gain = cut(Text(progress_text(state), style="bold"), size.columns)
    top = renderer.lines(
        Group(progress_bar(progress, now, size.columns), gain, Text(""), table), size.columns
    )
    space = max(size.rows - len(bottom), 0)
    filled = [*top[:space], *([[]] * (space - len(top)))]
    return renderer.rows([*filled, *map(renderer.line, bottom)], size)


def _notices(progress: Progress) -> Iterator[tuple[str, str]]:
    if progress.faults:
        yield plural(progress.faults, "fault"), "red"
    if progress.stopping:
        yield STOPPING, "bold yellow"
    yield _HINT, "dim"
