"""`referee bench engine`, `match`, `verify` and `replay`: what a game costs on this machine."""

from __future__ import annotations

import click

from referee import atlas, console, console_bench, console_records
from referee.bench import bots as bots_bench
from referee.bench import engine as engine_bench
from referee.bench import match as match_bench
from referee.bench import replay as replay_bench
from referee.bench import verify as verify_bench
from referee.bench.common import scratch
from referee.cli import bench_options, completion
from referee.cli.examples import examples
from referee.console_replay_bench import coloured_screen, show_replay_speeds


@click.command(
    epilog=examples("referee bench engine", "referee bench engine --board east --seconds 10 --json")
)
@bench_options.boards
@bench_options.seats
@bench_options.seconds
@bench_options.as_json
def engine(boards: tuple[str, ...], seats: int | None, seconds: float, as_json: bool) -> None:
    """Random play, copy, apply and replay on every board.

    Decisions are counted where there are two or more choices; all choices are listed and events
    are kept. The games are the same on every machine and build: so are their digests.
    """
    components = atlas.load_components()
    found = [atlas.load_board(name) for name in boards or atlas.board_names()]
    seated = [(board, engine_bench.usual_seats(board, seats)) for board in found]
    speeds = [
        engine_bench.measure_board(components, board, count, seconds)
        for board, count in console.progress(seated, lambda item: item[0].id)
    ]
    words = engine_bench.as_words(speeds)
    if as_json:
        console.show_json(words)
    else:
        console_bench.show_engine_speeds(words, speeds)


@click.command(
    epilog=examples(
        "referee bench match",
        "referee bench match --memory-games 1000 --json",
        'referee bench match --bot "sample_bots/random-rust --codes"',
    )
)
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="BOT",
    shell_complete=completion.bots,
    help="Measure what this bot takes for a decision, and nothing else; may be given again."
    " A folder may be followed by more words for the bot's command.",
)
@click.option(
    "--memory-games",
    type=click.IntRange(min=10),
    default=200,
    show_default=True,
    help="How many games to play in one process while looking at its memory.",
)
@bench_options.as_json
def match(bots: tuple[str, ...], memory_games: int, as_json: bool) -> None:
    """What one decision of a refereed game costs, and where the time goes.

    With a bot in C (if there is a compiler) and one in Python, in the details and states that a
    bot may ask for, against a plain pipe echo of the same bytes measured in the same run.
    """
    if bots:
        _measure_bots(bots, as_json)
        return
    with scratch() as folder:
        steps = console.progress(match_bench.cases(), lambda case: case.name)
        costs = [match_bench.measure_case(case, folder) for case in steps]
        memory = match_bench.measure_memory(memory_games, folder)
    words = match_bench.as_words(costs, memory)
    if as_json:
        console.show_json(words)
    else:
        console_bench.show_match_costs(words, costs, memory)


def _measure_bots(bots: tuple[str, ...], as_json: bool) -> None:
    found = [bots_bench.bot_with_words(word) for word in bots]
    with scratch() as folder:
        steps = console.progress(found, lambda bot: bot.name)
        costs = [bots_bench.measure_bot(bot, folder) for bot in steps]
    words = bots_bench.as_words(costs)
    if as_json:
        console.show_json(words)
    else:
        console_bench.show_own_costs(words, costs)


@click.command(
    epilog=examples("referee bench verify", "referee bench verify --board hanse-4-5 --seconds 10")
)
@bench_options.boards
@bench_options.seconds
@bench_options.as_json
def verify(boards: tuple[str, ...], seconds: float, as_json: bool) -> None:
    """How fast records are verified, against the engine's play of the same games.

    Both are measured in one run, by turns, in one process; the ratio is what counts.
    """
    components = atlas.load_components()
    found = [atlas.load_board(name) for name in boards or atlas.board_names()]
    with scratch() as folder:
        speeds = [
            verify_bench.measure_board(
                components, board, engine_bench.usual_seats(board, None), seconds, folder
            )
            for board in console.progress(found, lambda board: board.id)
        ]
    words = verify_bench.as_words(speeds)
    if as_json:
        console.show_json(words)
    else:
        console_records.show_verify_speeds(words, speeds)


@click.command(epilog=examples("referee bench replay", "referee bench replay --board east --json"))
@bench_options.boards
@bench_options.as_json
def replay(boards: tuple[str, ...], as_json: bool) -> None:
    """How long a record of 2,000 decisions takes to open, and any jump in it.

    A jump is to a random step, with all of its screen, in a small and in a large terminal.
    """
    components = atlas.load_components()
    found = [atlas.load_board(name) for name in boards or atlas.board_names()]
    with scratch() as folder:
        speeds = [
            replay_bench.measure_board(
                components,
                board,
                engine_bench.usual_seats(board, None),
                folder,
                coloured_screen,
            )
            for board in console.progress(found, lambda board: board.id)
        ]
    words = replay_bench.as_words(speeds)
    if as_json:
        console.show_json(words)
    else:
        show_replay_speeds(words, speeds)
