"""A worker that is killed in the middle of a block: the block is played again."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from referee.tournament.coordinator import Progress, RunListener
from referee.tournament.opening import OpenTournament, open_tournament
from referee.tournament.request import TournamentRequest
from referee.tournament.results import BlockResult
from referee.tournament.run import play
from referee.tournament.workers.pool import Lost, Pool
from support.command_runs import BLOCKS, PLAIN, results


def opened(folder: Path) -> OpenTournament:
    return open_tournament(
        folder, TournamentRequest(bots=(PLAIN,) * 3, max_turns=6, seed=7, blocks=BLOCKS)
    )


def disturbed(folder: Path, how: signal.Signals) -> list[Lost]:
    """Play it, and send the signal to the first worker that begins a game."""
    lost: list[Lost] = []
    hit: list[int] = []
    tournament = opened(folder)
    pools: list[Pool] = []

    def workers() -> Pool:
        pools.append(Pool(tournament.job(), 1))
        return pools[0]

    def progressed(progress: Progress) -> None:
        if not hit and any(status.game for status in progress.statuses):
            hit.append(pools[0].pids()[0])
            os.kill(hit[0], how)

    with tournament.store:
        listener = RunListener(progressed=progressed, lost=lost.append)
        assert play(tournament, workers, listener).ending == "done"
    assert hit
    return lost


def test_the_block_of_a_killed_worker_is_played_again(
    tmp_path: Path, undisturbed: list[BlockResult]
) -> None:
    (lost,) = disturbed(tmp_path / "t", signal.SIGKILL)
    assert lost.message == "a worker ended with signal 9"
    assert results(tmp_path / "t") == undisturbed
