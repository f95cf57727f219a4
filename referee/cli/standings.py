"""`referee standings`: show the standings of a tournament, or write them to files."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from referee import terminal
from referee.cli.lazy import examples
from referee.cli.tournament_options import anchor_option, folder_argument, points_option
from referee.terminal import guarded, show_json
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
@click.option("--table", metavar="NAME", help="Use only the games at this table.")
@click.option(
    "--without-faults", is_flag=True, help="Use only games in which no bot committed a fault."
)
@click.option(
    "--matrix",
    is_flag=True,
    help="Also show how likely each bot is to be stronger than each other bot.",
)
@points_option
@anchor_option
@click.option("--json", "as_json", is_flag=True, help="Print everything as one JSON object.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the main standings as CSV.")
@click.option(
    "--export",
    "export_to",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Write all data to files in this folder: standings, seat_effects, superiority, blocks,"
    " games, seats and faults as .csv, and everything as tournament.json.",
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
    """Show the standings of the tournament in DIR, even while it is running.

    Ratings are on the Elo scale, with 95 % confidence intervals. If games were played at
    several tables, the standings of each follow. If a bot committed a fault, the standings without these
    games follow.
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
