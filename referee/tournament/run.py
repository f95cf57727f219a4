"""One run of a tournament, with the two ways to interrupt it: finish what is running, or stop at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NamedTuple

from referee.tournament.coordinator import Conductor, Ending, Goal, Watch
from referee.tournament.definition import Programme, plan_of
from referee.tournament.opening import Entered
from referee.tournament.schedule import Outline, Plan, describe
from referee.tournament.sprt import SprtState
from referee.tournament.stopping import Judged, Settled
from referee.tournament.workers.pool import Crew

PROGRAMME = "programme"


class Finished(NamedTuple):
    """How a run ended, and what its sequential test says, if there was one."""

    ending: Ending
    test: SprtState | None = None


def planned(entered: Entered, programme: Programme) -> tuple[Plan, Outline]:
    """What a run would play."""
    plan = plan_of(entered.charter, programme, entered.names)
    return plan, describe(plan)


def goal_of(entered: Entered, programme: Programme) -> Goal | None:
    """What may end the run before its plan does."""
    if programme.sprt is not None:
        assert programme.hero is not None, "the plan of a gauntlet has one"
        return Judged(entered.store, programme.hero, programme.sprt)
    if programme.format == "round-robin" and programme.blocks is None:
        return Settled(entered.store)
    return None


def run(
    entered: Entered,
    programme: Programme,
    crew: Callable[[], Crew],
    watch: Watch,
    *,
    stopping: Callable[[], None] = lambda: None,
) -> Finished:
    """Play it. `stopping` is called when it was interrupted for the first time."""
    plan, _ = planned(entered, programme)
    goal = goal_of(entered, programme)
    entered.store.put(PROGRAMME, programme)
    workers = crew()
    conductor = Conductor(entered.store, plan, programme, workers, goal=goal, watch=watch)

    def interrupted() -> None:
        conductor.stop()
        stopping()

    try:
        with _interrupts(interrupted):
            ending = conductor.run()
        workers.close()
    finally:
        workers.kill()
    return Finished(ending, None if goal is None else goal.test)


@contextmanager
def _interrupts(first: Callable[[], None]) -> Iterator[None]:
    """The first Ctrl-C, or a SIGTERM, is heard; a second one interrupts as usual.

    Another thread than the first is never told of them.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in numbers}

    def heard(number: int, _: FrameType | None) -> None:
        for known, handler in before.items():
            signal.signal(known, signal.default_int_handler if known == number else handler)
        first()

    for number in numbers:
        signal.signal(number, heard)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
