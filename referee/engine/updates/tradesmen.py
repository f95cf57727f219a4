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
    colour_of,
    desk_index,
    kind_of,
    stock_index,
    tradesman,
)
from referee.engine.updates.log import emit, replaced

if TYPE_CHECKING:
    from referee.engine.state import GameState


def take_income(state: GameState, seat: Seat, traders: int, merchants: int) -> None:
    """Move tradesmen from the stock into the supply."""
    _stock_to_supply(state, seat, traders, merchants)
    emit(state, (EV_INCOME, seat, traders, merchants))


def take_levy(state: GameState, seat: Seat, kind: Kind) -> None:
    """Move one tradesman from the stock into the supply, for the levy tile."""
    _stock_to_supply(state, seat, int(kind == TRADER), int(kind == MERCHANT))
    emit(state, (EV_LEVIED, seat, int(kind == TRADER), int(kind == MERCHANT)))


def take_tribute(state: GameState, seat: Seat, traders: int, merchants: int) -> None:
    """Move the tradesmen of a tribute from the stock into the supply."""
    _stock_to_supply(state, seat, traders, merchants)
    emit(state, (EV_TRIBUTE, seat, traders, merchants))


def _stock_to_supply(state: GameState, seat: Seat, traders: int, merchants: int) -> None:
    trader, merchant = stock_index(seat, TRADER), stock_index(seat, MERCHANT)
    state.stock[trader] -= traders
    state.stock[merchant] -= merchants
    state.supply[trader] += traders
    state.supply[merchant] += merchants


def pay(state: GameState, seat: Seat, traders: int, merchants: int, why: int) -> None:
    """Return tradesmen from the supply to the stock as a payment."""
    _stock_to_supply(state, seat, -traders, -merchants)
    emit(state, (EV_PAID, seat, traders, merchants, why))


def develop(state: GameState, seat: Seat, ability: int) -> None:
    """Move the leftmost tradesman of the ability's track to the supply."""
    at = desk_index(seat, ability)
    state.desk = replaced(state.desk, at, state.desk[at] + 1)
    state.supply[stock_index(seat, MERCHANT if ability == BOOK else TRADER)] += 1
    emit(state, (EV_DEVELOPED, seat, ability, state.desk[at]))


def put_down(state: GameState, point: PointId, man: Tradesman) -> None:
    """Put a tradesman on a point; the caller emits the event."""
    state.points[point] = man
    state.free[state.board.point_route[point]] &= ~state.board.point_bit[point]
    state.on_points[colour_of(man)] += 1


def take_up(state: GameState, point: PointId) -> Tradesman:
    """Take a tradesman off a point; the caller emits the event."""
    man = state.points[point]
    state.points[point] = EMPTY
    state.free[state.board.point_route[point]] |= state.board.point_bit[point]
    state.on_points[colour_of(man)] -= 1
    return man


def _take_from(state: GameState, man: Tradesman, source: int, origin: PointId) -> None:
    """Take a tradesman away from its source; a displaced or kept one is in its decision already."""
    if source == FROM_POINT:
        take_up(state, origin)
    elif colour_of(man) >= state.rules.players:
        pass  # the neutral never runs out (TWO-5)
    elif source == FROM_SUPPLY:
        state.supply[stock_index(colour_of(man), kind_of(man))] -= 1
    elif source == FROM_STOCK:
        state.stock[stock_index(colour_of(man), kind_of(man))] -= 1


def place(
    state: GameState, man: Tradesman, source: int, point: PointId, origin: PointId = NONE
) -> None:
    """Put a tradesman on a free point."""
    _take_from(state, man, source, origin)
    put_down(state, point, man)
    emit(state, (EV_PLACED, colour_of(man), point, kind_of(man), source, origin))


def relocate(
    state: GameState, man: Tradesman, source: int, point: PointId, origin: PointId = NONE
) -> None:
    """Put a displaced tradesman, or an extra one, on a free point."""
    _take_from(state, man, source, origin)
    put_down(state, point, man)
    emit(state, (EV_RELOCATED, colour_of(man), kind_of(man), source, origin, point))


def retire_displaced(state: GameState, man: Tradesman) -> None:
    """A displaced tradesman that finds no point goes to the stock; a neutral one leaves."""
    if colour_of(man) < state.rules.players:
        state.stock[stock_index(colour_of(man), kind_of(man))] += 1
    emit(state, (EV_RELOCATED, colour_of(man), kind_of(man), 0, NONE, NONE))


def displace(state: GameState, by: Seat, kind: Kind, point: PointId) -> Tradesman:
    """Replace the tradesman on a point by one of the supply; returns the displaced one."""
    displaced = take_up(state, point)
    state.supply[stock_index(by, kind)] -= 1
    put_down(state, point, tradesman(by, kind))
    emit(state, (EV_DISPLACED, colour_of(displaced), by, point, kind_of(displaced), kind))
    return displaced


def lift(state: GameState, by: Seat, point: PointId, why: int) -> Tradesman:
    """Take a tradesman off its point, to be put elsewhere."""
    man = take_up(state, point)
    emit(state, (EV_LIFTED, colour_of(man), by, point, kind_of(man), why))
    return man


def put(state: GameState, by: Seat, man: Tradesman, point: PointId, why: int) -> None:
    """Put a lifted tradesman on a free point."""
    put_down(state, point, man)
    emit(state, (EV_PUT, colour_of(man), by, point, kind_of(man), why))


def remove(state: GameState, by: Seat, point: PointId, why: int) -> None:
    """Take a tradesman off its point into its owner's supply; a neutral one leaves."""
    man = take_up(state, point)
    if colour_of(man) < state.rules.players:
        state.supply[stock_index(colour_of(man), kind_of(man))] += 1
    emit(state, (EV_REMOVED, colour_of(man), by, point, kind_of(man), why))
