"""How much faster all cores together are than one: random play in independent processes.

Two cores of a rented machine often share one physical core, so the factor is below the number of
cores. No tournament can scale better than this.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from random import Random
from typing import Final

from referee import atlas
from referee.engine import game
from referee.engine.ruleset import make_ruleset
from referee.system import pin

SECONDS: Final = 3.0
BOARD: Final = "hanse-4-5"


def machine_scaling(cores: Sequence[int], seconds: float = SECONDS) -> float:
    """Return how many times as fast all these cores together are as the first one alone."""
    alone = _decisions(cores[:1], seconds)
    return _decisions(cores, seconds) / alone


def _decisions(cores: Sequence[int], seconds: float) -> int:
    """Return how many decisions are made in this time by one process on each core."""
    command = [sys.executable, "-P", "-m", "referee.bench.cpu_scaling"]
    running = [
        subprocess.Popen(  # noqa: S603  our own module
            [*command, str(core), str(seconds)], stdout=subprocess.PIPE, text=True
        )
        for core in cores
    ]
    return sum(int(process.communicate()[0]) for process in running)


def _play(seconds: float) -> int:
    board = atlas.load_board(BOARD)
    rules = make_ruleset(atlas.load_components(), board, 4, max_turns=100)
    rng = Random(1)
    decisions = 0
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        state = game.new_game(board, rules, decisions)
        while not state.is_over:
            game.apply(state, rng.randrange(len(game.choices(state))))
            decisions += 1
    return decisions


def main() -> None:
    """Play on one core for some seconds and print the number of decisions; both are arguments."""
    core, seconds = sys.argv[1:]
    pin(int(core))
    sys.stdout.write(f"{_play(float(seconds))}\n")


if __name__ == "__main__":
    main()
