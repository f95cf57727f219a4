"""A position as one flat list of cells.

Each cell has the same index throughout a game, so a step is stored as the few cells that it changes.
A cell is an integer, or a list of integers where the number of things varies. The integers are the
engine's codes (`engine.codes`); the standings are those as if the game ended at that position.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, compress, count
from operator import ne
from typing import Final, TypeAlias, cast

from referee.adjudication.faults import Strikes
from referee.engine import game, view
from referee.engine.ending import Standing
from referee.engine.state import GameState
from referee.engine.terms import GOES_ON, NONE
from referee.replay.position import Viewpoint

Cell: TypeAlias = int | list[int]
Cells: TypeAlias = list[Cell]
Delta: TypeAlias = list[Cell]  # index, value, index, value, ...

UNKNOWN: Final = 0  # a rank that the viewpoint does not know
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


def changing_parts(state: GameState) -> Iterator[tuple[str, Sequence[Cell]]]:
    """The groups of cells that may change at any choice, each with its name."""
    yield "now", _now(state)
    yield "points", state.points
    yield "stock", state.stock
    yield "supply", state.supply
    yield "in_hand", [[man for decision in state.agenda for man in decision.held]]


def lasting_parts(
    state: GameState, strikes: Strikes, viewpoint: Viewpoint
) -> Iterator[tuple[str, Sequence[Cell]]]:
    """The groups of cells that few choices change, each with its name; they depend on `_lasting_basis`."""
    seats = range(state.rules.players)
    yield "posts", state.posts
    yield "route_markers", state.route_markers
    yield "desk", state.desk
    yield "prestige", state.prestige
    yield "plates", [len(plate) for plate in state.plates]
    yield "favours", state.favours
    yield "special", state.special
    yield "out", [int(not strikes.answers(seat)) for seat in seats]
    yield "standings", list(_standings(state, strikes, viewpoint))
    yield "additional", [list(men) for men in state.additional]
    yield "green", [list(men) for men in state.green]
    yield "markers", [list(pile) for pile in state.markers]
    yield "used", [list(pile) for pile in state.used]
    yield "missions", [_mission(state, seat, viewpoint) for seat in seats]
    yield "east_west", [list(state.east_west)]
    yield "laid", [[number for laid in state.laid for number in laid]]
    yield "markers_out", [list(state.markers_out)]


def _lasting_basis(state: GameState, strikes: Strikes) -> tuple[object, ...]:
    """Everything that `lasting_parts` depend on; `test_every_step_has_the_position_of_the_engine` checks it.

    The engine never changes one of these lists, but puts another in its place. So two of them are
    mostly the same object, and are compared at once.
    """
    return (
        state.posts,
        state.route_markers,
        state.desk,
        state.prestige,
        state.plates,
        state.favours,
        state.special,
        state.additional,
        state.green,
        state.markers,
        state.used,
        state.missions,
        state.east_west,
        state.laid,
        state.markers_out,
        state.over,
        tuple(strikes.out),
    )


def permit_parts(state: GameState) -> Iterator[tuple[str, Sequence[Cell]]]:
    """The permits; they depend on `_permit_basis`."""
    yield "permits", [_permits(state)]


def _permit_basis(state: GameState) -> tuple[object, ...]:
    return (
        state.active,
        state.permits_spent,
        state.permit_bought,
        state.posts,
        state.additional,
        state.green,
        state.over,
    )


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


def _standings(state: GameState, strikes: Strikes, viewpoint: Viewpoint) -> Iterator[int]:
    standings = game.standings(state)
    ranks = strikes.ranks([standing.rank for standing in standings])
    sees_ranks = viewpoint.sees_ranks(state)
    for standing, rank in zip(standings, ranks, strict=True):
        sees_mission = sees_ranks or viewpoint.sees_mission(state, standing.seat)
        yield rank if sees_ranks else UNKNOWN
        yield from _score(standing, standing.missions if sees_mission else 0)


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


def _mission(state: GameState, seat: int, viewpoint: Viewpoint) -> list[int]:
    if not state.missions or not viewpoint.sees_mission(state, seat):
        return []
    return list(state.board.missions[state.missions[seat]])


def _permits(state: GameState) -> list[int]:
    """For each permit of the board whether the active seat may still use it, then whether it bought one."""
    if not state.board.permits or state.over != GOES_ON:
        return []
    permits = cast("dict[str, object]", view.common_words(state)["permits"])
    left = cast("dict[str, int]", permits["cities"])
    return [*left.values(), int(bool(permits["bought"]))]


def cells(state: GameState, strikes: Strikes, viewpoint: Viewpoint) -> Cells:
    """All cells of a position, as seen from a viewpoint."""
    return CellReader(viewpoint).read(state, strikes)


class CellReader:
    """Reads the cells of the positions of one game, one after the other.

    Most choices change few groups of cells, so the others are made only if what they depend on has changed.
    """

    def __init__(self, viewpoint: Viewpoint) -> None:
        self._viewpoint = viewpoint
        self._changing: Cells = []
        self._lasting: Cells = []
        self._lasting_basis: tuple[object, ...] = ()
        self._permits: Cells = []
        self._permit_basis: tuple[object, ...] = ()

    def read(self, state: GameState, strikes: Strikes) -> Cells:
        """All cells of a position."""
        self._take(state, strikes)
        return self._changing + self._lasting + self._permits

    def read_changes(self, state: GameState, strikes: Strikes) -> Delta:
        """The cells that differ from the position before: the index and the new value of each."""
        before = self._changing, self._lasting, self._permits
        self._take(state, strikes)
        delta: Delta = []
        begin = 0
        for old, new in zip(before, (self._changing, self._lasting, self._permits), strict=True):
            if new is not old:
                delta += _difference(old, new, begin)
            begin += len(new)
        return delta

    def _take(self, state: GameState, strikes: Strikes) -> None:
        self._changing = _cells_of(changing_parts(state))
        basis = _lasting_basis(state, strikes)
        if basis != self._lasting_basis:
            self._lasting_basis = basis
            self._lasting = _cells_of(lasting_parts(state, strikes, self._viewpoint))
        basis = _permit_basis(state)
        if basis != self._permit_basis:
            self._permit_basis = basis
            self._permits = _cells_of(permit_parts(state))


def _cells_of(groups: Iterable[tuple[str, Sequence[Cell]]]) -> Cells:
    found: Cells = []
    for _, part in groups:
        found += part
    return found


def places(state: GameState, strikes: Strikes, viewpoint: Viewpoint) -> dict[str, list[int]]:
    """The index of the first cell of each group, and the number of its cells."""
    groups: dict[str, list[int]] = {}
    begin = 0
    lasting = lasting_parts(state, strikes, viewpoint)
    for name, part in chain(changing_parts(state), lasting, permit_parts(state)):
        groups[name] = [begin, len(part)]
        begin += len(part)
    return groups


def _difference(before: Cells, after: Cells, begin: int) -> Delta:
    """The cells that changed: the index, counted from `begin`, and the new value of each."""
    delta: Delta = []
    for index in compress(count(), map(ne, before, after)):
        delta += (begin + index, after[index])
    return delta
