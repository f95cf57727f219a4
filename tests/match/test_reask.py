"""Asking again: the bot gets the messages of the recorded game, and its answers are compared."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from referee.adjudication.clock import NO_CLOCK, ClockRules
from referee.bots.find import Bot
from referee.encoder import Formats
from referee.errors import LineRefused, RecordRefused
from referee.match.players import BotPlayer
from referee.match.reask import Reasking, ReaskPlayer, ReaskResult, seat_of
from referee.match.runner import RefereedGame, Settings
from referee.records.lines import SeatLine
from referee.records.writer import RecordWriter
from support.match_setup import BotMatch, bot
from support.recorded_games import CLOCK, Words, lines_of, record, record_bytes

pytestmark = pytest.mark.usefixtures("in_charge")

NAME = "hanse-2-3:3:bigbox+missions+max_turns=12"
DIARY = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "name": "diary", **HELLO}), flush=True)
        continue
    sys.stderr.write(line)
    sys.stderr.flush()
    if message["type"] == "start":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "decide":
        n = message["id"]
        choice = ANSWER
        print(json.dumps({"type": "choose", "id": n, "choice": choice}), flush=True)
"""
HELLOS: list[dict[str, str]] = [{}, {"state": "none"}, {"detail": "codes"}]


def diary(folder: Path, answer: str = "n % len(message['choices'])", **hello: str) -> Bot:
    """A bot that writes all messages but `hello` to stderr; `answer` is the formula of its answers."""
    folder.mkdir(exist_ok=True)
    program = folder / "diary.py"
    program.write_text(DIARY.replace("HELLO", repr(hello)).replace("ANSWER", answer))
    return Bot("diary", (sys.executable, "-I", "-S", str(program)), folder, "d" * 64)


def messages_in(path: Path) -> list[Words]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def reask(
    path: Path, asked: Bot, stderr: Path, seat: int | None = None, **more: Any
) -> ReaskResult:
    player = ReaskPlayer(asked, stderr, **more)
    try:
        result = Reasking(path, player, seat).run()
        player.close()
    finally:
        player.dismiss()
    return result


def play(folder: Path, asked: Bot, clock: ClockRules = NO_CLOCK) -> tuple[Path, Path]:
    """Record a game of three such bots; return the record and the messages to the second bot."""
    from support.combinations import named

    board, rules = named(NAME)
    formats = Formats(board)
    path, stderr = folder / "game.jsonl", [folder / f"{seat}.txt" for seat in range(3)]
    players = [BotPlayer(asked, file) for file in stderr]
    writer = RecordWriter(path, formats.get("json", "words"))
    try:
        outcome = RefereedGame(formats, rules, 5, "a-game", players, Settings(clock), writer).play()
        for player in players:
            player.close()
    finally:
        writer.close()
        for player in players:
            player.dismiss()
    assert outcome.void is None
    return path, stderr[1]


