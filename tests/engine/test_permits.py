"""Permits: who may place and displace abroad (BRI-2)."""

from referee.engine.state import GameState
from support.countries import ABROAD, SCOTLAND, WALES
from support.groups import together
from support.permit_tables import (
    BOARDS,
    IN_ENGLAND,
    IN_SCOTLAND,
    IN_WALES,
    britannia,
    left,
    place,
    placed_abroad,
)
from support.rule_marker import rule
from support.table import asked, end_turn, events_of, offers, play, seen, table


def countries(state: GameState) -> set[str]:
    routes = placed_abroad(state)
    both = {"Wales": WALES, "Scotland": SCOTLAND}
    return {name for name, theirs in both.items() if routes & theirs}


def given(state: GameState) -> list[str]:
    """The cities whose permits were spent, in order."""
    return [one["city"] for one in events_of(state, "permit")]


# -- BRI-2: what is free, and what is not


@BOARDS
@rule("BRI-2")
def test_placing_is_free_in_england_and_only_there(board: str) -> None:
    state = britannia(board)
    goals = {one["route"] for one in offers(state, do="place")}
    assert goals == set(seen(state)["routes"]) - ABROAD[board]


@BOARDS
@rule("BRI-2")
def test_displacing_is_free_in_england_and_only_there(board: str) -> None:
    points = {IN_ENGLAND: ["1t", None, None], IN_WALES: ["1t", None, None]}
    state = britannia(board, points=points)
    assert {one["route"] for one in offers(state, do="displace")} == {IN_ENGLAND}


@rule("BRI-2")
def test_displacing_in_scotland_needs_a_permit_too() -> None:
    state = britannia(points={IN_SCOTLAND: ["1t", None, None]})
    assert offers(state, do="displace") == []


@BOARDS
@rule("BRI-2")
def test_moving_and_creating_need_no_permit(board: str) -> None:
    state = britannia(board, points={IN_WALES: ["0t", "0t", "0t"]})
    assert offers(state, do="create", route=IN_WALES, reward=None)
    play(state, do="move")
    assert offers(state, do="lift", route=IN_WALES)


@together(
    ("board", "city", "opened"),
    [
        ("britannia-2-3", "cardiff", {"Wales"}),
        ("britannia-2-3", "london", {"Wales"}),
        ("britannia-2-3", "carlisle", set()),
        ("britannia-4-5", "cardiff", {"Wales"}),
        ("britannia-4-5", "carlisle", {"Scotland"}),
        ("britannia-4-5", "london", {"Wales", "Scotland"}),
        ("britannia-4-5", "oxford", set()),
    ],
)
@rule("BRI-2")
def test_each_city_permits_its_own_countries(board: str, city: str, opened: set[str]) -> None:
    assert countries(britannia(board, posts={city: ["0t"]})) == opened


@rule("BRI-2")
def test_a_permit_opens_every_route_of_its_country() -> None:
    assert placed_abroad(britannia(posts={"london": ["0t"]})) == WALES | SCOTLAND


@BOARDS
@rule("BRI-2")
def test_the_view_shows_which_permits_are_left(board: str) -> None:
    state = britannia(board, posts={"cardiff": ["0t"], "london": ["1t"]})
    expected = {"cardiff": 1, "london": 0}
    if board == "britannia-4-5":
        expected["carlisle"] = 0
    assert (left(state), seen(state)["permits"]["bought"]) == (expected, False)


@rule("BRI-2")
def test_other_boards_have_no_permits() -> None:
    assert seen(table("hanse-4-5"))["permits"] is None


@BOARDS
@rule("BRI-2")
def test_a_permit_is_for_one_placement_each_turn(board: str) -> None:
    state = britannia(board, posts={"cardiff": ["0t"]})
    place(state, IN_WALES)
    assert placed_abroad(state) == set()
    assert left(state)["cardiff"] == 0
    assert events_of(state, "permit") == [{"event": "permit", "seat": 0, "city": "cardiff"}]


@BOARDS
@rule("BRI-2")
def test_a_displacement_spends_the_permit_as_well(board: str) -> None:
    state = britannia(board, posts={"cardiff": ["0t"]}, points={IN_WALES: ["1t", None, None]})
    play(
        state, do="displace", route=IN_WALES, tradesman="trader", pay={"traders": 1, "merchants": 0}
    )
    play(state, from_="displaced", route="chester--hereford")
    play(state, do="decline")
    assert (placed_abroad(state), given(state)) == (set(), ["cardiff"])


@rule("BRI-2")
def test_england_spends_no_permit() -> None:
    state = britannia(posts={"london": ["0t"]})
    place(state, IN_ENGLAND)
    assert (left(state)["london"], events_of(state, "permit")) == (1, [])


@rule("BRI-2")
def test_no_marker_renews_a_spent_permit() -> None:
    state = britannia(posts={"cardiff": ["0t"]}, markers={0: ["plus-4-actions"]})
    place(state, IN_WALES)
    play(state, do="use", marker="plus-4-actions")
    assert placed_abroad(state) == set()


@rule("BRI-2")
def test_a_permit_serves_an_action_from_a_marker_too() -> None:
    state = britannia(posts={"cardiff": ["0t"]}, actions=4, extra_actions=4)
    assert placed_abroad(state) == WALES


