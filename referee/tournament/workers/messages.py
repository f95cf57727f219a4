"""What a worker is given and what it tells: plain data that goes through a pipe or over a network."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from referee.adjudication.clock import ClockRules
from referee.adjudication.faults import DEFAULT_STRIKES, FaultRecord
from referee.bots.find import Bot
from referee.bots.sandbox.limits import DEFAULT_LIMITS, Level, Limits
from referee.engine.board import Board
from referee.engine.ruleset import Ruleset
from referee.match.players import Ponder
from referee.options import GameOptions
from referee.tournament.results import Block, BlockResult, GameResult


class BotJob(msgspec.Struct, frozen=True):
    """A bot that can be started, built already."""

    name: str
    command: tuple[str, ...]
    folder: str
    content: str
    environment: dict[str, str] = {}
    level: Level = "limits"
    limits: Limits = DEFAULT_LIMITS

    def bot(self) -> Bot:
        """The same for a match."""
        return Bot(
            self.name,
            self.command,
            Path(self.folder),
            self.content,
            environment=dict(self.environment),
            level=self.level,
            limits=self.limits,
        )


class TableJob(msgspec.Struct, frozen=True):
    """A kind of table: the board as its words, and the options of the rules."""

    name: str
    seats: int
    board: dict[str, Any]
    options: dict[str, Any]

    def load(self) -> tuple[Board, Ruleset]:
        """The board and the rules."""
        board = Board(self.board)  # type: ignore[arg-type]  # it was a Board's words
        return board, GameOptions(**self.options).ruleset(board, self.seats)


class Conditions(ClockRules, frozen=True):
    """How the games are refereed: the clock, and what follows."""

    strikes: int = DEFAULT_STRIKES
    ponder: Ponder = "report"
    fresh: bool = False  # a new process for each game

    def clock(self) -> ClockRules:
        """The clock alone."""
        return self.plain()


class Job(msgspec.Struct, frozen=True):
    """All that a worker needs to know before its first block."""

    tables: tuple[TableJob, ...]
    bots: tuple[BotJob, ...]
    conditions: Conditions
    records: str | None  # a folder; None writes none
    stderr: str  # a folder
    must_be_strict: bool = False  # else bots have limits where the strict sandbox does not work


class SeatReport(msgspec.Struct, frozen=True):
    """One seat at the end of a game."""

    bot: str
    name: str  # at the table: a copy has another one
    rank: int
    total: int
    faults: int
    out: str | None  # the fault that disqualified it


class GameReport(msgspec.Struct, frozen=True):
    """One game of a block; one that is void has no seats."""

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
    """A game has begun."""

    block: str
    number: int
    bots: tuple[str, ...]


class Played(msgspec.Struct, frozen=True, tag="played"):
    """A block is finished."""

    block: Block
    games: tuple[GameReport, ...]

    @property
    def void(self) -> str | None:
        """Why the block does not count, if it does not: an error of the referee in a game of it."""
        return next((game.void for game in self.games if game.void is not None), None)

    def result(self) -> BlockResult:
        """What the statistics need of it; nothing of a void one."""
        games = self.games if self.void is None else ()
        return BlockResult(self.block, tuple(_result(self.block, game) for game in games))


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """A block that could not be played, and why, in a sentence."""

    block: str
    message: str


WorkerMessage: TypeAlias = Playing | Played | Failed

encode = msgspec.json.Encoder().encode
decode_message = msgspec.json.Decoder(WorkerMessage).decode
decode_job = msgspec.json.Decoder(Job).decode
decode_block = msgspec.json.Decoder(Block).decode


@dataclass(frozen=True)
class WorkerStatus:
    """What a worker does now, for those who look on."""

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
