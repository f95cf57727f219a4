"""One frame of the live screen: progress, standings, running games and faults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from referee.terminal.seats import DOT, seat_style
from referee.terminal.tournament.lines import describe_progress, share_done, sprt_text
from referee.terminal.tournament.standings import standings_table
from referee.text import plural, visible
from referee.tournament.coordinator import Progress
from referee.tournament.ratings import Ratings
from referee.tournament.results import Block
from referee.tournament.sprt import SprtState
from referee.tournament.workers.messages import Playing, WorkerStatus

STOPPING: Final = "Finishing the running blocks. Press Ctrl-C again to stop at once."
_SHORTEST_BAR: Final = 10
_FEWEST_ROWS: Final = 3  # of standings
_MOST_OUT: Final = 2  # lines


@dataclass(frozen=True)
class LiveFrame:
    """Everything that one frame shows."""

    progress: Progress
    ratings: Ratings
    now: float
    all_orders: bool = False
    last_fault: str | None = None
    test: SprtState | None = None


class Size(NamedTuple):
    """The size of a terminal."""

    columns: int
    rows: int


def frame(content: LiveFrame, size: Size) -> RenderableType:
    """Draw the whole screen; where rows do not fit, a line says how many are missing."""
    tail = list(_tail(content, size.columns))
    # The other lines: one of progress, two at the head of the table, two blank ones, one left free below.
    free = size.rows - len(tail) - 6
    workers = _shares(free, len(content.ratings.entries), len(content.progress.statuses))
    places = max(free - workers, _FEWEST_ROWS)
    return Group(
        _progress_bar(content.progress, content.now, size.columns),
        Text(""),
        *_standings(content, size.columns, places),
        Text(""),
        *_games(content, size.columns, workers),
        *tail,
    )


def _shares(free: int, bots: int, workers: int) -> int:
    """Return the number of rows for workers: all if they fit, else about a third."""
    if bots + workers <= free:
        return workers
    return max(min(workers, free - bots, free), min(workers, free // 3), 0)


def _progress_bar(progress: Progress, now: float, columns: int) -> RenderableType:
    words = Text(describe_progress(progress, now))
    width = columns - words.cell_len - 2
    if progress.outline.blocks is None or width < _SHORTEST_BAR:
        return _cut(words, columns)
    line = Table.grid(padding=(0, 2, 0, 0))
    line.add_row(ProgressBar(1.0, share_done(progress), width=width), words)
    return line


def _standings(content: LiveFrame, columns: int, rows: int) -> Iterator[RenderableType]:
    entries = content.ratings.entries
    hidden = len(entries) - rows
    most = rows - 1 if hidden > 0 else None
    yield standings_table(content.ratings, columns, out=content.progress.out, most=most)
    if most is not None:
        yield Text(f"and {len(entries) - most} more", style="dim")


def _games(content: LiveFrame, columns: int, rows: int) -> Iterator[Text]:
    statuses = content.progress.statuses
    if len(statuses) <= rows:
        shown: Sequence[WorkerStatus] = statuses
    else:
        shown = statuses[: max(rows - 1, 0)]
    for status in shown:
        yield _cut(_game(status, all_orders=content.all_orders), columns)
    if len(shown) < len(statuses) and rows > 0:
        busy = sum(status.game is not None for status in statuses[len(shown) :])
        yield Text(f"and {busy} more {'game' if busy == 1 else 'games'}", style="dim")


def _game(status: WorkerStatus, *, all_orders: bool) -> Text:
    text = Text(visible(f"{status.worker}  "), style="dim")
    if status.game is None:
        return text.append("idle")
    text.append(f"game {_number(status.game, all_orders=all_orders)}  ")
    for seat, bot in enumerate(status.game.bots):
        text.append(f"{DOT} ", seat_style(seat)).append(f"{visible(bot)} ", "default not dim")
    return text


def _number(game: Playing, *, all_orders: bool) -> str:
    block = Block(game.block, "", game.bots, 0, all_orders=all_orders)
    return f"{game.number} of 0 to {len(block.seatings()) - 1}"


def _tail(content: LiveFrame, columns: int) -> Iterator[Text]:
    if content.test is not None:
        yield _cut(sprt_text(content.test, columns), columns)
    faults = content.progress.faults
    if faults:
        last = f"; the last: {content.last_fault}" if content.last_fault else ""
        yield _cut(Text(visible(f"{plural(faults, 'fault')}{last}"), style="red"), columns)
    yield from _out_lines(content.progress.out, columns)
    if content.progress.stopping:
        yield _cut(Text(STOPPING, style="bold yellow"), columns)


def _out_lines(out: Mapping[str, str], columns: int) -> Iterator[Text]:
    lines = [f"{bot} is disqualified: {why}" for bot, why in out.items()]
    for line in lines[:_MOST_OUT]:
        yield _cut(Text(visible(line), style="red"), columns)
    if len(lines) > _MOST_OUT:
        yield Text(f"and {len(lines) - _MOST_OUT} more bots are disqualified", style="red")


def _cut(text: Text, columns: int) -> Text:
    """Cut a text to one line."""
    text.no_wrap = True
    text.truncate(columns, overflow="ellipsis")
    return text
