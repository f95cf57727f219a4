"""What one seat may see, as bytes: the row that `observation_layout` describes.

Most of a row is cached: a list of the state that is still the same object has not changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from referee.engine.board import Board
from referee.engine.control import rightmost_holder
from referee.engine.decision import Decision
from referee.engine.ruleset import Ruleset
from referee.engine.state import GameState
from referee.engine.terms import (
    EMPTY,
    FAVOURS,
    LIFT,
    MARKERS,
    MERCHANT,
    NONE,
    PUT,
    TRADER,
    TURN,
    colour_of,
    desk_index,
    kind_of,
    stock_index,
    tradesman,
)
from referee.rl.observation_layout import LAID, Sizes, layout, sizes_of

Lists: TypeAlias = tuple[object, ...]

LARGEST: Final = 255
_KINDS: Final = (TRADER, MERCHANT)
_TILES: Final = [bytes(bits >> tile & 1 for tile in range(len(FAVOURS))) for bits in range(64)]


class Observer:
    """Writes the rows of all seats; fastest for one game at a time."""

    def __init__(self, board: Board, rules: Ruleset) -> None:
        sizes = sizes_of(board, rules)
        self._views = [_SeatView(board, sizes, seat) for seat in range(rules.players)]

    def row(self, state: GameState, seat: int, taken: int = NONE) -> bytearray:
        """What the seat sees; `taken` is the point whose tradesman it is about to put down."""
        return bytearray().join(self._views[seat].parts(state, taken))


class _SeatView:
    """One seat's view: the order of seats from its own on, and cached parts of its row."""

    def __init__(self, board: Board, n: Sizes, seat: int) -> None:
        self._board = board
        self._n = n
        self._seat = seat
        self._seats = [(seat + step) % n.seats for step in range(n.seats)]
        self._colours = [*self._seats, *range(n.seats, n.colours)]
        self._place = [self._colours.index(colour) for colour in range(n.colours)]
        places = [stock_index(place, kind) for place in self._place for kind in _KINDS]
        self._men = [bytes(n.men), bytes(n.men), *[_one(n.men, place) for place in places]]
        men = [tradesman(colour, kind) for colour in self._colours for kind in _KINDS]
        self._translations = [_one(256, man) for man in men]  # to translate tradesmen into 0 and 1
        self._turns = [
            _one(n.seats, seat) + _one(n.seats, self._place[active]) for active in range(n.seats)
        ]
        self._lists: Lists = ()
        self._lasting = b""
        self._kept: dict[str, tuple[Lists, bytes]] = {}
        parts = layout(n)
        asked = parts[[part.name for part in parts].index("decision") :]
        self._first = {part.name: part.first - asked[0].first for part in asked}
        self._unasked = bytes(sum(part.length for part in asked))
        self._plain_turn = _one(len(self._unasked), TURN)

    def parts(self, state: GameState, taken: int) -> list[bytes]:
        """The parts of the row, in order."""
        return [
            self._planes(state.points),
            self._lasting_parts(state),
            self._turns[state.active],
            self._now(state),
            self._in_hand(state),
            self._decision(state, taken),
        ]

    def _lasting_parts(self, state: GameState) -> bytes:
        """What changes at few decisions; it is cached."""
        lists: Lists = (
            state.posts,
            state.additional,
            state.green,
            state.route_markers,
            state.laid,
            state.plates,
            state.prestige,
            state.desk,
            state.markers,
            state.used,
            state.favours,
            state.special,
            state.east_west,
            state.display,
            state.markers_out,
            state.missions,
            state.plates_seen,
            state.active,
            state.permits_spent,
            state.permit_bought,
        )
        if lists != self._lists:
            self._lists = lists
            self._lasting = b"".join(
                (
                    self._keep(self._cities, state, lists[:3]),
                    self._keep(self._routes, state, lists[3:5]),
                    self._keep(self._desks, state, lists[5:11]),
                    self._keep(self._rare, state, lists[11:15]),
                    self._own(state),
                    self._permits(state),
                )
            )
        return self._lasting

    def _keep(self, make: Callable[[GameState], bytes], state: GameState, lists: Lists) -> bytes:
        kept = self._kept.get(make.__name__)
        if kept is None or kept[0] != lists:
            kept = self._kept[make.__name__] = (lists, make(state))
        return kept[1]

    def _planes(self, places: list[int]) -> bytes:
        """For each tradesman, where it stands."""
        there = bytes(places)
        return b"".join([there.translate(table) for table in self._translations])

    def _cities(self, state: GameState) -> bytes:
        additional = map(self._count_men, state.additional)
        green = [self._count_men(state.green[city]) for city in self._board.green_cities]
        return b"".join((self._planes(state.posts), *additional, *green))

    def _count_men(self, men: Iterable[int]) -> bytes:
        counts = bytearray(self._n.men)
        for man in men:
            counts[stock_index(self._place[colour_of(man)], kind_of(man))] += 1
        return bytes(counts)

    def _routes(self, state: GameState) -> bytes:
        markers = [_one(len(MARKERS), marker) for marker in state.route_markers]
        return b"".join((*markers, self._laid(state)))

    def _laid(self, state: GameState) -> bytes:
        if not self._n.laid:
            return b""
        seats = self._n.seats
        row = bytearray(2 * seats * self._n.routes)
        for marker, route, seat in state.laid:
            row[(2 * route + LAID.index(marker)) * seats + self._place[seat]] = 1
        return bytes(row)

    def _desks(self, state: GameState) -> bytes:
        desks = [self._desk(state, seat) for seat in self._seats]
        return b"".join((*desks, bytes(state.prestige[self._n.seats : self._n.colours])))

    def _desk(self, state: GameState, seat: int) -> bytes:
        return b"".join(
            (
                bytes((state.prestige[seat], len(state.plates[seat]))),
                bytes(state.desk[desk_index(seat, 0) : desk_index(seat + 1, 0)]),
                _count_markers(state.markers[seat]),
                _count_markers(state.used[seat]),
                _TILES[state.favours[seat]],
            )
        )

    def _rare(self, state: GameState) -> bytes:
        n = self._n
        special = [_one(n.colours, self._place_of(colour)) for colour in state.special]
        linked = [
            state.east_west.index(colour) + 1 if colour in state.east_west else 0
            for colour in self._colours
        ]
        out = _count_markers(state.markers_out)
        return b"".join((*special, bytes(linked), _TILES[state.display], out))

    def _place_of(self, colour: int) -> int:
        return NONE if colour == NONE else self._place[colour]

    def _own(self, state: GameState) -> bytes:
        seen = state.plates[self._seat][: state.plates_seen[self._seat]]
        card = self._board.missions[state.missions[self._seat]] if state.missions else ()
        cities = bytes(city in card for city in range(self._n.cities)) if state.missions else b""
        return cities + _count_markers(seen)

    def _now(self, state: GameState) -> bytes:
        now = [
            min(state.turn, LARGEST),
            state.actions_left,
            state.extra_actions,
            state.fresh,
            state.completed_cities,
            len(state.supply_order) - state.drawn,
            state.undrawn,
            state.acted,
            state.forgone,
        ]
        first = stock_index(self._seat, TRADER)
        for held in (state.stock, state.supply):
            now += held[first:]
            now += held[:first]
        return bytes(now)

    def _in_hand(self, state: GameState) -> bytes:
        held = [man for decision in state.agenda for man in decision.held]
        if len(held) > 1:
            return self._count_men(held)
        return self._men[held[0] if held else EMPTY]

    def _permits(self, state: GameState) -> bytes:
        permits = list(enumerate(self._board.permits))
        if not permits:
            return b""
        spent = [state.permits_spent >> permit & 1 for permit, _ in permits]
        left = [
            not spent[permit] and rightmost_holder(state, city) == state.active
            for permit, (city, _) in permits
        ]
        return bytes((*left, *spent, state.permit_bought))

    # -- the pending decision

    def _decision(self, state: GameState, taken: int) -> bytes:
        if not state.agenda or state.agenda[-1].seat != self._seat:
            return self._unasked
        decision = state.agenda[-1]
        return self._plain_turn if decision.kind == TURN else self._asked(decision, taken)

    def _asked(self, decision: Decision, taken: int) -> bytes:
        row, first, kind = bytearray(self._unasked), self._first, decision.kind
        row[kind] = 1
        row[first["left"]] = decision.left
        if decision.held:
            held = first["held"]
            row[held : held + self._n.men] = self._men[decision.held[0]]
        if taken != NONE:
            row[first["origin"] + taken] = 1
        for point in decision.placed:
            row[first["placed"] + point] = 1
        if kind in (LIFT, PUT):
            self._mark_lifted(row, decision)
        else:
            self._mark_answer(row, decision)
        return bytes(row)

    def _mark_lifted(self, row: bytearray, decision: Decision) -> None:
        row[self._first["lift_reason"] + decision.why] = 1
        row[self._first["left"] + 1] = decision.unbound
        if decision.point != NONE:
            row[self._first["at"] + decision.point] = 1
        if decision.kind == PUT:
            row[self._first["origin"] + decision.origins[0]] = 1

    def _mark_answer(self, row: bytearray, decision: Decision) -> None:
        """Decisions that follow from an action of another seat, or from a created route."""
        numbers = (
            ("permanent", decision.why),
            ("by", self._place_of(decision.by)),
            ("owner", self._place_of(decision.owner)),
            ("at", decision.point),
            ("post", decision.city),
        )
        for name, number in numbers:
            if number != NONE:
                row[self._first[name] + number] = 1


def _one(count: int, place: int) -> bytes:
    """A row of zeros with a 1 at this place; only zeros if the place is NONE."""
    row = bytearray(count)
    if place != NONE:
        row[place] = 1
    return bytes(row)


def _count_markers(markers: Iterable[int]) -> bytes:
    counts = bytearray(len(MARKERS))
    for marker in markers:
        counts[marker] += 1
    return bytes(counts)
