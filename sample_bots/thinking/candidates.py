"""Which choices of a turn are worth trying: all that are rare, and the best few that are many."""

from __future__ import annotations

from dataclasses import dataclass

from referee.engine import game
from referee.engine.choice import Choice
from referee.engine.state import GameState
from referee.engine.terms import (
    DO_DISPLACE,
    DO_END_TURN,
    DO_FAVOUR,
    DO_INCOME,
    DO_PLACE,
    DO_USE,
    MERCHANT,
    MOVE_3,
    NONE,
    REMOVE_3,
)
from thinking.decisions import added_hope
from thinking.evaluation import Outlook

TRADER_PAID = 0.1
MERCHANT_PAID = 0.5
MERCHANT_PLACED = 0.3


LAYING = -1  # the use of a marker that is laid above a route
LIFTING = -2  # the use of a marker that lifts tradesmen


@dataclass(frozen=True)
class Breadth:
    """How widely a turn is searched."""

    kept: int = 6  # positions that are followed at each step
    places: int = 7
    displaces: int = 4
    moves: int = 3
    laid: int = 3  # routes that a marker is laid on


ONE_LINE = Breadth(kept=1, places=3, displaces=1, moves=1)


def candidates(
    state: GameState, outlook: Outlook, breadth: Breadth, *, is_first: bool = True
) -> list[int]:
    """The indices of the choices worth trying; to end the turn is not among them.

    Markers that lift the tradesmen of others take long to think through, and are mostly used to
    make room: they are tried as the first thing only.
    """
    by_do: dict[int, list[tuple[float, int]]] = {}
    hopes: dict[tuple[int, int], float] = {}
    for index, choice in enumerate(game.choices(state)):
        promise = _promise(state, outlook, choice, hopes)
        by_do.setdefault(_group(choice), []).append((promise, index))
    limits = {DO_INCOME: 1, DO_PLACE: breadth.places, DO_DISPLACE: breadth.displaces}
    limits |= {DO_END_TURN: 0, LAYING: breadth.laid, DO_FAVOUR: breadth.laid}
    limits[LIFTING] = 1 if is_first else 0
    found: list[int] = []
    for group, promises in by_do.items():
        best = sorted(promises, key=_promised, reverse=True)[: limits.get(group, len(promises))]
        found += [index for _, index in best]
    return found


def _group(choice: Choice) -> int:
    if choice.do != DO_USE:
        return choice.do
    if choice.marker in (MOVE_3, REMOVE_3):
        return LIFTING
    return DO_USE if choice.route == NONE else LAYING


def _promised(promise: tuple[float, int]) -> float:
    return promise[0]


def _promise(
    state: GameState, here: Outlook, choice: Choice, hopes: dict[tuple[int, int], float]
) -> float:
    """What a choice promises against others of its kind; 0 where all of the kind are tried.

    `hopes` are those known already: one can be displaced and paid for in many ways.
    """
    if choice.do == DO_INCOME:
        return choice.traders + choice.merchants + MERCHANT_PAID * choice.merchants
    if choice.do not in (DO_PLACE, DO_DISPLACE):
        return 0.0
    key = (choice.point, choice.kind)
    if key not in hopes:
        hopes[key] = added_hope(state, here, here.seat, *key)
    gain = hopes[key]
    if choice.kind == MERCHANT:
        gain -= MERCHANT_PLACED
    return gain - TRADER_PAID * choice.traders - MERCHANT_PAID * choice.merchants
