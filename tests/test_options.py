"""The options of a game: their defaults, what was given, and the board and rules that follow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.adjudication.clock import NO_CLOCK, ClockRules
from referee.adjudication.clock_rules import GivenClock
from referee.engine.errors import RulesRefused
from referee.options import (
    GameKeywords,
    GameOptions,
    GivenOptions,
    lay,
    load_game,
    options_from,
)
from support.groups import together


def test_every_form_of_the_options_has_the_same_names() -> None:
    names = GameOptions.__struct_fields__
    assert GivenOptions.__struct_fields__ == names
    assert tuple(GameKeywords.__annotations__) == names


def test_the_ruleset_has_every_option() -> None:
    _, rules = load_game(GameOptions(missions=True, max_turns=7), 3)
    said = rules.to_dict()
    assert {name: said[name] for name in GameOptions().rule_options()} == {
        "edition": "bigbox",
        "missions": True,
        "favours": False,
        "neutral": None,
        "permits": False,
        "promos": False,
        "promo_markers": None,
        "country_ties": None,
        "permanent_markers": None,
        "max_turns": 7,
    }


@together(("players", "board"), [(3, "hanse-2-3"), (4, "hanse-4-5")])
def test_the_default_board_depends_on_the_players(players: int, board: str) -> None:
    assert load_game(GameOptions(), players).board.id == board


def test_impossible_rules_are_refused() -> None:
    with pytest.raises(RulesRefused, match="permits"):
        load_game(GameOptions(permits=True), 3)


def test_given_options_override_the_default() -> None:
    default = GameOptions(missions=True, max_turns=9)
    options = GivenOptions(missions=False, edition="original").options(default)
    assert options == GameOptions(missions=False, edition="original", max_turns=9)


def test_only_given_options_are_named() -> None:
    assert GivenOptions(favours=False, board="east").given() == {"board": "east", "favours": False}


def test_a_path_can_be_the_board() -> None:
    assert options_from({"board": Path("some.toml")}).board == "some.toml"


def test_an_unknown_keyword_gets_a_suggestion() -> None:
    wrong: Any = {"mission": True}
    with pytest.raises(TypeError, match=r"'mission' is not an option of a game.*'missions'"):
        options_from(wrong)


def test_lay_still_works_and_is_deprecated() -> None:
    with pytest.warns(DeprecationWarning, match="load_game"):
        board, rules = lay(3, board="east", promos=True)
    assert (board.id, rules.promos) == ("east", True)


# --- the clock


def test_given_limits_override_the_default_and_off_is_none() -> None:
    given = GivenClock(bank_ms=500, move_ms="off", clock="cpu")
    clock = given.rules(ClockRules())
    assert clock == ClockRules(bank_ms=500, move_ms=None, by_cpu=True)


def test_nothing_given_is_the_default_clock() -> None:
    assert GivenClock().rules(NO_CLOCK) == NO_CLOCK


def test_clock_limits_have_the_same_names_everywhere() -> None:
    limits = [name for name in ClockRules.__struct_fields__ if name != "by_cpu"]
    assert [name for name in GivenClock.__struct_fields__ if name != "clock"] == limits
    assert list(ClockRules().message_dict()) == limits
