"""A worker that is killed in the middle of a block: the block is played again."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from referee.tournament.coordinator import Progress, Watch
from referee.tournament.definition import Programme
from referee.tournament.opening import Entered, enter
from referee.tournament.request import Wishes
from referee.tournament.run import run
from referee.tournament.workers.pool import Lost, Pool
from support.command_runs import BLOCKS, PLAIN, results, undisturbed


def entered(folder: Path) -> Entered:
    return enter(folder, Wishes(bots=(PLAIN,) * 3, max_turns=6, seed=7))


def disturbed(folder: Path, how: signal.Signals) -> list[Lost]:
    """Play it, and send the signal to the first worker that begins a game."""
    lost: list[Lost] = []
    hit: list[int] = []
    tournament = entered(folder)
    pools: list[Pool] = []

    def start_workers() -> Pool:
        pools.append(Pool(tournament.job(), 1))
        return pools[0]

    def looked(progress: Progress) -> None:
        if not hit and any(sight.game for sight in progress.sights):
            hit.append(pools[0].pids()[0])
            os.kill(hit[0], how)

    with tournament.store:
        watch = Watch(looked=looked, lost=lost.append)
        assert run(tournament, Programme(blocks=BLOCKS), start_workers, watch).ending == "done"
    assert hit
    return lost


def test_the_block_of_a_killed_worker_is_played_again(tmp_path: Path) -> None:
    (lost,) = disturbed(tmp_path / "t", signal.SIGKILL)
    assert lost.message == "a worker ended with signal 9"
    assert results(tmp_path / "t") == undisturbed(tmp_path / "whole")
