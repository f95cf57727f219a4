"""Hooks: the points in a game at which a variant can add rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from referee.engine.choice import Choice
    from referee.engine.rng import Rng
    from referee.engine.state import GameState

SetUp: TypeAlias = "Callable[[GameState, Rng], None]"
TurnChoices: TypeAlias = "Callable[[GameState, int, list[Choice]], None]"
OfSeat: TypeAlias = "Callable[[GameState, int], None]"
OfState: TypeAlias = "Callable[[GameState], None]"
PostEstablished: TypeAlias = "Callable[[GameState, int, int], bool]"
Routes: TypeAlias = "Callable[[GameState], list[int]]"


@dataclass(frozen=True)
class Variant:
    """What one variant does, and when; what it leaves out is None."""

    name: str
    set_up: SetUp | None = None
    turn_choices: TurnChoices | None = None  # state, seat, list to add to
    income_taken: OfSeat | None = None  # state, seat
    action_finished: OfState | None = None  # only the turn itself is pending
    marker_placed: OfSeat | None = None  # state, route
    spare_routes: Routes | None = None  # where a marker may lie if no route qualifies
    post_established: PostEstablished | None = (
        None  # state, city, first point of a route (see promos)
    )


class Hooks:
    """The hooks of the variants in play; each list is in the order of the variants."""

    def __init__(self, variants: tuple[Variant, ...]) -> None:
        self.set_up = [v.set_up for v in variants if v.set_up is not None]
        self.turn_choices = [v.turn_choices for v in variants if v.turn_choices is not None]
        self.income_taken = [v.income_taken for v in variants if v.income_taken is not None]
        self.action_finished = [
            v.action_finished for v in variants if v.action_finished is not None
        ]
        self.marker_placed = [v.marker_placed for v in variants if v.marker_placed is not None]
        self.spare_routes = [v.spare_routes for v in variants if v.spare_routes is not None]
        self.post_established = [
            v.post_established for v in variants if v.post_established is not None
        ]
