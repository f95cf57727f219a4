"""Reads and checks the first line of a record: the board, rules, seats and clocks of the game."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from protocol.messages import PROTOCOL_VERSION
from referee import atlas
from referee.adjudication.clock import NO_CLOCK, ClockRules
from referee.encoder import Format, Formats
from referee.engine.board import Board
from referee.engine.choice import Choice
from referee.engine.ruleset import RULES_VERSION, Ruleset
from referee.errors import MapRefused, RulesRefused
from referee.records.lines import GameLine
from referee.records.writer import FORMAT, HINTS_FORMAT
from referee.text import printable

# No clock runs for people unless they asked for one, nor for bots in the referee's own process.
HUMAN: Final = "human"  # the hash of a person
TIMED_HUMAN: Final = "human:clock"  # the hash of a person for whom the clock runs
IN_PROCESS: Final = "in-process:"  # the beginning of the hash of a bot in this process
_KNOWN_BOARDS: Final = 8


class InvalidLine(Exception):
    """A line that cannot be in a record; the message says why, and may quote untrusted text."""


class ChoiceJson(dict[Choice, msgspec.Raw]):
    """Each choice as its JSON in records: encoded on first use, and kept if the choice is shared."""

    def __init__(self, message_format: Format) -> None:
        self._format = message_format

    def __missing__(self, choice: Choice) -> msgspec.Raw:
        raw = msgspec.Raw(self._format.encoded_choices[choice])
        if choice.is_shared:
            self[choice] = raw
        return raw


class RecordedSetup(NamedTuple):
    """The game that a valid first line describes."""

    board: Board
    choice_json: ChoiceJson
    formats: Formats
    rules: Ruleset
    clock: ClockRules
    names: list[str]
    untimed: list[bool]  # by seat; true if no clock runs for it


def read_setup(line: GameLine) -> RecordedSetup:
    """Return the game that the line describes; raise InvalidLine if this referee cannot play it."""
    check_format(line)
    if not 1 <= line.protocol <= PROTOCOL_VERSION:
        raise InvalidLine(
            f"protocol {line.protocol} is unknown; this version speaks {PROTOCOL_VERSION}"
        )
    known = _known_board(line)
    rules = read_rules(line, known.board)
    _check_seats(line, rules)
    return RecordedSetup(
        board=known.board,
        choice_json=known.choice_json,
        formats=known.formats,
        rules=rules,
        clock=line.clock.plain(),
        names=[player.name for player in line.players],
        untimed=[_is_untimed(player.hash) for player in line.players],
    )


def check_format(line: GameLine) -> None:
    """Raise InvalidLine unless the record has one of the formats that this referee writes."""
    if line.format not in (FORMAT, HINTS_FORMAT):
        raise InvalidLine(
            f"it is a record of format {line.format}; this version knows {FORMAT} and {HINTS_FORMAT}"
        )


def read_board(line: GameLine) -> Board:
    """Return the board in the line; raise InvalidLine if it is not valid or its digest differs."""
    return _known_board(line).board


def clock_of_seat(setup: RecordedSetup, seat: int) -> ClockRules:
    """Return the clock rules of a seat: no clock for a person or a bot in the referee's process."""
    return NO_CLOCK if setup.untimed[seat] else setup.clock


def is_person(content: str) -> bool:
    """Whether this is the hash of a person."""
    return content in (HUMAN, TIMED_HUMAN)


def _is_untimed(content: str) -> bool:
    return content == HUMAN or content.startswith(IN_PROCESS)


class _KnownBoard(NamedTuple):
    board: Board
    formats: Formats
    choice_json: ChoiceJson


def _known_board(line: GameLine) -> _KnownBoard:
    known = _parse_board(bytes(line.board))
    if known.board.digest != line.board_digest:
        raise InvalidLine(
            f"board_digest is {line.board_digest}, but the board in the record has {known.board.digest}"
        )
    return known


@lru_cache(maxsize=_KNOWN_BOARDS)
def _parse_board(raw: bytes) -> _KnownBoard:
    """Parse a board; many records have the same one, so that its choices are encoded only once."""
    try:
        board = atlas.board_from_words(msgspec.json.decode(raw))
    except (MapRefused, ValueError, RecursionError) as error:
        raise InvalidLine(" ".join(str(error).split())) from error
    formats = Formats(board)
    return _KnownBoard(board, formats, ChoiceJson(formats.get("json", "words")))


def read_rules(line: GameLine, board: Board) -> Ruleset:
    """Return the rules in the line.

    Raise InvalidLine if they are contradictory, not for this board, or no longer played.
    """
    found = line.rules
    if line.rules_version > RULES_VERSION:
        raise InvalidLine(
            f"it uses rules version {line.rules_version}; this referee plays versions up to"
            f" {RULES_VERSION}"
        )
    try:
        rules = found.ruleset(board, found.players)
    except RulesRefused as error:
        raise InvalidLine(f"these rules cannot be played: {error}") from error
    if line.ruleset != rules.name:
        raise InvalidLine(f"the ruleset is {line.ruleset!r}, but must be {rules.name!r}")
    if line.rules_version < rules.version:
        raise InvalidLine(
            f"it uses rules version {line.rules_version}, and version {rules.version} changed games"
            " with these options; replay it with the referee that wrote it"
            f" ({printable(line.referee)})"
        )
    for name, value in rules.to_dict().items():
        if getattr(found, name) != value:
            raise InvalidLine(f"rules.{name} is {getattr(found, name)!r}, but must be {value!r}")
    if line.rules_version != rules.version:
        raise InvalidLine(f"rules_version is {line.rules_version}, but must be {rules.version}")
    return rules


def _check_seats(line: GameLine, rules: Ruleset) -> None:
    seats = [player.seat for player in line.players]
    if seats != list(range(rules.players)):
        raise InvalidLine(f"the seats are {seats}, but must be {list(range(rules.players))}")
