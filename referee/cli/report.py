"""`referee report`: write a tournament as a web site that needs no server."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from referee import terminal
from referee.cli.lazy import examples
from referee.cli.tournament_options import anchor_option, folder_argument, points_option
from referee.terminal import records
from referee.text import plural, printable
from referee.web.site.build import SiteSummary, describe_pages, make_site
from referee.web.site.games import DEFAULT_PAGES, PageSelection

_FEW: Final = 5  # games without a page that are named
_WORDS: Final[dict[str, PageSelection]] = {"all": "all", "faults": "faults", "none": "none"}


def _wanted(_: click.Context, __: click.Parameter, value: str | None) -> PageSelection:
    if value is None:
        return "default"
    if value in _WORDS:
        return _WORDS[value]
    if value.isascii() and value.isdigit():
        return int(value[:9])
    raise click.BadParameter(f"{value!r} is neither a whole number nor one of all, faults, none")


@click.command(
    epilog=examples(
        "referee report league --out site",
        "referee report league --out site --games all",
        "referee report league --out site --points 5,3,1 --anchor random",
    )
)
@folder_argument
@click.option(
    "--out",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    metavar="SITE",
    help="Folder for the site: a new or empty one, or one that this command wrote before.",
)
@click.option(
    "--games",
    callback=_wanted,
    metavar="all|faults|none|N",
    help="Games that get a page: all, those with faults, none, or the N most interesting ones."
    f"  [default: {DEFAULT_PAGES}]",
)
@points_option
@anchor_option
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object that says what was written."
)
def report(
    folder: Path,
    out: Path,
    games: PageSelection,
    points: tuple[float, ...] | None,
    anchor: str | None,
    as_json: bool,
) -> None:
    """Write a web site about the tournament in DIR.

    The site shows the standings, how the bots did against each other, how the ratings developed, the
    seats, the faults and the games. It has a page for each bot, a replay and the record of each
    selected game, and the data as CSV and JSON. It needs no server and no network: open
    SITE/index.html.

    Interesting games are upsets, close games, first meetings, games with faults, and the newest.

    You can run this command again while the tournament is running: it writes only the files that
    have changed, and removes only files that it wrote before.
    """
    made = make_site(
        folder, out, games=games, points=points, anchor=anchor, progress=records.with_progress
    )
    if as_json:
        terminal.show_json(made.to_dict())
    else:
        _say(made)


def _say(made: SiteSummary) -> None:
    counts = ((made.blocks, "block"), (made.games, "game"), (made.bots, "bot"))
    terminal.say(f"{', '.join(plural(count, noun) for count, noun in counts)}.")
    terminal.say(describe_pages(made.games, made.pages))
    for what in made.pages.missing[:_FEW]:
        terminal.note(f"no page was made for {printable(what)}")
    files = made.files
    terminal.say(
        f"Files: {files.written:,} written, {files.unchanged:,} unchanged, {files.removed:,} removed."
    )
    terminal.say(f"The site: {made.site / 'index.html'}")
