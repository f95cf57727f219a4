"""The round-robin: all sets of bots play equally often, in passes."""

from collections import Counter
from itertools import islice
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.tournament.results import TableKind
from referee.tournament.schedule import Outline, RoundRobin, ScheduleRefused, Spread, describe
from referee.tournament.schedule.combinations import number_of_sets, sets_of
from support.plans import FOUR, NOBODY, THREE, appearances, blocks_of, field, play_blocks
from support.strategies import steady


def six(blocks: int | None = 2, seed: int = 7, **options: bool) -> RoundRobin:
    return RoundRobin(seed, [FOUR], field(6), blocks, **options)


def test_the_plan_depends_on_the_seed() -> None:
    assert blocks_of(six()) == blocks_of(six())
    assert not {one.id for one in blocks_of(six())} & {one.id for one in blocks_of(six(seed=8))}


def test_a_stage_can_be_iterated_twice() -> None:
    stage = six().stage(0, (), NOBODY)
    assert stage is not None
    assert list(stage) == list(stage)


def test_the_order_of_the_bots_changes_nothing() -> None:
    assert blocks_of(RoundRobin(7, [FOUR], field(6)[::-1], 2)) == blocks_of(six())


@steady(60)
@given(
    bots=st.integers(2, 9), seats=st.integers(2, 5), blocks=st.integers(1, 4), seed=st.integers(0)
)
def test_every_set_plays_its_blocks_and_every_id_is_used_once(
    bots: int, seats: int, blocks: int, seed: int
) -> None:
    plan = RoundRobin(seed, [TableKind("table", seats)], field(bots), blocks)
    made = blocks_of(plan)
    sets = Counter(tuple(sorted(block.bots)) for block in made)
    assert set(sets.values()) == {blocks}
    assert len(sets) == number_of_sets(bots, seats)
    assert len({block.id for block in made}) == len({block.seed for block in made}) == len(made)
    assert max(appearances(made).values()) == min(appearances(made).values())


@pytest.mark.parametrize("blocks", [1, 3])
def test_each_pass_has_every_set_once_in_its_own_order(blocks: int) -> None:
    made = [tuple(sorted(block.bots)) for block in blocks_of(six(blocks))]
    passes = [made[start : start + 15] for start in range(0, len(made), 15)]
    assert all(len(set(one)) == 15 == comb(6, 4) for one in passes)
    assert len({tuple(one) for one in [*passes, sorted(passes[0])]}) == blocks + 1


@pytest.mark.parametrize(
    ("bots", "seats", "sets"),
    [
        ("ab", 4, ["aabb"]),
        ("ab", 5, ["aaabb", "aabbb"]),
        ("abc", 4, ["aabc", "abbc", "abcc"]),
        ("abc", 3, ["abc"]),
        ("abc", 2, ["ab", "ac", "bc"]),
    ],
)
def test_a_small_field_is_filled_up_with_copies(bots: str, seats: int, sets: list[str]) -> None:
    assert ["".join(sorted(some)) for some in sets_of(bots, seats)] == sets


def test_more_blocks_and_more_bots_contain_the_earlier_blocks() -> None:
    before = {block.id: block for block in blocks_of(six(2))}
    more_blocks = {block.id: block for block in blocks_of(six(3))}
    more_bots = {block.id: block for block in blocks_of(RoundRobin(7, [FOUR], field(8), 2))}
    assert before.items() <= more_blocks.items()
    assert before.items() <= more_bots.items()


def test_without_a_number_of_blocks_every_pass_is_a_stage() -> None:
    open_end = RoundRobin(7, [FOUR], field(6), None, max_passes=3)
    stages = [blocks_of(open_end, number) for number in range(3)]
    assert [block.id for stage in stages for block in stage] == [b.id for b in blocks_of(six(3))]
    assert [{block.stage for block in stage} for stage in stages] == [{0}, {1}, {2}]
    assert open_end.stage(3, (), NOBODY) is None


def test_a_plan_with_a_number_of_blocks_has_one_stage() -> None:
    assert six().stage(1, (), NOBODY) is None


def test_finished_blocks_do_not_change_the_plan() -> None:
    whole = blocks_of(six())
    assert blocks_of(six(), finished=play_blocks(whole[5:9])) == whole


