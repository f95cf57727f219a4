"""The Swiss system: pods of similar standing, few rematches, fair byes."""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.tournament.results import Block, BlockResult, GameResult, TableKind
from referee.tournament.schedule import Outline, RoundRobin, ScheduleRefused, Swiss, describe
from referee.tournament.schedule.swiss import default_rounds, rounds_of, standings
from referee.tournament.schedule.swiss_pods import Meetings, pods_of
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


def swiss(bots: int, seed: int = 7, rounds: int | None = None, blocks: int = 1) -> Swiss:
    return Swiss(seed, [FOUR], field(bots), rounds, blocks)


def tournament(plan: Swiss) -> list[list[Block]]:
    """All rounds, if the bots always finish in the order of their names."""
    rounds: list[list[Block]] = []
    for number in range(plan.stages):
        done = play_blocks(block for one in rounds for block in one)
        rounds.append(blocks_of(plan, number, done))
    return rounds


def pods(blocks: Iterable[Block]) -> set[frozenset[str]]:
    return {frozenset(block.bots) for block in blocks}


def flat(rounds: Sequence[Sequence[Block]]) -> list[Block]:
    return [block for one in rounds for block in one]


def test_the_first_round_is_random() -> None:
    one, two = blocks_of(swiss(16)), blocks_of(swiss(16))
    assert one == two
    assert pods(one) != pods(blocks_of(swiss(16, seed=8)))
    assert set(appearances(one).values()) == {1}


def test_the_best_of_all_pods_meet_in_the_second_round() -> None:
    first, second, *_ = tournament(swiss(16))
    assert {min(block.bots) for block in first} in pods(second)
    assert {max(block.bots) for block in first} in pods(second)


@pytest.mark.parametrize("seed", range(5))
def test_the_three_strongest_have_all_met_in_the_end(seed: int) -> None:
    met = meetings(flat(tournament(swiss(32, seed))))
    assert all(met[pair] for pair in combinations(field(3), 2))


def test_a_standing_is_the_share_of_beaten_opponents() -> None:
    zeros = (0,) * 4
    game = GameResult("four", ("a", "b", "c", "d"), (1, 2, 2, 4), zeros, zeros, (False,) * 4)
    last = game._replace(bots=("d", "a", "b", "c"), ranks=(4, 1, 3, 2))
    assert standings([game]) == {"a": 1, "b": Fraction(1, 2), "c": Fraction(1, 2), "d": 0}
    assert standings([game, last])["c"] == Fraction(7, 12)
    assert standings([last, game]) == standings([game, last])


def test_the_order_of_results_changes_nothing() -> None:
    plan = swiss(18)
    done = play_blocks(flat(tournament(plan)[:2]))
    assert blocks_of(plan, 2, done[::-1]) == blocks_of(plan, 2, done)


@pytest.mark.parametrize(
    ("bots", "seats", "rounds"), [(16, 4, 2), (40, 4, 4), (27, 3, 4), (45, 5, 3)]
)
@pytest.mark.parametrize("seed", range(8))
def test_there_are_no_rematches_in_a_large_field(
    bots: int, seats: int, rounds: int, seed: int
) -> None:
    plan = Swiss(seed, [TableKind("table", seats)], field(bots), rounds)
    assert max(meetings(flat(tournament(plan))).values()) == 1


@steady(60)
@given(data=st.data(), seats=st.integers(2, 5), many=st.integers(2, 6))
def test_no_exchange_of_two_bots_would_avoid_a_rematch(
    data: st.DataObject, seats: int, many: int
) -> None:
    bots = field(seats * many)
    shuffles = data.draw(st.lists(st.permutations(bots), max_size=5))
    before = [order[at : at + seats] for order in shuffles for at in range(0, len(bots), seats)]
    met = Meetings(before)
    made = pods_of(bots, seats, met)
    assert sorted(bot for pod in made for bot in pod) == bots
    for one, other in combinations(made, 2):
        for here, there in product(one, other):
            changed = {here: there, there: here}
            exchanged = [[changed.get(bot, bot) for bot in pod] for pod in (one, other)]
            assert sum(map(met.within, exchanged)) >= met.within(one) + met.within(other)


