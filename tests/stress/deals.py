"""`python -m stress.deals`: make games from what seats were sent, and draw hidden things again and again.

Nothing drawn may contradict a message to the seat.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from random import Random

import click

from referee.cli.lazy import examples
from referee.terminal import explain, show_json
from stress import program
from stress.program import heading
from support.combinations import combinations
from support.deals import problems, sampled_decisions


@dataclass(frozen=True)
class Deals:
    """How many decisions were compared, and what was wrong."""

    rulesets: int
    decisions: int
    redraws: int  # of each decision
    replays: int  # of each decision
    problems: list[str]


def compare(decisions: int, redraws: int, replays: int, seed: int) -> Deals:
    """Compare about as many decisions of each ruleset; the rulesets take turns."""
    names, rng = combinations(), Random(seed)
    rng.shuffle(names)
    done, wrong, met = 0, [], 0
    with program.counting(decisions) as progress:
        for number, name in enumerate(names):
            share = -(-(decisions - done) // (len(names) - number))
            for known in sampled_decisions(name, rng, share) if share > 0 else ():
                wrong += problems(known, redraws, replays)
                done += 1
                progress(done)
            met += share > 0
    return Deals(met, done, redraws, replays, wrong)


def show(found: Deals, *, as_json: bool) -> None:
    """Print the counts, and what was wrong."""
    if as_json:
        show_json({**heading("deals"), **asdict(found)})
        return
    explain(
        f"{found.decisions:,} decisions of {found.rulesets} rulesets, {found.redraws} redraws and"
        f" {found.replays} replays of each: {len(found.problems)} problems"
    )
    for problem in found.problems:
        explain(problem)


@click.command(
    cls=program.StressProgram,
    epilog=examples(
        "python -m stress.deals --decisions 200",
        "python -m stress.deals --decisions 10000 --seed 3 --json",
    ),
)
@click.option("--decisions", type=click.IntRange(min=1), default=10_000, show_default=True,
              metavar="N", help="How many decisions to compare, of all boards and variants.")  # fmt: skip
@click.option("--redraws", type=click.IntRange(min=1), default=100, show_default=True, metavar="N",
              help="How often to draw the hidden things of each decision.")  # fmt: skip
@click.option("--replays", type=click.IntRange(min=0), default=1, show_default=True, metavar="N",
              help="After how many of these draws to play the whole game again.")  # fmt: skip
@program.seed
@program.as_json
def main(decisions: int, redraws: int, replays: int, seed: int, as_json: bool) -> int:
    """Compare games that are made from requests, and their redraws, with what the seats were sent.

    The status is 1 if one of them offers other choices or contradicts a message.
    """
    found = compare(decisions, redraws, replays, seed)
    show(found, as_json=as_json)
    return program.FAILED if found.problems else 0


if __name__ == "__main__":
    main(prog_name="python -m stress.deals")