def test_a_disqualification_removes_only_the_sets_of_that_bot() -> None:
    whole = blocks_of(six())
    left = blocks_of(six(), finished=play_blocks(whole[:3]), out=["b02"])
    assert left == [block for block in whole if "b02" not in block.bots]


def test_the_plan_ends_when_one_bot_is_left() -> None:
    assert six().stage(0, (), frozenset(field(4))) is not None
    assert six().lacks_bots(frozenset(field(4))) is None
    assert six().stage(0, (), frozenset(field(5))) is None
    assert six().lacks_bots(frozenset(field(5))) == "1 bot can still play, and a game needs 2"


@pytest.mark.parametrize("bots", [9, 13])
def test_every_set_plays_in_a_field_of_any_size(bots: int) -> None:
    made = blocks_of(RoundRobin(7, [FOUR], field(bots), 2))
    sets = [frozenset(block.bots) for block in made]
    assert Counter(Counter(sets).values()) == {2: comb(bots, 4)}
    one, two = sets[: comb(bots, 4)], sets[comb(bots, 4) :]
    assert set(one) == set(two)
    assert one != two != sorted(two, key=sorted)


def test_a_plan_of_millions_of_sets_begins_at_once() -> None:
    plan = RoundRobin(7, [TableKind("five", 5)], field(100), 1)
    stage = plan.stage(0, (), NOBODY)
    assert stage is not None
    assert len(stage) == comb(100, 5)
    assert len({block.id for block in islice(stage, 50)}) == 50
    assert plan.spread().least_games == plan.spread().most_games == 5 * comb(99, 4)


def test_copies_replace_a_disqualified_bot() -> None:
    plan = RoundRobin(7, [FOUR], field(3), 1)
    (block,) = blocks_of(plan, out=["b00"])
    assert sorted(block.bots) == ["b01", "b01", "b02", "b02"]
    assert plan.stage(0, (), frozenset(field(2))) is None


def test_tables_are_interleaved_and_each_has_its_own_blocks() -> None:
    made = blocks_of(RoundRobin(7, [THREE, FOUR], field(6), 2))
    assert Counter(block.table for block in made) == {
        "three": 2 * comb(6, 3),
        "four": 2 * comb(6, 4),
    }
    for end in range(1, len(made)):
        done = Counter(block.table for block in made[:end])
        assert abs(done["three"] / 40 - done["four"] / 30) <= 1 / 30 + 1e-9
    assert [one for one in made if one.table == "four"] == blocks_of(six())


def test_a_table_that_bots_can_no_longer_fill_has_copies() -> None:
    made = blocks_of(RoundRobin(7, [THREE, FOUR], field(5), 1), out=["b00", "b01"])
    assert Counter(block.table for block in made) == {"three": 1, "four": 3}


def test_all_orders_applies_to_every_block() -> None:
    made = blocks_of(six(all_orders=True))
    assert all(len(block.seatings()) == 24 for block in made)
    assert not {block.id for block in made} & {block.id for block in blocks_of(six())}


def test_a_plan_is_described_before_it_is_played() -> None:
    assert describe(six(2)) == Outline(1, 30, 120)
    assert six(2).spread() == Spread(80, 80, 48, 48)
    settled = RoundRobin(7, [FOUR], field(6), None, max_passes=9)
    assert describe(settled) == Outline(9, 135, 540)
    assert settled.spread() == Spread(40, 40, 24, 24)
    assert RoundRobin(7, [THREE, FOUR], field(2), 1).spread() == Spread(10, 10, 10, 10)


@pytest.mark.parametrize(
    ("tables", "bots", "blocks", "why"),
    [
        ([FOUR], ["a"], 1, "two bots or more"),
        ([FOUR], ["a", "b", "a"], 1, "the same name"),
        ([FOUR], ["a", "b"], 0, "must be 1 or more, not 0"),
        ([], ["a", "b"], 1, "needs tables"),
        ([FOUR, FOUR], ["a", "b"], 1, "its own name"),
        ([TableKind("solo", 1)], ["a", "b"], 1, "solo needs two seats"),
    ],
)
def test_tables_or_bots_that_are_not_valid_are_refused(
    tables: list[TableKind], bots: list[str], blocks: int, why: str
) -> None:
    with pytest.raises(ScheduleRefused, match=why):
        RoundRobin(7, tables, bots, blocks)
