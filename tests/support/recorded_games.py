"""Recorded games without bot processes: the players are scripted, and so are their faults.

    path = record(folder / "game.jsonl", "east:3:bigbox+max_turns=12", faults={1: {2: "timeout"}})

`faults` maps a seat to its faults by request: 0 is the first request, and -1 the start. A scripted
player has a clock like a bot, so that the record is consistent.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from referee.adjudication.clock import ClockRules, SeatClock
from referee.adjudication.faults import Fault
from referee.adjudication.standings import Outcome, SeatResult
from referee.encoder import Formats, MessageFormat, SeatEncoder
from referee.engine.choice import Choice
from referee.engine.state import GameState
from referee.match.players import Answer
from referee.match.runner import RefereedGame, Settings
from referee.records.resume import Record
from referee.records.writer import Past, RecordWriter
from support.combinations import named
from support.random_games import Preferences, builder

Words = dict[str, Any]
Faults = Mapping[int, Mapping[int, str]]

AT_START = -1
CLOCK = ClockRules(start_ms=1000, bank_ms=400, increment_ms=5, move_ms=100)
EVERY_BOARD = (
    "hanse-4-5:4:bigbox+missions+favours+promos+max_turns=16",
    "hanse-4-5:5:original+max_turns=15",
    "hanse-2-3:2:bigbox+missions+neutral=2009+max_turns=14",
    "hanse-2-3:3:original+favours+max_turns=15",
    "east:2:bigbox+promos+neutral=britannia+max_turns=14",
    "east:5:original+max_turns=15",
    "britannia-4-5:4:bigbox+permits+promos+max_turns=16",
    "britannia-2-3:3:bigbox+permits+max_turns=15",
    "britannia-2-3:2:original+neutral=2009+max_turns=14",
)
SOME_FAULTS: Faults = {
    0: {1: "timeout", 4: "illegal"},
    1: {2: "garbage", 3: "ponder", 5: "timeout"},
    2: {3: "crash"},
}


@dataclass
class Script:
    """A player that builds routes, and commits the faults in its script."""

    name: str
    rng: Random
    faults: Mapping[int, str] = field(default_factory=dict)
    content: str = "0" * 64
    version: str | None = "1"
    remark: str | None = None
    message_format: MessageFormat = field(default_factory=MessageFormat)
    asked: int = 0

    def sit(self, state: GameState) -> None:
        self.state = state
        self.preferences = Preferences(12, 8, 4)

    def open(self, _: ClockRules) -> Fault | None:
        return None

    def start(self, _: SeatEncoder, __: str, ___: list[str], clock: ClockRules) -> Fault | None:
        self.clock = SeatClock(clock)
        fault = self.faults.get(AT_START)
        return Fault(fault, "at the start") if fault else None

    def decide(self, _: int, options: list[Choice]) -> Answer | Fault:
        allowed = self.clock.begin()
        used = round(self.rng.random(), 3) if allowed is None else round(allowed / 50, 3)
        fault = self.faults.get(self.asked)
        self.asked += 1
        if fault == "timeout":
            used = allowed or 0.0
        elif fault == "ponder":
            used = 0.0
        self.clock.use(used)
        if fault:
            return Fault(fault, f"{fault}, as planned", b'{"odd":\x1b}', used)
        index = builder(self.state, options, self.rng, self.preferences)
        now = time.monotonic_ns()
        return Answer(index, used, now, now, say=self.remark)

    def refuse(self, *_: object) -> None: ...
    def dismiss(self) -> None: ...
    def end(self, _: list[SeatResult]) -> None: ...

    def stderr_excerpt(self) -> bytes:
        return b"on stderr \xff"


def record(
    path: Path,
    name: str = EVERY_BOARD[0],
    *,
    seed: int = 7,
    faults: Faults | None = None,
    clock: ClockRules = CLOCK,
    strikes: int = 3,
    stop_at_fault: bool = False,
    names: Sequence[str] | None = None,
    remark: str | None = None,
    people: Sequence[int] = (),
    origin: tuple[Path, int] | None = None,
) -> Path:
    """Play a game and write its record; `origin` is a position of another record to start from."""
    board, rules = named(name)
    state: GameState | None = None
    past: Past | None = None
    if origin is not None:
        state, past = Record(origin[0]).position(origin[1])
        board, rules = state.board, state.rules
    rng = Random(f"{name} {seed}")
    seated = names or [f"script-{seat}" for seat in range(rules.players)]
    players = [
        Script(
            who,
            rng,
            (faults or {}).get(seat, {}),
            content="human" if seat in people else "0" * 64,
            remark=remark,
        )
        for seat, who in enumerate(seated)
    ]
    formats = Formats(board)
    settings = Settings(clock, strikes, stop_at_fault=stop_at_fault)
    with closing(RecordWriter(path, formats.get("json", "words"), past)) as writer:
        game = RefereedGame(formats, rules, seed, "a-game", players, settings, writer, state=state)
        for player in players:
            player.sit(game.state)
        outcome: Outcome = game.play()
    assert outcome.void is None, outcome.void
    return path


@cache
def recorded(name: str, with_faults: bool = False) -> bytes:
    """Return the bytes of a record of this ruleset."""
    with tempfile.TemporaryDirectory() as folder:
        path = record(Path(folder) / "game.jsonl", name, faults=SOME_FAULTS if with_faults else {})
        return path.read_bytes()


def lines_of(data: bytes | Path) -> list[Words]:
    """Return the lines of a record as dicts."""
    data = data.read_bytes() if isinstance(data, Path) else data
    return [json.loads(line) for line in data.splitlines()]


def record_bytes(lines: Sequence[Words]) -> bytes:
    """Return lines as the bytes of a record."""
    return b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines)
