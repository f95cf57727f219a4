"""`referee serve`: show a tournament or recorded games in the browser."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.help_sections import SectionedCommand
from referee.cli.lazy import examples
from referee.cli.serving import (
    DEFAULT_PORT,
    allow_host_option,
    announce,
    delay_option,
    place_option,
)
from referee.cli.tournament_options import anchor_option, points_option
from referee.tournament.store.store import exists
from referee.web.live.process import DEFAULT_HOST, ServerSettings, listen, serve_here
from referee.web.live.requirements import check_installed


@click.command(
    cls=SectionedCommand,
    epilog=examples(
        "referee serve tournament-1",
        "referee serve tournament-1 --browser --delay 20",
        "referee serve game.jsonl",
        "referee serve records/ --at 0.0.0.0:8000 --allow-host games.example.org",
    ),
)
@click.argument(
    "places", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="DIR|RECORD..."
)
@place_option(
    "--at", f"Where the server listens; port 0 is any free one.  [default: {DEFAULT_PORT}]"
)
@click.option("--browser", is_flag=True, help="Open the page in a browser.")
@delay_option()
@allow_host_option()
@points_option
@anchor_option
def serve(
    places: tuple[Path, ...],
    place: tuple[str, int] | None,
    browser: bool,
    delay: int,
    allowed_hosts: tuple[str, ...],
    points: tuple[float, ...] | None,
    anchor: str | None,
) -> None:
    """Show a tournament or recorded games in the browser.

    DIR is the folder of a tournament that is finished, or that another process is playing: the page
    shows the standings, the progress and the running games, and each game can be watched live. Any
    other folder is searched for records. A RECORD is shown as a replay; while it grows, it is shown
    live.

    Spectators see only what all seats may know, and remarks after the end; never seeds, secrets or
    what bots write to stderr. The server answers only to this machine, unless --at names another
    address.

    End it with Ctrl-C. It needs the extra `web`.
    """
    check_installed()
    settings = _settings(places)
    listener, address = listen(*(place or (DEFAULT_HOST, DEFAULT_PORT)))
    announce(address, opens=browser)
    serve_here(
        ServerSettings(
            tournament=settings.tournament,
            records=settings.records,
            points=points,
            anchor=anchor,
            delay=delay,
            allowed_hosts=allowed_hosts,
        ),
        listener,
    )


def _settings(places: tuple[Path, ...]) -> ServerSettings:
    """What these places are; UsageError if they are not one tournament, or records."""
    for place in places:
        if not place.exists():
            raise click.UsageError(f"there is no file or folder {place}")
    tournaments = [place for place in places if exists(place)]
    if not tournaments:
        return ServerSettings(records=tuple(map(str, places)))
    if len(places) > 1:
        raise click.UsageError(f"{tournaments[0]} is a tournament: give it alone")
    return ServerSettings(tournament=str(places[0]))
