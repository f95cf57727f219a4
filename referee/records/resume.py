"""The position before a decision of a recorded game, to continue from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from referee.engine import game
from referee.engine.board import Board
from referee.engine.ruleset import COUNTRY_TIES, Ruleset
from referee.engine.state import GameState
from referee.errors import ChoiceRefused, LineRefused, RecordRefused
from referee.options import GameOptions
from referee.records.header import (
    InvalidLine,
    check_format,
    read_board,
    read_rules,
)
from referee.records.lines import (
    DecisionLine,
    EndLine,
    GameLine,
    HintLine,
    Line,
    TurnLine,
    VoidLine,
    no_first_line,
)
from referee.records.reader import RecordReader
from referee.records.writer import Past
from referee.text import printable


class Record:
    """A record to take settings or a position from.

    Creating one reads the first line; it raises RecordRefused if that line is wrong.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        reader = RecordReader(path)
        first = next(reader.lines(), None)
        if first is None:
            reader.check_tail(is_over=False)
            raise no_first_line(path)
        with _wrong_lines_refused(reader):
            if not isinstance(first, GameLine):
                raise InvalidLine("the first line of a record must be its game line")
            check_format(first)
        self.header = first

    def board(self) -> Board:
        """Return the board in the record; raise RecordRefused if it is not valid."""
        try:
            return read_board(self.header)
        except InvalidLine as error:
            raise LineRefused(self.path, 1, str(error)) from error

    def options(self) -> GameOptions:
        """Return the options of the game.

        Raise RecordRefused if the board or the rules are not valid, or if the rules have changed.
        """
        board = self.board()
        try:
            rules = read_rules(self.header, board)
        except InvalidLine as error:
            raise LineRefused(self.path, 1, str(error)) from error
        return _without_defaults(self.header.rules, rules)

    def position(self, at: int | None) -> tuple[GameState, Past]:
        """Return the position before decision `at` (None: at the end of the record) and its past.

        Hints that were given stay in the past. Faults of the recorded bots do not count in a game
        that continues from there. Raises RecordRefused if there is no such decision, if the
        game ended before it, or if an earlier line is wrong.
        """
        state, lines = self._replayed(at)
        name = printable(str(self.path))
        if at is not None and (state.decision_id != at or state.is_over):
            last = state.decision_id - state.is_over
            raise RecordRefused(f"{name} has no decision {at}: its decisions are 1 to {last}")
        if state.is_over:
            last = state.decision_id - 1
            raise RecordRefused(
                f"the game of {name} is over: name one of its decisions, from 1 to {last} (--at)"
            )
        return state, Past(self.header.game, state.decision_id, lines, self.header.format)

    def _replayed(self, at: int | None) -> tuple[GameState, list[bytes]]:
        reader = RecordReader(self.path)
        kept: list[bytes] = []
        with _wrong_lines_refused(reader):
            lines = reader.lines_with_bytes()
            next(lines, None)  # the header, which was read before
            state = self._new_game()
            is_over = False
            for line, raw in lines:
                if isinstance(line, DecisionLine) and state.decision_id == at:
                    return state, kept
                if is_over:
                    raise InvalidLine("there is a line after the end")
                _apply(state, line)
                if isinstance(line, DecisionLine | HintLine | TurnLine):
                    kept.append(raw)
                is_over = isinstance(line, EndLine | VoidLine)
            reader.check_tail(is_over=is_over)
        return state, kept

    def _new_game(self) -> GameState:
        board = read_board(self.header)
        return game.new_game(board, read_rules(self.header, board), self.header.seed)


def _without_defaults(options: GameOptions, rules: Ruleset) -> GameOptions:
    """Unset options that have their default value, so that they also fit another board or edition."""
    return msgspec.structs.replace(
        options,
        country_ties=None if rules.country_ties == COUNTRY_TIES[0] else rules.country_ties,
        permanent_markers="must" if rules.permanent_first else None,
    )


@contextmanager
def _wrong_lines_refused(reader: RecordReader) -> Iterator[None]:
    """Turn InvalidLine into LineRefused, with the number of the line that was read last."""
    try:
        yield
    except InvalidLine as error:
        raise reader.refused(str(error)) from error


def _apply(state: GameState, line: Line) -> None:
    if isinstance(line, GameLine):
        raise InvalidLine("there is a second game line")
    if not isinstance(line, DecisionLine):
        return
    if line.id != state.decision_id:
        raise InvalidLine(f"decision {line.id} comes where {state.decision_id} is expected")
    try:
        game.apply(state, line.choice)
    except ChoiceRefused as error:
        raise InvalidLine(str(error)) from error
