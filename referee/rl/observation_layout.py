"""The parts of an observation, which is a row of numbers, and where each part begins.

Seats are in this order: first the seat that observes, then the seats that play after it, and the
neutral colour last. The observer is the seat that observes. "Each tradesman" means the trader and
the merchant of each colour in that order.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from referee.engine.board import Board
from referee.engine.ruleset import Ruleset
from referee.engine.terms import (
    ABILITIES,
    BLOCK,
    DECISIONS,
    FAVOURS,
    LIFT_REASONS,
    MARKERS,
    PERMANENT_MARKERS,
    TRIBUTE,
)

LAID: Final = (TRIBUTE, BLOCK)
DESK: Final = 2 + len(ABILITIES) + 2 * len(MARKERS) + len(FAVOURS)  # numbers of one seat


class Part(NamedTuple):
    """A part of the row: `length` numbers from `first` on."""

    name: str
    first: int
    length: int
    meaning: str


class Sizes(NamedTuple):
    """The counts that determine the length of a row."""

    points: int
    spaces: int
    cities: int
    green: int
    routes: int
    permits: int
    special: int
    seats: int
    colours: int
    laid: bool  # tributes or blocks are in the game
    missions: bool

    @property
    def men(self) -> int:
        """A trader and a merchant of each colour."""
        return 2 * self.colours


def sizes_of(board: Board, rules: Ruleset) -> Sizes:
    """Count the things on a board that a row describes, under these rules."""
    return Sizes(
        points=len(board.ship),
        spaces=len(board.space_city),
        cities=len(board.city_ids),
        green=len(board.green_cities),
        routes=len(board.routes),
        permits=len(board.permits),
        special=len(board.special_points),
        seats=rules.players,
        colours=rules.colours,
        laid=not {*rules.start_markers, *rules.supply_markers}.isdisjoint(LAID),
        missions=rules.missions,
    )


def layout(n: Sizes) -> list[Part]:
    """Return the parts of a row, in order; a part that the rules do not need has length 0."""
    parts: list[Part] = []
    for name, length, meaning in (*_on_the_board(n), *_beside_it(n), *_decision(n)):
        first = parts[-1].first + parts[-1].length if parts else 0
        parts.append(Part(name, first, length, meaning))
    return parts


def _on_the_board(n: Sizes) -> tuple[tuple[str, int, str], ...]:
    laid = 2 * n.seats * n.routes if n.laid else 0
    return (
        ("points", n.points * n.men, "for each tradesman: 1 for each point where one stands"),
        ("posts", n.spaces * n.men, "for each tradesman: 1 for each space where one stands"),
        ("additional", n.cities * n.men, "for each city: additional posts of each tradesman"),
        ("green", n.green * n.men, "for each green city: other posts of each tradesman"),
        (
            "route_markers",
            n.routes * len(MARKERS),
            "for each route: 1 for the kind of bonus marker there",
        ),
        ("laid", laid, "for each route: 1 for tribute and block of each seat"),
    )


def _beside_it(n: Sizes) -> tuple[tuple[str, int, str], ...]:
    desk = "prestige, plate, abilities (5), unused and used markers (10 each), favours (6)"
    now = (
        "turn (at most 255), actions left, extra actions, fresh, completed cities, marker supply,"
        " undrawn, acted, forgone"
    )
    return (
        ("desks", n.seats * DESK, f"for each seat: {desk}"),
        ("neutral", n.colours - n.seats, "prestige of the neutral colour"),
        ("special", n.special * n.colours, "for each special space: 1 for the colour on it"),
        ("east_west", n.colours, "for each colour: its place in linking the two cities, or 0"),
        ("display", len(FAVOURS), "1 for each favour on display"),
        (
            "markers_out",
            len(MARKERS),
            "for each kind of bonus marker: how many are out of the game",
        ),
        (
            "mission",
            n.cities if n.missions else 0,
            "for each city: 1 if it is on the observer's card",
        ),
        (
            "plate_seen",
            len(MARKERS),
            "for each kind of bonus marker: how many the observer knows on its plate",
        ),
        (
            "permits",
            2 * n.permits + 1 if n.permits else 0,
            "1 for each usable permit; 1 for each spent one; 1 if one was bought",
        ),
        ("seat", n.seats, "1 for the number of the observer's seat"),
        ("active", n.seats, "1 for the seat whose turn it is"),
        ("now", 9, now),
        ("stock", 2 * n.seats, "for each seat: traders and merchants"),
        ("supply", 2 * n.seats, "for each seat: traders and merchants"),
        ("in_hand", n.men, "for each tradesman: how many are lifted at the moment"),
    )


def _decision(n: Sizes) -> tuple[tuple[str, int, str], ...]:
    """All zeros for a seat that is not asked."""
    return (
        ("decision", len(DECISIONS), "1 for the kind of decision"),
        ("lift_reason", len(LIFT_REASONS), "1 for the reason why tradesmen are lifted"),
        ("permanent", len(PERMANENT_MARKERS), "1 for the permanent marker that is used"),
        ("left", 2, "how many are left to do; 1 if a bought permit allows any route"),
        ("by", n.seats, "1 for the seat that displaces, or that takes income"),
        ("owner", n.colours, "1 for the colour that was displaced"),
        ("held", n.men, "1 for the tradesman that is put next"),
        ("at", n.points, "1 for the point of the displacement, or the first point of the route"),
        ("origin", n.points, "1 for the point that the tradesman leaves"),
        ("placed", n.points, "1 for each point that this decision has filled so far"),
        ("post", n.cities, "1 for the city of the new post that this follows from"),
    )
