"""Every message of the referee in real games, as a bot reads it."""

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
def sent(in_charge: None) -> Iterator[tuple[list[Words], Played]]:
    """All messages to a bot with one strike in two games, and the second game."""
    with BotMatch(["illegal-diary", PLAIN, PLAIN], clock=CLOCK) as match:
        match.play(seed=4)
        second = match.play(seed=5)
        match.players[0].close()
        yield match.diary(), second


Sent = tuple[list[Words], Played]


def of_type(sent: Sent, kind: str) -> list[Words]:
    return [message for message in sent[0] if message["type"] == kind]


def test_the_order_is_hello_then_games_then_quit(sent: Sent) -> None:
    kinds = [message["type"] for message in sent[0]]
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
def test_every_message_has_the_fields_of_its_type(sent: Sent, kind: str, struct: type) -> None:
    messages = [decode(json.dumps(message).encode()) for message in of_type(sent, kind)]
    assert messages
    assert {type(message) for message in messages} == {struct}


def test_hello_names_the_referee_and_the_protocol(sent: Sent) -> None:
    assert of_type(sent, "hello") == [
        {
            "type": "hello",
            "protocol": 1,
            "referee": __version__,
            "game": "hansa-teutonica",
            "encodings": ["json", "msgpack"],
        }
    ]


def test_start_has_the_game_its_rules_and_its_players(sent: Sent) -> None:
    start = of_type(sent, "start")[1]
    assert (start["game"], start["seat"]) == ("a-game", 0)
    assert [player["seat"] for player in start["players"]] == [0, 1, 2]
    assert start["players"][0]["name"] == "illegal-diary-0"
    assert start["rules"] == sent[1].outcome.state.rules.to_dict()
    assert start["board"] == json.loads(json.dumps(BOARD.words))
    assert (start["favours"], start["mission"]) == ([], None)
    assert start["clock"] == {
        "start_ms": None,
        "bank_ms": 600_000,
        "increment_ms": 100,
        "move_ms": 300_000,
    }


def test_the_ids_of_a_seat_have_gaps_for_other_seats(sent: Sent) -> None:
    ids = [message["id"] for message in second_game(sent) if message["type"] == "decide"]
    assert ids == [line["id"] for line in sent[1].of("decision", 0) if line["by"] != "single"]
    assert ids[0] == 1
    assert len(ids) < ids[-1]


def second_game(sent: Sent) -> list[Words]:
    messages = sent[0]
    begin = [index for index, message in enumerate(messages) if message["type"] == "start"][1]
    return messages[begin:]


def test_decide_has_the_time_that_is_left(sent: Sent) -> None:
    assert of_type(sent, "decide")[0]["clock_ms"] == 300_000


def test_the_recorded_choice_is_the_one_at_that_index(sent: Sent) -> None:
    for message in second_game(sent):
        if message["type"] == "decide":
            line = sent[1].at(message["id"])
            assert message["choices"][line["choice"]] == line["do"]


def test_every_event_is_sent_once(sent: Sent) -> None:
    events = [event for message in second_game(sent) for event in message.get("events", [])]
    turns = [event["turn"] for event in events if event["event"] == "turn"]
    assert turns == list(range(1, 10))
    assert [event["event"] for event in events][-4:] == ["game-over", "scored", "scored", "scored"]


def test_end_has_standings_missions_and_the_final_state(sent: Sent) -> None:
    end = of_type(sent, "end")[1]
    assert end["standings"] == sent[1].end["standings"]
    assert end["reason"] == "max-turns"
    assert end["missions"] == [None, None, None]
    assert end["state"]["actions_left"] == 0


def test_quit_has_no_other_fields(sent: Sent) -> None:
    assert of_type(sent, "quit") == [{"type": "quit"}]


def test_the_seed_is_in_no_message() -> None:
    with BotMatch(["diary", PLAIN, PLAIN]) as match:
        match.play(seed=987_654_321)
        assert "987654321" not in match.stderr()


def test_a_decision_with_a_single_choice_is_never_sent() -> None:
    with BotMatch(["diary", PLAIN, PLAIN], max_turns=60) as match:
        game = match.play()
        asked = [message for message in match.diary() if message["type"] == "decide"]
    assert all(len(message["choices"]) > 1 for message in asked)
    assert "single" in {line["by"] for line in game.of("decision")}
