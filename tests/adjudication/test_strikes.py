"""Conduct: strikes, who is out, the final ranks, and what is chosen in a bot's place."""

from __future__ import annotations

import pytest

from referee.adjudication.faults import FATAL, Conduct, Fault, stand_in
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

LIGHT = sorted(set(FAULTS) - FATAL)


def fault(kind: str) -> Fault:
    return Fault(kind, "")


def test_three_kinds_of_fault_are_fatal() -> None:
    assert {"start", "crash", "flood"} == FATAL


@pytest.mark.parametrize("kind", sorted(FATAL))
@pytest.mark.parametrize("allowed", [0, 1, 3])
def test_a_fatal_fault_costs_the_game_whatever_is_allowed(kind: str, allowed: int) -> None:
    conduct = Conduct(3, allowed)
    assert conduct.strike(1, fault(kind), 7)
    assert conduct.out == [None, (kind, 7), None]


@pytest.mark.parametrize("kind", LIGHT)
def test_the_third_of_the_others_costs_the_game(kind: str) -> None:
    conduct = Conduct(2)
    assert [conduct.strike(0, fault(kind), number) for number in (1, 2, 3)] == [False, False, True]
    assert conduct.out == [(kind, 3), None]


def test_strikes_of_different_kinds_add_up() -> None:
    conduct = Conduct(2)
    assert [conduct.strike(0, fault(kind), 1) for kind in ("timeout", "garbage", "illegal")][-1]


def test_with_no_limit_no_number_of_strikes_costs_the_game() -> None:
    conduct = Conduct(2, allowed=0)
    assert not any(conduct.strike(0, fault("timeout"), number) for number in range(1, 1000))
    assert conduct.answers(0)
    assert conduct.strikes == [999, 0]


def test_a_seat_that_is_out_does_not_answer() -> None:
    conduct = Conduct(3)
    conduct.strike(2, fault("crash"), 1)
    assert [conduct.answers(seat) for seat in range(3)] == [True, True, False]


def test_nobody_answers_once_all_are_out() -> None:
    conduct = Conduct(2)
    conduct.strike(0, fault("crash"), 1)
    assert not conduct.nobody_answers()
    conduct.strike(1, fault("crash"), 9)
    assert conduct.nobody_answers()


def ranks(by_score: list[int], **out: int) -> list[int]:
    """Final ranks where the seats named `seat_N` were out at the given decision."""
    conduct = Conduct(len(by_score))
    for seat, number in out.items():
        conduct.strike(int(seat.removeprefix("seat_")), fault("crash"), number)
    return conduct.ranks(by_score)


def test_without_disqualification_ranks_are_those_of_the_score() -> None:
    assert ranks([3, 1, 1, 4]) == [3, 1, 1, 4]


def test_the_disqualified_rank_behind_everyone_who_finished() -> None:
    assert ranks([1, 2, 3, 4], seat_0=50) == [4, 1, 2, 3]


def test_a_later_disqualification_ranks_before_an_earlier_one() -> None:
    assert ranks([1, 2, 3, 4], seat_0=50, seat_1=80) == [4, 3, 1, 2]


def test_equal_disqualifications_share() -> None:
    assert ranks([1, 2, 3, 4], seat_0=1, seat_2=1, seat_3=7) == [3, 1, 3, 2]


def test_those_who_shared_a_rank_still_do() -> None:
    assert ranks([1, 2, 2, 4], seat_0=5) == [4, 1, 1, 3]


def test_when_all_are_out_the_last_to_go_is_first() -> None:
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
def test_in_a_bots_place_the_modest_choice_is_made_else_the_first(
    offered: list[int], chosen: int
) -> None:
    assert stand_in([Choice(do) for do in offered]) == chosen
