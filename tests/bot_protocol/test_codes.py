"""Words and codes, JSON and MessagePack: all four mean the same."""

from __future__ import annotations

from typing import Any

import pytest

from protocol import Codes, Request
from protocol.choices import Reward
from protocol.codes import choice_fields, event_fields
from referee.encoder import Detail
from referee.engine import game
from referee.engine.choice import Choice
from referee.engine.codes import about_codes, choice_code
from referee.engine.serialize import choice_words
from referee.engine.terms import (
    DECISIONS,
    DO_PLACE_FREELY,
    DO_RELOCATE,
    DO_USE,
    FROM_POINT,
    MERCHANT,
    PLUS_3_ACTIONS,
    SWAP_MARKER,
    TRADER,
)
from referee.engine.view import about
from support.combinations import WITH_LEVY, WITH_VALUES, representative
from support.dialogue import conversation, in_words, parsed
from support.groups import together
from support.random_games import played, sampled

SAMPLE = representative()[2::8]  # every board and every number of players
WAYS: tuple[tuple[Detail, bool], ...] = (("words", True), ("codes", True), ("codes", False))


@pytest.mark.parametrize("name", SAMPLE)
def test_codes_mean_the_same_as_words(name: str) -> None:
    one = played(name)
    codes: Codes | None = None
    for (words, _), (numbers, _) in zip(
        conversation(one, 0), conversation(one, 0, detail="codes"), strict=True
    ):
        if codes is None:
            assert numbers == words
            codes = Codes(parsed(words))
        else:
            assert in_words(codes, parsed(numbers)) == parsed(words)


def test_rare_choices_and_decisions_mean_the_same_too() -> None:
    found = set[str]()
    for name in (WITH_LEVY, *WITH_VALUES):
        start, _ = next(conversation(played(name), 0))
        codes = Codes(parsed(start))
        for state in sampled(name):
            for choice in game.choices(state):
                words = choice_words(state.board, choice)
                assert codes.choice(choice_code(choice)) == words
                found.add(words["do"])
            decision = state.agenda[-1]
            kind = DECISIONS[decision.kind]
            numbers: Any = about_codes(state, decision)
            if numbers is not None:
                translated: Any = codes.about(kind, numbers)
                assert translated == about(state, decision)
                found.add(kind)
    assert {"favour", "tribute"} <= found


@together(
    ("choice", "expected"),
    [
        (
            Choice(DO_PLACE_FREELY, kind=TRADER, source=FROM_POINT, origin=1, point=4),
            {"from_route": "ROUTE", "from_point": 1},
        ),
        (
            Choice(DO_RELOCATE, kind=MERCHANT, source=FROM_POINT, origin=0, point=1),
            {"from_route": "ROUTE", "from_point": 0},
        ),
        (
            Choice(DO_USE, marker=SWAP_MARKER, seat=2, other=PLUS_3_ACTIONS),
            {"marker": "swap-marker", "owner": 2, "takes": "plus-3-actions"},
        ),
    ],
)
def test_a_choice_that_is_rarely_offered_means_the_same_too(
    choice: Choice, expected: dict[str, object]
) -> None:
    one = played(SAMPLE[0])
    start, _ = next(conversation(one, 0))
    words = choice_words(one.board, choice)
    found: Any = Codes(parsed(start)).choice(choice_code(choice))
    assert found == words
    route = one.board.route_ids[0]
    assert (
        expected.items()
        <= {key: "ROUTE" if value == route else value for key, value in found.items()}.items()
    )


@pytest.mark.parametrize(
    ("name", "detail", "state"), [(name, *WAYS[at % 3]) for at, name in enumerate(SAMPLE)]
)
def test_messagepack_means_the_same_as_json(name: str, detail: Detail, state: bool) -> None:
    one, seat = played(name), 1
    for (line, _), (packed, _) in zip(
        conversation(one, seat, "json", detail, state=state),
        conversation(one, seat, "msgpack", detail, state=state),
        strict=True,
    ):
        assert parsed(packed, "msgpack") == parsed(line)


def test_without_a_state_everything_else_is_sent() -> None:
    one = played(SAMPLE[0])
    for (full, _), (bare, _) in zip(
        conversation(one, 0), conversation(one, 0, state=False), strict=True
    ):
        whole = parsed(full)
        if whole["type"] == "decide":
            assert whole.pop("state")
        assert parsed(bare) == whole


def test_the_fields_of_a_code_have_names() -> None:
    assert choice_fields([1, 17, 0]) == {"do": "place", "point": 17, "kind": 0}
    assert event_fields([0, 3, 2, 4]) == {"event": "turn", "turn": 3, "seat": 2, "actions": 4}


def request_of(*choices: object) -> Request:
    message: Any = {
        "id": 1,
        "decision": "turn",
        "choices": list(choices),
        "events": [],
        "clock_ms": None,
    }
    return Request(message)


def test_choices_in_codes_are_found_by_field() -> None:
    request = request_of([1, 17, 0], [1, 17, 1], [1, 18, 0], [8])
    assert request.codes == [[1, 17, 0], [1, 17, 1], [1, 18, 0], [8]]
    found: list[Any] = [*request.find(do="place", point=17), *request.find(do="end-turn")]
    assert found == [[1, 17, 0], [1, 17, 1], [8]]
    assert request.index([1, 18, 0]) == 2


def has_post(reward: Reward | None) -> bool:
    return reward is not None and "post" in reward


def test_choices_in_words_are_found_by_field() -> None:
    place = {"do": "place", "route": "a--b", "point": 0, "tradesman": "trader"}
    create = {"do": "create", "route": "a--b", "reward": {"post": "a"}}
    only = {"do": "create", "route": "a--b", "reward": None}
    extra = {"do": "relocate", "from": "stock", "route": "b--c", "point": 1}
    request = request_of(place, create, only, extra)
    assert request.find() == [place, create, only, extra]
    assert request.find(do=("place", "relocate")) == [place, extra]
    assert request.find(route="a--b", point=0) == [place]
    assert request.find(reward=None) == [only]
    assert request.find(do="create", reward={"post": "a"}) == [create]
    assert request.find(reward=has_post) == [create]
    assert request.find(from_="stock") == [extra]
    assert [choice.index for choice in request.find(do="create")] == [1, 2]
    assert request.find(do="favour") == []
    assert request.time_left() is None
    with pytest.raises(ValueError, match="the choices are in words"):
        _ = request.codes
