"""Decisions, and the stack of them: what interrupts a turn is pushed on top of it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from referee.engine.terms import NONE

if TYPE_CHECKING:
    from referee.engine.choice import Choice
    from referee.engine.state import GameState


class Decision:
    """One question to one seat, with everything needed to go on after the answer; immutable.

    Fields that its kind does not use are NONE, 0 or empty.
    """

    __slots__ = (
        "by",
        "city",
        "held",
        "kind",
        "left",
        "origins",
        "owner",
        "placed",
        "point",
        "seat",
        "unbound",
        "why",
    )

    def __init__(
        self,
        kind: int,
        seat: int,
        *,
        why: int = NONE,
        left: int = 0,
        point: int = NONE,
        city: int = NONE,
        by: int = NONE,
        owner: int = NONE,
        held: tuple[int, ...] = (),
        origins: tuple[int, ...] = (),
        placed: tuple[int, ...] = (),
        unbound: bool = False,
    ) -> None:
        self.kind = kind
        self.seat = seat
        self.why = why  # the reason of lifting, or the permanent marker
        self.left = left  # how many more may be lifted, relocated or placed
        self.point = point  # the point of the displacement, or the first of the route created
        self.city = city  # where the created route put a post
        self.by = by  # the seat whose action this answers
        self.owner = owner  # whose tradesman was displaced
        self.held = held  # tradesmen off the board, in the order in which they are put
        self.origins = origins  # the points that they were lifted from
        self.placed = placed  # points taken in the course of it
        self.unbound = unbound  # a permit was bought that frees this move (BRI-9)

    def numbers(self) -> list[int]:
        """Every field as ints in a fixed order, for digests and comparisons."""
        numbers = [
            self.kind,
            self.seat,
            self.why,
            self.left,
            self.point,
            self.city,
            self.by,
            self.owner,
            int(self.unbound),
        ]
        for entries in (self.held, self.origins, self.placed):
            numbers.append(len(entries))
            numbers += entries
        return numbers

    def __reduce__(self) -> tuple[object, ...]:
        """For pickle: compiled classes have no default for it."""
        made = partial(
            Decision,
            self.kind,
            self.seat,
            why=self.why,
            left=self.left,
            point=self.point,
            city=self.city,
            by=self.by,
            owner=self.owner,
            held=self.held,
            origins=self.origins,
            placed=self.placed,
            unbound=self.unbound,
        )
        return made, ()


def ask(state: GameState, decision: Decision, options: list[Choice]) -> None:
    """Push a decision onto the stack, with its choices, which the caller has just listed."""
    state.agenda.append(decision)
    state.options = options
