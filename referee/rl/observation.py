"""What one seat may see, as bytes: the row that `observation_layout` describes.

Most of a row is cached: a list of the state that is still the same object has not changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

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

LARGEST: Final = 255
_KINDS: Final = (TRADER, MERCHANT)
_TILES: Final = [bytes([bits >> tile & 1 for tile in range(len(FAVOURS))]) for bits in range(64)]
_NO_MARKERS: Final = bytes(len(MARKERS))


class Observer:
    """Writes the rows of one game for all its seats; `views` are those of its kind of game."""

    def __init__(self, views: Sequence[SeatView]) -> None:
        self._views = views
        self._kept = [Kept() for _ in views]

    def add_row(self, state: GameState, seat: int, taken: int, parts: list[bytes]) -> None:
        """Add the parts of what the seat sees to `parts`, in order.

        `taken` is the point whose tradesman the seat is about to put down, else NONE.
        """
        self._views[seat].add(state, taken, self._kept[seat], parts)

    def add_apart(
        self, state: GameState, seat: int, taken: int, numbers: list[int], parts: list[bytes]
    ) -> None:
        """Add the same in the form from which `rows.RowBuilder` makes many rows at once."""
        self._views[seat].add_apart(state, taken, self._kept[seat], numbers, parts)

    def row(self, state: GameState, seat: int, taken: int = NONE) -> bytearray:
        """Return what the seat sees as one row."""
        parts: list[bytes] = []
        self.add_row(state, seat, taken, parts)
        return bytearray().join(parts)


def seat_views(board: Board, rules: Ruleset) -> list[SeatView]:
    """Return the view of each seat, for all games on a board under these rules."""
    sizes = sizes_of(board, rules)
    return [SeatView(board, sizes, seat) for seat in range(rules.players)]


class Kept:
    """What a seat's last row was made from, and the parts of it that may be the same in the next."""

    def __init__(self) -> None:
        self.posts: list[int] = []
        self.additional: list[tuple[int, ...]] = []
        self.green: list[tuple[int, ...]] = []
        self.cities = b""
        self.route_markers: list[int] = []
        self.laid: tuple[tuple[int, int, int], ...] = ()
        self.routes = b""
        self.prestige: list[int] = []
        self.plates: list[tuple[int, ...]] = []
        self.desk: list[int] = []
        self.markers: list[tuple[int, ...]] = []
        self.used: list[tuple[int, ...]] = []
        self.favours: list[int] = []
        self.desks = b""
        self.special: tuple[int, ...] = ()
        self.east_west: tuple[int, ...] = ()
        self.display = NONE
        self.markers_out: tuple[int, ...] = ()
        self.rare = b""
        self.missions: tuple[int, ...] = ()
        self.plates_seen: list[int] = []
        self.active = NONE
        self.permits_spent = 0
        self.permit_bought = False
        self.lasting = b""


