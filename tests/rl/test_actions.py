"""Choices as numbers: complete, unique, and independent of the position."""

from __future__ import annotations

from referee.engine import game
from referee.engine.choice import from_point
from referee.engine.terms import DO_RELOCATE, DO_USE, FROM_POINT, NONE
from referee.options import GameOptions, load_game
from referee.rl.actions import TAKE, Numbering
from support.combinations import named, representative
from support.groups import each_of
from support.random_games import decisions, played, sampled, seat_of

every_kind = each_of(representative())


@every_kind
def test_every_choice_has_its_own_number(name: str) -> None:
    one = played(name)
    numbering = Numbering(one.board, one.rules)
    for state in sampled(name):
        offered = game.choices(state)
        numbers = [numbering.by_seat[seat_of(state)][choice] for choice in offered]
        alone = [
            number
            for number, choice in zip(numbers, offered, strict=True)
            if choice.source != FROM_POINT
        ]
        assert len(set(alone)) == len(alone)
        assert {numbering.keys[number][0] for number in set(numbers) - set(alone)} <= {TAKE}


@every_kind
def test_the_numbers_are_without_gaps_and_go_both_ways(name: str) -> None:
    numbering = Numbering(*named(name))
    sections = numbering.sections()
    assert [numbering.number[key] for key in numbering.keys] == list(range(numbering.size))
    assert [one.first for one in sections] == [
        sum(before.length for before in sections[:at]) for at in range(len(sections))
    ]
    assert len({section.name for section in sections}) == len(sections)


def test_options_add_their_numbers() -> None:
    plain = {one.name for one in Numbering(*load_game(GameOptions(), 3)).sections()}
    with_favours = {
        one.name for one in Numbering(*load_game(GameOptions(favours=True), 3)).sections()
    }
    assert with_favours - plain == {"favour", "levy"}
    permits = {
        one.name
        for one in Numbering(
            *load_game(GameOptions(board="britannia-2-3", permits=True), 3)
        ).sections()
    }
    assert "permit" in permits
    assert "neutral-post" in {
        one.name for one in Numbering(*load_game(GameOptions(), 2)).sections()
    }


def test_the_same_choice_has_the_same_number_for_every_seat() -> None:
    one = played("hanse-4-5:4:bigbox+promos")
    numbering = Numbering(one.board, one.rules)
    for choice in game.choices(next(decisions(one))):
        assert len({numbering.by_seat[seat][choice] for seat in range(4)}) == 1


def test_other_seats_are_counted_from_the_own_seat() -> None:
    board, rules = named("hanse-4-5:4:bigbox+promos")
    numbering = Numbering(board, rules)
    swap = board.tables.swap[7][2][0]
    assert (swap.do, swap.seat) == (DO_USE, 2)
    distances = [numbering.words(numbering.by_seat[seat][swap])["seat"] for seat in (0, 1, 3)]
    assert distances == [2, 1, 3]


def test_a_choice_from_point_to_point_begins_with_the_point_that_is_left() -> None:
    board, rules = named("hanse-2-3:3:bigbox")
    numbering = Numbering(board, rules)
    there = [from_point(DO_RELOCATE, 5, 0, goal) for goal in (9, 30)]
    assert {numbering.by_seat[0][choice] for choice in there} == {numbering.number[TAKE, 5]}


def test_a_number_can_be_explained_in_words() -> None:
    numbering = Numbering(*load_game(GameOptions(), 3))
    assert numbering.words(0) == {"do": "income", "traders": 0, "merchants": 1}
    assert numbering.words(numbering.number[TAKE, 4]) == {"do": "take", "point": 4}
    first = next(one for one in numbering.sections() if one.name == "create").first
    assert numbering.words(first)["city"] == NONE
