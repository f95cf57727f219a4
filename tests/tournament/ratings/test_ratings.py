"""Ratings: what each number means."""

from __future__ import annotations

import json
from itertools import permutations

import msgspec
import numpy as np
import pytest

from referee.tournament.ratings import Entry, Ratings, RatingsRefused, rate, rate_by_table, select
from referee.tournament.ratings.estimates import expected_score
from referee.tournament.results import BlockResult
from stress.statistics.intervals import SEATS
from stress.statistics.synthetic import Field, draw_results
from support.rating_results import block, game, rotated


def entry(ratings: Ratings, bot: str) -> Entry:
    (found,) = [one for one in ratings.entries if one.bot == bot]
    return found


def drawn(blocks: int = 40) -> list[BlockResult]:
    field = Field((120.0, 40.0, -40.0, -120.0), SEATS[4], "bots", ties=0.3)
    return draw_results(field, blocks, np.random.default_rng(7))


# --- The scale -----------------------------------------------------------------------------


def test_the_mean_of_the_field_is_1500() -> None:
    ratings = rate(drawn())
    assert sum(one.rating for one in ratings.entries) / 4 == pytest.approx(1500)


def test_the_best_come_first() -> None:
    ratings = [one.rating for one in rate(drawn()).entries]
    assert ratings == sorted(ratings, reverse=True)


def test_equal_bots_are_in_alphabetical_order() -> None:
    alike = [rotated(n, order, (1, 2, 2, 2)) for n, order in enumerate(("gcab", "gbca", "gabc"))]
    assert [one.bot for one in rate(alike).entries] == ["g", "a", "b", "c"]


def test_an_anchor_has_its_rating_and_is_known_exactly() -> None:
    ratings = rate(drawn(), anchor="bot-01", anchor_at=2000)
    anchor = entry(ratings, "bot-01")
    assert (anchor.rating, anchor.low, anchor.high) == (2000, 2000, 2000)


def test_an_anchor_changes_no_difference() -> None:
    free, anchored = rate(drawn()), rate(drawn(), anchor="bot-02", anchor_at=0)
    for other in ("bot-00", "bot-01", "bot-03"):
        before = free.difference("bot-02", other)
        after = anchored.difference("bot-02", other)
        assert (after.elo, after.low) == pytest.approx((before.elo, before.low))


@pytest.mark.parametrize("blocks", [1, 2])
def test_with_an_anchor_intervals_are_those_of_differences(blocks: int) -> None:
    rare = [rotated(100 + n, "abd", (1 + n, 2 - n, 3)) for n in range(blocks)]
    results = [rotated(n, "abc", (1 + n % 3, 1 + (n + 1) % 3, 1 + (n + 2) % 3)) for n in range(30)]
    ratings = rate([*results, *rare], anchor="d", anchor_at=0)
    for one in ratings.entries:
        if one.bot != "d":
            gap = ratings.difference(one.bot, "d")
            assert (one.low, one.high) == pytest.approx((gap.low, gap.high))


def test_an_anchor_that_has_not_played_is_refused() -> None:
    with pytest.raises(
        RatingsRefused, match="'absent' cannot be the anchor: no bot of that name has played a game"
    ):
        rate(drawn(), bots=["absent"], anchor="absent")


def test_the_expected_score_is_that_of_the_first_bot() -> None:
    assert expected_score(1900, 1500) == pytest.approx(10 / 11)
    gap = rate(drawn()).difference("bot-00", "bot-03")
    assert gap.elo > 0
    assert gap.expected_score == pytest.approx(expected_score(gap.elo, 0))


def test_ratings_find_the_true_strengths() -> None:
    ratings = rate(drawn(400))
    for bot, elo in [("bot-00", 120), ("bot-01", 40), ("bot-02", -40), ("bot-03", -120)]:
        assert entry(ratings, bot).rating == pytest.approx(1500 + elo, abs=25)


# --- Intervals ------------------------------------------------------------------------


def test_one_block_gives_a_rating_without_an_interval() -> None:
    best = rate([rotated(0, "abcd", (1, 2, 3, 4))]).entries[0]
    assert best.bot == "a"
    assert (best.low, best.high) == (None, None)


def test_more_blocks_make_intervals_narrower() -> None:
    few, many = entry(rate(drawn(20)), "bot-00"), entry(rate(drawn(320)), "bot-00")
    assert few.low is not None
    assert few.high is not None
    assert many.low is not None
    assert many.high is not None
    assert (many.high - many.low) < (few.high - few.low) / 3


