"""How much faster all cores together are than one: random play in processes that share nothing.

The cores of a rented machine are often two halves of one. Nothing can scale better than this does.
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
    """How many times as much all of these cores do at once as the first of them alone."""
    alone = _decisions(cores[:1], seconds)
    return _decisions(cores, seconds) / alone


def _decisions(cores: Sequence[int], seconds: float) -> int:
    """How many decisions one process on each of the cores makes in this time."""
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
    """One of the processes: on this core, for so many seconds."""
    core, seconds = sys.argv[1:]
    pin(int(core))
    sys.stdout.write(f"{_play(float(seconds))}\n")


if __name__ == "__main__":
    main()
