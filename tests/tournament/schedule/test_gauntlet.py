"""The gauntlet: one bot against all sets of the others."""

from collections import Counter
from itertools import islice, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.tournament.results import TableKind
from referee.tournament.schedule import (
    Gauntlet,
    Outline,
    RoundRobin,
    ScheduleRefused,
    Spread,
    describe,
)
from referee.tournament.schedule.combinations import number_of_sets
from referee.tournament.schedule.round_robin import BY_BOT
from support.plans import FOUR, NOBODY, appearances, blocks_of, field, play_blocks, spread
from support.strategies import steady


@steady(40)
@given(
    others=st.integers(1, 22),
    seats=st.integers(2, 5),
    blocks=st.integers(1, 3),
    seed=st.integers(0),
)
def test_the_hero_is_in_each_block_and_the_others_equally_often(
    others: int, seats: int, blocks: int, seed: int
) -> None:
    plan = Gauntlet(seed, [TableKind("table", seats)], "hero", field(others), blocks, most_sets=500)
    made = blocks_of(plan)
    assert all(block.bots.count("hero") == 1 for block in made)
    counts = appearances(made)
    assert spread(counts[bot] for bot in field(others)) <= 1
    assert len({block.id for block in made}) == len(made)
    if (sets := number_of_sets(others, seats - 1)) <= 500:
        assert len(made) == blocks * sets


@pytest.mark.parametrize("others", [1, 3, 7, 20])
def test_all_others_play_their_blocks_in_a_field_of_any_size(others: int) -> None:
    plan = Gauntlet(7, [FOUR], "hero", field(others), 5, most_sets=BY_BOT)
    counts = appearances(blocks_of(plan))
    assert {counts[bot] for bot in field(others)} <= {5, 6}
    assert plan.lacks_bots(frozenset(["hero"])) == (
        "hero cannot play any more, and every game needs it"
    )


def test_a_small_field_uses_copies_but_not_of_the_hero() -> None:
    (block,) = blocks_of(Gauntlet(7, [FOUR], "hero", ["other"], 1))
    assert sorted(block.bots) == ["hero", "other", "other", "other"]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("most_sets", [None, BY_BOT])
def test_a_hero_and_its_only_opponent_can_have_the_same_number_of_seats(
    seats: int, most_sets: int | None
) -> None:
    table = TableKind("table", seats)
    plan = Gauntlet(7, [table], "new", ["old"], 6, even_seats=True, most_sets=most_sets)
    blocks = blocks_of(plan)
    counts = [block.bots.count("new") for block in blocks]
    assert set(counts) == {seats // 2, seats - seats // 2}
    assert 2 * sum(counts) == seats * len(blocks)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("all_orders", [False, True])
def test_seats_favour_neither_of_two_bots(seats: int, all_orders: bool) -> None:
    """In every block, two seats are as often (new, old) as (old, new)."""
    table = TableKind("table", seats)
    plan = Gauntlet(7, [table], "new", ["old"], 9, even_seats=True, all_orders=all_orders)
    for block in blocks_of(plan):
        pairs = Counter(
            (own, other)
            for bots in block.seatings()
            for own, other in permutations(range(seats), 2)
            if (bots[own], bots[other]) == ("new", "old")
        )
        assert pairs == Counter({(other, own): count for (own, other), count in pairs.items()})


def test_only_two_bots_share_their_seats() -> None:
    plan = Gauntlet(7, [FOUR], "hero", field(2), 1, even_seats=True)
    assert all(block.bots.count("hero") == 1 for block in blocks_of(plan))


@pytest.mark.parametrize("others", [5, 20])
def test_an_endless_gauntlet_begins_like_a_finite_one(others: int) -> None:
    endless = Gauntlet(7, [FOUR], "hero", field(others), None, most_sets=500)
    stage = endless.stage(0, (), NOBODY)
    assert stage is not None
    whole = blocks_of(Gauntlet(7, [FOUR], "hero", field(others), 3, most_sets=500))
    assert list(islice(stage, len(whole))) == whole
    ids = [block.id for block in islice(stage, 2000)]
    assert len(set(ids)) == 2000
    with pytest.raises(TypeError, match="endless"):
        len(stage)
    again = endless.stage(0, play_blocks(whole[:9]), NOBODY)
    assert again is not None
    assert list(islice(again, len(whole))) == whole
    assert describe(endless) == Outline(1, None, None)


@pytest.mark.parametrize("others", [5, 20])
def test_only_the_disqualification_of_the_hero_ends_the_gauntlet(others: int) -> None:
    endless = Gauntlet(7, [FOUR], "hero", field(others), None, most_sets=500)
    done = play_blocks(islice(endless.stage(0, (), NOBODY) or (), 9))
    assert endless.stage(0, done, frozenset(["hero"])) is None
    rest = endless.stage(0, done, frozenset(["b01"]))
    assert rest is not None
    assert not any("b01" in block.bots for block in islice(rest, 200))


def test_a_balanced_gauntlet_continues_after_a_disqualification() -> None:
    plan = Gauntlet(7, [FOUR], "hero", field(20), 6, most_sets=BY_BOT)
    whole = blocks_of(plan)
    assert len(whole) == 40
    rest = blocks_of(plan, finished=play_blocks(whole[:13]), out=["b03"])
    counts = appearances({block.id: block for block in [*whole[:13], *rest]}.values())
    assert {counts[bot] for bot in field(20) if bot != "b03"} <= {6, 7}


def test_games_without_the_hero_do_not_count() -> None:
    plan = Gauntlet(7, [FOUR], "hero", field(20), 6, most_sets=BY_BOT)
    among_others = play_blocks(blocks_of(RoundRobin(7, [FOUR], field(8), 1)))
    assert blocks_of(plan, finished=among_others) == blocks_of(plan)


def test_the_description_of_a_gauntlet_counts_the_others() -> None:
    plan = Gauntlet(7, [FOUR], "hero", field(5), 2)
    assert describe(plan) == Outline(1, 20, 80)
    assert plan.spread() == Spread(48, 48, 24, 24)


def test_a_hero_cannot_play_against_itself() -> None:
    with pytest.raises(ScheduleRefused, match="same name"):
        Gauntlet(7, [FOUR], "b00", field(5), 1)
