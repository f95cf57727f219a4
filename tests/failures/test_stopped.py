"""SIGSTOP: a stopped bot runs out of time; after a stop of the referee no bot is at fault."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

from msgspec.structs import replace

from referee.adjudication.clock import NO_CLOCK
from referee.adjudication.faults import Fault
from referee.bots.find import Bot
from referee.bots.process import BotProcess
from support.command_runs import PLAIN as COMMAND
from support.forks import Fork
from support.match_setup import PLAIN, BotMatch, left_running
from support.paths import REFEREE

STOPS = """
import json, os, signal, sys
for line in sys.stdin:
    kind = json.loads(line)["type"]
    if kind == "decide":
        os.kill(os.getpid(), signal.SIGSTOP)
    if kind in ("hello", "start"):
        print(json.dumps({"type": "hello" if kind == "hello" else "ready", "name": "x"}), flush=True)
"""
# It writes "asked" to stderr, waits for the file `answer`, answers, and writes "answered".
WAITS = """
import json, os, sys, time
for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if kind == "decide":
        print("asked", file=sys.stderr, flush=True)
        while not os.path.exists("answer"):
            time.sleep(0.005)
        print(json.dumps({"type": "choose", "id": message["id"], "choice": 0}), flush=True)
        print("answered", file=sys.stderr, flush=True)
    if kind in ("hello", "start"):
        print(json.dumps({"type": "hello" if kind == "hello" else "ready", "name": "x"}), flush=True)
"""
MOVE_MS = 1000


def test_a_stopped_bot_runs_out_of_time_and_leaves_no_process() -> None:
    with BotMatch([PLAIN, PLAIN, PLAIN], clock=replace(NO_CLOCK, move_ms=50)) as match:
        command = (sys.executable, "-I", "-S", "-c", STOPS)
        match.players[0].player.bot = Bot("stops", command, Path.cwd(), "0")
        played = match.play()
    assert played.faults(0) == ["timeout"] * 3
    assert played.disqualified == ["timeout", None, None]
    assert left_running() == []


def test_a_stopped_referee_accepts_answers_that_came_meanwhile(tmp_path: Path) -> None:
    (tmp_path / "waits.py").write_text(WAITS)
    record = tmp_path / "game.jsonl"
    child = Fork(
        [
            *REFEREE, "play", f"waits={sys.executable} -I -S waits.py",
            COMMAND, "--seed", "1", "--max-turns", "1", "--record", str(record), "--quiet", "--sandbox", "off",
            "--move-ms", str(MOVE_MS), "--start-ms", "60000",
        ],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        _until_said(tmp_path, "asked")
        _until_it_waits(child.pid)  # it looks at the clock after it has asked
        os.kill(child.pid, signal.SIGSTOP)
        stopped = time.monotonic()
        (tmp_path / "answer").touch()
        _until_said(tmp_path, "answered")
        time.sleep(max(0.0, stopped + 1.1 * MOVE_MS / 1000 - time.monotonic()))
        os.kill(child.pid, signal.SIGCONT)
        assert child.wait(60) == 0
    finally:
        child.kill()
        child.wait()
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    assert [line for line in lines if line["line"] == "fault"] == []
    first = next(line for line in lines if line.get("by") == "bot" and line["seat"] == 0)
    assert first["ms"] == MOVE_MS  # what it is charged is never more than there was


def _until_said(folder: Path, word: str) -> None:
    give_up = time.monotonic() + 60
    while not any(word in path.read_text() for path in folder.glob("*stderr*/waits*")):
        assert time.monotonic() < give_up, [path.name for path in folder.rglob("*")]
        time.sleep(0.01)


def _until_it_waits(pid: int) -> None:
    give_up = time.monotonic() + 60
    while Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "S":
        assert time.monotonic() < give_up
        time.sleep(0.001)


def test_an_answer_in_the_pipe_counts_even_if_read_after_the_deadline(
    tmp_path: Path,
) -> None:
    answers = Bot("answers", ("/bin/sh", "-c", "read x; echo '{}'; read y"), tmp_path, "0")
    process = BotProcess(answers, tmp_path / "stderr.txt")
    try:
        asked_ns = process.say(b"x\n")
        assert select.select([process._stdout], [], [], 60)[0]
        assert process.hear(asked_ns) == b"{}"
    finally:
        process.kill()


def test_a_line_without_an_end_is_not_read_after_the_deadline(tmp_path: Path) -> None:
    endless = Bot("x", ("/bin/sh", "-c", "read x; while :; do printf x; done"), tmp_path, "0")
    process = BotProcess(endless, tmp_path / "stderr.txt")
    try:
        asked_ns = process.say(b"x\n")
        assert select.select([process._stdout], [], [], 60)[0]
        heard = process.hear(asked_ns)
        assert isinstance(heard, Fault)
        assert heard.fault == "timeout"
    finally:
        process.kill()
