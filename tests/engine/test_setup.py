"""Set-up: where everything is before the first turn (SET-1 to SET-6)."""

from collections import Counter
from typing import Any

from referee import atlas
from referee.engine import game
from referee.engine.state import GameState
from referee.engine.terms import MARKERS
from support.groups import together
from support.rule_marker import rule
from support.table import (
    about,
    amounts,
    end_turn,
    events_of,
    offers,
    play,
    player,
    rules_for,
    seen,
    table,
    totals,
)

BOARDS = ["hanse-4-5", "hanse-2-3", "east", "britannia-4-5", "britannia-2-3"]
HANSE_BOARDS = ["hanse-4-5", "hanse-2-3"]
GAMES = [
    *[("hanse-4-5", n) for n in (4, 5)],
    *[("hanse-2-3", n) for n in (2, 3)],
    *[("east", n) for n in (2, 3, 4, 5)],
    *[("britannia-4-5", n) for n in (4, 5)],
    *[("britannia-2-3", n) for n in (2, 3)],
]
TAVERNS = {
    "hanse-4-5": {"bremen--osnabrueck", "goslar--hildesheim", "lueneburg--perleberg"},
    "hanse-2-3": {"bremen--osnabrueck", "goslar--hildesheim", "lueneburg--perleberg"},
    "east": {"allenstein--braunsberg", "brandenburg--tangermuende", "kulm--stettin"},
    "britannia-4-5": {"coventry--nottingham", "lancaster--richmond", "salisbury--southampton"},
    "britannia-2-3": {"coventry--nottingham", "lancaster--richmond", "salisbury--southampton"},
}
MISSIONS = {
    frozenset(card.split())
    for card in (
        "osnabrueck stendal paderborn",
        "dortmund minden lueneburg",
        "minden perleberg goslar",
        "arnheim perleberg hannover",
        "dortmund stendal kampen",
        "arnheim osnabrueck hildesheim",
        "arnheim perleberg bremen",
        "minden osnabrueck magdeburg",
        "dortmund stendal muenster",
    )
}
FAVOURS = {"relocate-anywhere", "extra-action", "levy", "reinforce", "patron", "scholar"}


def begun(
    board: str = "hanse-4-5", players: int | None = None, seed: int = 1, **options: Any
) -> GameState:
    return game.new_game(atlas.load_board(board), rules_for(board, players, **options), seed)


def at_taverns(state: GameState) -> dict[str, str]:
    routes = seen(state)["routes"]
    return {name: route["marker"] for name, route in routes.items() if route["marker"]}


def face_down(state: GameState) -> Counter[str]:
    return Counter(MARKERS[number] for number in state.supply_order)


# --- Tradesmen -----------------------------------------------------------------------------


@rule("SET-1")
@together(("board", "players"), GAMES)
def test_eleven_traders_and_one_merchant_are_not_on_the_desk(board: str, players: int) -> None:
    state = begun(board, players)
    for seat in range(players):
        stock, supply = amounts(state, "stock", seat), amounts(state, "supply", seat)
        assert (stock[0] + supply[0], stock[1] + supply[1]) == (27 - 15 - 1, 4 - 3)


@rule("SET-1")
@together(("board", "players"), GAMES)
def test_the_remaining_merchant_starts_in_the_supply(board: str, players: int) -> None:
    state = begun(board, players)
    for seat in range(players):
        assert (amounts(state, "supply", seat)[1], amounts(state, "stock", seat)[1]) == (1, 0)


@rule("SET-1")
def test_nothing_is_developed_at_the_start() -> None:
    desk = {"keys": 0, "actions": 0, "privilege": 0, "book": 0, "bank": 0}
    state = begun(players=5)
    assert [player(state, seat)["desk"] for seat in range(5)] == [desk] * 5


@rule("SET-1")
@together(
    ("ability", "covers", "gain"),
    [
        ("keys", 4, (1, 0)),
        ("actions", 5, (1, 0)),
        ("privilege", 3, (1, 0)),
        ("book", 3, (0, 1)),
        ("bank", 3, (1, 0)),
    ],
)
def test_merchants_cover_the_book_and_traders_the_rest(
    ability: str, covers: int, gain: tuple[int, int]
) -> None:
    names = ["develop-ability"] * covers
    state = table(markers={0: [*names, "develop-ability"]}, supply={0: (0, 0)})
    for _ in names:
        play(state, do="use", marker="develop-ability", ability=ability)
    assert amounts(state, "supply", 0) == (covers * gain[0], covers * gain[1])
    assert offers(state, do="use", ability=ability) == []