@rule("BRI-2")
def test_the_next_turn_has_its_permits_again() -> None:
    state = britannia("britannia-2-3", posts={"cardiff": ["0t"]})
    place(state, IN_WALES)
    for _ in range(3):
        end_turn(state)
    assert (asked(state), left(state)["cardiff"]) == (("turn", 0), 1)


@rule("BRI-2")
def test_a_permit_does_not_help_another_seat() -> None:
    state = britannia(posts={"cardiff": ["0t"], "london": ["0t"]})
    end_turn(state)
    assert (asked(state), placed_abroad(state)) == (("turn", 1), set())
    assert left(state) == {"cardiff": 0, "carlisle": 0, "london": 0}


# -- BRI-2: the rightmost post, at the moment of the action


@together(
    ("posts", "additional", "may"),
    [
        (["0t", "0t", "1t"], [], False),
        (["1t", "1t", "0t"], [], True),
        (["1t"], ["0t", "0t"], False),
        (["0t"], ["1t", "1t"], True),
    ],
)
@rule("BRI-2")
def test_the_rightmost_post_counts_and_not_the_most(
    posts: list[str], additional: list[str], may: bool
) -> None:
    state = britannia(posts={"cardiff": posts}, additional={"cardiff": additional})
    assert countries(state) == ({"Wales"} if may else set())


@BOARDS
@rule("BRI-2")
def test_a_post_won_this_turn_permits_at_once(board: str) -> None:
    state = britannia(
        board,
        posts={"cardiff": ["1t"]},
        points={"cardiff--coventry": ["0t", "0t", "0t"]},
        desk={0: {"privilege": 1}},
        supply={0: (2, 1)},
    )
    assert placed_abroad(state) == set()
    play(state, do="create", route="cardiff--coventry", reward={"post": "cardiff"})
    assert placed_abroad(state) == WALES


@rule("BRI-2")
def test_a_permit_is_lost_with_the_rightmost_post() -> None:
    state = britannia(posts={"cardiff": ["1t", "0t"]}, markers={0: ["exchange-posts"]})
    play(state, do="use", marker="exchange-posts", city="cardiff")
    assert (placed_abroad(state), left(state)["cardiff"]) == (set(), 0)


@rule("BRI-2")
def test_a_spent_permit_does_not_come_back_with_the_post() -> None:
    markers = {0: ["exchange-posts", "exchange-posts"]}
    state = britannia(posts={"cardiff": ["1t", "0t"]}, markers=markers)
    place(state, IN_WALES)
    for _ in range(2):
        play(state, do="use", marker="exchange-posts", city="cardiff")
    assert seen(state)["cities"]["cardiff"]["posts"][:2] == ["1t", "0t"]
    assert placed_abroad(state) == set()


@together("neutral", ["2009", "britannia"])
@together("city", ["cardiff", "london"])
@rule("BRI-2", "TWO-1")
def test_the_neutrals_permit_serves_nobody(neutral: str, city: str) -> None:
    state = britannia("britannia-2-3", players=2, neutral=neutral, posts={city: ["0t", "nt"]})
    assert (placed_abroad(state), left(state)[city]) == (set(), 0)
    end_turn(state)
    assert placed_abroad(state) == set()


# -- BRI-2: the narrowest permit first


@rule("BRI-2")
def test_in_wales_cardiff_is_spent_before_london() -> None:
    state = britannia(posts={"cardiff": ["0t"], "london": ["0t"]})
    place(state, IN_WALES)
    assert (given(state), countries(state)) == (["cardiff"], {"Wales", "Scotland"})
    place(state, IN_WALES)
    assert (given(state), countries(state)) == (["cardiff", "london"], set())


@rule("BRI-2")
def test_in_scotland_carlisle_is_spent_before_london() -> None:
    state = britannia(posts={"carlisle": ["0t"], "london": ["0t"]})
    place(state, IN_SCOTLAND)
    assert (given(state), countries(state)) == (["carlisle"], {"Wales", "Scotland"})
    place(state, IN_WALES)
    assert given(state) == ["carlisle", "london"]


@rule("BRI-2")
def test_london_in_scotland_leaves_cardiff_for_wales() -> None:
    state = britannia(posts={"cardiff": ["0t"], "london": ["0t"]})
    place(state, IN_SCOTLAND)
    assert (given(state), countries(state)) == (["london"], {"Wales"})


@rule("BRI-2")
def test_three_permits_are_three_actions_abroad() -> None:
    state = britannia(posts={"cardiff": ["0t"], "carlisle": ["0t"], "london": ["0t"]})
    for route in (IN_WALES, IN_SCOTLAND, IN_SCOTLAND):
        place(state, route)
    assert (given(state), countries(state)) == (["cardiff", "carlisle", "london"], set())


@rule("BRI-2")
def test_on_the_small_board_cardiff_and_london_are_two_actions_in_wales() -> None:
    state = britannia("britannia-2-3", posts={"cardiff": ["0t"], "london": ["0t"]})
    for _ in range(2):
        place(state, IN_WALES)
    assert (sorted(given(state)), placed_abroad(state)) == (["cardiff", "london"], set())
