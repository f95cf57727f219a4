"""The ladder: a new bot meets its neighbours until its rating is known well enough."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.tournament.results import Block, BlockResult, TableKind
from referee.tournament.schedule import Ladder, Outline, Rating, RoundRobin, describe
from support.plans import (
    FOUR,
    NOBODY,
    THREE,
    appearances,
    blocks_of,
    field,
    place_of,
    play_blocks,
    spread,
)
from support.strategies import steady

OTHERS = field(12)


def rated(
    hero: float = 5.4, half: Callable[[int], float] = lambda games: 999.0
) -> Callable[[Sequence[BlockResult]], dict[str, Rating]]:
    """A rating of 100 a place, and an interval that follows from the hero's number of blocks."""

    def rate(results: Sequence[BlockResult]) -> dict[str, Rating]:
        counts = appearances(result.block for result in results)
        wide = half(counts["hero"])
        places = {bot: hero if bot == "hero" else place_of(bot) for bot in counts}
        return {bot: (-100 * at, -100 * at - wide, -100 * at + wide) for bot, at in places.items()}

    return rate


def ladder(
    rate: Callable[[Sequence[BlockResult]], dict[str, Rating]] | None = None, seed: int = 7
) -> Ladder:
    return Ladder(seed, [FOUR], "hero", OTHERS, rate or rated())


def earlier() -> list[BlockResult]:
    """Earlier results of the others without the hero."""
    return play_blocks(blocks_of(RoundRobin(3, [FOUR], OTHERS, 1)))


class NotingRater:
    """Rates no bot, and notes the ids of the results."""

    def __init__(self) -> None:
        self.seen: list[list[str]] = []

    def __call__(self, results: Sequence[BlockResult]) -> dict[str, Rating]:
        self.seen.append([result.block.id for result in results])
        return {}


def opponents(blocks: Sequence[Block]) -> set[str]:
    return set(appearances(blocks)) - {"hero"}


def test_before_there_are_results_the_neighbours_are_random() -> None:
    one, two = blocks_of(ladder()), blocks_of(ladder())
    assert one == two
    assert len(opponents(one)) == 6
    assert len({frozenset(opponents(blocks_of(ladder(seed=seed)))) for seed in range(9)}) > 5


def test_the_neighbours_of_a_hero_without_rating_are_random() -> None:
    assert blocks_of(ladder(), finished=earlier()) == blocks_of(ladder())


@pytest.mark.parametrize(
    ("place", "near"), [(5.4, range(3, 9)), (0.2, range(6)), (40, range(6, 12))]
)
def test_the_neighbours_have_the_nearest_ratings(place: float, near: range) -> None:
    plan = ladder(rated(hero=place))
    done = [*earlier(), *play_blocks(blocks_of(plan))]
    assert opponents(blocks_of(plan, 1, done)) == {f"b{number:02}" for number in near}


def test_bots_without_a_rating_come_last() -> None:
    plan = ladder(rated(hero=5.4))
    done = play_blocks(blocks_of(plan))
    assert opponents(blocks_of(plan)) == opponents(blocks_of(plan, 1, done))


def test_the_hero_is_in_every_block_and_the_neighbours_equally_often() -> None:
    made = blocks_of(Ladder(7, [FOUR, THREE], "hero", OTHERS, rated(), blocks=4))
    assert all(block.bots.count("hero") == 1 for block in made)
    for table, size in ((FOUR, 6), (THREE, 4)):
        here = [block for block in made if block.table == table.name]
        assert len(here) == 4
        assert len(opponents(here)) == size
        assert spread(appearances(here)[bot] for bot in opponents(here)) == 0


@pytest.mark.parametrize("enough", [8, 20])
def test_the_ladder_ends_when_the_interval_is_small_enough(enough: int) -> None:
    plan = ladder(rated(half=lambda games: 49.9 if games >= enough else 50.0))
    done = earlier()
    number = 0
    while (stage := plan.stage(number, done, NOBODY)) is not None:
        done += play_blocks(stage)
        number += 1
    assert number == enough / 4


def test_a_ladder_with_a_number_of_blocks_plays_exactly_these() -> None:
    plan = Ladder(7, [FOUR, THREE], "hero", OTHERS, rated(half=lambda _: 1.0), total=6)
    done = earlier()
    for number in range(2):
        done += play_blocks(blocks_of(plan, number, done))
    assert plan.stage(2, done, NOBODY) is None
    for table in (FOUR, THREE):
        here = [result.block for result in done if result.block.table == table.name]
        assert appearances(here)["hero"] == 6


def test_the_ladder_ends_after_the_last_stage_in_any_case() -> None:
    plan = Ladder(7, [FOUR], "hero", OTHERS, rated(), max_stages=3)
    done = earlier()
    for number in range(3):
        done += play_blocks(blocks_of(plan, number, done))
    assert plan.stage(3, done, NOBODY) is None
    assert len({result.block.id for result in done}) == len(done)
    assert describe(plan) == Outline(3, 12, 48)


def test_an_interrupted_stage_continues_as_planned() -> None:
    plan = ladder(lambda results: {"hero": (float(len(results)), 0.0, 999.0)})
    done = [*earlier(), *play_blocks(blocks_of(plan, 0, earlier()))]
    stage = blocks_of(plan, 1, done)
    rater = NotingRater()
    for finished in (done, [*done, *play_blocks(stage[:2])]):
        ladder(rater).stage(1, finished, NOBODY)
        assert blocks_of(plan, 1, finished) == stage
    assert [len(ids) for ids in rater.seen] == [len(done), len(done)]


def test_results_are_rated_in_the_same_order() -> None:
    rater = NotingRater()
    for finished in (earlier(), earlier()[::-1]):
        ladder(rater).stage(0, finished, NOBODY)
    assert rater.seen[0] == rater.seen[1] != []


def test_the_ladder_of_another_hero_has_other_blocks() -> None:
    mine = blocks_of(ladder())
    other = blocks_of(Ladder(7, [FOUR], "b00", [*OTHERS[1:], "hero"], rated()))
    assert not {block.id for block in mine} & {block.id for block in other}
    rater = NotingRater()
    ladder(rater).stage(0, play_blocks([*mine, *other]), NOBODY)
    assert rater.seen == [sorted(block.id for block in other)]


def test_disqualified_bots_are_no_neighbours_and_no_hero_ends_it() -> None:
    plan = ladder()
    done = [*earlier(), *play_blocks(blocks_of(plan))]
    assert "b05" in opponents(blocks_of(plan, 1, done))
    assert "b05" not in opponents(blocks_of(plan, 1, done, ["b05"]))
    assert plan.stage(1, done, frozenset(["hero"])) is None
    assert plan.stage(1, done, frozenset(OTHERS)) is None


@steady(30)
@given(others=st.integers(1, 9), seats=st.integers(2, 5), blocks=st.integers(1, 9))
def test_any_field_fills_the_table(others: int, seats: int, blocks: int) -> None:
    table = TableKind("table", seats)
    plan = Ladder(7, [table], "hero", field(others), rated(), blocks=blocks)
    made = blocks_of(plan)
    assert len({block.id for block in made}) == len(made) == blocks
    assert all(len(block.bots) == seats for block in made)
    assert all(block.bots.count("hero") == 1 for block in made)
