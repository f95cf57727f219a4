"""Fuzzed replies through real pipes: bots in their own processes, and the whole referee."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from referee import atlas
from referee.adjudication.clock import ClockRules
from referee.adjudication.faults import FaultRecord
from referee.adjudication.standings import Outcome
from referee.bots.find import Bot, environment
from referee.bots.reaper import REAPER
from referee.encoder import Formats
from referee.engine.ruleset import make_ruleset
from referee.engine.state import GameState
from referee.engine.terms import FAULTS
from referee.match.players import BotPlayer
from referee.match.runner import BY_BOT, GameListener, RefereedGame, Settings
from referee.records.verify import verify
from referee.records.writer import RecordWriter
from referee.system import descendants, open_descriptors
from stress.fuzz.in_process import BOARD, MOST_WRONG, SEATS, Fuzzed, note_memory

TESTS: Final = Path(__file__).resolve().parents[2]
MAX_TURNS: Final = 1000  # long games: each begins with new processes
# The time is short, because the referee waits for the rest of an incomplete message.
CLOCK: Final = ClockRules(start_ms=60_000, bank_ms=None, increment_ms=0, move_ms=10)


def fuzz_pipes(
    folder: Path, count: int, seed: int, on_progress: Callable[[int], None] = lambda _: None
) -> Fuzzed:
    """Judge this many fuzzed replies of processes; record the games, and verify the records."""
    REAPER.take_charge()
    run = _Run(folder, seed)
    open_before, running_before = open_descriptors([os.getpid()]), set(descendants(os.getpid()))
    began = time.perf_counter()
    fuzzed = run.fuzzed
    while fuzzed.replies < count and len(fuzzed.wrong) < MOST_WRONG:
        run.play()
        note_memory(fuzzed, count)
        on_progress(fuzzed.replies)
    fuzzed.seconds = time.perf_counter() - began
    fuzzed.left_running = len(set(descendants(os.getpid())) - running_before)
    fuzzed.left_open = open_descriptors([os.getpid()]) - open_before
    return fuzzed


class _Run:
    """Games one after the other with the same players."""

    def __init__(self, folder: Path, seed: int) -> None:
        board = atlas.load_board(BOARD)
        self._rules = make_ruleset(atlas.load_components(), board, SEATS, max_turns=MAX_TURNS)
        self._formats = Formats(board)
        self._record = folder / "game.jsonl"
        self.fuzzed = Fuzzed(seed)
        self.players = [_player(seat, seed, folder) for seat in range(SEATS)]

    def play(self) -> None:
        fuzzed = self.fuzzed
        number = fuzzed.games
        record = RecordWriter(self._record, self._formats.get("json", "words"))
        outcome = RefereedGame(
            self._formats, self._rules, number, f"fuzz-{number}", self.players,
            Settings(CLOCK, strikes=0), record, GameListener(faulted=self._faulted),
        ).play()  # fmt: skip
        record.close()
        for player in self.players:
            player.close()  # half a message of this game would spoil the start of the next
        fuzzed.games += 1
        answered = self._record.read_bytes().count(b'"by":"%s"' % BY_BOT.encode())
        fuzzed.legal += answered
        fuzzed.replies += answered + sum(one.fault != "start" for one in outcome.faults)
        self._check(outcome)

    def _faulted(self, _: GameState, fault: FaultRecord) -> None:
        name = fault.fault
        self.fuzzed.faults[name] += 1
        if name not in FAULTS or not fault.message:
            self.fuzzed.note(f"a fault without a name: {fault}")

    def _check(self, outcome: Outcome) -> None:
        """Note a game that is void or whose record is wrong."""
        if outcome.void is not None:
            self.fuzzed.note(f"game {outcome.seed} is void: {outcome.void}")
            return
        verdict = verify(self._record)
        if verdict.verdict != "fine":
            self.fuzzed.note(f"game {outcome.seed}: the record is {verdict.verdict}: {verdict.why}")


def _player(seat: int, seed: int, folder: Path) -> BotPlayer:
    encoding = "json" if seat % 2 == 0 else "msgpack"
    command = (sys.executable, "-P", "-m", "stress.fuzz.bot", encoding, f"{seed} {seat}")
    paths = os.pathsep.join([str(TESTS), environment()["PYTHONPATH"]])
    bot = Bot(f"fuzz-{seat}", command, folder, "fuzz", environment={"PYTHONPATH": paths})
    return BotPlayer(bot, folder / f"{bot.name}.txt")
