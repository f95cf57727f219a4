"""Which choices of a turn are worth trying: all of the rare kinds, the best few of the others."""

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
from referee.thinking.decisions import added_expectation
from referee.thinking.evaluation import Evaluator

TRADER_PAID = 0.1
MERCHANT_PAID = 0.5
MERCHANT_PLACED = 0.3


MARKER_ON_ROUTE = -1  # the use of a marker that is laid on a route
MARKER_THAT_LIFTS = -2  # the use of a marker that lifts tradesmen of others


@dataclass(frozen=True)
class Breadth:
    """How widely a turn is searched."""

    positions: int = 6  # kept at each step
    places: int = 7
    displaces: int = 4
    moves: int = 3
    laid: int = 3  # routes to lay a marker on


ONE_LINE = Breadth(positions=1, places=3, displaces=1, moves=1)


def candidates(
    state: GameState, evaluator: Evaluator, breadth: Breadth, *, is_first: bool = True
) -> list[int]:
    """The indices of the choices worth trying; ending the turn is not among them.

    Markers that lift the tradesmen of others take long to search, and are mostly used to free
    points. So they are tried as the first choice of a turn only.
    """
    by_do: dict[int, list[tuple[float, int]]] = {}
    expectations: dict[tuple[int, int], float] = {}
    for index, choice in enumerate(game.choices(state)):
        estimate = _estimate(state, evaluator, choice, expectations)
        by_do.setdefault(_group(choice), []).append((estimate, index))
    limits = {DO_INCOME: 1, DO_PLACE: breadth.places, DO_DISPLACE: breadth.displaces}
    limits |= {DO_END_TURN: 0, MARKER_ON_ROUTE: breadth.laid, DO_FAVOUR: breadth.laid}
    limits[MARKER_THAT_LIFTS] = 1 if is_first else 0
    found: list[int] = []
    for group, estimates in by_do.items():
        best = sorted(estimates, key=_estimated, reverse=True)[: limits.get(group, len(estimates))]
        found += [index for _, index in best]
    return found


def _group(choice: Choice) -> int:
    if choice.do != DO_USE:
        return choice.do
    if choice.marker in (MOVE_3, REMOVE_3):
        return MARKER_THAT_LIFTS
    return DO_USE if choice.route == NONE else MARKER_ON_ROUTE


def _estimated(estimate: tuple[float, int]) -> float:
    return estimate[0]


def _estimate(
    state: GameState, here: Evaluator, choice: Choice, expectations: dict[tuple[int, int], float]
) -> float:
    """How good a choice is compared with others of its kind; 0 for kinds that are always tried.

    `expectations` holds those computed so far: displacing on one point can be paid in many ways.
    """
    if choice.do == DO_INCOME:
        return choice.traders + choice.merchants + MERCHANT_PAID * choice.merchants
    if choice.do not in (DO_PLACE, DO_DISPLACE):
        return 0.0
    key = (choice.point, choice.kind)
    if key not in expectations:
        expectations[key] = added_expectation(state, here, here.seat, *key)
    gain = expectations[key]
    if choice.kind == MERCHANT:
        gain -= MERCHANT_PLACED
    return gain - TRADER_PAID * choice.traders - MERCHANT_PAID * choice.merchants
