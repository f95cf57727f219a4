"""`referee lesson`: what a bot can learn from the games of a tournament."""

from __future__ import annotations

from pathlib import Path

import click

from referee.analysis.lesson import choose_games, make_lesson, read_games
from referee.analysis.lesson_text import lesson_lines
from referee.analysis.lines import DEFAULT_MS
from referee.analysis.run import Wanted
from referee.cli.analyse.command import reported, results_of
from referee.cli.analyse.judging import judging, rounds_option, time_option
from referee.cli.lazy import examples
from referee.cli.tournament_options import folder_argument
from referee.cli.verify import workers_option
from referee.system import core_count
from referee.terminal import guarded, say, show_json


@click.command(
    epilog=examples(
        "referee lesson tournament-1 my-bot",
        "referee lesson tournament-1 my-bot --games 40 --time 500",
        "referee lesson tournament-1 my-bot > LESSON.md",
        "referee lesson tournament-1 my-bot --json",
    )
)
@folder_argument
@click.argument("bot", metavar="BOT")
@click.option(
    "--games",
    type=click.IntRange(1),
    metavar="N",
    help="Analyse N games, lost ones first.  [default: as many as take 2 minutes on 2 cores]",
)
@time_option("each turn", DEFAULT_MS)
@rounds_option("each turn")
@workers_option
@click.option("--json", "as_json", is_flag=True, help="Print the lesson as one JSON object.")
def lesson(
    folder: Path,
    bot: str,
    games: int | None,
    time_ms: float | None,
    rounds: int | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Say what BOT can learn from the tournament in DIR, on one page of text.

    The page is for the author of the bot, or for a coding assistant: faults, where the Elo goes, three
    positions with what was better and how to replay them, and what to try next.

    BOT is the name of a bot in the standings. Its games need records. Their analysis is kept beside
    the records, as that of `referee analyse` with the same options.
    """
    settings = judging(time_ms, rounds, DEFAULT_MS)
    found = read_games(folder, bot)
    chosen = choose_games(found, games, settings.time_ms or DEFAULT_MS)
    paths = [found.path(game) for game in chosen]
    results = results_of(paths, Wanted(settings, bot=bot), workers or core_count())
    made = make_lesson(found, reported(results, set()))
    if as_json:
        guarded(show_json)(made.to_dict())
    else:
        guarded(say)("\n".join(lesson_lines(made)))
