"""`referee bench rl`: what the learning environments cost on this machine."""

from __future__ import annotations

import click

from referee import atlas, terminal
from referee.bench import engine as engine_bench
from referee.cli import bench_options
from referee.cli.examples import examples
from referee.errors import BenchRefused


@click.command(epilog=examples("referee bench rl", "referee bench rl --board east --json"))
@bench_options.boards
@bench_options.seats
@bench_options.seconds
@bench_options.as_json
def rl(boards: tuple[str, ...], seats: int | None, seconds: float, as_json: bool) -> None:
    """Random play through the PettingZoo environment, against the bare engine.

    The engine, the environment and a batch of games play by turns, so that their shares hold on a
    busy machine too. It needs the extra `rl`.
    """
    try:
        from referee.bench import rl as rl_bench  # noqa: PLC0415  it needs an extra
    except ImportError as error:
        raise BenchRefused(str(error)) from error
    from referee.console_rl import show_rl_speeds  # noqa: PLC0415  the same

    found = [(name, atlas.load_board(name)) for name in boards or atlas.board_names()]
    seated = [(name, engine_bench.usual_seats(board, seats)) for name, board in found]
    speeds = [
        rl_bench.measure_rl(name, count, seconds)
        for name, count in terminal.progress(seated, lambda item: item[0])
    ]
    words = rl_bench.as_words(speeds)
    if as_json:
        terminal.show_json(words)
    else:
        show_rl_speeds(words, speeds)
