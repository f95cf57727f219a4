"""The conversation: every message of the referee, as a real bot reads it, and every one of a bot."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from protocol.codec import decode
from protocol.messages import Decide, End, Error, Hello, Quit, Start
from referee import __version__
from referee.adjudication.clock import NO_CLOCK
from support.match_setup import BOARD, PLAIN, BotMatch, Played, Words

pytestmark = pytest.mark.usefixtures("in_charge")

CLOCK = replace(NO_CLOCK, bank_ms=600_000, increment_ms=100, move_ms=300_000)


@pytest.fixture(scope="module")
def told(in_charge: None) -> Iterator[tuple[list[Words], Played]]:
    """All that a bot with one strike is told in two games, and the second of them."""
    with BotMatch(["illegal-diary", PLAIN, PLAIN], clock=CLOCK) as party:
        party.play(seed=4)
        second = party.play(seed=5)
        party.players[0].close()
        yield party.diary(), second


Told = tuple[list[Words], Played]


def of(told: Told, kind: str) -> list[Words]:
    return [message for message in told[0] if message["type"] == kind]


def test_the_order_is_hello_then_games_then_quit(told: Told) -> None:
    kinds = [message["type"] for message in told[0]]
    game = [kind for kind in kinds[1:-1] if kind != "decide"]
    assert (kinds[0], kinds[-1]) == ("hello", "quit")
    assert game == ["start", "error", "end", "start", "error", "end"]


@pytest.mark.parametrize(
    ("kind", "struct"),
    [
        ("hello", Hello),
        ("start", Start),
        ("decide", Decide),
        ("error", Error),
        ("end", End),
        ("quit", Quit),
    ],
)
def test_every_message_is_as_its_type_says(told: Told, kind: str, struct: type) -> None:
    messages = [decode(json.dumps(message).encode()) for message in of(told, kind)]
    assert messages
    assert {type(message) for message in messages} == {struct}


def test_hello_says_who_asks(told: Told) -> None:
    assert of(told, "hello") == [
        {
            "type": "hello",
            "protocol": 1,
            "referee": __version__,
            "game": "hansa-teutonica",
            "encodings": ["json", "msgpack"],
        }
    ]


def test_start_says_what_is_played_and_by_whom(told: Told) -> None:
    start = of(told, "start")[1]
    assert (start["game"], start["seat"]) == ("a-game", 0)
    assert [player["seat"] for player in start["players"]] == [0, 1, 2]
    assert start["players"][0]["name"] == "illegal-diary-0"
    assert start["rules"] == told[1].outcome.state.rules.to_dict()
    assert start["board"] == json.loads(json.dumps(BOARD.words))
    assert (start["favours"], start["mission"]) == ([], None)
    assert start["clock"] == {
        "start_ms": None,
        "bank_ms": 600_000,
        "increment_ms": 100,
        "move_ms": 300_000,
    }


def test_decide_has_gaps_in_its_ids_for_the_decisions_of_others(told: Told) -> None:
    ids = [message["id"] for message in second_game(told) if message["type"] == "decide"]
    assert ids == [line["id"] for line in told[1].of("decision", 0) if line["by"] != "single"]
    assert ids[0] == 1
    assert len(ids) < ids[-1]


def second_game(told: Told) -> list[Words]:
    messages = told[0]
    begin = [index for index, message in enumerate(messages) if message["type"] == "start"][1]
    return messages[begin:]


def test_decide_says_how_much_time_there_is(told: Told) -> None:
    assert of(told, "decide")[0]["clock_ms"] == 300_000


def test_what_is_chosen_is_the_choice_at_that_index(told: Told) -> None:
    for message in second_game(told):
        if message["type"] == "decide":
            line = told[1].at(message["id"])
            assert message["choices"][line["choice"]] == line["do"]


def test_every_event_is_told_once(told: Told) -> None:
    events = [event for message in second_game(told) for event in message.get("events", [])]
    turns = [event["turn"] for event in events if event["event"] == "turn"]
    assert turns == list(range(1, 10))
    assert [event["event"] for event in events][-4:] == ["game-over", "scored", "scored", "scored"]


def test_end_lays_everything_open(told: Told) -> None:
    end = of(told, "end")[1]
    assert end["standings"] == told[1].end["standings"]
    assert end["reason"] == "max-turns"
    assert end["missions"] == [None, None, None]
    assert end["state"]["actions_left"] == 0


def test_quit_says_nothing_more(told: Told) -> None:
    assert of(told, "quit") == [{"type": "quit"}]


def test_the_seed_is_in_no_message() -> None:
    with BotMatch(["diary", PLAIN, PLAIN]) as party:
        party.play(seed=987_654_321)
        assert "987654321" not in party.stderr()


def test_a_decision_with_a_single_choice_is_never_sent() -> None:
    with BotMatch(["diary", PLAIN, PLAIN], max_turns=60) as party:
        game = party.play()
        asked = [message for message in party.diary() if message["type"] == "decide"]
    assert all(len(message["choices"]) > 1 for message in asked)
    assert "single" in {line["by"] for line in game.of("decision")}
