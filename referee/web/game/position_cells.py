"""A position as one flat list of cells, the same places throughout a game, so that steps are small differences.

A cell holds a whole number, or a list of them where the number of things varies. Everything is the
engine's: codes as in `engine.codes`, and the standings as if the game ended there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias, cast

from referee.adjudication.faults import Strikes
from referee.engine import game, view
from referee.engine.ending import Standing
from referee.engine.state import GameState
from referee.engine.terms import GOES_ON, NONE

Cell: TypeAlias = int | list[int]
Cells: TypeAlias = list[Cell]
Delta: TypeAlias = list[Cell]  # place, value, place, value, ...

UNKNOWN: Final = 0  # a rank that this seat cannot know
NOW: Final = (
    "turn",
    "active",
    "actions",
    "extra",
    "completed",
    "drawable",
    "asked",
    "kind",
    "over",
    "display",
)
STANDING: Final = (
    "rank",
    "total",
    "track",
    "abilities",
    "markers",
    "special",
    "cities",
    "network",
    "missions",
)


class Eyes:
    """Who looks: everybody's secrets are open, or only those of one seat."""

    def __init__(self, seat: int | None = None) -> None:
        self.seat = seat

    def knows(self, state: GameState, seat: int) -> bool:
        """Whether the mission of a seat is open to them."""
        return self.seat in (None, seat) or state.is_over

    def knows_all(self, state: GameState) -> bool:
        """Whether nothing that scores is hidden from them."""
        return self.seat is None or state.is_over or not state.missions


def parts(state: GameState, conduct: Strikes, eyes: Eyes) -> Iterator[tuple[str, Sequence[Cell]]]:
    """The cells by their names, always in this order and, in one game, of these lengths."""
    seats = range(state.rules.players)
    yield "now", _now(state)
    yield "points", state.points
    yield "posts", state.posts
    yield "route_markers", state.route_markers
    yield "stock", state.stock
    yield "supply", state.supply
    yield "desk", state.desk
    yield "prestige", state.prestige
    yield "plates", [len(plate) for plate in state.plates]
    yield "favours", state.favours
    yield "special", state.special
    yield "out", [int(not conduct.answers(seat)) for seat in seats]
    yield "standings", list(_standings(state, conduct, eyes))
    yield "additional", [list(men) for men in state.additional]
    yield "green", [list(men) for men in state.green]
    yield "markers", [list(pile) for pile in state.markers]
    yield "used", [list(pile) for pile in state.used]
    yield "missions", [_mission(state, seat, eyes) for seat in seats]
    yield "east_west", [list(state.east_west)]
    yield "laid", [[number for laid in state.laid for number in laid]]
    yield "markers_out", [list(state.markers_out)]
    yield "in_hand", [[man for decision in state.agenda for man in decision.held]]
    yield "permits", [_permits(state)]


def _now(state: GameState) -> list[int]:
    pending = game.pending(state)
    return [
        state.turn,
        state.active,
        state.actions_left,
        state.extra_actions,
        state.completed_cities,
        len(state.supply_order) - state.drawn,
        NONE if pending is None else pending.seat,
        NONE if pending is None else pending.kind,
        state.over,
        state.display,
    ]


def _standings(state: GameState, conduct: Strikes, eyes: Eyes) -> Iterator[int]:
    standings = game.standings(state)
    ranks = conduct.ranks([standing.rank for standing in standings])
    for standing, rank in zip(standings, ranks, strict=True):
        known = eyes.knows(state, standing.seat)
        yield rank if eyes.knows_all(state) else UNKNOWN
        yield from _score(standing, standing.missions if known else 0)


def _score(standing: Standing, missions: int) -> Iterator[int]:
    yield standing.total - standing.missions + missions
    yield standing.track
    yield standing.abilities
    yield standing.markers
    yield standing.special
    yield standing.cities
    yield standing.network
    yield missions
    yield from standing.countries


def _mission(state: GameState, seat: int, eyes: Eyes) -> list[int]:
    if not state.missions or not eyes.knows(state, seat):
        return []
    return list(state.board.missions[state.missions[seat]])


def _permits(state: GameState) -> list[int]:
    """For each permit of the board whether the active seat may still use it; then whether one was bought."""
    if not state.board.permits or state.over != GOES_ON:
        return []
    words = cast("dict[str, object]", view.common_words(state)["permits"])
    left = cast("dict[str, int]", words["cities"])
    return [*left.values(), int(bool(words["bought"]))]


def cells(state: GameState, conduct: Strikes, eyes: Eyes) -> Cells:
    """All cells of a position."""
    return [cell for _, part in parts(state, conduct, eyes) for cell in part]


def places(state: GameState, conduct: Strikes, eyes: Eyes) -> dict[str, list[int]]:
    """Where each part begins, and how many cells it has."""
    found: dict[str, list[int]] = {}
    begin = 0
    for name, part in parts(state, conduct, eyes):
        found[name] = [begin, len(part)]
        begin += len(part)
    return found


def difference(before: Cells, after: Cells) -> Delta:
    """What became of the cells that changed."""
    delta: Delta = []
    for place, (old, new) in enumerate(zip(before, after, strict=True)):
        if old != new:
            delta += (place, new)
    return delta
