"""What `referee standings` shows: the standings of all games, and of parts of them."""

from __future__ import annotations

from pathlib import Path

from rich.console import RenderableType
from rich.text import Text

from referee.terminal import Output
from referee.terminal.tournament.lines import command_word
from referee.terminal.tournament.standings import caption, matrix_table, seat_lines, standings_table
from referee.text import plural, visible
from referee.tournament.ratings import Ratings
from referee.tournament.standings import StandingsReport

MATRIX_CAPTION = "in percent: how likely the bot of the row is stronger than that of the column"


def show_views(
    folder: Path, seen: StandingsReport, *, matrix: bool, console: Output | None = None
) -> None:
    """Print every table, each under its title."""
    out = console or Output(highlight=False)
    ratings = seen.ratings
    _section(out, _title(visible(str(folder)), ratings), _standings(seen, ratings, out))
    out.print()
    for line in seat_lines(ratings.seats):
        out.print(line)
    for name, of_table in seen.by_table.items():
        _section(out, _title(visible(name), of_table), _standings(seen, of_table, out))
    if seen.without_faults is not None:
        title = _title("Without the games in which a bot was at fault", seen.without_faults)
        _section(out, title, _standings(seen, seen.without_faults, out))
    if matrix:
        _section(out, "Who is above whom", matrix_table(ratings, out.width))
        out.print(Text(MATRIX_CAPTION, style="dim"))
    out.print()
    out.print(Text(caption(ratings), style="dim"))
    for bot, why in seen.out.items():
        out.print(Text(visible(f"{bot} is out: {why}"), style="red"))
    if seen.faults:
        command = f"referee faults {command_word(folder)}"
        out.print(Text(f"{plural(seen.faults, 'fault')}: {command}", style="red"), soft_wrap=True)
    out.print()


def _title(what: str, ratings: Ratings) -> str:
    return f"{what}: {plural(ratings.blocks, 'block')}, {plural(ratings.games, 'game')}"


def _standings(seen: StandingsReport, ratings: Ratings, out: Output) -> RenderableType:
    return standings_table(ratings, out.width, out=seen.out)


def _section(out: Output, title: str, table: RenderableType) -> None:
    out.print()
    out.print(Text(title, style="bold"), soft_wrap=True)
    out.print(table)
