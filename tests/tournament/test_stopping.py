"""Conditions that end a run early: a decided sequential test, or a clear leader."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.tournament.definition import SprtTerms
from referee.tournament.ratings import Ratings, rate
from referee.tournament.stopping import FEWEST_PASSES, LeaderIsClear, SprtDecided
from referee.tournament.store.store import Store
from referee.tournament.workers.messages import Played
from support.blocks import block, finished_block

TERMS = SprtTerms(0.0, 50.0)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.create(tmp_path / "t") as store:
        yield store


def lopsided(number: int, *, wins: bool) -> Played:
    """A block in which `a` beats all other bots in every game, or none of them."""
    planned = block(number)
    games = []
    for game in finished_block(planned).games:
        ranks = iter([2, 3, 4] if wins else [1, 2, 3])
        seats = tuple(
            seat.__class__(
                seat.bot,
                seat.name,
                (1 if wins else 4) if seat.bot == "a" else next(ranks),
                seat.total,
                0,
                None,
            )
            for seat in game.seats
        )
        games.append(
            game.__class__(
                game.number, game.game, seats, (), "prestige", 40, 200, 0.5, None, game.void
            )
        )
    return Played(planned, tuple(games))


def test_a_hero_that_always_wins_passes(store: Store) -> None:
    test = SprtDecided(store, "a", TERMS)
    for number in range(50):
        test.scheduled(block(number))
        test.finished(lopsided(number, wins=True).result())
        if test.is_reached(at_stage_end=False):
            break
    assert test.verdict.decision == "pass"
    assert test.verdict.blocks < 50


def test_the_verdict_does_not_depend_on_the_order_of_finishing(store: Store) -> None:
    results = [lopsided(number, wins=number % 3 > 0).result() for number in range(4)]
    states = set()
    for order in permutations(range(4)):
        test = SprtDecided(store, "a", TERMS)
        for result in results:
            test.scheduled(result.block)
        for number in order:
            test.finished(results[number])
        states.add(test.verdict)
    assert len(states) == 1
    assert states.pop().blocks == 4


def test_an_unfinished_block_delays_those_after_it(store: Store) -> None:
    test = SprtDecided(store, "a", TERMS)
    for number in range(3):
        test.scheduled(block(number))
    test.finished(lopsided(1, wins=True).result())
    assert test.verdict.blocks == 0
    test.finished(lopsided(0, wins=True).result())
    assert test.verdict.blocks == 2


def test_a_block_that_is_scheduled_twice_counts_once(store: Store) -> None:
    test = SprtDecided(store, "a", TERMS)
    test.scheduled(block(0))
    test.finished(lopsided(0, wins=True).result())
    test.scheduled(block(0))
    test.scheduled(block(1))
    test.finished(lopsided(1, wins=True).result())
    assert test.verdict.blocks == 2


def test_a_test_continues_from_the_store(store: Store) -> None:
    store.finish(lopsided(1, wins=True))
    store.finish(lopsided(0, wins=True))
    test = SprtDecided(store, "a", TERMS)
    for number in range(3):
        test.scheduled(block(number))
    assert test.verdict.blocks == 2


@pytest.mark.parametrize("in_store", [True, False])
def test_a_void_block_does_not_count(store: Store, in_store: bool) -> None:
    void = finished_block(block(0), void="oh")
    if in_store:
        store.finish(void)
    test = SprtDecided(store, "a", TERMS)
    test.scheduled(block(0))
    test.scheduled(block(1))
    if not in_store:
        test.finished(void.result())
    test.finished(lopsided(1, wins=True).result())
    assert test.verdict.blocks == 1


def passes(goal: LeaderIsClear, count: int) -> Sequence[bool]:
    return [goal.is_reached(at_stage_end=True) for _ in range(count)]


def test_a_clear_leader_ends_the_run_after_a_few_passes(store: Store) -> None:
    for number in range(20):
        store.finish(lopsided(number, wins=True))
    goal = LeaderIsClear(store)
    assert not goal.is_reached(at_stage_end=False)
    assert passes(goal, FEWEST_PASSES) == [False] * (FEWEST_PASSES - 1) + [True]


def test_checks_become_less_frequent(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    goal = LeaderIsClear(store)

    def counting_rate(_: object) -> Ratings:
        calls.append(1)
        return rate([finished_block().result()])

    monkeypatch.setattr("referee.tournament.stopping.rate", counting_rate)
    counts = [len(calls)]
    for _ in range(14):
        goal.is_reached(at_stage_end=True)
        counts.append(len(calls))
    assert [n for n in range(1, 15) if counts[n] > counts[n - 1]] == [4, 6, 9, 14]


def test_a_resumed_run_ignores_later_passes(store: Store) -> None:
    for number in range(20):
        planned = block(number, stage=number)
        clear = replace(lopsided(number, wins=True), block=planned)
        store.finish(finished_block(planned) if number < FEWEST_PASSES else clear)
    assert passes(LeaderIsClear(store), 14) == [False] * 13 + [True]


def test_void_blocks_give_no_leader(store: Store) -> None:
    for number in range(6):
        store.finish(finished_block(block(number), void="ZeroDivisionError: oh"))
    assert not any(passes(LeaderIsClear(store), FEWEST_PASSES + 2))


def test_a_tie_gives_no_leader(store: Store) -> None:
    for number in range(6):
        store.finish(
            finished_block(block(number))
        )  # the first seat always wins: no bot is stronger
    assert not any(passes(LeaderIsClear(store), FEWEST_PASSES + 2))
