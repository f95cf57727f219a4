"""The first line of a record, held to what a referee writes: board, rules, seats, clock."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from protocol.messages import PROTOCOL_VERSION
from referee import atlas
from referee.adjudication.clock import NO_CLOCK, ClockRules
from referee.engine.board import Board
from referee.engine.choice import Choice
from referee.engine.ruleset import RULES_VERSION, Ruleset
from referee.errors import MapRefused, RulesRefused
from referee.records.lines import GameLine
from referee.records.write import FORMAT
from referee.speech import Dialect, Dialects

HUMAN: Final = "human"  # the hash of a person: no clock runs for people
IN_PROCESS: Final = (
    "in-process:"  # how the hash of a bot in the referee's process begins: nor for it
)
_KNOWN_BOARDS: Final = 8


class Wrong(Exception):
    """What is wrong with a line, in a sentence that may hold a stranger's words."""


class Said(dict[Choice, msgspec.Raw]):
    """Each choice in words, as records have it, made when it is first met; kept, if shared."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    def __missing__(self, choice: Choice) -> msgspec.Raw:
        said = msgspec.Raw(self._dialect.said[choice])
        if choice.is_shared:
            self[choice] = said
        return said


class Opening(NamedTuple):
    """What a game was played on and by."""

    board: Board
    said: Said
    dialects: Dialects
    rules: Ruleset
    clock: ClockRules
    names: list[str]
    untimed: list[bool]  # by seat: no clock runs for it


def opened(line: GameLine) -> Opening:
    """The game that the line describes; Wrong unless it is one that could be played."""
    _check_versions(line)
    board, dialects, said = _board(bytes(line.board))
    if board.digest != line.board_digest:
        raise Wrong(f"the board's digest is {board.digest}, not {line.board_digest}")
    rules = _ruleset(line, board)
    _check_seats(line, rules)
    return Opening(
        board=board,
        said=said,
        dialects=dialects,
        rules=rules,
        clock=line.clock.plain(),
        names=[player.name for player in line.players],
        untimed=[_is_untimed(player.hash) for player in line.players],
    )


def clock_of_seat(opening: Opening, seat: int) -> ClockRules:
    """The clock that ran for a seat."""
    return NO_CLOCK if opening.untimed[seat] else opening.clock


def _is_untimed(content: str) -> bool:
    return content == HUMAN or content.startswith(IN_PROCESS)


def _check_versions(line: GameLine) -> None:
    if line.format != FORMAT:
        raise Wrong(f"it is a record of format {line.format}; this version knows {FORMAT}")
    if line.rules_version != RULES_VERSION:
        raise Wrong(
            f"it was played by rules version {line.rules_version}; this version plays"
            f" {RULES_VERSION}"
        )
    if not 1 <= line.protocol <= PROTOCOL_VERSION:
        raise Wrong(f"protocol {line.protocol} is unknown; this version speaks {PROTOCOL_VERSION}")


@lru_cache(maxsize=_KNOWN_BOARDS)
def _board(raw: bytes) -> tuple[Board, Dialects, Said]:
    """Boards are the same in many records: read once, and their choices are said once."""
    try:
        board = atlas.board_from_words(msgspec.json.decode(raw))
    except (MapRefused, ValueError, RecursionError) as error:
        raise Wrong(" ".join(str(error).split())) from error
    dialects = Dialects(board)
    return board, dialects, Said(dialects.get("json", "words"))


def _ruleset(line: GameLine, board: Board) -> Ruleset:
    said = line.rules
    try:
        rules = said.ruleset(board, said.players)
    except RulesRefused as error:
        raise Wrong(f"these rules cannot be played: {error}") from error
    for name, value in rules.words().items():
        if getattr(said, name) != value:
            raise Wrong(f"rules.{name} is {getattr(said, name)!r}, and must be {value!r}")
    if line.ruleset != rules.name:
        raise Wrong(f"the ruleset is {line.ruleset!r}, and must be {rules.name!r}")
    return rules


def _check_seats(line: GameLine, rules: Ruleset) -> None:
    seats = [player.seat for player in line.players]
    if seats != list(range(rules.players)):
        raise Wrong(f"the seats are {seats}, and must be {list(range(rules.players))}")
