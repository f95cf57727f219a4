"""Rulesets: every allowed combination has a name, and any other is refused with a reason."""

from __future__ import annotations

from typing import Any

import pytest

from referee import atlas
from referee.engine.errors import RefereeError, RulesRefused
from referee.engine.ruleset import make_ruleset, parse_name
from support.combinations import (
    BOARDS,
    EDITIONS,
    NEUTRAL,
    PLAYERS,
    WITH_VALUES,
    Options,
    allowed,
    combinations,
    every_way,
    is_allowed,
    named,
    ruleset,
)
from support.groups import each_of, together

HANSE = ("hanse-4-5", "hanse-2-3")
NOT_OPTIONS = ("board", "rules_version")  # in a ruleset's dict
BRITANNIA = ("britannia-4-5", "britannia-2-3")
PLAIN = Options(
    3, "bigbox", missions=False, favours=False, neutral=None, permits=False, promos=False
)


def refusal(board: str, players: int, **options: Any) -> str:
    with pytest.raises(RulesRefused) as refused:
        make_ruleset(atlas.load_components(), atlas.load_board(board), players, **options)
    return str(refused.value)


# -- what is allowed


@together("board", BOARDS)
def test_only_what_the_table_of_options_allows_is_accepted(board: str) -> None:
    for options in every_way():
        try:
            made = ruleset(board, options)
        except RulesRefused:
            assert not is_allowed(board, options), options
        else:
            assert is_allowed(board, options), made.name


def test_the_table_allows_105_games() -> None:
    counts = [len(allowed(board)) for board in BOARDS]
    assert counts == [24, 36, 15, 12, 18]


def test_bundled_boards_are_those_of_the_table() -> None:
    assert set(atlas.board_names()) == set(BOARDS)
    for board, players in PLAYERS.items():
        fewest, most = atlas.load_board(board).players
        assert tuple(range(fewest, most + 1)) == players


def test_two_players_have_the_neutral_colour_of_britannia_by_default() -> None:
    assert ruleset("east", PLAIN._replace(players=2)).neutral == "britannia"
    assert ruleset("east", PLAIN._replace(players=2, neutral="2009")).neutral == "2009"
    assert ruleset("east", PLAIN).neutral is None


def test_the_big_box_is_the_default_edition() -> None:
    made = make_ruleset(atlas.load_components(), atlas.load_board("east"), 3)
    assert made.edition == "bigbox"
    assert made.to_dict() == PLAIN._asdict() | {
        "board": "east",
        "promo_markers": None,
        "country_ties": None,
        "permanent_markers": None,
        "max_turns": 0,
        "rules_version": 1,
    }


# -- names


@each_of(combinations())
def test_a_name_stands_for_its_ruleset(name: str) -> None:
    board, rules = named(name)
    assert rules.name == name
    given: Any = {key: rules.to_dict()[key] for key in rules.to_dict() if key not in NOT_OPTIONS}
    assert make_ruleset(atlas.load_components(), board, **given) == rules


def test_every_ruleset_has_a_name_of_its_own() -> None:
    assert len(set(combinations())) == 105 + len(WITH_VALUES)


@together(
    ("name", "options"),
    [
        ("east:3:bigbox", {"board": "east", "players": 3, "edition": "bigbox"}),
        (
            "hanse-2-3:2:original+missions+favours+neutral=2009",
            {
                "board": "hanse-2-3",
                "players": 2,
                "edition": "original",
                "missions": True,
                "favours": True,
                "neutral": "2009",
            },
        ),
        (
            "britannia-4-5:5:bigbox+permits+promos+max_turns=77",
            {
                "board": "britannia-4-5",
                "players": 5,
                "edition": "bigbox",
                "permits": True,
                "promos": True,
                "max_turns": 77,
            },
        ),
    ],
)
def test_a_name_is_read_as_its_options(name: str, options: dict[str, object]) -> None:
    assert parse_name(name) == options
    assert named(name)[1].name == name


def test_a_limit_of_turns_is_in_the_name_only_if_there_is_one() -> None:
    assert ruleset("east", PLAIN, max_turns=0).name == "east:3:bigbox"
    assert ruleset("east", PLAIN, max_turns=1_000_000).name == "east:3:bigbox+max_turns=1000000"


