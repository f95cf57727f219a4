"""The messages to and from a worker: plain data for a pipe or a network."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from referee.adjudication.clock import ClockRules
from referee.adjudication.faults import DEFAULT_STRIKES, FaultRecord
from referee.bots.find import Bot
from referee.bots.parameters import Parameter, Value
from referee.bots.sandbox.limits import DEFAULT_LIMITS, Level, Limits
from referee.engine.board import Board
from referee.engine.ruleset import Ruleset
from referee.match.players import Ponder
from referee.options import GameOptions
from referee.tournament.results import Block, BlockResult, GameResult


class BotJob(msgspec.Struct, frozen=True):
    """A bot that is built and ready to start, or that the worker imports."""

    name: str
    command: tuple[str, ...]  # empty for a bot with an import path
    folder: str
    content: str
    environment: dict[str, str] = {}
    level: Level = "limits"
    limits: Limits = DEFAULT_LIMITS
    allow_network: bool = False  # for its build, on a machine that must build it
    values: dict[str, Value] = {}  # of its parameters, those that are not the defaults
    import_path: str = ""
    parameters: tuple[Parameter, ...] = ()  # a block may set them (Block.settings)

    def bot(self) -> Bot:
        """Return the bot in the form that a match needs."""
        return Bot(
            self.name,
            self.command,
            Path(self.folder),
            self.content,
            environment=dict(self.environment),
            level=self.level,
            limits=self.limits,
            values=self.values,
            import_path=self.import_path,
            parameters=self.parameters,
        )


@lru_cache(maxsize=8)
def _board_of(words: bytes) -> Board:
    """Return the board with these words, as JSON; a tournament loads it several times."""
    return Board(msgspec.json.decode(words))


class TableJob(msgspec.Struct, frozen=True):
    """A kind of table: the board as plain data, and the options of the rules."""

    name: str
    seats: int
    board: dict[str, Any]
    options: dict[str, Any]

    def load(self) -> tuple[Board, Ruleset]:
        """Return the board and the rules."""
        board = _board_of(msgspec.json.encode(self.board))
        return board, GameOptions(**self.options).ruleset(board, self.seats)


class Conditions(ClockRules, frozen=True):
    """The clock and the other conditions of all games."""

    strikes: int = DEFAULT_STRIKES
    ponder: Ponder = "report"
    fresh: bool = False  # a new process for each game

    def clock(self) -> ClockRules:
        """Return only the clock rules."""
        return self.plain()


class Job(msgspec.Struct, frozen=True):
    """Everything that a worker needs before its first block."""

    tables: tuple[TableJob, ...]
    bots: tuple[BotJob, ...]
    conditions: Conditions
    records: str | None  # a folder; None: no records are written
    stderr: str  # a folder
    must_be_strict: bool = False  # if False, a machine without a strict sandbox uses limits
    import_from: tuple[str, ...] = ()  # folders and archives with modules of bots
    is_self_play: bool = False  # all bots are one bot: a process may play all games of a block


class SeatReport(msgspec.Struct, frozen=True):
    """The result of one seat of a game."""

    bot: str
    name: str  # at the table; a copy has another name
    rank: int
    total: int
    faults: int
    out: str | None  # the fault that disqualified it


class GameReport(msgspec.Struct, frozen=True):
    """One game of a block; a void game has no seats."""

    number: int
    game: str  # its public id
    seats: tuple[SeatReport, ...]
    faults: tuple[FaultRecord, ...]
    reason: str
    turns: int
    decisions: int
    seconds: float
    record: str | None  # the file's name in the folder of the block
    void: str | None = None


class Playing(msgspec.Struct, frozen=True, tag="playing"):
    """Message: a game of a block has begun."""

    block: str
    number: int
    bots: tuple[str, ...]


def record_name(block: str, number: int) -> str:
    """Return the path of the record of a running game in the folder of all records."""
    return f"{block}/{number}.jsonl"


class Played(msgspec.Struct, frozen=True, tag="played"):
    """Message: a block is finished."""

    block: Block
    games: tuple[GameReport, ...]

    @property
    def void(self) -> str | None:
        """The error of the referee that makes the block void; None if the block counts."""
        return next((game.void for game in self.games if game.void is not None), None)

    def result(self) -> BlockResult:
        """Return the result for the statistics; a void block has no games."""
        games = self.games if self.void is None else ()
        return BlockResult(self.block, tuple(_result(self.block, game) for game in games))


class BlockFailed(msgspec.Struct, frozen=True, tag="failed"):
    """Message: a block could not be played, and why."""

    block: str
    message: str


WorkerMessage: TypeAlias = Playing | Played | BlockFailed

encode = msgspec.json.Encoder().encode
decode_message = msgspec.json.Decoder(WorkerMessage).decode
decode_job = msgspec.json.Decoder(Job).decode
decode_block = msgspec.json.Decoder(Block).decode


@dataclass(frozen=True)
class WorkerStatus:
    """The game that a worker is playing, if any."""

    worker: str
    game: Playing | None


def _result(block: Block, game: GameReport) -> GameResult:
    seats = game.seats
    return GameResult(
        block.table,
        tuple(seat.bot for seat in seats),
        tuple(seat.rank for seat in seats),
        tuple(seat.total for seat in seats),
        tuple(seat.faults for seat in seats),
        tuple(seat.out is not None for seat in seats),
    )
