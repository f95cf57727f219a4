"""The message by which a bot was asked, as its record gives it back: byte for byte."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from protocol.codec import Splitter
from protocol.messages import Encoding
from referee.cli import main
from referee.match.recorded_request import RecordedRequest, recorded_request
from referee.terminal.replay.plain import show_request
from support.paths import TESTS

FOLLOWS = TESTS / "check" / "bots" / "follows.py"
FORMATS: list[tuple[Encoding, str]] = [("json", "words"), ("json", "codes"), ("msgpack", "codes")]


def played(folder: Path, encoding: Encoding, detail: str) -> Path:
    """Play a game, and write all that the bot in seat 0 reads to `heard`; returns the record."""
    program = shlex.join([sys.executable, str(FOLLOWS), encoding, detail])
    bot = f"talk=sh -c {shlex.quote(f'tee {folder}/heard | {program}')}"
    options = ("--max-turns", "8", "--seed", "4", "--record", str(folder / "game.jsonl"), "--quiet")
    done = CliRunner().invoke(main, ["play", bot, "random", *options])
    assert done.exit_code == 0, done.output
    return folder / "game.jsonl"


def requests(heard: bytes, encoding: Encoding) -> list[bytes]:
    splitter = Splitter("json")
    splitter.feed(heard)
    splitter.next()
    splitter.switch(encoding)
    return [message for message in splitter if b"decide" in message[:20]]


@pytest.mark.parametrize(("encoding", "detail"), FORMATS)
def test_it_is_what_the_bot_read(tmp_path: Path, encoding: Encoding, detail: str) -> None:
    path = played(tmp_path, encoding, detail)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    asked = [line["id"] for line in lines if (line.get("by"), line.get("seat")) == ("bot", 0)]
    end = b"\n" if encoding == "json" else b""
    given = [recorded_request(path, decision_id) for decision_id in asked]
    assert [one.data for one in given] == [
        message + end for message in requests((tmp_path / "heard").read_bytes(), encoding)
    ]
    assert len(given) > 5
    assert json.loads(given[-1].as_json())["id"] == asked[-1]
    assert not given[-1].is_assumed
    printed = CliRunner().invoke(main, ["replay", str(path), "--request", str(asked[2])])
    assert printed.stdout_bytes == given[2].data


def test_messagepack_is_json_on_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    request = recorded_request(played(tmp_path, "msgpack", "words"), 1)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    show_request(request)
    shown = capsys.readouterr()
    assert json.loads(shown.out)["type"] == "decide"
    assert "as MessagePack" in shown.err


def refusal(path: Path, *options: str) -> str:
    done = CliRunner().invoke(main, ["replay", str(path), *options])
    assert (done.exit_code, done.stdout) == (2, "")
    return done.stderr


def test_a_decision_that_no_bot_was_asked_is_refused(tmp_path: Path) -> None:
    path = played(tmp_path, "json", "codes")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    single = next(line["id"] for line in lines if line.get("by") == "single")
    assert f"nobody was asked decision {single}" in refusal(path, "--request", str(single))
    assert "has no decision 999: its last decision is " in refusal(path, "--request", "999")
    assert "--request prints one message" in refusal(path, "--request", "1", "--json")


def test_an_older_record_does_not_say_what_the_bot_asked_for() -> None:
    path = TESTS / "fixtures" / "version-0.1.0" / "records" / "hanse-2-3.jsonl"
    request: RecordedRequest = recorded_request(path, 1)
    assert request.is_assumed
    assert json.loads(request.data)["decision"] == "turn"
    done = CliRunner().invoke(main, ["replay", str(path), "--request", "1"])
    assert "the record does not say what the bot's hello asked for" in done.stderr
