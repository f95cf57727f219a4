"""The coordinator plays every block once, despite lost workers, faults and interruptions."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from referee.errors import BlockLost
from referee.tournament.coordinator import MOST_TRIES, Budget, Coordinator, Ending, RunListener
from referee.tournament.definition import RunOptions, ratings_with_ends
from referee.tournament.results import Block, BlockResult, TableKind
from referee.tournament.schedule import Ladder, Plan, RoundRobin, Stage, Swiss
from referee.tournament.schedule.round_robin import BY_BOT
from referee.tournament.store.store import Judgement, Store, StoredBot
from referee.tournament.workers.messages import BlockFailed, GameReport, Played
from referee.tournament.workers.pool import Lost, WorkerEvent
from support.blocks import TABLE, at_fault, fault, finished_block
from support.plans import appearances
from support.two_workers import TwoWorkers

BOTS = list("abcdef")
FOUR = TableKind(TABLE, 4)


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


def test_a_run_that_is_stopped_during_its_last_blocks_is_done(store: Store) -> None:
    plan, workers = round_robin(1), TwoWorkers()
    coordinator = coordinate(store, plan, workers)

    def play(block: Block) -> WorkerEvent:
        if len(workers.submitted) == len(ids(plan)):
            coordinator.stop()
        return finished_block(block)

    workers.play = play
    assert coordinator.run() == "done"
    assert finished(store) == Counter(ids(plan))


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
    assert len(with_it) == 1  # a running block with the bot does not count
    assert len(without) == 10  # every set of the five others, twice


def test_a_dropped_block_whose_worker_died_is_not_played_again(store: Store) -> None:
    reported: list[Lost] = []
    is_first, faulty = iter([True]), at_fault("a")

    def play(block: Block) -> WorkerEvent:
        if "a" not in block.bots:
            return finished_block(block)
        return faulty(block) if next(is_first, False) else Lost(block, "it ended")

    workers = TwoWorkers(play)
    listener = RunListener(lost=reported.append)
    assert coordinate(store, round_robin(), workers, listener=listener).run() == "done"
    assert reported == []
    assert max(Counter(workers.submitted).values()) == 1
    assert sum("a" in result.block.bots for result in store.results()) == 1


def test_blocks_ahead_of_another_plan_are_judged_at_the_end(
    store: Store,
) -> None:
    other = next(iter(RoundRobin(8, [FOUR], BOTS, 1).stage(0, (), frozenset()) or ()))
    store.finish(finished_block(other), Judgement([other.id]))
    assert [*store.ahead()] == [other.id]
    assert coordinate(store, round_robin(), TwoWorkers()).run() == "done"
    assert [*store.ahead()] == []
    assert finished(store) == Counter([*ids(round_robin()), other.id])


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


def test_copies_fill_the_table_when_a_disqualification_leaves_too_few_bots(store: Store) -> None:
    plan = RoundRobin(7, [FOUR], list("abcd"), 3, most_sets=BY_BOT)
    coordinator = coordinate(store, plan, TwoWorkers(at_fault("a")))
    assert coordinator.run() == "done"
    rest = [r.block for r in store.results() if "a" not in r.block.bots]
    assert {tuple(sorted(set(block.bots))) for block in rest} == {("b", "c", "d")}
    assert min(appearances(r.block for r in store.results())[bot] for bot in "bcd") == 3


@pytest.mark.parametrize("most_sets", [None, BY_BOT])
def test_a_plan_that_is_cut_short_says_why(store: Store, most_sets: int | None) -> None:
    plan = RoundRobin(7, [FOUR], list("ab"), 9, most_sets=most_sets)
    for _ in range(2):  # also when it is resumed
        coordinator = coordinate(store, plan, TwoWorkers(at_fault("a")))
        assert coordinator.run() == "too-few-bots"
        assert coordinator.progress.lack == "1 bot can still play, and a game needs 2"


def test_a_disqualification_after_the_last_block_changes_nothing(store: Store) -> None:
    plan = RoundRobin(7, [FOUR], list("ab"), 1, most_sets=BY_BOT)
    for _ in range(2):
        assert coordinate(store, plan, TwoWorkers(at_fault("a"))).run() == "done"


def test_a_swiss_tournament_without_enough_bots_is_cut_short(store: Store) -> None:
    plan = Swiss(7, [FOUR], list("abcd"), 9)
    coordinator = coordinate(store, plan, TwoWorkers(at_fault("a")))
    assert coordinator.run() == "too-few-bots"
    assert coordinator.progress.lack == "3 bots can still play, and a game needs 4"


class TurnedRound(TwoWorkers):
    """Workers that finish the newest block first."""

    slots = 3

    def wait(self, seconds: float) -> list[WorkerEvent]:
        self.taken.reverse()
        return super().wait(seconds)


@pytest.mark.parametrize("most_sets", [None, BY_BOT])
def test_the_order_in_which_blocks_finish_does_not_matter(
    tmp_path: Path, most_sets: int | None
) -> None:
    plan = RoundRobin(7, [FOUR], BOTS, 4, most_sets=most_sets)
    played: list[list[BlockResult]] = []
    for workers in (TwoWorkers(at_fault("a", "e")), TurnedRound(at_fault("a", "e"))):
        with Store.create(tmp_path / f"{len(played)}") as store:
            store.enter(StoredBot(name, name, "", "") for name in BOTS)
            dropped: list[str] = []
            coordinator = coordinate(
                store, plan, workers, listener=RunListener(dropped=dropped.extend)
            )
            assert coordinator.run() == "done"
            assert coordinator.progress.blocks == store.count("blocks")
            assert {bot.name for bot in store.bots() if bot.out} == {"a", "e"}
            played.append(sorted(store.results()))
    assert played[0] == played[1]
    assert dropped


# --- budgets ---------------------------------------------------------------------------------


@pytest.mark.parametrize("slots", [1, 2, 7])
def test_a_budget_of_games_plays_the_beginning_of_the_plan(store: Store, slots: int) -> None:
    workers = TwoWorkers()
    workers.slots = slots
    coordinator = coordinate(store, round_robin(), workers, budget=Budget(games=43))
    assert coordinator.run() == "budget"
    assert workers.submitted == ids(round_robin())[:10]
    assert coordinator.progress.outline == (1, 10, 43)


def test_a_new_budget_goes_on_with_the_same_plan(store: Store) -> None:
    for games in (40, 40, 80):
        workers = TwoWorkers()
        assert (
            coordinate(store, round_robin(), workers, budget=Budget(games=games)).run() == "budget"
        )
    assert set(finished(store)) == set(ids(round_robin())[:20])
    assert workers.submitted == ids(round_robin())[10:20]
    assert coordinate(store, round_robin(), TwoWorkers(), budget=Budget(games=120)).run() == "done"


def test_a_budget_counts_the_games_of_all_stages(store: Store) -> None:
    plan = Swiss(7, [FOUR], list("abcd"), 9)
    assert coordinate(store, plan, TwoWorkers(), budget=Budget(games=13)).run() == "budget"
    assert store.count("games") == 12


def test_a_budget_without_a_number_of_blocks_counts_blocks_once(store: Store) -> None:
    plan = RoundRobin(7, [FOUR], BOTS, None, most_sets=BY_BOT)
    for games in (20, 40):
        assert coordinate(store, plan, TwoWorkers(), budget=Budget(games=games)).run() == "budget"
        assert store.count("games") == games


def test_a_budget_of_time_starts_no_more_blocks(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])

    def play(block: Block) -> WorkerEvent:
        now[0] += 600
        return finished_block(block)

    workers = TwoWorkers(play)
    coordinator = coordinate(store, round_robin(), workers, budget=Budget(hours=0.5))
    assert coordinator.run() == "budget"
    assert workers.submitted == ids(round_robin())[:4]  # two more were running after half an hour
    assert set(finished(store)) == set(workers.submitted)


def test_time_that_is_over_after_the_last_block_does_not_matter(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])

    def play(block: Block) -> WorkerEvent:
        now[0] += 3600
        return finished_block(block)

    plan = RoundRobin(7, [FOUR], list("abcd"), 2)
    assert coordinate(store, plan, TwoWorkers(play), budget=Budget(hours=1)).run() == "done"


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
    verdict = None

    def __init__(self, count: int) -> None:
        self.count = count
        self.scheduled_ids: list[str] = []

    def scheduled(self, block: Block) -> None:
        self.scheduled_ids.append(block.id)

    def planned_again(self) -> None: ...

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
