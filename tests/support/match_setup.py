"""A table for real bots: short games on a small board, and what is left of them.

    game = play("silent", PLAIN, PLAIN, move_ms=60)
    assert game.faults(0) == ["timeout", "timeout", "timeout"]

A word is a kind of `bad_bots/trouble.py`, `odd KIND` one of `bad_bots/odd.py`, or the name of a
script there. The clock is that of the first seat alone: the others have none, so that a busy
machine disturbs no game. What `play` gives back is read from the record. All processes have ended
by then, but for plain bots at the other seats: these wait for the next game.
"""

from __future__ import annotations

import fcntl
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from msgspec.structs import replace

from referee import atlas
from referee.adjudication.clock import NO_CLOCK, ClockRules, SeatClock
from referee.adjudication.faults import Fault, FaultRecord
from referee.adjudication.standings import Outcome
from referee.bots.find import Bot
from referee.bots.reaper import MARK
from referee.encoder import Dialects, Speech
from referee.engine.ruleset import Ruleset, make_ruleset
from referee.match.players import BotPlayer, Player, Ponder
from referee.match.runner import Game, GameListener, Settings
from referee.records.writer import RecordWriter
from support.paths import BAD_BOTS

Words = dict[str, Any]

PLAIN = "plain"
NOWHERE = Path(os.devnull)  # for the stderr of those who have nothing to say
BOARD = atlas.load_board("hanse-2-3")
DIALECTS = Dialects(BOARD)
TURNS = 9  # of the whole table: three for each of three seats


def rules_for(players: int, max_turns: int = TURNS) -> Ruleset:
    """The plain game; it ends after so many turns."""
    return make_ruleset(atlas.load_components(), BOARD, players, max_turns=max_turns)


def python(program: str, *words: str) -> tuple[str, ...]:
    """The command of one of the bad bots, started fast."""
    return (sys.executable, "-I", "-S", str(BAD_BOTS / program), *words)


def bot(word: str, name: str | None = None) -> Bot:
    """The bot that a word means here: a kind of trouble, `odd KIND`, or a shell script."""
    first, _, kind = word.partition(" ")
    if first == "odd":
        command = python("odd.py", kind)
    elif first.endswith(".sh"):
        command = ("/bin/sh", str(BAD_BOTS / first))
    else:
        command = python("trouble.py", word)
    return Bot(name or word.replace(" ", "-"), command, BAD_BOTS, "0" * 64)


class Guest:
    """A bot with a clock of its own, whatever the game's; after its first fault it may have another."""

    def __init__(
        self,
        bot: Bot,
        stderr: Path,
        clock: ClockRules,
        *,
        afterwards: ClockRules | None = None,
        hello_ms: int | None = None,
        ponder: Ponder = "report",
        pipe_bytes: int | None = None,
    ) -> None:
        self.player = BotPlayer(bot, stderr, ponder=ponder)
        self._own = clock
        self._afterwards = afterwards
        self._hello_ms = hello_ms
        self._pipe_bytes = pipe_bytes

    def __getattr__(self, name: str) -> Any:
        """All else is as with any bot."""
        return getattr(self.player, name)

    def open(self, clock: ClockRules) -> Fault | None:
        fault = self.player.open(replace(NO_CLOCK, start_ms=self._hello_ms))
        if self._pipe_bytes is not None:
            fcntl.fcntl(self.player._live._stdin, fcntl.F_SETPIPE_SZ, self._pipe_bytes)
        return fault

    @property
    def pid(self) -> int | None:
        """Its process, as long as there is one."""
        process = self.player._process
        return None if process is None else process.pid

    def start(self, speech: Speech, game: str, names: list[str], clock: ClockRules) -> Fault | None:
        return self.player.start(speech, game, names, self._own)

    def refuse(self, fault: FaultRecord) -> None:
        self.player.refuse(fault)
        if self._afterwards is not None:
            self.player._clock = SeatClock(self._afterwards)


@dataclass
class Played:
    """One game that is over, and what its record says."""

    outcome: Outcome
    lines: list[Words]

    def of(self, line: str, seat: int | None = None) -> list[Words]:
        """The lines of one kind, of one seat if that is given."""
        return [x for x in self.lines if x["line"] == line and seat in (None, x.get("seat"))]

    def faults(self, seat: int) -> list[str]:
        """What a seat was at fault with, in order."""
        return [fault["fault"] for fault in self.of("fault", seat)]

    def fault(self, seat: int = 0) -> Words:
        """The one fault of a seat."""
        (found,) = self.of("fault", seat)
        return found

    def by(self, seat: int) -> list[str]:
        """Who made the decisions of a seat that had more than one choice."""
        return [x["by"] for x in self.of("decision", seat) if x["by"] != "single"]

    def at(self, number: int) -> Words:
        """The line of one decision."""
        (found,) = [x for x in self.of("decision") if x["id"] == number]
        return found

    @property
    def end(self) -> Words:
        """The last line."""
        assert self.lines[-1]["line"] == "end"
        return self.lines[-1]

    @property
    def ranks(self) -> list[int]:
        """By seat."""
        return [standing["rank"] for standing in self.end["standings"]]

    @property
    def disqualified(self) -> list[str | None]:
        """By seat: the fault that cost it the game."""
        return [standing["disqualified"] for standing in self.end["standings"]]