@steady(40)
@given(
    bots=st.integers(3, 23), seats=st.integers(2, 5), rounds=st.integers(1, 9), seed=st.integers(0)
)
def test_nobody_has_a_second_bye_before_all_have_had_one(
    bots: int, seats: int, rounds: int, seed: int
) -> None:
    table = TableKind("table", min(seats, bots))
    made = tournament(Swiss(seed, [table], field(bots), rounds))
    for end in range(1, rounds + 1):
        counts = appearances(flat(made[:end]))
        assert spread(counts[bot] for bot in field(bots)) <= 1
    assert len({block.id for block in flat(made)}) == rounds * (bots // table.seats)


@steady(30)
@given(bots=st.integers(3, 23), seats=st.integers(2, 5), blocks=st.integers(1, 7))
def test_every_bot_plays_its_blocks_or_one_more(bots: int, seats: int, blocks: int) -> None:
    table = TableKind("table", min(seats, bots))
    plan = Swiss(7, [table], field(bots), rounds_per_bot=blocks)
    made, number = play_all(plan, [])
    assert set(appearances(made).values()) <= {blocks, blocks + 1}
    assert number == plan.stages


def play_all(plan: Swiss, before: list[Block]) -> tuple[list[Block], int]:
    """All blocks after those that were played before, and the number of rounds."""
    made, number = list(before), 0
    while (stage := plan.stage(number, play_blocks(made), NOBODY)) is not None:
        known = {block.id for block in made}
        made += [block for block in stage if block.id not in known]
        number += 1
    return made, number


def test_a_bot_that_joins_late_plays_its_blocks_too() -> None:
    before, _ = play_all(Swiss(7, [FOUR], field(12), rounds_per_bot=4), [])
    after, _ = play_all(Swiss(7, [FOUR], field(13), rounds_per_bot=4), before)
    assert appearances(after)["b12"] == 4
    assert len(after) == len(before) + 4
    assert spread(appearances(after)[bot] for bot in field(12)) <= 1


def test_the_weight_of_a_table_is_its_share_of_the_rounds() -> None:
    tables = [FOUR, TableKind("rare", 4, 0.5)]
    made, _ = play_all(Swiss(7, tables, field(12), rounds_per_bot=4), [])
    assert Counter(block.table for block in made) == {"four": 12, "rare": 6}
    with pytest.raises(ScheduleRefused, match="a weight of 1 or more"):
        Swiss(7, tables[1:], field(12))


def test_the_lowest_ranked_bots_without_a_bye_get_it() -> None:
    first, second, third = tournament(swiss(9, rounds=3))
    (idle_first,) = set(field(9)) - set(appearances(first))
    (idle_second,) = set(field(9)) - set(appearances(second))
    last_of_pods = {max(block.bots) for block in first}
    assert idle_second in last_of_pods
    (idle_third,) = set(field(9)) - set(appearances(third))
    assert len({idle_first, idle_second, idle_third}) == 3


def test_a_pod_plays_its_blocks_at_every_table() -> None:
    other = TableKind("other", 4)
    made = blocks_of(Swiss(7, [FOUR, other], field(12), blocks=3))
    assert len(pods(made)) == 3
    assert set(Counter((block.table, frozenset(block.bots)) for block in made).values()) == {3}
    assert len({block.id for block in made}) == len({block.seed for block in made}) == 18


def test_a_pod_that_meets_again_plays_another_block() -> None:
    rounds = tournament(swiss(4, rounds=3))
    assert len({block.id for block in flat(rounds)}) == 3
    assert len({block.seed for block in flat(rounds)}) == 3
    assert [block.stage for block in flat(rounds)] == [0, 1, 2]


def test_an_interrupted_round_continues_as_planned() -> None:
    plan = swiss(26)
    rounds = tournament(plan)
    for number, blocks in enumerate(rounds):
        done = play_blocks([*flat(rounds[:number]), *blocks[1::2]])
        assert blocks_of(plan, number, done) == blocks


def results_of_two_rounds(plan: Swiss) -> tuple[list[BlockResult], list[Block]]:
    rounds = tournament(plan)
    return play_blocks([*rounds[0], *rounds[1][:2]]), rounds[1]


def test_finished_pods_stay_after_a_disqualification() -> None:
    plan = swiss(26)
    done, second = results_of_two_rounds(plan)
    disqualified = second[3].bots[0]
    rest = blocks_of(plan, 1, done, [disqualified])
    assert pods(second[:2]) <= pods(rest)
    assert disqualified not in appearances(rest)
    assert set(appearances(rest).values()) == {1}
    assert len(rest) == 6


def test_the_pod_of_a_disqualified_bot_has_played_its_round() -> None:
    plan = swiss(26)
    done, second = results_of_two_rounds(plan)
    disqualified, *others = second[0].bots
    rest = blocks_of(plan, 1, done, [disqualified])
    assert not set(others) & set(appearances(rest))


def test_it_ends_after_the_last_round_or_with_too_few_bots() -> None:
    plan = swiss(6, rounds=2)
    assert plan.stage(2, (), NOBODY) is None
    assert plan.stage(0, (), frozenset(field(2))) is not None
    assert plan.stage(0, (), frozenset(field(3))) is None


def test_results_of_another_format_do_not_count() -> None:
    plan = swiss(16)
    strange = play_blocks(blocks_of(RoundRobin(7, [FOUR], field(16), 3)))
    first = play_blocks(blocks_of(plan))
    assert blocks_of(plan, 1, [*first, *strange]) == blocks_of(plan, 1, first)


@pytest.mark.parametrize(
    ("bots", "seats", "rounds"), [(4, 4, 3), (5, 4, 4), (16, 4, 4), (17, 4, 5), (8, 2, 5)]
)
def test_the_default_has_two_rounds_more_than_one_winner_needs(
    bots: int, seats: int, rounds: int
) -> None:
    assert default_rounds(bots, seats) == rounds
    assert Swiss(7, [TableKind("table", seats)], field(bots)).stages == rounds


def test_a_swiss_tournament_is_described_by_its_first_round() -> None:
    assert describe(swiss(18, rounds=5, blocks=2)) == Outline(5, 40, 160)


@pytest.mark.parametrize(
    ("tables", "bots", "rounds", "why"),
    [
        ([THREE, FOUR], 8, 2, "the same number of seats"),
        ([FOUR], 3, 2, "needs 4 bots or more"),
        ([FOUR], 8, 0, "rounds must be 1 or more"),
    ],
)
def test_tables_or_bots_that_are_not_valid_are_refused(
    tables: list[TableKind], bots: int, rounds: int, why: str
) -> None:
    with pytest.raises(ScheduleRefused, match=why):
        Swiss(7, tables, field(bots), rounds)


# --- the rounds for people to read


def test_the_rounds_say_who_met_and_who_sat_out() -> None:
    blocks = flat(tournament(swiss(6, rounds=3)))
    rounds = rounds_of(play_blocks(blocks), field(6), is_over=True)
    assert [one.number for one in rounds] == [0, 1, 2]
    for one in rounds:
        assert pods(block for block in blocks if block.stage == one.number) == {
            frozenset(pod) for pod in one.pods
        }
        seated = [bot for pod in one.pods for bot in pod]
        assert sorted([*seated, *one.byes]) == field(6)
    assert {bot for one in rounds for bot in one.byes} == set(field(6))


def test_nobody_has_a_bye_in_a_round_that_is_being_played() -> None:
    results = play_blocks(flat(tournament(swiss(6, rounds=2))))
    *_, last = rounds_of(results, field(6), is_over=False)
    assert last.byes == ()


def test_a_bot_that_has_left_has_no_byes_afterwards() -> None:
    results = play_blocks(flat(tournament(swiss(6, rounds=3))))
    gone = next(bot for bot in field(6) if bot not in results[-1].block.bots)
    left = [bot for bot in field(6) if bot != gone]
    *_, last = rounds_of(results, left, is_over=True)
    assert gone not in last.byes


def test_blocks_of_other_formats_are_not_rounds() -> None:
    results = play_blocks(blocks_of(RoundRobin(7, [FOUR], field(6), 2)))
    assert rounds_of(results, field(6), is_over=True) == []
