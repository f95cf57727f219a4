"""Emperor's Favour: tiles for two markers and all actions of a turn (SET-6, FAV-1, FAV-2)."""

from __future__ import annotations

from itertools import combinations

from referee.engine import updates
from referee.engine.choice import Choice
from referee.engine.decision import Decision, ask
from referee.engine.hooks import Variant
from referee.engine.rng import Rng
from referee.engine.state import GameState
from referee.engine.terms import (
    DO_DECLINE,
    FAVOURS,
    LEVY,
    LEVY_TILE,
    MERCHANT,
    TRADER,
    Seat,
    stock_index,
)


def display_tiles(state: GameState, rng: Rng) -> None:
    """Put as many random tiles on display as there are players."""
    tiles = rng.shuffled(state.rules.favour_tiles)
    updates.display_favours(state, tiles[: state.rules.players])


def add_favours(state: GameState, seat: Seat, choices: list[Choice]) -> None:
    """Before any action of the turn: each tile on display, for each pair of unused markers."""
    if state.acted or not state.display or len(state.markers[seat]) < 2:
        return
    pairs = sorted(set(combinations(state.markers[seat], 2)))
    tables = state.board.tables
    for tile in range(len(FAVOURS)):
        if state.display >> tile & 1:
            choices += [tables.favour(tile, one, other) for one, other in pairs]


def resolve(state: GameState, seat: Seat, choice: Choice) -> None:
    """Take the tile, and turn two markers over for it."""
    updates.take_favour(state, seat, choice)


def offer_levy(state: GameState, by: Seat) -> None:
    """Ask the holder of the levy tile, when another seat takes income, whether to take a tradesman."""
    for seat in range(state.rules.players):
        if seat != by and state.favours[seat] >> LEVY_TILE & 1:
            decision = Decision(LEVY, seat, by=by)
            options = levy_choices(state, decision)
            if len(options) > 1:
                ask(state, decision, options)


def levy_choices(state: GameState, decision: Decision) -> list[Choice]:
    """Either kind that the stock has, or to decline."""
    tables, seat = state.board.tables, decision.seat
    found = [
        tables.levy[kind] for kind in (TRADER, MERCHANT) if state.stock[stock_index(seat, kind)]
    ]
    found.append(tables.decline)
    return found


def resolve_levy(state: GameState, decision: Decision, choice: Choice) -> None:
    """Take the tradesman, unless the seat declines."""
    state.agenda.pop()
    if choice.do != DO_DECLINE:
        updates.take_levy(state, decision.seat, choice.kind)


EMPERORS_FAVOUR = Variant(
    "favours", set_up=display_tiles, turn_choices=add_favours, income_taken=offer_levy
)
