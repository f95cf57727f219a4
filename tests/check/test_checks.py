"""Good bots pass all checks, and a bot with one mistake fails the check for that mistake."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from referee.check.registry import CHECKS, NAMES
from referee.check.run import Finding
from referee.check.verdict import HINTS, Verdict

Found: TypeAlias = dict[str, Finding]
Examine: TypeAlias = Callable[..., Found]

BOTS = Path(__file__).parent / "bots"
BY_NAME = {check.name: check for check in CHECKS}
DECISIONS = tuple(name for name in NAMES if name.startswith("decisions-"))
QUICK = set(NAMES) - {"game", "large-messages", "repeatable", "seats", *DECISIONS}
# These change messages in a way that depends on the encoding.
CHANGED_MESSAGES = {"unknown-fields", "unknown-messages", "large-messages", "pieces", "errors"}


def with_status(found: Found, status: str) -> set[str]:
    return {name for name, finding in found.items() if finding.verdict.status == status}


def verdict_of(found: Found, name: str) -> Verdict:
    return found[name].verdict


def figures_of(found: Found, name: str) -> dict[str, Any]:
    return found[name].verdict.figures


# --- good bots -----------------------------------------------------------------------------


def test_the_bundled_random_bot_passes_every_check(examine: Examine) -> None:
    found = examine("random")
    assert with_status(found, "passed") == set(NAMES)
    assert_every_kind_was_asked(found)


def assert_every_kind_was_asked(found: Found) -> None:
    asked = {name: figures_of(found, name)["asked"] for name in DECISIONS}
    always = {"turn", "lift", "put", "relocate", "place-marker", "tribute", "block"}
    assert {name: set(kinds) - always for name, kinds in asked.items()} == {
        "decisions-britannia-2-3": {"permanent", "neutral-post", "reward"},
        "decisions-britannia-4-5": {"permanent", "reward"},
        "decisions-east": {"permanent", "neutral-post"},
        "decisions-hanse-2-3": {"levy", "neutral-post"},
        "decisions-hanse-4-5": {"levy"},
    }
    assert all(count for kinds in asked.values() for count in kinds.values())


def test_a_bot_that_asks_for_words_and_state_passes_too(examine: Examine) -> None:
    assert with_status(examine("plain", *QUICK), "passed") == QUICK


def test_the_events_of_a_check_lead_to_the_state_it_shows(examine: Examine) -> None:
    word = f"python {shlex.quote(str(BOTS / 'follows.py'))} json words"
    names = {"game", "errors", "unknown-fields", "large-messages", "decisions-britannia-4-5"}
    assert with_status(examine(word, *names), "passed") == names


@pytest.mark.parametrize(
    ("flags", "names"),
    [("msgpack words", {"unknown-fields", "errors"}), ("msgpack codes", CHANGED_MESSAGES)],
)
def test_a_bot_that_asks_for_messagepack_passes_too(
    examine: Examine, flags: str, names: set[str]
) -> None:
    word = f"python {shlex.quote(str(BOTS / 'follows.py'))} {flags}"
    assert with_status(examine(word, *names), "passed") == names


# --- bots with one mistake -----------------------------------------------------------------

FAILS = {
    "strict-fields": {"unknown-fields"},
    "strict-messages": {"unknown-messages"},
    "answers-the-unknown": {"unknown-messages"},
    "small-lines": {"large-messages"},
    "one-read-one-message": {"large-messages", "pieces"},
    "dies-at-an-error": {"errors"},
    "needs-a-clock": {"no-clock"},
    "stays-at-the-end": {"end-of-input"},
    "stays-at-quit": {"quit"},
    "prints-along": {"stdout"},
    "prints-at-the-end": {"stdout"},
}


# One check of each kind: any of the others would fail for the same reason as one of these.
OTHERS = {"answer", "unknown-fields", "errors", "end-of-input", "stdout", "stderr", "answer-time"}


@pytest.mark.parametrize("kind", FAILS)
def test_one_mistake_fails_one_check(examine: Examine, kind: str) -> None:
    # Only bots that stay keep the checks waiting.
    patience = {"patience_ms": 600} if kind.startswith("stays") else {}
    found = examine(kind, *OTHERS, *FAILS[kind], **patience)
    assert with_status(found, "failed") == FAILS[kind]
    assert with_status(found, "skipped") == set()
    for name in FAILS[kind]:
        verdict = verdict_of(found, name)
        if verdict.same_as is None:
            assert verdict.hint == BY_NAME[name].remedy
        else:  # it depends on how the system divides a long message whether two failures look the same
            assert verdict.same_as in FAILS[kind]


def test_silent_crashes_at_unusual_input_are_different_mistakes(examine: Examine) -> None:
    found = examine("dies-silently-at-the-unknown", "unknown-fields", "unknown-messages")
    assert [finding.verdict.same_as for finding in found.values()] == [None, None]
    found = examine("dies-silently", "game", "unknown-fields")
    assert verdict_of(found, "unknown-fields").same_as == "game"


def test_the_hint_for_a_crash_in_the_first_game_is_not_about_several_games(
    examine: Examine,
) -> None:
    assert verdict_of(examine("dies-silently", "games"), "games").hint == HINTS["crash"]


def test_stray_lines_are_counted(examine: Examine) -> None:
    found = examine("prints-along", *OTHERS, *FAILS["prints-along"])
    sentence = verdict_of(found, "stdout").sentence
    assert "unexpected lines to standard output, not messages or not asked for" in sentence


def test_the_hint_for_a_timeout_mentions_the_newline() -> None:
    assert "newline" in HINTS["timeout"]


def test_a_bot_for_one_game_fails_games_and_skips_what_needs_it(examine: Examine) -> None:
    found = examine("one-game", *OTHERS, "games", "seats", "pieces", *DECISIONS)
    assert with_status(found, "failed") == {"games"}
    assert with_status(found, "skipped") == {"seats", "pieces", *DECISIONS}
    assert verdict_of(found, "seats").sentence == "needs games"


def test_an_unknown_decision_fails_the_board_where_it_comes_up(examine: Examine) -> None:
    found = examine("dies-at-levies", "decisions-hanse-4-5", "decisions-east")
    assert with_status(found, "failed") == {"decisions-hanse-4-5"}
    verdict = verdict_of(found, "decisions-hanse-4-5")
    assert "(levy) of hanse-4-5:" in verdict.sentence
    assert "AssertionError" in (verdict.stderr or "")


def test_a_bot_that_refuses_two_players_fails_where_there_are_two(examine: Examine) -> None:
    found = examine("not-for-two", "seats", "decisions-hanse-2-3", "decisions-hanse-4-5")
    assert with_status(found, "failed") == {"seats", "decisions-hanse-2-3"}


def test_a_bot_that_asks_for_two_encodings_must_know_both(examine: Examine) -> None:
    both = f"python {shlex.quote(str(BOTS / 'speaks_both.py'))}"
    good = verdict_of(examine(f"{both} well", "encodings"), "encodings")
    assert (good.status, good.figures) == ("passed", {"encodings": ["msgpack", "json"]})
    found = examine(f"{both} broken", "answer", "encodings")
    assert with_status(found, "failed") == {"encodings"}


# --- bots that fail the first checks -------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "start_ms", "fault", "expected"),
    [
        ("no-hello", 20, "timeout", "did not send its hello within 140 ms"),
        ("greets-with-words", 150, "timeout", "it wrote something that is not a message"),
        ("other-protocol", 5000, "garbage", "uses protocol 2"),
        ("never-ready", 300, "timeout", "did not send its ready"),
        ("dies-at-once", 5000, "crash", "did not send its hello: it ended with exit status 1"),
    ],
)
def test_without_a_handshake_all_other_checks_are_skipped(
    examine: Examine, kind: str, start_ms: int, fault: str, expected: str
) -> None:
    found = examined_handshake(examine, kind, start_ms)
    assert with_status(found, "failed") == {"handshake"}
    assert with_status(found, "skipped") == set(NAMES) - {"handshake"}
    verdict = verdict_of(found, "handshake")
    assert expected in verdict.sentence
    assert verdict.hint == HINTS[fault]
    assert '"type":"' in (verdict.sent or "")


def examined_handshake(examine: Examine, kind: str, start_ms: int = 5000) -> Found:
    if kind in ("no-hello", "never-ready"):  # the checks wait for it in vain
        return examine(kind, start_ms=start_ms, patience_ms=100)
    return examine(kind, start_ms=start_ms)


@pytest.mark.parametrize(
    ("kind", "fault", "expected"),
    [
        ("chooses-too-far", "illegal", "which is not one of 0 to"),
        ("chooses-text", "garbage", "Expected `int`, got `str`"),
        ("wrong-id", "garbage", "answered decision 2, when 1 was asked"),
        ("dies-answering", "crash", "ended with exit status 1"),
        ("never-flushes", "timeout", "did not send its choice within 140 ms"),
        ("msgpack-nonsense", "garbage", "not MessagePack"),
        ("answers-in-msgpack", "encoding", "sent an invalid message"),
        ("ready-again", "garbage", "sent another message where its choice was expected"),
        ("floods", "flood", "sent more than 256 messages that were not asked for in a game"),
    ],
)
def test_without_an_answer_no_game_is_played(
    examine: Examine, kind: str, fault: str, expected: str
) -> None:
    found = examined_answer(examine, kind)
    assert with_status(found, "failed") == {"answer"}
    assert with_status(found, "skipped") == {"game", "pieces", "quit"}
    verdict = verdict_of(found, "answer")
    assert expected in verdict.sentence
    assert "decision 1 (turn) of " in verdict.sentence
    assert verdict.hint == HINTS[fault]


def examined_answer(examine: Examine, kind: str) -> Found:
    names = ("handshake", "answer", "game", "pieces", "quit")
    if kind == "never-flushes":  # the checks wait for it in vain
        return examine(kind, *names, move_ms=20, patience_ms=100)
    return examine(kind, *names)


def test_the_last_messages_are_shown(examine: Examine) -> None:
    verdict = verdict_of(examined_answer(examine, "chooses-text"), "answer")
    assert (verdict.sent or "").startswith('{"type":"decide","id":1,')
    assert " bytes)" in (verdict.sent or "")
    assert verdict.received == '{"type": "choose", "id": 1, "choice": "0"}'


def test_control_characters_from_a_bot_are_made_visible(examine: Examine) -> None:
    greeting = verdict_of(examined_handshake(examine, "greets-with-words", 150), "handshake")
    assert greeting.received == "hello \\u001b[31mreferee"
    death = verdict_of(examined_handshake(examine, "dies-at-once"), "handshake")
    assert death.stderr == "no \\u001b[31mluck\\u001b[0m today"


def test_a_program_that_is_not_there_fails_the_handshake(examine: Examine, tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text('name = "gone"\ncommand = ["./gone"]\n')
    found = examine(f"{tmp_path}/", "handshake", "answer")
    assert with_status(found, "failed") == {"handshake"}
    assert with_status(found, "skipped") == {"answer"}


# --- time ----------------------------------------------------------------------------------


def test_a_late_hello_fails_the_start_time_alone(examine: Examine) -> None:
    found = examine("slow-hello", "handshake", "start-time", start_ms=190)
    assert with_status(found, "failed") == {"start-time"}
    figures = figures_of(found, "start-time")
    assert figures["slowest_ms"] >= figures["median_ms"] > figures["allowed_ms"]
    assert (figures["starts"], figures["allowed_ms"]) == (3, 190)


def test_a_late_answer_fails_the_answer_time_alone(examine: Examine) -> None:
    found = examine("slow-answer", "answer", "answer-time", move_ms=400)
    assert with_status(found, "failed") == {"answer-time"}
    figures = figures_of(found, "answer-time")
    assert figures["slowest_ms"] > figures["allowed_ms"]
    assert figures["slowest"].startswith("decision 1 (turn) of ")
    assert (figures["answers"], figures["allowed_ms"]) == (3, 400)


def test_an_answer_that_uses_most_of_its_time_is_a_warning(examine: Examine) -> None:
    found = examine("slow-answer", "answer", "answer-time", move_ms=800)
    assert verdict_of(found, "answer-time").status == "warning"


def test_the_times_are_found_without_any_other_check(examine: Examine) -> None:
    found = examine("plain", "start-time", "answer-time", "stderr")
    assert with_status(found, "passed") == {"start-time", "answer-time", "stderr"}
    assert figures_of(found, "start-time")["starts"] == 3


# --- warnings ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "name", "expected"),
    [
        ("leaves-badly", "end-of-input", "with exit status 3"),
        ("whimsical", "repeatable", "made a different choice at decision "),
        ("stderr-flood", "stderr", "one process wrote "),
        ("answers-twice", "stdout", "too late or twice (the first during the check answer)"),
        ("answers-errors", "stdout", "too late or twice (the first during the check errors)"),
    ],
)
def test_what_is_not_a_fault_in_a_game_is_a_warning(
    examine: Examine, kind: str, name: str, expected: str
) -> None:
    found = examine(kind, *OTHERS, name)
    assert with_status(found, "failed") == set()
    assert with_status(found, "warning") == {name}
    assert expected in verdict_of(found, name).sentence
    assert verdict_of(found, name).hint


# --- no process left -------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["stays-at-quit", "leaves-a-daemon", "never-flushes"])
def test_nothing_is_left_running(examine: Examine, kind: str) -> None:
    patience_ms = 100 if kind == "never-flushes" else 300
    examine(kind, "handshake", "answer", "quit", move_ms=100, patience_ms=patience_ms)
    running = subprocess.run(
        ["ps", "-eww", "-o", "args"], check=True, capture_output=True, text=True
    )
    mine = [line for line in running.stdout.splitlines() if line.endswith(f"faulty.py {kind}")]
    assert mine == []
