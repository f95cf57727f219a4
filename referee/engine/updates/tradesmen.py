"""Tradesmen between stock, supply, desk and points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.engine.terms import (
    BOOK,
    EMPTY,
    EV_DEVELOPED,
    EV_DISPLACED,
    EV_INCOME,
    EV_LEVIED,
    EV_LIFTED,
    EV_PAID,
    EV_PLACED,
    EV_PUT,
    EV_RELOCATED,
    EV_REMOVED,
    EV_TRIBUTE,
    FROM_POINT,
    FROM_STOCK,
    FROM_SUPPLY,
    MERCHANT,
    NONE,
    TRADER,
    Kind,
    PointId,
    Seat,
    Tradesman,
)
from referee.engine.updates.log import replaced, tell

if TYPE_CHECKING:
    from referee.engine.state import GameState


def take_income(state: GameState, seat: Seat, traders: int, merchants: int) -> None:
    """From the stock into the supply."""
    _stock_to_supply(state, seat, traders, merchants)
    tell(state, (EV_INCOME, seat, traders, merchants))


def take_levy(state: GameState, seat: Seat, kind: Kind) -> None:
    """One tradesman from the stock into the supply."""
    _stock_to_supply(state, seat, int(kind == TRADER), int(kind == MERCHANT))
    tell(state, (EV_LEVIED, seat, int(kind == TRADER), int(kind == MERCHANT)))


def take_tribute(state: GameState, seat: Seat, traders: int, merchants: int) -> None:
    """A tribute's tradesmen from the stock into the supply."""
    _stock_to_supply(state, seat, traders, merchants)
    tell(state, (EV_TRIBUTE, seat, traders, merchants))


def _stock_to_supply(state: GameState, seat: Seat, traders: int, merchants: int) -> None:
    state.stock[2 * seat + TRADER] -= traders
    state.stock[2 * seat + MERCHANT] -= merchants
    state.supply[2 * seat + TRADER] += traders
    state.supply[2 * seat + MERCHANT] += merchants


def pay(state: GameState, seat: Seat, traders: int, merchants: int, why: int) -> None:
    """From the supply to the stock."""
    _stock_to_supply(state, seat, -traders, -merchants)
    tell(state, (EV_PAID, seat, traders, merchants, why))


def develop(state: GameState, seat: Seat, ability: int) -> None:
    """The leftmost tradesman of the track goes to the supply."""
    state.desk = replaced(state.desk, 5 * seat + ability, state.desk[5 * seat + ability] + 1)
    state.supply[2 * seat + (MERCHANT if ability == BOOK else TRADER)] += 1
    tell(state, (EV_DEVELOPED, seat, ability, state.desk[5 * seat + ability]))


def put_down(state: GameState, point: PointId, man: Tradesman) -> None:
    """A tradesman stands on a point; the caller tells it."""
    state.points[point] = man
    state.free[state.board.point_route[point]] &= ~state.board.point_bit[point]
    state.on_points[(man >> 1) - 1] += 1


def take_up(state: GameState, point: PointId) -> Tradesman:
    """A tradesman leaves a point; the caller tells it."""
    man = state.points[point]
    state.points[point] = EMPTY
    state.free[state.board.point_route[point]] |= state.board.point_bit[point]
    state.on_points[(man >> 1) - 1] -= 1
    return man


def _take_from(state: GameState, man: Tradesman, source: int, origin: PointId) -> None:
    """Take a tradesman out of where it comes from; one in nobody's keeping is in the agenda."""
    if source == FROM_POINT:
        take_up(state, origin)
    elif man >> 1 > state.rules.players:
        pass  # the neutral never runs out (TWO-5)
    elif source == FROM_SUPPLY:
        state.supply[man - 2] -= 1
    elif source == FROM_STOCK:
        state.stock[man - 2] -= 1


def place(
    state: GameState, man: Tradesman, source: int, point: PointId, origin: PointId = NONE
) -> None:
    """Put a tradesman on a free point."""
    _take_from(state, man, source, origin)
    put_down(state, point, man)
    tell(state, (EV_PLACED, (man >> 1) - 1, point, man & 1, source, origin))


def relocate(
    state: GameState, man: Tradesman, source: int, point: PointId, origin: PointId = NONE
) -> None:
    """Put a displaced tradesman, or an extra one, on a free point."""
    _take_from(state, man, source, origin)
    put_down(state, point, man)
    tell(state, (EV_RELOCATED, (man >> 1) - 1, man & 1, source, origin, point))


def retire_displaced(state: GameState, man: Tradesman) -> None:
    """A displaced tradesman that finds no point goes to the stock; a neutral one leaves."""
    if man >> 1 <= state.rules.players:
        state.stock[man - 2] += 1
    tell(state, (EV_RELOCATED, (man >> 1) - 1, man & 1, 0, NONE, NONE))


def displace(state: GameState, by: Seat, kind: Kind, point: PointId) -> Tradesman:
    """Replace the tradesman on a point by one of the supply; the displaced is handed over."""
    displaced = take_up(state, point)
    man = 2 * by + 2 + kind
    state.supply[man - 2] -= 1
    put_down(state, point, man)
    tell(state, (EV_DISPLACED, (displaced >> 1) - 1, by, point, displaced & 1, kind))
    return displaced


def lift(state: GameState, by: Seat, point: PointId, why: int) -> Tradesman:
    """Take a tradesman off its point, to be put elsewhere."""
    man = take_up(state, point)
    tell(state, (EV_LIFTED, (man >> 1) - 1, by, point, man & 1, why))
    return man


def put(state: GameState, by: Seat, man: Tradesman, point: PointId, why: int) -> None:
    """Put a lifted tradesman on a free point."""
    put_down(state, point, man)
    tell(state, (EV_PUT, (man >> 1) - 1, by, point, man & 1, why))


def remove(state: GameState, by: Seat, point: PointId, why: int) -> None:
    """Take a tradesman off its point into its owner's supply; a neutral one leaves."""
    man = take_up(state, point)
    if man >> 1 <= state.rules.players:
        state.supply[man - 2] += 1
    tell(state, (EV_REMOVED, (man >> 1) - 1, by, point, man & 1, why))
