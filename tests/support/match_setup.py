"""Short games of real bots on a small board, and the processes that they leave.

    game = play("silent", PLAIN, PLAIN, move_ms=60)
    assert game.faults(0) == ["timeout", "timeout", "timeout"]

A word is a kind of `bad_bots/trouble.py`, `odd KIND` one of `bad_bots/odd.py`, or the name of a
script there. Only the first seat has a clock, so that a busy machine disturbs no game. `play`
returns what the record says. All processes have ended by then, except plain bots at the other
seats: these wait for the next game.
"""

from __future__ import annotations

import fcntl
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, cast

from msgspec.structs import replace

from referee import atlas
from referee.adjudication.clock import NO_CLOCK, ClockRules, SeatClock
from referee.adjudication.faults import Fault, FaultRecord
from referee.adjudication.standings import Outcome
from referee.bots.find import Bot
from referee.bots.reaper import MARK
from referee.encoder import Formats, SeatEncoder
from referee.engine.ruleset import Ruleset, make_ruleset
from referee.match.players import BotPlayer, Player, Ponder
from referee.match.runner import GameListener, RefereedGame, Settings
from referee.records.writer import RecordWriter
from support.paths import BAD_BOTS

Words = dict[str, Any]

PLAIN = "plain"
NOWHERE = Path(os.devnull)  # for the stderr of plain bots
BOARD = atlas.load_board("hanse-2-3")
FORMATS = Formats(BOARD)
TURNS = 9  # of the whole table: three for each of three seats


def rules_for(players: int, max_turns: int = TURNS) -> Ruleset:
    """Return the rules of a game without options that ends after `max_turns` turns."""
    return make_ruleset(atlas.load_components(), BOARD, players, max_turns=max_turns)


def python(program: str, *words: str) -> tuple[str, ...]:
    """Return the command of one of the bad bots, with a fast start of Python."""
    return (sys.executable, "-I", "-S", str(BAD_BOTS / program), *words)


def bot(word: str, name: str | None = None) -> Bot:
    """Return the bot for a word: a kind of trouble, `odd KIND`, or a shell script."""
    first, _, kind = word.partition(" ")
    if first == "odd":
        command = python("odd.py", kind)
    elif first.endswith(".sh"):
        command = ("/bin/sh", str(BAD_BOTS / first))
    elif word == PLAIN:
        command = python("plain.py")
    else:
        command = python("trouble.py", word)
    return Bot(name or word.replace(" ", "-"), command, BAD_BOTS, "0" * 64)


class ClockedBot:
    """A bot with its own clock instead of the game's; it may get another one after a fault."""

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
        """Everything else is passed on to the player."""
        return getattr(self.player, name)

    def open(self, clock: ClockRules) -> Fault | None:
        fault = self.player.open(replace(NO_CLOCK, start_ms=self._hello_ms))
        if self._pipe_bytes is not None:
            fcntl.fcntl(self.player._live._stdin, fcntl.F_SETPIPE_SZ, self._pipe_bytes)
        return fault

    @property
    def pid(self) -> int | None:
        """The id of its process, or None if it has ended."""
        process = self.player._process
        return None if process is None else process.pid

    def start(
        self, encoder: SeatEncoder, game: str, names: list[str], clock: ClockRules
    ) -> Fault | None:
        return self.player.start(encoder, game, names, self._own)

    def refuse(self, fault: FaultRecord) -> None:
        self.player.refuse(fault)
        if self._afterwards is not None:
            self.player._clock = SeatClock(self._afterwards)


@dataclass
class Played:
    """A finished game: its outcome and the lines of its record."""

    outcome: Outcome
    lines: list[Words]

    def of(self, line: str, seat: int | None = None) -> list[Words]:
        """Return the lines of one kind; of one seat only, if given."""
        return [x for x in self.lines if x["line"] == line and seat in (None, x.get("seat"))]

    def faults(self, seat: int) -> list[str]:
        """Return the kinds of a seat's faults, in order."""
        return [fault["fault"] for fault in self.of("fault", seat)]

    def fault(self, seat: int = 0) -> Words:
        """Return the only fault of a seat."""
        (found,) = self.of("fault", seat)
        return found

    def by(self, seat: int) -> list[str]:
        """Return who made each decision of a seat that had more than one choice."""
        return [x["by"] for x in self.of("decision", seat) if x["by"] != "single"]

    def at(self, number: int) -> Words:
        """Return the line of one decision."""
        (found,) = [x for x in self.of("decision") if x["id"] == number]
        return found

    @property
    def end(self) -> Words:
        """The last line of the record."""
        assert self.lines[-1]["line"] == "end"
        return self.lines[-1]

    @property
    def ranks(self) -> list[int]:
        """The rank of each seat at the end."""
        return [standing["rank"] for standing in self.end["standings"]]

    @property
    def disqualified(self) -> list[str | None]:
        """The fault that disqualified each seat, or None."""
        return [standing["disqualified"] for standing in self.end["standings"]]