@pytest.fixture(scope="module")
def diary_game(in_charge: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The record of a game without clocks, and the messages to its second bot; do not change them."""
    folder = tmp_path_factory.mktemp("diary")
    return play(folder, diary(folder / "bot"))


@pytest.mark.parametrize("hello", HELLOS, ids=str)
def test_the_messages_are_those_of_the_game(hello: dict[str, str], tmp_path: Path) -> None:
    asked = diary(tmp_path / "bot", **hello)
    path, then = play(tmp_path, asked, ClockRules(bank_ms=60_000, increment_ms=7, move_ms=None))
    result = reask(path, asked, tmp_path / "now.txt", 1)
    assert (result.asked, result.same, result.differences) == (result.asked, result.asked, [])
    assert result.is_same
    assert result.asked > 5
    assert (tmp_path / "now.txt").read_text() == then.read_text()


def test_the_answers_do_not_change_the_game(diary_game: tuple[Path, Path], tmp_path: Path) -> None:
    path, then = diary_game
    other = diary(tmp_path / "other", answer="0")
    result = reask(path, other, tmp_path / "now.txt", 1)
    assert messages_in(tmp_path / "now.txt") == messages_in(then)
    assert result.differences
    assert result.same + len(result.differences) == result.asked


def test_a_difference_has_both_choices_in_words(
    diary_game: tuple[Path, Path], tmp_path: Path
) -> None:
    path, _ = diary_game
    result = reask(path, diary(tmp_path / "other", answer="0"), tmp_path / "now.txt", 1)
    decided = {line["id"]: line for line in lines_of(path) if line["line"] == "decision"}
    offered = {
        x["id"]: x["choices"] for x in messages_in(tmp_path / "now.txt") if x["type"] == "decide"
    }
    for difference in result.differences:
        assert difference.recorded == decided[difference.id]["do"]
        assert difference.decision == decided[difference.id]["decision"]
        assert difference.answered == offered[difference.id][0]
        assert (difference.fault, difference.recorded_fault) == (None, None)
    first = result.differences[0]
    assert first.recorded_ms == decided[first.id]["ms"]


def test_a_recorded_fault_is_asked_and_refused_again(tmp_path: Path) -> None:
    faults = {1: {1: "garbage", 3: "ponder", 4: "timeout"}}
    path = record(tmp_path / "game.jsonl", NAME, faults=faults, clock=CLOCK)
    reask(path, diary(tmp_path / "bot"), tmp_path / "now.txt", 1, in_time=False)
    messages = messages_in(tmp_path / "now.txt")
    lines = [line for line in lines_of(path) if line.get("seat") == 1]
    wanted: list[tuple[str, int]] = []
    for line in lines:
        if line["line"] == "fault":
            wanted += [("decide", line["id"])] if line["fault"] != "ponder" else []
            wanted.append(("error", line["id"]))
        elif line["by"] == "bot":
            wanted.append(("decide", line["id"]))
    found = [(x["type"], x["id"]) for x in messages if x["type"] in ("decide", "error")]
    assert found == wanted
    errors = [message for message in messages if message["type"] == "error"]
    assert [error["fault"] for error in errors] == ["garbage", "ponder", "timeout"]
    assert [error["strikes"] for error in errors] == [1, 2, 3]
    assert [message["type"] for message in messages[-2:]] == ["error", "quit"]


def test_the_clock_is_that_of_the_record(tmp_path: Path) -> None:
    path = record(tmp_path / "game.jsonl", NAME, faults={1: {2: "timeout"}}, clock=CLOCK)
    reask(path, diary(tmp_path / "bot"), tmp_path / "now.txt", 1, in_time=False)
    requests = [x for x in messages_in(tmp_path / "now.txt") if x["type"] == "decide"]
    left, wanted = float(CLOCK.bank_ms or 0), []
    for line in lines_of(path):
        if line.get("seat") == 1 and line.get("by", "bot") == "bot":
            left += CLOCK.increment_ms
            wanted.append(int(min(left, CLOCK.move_ms or 0)))
            left -= line["ms"]
    assert [request["clock_ms"] for request in requests] == wanted


def test_a_new_fault_is_a_difference_and_does_not_stop_it(
    diary_game: tuple[Path, Path], tmp_path: Path
) -> None:
    path, _ = diary_game
    answer = "-1 if n % 5 == 0 else n % len(message['choices'])"
    result = reask(path, diary(tmp_path / "other", answer=answer), tmp_path / "now.txt", 1)
    assert result.differences
    assert {difference.fault for difference in result.differences} == {"illegal"}
    assert all(
        difference.id % 5 == 0 and difference.answered is None for difference in result.differences
    )
    assert result.same + len(result.differences) == result.asked
    assert not any(message["type"] == "error" for message in messages_in(tmp_path / "now.txt"))


def test_an_answer_too_late_by_the_recorded_clock_is_a_fault(tmp_path: Path) -> None:
    clock = ClockRules(start_ms=None, bank_ms=None, increment_ms=0, move_ms=60)
    path = record(tmp_path / "game.jsonl", NAME, clock=clock)
    slow = diary(tmp_path / "bot", answer="__import__('time').sleep(0.15 * (n < 6)) or 0")
    late = reask(path, slow, tmp_path / "late.txt", 1)
    assert late.differences[0].fault == "timeout"
    patient = reask(path, slow, tmp_path / "patient.txt", 1, in_time=False)
    assert {difference.fault for difference in patient.differences} == {None}


@pytest.mark.parametrize("trouble", ["crashes", "crashes-at-once", "never-greets", "never-ready"])
@pytest.mark.usefixtures("short_grace")
def test_a_bot_that_cannot_be_asked_to_the_end_says_why(trouble: str, tmp_path: Path) -> None:
    start_ms = 100 if trouble.startswith("never") else 5000
    clock = ClockRules(start_ms=start_ms, bank_ms=None, increment_ms=0, move_ms=None)
    path = record(tmp_path / "game.jsonl", NAME, clock=clock)
    result = reask(path, bot(trouble), tmp_path / "now.txt", 1)
    assert result.stopped
    assert not result.is_same


def test_without_time_limits_a_bot_may_start_slowly(tmp_path: Path) -> None:
    clock = ClockRules(start_ms=50, bank_ms=None, increment_ms=0, move_ms=None)
    path = record(tmp_path / "game.jsonl", NAME, clock=clock)
    slow = diary(tmp_path / "bot")
    program = tmp_path / "bot" / "diary.py"
    program.write_text(f"import time\ntime.sleep(0.15)\n{program.read_text()}")
    assert "start" in (reask(path, slow, tmp_path / "late.txt", 1).stopped or "")
    assert reask(path, slow, tmp_path / "patient.txt", 1, in_time=False).stopped is None


def test_a_continued_game_is_asked_from_where_it_continues(tmp_path: Path) -> None:
    long = NAME.replace("12", "30")
    whole = record(tmp_path / "whole.jsonl", long)
    path = record(tmp_path / "on.jsonl", long, origin=(whole, 20), clock=NO_CLOCK)
    reask(path, diary(tmp_path / "bot"), tmp_path / "now.txt", 2)
    start, first, *_ = messages_in(tmp_path / "now.txt")
    assert start["type"] == "start"
    assert first["id"] >= 20
    assert [event["event"] for event in first["events"][:1]] == ["marker-placed"]


def test_an_unfinished_record_is_asked_up_to_its_end(
    diary_game: tuple[Path, Path], tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(diary_game[0].read_bytes()[:-900])
    result = reask(path, diary(tmp_path / "bot"), tmp_path / "now.txt", 1)
    assert result.is_same
    assert [x["type"] for x in messages_in(tmp_path / "now.txt")[-2:]] == ["decide", "quit"]


def test_a_wrong_record_is_refused(diary_game: tuple[Path, Path], tmp_path: Path) -> None:
    path, lines = tmp_path / "game.jsonl", lines_of(diary_game[0])
    lines[9]["seat" if "seat" in lines[9] else "turn"] = 77
    path.write_bytes(record_bytes(lines))
    with pytest.raises(LineRefused, match="line 10"):
        reask(path, diary(tmp_path / "bot"), tmp_path / "now.txt", 1)


def test_an_empty_record_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.touch()
    with pytest.raises(RecordRefused, match=r"empty\.jsonl is not a record: it has no first line"):
        reask(path, diary(tmp_path / "diary"), tmp_path / "now.txt")


def test_a_seat_that_was_asked_nothing_is_refused(tmp_path: Path) -> None:
    path = record(tmp_path / "game.jsonl", NAME, faults={1: {-1: "start"}})
    with pytest.raises(RecordRefused, match=r"seat 1 of .* was not asked anything"):
        reask(path, diary(tmp_path / "bot"), tmp_path / "now.txt", 1)


def seated(*names: str) -> list[SeatLine]:
    return [SeatLine(seat, name, None, f"{seat}" * 64) for seat, name in enumerate(names)]


def test_the_seat_is_found_by_the_name_then_by_the_content() -> None:
    red = Bot("red", ("x",), Path(), "1" * 64)
    assert seat_of(seated("blue", "green", "red"), red, None) == 2
    assert seat_of(seated("blue", "green", "black"), red, None) == 1
    assert seat_of(seated("blue", "green", "red"), red, 0) == 0
    with pytest.raises(RecordRefused, match="choose one with --seat: 0 blue"):
        seat_of(seated("blue"), red, None)
    with pytest.raises(RecordRefused, match="no seat 2; its seats are 0 to 1"):
        seat_of(seated("blue", "green"), red, 2)


def test_a_refereed_game_of_bad_bots_can_be_asked_again(tmp_path: Path) -> None:
    with BotMatch(["plain", "garbage", "plain"]) as match:
        match.play()
        (tmp_path / "game.jsonl").write_bytes((match.path / "game.jsonl").read_bytes())
    result = reask(tmp_path / "game.jsonl", bot("plain"), tmp_path / "now.txt", 1)
    assert [difference.recorded_fault for difference in result.differences] == ["garbage"] * len(
        result.differences
    )
    assert all(difference.answered for difference in result.differences)
