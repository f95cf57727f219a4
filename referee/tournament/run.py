"""One run of a tournament, for the command line and the Python API: sandbox, workers and signals."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType
from typing import NamedTuple

from referee.bots.find import Bot
from referee.system import core_count
from referee.text import plural
from referee.tournament.coordinator import Budget, Coordinator, Ending, Goal, RunListener
from referee.tournament.definition import RUN_OPTIONS_KEY
from referee.tournament.opening import OpenTournament, put_bots_in_sandbox
from referee.tournament.secret import close_tournament
from referee.tournament.sprt import Verdict
from referee.tournament.stopping import LeaderIsClear, SprtDecided
from referee.tournament.store.store import RECORDS
from referee.tournament.summary import RunOverview
from referee.tournament.workers.mixed import MixedWorkers
from referee.tournament.workers.pool import Pool, Workers


class RunResult(NamedTuple):
    """How a run ended, and what its sequential test says, if there was one."""

    ending: Ending
    verdict: Verdict | None = None
    lack: str | None = None  # why no more games were possible, if bots were missing
    is_interrupted: bool = False  # by a second Ctrl-C: running blocks are lost


def run_tournament(
    tournament: OpenTournament,
    listener: RunListener | None = None,
    *,
    cluster: str | None = None,
    records: bool = True,
    started: Callable[[RunOverview], None] = lambda _: None,
) -> RunResult:
    """Play the rest of the plan, with workers on this machine or on the Dask cluster at `cluster`.

    After the first Ctrl-C or SIGTERM, running blocks are finished; a second one ends the run at
    once. Finished blocks stay in the store in any case. `started` is called before the first block.
    Raises RefereeError if the sandbox or the cluster is not available, or if a block cannot be
    played.
    """
    tournament, sandbox = _in_sandbox(tournament)
    make_workers, description = _workers(tournament, cluster, records=records)
    store = tournament.store
    started(
        RunOverview(
            store.folder,
            tournament.planned,
            description,
            blocks_before=store.count("blocks"),
            games_before=store.count("games"),
            sandbox=sandbox,
            records=store.folder / RECORDS if records and cluster is None else None,
        )
    )
    return play(tournament, make_workers, listener)


def play(
    tournament: OpenTournament,
    make_workers: Callable[[], Workers],
    listener: RunListener | None = None,
) -> RunResult:
    """Play the rest of the plan with these workers, and end them in any case.

    The budget of the run is in the request: `games` and `hours`. A tournament whose sequential test
    is decided is closed.
    """
    planned, store = tournament.planned, tournament.store
    budget = Budget(planned.request.games, planned.request.hours)
    goal = _goal(tournament)
    store.put(RUN_OPTIONS_KEY, planned.options)
    try:
        workers = make_workers()
        try:
            coordinator = Coordinator(
                store, planned.plan, planned.options, workers, goal=goal, budget=budget,
                listener=listener,
            )  # fmt: skip
            with _on_first_interrupt(coordinator.stop):
                ending = coordinator.run()
            workers.close()
        finally:
            workers.kill()
    except KeyboardInterrupt:
        return RunResult("stopped", is_interrupted=True)
    if ending == "tested":
        close_tournament(store)
    return RunResult(ending, None if goal is None else goal.verdict, coordinator.progress.lack)


def _in_sandbox(tournament: OpenTournament) -> tuple[OpenTournament, str]:
    """Return the tournament with sandboxed bots, and a line that describes the sandbox.

    Bots in this process have no sandbox.
    """
    request = tournament.planned.request
    sandboxed = put_bots_in_sandbox(tournament.bots, request, tournament.store.folder)
    by_name = {bot.name: bot for bot in sandboxed.bots}
    bots = [by_name.get(bot.name, bot) for bot in tournament.bots]
    is_strict = request.sandbox == "strict"
    return replace(tournament, bots=bots, must_be_strict=is_strict), sandboxed.description


def _workers(
    tournament: OpenTournament, cluster: str | None, *, records: bool
) -> tuple[Callable[[], Workers], str]:
    """Return a function that starts the workers, and a description of them."""
    count = tournament.planned.request.workers or core_count()
    here = [bot for bot in tournament.bots if _stays_here(bot, count)]
    job = tournament.job(records=records, here=here)
    if cluster is not None:
        from referee.tournament.workers.dask_cluster import Cluster  # noqa: PLC0415  Dask is optional

        folder = tournament.store.folder
        return lambda: Cluster(job, cluster, folder=folder), f"the cluster at {cluster}"
    if here:
        description = f"{plural(count, 'worker')} and this process"
        return lambda: MixedWorkers(job, here, count), description
    return lambda: Pool(job, count), plural(count, "worker")


def _stays_here(bot: Bot, workers: int) -> bool:
    """Return whether a bot plays in this process: a function that workers cannot import, for example.

    A single worker would be no faster than this process.
    """
    return bot.in_process is not None and (workers == 1 or not bot.import_path)


def _goal(tournament: OpenTournament) -> Goal | None:
    """Return the condition that may end the run early, if there is one."""
    options = tournament.planned.options
    if options.sprt is not None:
        assert options.hero is not None, "a gauntlet has a hero"
        return SprtDecided(tournament.store, options.hero, options.sprt)
    if options.format == "round-robin" and options.is_open:
        return LeaderIsClear(tournament.store)
    return None


@contextmanager
def _on_first_interrupt(react: Callable[[], None]) -> Iterator[None]:
    """Call `react` at the first Ctrl-C or SIGTERM; a second one interrupts as it does by default.

    Python delivers signals to the main thread only; in another thread this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in numbers}

    def caught(number: int, _: FrameType | None) -> None:
        for known, handler in before.items():
            signal.signal(known, signal.default_int_handler if known == number else handler)
        react()

    for number in numbers:
        signal.signal(number, caught)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
