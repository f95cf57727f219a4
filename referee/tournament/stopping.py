"""Conditions that end a run early: a clear leader, or a decided sequential test."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from math import ceil
from typing import Final

from referee.tournament.coordinator import Ending
from referee.tournament.definition import (
    SprtTerms,
    make_plan,
    stored_definition,
    stored_run_options,
)
from referee.tournament.ratings import rate
from referee.tournament.results import Block, BlockResult
from referee.tournament.sprt import Sprt, SprtRun, Verdict, hero_share
from referee.tournament.store import Store

SURE: Final = 0.995  # required likelihood that the first is stronger than the second
FEWEST_PASSES: Final = 4
GROWTH: Final = 1.5  # of the passes between two checks: frequent checks would mislead


class LeaderIsClear:
    """Ends a run when the first bot is almost certainly stronger than the second.

    The check comes after 4, 6, 9, 14 passes and so on.
    """

    ending: Ending = "settled"
    verdict: Verdict | None = None

    def __init__(self, store: Store) -> None:
        self._store = store
        self._passes = 0
        self.next_check = FEWEST_PASSES  # after this many passes

    def scheduled(self, block: Block) -> None:
        """Do nothing: only whole passes count."""

    def planned_again(self) -> None:
        """Do nothing: the pass is not finished."""

    def finished(self, result: BlockResult) -> None:
        """Do nothing: only whole passes count."""

    def is_reached(self, *, at_stage_end: bool) -> bool:
        """Return whether the first place is clear; every pass is a stage."""
        if not at_stage_end:
            return False
        self._passes += 1
        if self._passes < self.next_check:
            return False
        self.next_check = ceil(GROWTH * self._passes)
        first = rate(self._results()).entries[:1]
        return any((entry.superiority_over_next or 0) >= SURE for entry in first)

    def _results(self) -> Iterator[BlockResult]:
        """Yield the results of the passes so far; an earlier run may have played later ones."""
        return (result for result in self._store.results() if result.block.stage < self._passes)


class SprtDecided:
    """Ends a run when the sequential test of its hero is decided.

    Blocks count in the order of the plan, not in the order in which they finish. So the verdict depends
    neither on the speed of the workers nor on interruptions.
    """

    ending: Ending = "tested"

    def __init__(self, store: Store, hero: str, terms: SprtTerms) -> None:
        self._store = store
        self._hero = hero
        self._terms = terms
        self.planned_again()

    @property
    def verdict(self) -> Verdict:
        """What the test says so far."""
        return Verdict(self._hero, self._terms.low, self._terms.high, self._run.state)

    def planned_again(self) -> None:
        """Begin the test again, with the first block of the new plan."""
        hero, terms = self._hero, self._terms
        self._shares = {
            result.block.id: hero_share(result, hero)
            for result in self._store.results()
            if hero in result.block.bots
        }
        self._void = self._store.void_blocks()
        self._run = SprtRun(Sprt(terms.low, terms.high, terms.alpha, terms.beta))
        self._waiting: deque[str] = deque()  # in the order of the plan
        self._scheduled: set[str] = set()

    def scheduled(self, block: Block) -> None:
        """Note the next block of the plan; it may be finished already."""
        if block.id not in self._scheduled:  # a stage that is planned again repeats its blocks
            self._scheduled.add(block.id)
            self._waiting.append(block.id)
            self._advance()

    def finished(self, result: BlockResult) -> None:
        """Note a block that was finished in this run."""
        if result.games:
            self._shares[result.block.id] = hero_share(result, self._hero)
        else:
            self._void.add(result.block.id)
        self._advance()

    def _advance(self) -> None:
        while self._waiting:
            name = self._waiting[0]
            if name in self._shares:
                self._run.add(self._shares[name])
            elif name not in self._void:
                return
            self._waiting.popleft()

    def is_reached(self, *, at_stage_end: bool) -> bool:  # noqa: ARG002  at any time
        """Return whether there is a verdict."""
        return self._run.state.verdict is not None


def stored_verdict(store: Store) -> Verdict | None:
    """Return what the sequential test in a store says so far; None if its last run was not a test.

    It follows from the plan and the finished blocks, as in the run itself.
    """
    options, retired = stored_run_options(store), store.retired()
    bots = [bot for bot in store.bots() if bot.name not in retired]
    names = [bot.name for bot in bots]
    if options is None or options.sprt is None or options.hero not in names:
        return None
    test = SprtDecided(store, options.hero, options.sprt)
    plan = make_plan(stored_definition(store), options, names)
    results, out = list(store.results()), frozenset(bot.name for bot in bots if bot.out is not None)
    stage = plan.stage(0, results, out) or plan.stage(0, results, frozenset())
    for block in stage or ():
        test.scheduled(block)
        if test.is_reached(at_stage_end=False) or not store.has(block.id):
            break
    return test.verdict