class SeatView:
    """One seat's view: the order of seats from its own on; it is the same in all games of a kind."""

    def __init__(self, board: Board, n: Sizes, seat: int) -> None:
        self._board = board
        self._n = n
        self._men_count = n.men
        self._seat = seat
        self._seats = [(seat + step) % n.seats for step in range(n.seats)]
        self._colours = [*self._seats, *range(n.seats, n.colours)]
        self._place = [self._colours.index(colour) for colour in range(n.colours)]
        places = [stock_index(place, kind) for place in self._place for kind in _KINDS]
        self._men = [bytes(n.men), bytes(n.men), *[_one(n.men, place) for place in places]]
        self.men = [tradesman(colour, kind) for colour in self._colours for kind in _KINDS]
        self._translations = [_one(256, man) for man in self.men]  # tradesmen into 0 and 1
        self._turns = [
            _one(n.seats, seat) + _one(n.seats, self._place[active]) for active in range(n.seats)
        ]
        parts = layout(n)
        asked = parts[[part.name for part in parts].index("decision") :]
        first = {part.name: part.first - asked[0].first for part in asked}
        self._lift_reason = first["lift_reason"]
        self._permanent = first["permanent"]
        self._left = first["left"]
        self._by = first["by"]
        self._owner = first["owner"]
        self._held = first["held"]
        self._at = first["at"]
        self._origin = first["origin"]
        self._placed = first["placed"]
        self._post = first["post"]
        self._unasked = bytes(sum([part.length for part in asked]))
        self._nothing = bytes(n.men) + self._unasked
        self._plain_turn = bytes(n.men) + _one(len(self._unasked), TURN)

    def add(self, state: GameState, taken: int, kept: Kept, parts: list[bytes]) -> None:
        """Add the parts of the row, in order; `kept` belongs to this seat of the game."""
        there = _packed(state.points)
        parts += [there.translate(table) for table in self._translations]
        parts.append(self._lasting_parts(state, kept))
        parts.append(self._turns[state.active])
        parts.append(_packed(self._now(state)))
        self._add_asked(state, taken, parts)

    def add_apart(
        self, state: GameState, taken: int, kept: Kept, numbers: list[int], parts: list[bytes]
    ) -> None:
        """Add the points and what `_now` returns to `numbers`, and the other parts to `parts`."""
        numbers += state.points
        numbers += self._now(state)
        parts.append(self._lasting_parts(state, kept))
        parts.append(self._turns[state.active])
        self._add_asked(state, taken, parts)

    def _add_asked(self, state: GameState, taken: int, parts: list[bytes]) -> None:
        """Add what is in hand, and the pending decision."""
        agenda = state.agenda
        if len(agenda) == 1 and agenda[0].kind == TURN:  # then nothing is in hand
            parts.append(self._plain_turn if agenda[0].seat == self._seat else self._nothing)
            return
        parts.append(self._in_hand(state))
        parts.append(self._decision(state, taken))

    def _lasting_parts(self, state: GameState, kept: Kept) -> bytes:
        """What changes at few decisions; it is cached."""
        is_new = self._renew_cities(state, kept)
        is_new = self._renew_routes(state, kept) or is_new
        is_new = self._renew_desks(state, kept) or is_new
        is_new = self._renew_rare(state, kept) or is_new
        # A changed post or plate also changes these.
        if self._renew_own(state, kept) or is_new:
            own, permits = self._own(state), self._permits(state)
            kept.lasting = b"".join([kept.cities, kept.routes, kept.desks, kept.rare, own, permits])
        return kept.lasting

    def _renew_cities(self, state: GameState, kept: Kept) -> bool:
        if (
            state.posts is kept.posts
            and state.additional is kept.additional
            and state.green is kept.green
        ):
            return False
        kept.posts, kept.additional, kept.green = state.posts, state.additional, state.green
        kept.cities = self._cities(state)
        return True

    def _renew_routes(self, state: GameState, kept: Kept) -> bool:
        if state.route_markers is kept.route_markers and state.laid is kept.laid:
            return False
        kept.route_markers, kept.laid = state.route_markers, state.laid
        kept.routes = self._routes(state)
        return True

    def _renew_desks(self, state: GameState, kept: Kept) -> bool:
        if (
            state.prestige is kept.prestige
            and state.plates is kept.plates
            and state.desk is kept.desk
            and state.markers is kept.markers
            and state.used is kept.used
            and state.favours is kept.favours
        ):
            return False
        kept.prestige, kept.plates, kept.desk = state.prestige, state.plates, state.desk
        kept.markers, kept.used, kept.favours = state.markers, state.used, state.favours
        kept.desks = self._desks(state)
        return True

    def _renew_rare(self, state: GameState, kept: Kept) -> bool:
        if (
            state.special is kept.special
            and state.east_west is kept.east_west
            and state.markers_out is kept.markers_out
            and state.display == kept.display
        ):
            return False
        kept.special, kept.east_west = state.special, state.east_west
        kept.markers_out, kept.display = state.markers_out, state.display
        kept.rare = self._rare(state)
        return True

    def _renew_own(self, state: GameState, kept: Kept) -> bool:
        if (
            state.missions is kept.missions
            and state.plates_seen is kept.plates_seen
            and state.active == kept.active
            and state.permits_spent == kept.permits_spent
            and state.permit_bought == kept.permit_bought
        ):
            return False
        kept.missions, kept.plates_seen, kept.active = (
            state.missions,
            state.plates_seen,
            state.active,
        )
        kept.permits_spent, kept.permit_bought = state.permits_spent, state.permit_bought
        return True

    def _planes(self, places: list[int]) -> bytes:
        """For each tradesman, where it stands."""
        there = _packed(places)
        return b"".join([there.translate(table) for table in self._translations])

    def _cities(self, state: GameState) -> bytes:
        parts = [self._planes(state.posts)]
        parts += [self._count_men(men) for men in state.additional]
        parts += [self._count_men(state.green[city]) for city in self._board.green_cities]
        return b"".join(parts)

    def _count_men(self, men: Sequence[int]) -> bytes:
        if not men:
            return self._men[EMPTY]
        counts = [0] * self._men_count
        for man in men:
            counts[stock_index(self._place[colour_of(man)], kind_of(man))] += 1
        return _packed(counts)

    def _routes(self, state: GameState) -> bytes:
        parts = [_MARKER[marker] for marker in state.route_markers]
        parts.append(self._laid(state))
        return b"".join(parts)

    def _laid(self, state: GameState) -> bytes:
        if not self._n.laid:
            return b""
        seats = self._n.seats
        row = bytearray(2 * seats * self._n.routes)
        for marker, route, seat in state.laid:
            row[(2 * route + LAID.index(marker)) * seats + self._place[seat]] = 1
        return bytes(row)

    def _desks(self, state: GameState) -> bytes:
        parts: list[bytes] = []
        for seat in self._seats:
            desk = [state.prestige[seat], len(state.plates[seat])]
            desk += state.desk[desk_index(seat, 0) : desk_index(seat + 1, 0)]
            parts.append(_packed(desk))
            parts.append(_count_markers(state.markers[seat]))
            parts.append(_count_markers(state.used[seat]))
            parts.append(_TILES[state.favours[seat]])
        parts.append(bytes(state.prestige[self._n.seats : self._n.colours]))
        return b"".join(parts)

    def _rare(self, state: GameState) -> bytes:
        n = self._n
        parts = [_one(n.colours, self._place_of(colour)) for colour in state.special]
        linked = [
            state.east_west.index(colour) + 1 if colour in state.east_west else 0
            for colour in self._colours
        ]
        parts += [bytes(linked), _TILES[state.display], _count_markers(state.markers_out)]
        return b"".join(parts)

    def _place_of(self, colour: int) -> int:
        return NONE if colour == NONE else self._place[colour]

    def _own(self, state: GameState) -> bytes:
        seen = _count_markers(state.plates[self._seat][: state.plates_seen[self._seat]])
        if not state.missions:
            return seen
        card = self._board.missions[state.missions[self._seat]]
        return bytes([int(city in card) for city in range(self._n.cities)]) + seen

    def _now(self, state: GameState) -> list[int]:
        now = [
            min(state.turn, LARGEST),
            state.actions_left,
            state.extra_actions,
            int(state.fresh),
            state.completed_cities,
            len(state.supply_order) - state.drawn,
            int(state.undrawn),
            int(state.acted),
            int(state.forgone),
        ]
        first = stock_index(self._seat, TRADER)
        now += state.stock[first:]
        now += state.stock[:first]
        now += state.supply[first:]
        now += state.supply[:first]
        return now

    def _in_hand(self, state: GameState) -> bytes:
        held: list[int] = []
        for decision in state.agenda:
            held += decision.held
        if len(held) > 1:
            return self._count_men(held)
        return self._men[held[0] if held else EMPTY]

    def _permits(self, state: GameState) -> bytes:
        permits = self._board.permits
        if not permits:
            return b""
        spent = [state.permits_spent >> permit & 1 for permit in range(len(permits))]
        left = [
            int(not spent[permit] and rightmost_holder(state, city) == state.active)
            for permit, (city, _) in enumerate(permits)
        ]
        return bytes([*left, *spent, int(state.permit_bought)])

    # -- the pending decision

    def _decision(self, state: GameState, taken: int) -> bytes:
        if not state.agenda or state.agenda[-1].seat != self._seat:
            return self._unasked
        return self._asked(state.agenda[-1], taken)

    def _asked(self, decision: Decision, taken: int) -> bytes:
        row = bytearray(self._unasked)
        row[decision.kind] = 1
        row[self._left] = decision.left
        if decision.held:
            row[self._held : self._held + self._men_count] = self._men[decision.held[0]]
        if taken != NONE:
            row[self._origin + taken] = 1
        for point in decision.placed:
            row[self._placed + point] = 1
        if decision.kind in (LIFT, PUT):
            self._mark_lifted(row, decision)
        else:
            self._mark_answer(row, decision)
        return bytes(row)

    def _mark_lifted(self, row: bytearray, decision: Decision) -> None:
        row[self._lift_reason + decision.why] = 1
        row[self._left + 1] = int(decision.unbound)
        if decision.point != NONE:
            row[self._at + decision.point] = 1
        if decision.kind == PUT:
            row[self._origin + decision.origins[0]] = 1

    def _mark_answer(self, row: bytearray, decision: Decision) -> None:
        """Decisions that follow from an action of another seat, or from a created route."""
        _mark(row, self._permanent, decision.why)
        _mark(row, self._by, self._place_of(decision.by))
        _mark(row, self._owner, self._place_of(decision.owner))
        _mark(row, self._at, decision.point)
        _mark(row, self._post, decision.city)


def _mark(row: bytearray, first: int, place: int) -> None:
    """Write a 1 at this place of a part of the row, unless the place is NONE."""
    if place != NONE:
        row[first + place] = 1


def _packed(numbers: list[int]) -> bytes:
    """Numbers from 0 to 255 as bytes; a bytearray is made from a list faster than bytes are."""
    return bytes(bytearray(numbers))


def _one(count: int, place: int) -> bytes:
    """A row of zeros with a 1 at this place; only zeros if the place is NONE."""
    row = bytearray(count)
    if place != NONE:
        row[place] = 1
    return bytes(row)


# By marker, the last one for NONE.
_MARKER: Final = [*[_one(len(MARKERS), marker) for marker in range(len(MARKERS))], _NO_MARKERS]


def _count_markers(markers: Sequence[int]) -> bytes:
    if not markers:
        return _NO_MARKERS
    counts = [0] * len(MARKERS)
    for marker in markers:
        counts[marker] += 1
    return _packed(counts)
