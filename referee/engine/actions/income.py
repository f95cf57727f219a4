"""Income: tradesmen go from the stock into the supply (INC-1)."""

from __future__ import annotations

from referee.engine import updates
from referee.engine.abilities import value
from referee.engine.choice import Choice
from referee.engine.state import GameState
from referee.engine.terms import BANK, DO_INCOME, Seat


def add_choices(state: GameState, seat: Seat, choices: list[Choice]) -> None:
    """Every mix of at least one tradesman, up to the value of the Bank."""
    traders, merchants = state.tradesmen(state.stock, seat)
    if traders or merchants:
        limit = value(state, seat, BANK) or traders + merchants
        choices += state.board.tables.incomes(limit, traders, merchants)


def resolve(state: GameState, seat: Seat, choice: Choice) -> None:
    """Take the tradesmen, then run the hooks of variants."""
    updates.spend_action(state, DO_INCOME)
    updates.take_income(state, seat, choice.traders, choice.merchants)
    for hook in state.hooks.income_taken:
        hook(state, seat)