def test_dependent_games_give_wider_intervals() -> None:
    """The same games in blocks of four, and each game as its own block."""
    apart = [block(4 * b + g, one) for b, r in enumerate(drawn()) for g, one in enumerate(r.games)]
    together, alone = rate(drawn()).entries[0], rate(apart).entries[0]
    assert together.rating == pytest.approx(alone.rating)
    assert together.low is not None
    assert alone.low is not None
    assert together.rating - together.low > 1.3 * (alone.rating - alone.low)


def test_a_bot_that_always_wins_has_a_finite_rating_and_a_wide_interval() -> None:
    best = rate([rotated(number, "abcd", (1, 2, 3, 4)) for number in range(30)]).entries[0]
    assert best.first_places == best.games == 120
    assert 1800 < best.rating < 3000
    assert best.high is not None
    assert best.high - best.rating > 150


def test_seats_hidden_by_strengths_have_wide_intervals() -> None:
    (first, *_) = rate([rotated(number, "abcd", (1, 2, 3, 4)) for number in range(30)]).seats
    assert first.elo == pytest.approx(0, abs=1e-6)
    assert first.high is not None
    assert first.high > 10


def test_superiority_is_that_of_the_row() -> None:
    ratings = rate(drawn())
    table = np.array(ratings.superiority)
    assert table + table.T == pytest.approx(np.ones((4, 4)))
    assert table[0, 3] > 0.99
    assert [one.superiority_over_next for one in ratings.entries] == [
        *np.diag(table, 1).tolist(),
        None,
    ]
    assert ratings.difference("bot-00", "bot-03").superiority == table[0, 3]


@pytest.mark.parametrize("blocks", [2, 3, 5, 8, 13, 21, 34])
def test_an_interval_excludes_zero_if_superiority_is_above_39_in_40(blocks: int) -> None:
    ratings = rate(drawn(blocks))
    for one, other in permutations(["bot-00", "bot-01", "bot-02", "bot-03"], 2):
        gap = ratings.difference(one, other)
        assert gap.low is not None
        assert (gap.low > 0) == (gap.superiority > 0.975)


def test_a_difference_uses_the_covariance_of_its_two_ratings() -> None:
    ratings = rate(drawn())
    own, other = ratings.covariance[0], ratings.covariance[1]
    gap = ratings.difference(ratings.entries[0].bot, ratings.entries[1].bot)
    assert gap.high is not None
    variance = own[0] + other[1] - 2 * own[1]
    assert gap.high - gap.elo == pytest.approx(2.02 * variance**0.5, rel=0.01)


def test_bots_that_never_met_cannot_be_compared() -> None:
    apart = [rotated(n, "ab", (1, 2)) for n in range(9)]
    apart += [rotated(n, "cd", (2, 1)) for n in range(9, 18)]
    ratings = rate(apart)
    assert ratings.groups == (("a", "b"), ("c", "d"))
    assert all(one.low is None for one in ratings.entries)
    gap = ratings.difference("a", "c")
    assert (gap.low, gap.high, gap.superiority) == (None, None, 0.5)
    assert ratings.difference("a", "b").low is not None


@pytest.mark.parametrize("blocks", [4, 7, 8])
def test_many_bots_without_games_cause_no_warning(blocks: int) -> None:
    """Numpy warns of the square root of a zero that rounding made negative."""
    ratings = rate([rotated(n, "abcd", (1, 2, 3, 4)) for n in range(blocks)], bots=list("klmno"))
    assert {ratings.difference("k", other).superiority for other in "lmno"} == {0.5}


def test_an_anchor_gives_its_own_group_intervals() -> None:
    apart = [rotated(n, "ab", (1, 2)) for n in range(9)]
    apart += [rotated(n, "cd", (2, 1)) for n in range(9, 18)]
    ratings = rate(apart, anchor="a")
    assert [entry(ratings, bot).low is None for bot in "abcd"] == [False, False, True, True]


def test_the_difference_to_an_unknown_bot_is_refused() -> None:
    with pytest.raises(RatingsRefused, match="'x' is not among the rated bots"):
        rate(drawn()).difference("bot-00", "x")


# --- What is counted -----------------------------------------------------------------------


def counted() -> Ratings:
    results = [
        block(
            0,
            game("abc", (1, 1, 3), totals=(50, 50, 20), faults=(0, 2, 1)),
            game("bca", (1, 3, 2), totals=(60, 30, 40), out=(False, True, False)),
        ),
        block(1, game("cab", (1, 1, 1), totals=(10, 10, 10), faults=(4, 0, 0))),
    ]
    return rate(results, points=(5, 3, 1))


def test_shared_first_places_count_as_shares() -> None:
    places = {one.bot: one.first_places for one in counted().entries}
    assert places == pytest.approx({"a": 1 / 2 + 1 / 3, "b": 1 / 2 + 1 + 1 / 3, "c": 1 / 3})