@rule("SET-2")
@together(("board", "players"), GAMES)
def test_each_next_player_starts_with_one_more_trader_in_the_supply(
    board: str, players: int
) -> None:
    state = begun(board, players)
    supplies = [amounts(state, "supply", seat)[0] for seat in range(players)]
    assert supplies == [5, 6, 7, 8, 9][:players]


@rule("SET-2")
@together(("board", "players"), GAMES)
def test_each_next_player_starts_with_one_trader_less_in_the_stock(
    board: str, players: int
) -> None:
    state = begun(board, players)
    stocks = [amounts(state, "stock", seat)[0] for seat in range(players)]
    assert stocks == [6, 5, 4, 3, 2][:players]


# --- The values of the abilities -----------------------------------------------------------


@rule("SET-3")
@together(("steps", "value"), list(enumerate([1, 2, 2, 3, 4])))
def test_city_keys_are_1_2_2_3_4(steps: int, value: int) -> None:
    state = table(posts={"hannover": ["0t"]}, desk={0: {"keys": steps}})
    assert totals(state, 0)["network"] == value


@rule("SET-3")
@together(("steps", "value"), list(enumerate([2, 3, 3, 4, 4, 5])))
def test_actions_are_2_3_3_4_4_5(steps: int, value: int) -> None:
    state = table(active=3, desk={0: {"actions": steps}})
    end_turn(state)
    assert (events_of(state, "turn")[-1]["actions"], seen(state)["actions_left"]) == (value, value)


@rule("SET-3")
@together(("steps", "spaces"), list(enumerate([[7], [7, 8], [7, 8, 9], [7, 8, 9, 11]])))
def test_privilege_is_white_orange_pink_black(steps: int, spaces: list[int]) -> None:
    men = ["0t", "0t", "0m", "0t"]
    state = table(
        points={"coellen--warburg": men}, supply={0: (0, 0)}, desk={0: {"privilege": steps}}
    )
    rewards = [choice["reward"] or {} for choice in offers(state, do="create")]
    assert [reward["special"] for reward in rewards if "special" in reward] == spaces


@rule("SET-3")
@together(("steps", "value"), list(enumerate([2, 3, 4, 5])))
def test_the_book_is_2_3_4_5(steps: int, value: int) -> None:
    state = table(points={"bremen--hamburg": ["0t"] * 4, "bremen--minden": ["0t"] * 3},
                  supply={0: (0, 0)}, desk={0: {"book": steps}})  # fmt: skip
    play(state, do="move")
    assert about(state)["left"] == value


@rule("SET-3")
@together("edition", ["bigbox", "original"])
@together(("steps", "value"), list(enumerate([3, 5, 7, 11])))
def test_the_bank_is_3_5_7_all(steps: int, value: int, edition: str) -> None:
    state = table(stock={0: (11, 0)}, desk={0: {"bank": steps}}, edition=edition)
    assert max(choice["traders"] for choice in offers(state, do="income")) == value


# --- Bonus markers -------------------------------------------------------------------------


@rule("SET-4")
@together("board", BOARDS)
def test_the_three_start_markers_of_the_big_box_lie_on_the_taverns(board: str) -> None:
    lying = at_taverns(begun(board))
    assert lying.keys() == TAVERNS[board]
    assert sorted(lying.values()) == ["additional-post", "exchange-posts", "move-3"]


@rule("SET-4")
@together("board", ["hanse-4-5", "hanse-2-3", "east"])
def test_the_start_markers_of_2009_have_remove_three(board: str) -> None:
    lying = at_taverns(begun(board, edition="original"))
    assert lying.keys() == TAVERNS[board]
    assert sorted(lying.values()) == ["additional-post", "exchange-posts", "remove-3"]


@rule("SET-4")
@together("board", BOARDS)
def test_the_supply_of_the_big_box_is_the_other_twelve(board: str) -> None:
    state = begun(board)
    assert face_down(state) == {
        "additional-post": 3,
        "exchange-posts": 2,
        "develop-ability": 2,
        "plus-3-actions": 2,
        "plus-4-actions": 2,
        "move-3": 1,
    }
    assert seen(state)["marker_supply"] == 12


@rule("SET-4")
@together("board", ["hanse-4-5", "hanse-2-3", "east"])
def test_the_supply_of_2009_is_the_other_thirteen(board: str) -> None:
    state = begun(board, edition="original")
    assert face_down(state) == {
        "additional-post": 4,
        "exchange-posts": 1,
        "develop-ability": 3,
        "plus-3-actions": 2,
        "plus-4-actions": 2,
        "remove-3": 1,
    }
    assert seen(state)["marker_supply"] == 13