IDLE: list[ClockedBot] = []  # plain bots between two games


def close_idle_bots() -> None:
    """End the plain bots that wait for another game."""
    while IDLE:
        IDLE.pop().close()


@dataclass
class BotMatch:
    """The bots of one or more games, and where their output goes."""

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
    players: list[ClockedBot] = field(init=False)
    folder: tempfile.TemporaryDirectory[str] = field(init=False)

    def __post_init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.players = [self._player(seat, word) for seat, word in enumerate(self.words)]

    @property
    def path(self) -> Path:
        """The folder of the record and of what the bots write to stderr."""
        return Path(self.folder.name)

    def _player(self, seat: int, word: str) -> ClockedBot:
        stderr = self.path / f"stderr-{seat}.txt"
        one = bot(word, f"{word.replace(' ', '-')}-{seat}")
        if seat not in self.clocked:
            if word == PLAIN and IDLE:
                return IDLE.pop()
            return ClockedBot(one, NOWHERE if word == PLAIN else stderr, NO_CLOCK)
        return ClockedBot(
            one,
            stderr,
            self.clock,
            afterwards=self.afterwards,
            hello_ms=self.hello_ms,
            ponder=self.ponder,
            pipe_bytes=self.pipe_bytes,
        )

    def __enter__(self) -> BotMatch:
        return self

    def __exit__(self, *_: object) -> None:
        for player in self.players:
            if player.stderr == NOWHERE:
                IDLE.append(player)
            else:
                player.close()
        self.folder.cleanup()

    def game(self, record: RecordWriter | None = None, seed: int = 5) -> RefereedGame:
        """Return a game that has not begun."""
        settings = Settings(self.clock, self.strikes, stop_at_fault=self.stop_at_fault)
        rules = rules_for(len(self.words), self.max_turns)
        players = cast("list[Player]", self.players)
        return RefereedGame(
            FORMATS, rules, seed, "a-game", players, settings, record, self.listener
        )

    def play(self, seed: int = 5) -> Played:
        """Play a game and read its record."""
        path = self.path / "game.jsonl"
        record = RecordWriter(path, FORMATS.get("json", "words"))
        try:
            outcome = self.game(record, seed).play()
        finally:
            record.close()
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        return Played(outcome, lines)

    def stderr(self, seat: int = 0) -> str:
        """Return what a bot has written to stderr."""
        return (self.path / f"stderr-{seat}.txt").read_text("utf-8")

    def diary(self, seat: int = 0) -> list[Words]:
        """Return the messages that a bot of the kind `diary` got."""
        return [json.loads(line) for line in self.stderr(seat).splitlines()]


def play(*words: str, games: int = 1, **options: Any) -> Played:
    """Play games with these bots and return the last one; fails if a process is left."""
    clock = {key: options.pop(key) for key in list(options) if key in ClockRules.__struct_fields__}
    if clock:
        options["clock"] = replace(NO_CLOCK, **clock)
    with BotMatch(words, **options) as match:
        for _ in range(games):
            played = match.play()
    assert left_running() == []
    return played


@cache
def played_once(*words: str) -> Played:
    """Return a game of these bots that all tests share; do not change it."""
    return play(*words)


# --- processes that are left -------------------------------------------------------------------


def marked() -> list[int]:
    """Return the bot processes that this process started, and their descendants."""
    mark = f"{MARK}={os.getpid()}".encode()
    numbers = [path for path in Path("/proc").iterdir() if path.name.isdigit()]
    found = [int(path.name) for path in numbers if mark in _variables(path)]
    return [pid for pid in found if pid not in _idle()]


def _variables(process: Path) -> list[bytes]:
    try:
        return (process / "environ").read_bytes().split(b"\0")
    except OSError:
        return []


def _idle() -> list[int | None]:
    return [player.pid for player in IDLE]


def children() -> list[int]:
    """Return our child processes, including zombies."""
    found: list[int] = []
    for path in Path("/proc/self/task").glob("*/children"):
        found += map(int, path.read_text().split())
    return [pid for pid in found if pid not in _idle()]


def left_running() -> list[int]:
    """Return all processes that bots have left, including zombies."""
    return sorted({*marked(), *children()})


def descriptors(pid: int | str = "self") -> list[int]:
    """Return the file descriptors of a process."""
    return sorted(int(path.name) for path in Path(f"/proc/{pid}/fd").iterdir())
