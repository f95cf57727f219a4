"""Faults: they cost the bot that made them, are recorded, and do not disturb other bots."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from referee.adjudication.clock import NO_CLOCK
from referee.engine import game as engine
from referee.match.runner import GameListener
from support.match_setup import PLAIN, BotMatch, Played, left_running, marked, play, played_once

pytestmark = pytest.mark.usefixtures("in_charge")

HURRY: dict[str, Any] = {"move_ms": 40}
SMALL_PIPE: dict[str, Any] = {**HURRY, "pipe_bytes": 4096}


def assert_undisturbed(game: Played, *seats: int) -> None:
    """These seats made all their decisions themselves, without a fault."""
    for seat in seats:
        assert game.faults(seat) == []
        assert set(game.by(seat)) == {"bot"}
        assert game.disqualified[seat] is None


def assert_played_out(game: Played) -> None:
    """The game ended by its own rules, and a replay of the record gives the same result."""
    assert game.outcome.void is None
    assert game.end["reason"] == "max-turns"
    indices = [line["choice"] for line in game.of("decision")]
    state = game.outcome.state
    again = engine.replay(state.board, state.rules, game.outcome.seed, indices)
    assert again.digest() == game.end["digest"]


def bytes_of(fault: dict[str, Any]) -> bytes:
    return base64.b64decode(fault["bytes_base64"])


# --- start ---------------------------------------------------------------------------------

AT_THE_START = {
    "crashes-at-once": ("did not send hello: it ended with exit status 1", {}),
    "exits-early": ("did not send hello: it ended with exit status 0", {}),
    "exits_after_hello.sh": ("did not send ready: it ended with exit status 0", {}),
    "hears_nothing.sh": ("did not send ready: it closed its standard input", {}),
    "echo.sh": ("did not send hello: not a message", {}),
    "never-greets": ("did not send hello within 150 ms: it sent nothing", {"hello_ms": 150}),
    "never-ready": ("did not send ready within 150 ms: it sent nothing", {"start_ms": 150}),
    "greets-in-msgpack": (
        "did not send hello: this is MessagePack, and messages are JSON unless hello asked for",
        {},
    ),
    "wants-msgpack-and-sends-json": (
        "did not send ready: this is JSON, and hello asked for msgpack: b'{'",
        {},
    ),
    "greets-with-ready": ("sent another message instead of hello", {}),
    "greets-with-garbage": ("did not send hello: not readable", {}),
    "greets-without-name": ("did not send hello: not a message", {}),
    "greets-twice": ("sent another message instead of ready", {}),
    "speaks-protocol-two": ("the bot uses protocol 2, this referee uses protocol 1", {}),
    "wants-unknown-encoding": ("unknown encoding 'xml', it must be json or msgpack: ", {}),
    "wants-unknown-detail": ("unknown detail 'poems', it must be words or codes: ", {}),
    "crashes-at-start": ("did not send ready: it ended with exit status 7", {}),
}


@pytest.mark.parametrize("kind", AT_THE_START)
@pytest.mark.usefixtures("short_grace")
def test_a_bot_without_a_handshake_is_out_before_the_first_decision(kind: str) -> None:
    says, options = AT_THE_START[kind]
    game = play(kind, PLAIN, PLAIN, **options) if options else played_once(kind, PLAIN, PLAIN)
    fault = game.fault()
    assert (fault["fault"], fault["id"], fault["strikes"]) == ("start", None, 1)
    assert says in fault["message"]
    assert game.disqualified == ["start", None, None]
    assert set(game.by(0)) == {"referee"}
    assert game.ranks[0] == 3
    assert_undisturbed(game, 1, 2)
    assert_played_out(game)


def test_the_stderr_of_a_bot_that_crashed_is_in_the_record() -> None:
    assert "this bot has no luck" in played_once("crashes-at-once", PLAIN, PLAIN).fault()["stderr"]


def test_a_message_instead_of_hello_is_in_the_record() -> None:
    game = played_once("greets-with-garbage", PLAIN, PLAIN)
    assert bytes_of(game.fault()) == b"Hello, I am a bot!"


def test_a_bot_that_cannot_start_is_out_and_the_rest_play_on() -> None:
    with BotMatch(["diary", PLAIN, PLAIN]) as match:
        first = match.players[0].player
        first.bot = replace(first.bot, command=("no-such-program",))
        game = match.play()
    assert game.fault()["fault"] == "start"
    assert game.fault()["message"].endswith(
        "cannot be started: there is no program 'no-such-program' on the path"
    )
    assert_undisturbed(game, 1, 2)
    assert_played_out(game)


# --- crash ---------------------------------------------------------------------------------

IN_MID_GAME = {
    "crashes": "ended with exit status 1",
    "kills-itself": "was ended by SIGSEGV",
    "kills-itself-oddly": "was ended by signal ",
    "closes-stdout": "closed its standard output",
    "leaves-stdout-to-a-child": "ended with exit status 3",
    "daemon-and-crash": "ended with exit status 1",
}


@pytest.mark.parametrize("kind", IN_MID_GAME)
def test_a_crash_costs_the_game_at_once(kind: str) -> None:
    game = played_once(kind, PLAIN, PLAIN)
    fault = game.fault()
    assert (fault["fault"], fault["strikes"]) == ("crash", 1)
    assert fault["message"].startswith(IN_MID_GAME[kind])
    assert game.by(0)[:2] == ["bot", "referee"]
    assert set(game.by(0)[2:]) == {"referee"}
    assert game.at(fault["id"])["by"] == "referee"
    assert game.disqualified == ["crash", None, None]
    assert_undisturbed(game, 1, 2)
    assert_played_out(game)


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("answers-and-leaves", "ended with exit status 0"),
        ("closes-stdin", "closed its standard input"),
        ("closes-stdin-unread", "closed its standard input"),
        ("closes-stdin-and-answers", "closed its standard input"),
    ],
)
def test_the_last_answer_of_a_bot_that_leaves_counts(kind: str, says: str) -> None:
    game = play(kind, PLAIN, PLAIN)
    assert game.by(0)[:3] == ["bot", "bot", "referee"]
    assert (game.fault()["fault"], game.fault()["message"]) == ("crash", says)
    assert_undisturbed(game, 1, 2)


def test_a_crash_leaves_its_traceback_in_the_record() -> None:
    fault = played_once("crashes", PLAIN, PLAIN).fault()
    assert fault["stderr"].startswith("about to divide\n")
    assert "ZeroDivisionError" in fault["stderr"]
    assert fault["bytes_base64"] == ""


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_seat_of_the_fault_does_not_matter(seat: int) -> None:
    words = [PLAIN, PLAIN, PLAIN]
    words[seat] = "crashes"
    game = played_once(*words)
    assert game.faults(seat) == ["crash"]
    assert_undisturbed(game, *({0, 1, 2} - {seat}))
    assert_played_out(game)


def test_a_crash_after_the_last_answer_is_not_a_fault_of_that_game() -> None:
    game = play("crashes-at-the-end", PLAIN, PLAIN)
    assert_undisturbed(game, 0, 1, 2)


def test_a_crash_between_two_games_is_a_fault_of_the_next() -> None:
    game = play("crashes-at-the-end", PLAIN, PLAIN, games=2)
    assert game.faults(0) == ["start"]
    assert game.fault()["message"] == "did not send ready: it ended with exit status 9"
    assert_undisturbed(game, 1, 2)


# --- garbage and illegal -------------------------------------------------------------------

GARBAGE = {
    "garbage": b"\x00\x01\x02 what? \x1b[31m",
    "invalid-utf8": b'{"type": "choose", "id": 2, "choice": 0, "say": "\xff\xfe"}',
    "lone-surrogate": b'{"type": "choose", "id": 2, "choice": 0, "say": "\\ud800"}',
    "not-an-object": b"[1, 2, 3]",
    "wrong-type": b'{"type": "ready"}',
    "unknown-type": b'{"type": "think", "id": 2, "choice": 0}',
    "without-id": b'{"type": "choose", "choice": 0}',
    "future-id": b'{"type": "choose", "id": 3, "choice": 0}',
    "deep-nesting": (b'{"type": "choose", "x": ' + b"[" * 2000)[:1024],
    "float": b'{"type": "choose", "id": 2, "choice": 0.5}',
    "whole-float": b'{"type": "choose", "id": 2, "choice": 0.0}',
    "string": b'{"type": "choose", "id": 2, "choice": "0"}',
    "bool": b'{"type": "choose", "id": 2, "choice": false}',
    "null": b'{"type": "choose", "id": 2, "choice": null}',
    "thousand-digits": (b'{"type": "choose", "id": 2, "choice": ' + b"9" * 1000 + b"}")[:1024],
    "talks-msgpack-unasked": b"\x83\xa4type\xa6choose\xa2id\x01\xa6choice\x00",
}
ILLEGAL = {
    "out-of-range": "chose 69, which is not one of 0 to 68",
    "negative": "chose -1, which is not one of 0 to 68",
    "huge-number": f"chose {2**62}, which is not one of 0 to 68",
}


@cache
def games_with_one_strike() -> dict[str, Played]:
    """A game for each kind of GARBAGE and ILLEGAL, all with the same process: it plays on."""
    kinds = [*GARBAGE, *ILLEGAL]
    with BotMatch([",".join(kinds), PLAIN, PLAIN]) as match:
        games = {kind: match.play() for kind in kinds}
    assert left_running() == []
    return games


def assert_one_strike(game: Played, fault: str) -> None:
    """The second answer was a fault, and the bot played on."""
    found = game.fault()
    assert (found["fault"], found["id"], found["strikes"]) == (fault, 2, 1)
    assert game.at(2)["by"] == "referee"
    assert game.at(2)["do"] == {"do": "end-turn"}
    assert game.by(0).count("referee") == 1
    assert game.disqualified == [None, None, None]
    assert_undisturbed(game, 1, 2)
    assert_played_out(game)


@pytest.mark.parametrize("kind", GARBAGE)
def test_a_message_that_is_not_an_answer_is_garbage_and_a_strike(kind: str) -> None:
    game = games_with_one_strike()[kind]
    assert_one_strike(game, "garbage")
    assert bytes_of(game.fault()) == GARBAGE[kind]


@pytest.mark.parametrize("kind", ILLEGAL)
def test_a_number_that_is_not_an_index_is_illegal_and_a_strike(kind: str) -> None:
    game = games_with_one_strike()[kind]
    assert_one_strike(game, "illegal")
    assert game.fault()["message"] == ILLEGAL[kind]


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("msgpack-nonsense", "not MessagePack: "),
        ("msgpack-then-json", "this is JSON, and hello asked for msgpack: b'{'"),
        ("msgpack-nested", "nested too deeply: "),
        ("msgpack-no-map", "not a message: "),
        ("msgpack-float", "not a message: "),
    ],
)
def test_nonsense_in_messagepack_is_garbage(kind: str, says: str) -> None:
    game = play(kind, PLAIN, PLAIN, strikes=1)
    assert game.faults(0) == ["garbage"]
    assert game.fault()["message"].startswith(says)
    assert_undisturbed(game, 1, 2)


def test_the_bot_gets_an_error_message() -> None:
    with BotMatch(["negative", PLAIN, PLAIN]) as match:
        match.play()
        message = json.loads(match.stderr())
    assert message == {
        "type": "error",
        "id": 2,
        "fault": "illegal",
        "message": "chose -1, which is not one of 0 to 68",
        "strikes": 1,
        "allowed": 3,
    }


# --- flood ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "says", "begins"),
    [
        ("huge-line", "1048576 bytes without a complete message", b"x" * 1024),
        ("blank-flood", "1048576 bytes without a complete message", b""),
        (
            "thousands-unasked",
            "sent more than 256 messages that it was not asked for",
            b'{"type": "choose", "id": 0',
        ),
    ],
)
def test_a_flood_costs_the_game_at_once(kind: str, says: str, begins: bytes) -> None:
    game = play(kind, PLAIN, PLAIN)
    fault = game.fault()
    assert (fault["fault"], fault["id"], fault["strikes"]) == ("flood", 2, 1)
    assert fault["message"].startswith(says)
    assert bytes_of(fault).startswith(begins)
    assert len(bytes_of(fault)) <= 1024
    assert game.disqualified == ["flood", None, None]
    assert_undisturbed(game, 1, 2)
    assert_played_out(game)


def test_a_flood_on_stderr_is_capped_without_a_fault() -> None:
    with BotMatch(["stderr-flood", PLAIN, PLAIN]) as match:
        game = match.play()
        size = (match.path / "stderr-0.txt").stat().st_size
    assert size == 16 << 20
    assert_undisturbed(game, 0, 1, 2)


# --- timeout -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("silent", HURRY),
        ("half-a-line", HURRY),
        ("never-reads", HURRY),
        ("never-reads", SMALL_PIPE),
        ("spins", HURRY),
    ],
)
def test_the_third_timeout_costs_the_game(kind: str, options: dict[str, Any]) -> None:
    game = play(kind, PLAIN, PLAIN, **options)
    assert game.faults(0) == ["timeout"] * 3
    assert [fault["strikes"] for fault in game.of("fault")] == [1, 2, 3]
    assert all(game.at(fault["id"])["by"] == "referee" for fault in game.of("fault"))
    assert game.disqualified == ["timeout", None, None]
    assert game.ranks[0] == 3
    assert_undisturbed(game, 1, 2)
    assert_played_out(game)


CAME_TOO_LATE = {
    "silent": "it sent nothing",
    "half-a-line": r"it sent \d+ bytes without a newline: b'\{\"type\": \"choose\", \"id\":",
    "answers-after-the-error": r"it sent an answer to an older decision: b'\{\"type\": \"choose\"",
}


@pytest.mark.parametrize("kind", CAME_TOO_LATE)
def test_a_timeout_says_the_limit_and_what_came(kind: str) -> None:
    faults = play(kind, PLAIN, PLAIN, strikes=0, move_ms=60, max_turns=6).of("fault", 0)
    says = re.compile(f"gave no answer within 60 ms: {CAME_TOO_LATE[kind]}")
    # How soon a bot runs is a matter of luck, but it is asked several times.
    said = [fault for fault in faults if says.match(fault["message"])]
    assert said
    assert bytes_of(said[0]).startswith(b"{") == (kind != "silent")


def test_an_answer_to_an_earlier_request_is_dropped_without_a_fault() -> None:
    game = play("answers-the-question-before", PLAIN, PLAIN, afterwards=NO_CLOCK, **HURRY)
    assert game.faults(0) == ["timeout"]
    assert game.by(0).count("referee") == 1
    assert_undisturbed(game, 1, 2)


def test_a_late_answer_is_not_a_fault_of_the_next_game() -> None:
    game = play("too-late-for-the-game", PLAIN, PLAIN, games=2, strikes=0, max_turns=3, move_ms=30)
    assert set(game.faults(0)) == {"timeout"}
    assert game.disqualified == [None, None, None]
    assert_undisturbed(game, 1, 2)


# --- strikes -------------------------------------------------------------------------------


def test_the_third_strike_costs_the_game() -> None:
    game = play("always-illegal", PLAIN, PLAIN)
    assert game.faults(0) == ["illegal"] * 3
    assert game.disqualified == ["illegal", None, None]
    assert_undisturbed(game, 1, 2)


def test_two_strikes_do_not_cost_the_game() -> None:
    game = play("illegal-twice", PLAIN, PLAIN)
    assert game.faults(0) == ["illegal"] * 2
    assert game.disqualified == [None, None, None]
    assert set(game.by(0)[2:]) == {"bot"}


def test_strikes_are_counted_from_zero_in_every_game() -> None:
    game = play("illegal-twice", PLAIN, PLAIN, games=3)
    assert [fault["strikes"] for fault in game.of("fault", 0)] == [1, 2]


def test_with_one_strike_the_first_fault_costs_the_game() -> None:
    game = play("negative", PLAIN, PLAIN, strikes=1)
    assert game.faults(0) == ["illegal"]
    assert game.disqualified == ["illegal", None, None]


def test_without_a_limit_a_bot_is_asked_to_the_end() -> None:
    game = play("always-illegal", PLAIN, PLAIN, strikes=0, max_turns=15)
    assert len(game.faults(0)) == len(game.by(0)) > 3
    assert game.disqualified == [None, None, None]


def test_strikes_are_counted_for_each_seat() -> None:
    game = play("always-illegal", "negative", "illegal-twice")
    assert [len(game.faults(seat)) for seat in range(3)] == [3, 1, 2]
    assert game.disqualified == ["illegal", None, None]


def test_a_game_stops_at_a_fault_if_requested() -> None:
    game = play("negative", PLAIN, PLAIN, stop_at_fault=True)
    assert game.outcome.stopped
    assert game.lines[-1]["line"] == "fault"
    assert not game.outcome.state.is_over


# --- disqualification ----------------------------------------------------------------------


def test_a_disqualified_bot_begins_its_next_game_with_a_new_process() -> None:
    with BotMatch(["crashes", PLAIN, PLAIN]) as match:
        games = [match.play(seed) for seed in (1, 2, 3)]
        pids = [player.pid for player in match.players]
    assert [game.by(0)[:2] for game in games] == [["bot", "referee"]] * 3
    assert [game.faults(0) for game in games] == [["crash"]] * 3
    assert pids[0] is None


def test_other_bots_keep_their_processes() -> None:
    with BotMatch(["crashes", PLAIN, PLAIN]) as match:
        match.play()
        before = [player.pid for player in match.players[1:]]
        match.play()
        assert [player.pid for player in match.players[1:]] == before


def test_the_later_disqualified_ranks_before_the_earlier() -> None:
    game = play("crashes-at-once", "crashes", PLAIN)
    assert game.ranks == [3, 2, 1]


def test_bots_that_never_started_share_the_last_place() -> None:
    assert play("crashes-at-once", PLAIN, "crashes-at-once").ranks == [2, 1, 2]


@cache
def long_game_without_one_bot() -> Played:
    return play("crashes", PLAIN, PLAIN, max_turns=30)


def test_a_disqualified_seat_keeps_its_total() -> None:
    game = long_game_without_one_bot()
    totals = [standing.total for standing in engine.standings(game.outcome.state)]
    assert [standing["total"] for standing in game.end["standings"]] == totals


def test_other_bots_get_an_event_about_a_disqualification() -> None:
    with BotMatch(["crashes", "diary", PLAIN]) as match:
        match.play()
        events = [event for message in match.diary(1) for event in message.get("events", [])]
    out = [event for event in events if event["event"] == "disqualified"]
    assert out == [{"event": "disqualified", "seat": 0, "fault": "crash", "id": 2}]


def test_the_referee_plays_default_choices_for_a_disqualified_seat() -> None:
    game = long_game_without_one_bot()
    done = {line["do"]["do"] for line in game.of("decision", 0) if line["by"] == "referee"}
    assert done <= {"end-turn", "decline", "stop", "place-marker", "relocate", "put"}
    assert "end-turn" in done


# --- no bot left, and errors of the referee ----------------------------------------------------


def test_a_game_without_a_running_bot_is_abandoned_at_once() -> None:
    game = play("crashes-at-once", "exits-early", "exits_after_hello.sh")
    assert game.of("decision") == []
    assert game.end["reason"] == "abandoned"
    assert game.disqualified == ["start"] * 3
    assert game.ranks == [1, 1, 1]


def test_a_game_ends_at_once_when_the_last_bot_is_out() -> None:
    game = play("crashes", "crashes", "crashes")
    assert game.end["reason"] == "abandoned"
    assert [line["line"] for line in game.lines[-2:]] == ["fault", "end"]
    assert game.ranks == [3, 2, 1]
    assert game.outcome.void is None


@pytest.mark.usefixtures("interpreted")
def test_an_error_of_the_referee_voids_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    apply = engine.apply

    def breaks(state: engine.GameState, index: int) -> None:
        apply(state, index)
        if state.decision_id == 9:
            raise ZeroDivisionError("a rule went wrong")

    monkeypatch.setattr(engine, "apply", breaks)
    game = play(PLAIN, PLAIN, PLAIN)
    assert game.outcome.void == "ZeroDivisionError: a rule went wrong"
    assert (game.outcome.standings, game.outcome.faults) == ([], [])
    assert game.lines[-1] == {"line": "void", "message": "ZeroDivisionError: a rule went wrong"}
    assert game.of("fault") == []


@pytest.mark.usefixtures("interpreted")
def test_after_a_void_game_every_bot_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with BotMatch([PLAIN, PLAIN, PLAIN]) as match:
        with monkeypatch.context() as patch:
            patch.setattr(engine, "standings", lambda _: 1 / 0)
            assert match.play().outcome.void is not None
        assert [player.pid for player in match.players] == [None] * 3
        assert_undisturbed(match.play(), 0, 1, 2)


# --- hard to kill ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "more"), [("forks", 3), ("leaves-a-daemon", 1), ("leaves-stdout-to-a-child", 1)]
)
def test_processes_that_a_bot_starts_end_with_it(kind: str, more: int) -> None:
    most: list[int] = []

    def count(state: engine.GameState) -> None:
        if state.decision_id in (4, 12):  # it looks at all processes of the machine
            most.append(len(marked()))

    play(kind, PLAIN, PLAIN, listener=GameListener(applied=count))
    if kind != "leaves-stdout-to-a-child":  # its child was killed at the fault
        assert max(most) == 3 + more


@pytest.mark.parametrize("kind", ["ignores-sigterm", "stays.sh", "forks", "leaves-a-daemon"])
@pytest.mark.usefixtures("short_grace")
def test_a_bot_that_ignores_quit_plays_normally(kind: str) -> None:
    game = play(kind, PLAIN, PLAIN)
    assert_undisturbed(game, 0, 1, 2)
    assert_played_out(game)
