"""Messages of real games without a match runner, and bots as processes that read them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgpack

from protocol.codes import Codes
from referee.adjudication.clock import ClockRules
from referee.adjudication.faults import Fault, FaultRecord, Strikes
from referee.adjudication.standings import final_standings
from referee.encoder import Detail, Encoding, Formats, GameEncoder, SeatEncoder
from referee.engine import game
from referee.engine.state import GameState
from support.paths import ROOT
from support.random_games import Game, decisions

Words = dict[str, Any]

CLOCK = ClockRules(move_ms=None)
HELLO = (
    b'{"type":"hello","protocol":1,"referee":"0","game":"hansa-teutonica","encodings":["json"]}\n'
)
QUIT = b'{"type":"quit"}\n'
TIME_S = 20


class SeatMessages:
    """The messages to one seat of a game, in one encoding and detail."""

    def __init__(
        self,
        state: GameState,
        seat: int,
        encoding: Encoding = "json",
        detail: Detail = "words",
        with_state: bool = True,
    ) -> None:
        self.state = state
        self.with_state = with_state
        message_format = Formats(state.board).get(encoding, detail)
        self._encoder = SeatEncoder(GameEncoder(message_format, state), seat)

    def start(self) -> bytes:
        names = [f"bot {seat}" for seat in range(self.state.rules.players)]
        return self._encoder.start("a-game", names, CLOCK)

    def decide(self) -> bytes:
        return self._encoder.decide(game.choices(self.state), 1500, with_state=self.with_state)

    def end(self) -> bytes:
        players = self.state.rules.players
        return self._encoder.end(final_standings(self.state, Strikes(players), ["x"] * players))

    def error(self) -> bytes:
        return self._encoder.error(
            FaultRecord(0, "x", 7, Fault("timeout", "no answer in time"), 1, 3, disqualified=False)
        )


def conversation(
    one: Game,
    seat: int,
    encoding: Encoding = "json",
    detail: Detail = "words",
    *,
    state: bool = True,
) -> Iterator[tuple[bytes, GameState]]:
    """Yield every message that a seat gets in a game, with the state at that moment."""
    messages: SeatMessages | None = None
    for now in decisions(one):
        if messages is None:
            messages = SeatMessages(now, seat, encoding, detail, state)
            yield messages.start(), now
        if not now.agenda:
            yield messages.end(), now
        elif now.agenda[-1].seat == seat and len(game.choices(now)) > 1:
            yield messages.decide(), now


def parsed(data: bytes, encoding: Encoding = "json") -> Any:
    """Decode a message with the standard libraries of its encoding."""
    return json.loads(data) if encoding == "json" else msgpack.unpackb(data)


def in_words(codes: Codes, message: Words) -> Words:
    """Translate a `decide` or `end` message in the detail `codes` into words."""
    words = {**message, "events": [codes.event(event) for event in message["events"]]}
    if "state" in message:
        words["state"] = codes.state(message["state"])
    if "choices" in message:
        words["choices"] = [codes.choice(choice) for choice in message["choices"]]
    if "about" in message:
        words["about"] = codes.about(message["decision"], message["about"])
    return words


class Process:
    """A bot with this source as a process, and the referee's end of its pipes."""

    def __init__(self, folder: Path, source: str, *options: str) -> None:
        script = folder / "bot.py"
        script.write_text(textwrap.dedent(source), "utf-8")
        self._child = subprocess.Popen(
            [sys.executable, *options, str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": ""},
        )
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        assert self._child.stderr is not None
        self.pid = self._child.pid
        self._stdin, self._stdout = self._child.stdin, self._child.stdout
        self._stderr = self._child.stderr
        self._unpacker = msgpack.Unpacker()

    def say(self, data: bytes) -> None:
        self._stdin.write(data)
        self._stdin.flush()

    def hear(self) -> Any:
        """Read the next line of JSON."""
        return parsed(self._stdout.readline())

    def hear_packed(self) -> Words:
        """Read the next map of MessagePack."""
        for message in self._unpacker:
            found: Words = message
            return found
        self._unpacker.feed(os.read(self._stdout.fileno(), 4096))
        return self.hear_packed()

    def close(self) -> None:
        """Kill the process and close its pipes."""
        self._child.kill()
        self._child.wait(TIME_S)
        for pipe in (self._stdin, self._stdout, self._stderr):
            with suppress(BrokenPipeError):
                pipe.close()

    def close_output(self) -> None:
        self._stdout.close()

    def leave(self, last: bytes = b"") -> tuple[int, bytes, str]:
        """Write this, close the pipe and wait; return the exit status, the rest of stdout, and stderr."""
        out, err = self._child.communicate(last, timeout=TIME_S)
        return self._child.returncode, out, err.decode()

    def play(self, one: Game, seat: int, encoding: Encoding, detail: Detail, *, state: bool) -> int:
        """Play a whole game with it, and return how many decisions it made."""
        made = 0
        for data, now in conversation(one, seat, encoding, detail, state=state):
            self.say(data)
            message = parsed(data, encoding)
            if message["type"] == "end":
                break
            answer = self.hear() if encoding == "json" else self.hear_packed()
            if message["type"] == "start":
                assert answer == {"type": "ready"}
                continue
            assert answer["type"] == "choose"
            assert answer["id"] == now.decision_id
            assert 0 <= answer["choice"] < len(message["choices"])
            made += 1
        return made
