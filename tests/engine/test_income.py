"""Income: tradesmen from the stock into the supply (INC-1)."""

from typing import Any

from support.groups import together
from support.rule_marker import rule
from support.table import amounts, events_of, offers, play, table

BOARDS = ["hanse-4-5", "hanse-2-3", "east", "britannia-4-5", "britannia-2-3"]
EDITIONS = ["bigbox", "original"]


def mixes(stock: tuple[int, int], bank: int, **options: Any) -> list[tuple[int, int]]:
    """The incomes that are offered with this stock and this number of steps of Bank."""
    state = table(stock={0: stock}, desk={0: {"bank": bank}}, **options)
    found = offers(state, do="income")
    assert all(choice.keys() == {"do", "traders", "merchants"} for choice in found)
    return sorted((choice["traders"], choice["merchants"]) for choice in found)


@rule("INC-1")
@together("edition", EDITIONS)
@together(("steps", "most"), [(0, 3), (1, 5), (2, 7), (3, 12)])
@together("stock", [(8, 4), (2, 1), (0, 4), (9, 0)])
def test_any_mix_up_to_the_value_of_the_bank_may_be_taken(
    stock: tuple[int, int], steps: int, most: int, edition: str
) -> None:
    traders, merchants = stock
    every = [(t, m) for t in range(traders + 1) for m in range(merchants + 1)]
    assert mixes(stock, steps, edition=edition) == [mix for mix in every if 1 <= sum(mix) <= most]


@rule("INC-1")
@together("edition", EDITIONS)
def test_less_than_the_value_of_the_bank_may_be_taken(edition: str) -> None:
    assert mixes((6, 0), 0, edition=edition) == [(1, 0), (2, 0), (3, 0)]


@rule("INC-1")
@together("edition", EDITIONS)
def test_income_is_not_available_with_an_empty_stock(edition: str) -> None:
    assert mixes((0, 0), 3, edition=edition) == []


@rule("INC-1")
def test_income_is_not_available_without_an_action() -> None:
    state = table(stock={0: (5, 1)}, actions=0)
    assert offers(state, do="income") == []


@rule("INC-1")
@together("board", BOARDS)
def test_what_is_taken_goes_from_the_stock_into_the_supply(board: str) -> None:
    state = table(board, stock={0: (6, 2)}, supply={0: (1, 1)})
    play(state, do="income", traders=2, merchants=1)
    assert amounts(state, "stock", 0) == (4, 1)
    assert amounts(state, "supply", 0) == (3, 2)


@rule("INC-1")
def test_income_takes_own_tradesmen_only() -> None:
    state = table(active=1, stock={0: (3, 1), 1: (2, 0), 2: (3, 1)})
    play(state, do="income", traders=2, merchants=0)
    assert [amounts(state, "stock", seat) for seat in range(3)] == [(3, 1), (0, 0), (3, 1)]


@rule("INC-1")
def test_income_emits_an_event() -> None:
    state = table(stock={0: (6, 2)}, actions=2)
    play(state, do="income", traders=1, merchants=2)
    assert events_of(state) == [
        {"event": "action", "seat": 0, "do": "income", "left": 1},
        {"event": "income", "seat": 0, "traders": 1, "merchants": 2},
    ]
