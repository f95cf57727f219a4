"""Strikes: when they disqualify a seat, the final ranks, and the default choice."""

from __future__ import annotations

import pytest

from referee.adjudication.faults import FATAL, Strikes, default_choice
from referee.engine.choice import Choice
from referee.engine.terms import (
    DO_DECLINE,
    DO_END_TURN,
    DO_INCOME,
    DO_LIFT,
    DO_PLACE,
    DO_PUT,
    DO_RELOCATE,
    DO_STOP,
    FAULTS,
)
from support.groups import together

LIGHT = sorted(set(FAULTS) - FATAL)


def test_three_kinds_of_fault_are_fatal() -> None:
    assert {"start", "crash", "flood"} == FATAL


@together("kind", sorted(FATAL))
@together("allowed", [0, 1, 3])
def test_a_fatal_fault_always_disqualifies(kind: str, allowed: int) -> None:
    strikes = Strikes(3, allowed)
    assert strikes.add(1, kind, 7)
    assert strikes.out == [None, (kind, 7), None]


@pytest.mark.parametrize("kind", LIGHT)
def test_the_third_fault_of_another_kind_disqualifies(kind: str) -> None:
    strikes = Strikes(2)
    assert [strikes.add(0, kind, number) for number in (1, 2, 3)] == [False, False, True]
    assert strikes.out == [(kind, 3), None]


def test_strikes_of_different_kinds_add_up() -> None:
    strikes = Strikes(2)
    assert [strikes.add(0, kind, 1) for kind in ("timeout", "garbage", "illegal")][-1]


def test_without_a_limit_no_number_of_strikes_disqualifies() -> None:
    strikes = Strikes(2, allowed=0)
    assert not any(strikes.add(0, "timeout", number) for number in range(1, 1000))
    assert strikes.answers(0)
    assert strikes.counts == [999, 0]


def test_a_disqualified_seat_does_not_answer() -> None:
    strikes = Strikes(3)
    strikes.add(2, "crash", 1)
    assert [strikes.answers(seat) for seat in range(3)] == [True, True, False]


def test_nobody_answers_once_all_are_disqualified() -> None:
    strikes = Strikes(2)
    strikes.add(0, "crash", 1)
    assert not strikes.nobody_answers()
    strikes.add(1, "crash", 9)
    assert strikes.nobody_answers()


def ranks(by_score: list[int], **out: int) -> list[int]:
    """Final ranks if each `seat_N` was disqualified at the given decision."""
    strikes = Strikes(len(by_score))
    for seat, number in out.items():
        strikes.add(int(seat.removeprefix("seat_")), "crash", number)
    return strikes.ranks(by_score)


def test_without_disqualifications_ranks_follow_the_score() -> None:
    assert ranks([3, 1, 1, 4]) == [3, 1, 1, 4]


def test_disqualified_seats_rank_behind_all_that_finished() -> None:
    assert ranks([1, 2, 3, 4], seat_0=50) == [4, 1, 2, 3]


def test_a_later_disqualification_ranks_before_an_earlier() -> None:
    assert ranks([1, 2, 3, 4], seat_0=50, seat_1=80) == [4, 3, 1, 2]


def test_disqualifications_at_one_decision_share_a_rank() -> None:
    assert ranks([1, 2, 3, 4], seat_0=1, seat_2=1, seat_3=7) == [3, 1, 3, 2]


def test_seats_that_shared_a_rank_still_share_it() -> None:
    assert ranks([1, 2, 2, 4], seat_0=5) == [4, 1, 1, 3]


def test_if_all_are_disqualified_the_latest_ranks_first() -> None:
    assert ranks([1, 2, 3], seat_0=10, seat_1=30, seat_2=20) == [3, 1, 2]


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        ([DO_INCOME, DO_PLACE, DO_END_TURN], 2),
        ([DO_LIFT, DO_LIFT, DO_STOP], 2),
        ([DO_RELOCATE, DO_DECLINE], 1),
        ([DO_RELOCATE, DO_RELOCATE], 0),
        ([DO_PUT, DO_PUT], 0),
        ([DO_LIFT, DO_LIFT], 0),
    ],
)
def test_the_default_choice_ends_declines_or_stops_else_is_the_first(
    offered: list[int], chosen: int
) -> None:
    assert default_choice([Choice(do) for do in offered]) == chosen
