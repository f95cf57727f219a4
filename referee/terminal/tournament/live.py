"""One frame of the live screen: progress, standings, running games, latest results and faults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from referee.terminal.full_screen.rows import RowRenderer
from referee.terminal.seats import DOT, seat_style
from referee.terminal.tournament.lines import describe_progress, share_done, sprt_text
from referee.terminal.tournament.live_view import LiveView
from referee.terminal.tournament.standings import standings_table
from referee.text import plural, shell_word, visible
from referee.tournament.coordinator import Progress
from referee.tournament.ratings import Ratings
from referee.tournament.sprt import SprtState
from referee.tournament.workers.messages import GameReport, Playing, WorkerStatus, record_name

STOPPING: Final = "Finishing the running blocks. Press Ctrl-C again to stop at once."
HINTS: Final = ("s standings", "t by table", "r results", "g games", "↑↓ scroll", "Ctrl-C stop")
_SHORTEST_BAR: Final = 10
_FEWEST_ROWS: Final = 3  # of standings
_MOST_OUT: Final = 2  # lines
_MOST_LATEST: Final = 5  # results below the standings


class Result(NamedTuple):
    """A finished game, and the table at which it was played."""

    table: str
    block: str
    game: GameReport


@dataclass(frozen=True)
class LiveFrame:
    """Everything that one frame shows."""

    progress: Progress
    ratings: Ratings
    now: float
    last_fault: str | None = None
    test: SprtState | None = None
    view: LiveView = field(default_factory=LiveView)
    by_table: Mapping[str, Ratings] = field(default_factory=dict)  # if the view shows it
    results: Sequence[Result] = ()  # the latest first
    records: Path | None = None  # the folder of the records; None: there are none on this machine


class Size(NamedTuple):
    """The size of a terminal."""

    columns: int
    rows: int


def draw_frame(content: LiveFrame, size: Size, renderer: RowRenderer) -> list[str]:
    """Draw the whole screen: the progress, the chosen view, and at the bottom faults and keys."""
    bottom = [*_tail(content, size.columns), _hints(content.view, size.columns)]
    # The other lines: one of progress, and a blank one above and below the view.
    view = _view(content, size.columns, size.rows - len(bottom) - 3)
    bar = progress_bar(content.progress, content.now, size.columns)
    top = renderer.lines(Group(bar, Text(""), *view), size.columns)
    space = max(size.rows - len(bottom), 0)
    filled = [*top[:space], *([[]] * (space - len(top)))]
    return renderer.rows([*filled, *map(renderer.line, bottom)], size)


def _view(content: LiveFrame, columns: int, rows: int) -> Iterator[RenderableType]:
    if content.view.view == "tables":
        return _table_view(content, columns, rows)
    if content.view.view == "results":
        return _results_view(content, columns, rows)
    if content.view.view == "games":
        return _games_view(content, columns, rows)
    return _standings_view(content, columns, rows)


# -- the standings, and below them the running games and the latest results


def _standings_view(content: LiveFrame, columns: int, rows: int) -> Iterator[RenderableType]:
    statuses, entries = content.progress.statuses, content.ratings.entries
    free = rows - 3  # two lines at the head of the table, one blank line below it
    games = _shares(free, len(entries), len(statuses))
    places = max(free - games, _FEWEST_ROWS)
    yield from _standings(content, content.ratings, columns, places)
    yield Text("")
    yield from _games(content, columns, games)
    spare = min(places - len(entries) - 1, len(content.results), _MOST_LATEST)
    if spare > 0:
        yield Text("")
        for result in content.results[:spare]:
            yield _result(result, columns)


def _shares(free: int, bots: int, workers: int) -> int:
    """Return the number of rows for workers: all if they fit, else about a third."""
    if bots + workers <= free:
        return workers
    return max(min(workers, free - bots, free), min(workers, free // 3), 0)


def _standings(
    content: LiveFrame, ratings: Ratings, columns: int, rows: int
) -> Iterator[RenderableType]:
    count, out = len(ratings.entries), content.progress.out
    if count <= rows:
        yield standings_table(ratings, columns, out=out)
        return
    shown = content.view.window(count, rows - 1)
    yield standings_table(ratings, columns, out=out, shown=shown)
    yield _position(shown, count, "bots")


def _position(shown: slice, count: int, what: str) -> Text:
    """A line below a part of a list, which says where the part is."""
    return Text(f"{shown.start + 1} to {min(shown.stop, count)} of {count:,} {what}", style="dim")


def _table_view(content: LiveFrame, columns: int, rows: int) -> Iterator[RenderableType]:
    tables = list(content.by_table)
    if not tables:
        yield Text("No block is finished yet.", style="dim")
        return
    at = content.view.table % len(tables)
    ratings = content.by_table[tables[at]]
    counts = f"{plural(ratings.blocks, 'block')}, {plural(ratings.games, 'game')}"
    more = f"  table {at + 1} of {len(tables)}; t shows the next" if len(tables) > 1 else ""
    title = Text.assemble((visible(tables[at]), "bold"), (f"  {counts}{more}", "dim"))
    yield cut(title, columns)
    yield from _standings(content, ratings, columns, rows - 3)


# -- games


def _games(content: LiveFrame, columns: int, rows: int) -> Iterator[Text]:
    statuses = content.progress.statuses
    shown = statuses if len(statuses) <= rows else statuses[: max(rows - 1, 0)]
    for status in shown:
        yield _game(content, status, columns)
    if len(shown) < len(statuses) and rows > 0:
        busy = sum(status.game is not None for status in statuses[len(shown) :])
        yield Text(f"and {plural(busy, 'more game')}", style="dim")


def _game(content: LiveFrame, status: WorkerStatus, columns: int) -> Text:
    """A worker and its game in one line, with the record if there is space."""
    text = Text(visible(f"{status.worker}  "), style="dim")
    if status.game is None:
        return cut(text.append("idle"), columns)
    text.append_text(_seats(status.game.bots))
    record = content.records and _record(content.records, status.game)
    name = "" if record is None else f"{record.parent.name}/{record.name}"
    gap = columns - text.cell_len - len(name)
    if name and gap > 1:
        text.append(" " * gap).append(name, "dim")
    return cut(text, columns)


def _seats(bots: Sequence[str]) -> Text:
    text = Text(style="not dim")
    for seat, bot in enumerate(bots):
        text.append(f"{DOT} ", seat_style(seat)).append(f"{visible(bot)} ")
    return text


def _record(records: Path, game: Playing) -> Path:
    return records / record_name(game.block, game.number)


def _games_view(content: LiveFrame, columns: int, rows: int) -> Iterator[Text]:
    """Every running game, and below it the command that shows it while it is played."""
    lines: list[Text] = []
    for status in content.progress.statuses:
        lines.append(_game(content, status, columns))
        if status.game is not None and content.records is not None:
            path = _record(content.records, status.game)
            lines.append(cut(Text(f"  referee replay {shell_word(path)}"), columns))
    yield Text("Running games", style="bold")
    shown = content.view.window(len(lines), rows - 2)
    yield from lines[shown] or [Text("None.", style="dim")]
    if len(lines) > rows - 2:
        yield _position(shown, len(lines), "lines")


def _results_view(content: LiveFrame, columns: int, rows: int) -> Iterator[Text]:
    """The latest finished games of this run, the last one first."""
    count = len(content.results)
    yield Text("Latest results", style="bold")
    shown = content.view.window(count, rows - 2)
    for result in content.results[shown]:
        yield _result(result, columns)
    yield _position(shown, count, "games") if count else Text("None yet.", style="dim")


def _result(result: Result, columns: int) -> Text:
    """A finished game: who came first, second and so on, with the totals."""
    game = result.game
    text = Text(f"{result.block}/{game.number}  ", style="dim")
    if game.void is not None:
        return cut(text.append(visible(f"void: {game.void}"), "red"), columns)
    for seat in sorted(game.seats, key=lambda seat: seat.rank):
        text.append(f"{seat.rank} ", "dim").append(visible(seat.name), "not dim bold")
        text.append(f" {seat.total}  ", "not dim")
        if seat.out is not None or seat.faults:
            what = f"out: {seat.out}" if seat.out else plural(seat.faults, "fault")
            text.append(visible(f"{what}  "), "not dim red")
    return cut(text.append(visible(f"{plural(game.turns, 'turn')}, {result.table}")), columns)


# -- the other lines


def progress_bar(progress: Progress, now: float, columns: int) -> RenderableType:
    """Draw a bar, if there is space and an end, and the progress in words."""
    words = Text(describe_progress(progress, now))
    width = columns - words.cell_len - 2
    if progress.outline.blocks is None or width < _SHORTEST_BAR:
        return cut(words, columns)
    line = Table.grid(padding=(0, 2, 0, 0))
    line.add_row(ProgressBar(1.0, share_done(progress), width=width), words)
    return line


def _tail(content: LiveFrame, columns: int) -> Iterator[Text]:
    if content.test is not None:
        yield cut(sprt_text(content.test, columns), columns)
    faults = content.progress.faults
    if faults:
        last = f"; the last: {content.last_fault}" if content.last_fault else ""
        yield cut(Text(visible(f"{plural(faults, 'fault')}{last}"), style="red"), columns)
    yield from _out_lines(content.progress.out, columns)
    if content.progress.stopping:
        yield cut(Text(STOPPING, style="bold yellow"), columns)


def _out_lines(out: Mapping[str, str], columns: int) -> Iterator[Text]:
    lines = [f"{bot} is disqualified: {why}" for bot, why in out.items()]
    for line in lines[:_MOST_OUT]:
        yield cut(Text(visible(line), style="red"), columns)
    if len(lines) > _MOST_OUT:
        more = plural(len(lines) - _MOST_OUT, "more bot")
        yield cut(Text(f"and {more}; their rows say out", style="red"), columns)


def _hints(view: LiveView, columns: int) -> Text:
    """The keys, as many as fit, or the answer to the last key."""
    if view.notice:
        return cut(Text(view.notice, style="yellow"), columns)
    hints = list(HINTS)
    while len(hints) > 1 and len("  ".join(hints)) > columns:
        del hints[-2]
    return cut(Text("  ".join(hints), style="dim"), columns)


def cut(text: Text, columns: int) -> Text:
    """Cut a text to one line."""
    text.no_wrap = True
    text.truncate(columns, overflow="ellipsis")
    return text