@rule("SET-4")
@together("board", ["britannia-4-5", "britannia-2-3"])
def test_remove_three_of_2009_becomes_move_three_in_britannia(board: str) -> None:
    state = begun(board, edition="original")
    assert sorted(at_taverns(state).values()) == ["additional-post", "exchange-posts", "move-3"]
    assert (face_down(state)["move-3"], face_down(state)["remove-3"]) == (1, 0)
    assert seen(state)["marker_supply"] == 13


@rule("SET-4")
@together("edition", ["bigbox", "original"])
def test_the_start_markers_are_shuffled_onto_the_taverns(edition: str) -> None:
    orders = {tuple(at_taverns(begun(seed=n, edition=edition)).values()) for n in range(60)}
    assert len(orders) == 6


@rule("SET-4")
def test_the_supply_is_shuffled() -> None:
    firsts = {MARKERS[begun(seed=seed).supply_order[0]] for seed in range(80)}
    assert firsts == face_down(begun()).keys()


@rule("SET-4")
@together(("board", "players"), GAMES)
def test_the_start_markers_are_the_first_events(board: str, players: int) -> None:
    state = begun(board, players)
    first = events_of(state)[:3]
    assert [(one["event"], one["seat"]) for one in first] == [("marker-placed", None)] * 3
    assert {one["route"]: one["marker"] for one in first} == at_taverns(state)


@rule("SET-4")
@together("seat", range(4))
def test_nobody_sees_the_order_of_the_marker_supply(seat: int) -> None:
    names = {"plus-3-actions", "plus-4-actions", "develop-ability"}  # none of them starts
    view = repr(seen(begun(), seat))
    assert [name for name in names if name in view] == []


# --- The rest ------------------------------------------------------------------------------


@rule("SET-5")
@together(("board", "players"), GAMES)
def test_all_counts_start_at_zero(board: str, players: int) -> None:
    state = seen(begun(board, players))
    assert state["completed_cities"] == 0
    assert [each["prestige"] for each in state["players"]] == [0] * players


@rule("SET-5")
@together(("board", "players"), GAMES)
def test_seat_0_begins_with_turn_1_and_two_actions(board: str, players: int) -> None:
    state = begun(board, players)
    assert events_of(state)[-1] == {"event": "turn", "turn": 1, "seat": 0, "actions": 2}
    now = seen(state)
    assert (now["turn"], now["active"], now["actions_left"], now["fresh"]) == (1, 0, 2, True)


@rule("SET-5")
@together("options", [{}, {"missions": True, "favours": True}, {"promos": True}])
def test_the_seed_fixes_everything(options: dict[str, Any]) -> None:
    assert begun(seed=7, **options).digest() == begun(seed=7, **options).digest()


@rule("SET-5")
def test_different_seeds_give_different_games() -> None:
    assert len({begun(seed=seed).digest() for seed in range(20)}) == 20


@rule("SET-6")
@together(("board", "players"), [g for g in GAMES if g[0] in HANSE_BOARDS])
def test_every_player_gets_an_own_mission_card(board: str, players: int) -> None:
    state = begun(board, players, missions=True)
    dealt = {frozenset(seen(state, seat)["mission"]) for seat in range(players)}
    assert len(dealt) == players
    assert dealt <= MISSIONS


@rule("SET-6")
def test_the_nine_mission_cards_are_shuffled() -> None:
    states = [begun(seed=seed, missions=True) for seed in range(80)]
    assert {frozenset(seen(state, 0)["mission"]) for state in states} == MISSIONS


@rule("SET-6")
def test_a_mission_is_seen_by_its_owner_only() -> None:
    state = begun(missions=True)
    cards = [seen(state, seat)["mission"] for seat in range(4)]
    for seat in range(4):
        others = [card for other, card in enumerate(cards) if other != seat]
        assert [card for card in others if repr(card) in repr(seen(state, seat))] == []


@rule("SET-6")
@together("seat", range(4))
def test_without_missions_nobody_has_one(seat: int) -> None:
    assert seen(begun(), seat)["mission"] is None


@rule("SET-6")
@together(("board", "players"), [g for g in GAMES if g[0] in HANSE_BOARDS])
def test_as_many_favours_as_players_are_displayed(board: str, players: int) -> None:
    display = seen(begun(board, players, favours=True))["favours"]
    assert len(set(display)) == len(display) == players
    assert set(display) <= FAVOURS


@rule("SET-6")
def test_the_six_favours_are_drawn_at_random() -> None:
    draws = [frozenset(seen(begun(seed=n, favours=True))["favours"]) for n in range(80)]
    assert frozenset.union(*draws) == FAVOURS
    assert len(set(draws)) > 6


@rule("SET-6")
def test_without_favours_none_is_displayed() -> None:
    assert seen(begun())["favours"] == []
