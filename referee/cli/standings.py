"""`referee standings`: how a tournament stands, on the screen or as files."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from referee import terminal
from referee.cli.lazy import examples
from referee.cli.tournament_options import anchor_option, folder_argument, points_option
from referee.terminal import show_json
from referee.terminal.game.play import guarded
from referee.terminal.tournament.standings import show_standings
from referee.text import write_csv
from referee.tournament.live_ratings import RatingOptions
from referee.tournament.standings import StandingsReport, make_standings
from referee.tournament.store.export import export, standings_rows
from referee.tournament.store.store import Store


@click.command(
    epilog=examples(
        "referee standings tournament-1",
        "referee standings tournament-1 --matrix --points 5,3,1",
        "referee standings tournament-1 --without-faults --json",
        "referee standings tournament-1 --csv > standings.csv",
        "referee standings tournament-1 --export files/",
    )
)
@folder_argument
@click.option("--table", metavar="NAME", help="Only the games at this table.")
@click.option("--without-faults", is_flag=True, help="Only games in which no bot was at fault.")
@click.option("--matrix", is_flag=True, help="Add how likely each bot is stronger than each other.")
@points_option
@anchor_option
@click.option("--json", "as_json", is_flag=True, help="Print one object with all of it.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the standings as CSV.")
@click.option(
    "--export",
    "export_to",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Write everything: standings, seat_effects, superiority, blocks, games, seats and faults"
    " as .csv, and all of it as tournament.json.",
)
def standings(
    folder: Path,
    table: str | None,
    without_faults: bool,
    matrix: bool,
    points: tuple[float, ...] | None,
    anchor: str | None,
    as_json: bool,
    as_csv: bool,
    export_to: Path | None,
) -> None:
    """Show how the tournament in DIR stands, also while it goes on.

    Ratings are on the Elo scale, each with its 95 % interval. Where there is more than one kind of
    table, or a bot was at fault, the standings follow for each table and without these games.
    """
    if as_json + as_csv + (export_to is not None) > 1:
        raise click.UsageError("--json, --csv and --export are mutually exclusive")
    with Store.read(folder) as store, store.snapshot():
        seen = make_standings(
            store, RatingOptions(points, anchor), table=table, without_faults=without_faults
        )
        if export_to is not None:
            for path in export(store, seen, export_to):
                terminal.say(f"Written: {path}")
            return
    _show(folder, seen, matrix=matrix, as_json=as_json, as_csv=as_csv)


def _show(
    folder: Path, seen: StandingsReport, *, matrix: bool, as_json: bool, as_csv: bool
) -> None:
    if as_json:
        guarded(show_json)(seen.to_dict())
    elif as_csv:
        guarded(write_csv)(sys.stdout, *standings_rows(seen.ratings))
    else:
        guarded(show_standings)(folder, seen, matrix=matrix)
