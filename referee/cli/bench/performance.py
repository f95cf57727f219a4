"""`referee bench api`, `dataset`, `engine`, `match`, `verify`, `replay`, `rl` and `sandbox`: how fast games are here."""

from __future__ import annotations

import click

from referee import atlas, terminal
from referee.bench import api as api_bench
from referee.bench import dataset as dataset_bench
from referee.bench import engine as engine_bench
from referee.bench import match as match_bench
from referee.bench import own_bot
from referee.bench import replay as replay_bench
from referee.bench import sandbox as sandbox_bench
from referee.bench import verify as verify_bench
from referee.bench.common import one_core, scratch
from referee.bots.reaper import REAPER
from referee.cli import completion
from referee.cli.bench import options
from referee.cli.lazy import examples
from referee.engine.board import Board
from referee.errors import BenchRefused
from referee.terminal import bench


def _boards(names: tuple[str, ...]) -> list[Board]:
    return [atlas.load_board(name) for name in names or atlas.board_names()]


@click.command(
    epilog=examples("referee bench engine", "referee bench engine --board east --seconds 10 --json")
)
@options.boards
@options.seats
@options.seconds
@options.as_json
def engine(boards: tuple[str, ...], seats: int | None, seconds: float, as_json: bool) -> None:
    """Measure the engine: random play, copy, apply and replay.

    Only decisions with two or more choices count. The engine lists all choices and keeps all events.
    The games are the same on every machine and build, and so are their digests.
    """
    components = atlas.load_components()
    seated = [(board, engine_bench.default_seats(board, seats)) for board in _boards(boards)]
    speeds = [
        engine_bench.measure_board(components, board, count, seconds)
        for board, count in terminal.progress(seated, lambda item: item[0].id)
    ]
    figures = engine_bench.to_dict(speeds)
    bench.show(figures, bench.ENGINE, speeds, as_json=as_json)


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
    help="Measure only how long this bot takes for a decision; may be repeated. Arguments for the"
    " bot may follow its folder.",
)
@click.option(
    "--memory-games",
    type=click.IntRange(min=10),
    default=200,
    show_default=True,
    metavar="N",
    help="Number of games to play in one process while its memory is measured.",
)
@options.as_json
def match(bots: tuple[str, ...], memory_games: int, as_json: bool) -> None:
    """Measure how long one decision of a refereed game takes, and what takes the time.

    Plays with a bot in C (if there is a compiler) and one in Python, with different details and
    states that a bot may ask for. Compares each with a plain pipe echo of the same bytes.
    """
    if bots:
        _measure_bots(bots, as_json)
        return
    with scratch() as folder:
        steps = terminal.progress(match_bench.cases(), lambda case: case.name)
        costs = [match_bench.measure_case(case, folder) for case in steps]
        memory = match_bench.measure_memory(memory_games, folder)
    figures = match_bench.to_dict(costs, memory)
    notes = bench.match_notes(memory)
    bench.show(figures, bench.MATCH, costs, notes, as_json=as_json)


def _measure_bots(bots: tuple[str, ...], as_json: bool) -> None:
    found = [own_bot.bot_with_words(word) for word in bots]
    with scratch() as folder:
        steps = terminal.progress(found, lambda bot: bot.name)
        costs = [own_bot.measure_bot(bot, folder) for bot in steps]
    bench.show(own_bot.to_dict(costs), bench.OWN_BOT, costs, as_json=as_json)


@click.command(
    epilog=examples("referee bench verify", "referee bench verify --board hanse-4-5 --seconds 10")
)
@options.boards
@options.seconds
@options.as_json
def verify(boards: tuple[str, ...], seconds: float, as_json: bool) -> None:
    """Measure how fast records are verified, compared with the engine playing the same games.

    Both run alternately in one process. The ratio is the important figure.
    """
    components = atlas.load_components()
    with scratch() as folder:
        speeds = [
            verify_bench.measure_board(
                components, board, engine_bench.default_seats(board, None), seconds, folder
            )
            for board in terminal.progress(_boards(boards), lambda board: board.id)
        ]
    figures, notes = verify_bench.to_dict(speeds), bench.VERIFY_NOTES
    bench.show(figures, bench.VERIFY, speeds, notes, as_json=as_json)


@click.command(epilog=examples("referee bench replay", "referee bench replay --board east --json"))
@options.boards
@options.as_json
def replay(boards: tuple[str, ...], as_json: bool) -> None:
    """Measure how long it takes to open a record of 2,000 decisions and to jump in it.

    A jump goes to a random step and draws the whole screen, in a small and in a large terminal.
    """
    components = atlas.load_components()
    with scratch() as folder:
        speeds = [
            replay_bench.measure_board(
                components,
                board,
                engine_bench.default_seats(board, None),
                folder,
                bench.coloured_screen,
            )
            for board in terminal.progress(_boards(boards), lambda board: board.id)
        ]
    figures, notes = replay_bench.to_dict(speeds), bench.REPLAY_NOTES
    bench.show(figures, bench.REPLAY, speeds, notes, as_json=as_json)


