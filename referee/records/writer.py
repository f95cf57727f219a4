"""Writes the record of a game line by line, so that a crash loses nothing that was written before."""

from __future__ import annotations

import base64
import gzip
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, cast

import msgspec

from referee.adjudication.faults import MOST_BYTES, FaultRecord
from referee.adjudication.standings import SeatResult
from referee.encoder import Format
from referee.engine import view
from referee.engine.state import GameState
from referee.engine.terms import DECISIONS, END_REASONS
from referee.errors import RecordRefused

FORMAT = 1
HINTS_FORMAT = (
    2  # of a game in which people may ask for hints; a reader of format 1 would refuse them
)
MOST_STDERR = 4096
MOST_SAY = 500

_to_json = msgspec.json.Encoder().encode
_THOUSANDTHS: Final = [f"{number:03}" for number in range(1000)]


class Past(NamedTuple):
    """The beginning of a continued game: the id of the recorded game, and its lines up to there."""

    game: str
    at: int  # the id of the decision that comes next
    lines: list[bytes]
    format: int = FORMAT  # of the record that the lines are from


class RecordWriter:
    """A record that is being written; every method raises RecordRefused if writing fails."""

    def __init__(
        self,
        path: Path,
        message_format: Format,
        past: Past | None = None,
        *,
        hints: bool = False,
    ) -> None:
        """Open the file; with `hints`, the record can contain lines of the kind `hint`."""
        self.path = path
        self.format = max(
            HINTS_FORMAT if hints else FORMAT, FORMAT if past is None else past.format
        )
        self._format = message_format
        self._past = past
        self._packed = path.suffix == ".gz"
        self._held = b""  # written together with the next line
        try:
            self._file: BinaryIO = _open(path)
        except OSError as error:
            raise RecordRefused(f"cannot write the record {path}: {error.strerror}") from error

    def header(self, fields: dict[str, object]) -> None:
        """Write the first line, and the lines of the game that this one continues from, if any."""
        past = self._past
        origin = {} if past is None else {"from": {"game": past.game, "at": past.at}}
        board = msgspec.Raw(self._format.board_bytes)
        self._write(
            _to_json({"line": "game", "format": self.format, **fields, **origin, "board": board})
        )
        for line in past.lines if past is not None else ():
            self._write(line)

    def decision(
        self, state: GameState, index: int, by: str, ms: float, lag_ms: float, say: str | None
    ) -> None:
        """Write one decision; call it before the choice is applied."""
        decision, options = state.agenda[-1], state.options
        assert options is not None
        remark = "" if say is None else f',"say":{_to_json(say[:MOST_SAY]).decode()}'
        kind = DECISIONS[decision.kind]
        head = (
            f'{{"line":"decision","id":{state.decision_id},"seat":{decision.seat},'
            f'"decision":"{kind}","choice":{index},"do":'
        )
        tail = f',"by":"{by}","ms":{_milliseconds(ms)},"lag_ms":{_milliseconds(lag_ms)}{remark}}}'
        self._write(head.encode() + self._format.encoded_choices[options[index]] + tail.encode())

    def fault(self, fault: FaultRecord) -> None:
        """Write a fault, with the bytes that the bot sent and an excerpt of its stderr."""
        line = {
            "line": "fault",
            "seat": fault.seat,
            "id": fault.asked_id,
            "fault": fault.fault,
            "message": fault.message,
            "bytes_base64": base64.b64encode(fault.cause.data[:MOST_BYTES]).decode(),
            "stderr": fault.stderr_excerpt[-MOST_STDERR:].decode(errors="replace"),
            "strikes": fault.strikes,
            "ms": round(fault.cause.ms, 3),
        }
        self._write(_to_json(line))

    def hint(self, state: GameState) -> None:
        """Write that the person who must decide asked for a hint."""
        seat = state.agenda[-1].seat
        self._write(_to_json({"line": "hint", "id": state.decision_id, "seat": seat}))

    def turn(self, number: int, digest: str) -> None:
        """Note the end of a turn; it is written together with the next line, which follows soon."""
        self._held = f'{{"line":"turn","turn":{number},"digest":"{digest}"}}\n'.encode()
        if self._packed:
            self._release()
            self._safely(self._file.flush)

    def end(self, state: GameState, standings: Sequence[SeatResult]) -> None:
        """Write the end of the game, with its standings."""
        line = {
            "line": "end",
            "standings": [standing.to_dict() for standing in standings],
            "missions": [view.mission_words(state, seat) for seat in range(state.rules.players)],
            "reason": END_REASONS[state.over],
            "digest": state.digest(),
        }
        self._write(_to_json(line))

    def void(self, message: str) -> None:
        """Write that the referee itself failed, so that the game does not count."""
        self._write(_to_json({"line": "void", "message": message}))

    def close(self) -> None:
        """Write a line that is still held back, and close the file."""
        try:
            if self._held:
                self._release()
        finally:
            self._safely(self._file.close)

    def _write(self, line: bytes) -> None:
        self._held += line + b"\n"
        self._release()

    def _release(self) -> None:
        whole, self._held = self._held, b""
        try:
            written = self._file.write(whole)
        except OSError as error:
            raise self._refused(str(error.strerror)) from error
        if written != len(whole):
            raise self._refused("no space left on the device")

    def _safely(self, call: Callable[[], object]) -> None:
        try:
            call()
        except OSError as error:
            raise self._refused(str(error.strerror)) from error

    def _refused(self, why: str) -> RecordRefused:
        return RecordRefused(f"cannot continue the record {self.path}: {why}")


def _milliseconds(ms: float) -> str:
    """Milliseconds as text with three decimals; formatting a float takes much longer."""
    us = int(ms * 1000 + 0.5)
    return f"{us // 1000}.{_THOUSANDTHS[us % 1000]}"


def _open(path: Path) -> BinaryIO:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".gz":
        return cast("BinaryIO", gzip.open(path, "wb"))
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(path, flags, 0o644), "wb", 0)
