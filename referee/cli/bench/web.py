"""`referee bench web`: measure what spectators in the browser cost on this machine."""

from __future__ import annotations

from pathlib import Path

import click

from referee.bench import web as web_bench
from referee.cli.bench import options
from referee.cli.lazy import examples
from referee.system import core_count
from referee.terminal import bench
from referee.web.live.process import ServerProcess, ServerSettings


@click.command(
    epilog=examples("referee bench web", "referee bench web --games 100 --spectators 200 --json")
)
@click.option(
    "--games",
    type=click.IntRange(min=4),
    default=24,
    show_default=True,
    metavar="N",
    help="Number of games of the tournament.",
)
@click.option(
    "--spectators",
    type=click.IntRange(1, 900),
    default=200,
    show_default=True,
    metavar="N",
    help="Number of spectators at once.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of workers.  [default: one for each CPU core]",
)
@options.as_json
def web(games: int, spectators: int, workers: int | None, as_json: bool) -> None:
    """Measure what the server costs while many spectators watch a tournament.

    The bundled bots play with records. A quarter of the spectators follow the standings, the others
    the running games; all of them load the pages and their files first, as browsers do. Prints the
    CPU time of the server as a share of the tournament's, the latency from a decision to the
    spectators, the memory of the server, and the time-outs of bots. The spectators are a process of
    their own, whose CPU time is counted apart. It needs the extra `web`.
    """
    cost = web_bench.measure(_start, spectators, games, workers or core_count())
    bench.show(cost.to_dict(), bench.WEB, [cost], bench.web_notes(cost), as_json=as_json)


def _start(folder: Path) -> tuple[ServerProcess, str, int]:
    server = ServerProcess(ServerSettings(tournament=str(folder)))
    return server, server.address.host, server.address.port