@click.command(epilog=examples("referee bench api", "referee bench api --board east --json"))
@options.boards
@options.seats
@options.seconds
@options.as_json
def api(boards: tuple[str, ...], seats: int | None, seconds: float, as_json: bool) -> None:
    """Measure a search with the Python API, compared with the engine's own functions.

    A flat Monte-Carlo player tries choices and plays at random to the end, with `Game` and with the
    engine. Both play the same games alternately, so that the comparison also holds on a busy machine.
    """
    speeds = [
        api_bench.measure_api(name, count, seconds)
        for name, count in terminal.progress(_seated(boards, seats), lambda item: item[0])
    ]
    bench.show(api_bench.to_dict(speeds), bench.API, speeds, bench.API_NOTES, as_json=as_json)


def _seated(names: tuple[str, ...], seats: int | None) -> list[tuple[str, int]]:
    """The boards as they were named, each with its number of seats."""
    found = [(name, atlas.load_board(name)) for name in names or atlas.board_names()]
    return [(name, engine_bench.default_seats(board, seats)) for name, board in found]


@click.command(epilog=examples("referee bench rl", "referee bench rl --board east --json"))
@options.boards
@options.seats
@options.seconds
@options.as_json
def rl(boards: tuple[str, ...], seats: int | None, seconds: float, as_json: bool) -> None:
    """Measure random play for learning, compared with the engine alone.

    The engine, the PettingZoo environment and a batch of 256 games take turns, so that the comparison
    also holds on a busy machine. Needs the optional packages of `pip install '.[rl]'`.
    """
    try:
        from referee.bench import rl as rl_bench  # noqa: PLC0415  it needs an extra
    except ImportError as error:
        raise BenchRefused(str(error)) from error

    speeds = [
        rl_bench.measure_rl(name, count, seconds)
        for name, count in terminal.progress(_seated(boards, seats), lambda item: item[0])
    ]
    figures, layout = rl_bench.to_dict(speeds), bench.rl_layout(rl_bench.BATCH)
    bench.show(figures, layout, speeds, bench.RL_NOTES, as_json=as_json)


@click.command(
    epilog=examples(
        "referee bench dataset",
        "referee bench dataset --board east --records 1200 --seconds 0 --json",
    )
)
@options.boards
@options.seats
@click.option(
    "--records",
    type=click.IntRange(min=1),
    default=60,
    show_default=True,
    metavar="N",
    help="Number of records of each data set; from the 13th on, the records are the same again.",
)
@options.seconds
@options.as_json
def dataset(
    boards: tuple[str, ...], seats: int | None, records: int, seconds: float, as_json: bool
) -> None:
    """Measure how fast `referee dataset` turns records into data, and its peak memory.

    Each data set is made in a process of its own, from reading the records to the compressed files.
    """
    with scratch() as folder:
        speeds = [
            dataset_bench.measure_dataset(name, count, records, seconds, folder)
            for name, count in terminal.progress(_seated(boards, seats), lambda item: item[0])
        ]
    figures, notes = dataset_bench.to_dict(speeds), bench.DATASET_NOTES
    bench.show(figures, bench.DATASET, speeds, notes, as_json=as_json)


@click.command(
    epilog=examples("referee bench sandbox", "referee bench sandbox --starts 200 --json")
)
@click.option(
    "--starts",
    type=click.IntRange(min=1),
    default=50,
    show_default=True,
    metavar="N",
    help="Number of bots to start at each level.",
)
@click.option(
    "--rounds",
    type=click.IntRange(min=1),
    default=50,
    show_default=True,
    metavar="N",
    help="Number of times to measure 200 decisions at each level.",
)
@options.as_json
def sandbox(starts: int, rounds: int, as_json: bool) -> None:
    """Measure how much time the sandbox adds to the start of a bot and to a decision.

    Runs a bot in C on one core, alternately at all levels. The important figure is how much longer a
    level takes than no sandbox.
    """
    REAPER.take_charge()
    with one_core(), scratch() as folder:
        folder.chmod(0o755)  # bots may be started as a user without rights
        prices = sandbox_bench.measure(starts, rounds, folder)
    figures, notes = sandbox_bench.to_dict(prices), bench.SANDBOX_NOTES
    bench.show(figures, bench.SANDBOX, prices, notes, as_json=as_json)
