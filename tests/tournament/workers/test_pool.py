"""The pool of worker processes: when they start."""

from __future__ import annotations

from referee.bots.find import find_bots
from referee.tournament.opening import bot_job
from referee.tournament.request import TournamentRequest, make_definition
from referee.tournament.results import Block
from referee.tournament.workers.messages import Job
from referee.tournament.workers.pool import Pool
from support.command_runs import PLAIN


def test_a_worker_starts_with_its_first_block() -> None:
    definition = make_definition(TournamentRequest(), 2, seed=1)
    bots = tuple(map(bot_job, find_bots([PLAIN] * 2)))
    pool = Pool(Job(definition.tables, bots, definition.conditions, None, "stderr"), 2)
    try:
        assert (pool.slots, pool.free, pool.pids()) == (2, 2, [])
        pool.submit(Block("b-1", definition.tables[0].name, ("plain", "plain#2"), seed=3))
        assert (pool.slots, pool.free, len(pool.pids())) == (2, 1, 1)
    finally:
        pool.kill()