IDLE: list[Guest] = []  # plain bots between two games


def send_home() -> None:
    """Nobody waits for a game any more."""
    while IDLE:
        IDLE.pop().close()


@dataclass
class Party:
    """Some bots around one table, for one game or more."""

    words: Sequence[str]
    clock: ClockRules = NO_CLOCK
    afterwards: ClockRules | None = None  # the clock once it has been at fault
    hello_ms: int | None = None
    ponder: Ponder = "report"
    pipe_bytes: int | None = None  # how much the bot may leave unread
    strikes: int = 3
    max_turns: int = TURNS
    stop_at_fault: bool = False
    clocked: Sequence[int] = (0,)
    listener: GameListener | None = None
    players: list[Guest] = field(init=False)
    folder: tempfile.TemporaryDirectory[str] = field(init=False)

    def __post_init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.players = [self._guest(seat, word) for seat, word in enumerate(self.words)]

    @property
    def path(self) -> Path:
        """Where records and what the bots say on stderr lie."""
        return Path(self.folder.name)

    def _guest(self, seat: int, word: str) -> Guest:
        stderr = self.path / f"stderr-{seat}.txt"
        one = bot(word, f"{word.replace(' ', '-')}-{seat}")
        if seat not in self.clocked:
            if word == PLAIN and IDLE:
                return IDLE.pop()
            return Guest(one, NOWHERE if word == PLAIN else stderr, NO_CLOCK)
        return Guest(
            one,
            stderr,
            self.clock,
            afterwards=self.afterwards,
            hello_ms=self.hello_ms,
            ponder=self.ponder,
            pipe_bytes=self.pipe_bytes,
        )

    def __enter__(self) -> Party:
        return self

    def __exit__(self, *_: object) -> None:
        for player in self.players:
            if player.stderr == NOWHERE:
                IDLE.append(player)
            else:
                player.close()
        self.folder.cleanup()

    def game(self, record: RecordWriter | None = None, seed: int = 5) -> Game:
        """A game about to begin."""
        settings = Settings(self.clock, self.strikes, stop_at_fault=self.stop_at_fault)
        rules = rules_for(len(self.words), self.max_turns)
        players = cast("list[Player]", self.players)
        return Game(DIALECTS, rules, seed, "a-game", players, settings, record, self.listener)

    def play(self, seed: int = 5) -> Played:
        """A game to its end."""
        path = self.path / "game.jsonl"
        record = RecordWriter(path, DIALECTS.get("json", "words"))
        try:
            outcome = self.game(record, seed).play()
        finally:
            record.close()
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        return Played(outcome, lines)

    def stderr(self, seat: int = 0) -> str:
        """What a bot has said on stderr."""
        return (self.path / f"stderr-{seat}.txt").read_text("utf-8")

    def diary(self, seat: int = 0) -> list[Words]:
        """What a bot that keeps one has been told."""
        return [json.loads(line) for line in self.stderr(seat).splitlines()]


def play(*words: str, games: int = 1, **options: Any) -> Played:
    """The last of so many games of these bots; nothing of them runs any more."""
    clock = {key: options.pop(key) for key in list(options) if key in ClockRules.__struct_fields__}
    if clock:
        options["clock"] = replace(NO_CLOCK, **clock)
    with Party(words, **options) as party:
        for _ in range(games):
            played = party.play()
    assert left_running() == []
    return played


# --- what is still there -------------------------------------------------------------------


def marked() -> list[int]:
    """Processes of bots that this process has started, and of whatever these have started."""
    mark = f"{MARK}={os.getpid()}".encode()
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            variables = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if mark in variables:
            found.append(int(path.parent.name))
    return [pid for pid in found if pid not in _idle()]


def _idle() -> list[int | None]:
    return [guest.pid for guest in IDLE]


def children() -> list[int]:
    """Our children, those that nobody waited for among them."""
    found: list[int] = []
    for path in Path("/proc/self/task").glob("*/children"):
        found += map(int, path.read_text().split())
    return [pid for pid in found if pid not in _idle()]


def left_running() -> list[int]:
    """Whatever a bot has left, alive or dead."""
    return sorted({*marked(), *children()})


def descriptors(pid: int | str = "self") -> list[int]:
    """The open files of a process."""
    return sorted(int(path.name) for path in Path(f"/proc/{pid}/fd").iterdir())
