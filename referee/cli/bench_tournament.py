"""`referee bench tournament` and `referee bench kills`: what tournaments cost, and what they survive."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from referee import console
from referee.bench import kills as kills_bench
from referee.bench import tournament as tournament_bench
from referee.bench.cores import machine_scaling
from referee.bench.schedule import plan_figures
from referee.cli import bench_options
from referee.cli.examples import examples
from referee.console_tournament_bench import show_kills, show_throughput
from referee.tournament.workers.pool import default_workers, usable_cores

FAILED = 1


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
    help="How many games each tournament has.",
)
@click.option(
    "--bots",
    "kind",
    type=click.Choice(tournament_bench.kinds()),
    help="Measure only these: a bot in C, or the Python one.  [default: both]",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    help="Measure with so many.  [default: with one, and with one a core]",
)
@bench_options.as_json
def tournament(games: int, kind: str | None, workers: int | None, as_json: bool) -> None:
    """Games a second with one worker and with all, and what is not play.

    The bots are a random bot in C (if there is a compiler) and the Python one. What the cores are
    worth together is measured beside it, with processes that share nothing, and so is planning a
    million games.
    """
    counts = [workers] if workers else sorted({1, default_workers()})
    runs = [
        (one, count) for one in ([kind] if kind else tournament_bench.kinds()) for count in counts
    ]
    measured = [
        tournament_bench.measure(one, count, games)
        for one, count in console.progress(runs, lambda run: f"{run[0]}, {run[1]} workers")
    ]
    cores = usable_cores()[: max(counts)]
    machine = machine_scaling(cores) if len(cores) > 1 else None
    plan = plan_figures()
    words = tournament_bench.as_words(measured, plan, machine)
    if as_json:
        console.show_json(words)
    else:
        show_throughput(words, measured, plan, machine)


@click.command(
    epilog=examples("referee bench kills", "referee bench kills --kills 100 --seed 7 --json")
)
@click.option(
    "--kills", type=click.IntRange(min=1), default=30, show_default=True, help="How many times."
)
@click.option(
    "--blocks",
    type=click.IntRange(min=1),
    default=24,
    show_default=True,
    help="How many blocks the tournament has.",
)
@click.option(
    "--max-turns",
    type=click.IntRange(min=1),
    default=60,
    show_default=True,
    help="How many turns a game has at most.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Of the moments and games.")
@bench_options.as_json
def kills(kills: int, blocks: int, max_turns: int, seed: int, as_json: bool) -> int:
    """Kill a whole tournament at random moments, and resume it each time.

    All its processes are killed at once. In the end it must be the same as one that nobody
    disturbed: every block once, the same games, the same standings, and nothing left running. The
    exit status is 1 if it is not.
    """
    with tempfile.TemporaryDirectory(prefix="referee-kills-") as folder:
        found = kills_bench.kill_and_resume(
            Path(folder), kills, blocks=blocks, max_turns=max_turns, seed=seed
        )
    if as_json:
        console.show_json(kills_bench.as_words(found))
    else:
        show_kills(found)
    return 0 if found.is_clean else FAILED
