"""`referee bench hostile` and `referee bench sandbox`: what bots can do to us, and what that costs."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from referee import console_hostile, terminal
from referee.bench import hostile as hostile_bench
from referee.bench import sandbox as sandbox_bench
from referee.bench.match import one_core
from referee.bots.reaper import REAPER
from referee.bots.sandbox.levels import settle
from referee.bots.sandbox.limits import Level
from referee.cli.bench import options
from referee.cli.examples import examples

BROKEN = 1


@click.command(
    epilog=examples(
        "referee bench hostile", "referee bench hostile --kills 10 --sandbox limits --json"
    )
)
@click.option(
    "--kills",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="How many attacks of each kind.",
)
@options.sandbox
@options.as_json
def hostile(kills: int, sandbox: Level | None, as_json: bool) -> int:
    """Attack the referee by bots, and look what is left of them.

    Each attacker sits at a table with two others: a fork bomb, a memory bomb, a daemon, one that
    ignores signals, and floods. The exit status is 1 if a process of them survives, a game does
    not end, or the others wait more than 50 ms after the fault.
    """
    REAPER.take_charge()
    level, _ = settle((), sandbox, "strict")
    kinds = terminal.progress(hostile_bench.attacks(level), str)
    found = [hostile_bench.measure(level, kind, kills) for kind in kinds]
    words = hostile_bench.as_words(level, found)
    if as_json:
        terminal.show_json(words)
    else:
        console_hostile.show_attacks(words, found)
    return 0 if all(attack.is_held for attack in found) else BROKEN


@click.command(
    epilog=examples("referee bench sandbox", "referee bench sandbox --starts 200 --json")
)
@click.option(
    "--starts",
    type=click.IntRange(min=1),
    default=50,
    show_default=True,
    help="How many bots to start at each level.",
)
@click.option(
    "--rounds",
    type=click.IntRange(min=1),
    default=50,
    show_default=True,
    help="How many times to measure 200 decisions at each level.",
)
@options.as_json
def sandbox(starts: int, rounds: int, as_json: bool) -> None:
    """What the sandbox costs at a start and at a decision.

    With a bot in C on one core, all levels by turns: what counts is how much more one takes than
    none at all.
    """
    REAPER.take_charge()
    with one_core(), tempfile.TemporaryDirectory(prefix="referee-sandbox-") as folder:
        Path(folder).chmod(0o755)  # bots may be started as a user without rights
        prices = sandbox_bench.measure(starts, rounds, Path(folder))
    words = sandbox_bench.as_words(prices)
    if as_json:
        terminal.show_json(words)
    else:
        console_hostile.show_prices(words, prices)