def test_means_are_over_the_games_of_a_bot() -> None:
    a = entry(counted(), "a")
    assert (a.games, a.blocks) == (3, 2)
    assert a.mean_rank == pytest.approx((1 + 2 + 1) / 3)
    assert a.mean_total == pytest.approx((50 + 40 + 10) / 3)


def test_faults_and_disqualifications_are_counted() -> None:
    found = {
        one.bot: (one.faults, one.faulted_games, one.disqualified) for one in counted().entries
    }
    assert found == {"a": (0, 0, 0), "b": (2, 1, 0), "c": (5, 2, 1)}


def test_tied_bots_share_the_points_of_the_places_they_cover() -> None:
    points = {one.bot: one.points for one in counted().entries}
    assert points == pytest.approx({"a": 4 + 3 + 3, "b": 4 + 5 + 3, "c": 1 + 1 + 3})


def test_places_after_the_last_points_get_none() -> None:
    ratings = rate([block(0, game("abcd", (1, 2, 3, 4)))], points=(5, 3))
    assert [entry(ratings, bot).points for bot in "abcd"] == [5, 3, 0, 0]


def test_points_that_are_not_numbers_are_refused() -> None:
    with pytest.raises(RatingsRefused, match="points must be finite numbers"):
        rate(drawn(), points=(5, float("nan")))


def test_points_are_optional() -> None:
    assert entry(rate(drawn()), "bot-00").points is None


def test_copies_of_a_bot_have_one_rating_and_count_each() -> None:
    results = [rotated(number, "aabc", (1, 4, 2, 3)) for number in range(6)]
    ratings = rate(results)
    assert sorted(one.bot for one in ratings.entries) == ["a", "b", "c"]
    a = entry(ratings, "a")
    assert (a.games, a.blocks, a.mean_rank, a.first_places) == (48, 6, 2.5, 24)


def test_a_bot_without_games_is_last_and_changes_no_rating() -> None:
    with_it, without = rate(drawn(), bots=["absent"]), rate(drawn())
    assert with_it.entries[-1].bot == "absent"
    assert with_it.entries[-1].games == 0
    assert with_it.entries[-1].mean_rank is None
    assert with_it.entries[-1].low is None
    assert with_it.entries[0].rating == pytest.approx(without.entries[0].rating)
    assert with_it.entries[0].low == pytest.approx(without.entries[0].low)


def test_no_results_give_no_ratings() -> None:
    ratings = rate([])
    assert (ratings.entries, ratings.seats, ratings.games) == ((), (), 0)


# --- Seats and selections ------------------------------------------------------------------


def test_seat_effects_sum_to_zero_and_find_the_better_seats() -> None:
    seats = rate(drawn(200)).seats
    assert [one.seat for one in seats] == [0, 1, 2, 3]
    assert {one.games for one in seats} == {800}
    assert sum(one.elo for one in seats) == pytest.approx(0, abs=1e-6)
    for seat, truth in zip(seats, SEATS[4], strict=True):
        assert seat.elo == pytest.approx(truth, abs=20)
        assert seat.low is not None
        assert seat.high is not None
        assert seat.low < seat.elo < seat.high


def mixed() -> list[BlockResult]:
    return [
        block(0, game("ab", (1, 2), table="two"), game("ba", (1, 2), table="two", faults=(0, 1))),
        block(1, game("abc", (1, 2, 3), table="three")),
        block(2, game("ab", (2, 1), table="two", faults=(1, 0))),
    ]


def test_each_table_has_its_own_seats() -> None:
    seats = [(one.table, one.seat, one.games) for one in rate(mixed()).seats]
    assert seats == [("three", n, 1) for n in range(3)] + [("two", n, 3) for n in range(2)]


def test_a_selection_keeps_the_games_of_one_table() -> None:
    kept = list(select(mixed(), table="two"))
    assert [(one.block.id, len(one.games)) for one in kept] == [("b0", 2), ("b2", 1)]


def test_a_selection_leaves_out_games_with_faults() -> None:
    kept = list(select(mixed(), without_faults=True))
    assert [(one.block.id, len(one.games)) for one in kept] == [("b0", 1), ("b1", 1)]


def test_tables_can_be_rated_separately() -> None:
    apart = rate_by_table(mixed(), points=(1,))
    assert list(apart) == ["three", "two"]
    assert apart["two"] == rate(select(mixed(), table="two"), points=(1,))


def test_ratings_become_json() -> None:
    data = msgspec.to_builtins(rate(drawn()))
    assert json.loads(json.dumps(data, allow_nan=False)) == json.loads(
        msgspec.json.encode(rate(drawn()))
    )
