"""The parts of an observation, which is a row of numbers, and where each part begins.

Seats are counted from the own seat: first the seat that observes, then those that play after it, and
the neutral colour last. "Each tradesman" is the trader and the merchant of each colour in that order.
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
    """Everything that the length of a row depends on."""

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
    """The sizes of a board and its rules."""
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
    """The parts of a row, in order; one that these rules do not need is empty."""
    parts: list[Part] = []
    for name, length, meaning in (*_on_the_board(n), *_beside_it(n), *_decision(n)):
        first = parts[-1].first + parts[-1].length if parts else 0
        parts.append(Part(name, first, length, meaning))
    return parts


def _on_the_board(n: Sizes) -> tuple[tuple[str, int, str], ...]:
    laid = 2 * n.seats * n.routes if n.laid else 0
    return (
        ("points", n.points * n.men, "for each tradesman, by point: 1 where it stands"),
        ("posts", n.spaces * n.men, "for each tradesman, by space: 1 where it stands"),
        ("additional", n.cities * n.men, "by city: additional posts of each tradesman"),
        ("green", n.green * n.men, "by green city: posts of each tradesman on its spaces"),
        ("route_markers", n.routes * len(MARKERS), "by route: 1 for the bonus marker there"),
        ("laid", laid, "by route: tribute and block, of each seat"),
    )


def _beside_it(n: Sizes) -> tuple[tuple[str, int, str], ...]:
    desk = "prestige, plate, abilities (5), unused and used markers (10 each), favours (6)"
    now = (
        "turn (255 for more), actions left, extra actions, fresh, completed cities, marker supply,"
        " undrawn"
    )
    return (
        ("desks", n.seats * DESK, f"by seat: {desk}"),
        ("neutral", n.colours - n.seats, "prestige of the neutral colour"),
        ("special", n.special * n.colours, "by space of special prestige: 1 for its colour"),
        ("east_west", n.colours, "by colour: 1 for the first that linked the two cities, 2, 3"),
        ("display", len(FAVOURS), "1 for each favour on display"),
        ("markers_out", len(MARKERS), "bonus markers out of the game, by kind"),
        ("mission", n.cities if n.missions else 0, "by city: 1 if it is on one's own card"),
        ("plate_seen", len(MARKERS), "markers on one's own plate, once looked at, by kind"),
        ("permits", 2 * n.permits + 1 if n.permits else 0, "left by permit, spent, and bought"),
        ("seat", n.seats, "1 for the number of one's own seat"),
        ("active", n.seats, "1 for the seat whose turn it is"),
        ("now", 7, now),
        ("stock", 2 * n.seats, "by seat: traders and merchants"),
        ("supply", 2 * n.seats, "by seat: traders and merchants"),
        ("in_hand", n.men, "tradesmen off the board in the middle of an action"),
    )


def _decision(n: Sizes) -> tuple[tuple[str, int, str], ...]:
    """All zeros for a seat that is not asked."""
    return (
        ("decision", len(DECISIONS), "1 for what one is asked"),
        ("lift_reason", len(LIFT_REASONS), "1 for why tradesmen are lifted"),
        ("permanent", len(PERMANENT_MARKERS), "1 for the permanent marker"),
        ("left", 2, "how many more; and whether a permit frees this move"),
        ("by", n.seats, "1 for the seat that displaces, or that takes income"),
        ("owner", n.colours, "1 for the colour that was displaced"),
        ("held", n.men, "1 for the tradesman that is to be put next"),
        ("at", n.points, "1 for the point of the displacement, or the first of the route"),
        ("origin", n.points, "1 for the point that the tradesman leaves"),
        ("placed", n.points, "1 for each point taken in the course of it"),
        ("post", n.cities, "1 for the city where the created route put a post"),
    )
