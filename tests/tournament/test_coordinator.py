"""The coordinator plays every block once, despite lost workers, faults and interruptions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from referee.errors import BlockLost
from referee.tournament.coordinator import MOST_TRIES, Coordinator, Ending, RunListener
from referee.tournament.definition import RunOptions, ratings_with_ends
from referee.tournament.results import Block, BlockResult, TableKind
from referee.tournament.schedule import Ladder, Plan, RoundRobin, Stage, Swiss
from referee.tournament.store.store import Store, StoredBot
from referee.tournament.workers.messages import BlockFailed, GameReport, Played, WorkerStatus
from referee.tournament.workers.pool import Lost, WorkerEvent
from support.blocks import TABLE, fault, finished_block

BOTS = list("abcdef")
FOUR = TableKind(TABLE, 4)


class TwoWorkers:
    """Two workers; `play` decides the result of a block."""

    slots = 2

    def __init__(self, play: Callable[[Block], WorkerEvent] = finished_block) -> None:
        self.play = play
        self.taken: list[Block] = []
        self.submitted: list[str] = []

    @property
    def free(self) -> int:
        return self.slots - len(self.taken)

    def submit(self, block: Block) -> None:
        assert self.free
        self.taken.append(block)
        self.submitted.append(block.id)

    def wait(self, seconds: float) -> list[WorkerEvent]:
        return [self.play(self.taken.pop(0))]

    def statuses(self) -> Sequence[WorkerStatus]:
        return []

    def close(self) -> None: ...

    def kill(self) -> None: ...


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.create(tmp_path / "t") as store:
        store.enter(StoredBot(name, name, "", "") for name in BOTS)
        yield store


def round_robin(blocks: int | None = 2) -> Plan:
    return RoundRobin(7, [FOUR], BOTS, blocks)


def finished(store: Store) -> Counter[str]:
    return Counter(result.block.id for result in store.results())


def ids(plan: Plan) -> list[str]:
    stage = plan.stage(0, (), frozenset())
    assert stage is not None
    return [block.id for block in stage]


def coordinate(store: Store, plan: Plan, workers: TwoWorkers, **options: object) -> Coordinator:
    run_options = RunOptions(out_after=4)
    return Coordinator(store, plan, run_options, workers, **options)  # type: ignore[arg-type]


def test_every_block_is_played_once(store: Store) -> None:
    plan = round_robin()
    assert coordinate(store, plan, TwoWorkers()).run() == "done"
    assert finished(store) == Counter(ids(plan))
    assert len(finished(store)) == 30


def test_a_second_run_plays_nothing(store: Store) -> None:
    coordinate(store, round_robin(), TwoWorkers()).run()
    again = TwoWorkers()
    assert coordinate(store, round_robin(), again).run() == "done"
    assert again.submitted == []


def test_more_blocks_play_only_the_missing_ones(store: Store) -> None:
    coordinate(store, round_robin(1), TwoWorkers()).run()
    before = finished(store)
    more = TwoWorkers()
    coordinate(store, round_robin(3), more).run()
    assert len(more.submitted) == 30
    assert not set(more.submitted) & set(before)


def test_stop_finishes_running_blocks_and_a_new_run_continues(store: Store) -> None:
    plan, workers = round_robin(), TwoWorkers()
    coordinator = coordinate(store, plan, workers)

    def play(block: Block) -> WorkerEvent:
        coordinator.stop()
        return finished_block(block)

    workers.play = play
    assert coordinator.run() == "stopped"
    assert finished(store) == Counter(workers.submitted)
    assert len(workers.submitted) == 2  # one for each worker
    rest = TwoWorkers()
    assert coordinate(store, plan, rest).run() == "done"
    assert finished(store) == Counter(ids(plan))
    assert not set(rest.submitted) & set(workers.submitted)


def test_a_block_whose_worker_died_is_played_again(store: Store) -> None:
    dies = iter([True, True])
    reported: list[Lost] = []
    workers = TwoWorkers(
        lambda block: Lost(block, "it ended") if next(dies, False) else finished_block(block)
    )
    coordinator = coordinate(
        store, round_robin(), workers, listener=RunListener(lost=reported.append)
    )
    assert coordinator.run() == "done"
    assert finished(store) == Counter(ids(round_robin()))
    assert len(reported) == 2


def test_a_block_that_no_worker_survives_ends_the_run(store: Store) -> None:
    first = ids(round_robin())[0]
    workers = TwoWorkers(
        lambda block: Lost(block, "it ended") if block.id == first else finished_block(block)
    )
    with pytest.raises(BlockLost, match=f"started {MOST_TRIES} times, and each time it ended"):
        coordinate(store, round_robin(), workers).run()
    assert first not in finished(store)


def test_a_failed_block_ends_the_run_with_its_message(store: Store) -> None:
    workers = TwoWorkers(lambda block: BlockFailed(block.id, "there is no room left"))
    with pytest.raises(BlockLost, match="there is no room left"):
        coordinate(store, round_robin(), workers).run()


def test_a_block_that_is_returned_twice_counts_once(store: Store) -> None:
    workers = TwoWorkers()
    coordinator = coordinate(store, round_robin(), workers)

    class Doubling(TwoWorkers):
        def wait(self, seconds: float) -> list[WorkerEvent]:
            return super().wait(seconds) * 2

    coordinator = coordinate(store, round_robin(), Doubling())
    assert coordinator.run() == "done"
    assert set(finished(store).values()) == {1}
    assert coordinator.progress.blocks == 30


def test_a_void_block_is_not_played_again(store: Store) -> None:
    coordinate(
        store, round_robin(), TwoWorkers(lambda block: finished_block(block, void="oh"))
    ).run()
    again = TwoWorkers()
    coordinate(store, round_robin(), again).run()
    assert again.submitted == []
    assert list(store.results()) == []


# --- disqualification ------------------------------------------------------------------------


def at_fault(bot: str) -> Callable[[Block], Played]:
    """A function that plays a block in which this bot is at fault in every game."""

    def blame(game: GameReport) -> GameReport:
        is_blamed = [seat.bot == bot for seat in game.seats]
        seats = [
            replace(seat, faults=int(blamed))
            for seat, blamed in zip(game.seats, is_blamed, strict=True)
        ]
        faults = [fault(number) for number, blamed in enumerate(is_blamed) if blamed]
        return replace(game, seats=tuple(seats), faults=tuple(faults))

    return lambda block: Played(block, tuple(map(blame, finished_block(block).games)))


def test_a_bot_at_fault_too_often_is_disqualified(store: Store) -> None:
    reported: list[tuple[str, str]] = []
    listener = RunListener(disqualified=lambda bot, why: reported.append((bot, why)))
    workers = TwoWorkers(at_fault("a"))
    coordinator = coordinate(store, round_robin(), workers, listener=listener)
    assert coordinator.run() == "done"
    assert reported == [("a", "at fault in 4 of 4 games")]
    assert store.bots()[0].out == "at fault in 4 of 4 games"
    with_it = [r for r in store.results() if "a" in r.block.bots]
    without = [r for r in store.results() if "a" not in r.block.bots]
    assert len(with_it) <= 2  # running blocks were finished
    assert len(without) == 10  # every set of the five others, twice


def test_a_disqualified_bot_stays_out_in_the_next_run(store: Store) -> None:
    coordinate(store, round_robin(), TwoWorkers(at_fault("a"))).run()
    more = TwoWorkers()
    coordinate(store, round_robin(4), more).run()
    later = [r.block for r in store.results() if r.block.id in more.submitted]
    assert later
    assert not any("a" in block.bots for block in later)


def test_a_disqualification_missed_by_a_killed_run_is_made_up(store: Store) -> None:
    first = next(iter(round_robin().stage(0, (), frozenset()) or ()))
    at_fault_bot = first.bots[0]
    store.finish(
        at_fault(at_fault_bot)(first)
    )  # the run was killed before it could disqualify the bot
    more = TwoWorkers()
    coordinate(store, round_robin(), more).run()
    assert {bot.name for bot in store.bots() if bot.out is not None} == {at_fault_bot}
    later = [r.block for r in store.results() if r.block.id in more.submitted]
    assert later
    assert not any(at_fault_bot in block.bots for block in later)


def test_a_bot_with_exactly_the_limit_is_disqualified(store: Store) -> None:
    plan = RoundRobin(7, [FOUR], list("abcd"), 25)
    for number, block in enumerate(plan.stage(0, (), frozenset()) or ()):
        store.finish(finished_block(block, [fault(block.bots.index("a"))] if number < 7 else ()))
    coordinator = Coordinator(store, plan, RunOptions(out_at=0.07, out_after=100), TwoWorkers())
    coordinator.run()
    assert coordinator.progress.out == {"a": "at fault in 7 of 100 games"}


def test_a_few_faults_do_not_disqualify(store: Store) -> None:
    is_first = iter([True])
    with_faults = at_fault("a")
    workers = TwoWorkers(
        lambda block: with_faults(block) if next(is_first, False) else finished_block(block)
    )
    coordinator = Coordinator(store, round_robin(), RunOptions(out_after=8), workers)
    assert coordinator.run() == "done"
    assert coordinator.progress.out == {}


# --- stages and goals ------------------------------------------------------------------------


def test_a_stage_is_planned_after_the_earlier_ones(store: Store) -> None:
    seen: list[int] = []

    class Watched(Swiss):
        def stage(
            self, number: int, finished: Sequence[BlockResult], out: frozenset[str]
        ) -> Stage | None:
            seen.append(len(finished))
            return super().stage(number, finished, out)

    coordinator = coordinate(store, Watched(7, [FOUR], list("abcdefgh"), rounds=3), TwoWorkers())
    seen.clear()  # the coordinator has asked for the outline
    assert coordinator.run() == "done"
    assert seen == [0, 2, 4, 6]


class Enough:
    """A goal that is reached after this many blocks."""

    ending: Ending = "tested"
    test = None

    def __init__(self, count: int) -> None:
        self.count = count
        self.scheduled_ids: list[str] = []

    def scheduled(self, block: Block) -> None:
        self.scheduled_ids.append(block.id)

    def finished(self, result: BlockResult) -> None:
        self.count -= 1

    def is_reached(self, *, at_stage_end: bool) -> bool:
        return self.count <= 0


def test_a_goal_ends_the_run(store: Store) -> None:
    goal = Enough(5)
    assert coordinate(store, round_robin(), TwoWorkers(), goal=goal).run() == "tested"
    assert 5 <= len(finished(store)) <= 6  # one more may have been running


def test_a_goal_gets_every_block_of_the_plan_in_order(store: Store) -> None:
    coordinate(store, round_robin(1), TwoWorkers()).run()
    goal = Enough(1000)
    coordinate(store, round_robin(), TwoWorkers(), goal=goal).run()
    assert goal.scheduled_ids == ids(round_robin())


# --- a ladder with ratings --------------------------------------------------------------


def by_strength(block: Block) -> Played:
    """Play a block in which bots early in the alphabet usually win, but not always."""
    rng = Random(block.seed)

    def ranked(game: GameReport) -> GameReport:
        order = sorted(game.seats, key=lambda seat: BOTS.index(seat.bot) + rng.gauss(0, 3))
        seats = tuple(replace(seat, rank=1 + order.index(seat)) for seat in game.seats)
        return replace(game, seats=seats)

    return Played(block, tuple(map(ranked, finished_block(block).games)))


def test_a_ladder_ends_when_the_new_rating_is_known_well_enough(store: Store) -> None:
    old = [bot for bot in BOTS if bot != "c"]
    coordinate(store, RoundRobin(7, [FOUR], old, 20), TwoWorkers(by_strength)).run()
    before = store.count()
    ladder = Ladder(7, [FOUR], "c", old, ratings_with_ends)
    assert coordinate(store, ladder, TwoWorkers(by_strength)).run() == "done"
    new = [result for result in store.results() if "c" in result.block.bots]
    assert len(new) == store.count() - before > 0
    low, high = ratings_with_ends(list(store.results()))["c"][1:]
    assert (high - low) / 2 < 50
