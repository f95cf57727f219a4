"""A bot that runs out of memory is at fault, and the others play on."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from referee.bots.find import Bot
from stress.soak import bad_bot
from support.match_setup import PLAIN, BotMatch, left_running

HOARDER = Path(bad_bot.__file__)
KILLED = """
import json, os, signal, sys
for line in sys.stdin:
    kind = json.loads(line)["type"]
    if kind == "decide":
        os.kill(os.getpid(), signal.SIGKILL)  # as the kernel does when there is no more
    if kind in ("hello", "start"):
        print(json.dumps({"type": "hello" if kind == "hello" else "ready", "name": "x"}), flush=True)
"""


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ((sys.executable, "-I", "-S", str(HOARDER), "hoards"), "ended with exit status 1"),
        ((sys.executable, "-I", "-S", "-c", KILLED), "was ended by SIGKILL"),
    ],
    ids=["it asks for more than its limit", "the system kills it"],
)
def test_a_bot_that_runs_out_of_memory_is_out_and_the_others_play_on(
    command: tuple[str, ...], expected: str
) -> None:
    with BotMatch([PLAIN, PLAIN, PLAIN]) as match:
        match.players[0].player.bot = Bot("hoarder", command, HOARDER.parent, "0")
        played = match.play()
    assert played.faults(0) == ["crash"]
    assert played.fault()["message"] == expected
    assert played.disqualified == ["crash", None, None]
    assert {"bot"} == {*played.by(1), *played.by(2)}
    assert left_running() == []
