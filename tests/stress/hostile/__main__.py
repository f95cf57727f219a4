"""`python -m stress.hostile`: bots attack the referee, and none of their processes may survive."""

from __future__ import annotations

import click

from referee import terminal
from referee.bots.reaper import REAPER
from referee.bots.sandbox.levels import choose_level
from referee.bots.sandbox.limits import Level
from referee.cli.lazy import examples
from referee.terminal import bench
from referee.terminal.bench import BenchTable, Column
from stress import program
from stress.hostile import attacks, guessing
from stress.hostile.attacks import Attack


def layout(lag_limit_ms: float) -> BenchTable[Attack]:
    """Return the layout of the table: a row for each kind of attack, red if the limits do not hold."""
    return BenchTable(
        (
            Column("attack", lambda one: one.kind, is_text=True),
            Column("fault", _faults, is_text=True),
            Column("kills", lambda one: str(one.kills)),
            Column("survivors", lambda one: str(one.survivors)),
            Column("lag\nms", lambda one: f"{one.lag_ms:.1f}"),
            Column("p99\nms", lambda one: f"{one.p99_lag_ms:.1f}"),
            Column("most\nms", lambda one: f"{one.most_lag_ms:.1f}"),
        ),
        title="Sandbox: {sandbox}",
        has_failed=lambda one: not one.is_held(lag_limit_ms),
    )


def _verdict(guessed: guessing.Guessing) -> str:
    if guessed.control is None:
        return "not tested, because the bot did not even find a seed without a secret"
    return "not found" if guessed.found is None else f"found ({guessed.found})"


def _faults(attack: Attack) -> str:
    return ", ".join(f"{fault} {count}" for fault, count in attack.faults.items())


@click.command(
    cls=program.StressProgram,
    epilog=examples(
        "python -m stress.hostile", "python -m stress.hostile --kills 10 --sandbox limits --json"
    ),
)
@click.option(
    "--kills",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="How many attacks of each kind.",
)
@click.option(
    "--lag-limit-ms",
    type=click.FloatRange(min=0),
    default=attacks.MOST_LAG_MS,
    show_default=True,
    help="How long the other bots may wait after the fault; more on a busy machine.",
)
@click.option(
    "--guesses",
    type=click.IntRange(min=0),
    default=10_000_000,
    show_default=True,
    help="How many tournament seeds a bot tries to find the seed of its game.",
)
@program.sandbox
@program.seed
@program.as_json
def hostile(
    kills: int, lag_limit_ms: float, guesses: int, sandbox: Level | None, seed: int, as_json: bool
) -> int:
    """Let bots attack the referee, and count the processes that survive.

    Each attacker plays with two other bots. It is a fork bomb, a memory bomb, a daemon, a bot that
    ignores signals, or one that floods its output. Then a bot of a tournament guesses the seed of its
    game. The exit status is 1 if a process of an attacker survives, a game does not end, the other
    bots wait too long after the fault, or the guess is right.
    """
    REAPER.take_charge()
    level, _ = choose_level((), sandbox, "strict")
    kinds = terminal.progress(attacks.attacks(level), str)
    found = [attacks.measure(level, kind, kills, seed) for kind in kinds]
    guessed = guessing.guess_seed(level, guesses, seed)
    held = all(attack.is_held(lag_limit_ms) for attack in found)
    notes = (
        "'lag' is the median time from the fault to the next request to another bot.",
        f"At most {lag_limit_ms:.0f} ms and no survivor: {'held' if held else 'not held'}.",
        f"The seed of a game, after {guesses:,} guesses: {_verdict(guessed)}.",
    )
    figures = attacks.to_dict(level, found, lag_limit_ms) | {"guessing": guessed.to_dict()}
    bench.show(figures, layout(lag_limit_ms), found, notes, as_json=as_json)
    return 0 if held and guessed.is_held else program.FAILED


if __name__ == "__main__":
    hostile(prog_name="python -m stress.hostile")