@together(
    ("name", "message"),
    [
        ("", "'' is not a valid ruleset name"),
        ("east", "'east' is not a valid ruleset name; an example is"),
        ("east:three:bigbox", "is not a valid ruleset name"),
        ("east:-3:bigbox", "is not a valid ruleset name"),
        ("east:3:bigbox:more", "is not a valid ruleset name"),
        (
            "east:3:bigbox+mission",
            "'mission' in .* is not a valid option; the options are missions, favours",
        ),
        ("east:3:bigbox+", "'' in .* is not a valid option"),
        (
            "east:3:bigbox+max_turns=-1",
            "'max_turns=-1' in .* is not valid; the options with a value",
        ),
        ("east:3:bigbox+max_turns", "'max_turns' in .* is not a valid option"),
        ("east:3:bigbox+missions=on", "'missions=on' in .* is not valid; the options with a value"),
    ],
)
def test_an_invalid_name_of_a_ruleset_is_refused(name: str, message: str) -> None:
    with pytest.raises(RulesRefused, match=message):
        parse_name(name)


# -- what is refused, and why


@together("board", BOARDS)
@together("players", [0, 1, 6, -2])
def test_a_number_of_players_that_no_board_takes_is_refused(board: str, players: int) -> None:
    assert refusal(board, players).endswith(f"players, not {players}")


def test_the_sentence_about_players_says_how_many_the_board_allows() -> None:
    assert refusal("hanse-4-5", 3) == "board hanse-4-5 takes 4 to 5 players, not 3"
    assert refusal("east", 6) == "board east takes 2 to 5 players, not 6"


@together("players", [3.0, "3", None])
def test_a_number_of_players_that_is_not_an_integer_is_refused(players: Any) -> None:
    """The compiled engine refuses other types by itself."""
    with pytest.raises((RulesRefused, TypeError)):
        make_ruleset(atlas.load_components(), atlas.load_board("east"), players)


def test_an_unknown_edition_is_refused_and_the_known_ones_are_named() -> None:
    message = refusal("east", 3, edition="deluxe")
    assert "'deluxe'" in message
    assert all(edition in message for edition in EDITIONS)


@together("board", ["east", *BRITANNIA])
def test_missions_are_refused_where_there_are_no_cards(board: str) -> None:
    message = refusal(board, PLAYERS[board][-1], missions=True)
    assert message == f"missions cannot be played on {board}: it has no mission cards"


@together("board", ["east", *BRITANNIA])
def test_favours_are_refused_except_on_the_hanse_boards(board: str) -> None:
    message = refusal(board, PLAYERS[board][-1], favours=True)
    assert message == f"Emperor's Favour cannot be played on {board}"


@together("board", ["east", *HANSE])
def test_permits_are_refused_where_no_route_needs_one(board: str) -> None:
    message = refusal(board, PLAYERS[board][-1], permits=True)
    assert message == f"permits cannot be bought on {board}: none of its cities has one"


@together("board", BOARDS)
def test_promos_are_refused_in_the_edition_of_2009(board: str) -> None:
    message = refusal(board, PLAYERS[board][-1], edition="original", promos=True)
    assert message == "the promo markers do not belong to edition 'original'"


@together("neutral", NEUTRAL)
@together("players", [3, 4, 5])
def test_a_neutral_colour_is_refused_with_more_than_two_players(players: int, neutral: str) -> None:
    message = refusal("east", players, neutral=neutral)
    assert message == f"neutral is only for games of 2 players, not {players}"


@together("players", [2, 3])
def test_an_unknown_neutral_colour_is_refused_and_the_known_ones_are_named(players: int) -> None:
    message = refusal("east", players, neutral="2020")
    assert message == "neutral '2020' is not valid; the values are 2009, britannia"


@together("limit", [-1, 1_000_001])
def test_a_limit_of_turns_out_of_bounds_is_refused(limit: int) -> None:
    message = refusal("east", 3, max_turns=limit)
    assert message == f"max_turns {limit} is not a whole number from 0 (no limit) to 1000000"


@together("limit", [10.0, "10", None])
def test_a_limit_of_turns_that_is_not_an_integer_is_refused(limit: Any) -> None:
    with pytest.raises((RulesRefused, TypeError)):
        make_ruleset(atlas.load_components(), atlas.load_board("east"), 3, max_turns=limit)


def test_a_refused_ruleset_is_a_user_error() -> None:
    assert issubclass(RulesRefused, RefereeError)


def test_a_refusal_leaves_the_board_as_it_was() -> None:
    board = atlas.load_board("east")
    before = board.digest, repr(board.words)
    refusal("east", 3, missions=True)
    assert (board.digest, repr(board.words)) == before
