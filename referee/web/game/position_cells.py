"""A position as one flat list of cells.

Each cell has the same index throughout a game, so a step is stored as the few cells that it changes.
A cell is an integer, or a list of integers where the number of things varies. The integers are the
engine's codes (`engine.codes`); the standings are those as if the game ended at that position.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress, count
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


def parts(
    state: GameState, strikes: Strikes, viewpoint: Viewpoint, standings: list[int] | None = None
) -> Iterator[tuple[str, Sequence[Cell]]]:
    """The cells in groups, each with its name; order and lengths are the same throughout a game.

    `standings` are the cells of the standings, if they are known.
    """
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
    yield "out", [int(not strikes.answers(seat)) for seat in seats]
    yield (
        "standings",
        list(_standings(state, strikes, viewpoint)) if standings is None else standings,
    )
    yield "additional", [list(men) for men in state.additional]
    yield "green", [list(men) for men in state.green]
    yield "markers", [list(pile) for pile in state.markers]
    yield "used", [list(pile) for pile in state.used]
    yield "missions", [_mission(state, seat, viewpoint) for seat in seats]
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

    Most choices change no score, so the standings are computed only if what they depend on has changed.
    """

    def __init__(self, viewpoint: Viewpoint) -> None:
        self._viewpoint = viewpoint
        self._basis: tuple[object, ...] = ()
        self._standings: list[int] = []

    def read(self, state: GameState, strikes: Strikes) -> Cells:
        """All cells of a position."""
        basis = _basis_of_standings(state, strikes)
        if basis != self._basis:
            self._basis = basis
            self._standings = list(_standings(state, strikes, self._viewpoint))
        groups = parts(state, strikes, self._viewpoint, self._standings)
        return [cell for _, part in groups for cell in part]


def _basis_of_standings(state: GameState, strikes: Strikes) -> tuple[object, ...]:
    """Everything that the standings of a game depend on; `test_every_step_has_the_position_of_the_engine` checks it."""
    return (
        tuple(state.prestige),
        tuple(state.desk),
        tuple(state.posts),
        tuple(state.additional),
        tuple(state.green),
        tuple(state.markers),
        tuple(state.used),
        tuple(state.special),
        tuple(state.favours),
        tuple(state.laid),
        tuple(strikes.out),
        state.over,
    )


def places(state: GameState, strikes: Strikes, viewpoint: Viewpoint) -> dict[str, list[int]]:
    """The index of the first cell of each group, and the number of its cells."""
    groups: dict[str, list[int]] = {}
    begin = 0
    for name, part in parts(state, strikes, viewpoint):
        groups[name] = [begin, len(part)]
        begin += len(part)
    return groups


def difference(before: Cells, after: Cells) -> Delta:
    """The cells that changed: the index and the new value of each."""
    delta: Delta = []
    for index in compress(count(), map(ne, before, after)):
        delta += (index, after[index])
    return delta
