"""The actions of an environment: a number for each choice that is possible on a board.

The numbers depend only on the board, the number of players and the options, never on a position, so
number 17 means the same in every game of one kind. A choice that takes a tradesman from one point
to another needs two numbers, one after the other: one to take it and one to put it down.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from typing import Final, NamedTuple, TypeAlias

from referee.engine.board import Board
from referee.engine.choice import Choice, ChoiceTables
from referee.engine.codes import CHOICE_FIELDS
from referee.engine.ruleset import Ruleset
from referee.engine.terms import (
    ABILITIES,
    ADDITIONAL,
    ADDITIONAL_POST,
    BLOCK,
    DEVELOP,
    DEVELOP_ABILITY,
    DEVELOP_PRIVILEGE,
    DO_CREATE,
    DO_DECLINE,
    DO_DEVELOP,
    DO_DISPLACE,
    DO_END_TURN,
    DO_FAVOUR,
    DO_GREEN_POST,
    DO_INCOME,
    DO_LEVY,
    DO_LIFT,
    DO_MOVE,
    DO_NEUTRAL_POST,
    DO_PAY,
    DO_PERMIT,
    DO_PLACE,
    DO_PLACE_FREELY,
    DO_PLACE_MARKER,
    DO_PUT,
    DO_RELOCATE,
    DO_STOP,
    DO_TRIBUTE,
    DO_USE,
    DOINGS,
    EXCHANGE_POSTS,
    FROM_DISPLACED,
    FROM_POINT,
    FROM_ROUTE,
    FROM_STOCK,
    FROM_SUPPLY,
    GREEN_POST,
    MERCHANT,
    NO_REWARD,
    NONE,
    PLACE_2_ABROAD,
    PLACE_2_FROM_ROUTE,
    POST,
    PRIVILEGE,
    SPECIAL,
    SWAP_MARKER,
    TRADER,
    TRIBUTE,
)

TAKE: Final = len(DOINGS)  # the first of the two numbers; its one field is the point
NAMES: Final = (*DOINGS[:DO_PLACE_FREELY], "place-freely", *DOINGS[DO_PLACE_FREELY + 1 :], "take")

Key: TypeAlias = tuple[int, ...]
_KINDS: Final = (TRADER, MERCHANT)
_PAYMENTS: Final = ((1, 0), (0, 1), (2, 0), (1, 1), (0, 2))  # traders and merchants


class Section(NamedTuple):
    """The numbers of one kind of choice: `length` numbers, starting with `first`."""

    name: str
    first: int
    length: int


class Numbering:
    """Translates the choices of a board under its rules into numbers, and back."""

    def __init__(self, board: Board, rules: Ruleset) -> None:
        self.keys: list[Key] = list(_every_key(board, rules))
        """For each number: what the choice does (an index into NAMES) and its fields as in codes; another
        seat is given as its distance from the seat that chooses."""
        self.size = len(self.keys)
        self.number = {key: number for number, key in enumerate(self.keys)}
        seats = range(rules.players)
        self.by_seat = [
            SeatNumbers(self.number, board.tables, seat, rules.players) for seat in seats
        ]
        """For each seat that may have to choose: the numbers of its choices."""

    def sections(self) -> list[Section]:
        """Return the sections of the numbers, one for each kind of choice, in order."""
        found: list[Section] = []
        for number, key in enumerate(self.keys):
            if not found or found[-1].name != NAMES[key[0]]:
                found.append(Section(NAMES[key[0]], number, 0))
            found[-1] = found[-1]._replace(length=number + 1 - found[-1].first)
        return found

    def words(self, number: int) -> dict[str, int | str]:
        """Return what a number means: what the choice does (`do`), and its fields as in codes."""
        do, *values = self.keys[number]
        fields = ("point",) if do == TAKE else CHOICE_FIELDS[do]
        return {"do": NAMES[do], **dict(zip(fields, values, strict=True))}


class SeatNumbers:
    """The numbers of the choices of one seat, each looked up when it is first offered."""

    def __init__(
        self, number: dict[Key, int], tables: ChoiceTables, seat: int, players: int
    ) -> None:
        self._number = number
        self._tables = tables
        self._seat = seat
        self._players = players
        # By the id of a choice; NONE for those not looked up yet, and for the id NONE at the end.
        self._known: list[int] = [NONE]

    def __getitem__(self, choice: Choice) -> int:
        """Return the number of a choice."""
        return self.of([choice])[0]

    def of(self, offered: list[Choice]) -> list[int]:
        """Return the numbers of choices, in their order."""
        known = self._known
        try:
            numbers = [known[choice.id] for choice in offered]
        except IndexError:  # a choice has got its id since, from another seat or kind of game
            numbers = [NONE]
        return [self._look_up(choice) for choice in offered] if NONE in numbers else numbers

    def _look_up(self, choice: Choice) -> int:
        if 0 <= choice.id < len(self._known) - 1 and self._known[choice.id] != NONE:
            return self._known[choice.id]
        number = self._number[self._key(choice)]
        if choice.is_shared:
            at = self._tables.identify(choice)
            self._known += [NONE] * (at + 2 - len(self._known))
            self._known[at] = number
        return number

    def _key(self, choice: Choice) -> Key:
        if choice.source == FROM_POINT:
            return (TAKE, choice.origin)
        fields = [getattr(choice, field) for field in CHOICE_FIELDS[choice.do]]
        if choice.seat != NONE:
            distance = (choice.seat - self._seat) % self._players
            fields[CHOICE_FIELDS[choice.do].index("seat")] = distance
        return (choice.do, *fields)


def markers_of(rules: Ruleset) -> list[int]:
    """The kinds of bonus marker that are in the game."""
    return sorted({*rules.start_markers, *rules.supply_markers})


def _every_key(board: Board, rules: Ruleset) -> Iterator[Key]:
    """The keys of all choices, in the order in which choices are listed; `take` comes last."""
    points, routes = range(len(board.ship)), range(len(board.routes))
    yield from _incomes(rules)
    yield from ((DO_PLACE, point, kind) for point in points for kind in _fitting(board, point))
    for point in points:
        for kind, payment in product(_fitting(board, point), _PAYMENTS):
            yield (DO_DISPLACE, point, kind, *payment)
    yield (DO_MOVE,)
    for route in routes:
        yield from _creations(board, rules, route)
    yield from _uses(board, rules)
    yield from _options(rules)
    yield (DO_END_TURN,)
    yield from ((DO_LIFT, point) for point in points)
    yield (DO_STOP,)
    yield from ((DO_PUT, point) for point in points)
    yield from _placings(board, DO_RELOCATE, (FROM_DISPLACED, FROM_STOCK, FROM_SUPPLY))
    if rules.favours:
        yield from ((DO_LEVY, kind) for kind in _KINDS)
    yield from _permanent(board)
    yield (DO_DECLINE,)
    for marker, route in product(markers_of(rules), routes):
        if board.takes_markers[route]:
            yield (DO_PLACE_MARKER, marker, route)
    if rules.neutral is not None:
        yield from ((DO_NEUTRAL_POST, city) for city in range(len(board.city_ids)))
    if TRIBUTE in markers_of(rules):
        yield from ((DO_TRIBUTE, *amount) for amount in ((2, 0), (1, 1), (0, 2)))
    if BLOCK in markers_of(rules):
        yield from ((DO_PAY, *amount) for amount in ((1, 0), (0, 1)))
    yield from ((TAKE, point) for point in points)


def _fitting(board: Board, point: int) -> tuple[int, ...]:
    return (MERCHANT,) if board.ship[point] else _KINDS


def _incomes(rules: Ruleset) -> Iterator[Key]:
    amounts = product(range(rules.components.traders + 1), range(rules.components.merchants + 1))
    return ((DO_INCOME, *amount) for amount in amounts if any(amount))


def _creations(board: Board, rules: Ruleset, route: int) -> Iterator[Key]:
    ends = board.ends[route]
    yield (DO_CREATE, route, NO_REWARD, NONE, NONE, NONE, NONE)
    yield from ((DO_CREATE, route, POST, city, NONE, NONE, NONE) for city in ends)
    if ADDITIONAL_POST in markers_of(rules):
        for city, kind in product(ends, _KINDS):
            yield (DO_CREATE, route, ADDITIONAL, city, kind, NONE, NONE)
    for ability in sorted({*board.abilities[ends[0]], *board.abilities[ends[1]]}):
        yield (DO_CREATE, route, DEVELOP, NONE, NONE, ability, NONE)
    if board.is_special[route]:
        for special in range(len(board.special_points)):
            yield (DO_CREATE, route, SPECIAL, NONE, NONE, NONE, special)


def _uses(board: Board, rules: Ruleset) -> Iterator[Key]:
    """Keys of marker, ability, space, seat, other marker, route; each kind of marker uses some of them."""
    for marker in markers_of(rules):
        if marker == DEVELOP_ABILITY:
            for ability in range(len(ABILITIES)):
                yield (DO_USE, marker, ability, NONE, NONE, NONE, NONE)
        elif marker == EXCHANGE_POSTS:
            for spaces in board.spaces:
                yield from ((DO_USE, marker, NONE, left, NONE, NONE, NONE) for left in spaces[:-1])
        elif marker == SWAP_MARKER:
            others = [other for other in markers_of(rules) if other != SWAP_MARKER]
            for distance, other in product(range(1, rules.players), others):
                yield (DO_USE, marker, NONE, NONE, distance, other, NONE)
        elif marker in (TRIBUTE, BLOCK):
            for route in range(len(board.routes)):
                yield (DO_USE, marker, NONE, NONE, NONE, NONE, route)
        elif marker != ADDITIONAL_POST:  # that is used in creating
            yield (DO_USE, marker, NONE, NONE, NONE, NONE, NONE)


def _options(rules: Ruleset) -> Iterator[Key]:
    markers = markers_of(rules)
    if rules.favours:
        for tile in sorted(rules.favour_tiles):
            for pair in combinations_with_replacement(markers, 2):
                yield (DO_FAVOUR, tile, *pair)
    if rules.permits:
        yield from ((DO_PERMIT, marker) for marker in markers)


def _placings(board: Board, do: int, sources: tuple[int, ...]) -> Iterator[Key]:
    """Keys of placings: any kind on any point, because neutral traders may go onto ships."""
    for kind, source, point in product(_KINDS, sources, range(len(board.ship))):
        yield (do, kind, source, NONE, point)


def _permanent(board: Board) -> Iterator[Key]:
    """What the permanent markers of this board can ask for."""
    there = set(board.permanent)
    if GREEN_POST in there:
        for city, kind in product(board.green_cities, _KINDS):
            yield (DO_GREEN_POST, city, kind)
    if not there.isdisjoint((PLACE_2_FROM_ROUTE, PLACE_2_ABROAD)):
        yield from _placings(board, DO_PLACE_FREELY, (FROM_STOCK, FROM_SUPPLY, FROM_ROUTE))
    if DEVELOP_PRIVILEGE in there:
        yield (DO_DEVELOP, PRIVILEGE)
