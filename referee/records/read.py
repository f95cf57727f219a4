"""Reading a record: its header and its decisions, with caps on size and a sentence for what is wrong."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Final, TypeVar, cast

import msgspec

from referee import atlas
from referee.adjudication.clock import ClockRules
from referee.engine import game
from referee.engine.board import Board
from referee.engine.ruleset import RULES_VERSION, Ruleset
from referee.engine.state import GameState
from referee.errors import ChoiceRefused, MapRefused, RecordRefused
from referee.options import GameOptions
from referee.records.required import all_required
from referee.records.write import FORMAT, Past

LARGEST_LINE: Final = 4 * 1024 * 1024
LARGEST_RECORD: Final = 512 * 1024 * 1024  # unpacked

Line = TypeVar("Line")
Natural = Annotated[int, msgspec.Meta(ge=0)]


@all_required()
class RulesLine(GameOptions, frozen=True, kw_only=True):
    """The rules that a game was played by."""

    board: str
    players: Natural


@all_required(but="by_cpu")
class ClockLine(ClockRules, frozen=True):
    """The time limits of a recorded game."""


class SeatLine(msgspec.Struct):
    """Who sat where."""

    seat: Natural
    name: str
    version: str | None = None
    hash: str = ""


class Header(msgspec.Struct):
    """The first line of a record."""

    line: str
    format: int
    rules_version: int
    rules: RulesLine
    board: dict[str, Any]
    board_digest: str
    seed: Annotated[int, msgspec.Meta(ge=0, lt=2**53)]
    game: str
    players: list[SeatLine]
    clock: ClockLine
    strikes: Natural


class _Kind(msgspec.Struct):
    """What a line is."""

    line: str


class _Decision(msgspec.Struct):
    """A decision, as far as it is needed to play it again."""

    id: int
    choice: int


class Record:
    """A record, read line by line when it is asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        first = next(_lines(path), None)
        if first is None:
            raise RecordRefused(f"{path} is no record: it has no whole line")
        self.header = _parse(path, 1, first, Header)
        if self.header.line != "game" or self.header.format != FORMAT:
            raise RecordRefused(
                f"{path} is no record that this version reads: it is of format"
                f" {self.header.format}, not {FORMAT}"
            )

    def board(self) -> Board:
        """The board that is in the record."""
        try:
            board = atlas.board_from_words(self.header.board)
        except MapRefused as error:
            first = " ".join(line.strip() for line in str(error).splitlines()[:2])
            raise RecordRefused(f"{self.path}: {first}") from error
        if board.digest != self.header.board_digest:
            raise RecordRefused(
                f"{self.path}: its board has the digest {board.digest}, not"
                f" {self.header.board_digest} as it says"
            )
        return board

    def ruleset(self, board: Board) -> Ruleset:
        """The rules that are in the record; RulesRefused if the board does not allow them."""
        rules = self.header.rules
        return rules.ruleset(board, rules.players)

    def position(self, at: int | None) -> tuple[GameState, Past]:
        """The position before the decision of this id (None: where the record breaks off)."""
        if self.header.rules_version != RULES_VERSION:
            raise RecordRefused(
                f"{self.path} was played by rules version {self.header.rules_version},"
                f" this is {RULES_VERSION}: it cannot be gone on from"
            )
        board = self.board()
        state = game.new_game(board, self.ruleset(board), self.header.seed)
        lines: list[bytes] = []
        self._replay(state, at, lines)
        if at is not None and state.decision_id != at:
            last = state.decision_id
            raise RecordRefused(f"{self.path} has no decision {at}: it goes from 1 to {last}")
        if state.is_over:
            raise RecordRefused(f"the game of {self.path} is over; give an earlier decision (--at)")
        return state, Past(self.header.game, state.decision_id, lines)

    def _replay(self, state: GameState, at: int | None, kept: list[bytes]) -> None:
        for number, raw in enumerate(_lines(self.path), 1):
            kind = _parse(self.path, number, raw, _Kind).line
            if kind == "turn":
                kept.append(raw)
            elif kind == "decision":
                if state.decision_id == at:
                    return
                decision = _parse(self.path, number, raw, _Decision)
                _apply(self.path, number, state, decision)
                kept.append(raw)


def _apply(path: Path, number: int, state: GameState, decision: _Decision) -> None:
    if decision.id != state.decision_id:
        raise RecordRefused(
            f"{path}, line {number}: decision {decision.id} comes where {state.decision_id} is due"
        )
    try:
        game.apply(state, decision.choice)
    except ChoiceRefused as error:
        raise RecordRefused(f"{path}, line {number}: {error}") from error


def _parse(path: Path, number: int, raw: bytes, kind: type[Line]) -> Line:
    try:
        return msgspec.json.decode(raw, type=kind)
    except (ValueError, RecursionError) as error:
        raise RecordRefused(f"{path}, line {number} is no line of a record: {error}") from error


def _lines(path: Path) -> Iterator[bytes]:
    """The complete lines; what a crash left of the last one is no line."""
    total = 0
    try:
        with _open(path) as file:
            while line := file.readline(LARGEST_LINE + 1):
                total += len(line)
                if len(line) > LARGEST_LINE or total > LARGEST_RECORD:
                    raise RecordRefused(f"{path} is larger than any record")
                if line.endswith(b"\n"):
                    yield line[:-1]
    except EOFError:  # packed, and cut off in the middle
        return
    except (OSError, zlib.error) as error:
        what = getattr(error, "strerror", None) or str(error)
        raise RecordRefused(f"cannot read the record {path}: {what}") from error
    except ValueError as error:  # a NUL in the path
        raise RecordRefused(f"cannot read the record {str(path)!r}: {error}") from error


def _open(path: Path) -> BinaryIO:
    if path.suffix == ".gz":
        return cast("BinaryIO", gzip.open(path, "rb"))
    return path.open("rb")
