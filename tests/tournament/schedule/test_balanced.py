"""The balanced design: all bots play equally often and meet evenly."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.bench.schedule import peak_bytes, plan_figures
from referee.tournament.results import Block, TableKind
from referee.tournament.schedule import RoundRobin, Spread, describe
from referee.tournament.schedule.balanced import Balanced, LargeField
from referee.tournament.schedule.base import EMPTY_STAGE
from referee.tournament.schedule.combinations import Span, number_of_sets
from referee.tournament.schedule.draws import Draws
from referee.tournament.schedule.round_robin import BY_BOT
from support.plans import (
    FOUR,
    NOBODY,
    THREE,
    appearances,
    blocks_of,
    field,
    meetings,
    play_blocks,
    spread,
)
from support.strategies import steady

MANY = field(22)

by_bot = partial(RoundRobin, most_sets=BY_BOT)


def twenty_two(blocks: int | None = 10, seed: int = 7) -> RoundRobin:
    return by_bot(seed, [FOUR], MANY, blocks)


def meetings_spread(blocks: Sequence[Block], bots: Sequence[str] = MANY) -> int:
    met = meetings(blocks)
    return spread(met[pair] for pair in combinations(bots, 2))


def random_design(bots: Sequence[str], passes: int) -> list[Block]:
    """Bots in a new order in each pass, cut into blocks: even counts, but random pairs."""
    rng = Random(3)
    order = [bot for _ in range(passes) for bot in rng.sample(bots, len(bots))]
    cuts = range(0, len(order), 4)
    return [Block(str(cut), "four", tuple(order[cut : cut + 4]), 0) for cut in cuts]


def test_with_more_sets_than_wanted_blocks_are_counted_by_bot() -> None:
    assert number_of_sets(12, 4) < 500 < number_of_sets(13, 4)
    for bots, blocks in ((12, 165), (13, 1)):
        made = blocks_of(RoundRobin(7, [FOUR], field(bots), 1, most_sets=500))
        assert set(appearances(made).values()) <= {blocks, blocks + 1}


@steady(60)
@given(
    bots=st.integers(2, 30), seats=st.integers(2, 5), blocks=st.integers(1, 9), seed=st.integers(0)
)
def test_every_bot_plays_its_blocks_or_one_more_in_a_field_of_any_size(
    bots: int, seats: int, blocks: int, seed: int
) -> None:
    plan = by_bot(seed, [TableKind("table", seats)], field(bots), blocks)
    made = blocks_of(plan)
    assert set(appearances(made).values()) <= {blocks, blocks + 1}
    assert len({block.id for block in made}) == len(made)
    assert blocks_of(by_bot(seed, plan_tables(plan), field(bots), blocks + 3))[: len(made)] == made
    if bots >= seats:
        return
    copies = Counter(bot for block in made for bot in block.bots)
    assert spread(copies[bot] for bot in field(bots)) <= 1


def plan_tables(plan: RoundRobin) -> list[TableKind]:
    return [one.table for one in plan.table_plans]


@pytest.mark.parametrize("bots", [4, 12, 13, 40])
def test_the_number_of_games_grows_with_the_number_of_bots(bots: int) -> None:
    games = describe(by_bot(7, [FOUR], field(bots), 30)).games
    assert games is not None
    assert 0 <= games - 30 * bots < 4


def test_the_weight_of_a_table_is_its_share_of_the_blocks() -> None:
    tables = [FOUR, TableKind("rare", 4, 0.25), TableKind("often", 3, 2)]
    made = blocks_of(by_bot(7, tables, field(12), 8))
    for table, blocks in (("four", 8), ("rare", 2), ("often", 16)):
        here = [block for block in made if block.table == table]
        assert set(appearances(here).values()) == {blocks}
    half = Counter(block.table for block in made[: len(made) // 2])
    assert half["rare"] == 3  # of 6: the tables progress at the same rate


@pytest.mark.parametrize("joined", [1, 4])
def test_bots_that_join_play_their_blocks_whatever_was_lost_in_between(joined: int) -> None:
    before = blocks_of(by_bot(7, [FOUR], field(12), 6))
    larger = by_bot(7, [FOUR], field(12 + joined), 6)
    whole = blocks_of(larger, finished=play_blocks(before))
    new = whole[len(before) :]
    counts = appearances(whole)
    assert all(counts[bot] == 6 for bot in field(12 + joined)[12:])
    assert spread(counts[bot] for bot in field(12)) <= 1
    with_a_gap = play_blocks([*before, *new[1:3], *new[4:]])
    assert sorted(blocks_of(larger, finished=with_a_gap)) == sorted(whole)


def test_copies_fill_the_table_after_a_disqualification() -> None:
    plan = by_bot(7, [FOUR], field(4), 6)
    before = blocks_of(plan)[:2]
    rest = blocks_of(plan, finished=play_blocks(before), out=["b01"])
    assert [sorted(set(block.bots)) for block in rest] == [["b00", "b02", "b03"]] * 4
    assert all(len(block.bots) == 4 for block in rest)
    assert plan.lacks_bots(frozenset(["b01", "b02"])) is None
    assert plan.lacks_bots(frozenset(field(3))) == "1 bot can still play, and a game needs 2"


@steady(30)
@given(
    bots=st.integers(13, 30),
    seats=st.integers(3, 5),
    blocks=st.integers(1, 12),
    seed=st.integers(0),
)
def test_block_counts_never_differ_by_more_than_one(
    bots: int, seats: int, blocks: int, seed: int
) -> None:
    design = LargeField(Draws(seed), "table", field(bots), seats)
    seen: set[tuple[int, tuple[int, ...]]] = set()
    for _ in range(design.blocks_until(blocks)):
        assert min(design.counts) < blocks
        level, chosen = design.choose()
        assert len(set(chosen)) == seats
        assert spread(design.counts) <= 1
        seen.add((level, tuple(sorted(chosen))))
    assert blocks == min(design.counts)
    assert len(seen) == -(-bots * blocks // seats)  # no set occurs twice with the same number


def test_the_design_depends_on_the_seed() -> None:
    ids = [block.id for block in blocks_of(twenty_two())]
    assert len(set(ids)) == len(ids)
    assert ids == [block.id for block in blocks_of(by_bot(7, [FOUR], MANY[::-1], 10))]
    assert not set(ids) & {block.id for block in blocks_of(twenty_two(seed=8))}


@pytest.mark.parametrize("blocks", [28, 300])
@pytest.mark.parametrize("seed", [7, 8, 9])
def test_pairs_meet_more_evenly_than_by_chance(blocks: int, seed: int) -> None:
    bots = field(24)
    even = meetings_spread(blocks_of(by_bot(seed, [FOUR], bots, blocks)), bots)
    assert even <= 3
    assert 3 * even < meetings_spread(random_design(bots, blocks), bots)


def test_the_spread_matches_the_blocks() -> None:
    made = blocks_of(twenty_two())
    met = meetings(made)
    least, most = (choose(met[pair] for pair in combinations(MANY, 2)) for choose in (min, max))
    assert twenty_two().spread() == Spread(40, 40, 4 * least, 4 * most)
    assert describe(twenty_two())[:3] == (1, 55, 220)


def test_more_blocks_contain_the_earlier_ones() -> None:
    assert blocks_of(twenty_two(20))[:55] == blocks_of(twenty_two(10))


def test_tables_with_and_without_a_design_are_interleaved() -> None:
    made = blocks_of(RoundRobin(7, [TableKind("two", 2), FOUR], field(13), 4, most_sets=500))
    assert [block.table for block in made].count("two") == 4 * 78
    assert [block.table for block in made].count("four") == 13
    half = [block.table for block in made[: len(made) // 2]]
    assert half.count("four") in {6, 7}


def test_finished_blocks_of_the_plan_change_nothing() -> None:
    whole = blocks_of(twenty_two())
    assert blocks_of(twenty_two(), finished=play_blocks([*whole[30:], *whole[3:9]])) == whole


def test_an_interrupted_design_continues_as_planned() -> None:
    whole = blocks_of(twenty_two())
    design = LargeField(Draws(7), "four", MANY, 4)
    design.note_played(whole[:37])
    rest = [{MANY[one] for one in design.choose()[1]} for _ in whole[37:]]
    assert rest == [set(block.bots) for block in whole[37:]]


def test_single_passes_are_those_of_the_whole_design() -> None:
    open_end = twenty_two(None)
    made: list[Block] = []
    for number in range(10):
        stage = blocks_of(open_end, number, play_blocks(made))
        assert blocks_of(open_end, number, play_blocks([*made, stage[2]])) == stage
        made += stage
        assert min(appearances(made).values()) == number + 1
    assert [block.id for block in made] == [block.id for block in blocks_of(twenty_two())]


@pytest.mark.parametrize("done", [0, 7, 30, 54])
def test_after_a_disqualification_the_others_play_all_their_blocks(done: int) -> None:
    before = blocks_of(twenty_two())[:done]
    rest = blocks_of(twenty_two(), finished=play_blocks(before), out=["b05"])
    kept = [block for block in before if "b05" not in block.bots]
    assert sorted(rest[: len(kept)]) == sorted(kept)
    assert not any("b05" in block.bots for block in rest)
    all_played = {block.id: block for block in [*before, *rest]}
    assert len(all_played) == len(before) + len(rest) - len(kept)
    counts = appearances(all_played.values())
    assert {counts[bot] for bot in MANY if bot != "b05"} <= {10, 11}
    assert meetings_spread(list(all_played.values()), [b for b in MANY if b != "b05"]) <= 3


def test_a_plan_after_a_disqualification_can_be_interrupted_too() -> None:
    out = ["b05"]
    before = blocks_of(twenty_two())[:20]
    second = [*before, *blocks_of(twenty_two(), finished=play_blocks(before), out=out)[-9:]]
    rest = blocks_of(twenty_two(), finished=play_blocks(second), out=[*out, "b06"])
    counts = appearances({block.id: block for block in [*second, *rest]}.values())
    assert {counts[bot] for bot in MANY if bot not in {"b05", "b06"}} <= {10, 11}


def test_the_plan_ends_when_too_few_bots_are_left() -> None:
    done = play_blocks(blocks_of(twenty_two())[:5])
    assert twenty_two().stage(0, done, frozenset(MANY[:20])) is not None
    assert twenty_two().stage(0, done, frozenset(MANY[:21])) is None


def test_a_bot_that_joins_catches_up_without_repeated_blocks() -> None:
    before = blocks_of(twenty_two())
    larger = by_bot(7, [FOUR], field(24), 12)
    made = blocks_of(larger, finished=play_blocks(before))
    assert sorted(made[: len(before)]) == sorted(before)
    assert len({block.id for block in made}) == len(made)
    assert set(appearances(made).values()) == {12}


@steady(60)
@given(kept=st.sets(st.integers(0, 12)), target=st.integers(5, 12))
def test_a_set_repeated_after_a_disqualification_has_new_blocks(
    kept: set[int], target: int
) -> None:
    small = Balanced(Draws(7), FOUR, tuple(field(5)))
    before = [
        block for at, block in enumerate(small.rest(Span(0, 0, 10), (), NOBODY)) if at in kept
    ]
    rest = list(small.stage(Span(0, 0, target), play_blocks(before), frozenset(["b04"])))
    together = {block.id: block for block in [*before, *rest]}
    assert len({block.id for block in rest}) == len(rest)
    assert all(appearances(together.values())[bot] >= target for bot in field(4))


def test_finished_passes_do_not_end_the_plan() -> None:
    done = play_blocks(blocks_of(twenty_two(5)))
    settled = twenty_two(None)
    assert [len(blocks_of(settled, number, done)) for number in range(1, 5)] == [0, 0, 0, 0]
    assert min(appearances(blocks_of(settled, 5, done)).values()) == 1


@steady(60)
@given(
    counts=st.lists(st.integers(0, 9), min_size=5, max_size=12),
    seats=st.integers(1, 5),
    target=st.integers(0, 12),
)
def test_an_uneven_field_needs_exactly_the_predicted_blocks(
    counts: list[int], seats: int, target: int
) -> None:
    design = LargeField(Draws(7), "table", field(len(counts)), seats)
    design.counts = list(counts)
    for left in reversed(range(design.blocks_until(target))):
        design.choose()
        assert design.blocks_until(target) == left
    assert all(count >= target for count in design.counts)


def test_blocks_of_other_tables_and_formats_are_not_counted() -> None:
    other = by_bot(7, [THREE], MANY, 5)
    swiss = [block._replace(id="s0-1") for block in blocks_of(twenty_two())[3:5]]
    strange = play_blocks([*blocks_of(other), *swiss])
    assert blocks_of(twenty_two(), finished=strange, out=["b05"]) == blocks_of(
        twenty_two(), out=["b05"]
    )


def test_a_plan_of_any_length_needs_the_same_memory() -> None:
    short, long = (by_bot(7, [FOUR], field(60), blocks) for blocks in (10, 100))
    stages = [plan.stage(0, (), NOBODY) or EMPTY_STAGE for plan in (long, short, long)]
    assert [len(stage) for stage in stages] == [1500, 150, 1500]
    # The interpreter caches some tuples, so the first measurement does not count.
    _, of_short, of_long = (peak_bytes(stage) for stage in stages)
    # Ten times as many blocks would need ten times as much; other threads may need a little.
    assert of_long < 2 * of_short


def test_the_benchmark_measures_the_plan() -> None:
    figures = plan_figures(bots=16, blocks=100)
    assert (figures.blocks, figures.games, figures.short_blocks) == (400, 1600, 4)
    assert (figures.spread.least_games, figures.spread.most_games) == (400, 400)
    assert figures.seconds > 0
