"""`referee bench tournament`: measure how fast tournaments are on this machine."""

from __future__ import annotations

import click

from referee import terminal
from referee.bench import tournament as tournament_bench
from referee.bench.cpu_scaling import machine_scaling
from referee.bench.schedule import plan_figures
from referee.cli.bench import options
from referee.cli.lazy import examples
from referee.system import core_count, usable_cores
from referee.terminal import bench
from referee.text import plural


@click.command(
    epilog=examples(
        "referee bench tournament", "referee bench tournament --bots random --workers 1 --json"
    )
)
@click.option(
    "--games",
    type=click.IntRange(min=4),
    default=200,
    show_default=True,
    metavar="N",
    help="Number of games in each tournament.",
)
@click.option(
    "--bots",
    "kind",
    type=click.Choice(tournament_bench.kinds()),
    help="Measure only these bots: quick (in C) or random (in Python).  [default: both]",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    help="Measure only with N workers.  [default: with one, and with one for each CPU core]",
)
@options.as_json
def tournament(games: int, kind: str | None, workers: int | None, as_json: bool) -> None:
    """Measure games per second with one worker and with all workers, and the overhead.

    Plays with a random bot in C (if there is a compiler) and with one in Python. Also measures the
    speed-up of independent processes from one core to all cores, and the time to plan a million
    games.
    """
    counts = [workers] if workers else sorted({1, core_count()})
    runs = [
        (bots, count) for bots in ([kind] if kind else tournament_bench.kinds()) for count in counts
    ]
    measured = [
        tournament_bench.measure(bots, count, games)
        for bots, count in terminal.progress(
            runs, lambda run: f"{run[0]}, {plural(run[1], 'worker')}"
        )
    ]
    cores = usable_cores()[: max(counts)]
    machine = machine_scaling(cores) if len(cores) > 1 else None
    plan = plan_figures()
    figures = tournament_bench.to_dict(measured, plan, machine)
    notes = bench.tournament_notes(measured, plan, machine)
    bench.show(figures, bench.TOURNAMENT, measured, notes, as_json=as_json)
