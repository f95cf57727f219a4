"""`referee replay` without keys: as text and as JSON."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from support import forks
from support.board_records import write_record
from support.paths import REFEREE
from support.replay_games import (
    BRIEF,
    FULL,
    HOSTILE_SHOWN,
    SHORT,
    abandoned_record,
    game_of,
    hostile_record,
    record,
    timeline,
)

Words = dict[str, Any]


def replay(path: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["replay", os.fspath(path), *options])


def lines(path: Path, *options: str) -> list[Words]:
    result = replay(path, "--json", *options)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.isascii()
    return [json.loads(line) for line in result.stdout.splitlines()]


def refused(path: Path, *options: str) -> str:
    result = replay(path, *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    return result.stderr


# --- In print


def test_a_game_is_printed_from_the_set_up_to_the_score_pad() -> None:
    shown = replay(record(SHORT)).stdout
    assert "lies at" in shown
    assert "creates the trade route" in shown
    assert "Hamburg" in shown
    assert "prestige" in shown
    assert shown.count("The game ended because") == 1
    assert "\x1b" not in shown


def test_one_turn_is_printed() -> None:
    shown = replay(record(SHORT), "--turn", "5").stdout
    mark, after = timeline(SHORT).turns[4:6]
    assert re.search(rf"^ +5 ● {timeline(SHORT).names[mark.seat]} ", shown, re.MULTILINE)
    assert not re.search(r"^ +[46] ● ", shown, re.MULTILINE)
    assert "As if the game ended here." in shown
    found = lines(record(SHORT), "--turn", "5")
    assert [one["id"] for one in found[1:-1]] == list(range(mark.step + 1, after.step + 1))


def test_the_game_is_printed_up_to_a_decision() -> None:
    assert replay(record(SHORT), "--until", "0").stdout.count("lies at") == 3
    found = lines(record(SHORT), "--until", "9")
    assert [one["line"] for one in found] == ["game", "step", *["decision"] * 9, "position"]


def test_hostile_names_are_printed_as_plain_text() -> None:
    shown = replay(hostile_record(), "--until", "2").stdout
    assert "\x1b" not in shown
    assert HOSTILE_SHOWN.replace(" ", "") in re.sub(r"\s", "", shown)


# --- For programs


def test_every_decision_is_an_object() -> None:
    found = lines(record(FULL))
    first, *steps, position, end = found
    assert (first["line"], first["seed"]) == ("game", game_of(FULL).seed)
    assert [one["choice"] for one in steps[1:]] == list(game_of(FULL).indices)
    assert steps[1]["say"] == "first!"
    assert all({"events", "log", "do", "decision", "turn"} <= one.keys() for one in steps[1:])
    final = timeline(FULL).state(timeline(FULL).last)
    assert [one["prestige"] for one in position["state"]["players"]] == final.prestige[:4]
    assert (position["asked"], end["complete"]) == (None, True)


def test_a_position_has_the_next_decision() -> None:
    position = lines(record(FULL), "--until", "10")[-1]
    assert position["asked"]["id"] == 11
    assert len(position["state"]["missions"]) == 4
    assert position["reason"] is None


def test_a_seat_is_shown_only_what_it_could_see() -> None:
    found = lines(record(FULL), "--until", "10", "--seat", "2")
    assert (found[0]["seed"], found[0]["seat"]) == (None, 2)
    state = found[-1]["state"]
    assert "missions" not in state
    assert len(state["mission"]) == 3
    others = [one for one in found if one["line"] == "decision" and one["seat"] != 2]
    assert others
    assert not any({"ms", "say", "choices", "by"} & one.keys() for one in others)


def test_a_fault_has_all_its_details_for_its_own_seat() -> None:
    found = lines(abandoned_record())
    faults = [one for one in found if one["line"] == "fault"]
    assert [one["seat"] for one in faults] == [0, 1, 2]
    assert all(one["disqualified"] and one["message"] for one in faults)
    seen = [one for one in lines(abandoned_record(), "--seat", "1") if one["line"] == "fault"]
    assert ["message" in one for one in seen] == [False, True, False]


def test_an_incomplete_record_says_so(tmp_path: Path) -> None:
    path = write_record(tmp_path / "cut.jsonl", game_of(SHORT), upto=12)
    assert lines(path)[-1] == {
        "line": "end",
        "complete": False,
        "wrong": None,
        "log": ["the record breaks off here"],
    }
    assert "the record breaks off here" in replay(path).stdout


# --- A game that is still being written


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_game_is_followed_to_its_end(tmp_path: Path, options: list[str]) -> None:
    raw = record(BRIEF).read_bytes().splitlines(keepends=True)
    path = tmp_path / "game.jsonl"
    path.touch()
    command = [*REFEREE, "replay", os.fspath(path), "--follow", *options]
    with forks.Fork(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        with path.open("ab", buffering=0) as file:
            file.write(b"".join(raw[:10]))
            first = process.stdout.readline()
            for at in range(10, len(raw), 10):
                file.write(b"".join(raw[at : at + 10]))
                time.sleep(0.01)
        shown = first + process.stdout.read()
        assert process.wait(timeout=60) == 0
    if options:
        assert [json.loads(line) for line in shown.splitlines()] == lines(record(BRIEF))
    else:
        assert shown == replay(record(BRIEF)).stdout


# --- What it refuses


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--seat", "9"], "has no seat 9: seats are numbered from 0 to 2"),
        (["--turn", "9999"], "has no turn 9999"),
        (["--until", "9999"], "has no decision 9999"),
        (
            ["--turn", "1", "--until", "2"],
            "--html, --turn, --until, --request, --follow are mutually exclusive",
        ),
        (["--html", "x.html", "--follow"], "are mutually exclusive"),
        (["--html", "x.html", "--json"], "--html and --json are mutually exclusive"),
        (["--seat", "-1"], "--seat"),
    ],
)
def test_an_error_is_one_sentence_and_status_2(options: list[str], reason: str) -> None:
    assert reason in refused(record(SHORT), *options)


def test_an_invalid_record_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad\x1b.jsonl"
    assert "bad\\u001b.jsonl" in refused(path)
    path.write_text("nonsense\n")
    assert "bad\\u001b.jsonl" in refused(path)
    assert "bad\\u001b.jsonl" in refused(path, "--follow")


def test_a_closed_pipe_is_not_reported_as_an_error(tmp_path: Path) -> None:
    command = [*REFEREE, "replay", os.fspath(record(FULL))]  # prints more than a pipe holds
    with forks.Fork(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(timeout=60) == 141
        assert process.stderr is not None
        assert process.stderr.read() == ""
