"""`referee play`: one game, and its final table."""

from __future__ import annotations

import click

from referee import atlas, console, random_play, report
from referee.engine.ruleset import make_ruleset

USUAL_BOARDS = {1: "hanse-2-3", 2: "hanse-2-3", 3: "hanse-2-3"}  # with more: hanse-4-5


@click.command()
@click.argument("bots", nargs=-1, required=True, metavar="BOT...")
@click.option(
    "--board",
    metavar="NAME|FILE",
    help="A bundled board or a map file.  [default: hanse-2-3 or hanse-4-5]",
)
@click.option(
    "--edition", type=click.Choice(["bigbox", "original"]), default="bigbox", show_default=True
)
@click.option("--missions", is_flag=True, help="Deal a mission card to each player.")
@click.option("--favours", is_flag=True, help="Play with Emperor's Favour.")
@click.option(
    "--neutral",
    type=click.Choice(["2009", "britannia"]),
    help="The two-player variant.  [default with two: britannia]",
)
@click.option("--permits", is_flag=True, help="Permits can be bought for a bonus marker.")
@click.option("--promos", is_flag=True, help="Shuffle the promo markers in.")
@click.option(
    "--max-turns",
    type=click.IntRange(min=0),
    default=1000,
    show_default=True,
    help="Score the game as it stands after so many turns; 0 is never.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, random_play.SEEDS - 1),
    help="Play this game again.  [default: drawn and printed]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--quiet", is_flag=True, help="Print one line.")
def play(
    bots: tuple[str, ...],
    board: str | None,
    edition: str,
    missions: bool,
    favours: bool,
    neutral: str | None,
    permits: bool,
    promos: bool,
    max_turns: int,
    seed: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Play one game, a BOT for each seat, in the order given.

    For now the only BOT is the bundled `random`.
    """
    if as_json and quiet:
        raise click.UsageError("--json and --quiet cannot both be")
    names = random_play.name_seats(bots)
    found = atlas.load_board(board or USUAL_BOARDS.get(len(bots), "hanse-4-5"))
    ruleset = make_ruleset(
        atlas.load_components(),
        found,
        len(bots),
        edition=edition,
        missions=missions,
        favours=favours,
        neutral=neutral,
        permits=permits,
        promos=promos,
        max_turns=max_turns,
    )
    played = random_play.play_game(
        found, ruleset, random_play.draw_seed() if seed is None else seed
    )
    result = report.report(played, names)
    if as_json:
        console.show_json(result)
    elif quiet:
        console.say(report.one_line(result))
    else:
        console.show_result(result)
