"""A turn: actions, bonus markers between them, and what happens at its end (TURN-1 to TURN-3)."""

from referee.engine import game
from referee.engine.state import GameState
from support.groups import together
from support.rule_marker import rule
from support.table import about, asked, end_turn, events_of, offers, play, player, seen, table

BOARDS = ["hanse-4-5", "hanse-2-3", "east", "britannia-4-5", "britannia-2-3"]
ACTIONS = ["income", "place", "displace", "move", "create"]
TAVERN = "goslar--hildesheim"


def everything_possible(**more: object) -> GameState:
    """A position where seat 0 may take each of the five actions, and again after any of them."""
    points = {
        "bremen--minden": ["0t", "0t", "0t"],
        "hannover--minden": ["0t", "0t", "0t"],
        "hamburg--luebeck": ["1t", "1t", "1t"],
        "kampen--osnabrueck": ["0t", "1t"],
    }
    desk = {0: {"keys": 4, "book": 3}}
    given = {"points": points, "supply": {0: (5, 1)}, "stock": {0: (5, 0)}, "desk": desk} | more
    return table("hanse-4-5", **given)  # type: ignore[arg-type]


def take(state: GameState, action: str) -> None:
    """Make any choice of this action, and finish the action."""
    first = offers(state, do=action)[0]
    play(state, **first)
    while asked(state) != ("turn", 0):
        kinds = [choice["do"] for choice in offers(state)]
        stop = next((do for do in ("stop", "decline") if do in kinds), None)
        game.apply(state, kinds.index(stop) if stop else 0)


def actions_on_offer(state: GameState) -> set[str]:
    return {choice["do"] for choice in offers(state)} & set(ACTIONS)


def left(state: GameState) -> int:
    count: int = seen(state)["actions_left"]
    return count


# --- Actions -------------------------------------------------------------------------------


@rule("TURN-1")
def test_all_five_actions_are_offered() -> None:
    assert actions_on_offer(everything_possible()) == set(ACTIONS)


@rule("TURN-1")
@together("action", ACTIONS)
def test_after_any_action_all_five_are_offered_again(action: str) -> None:
    state = everything_possible(actions=5)
    take(state, action)
    assert actions_on_offer(state) == set(ACTIONS)


@rule("TURN-1")
@together("action", ACTIONS)
def test_an_action_counts_when_it_is_chosen(action: str) -> None:
    state = everything_possible(actions=2)
    play(state, **offers(state, do=action)[0])
    assert left(state) == 1
    assert events_of(state)[0] == {"event": "action", "seat": 0, "do": action, "left": 1}


@rule("TURN-1")
@together("action", ACTIONS)
def test_without_an_action_left_none_is_offered(action: str) -> None:
    state = everything_possible(actions=1, markers={0: ["plus-3-actions"]})
    take(state, action)
    assert actions_on_offer(state) == set()


@rule("TURN-1")
@together("actions", [0, 1, 2, 5])
def test_a_player_may_stop_at_any_time(actions: int) -> None:
    state = everything_possible(actions=actions)
    end_turn(state)
    assert asked(state) == ("turn", 1)


@rule("TURN-1")
def test_ending_the_turn_is_not_an_action() -> None:
    state = everything_possible()
    end_turn(state)
    assert events_of(state, "action") == []


@rule("TURN-1")
def test_the_favour_tile_gives_one_more_action() -> None:
    state = table(active=3, favours={0: ["extra-action"]}, display=["levy"])
    end_turn(state)
    assert left(state) == 3


@rule("TURN-1")
def test_a_displacement_is_finished_before_the_next_action() -> None:
    state = everything_possible()
    play(state, **offers(state, do="displace")[0])
    assert asked(state) == ("relocate", 1)
    assert {choice["do"] for choice in offers(state)} == {"relocate"}


@rule("TURN-1")
def test_a_move_is_finished_before_the_next_action() -> None:
    state = everything_possible(markers={0: ["plus-3-actions"]})
    play(state, do="move")
    assert {choice["do"] for choice in offers(state)} == {"lift"}
    play(state, **offers(state)[0])
    assert {choice["do"] for choice in offers(state)} == {"lift", "stop"}
    play(state, do="stop")
    assert {choice["do"] for choice in offers(state)} == {"put"}


@rule("TURN-1")
def test_a_turn_is_fresh_until_something_is_done() -> None:
    state = everything_possible()
    assert seen(state)["fresh"] is True
    take(state, "income")
    assert seen(state)["fresh"] is False


@rule("TURN-1")
def test_the_last_action_ends_the_turn_if_nothing_else_is_offered() -> None:
    state = everything_possible(actions=1)
    take(state, "income")
    assert offers(state) == [{"do": "end-turn"}]
    game.settle(state)
    assert asked(state) == ("turn", 1)


# --- Bonus markers between actions ---------------------------------------------------------


@rule("TURN-2")
@together("before", [0, 1, 2])
def test_a_marker_may_be_used_before_between_and_after_the_actions(before: int) -> None:
    state = everything_possible(actions=2, markers={0: ["plus-3-actions"]})
    for _ in range(before):
        take(state, "income")
    play(state, do="use", marker="plus-3-actions")
    assert left(state) == 2 - before + 3


@rule("TURN-2")
@together("ability", ["keys", "privilege", "book", "bank"])
def test_a_marker_costs_no_action(ability: str) -> None:
    state = table(markers={0: ["develop-ability"]}, actions=1)
    play(state, do="use", marker="develop-ability", ability=ability)
    assert left(state) == 1
    assert events_of(state, "action") == []


@rule("TURN-2")
def test_any_number_of_markers_may_be_used() -> None:
    names = ["plus-3-actions", "plus-3-actions", "plus-4-actions", "plus-4-actions"]
    state = table(markers={0: names}, actions=2)
    for name in names:
        play(state, do="use", marker=name)
    assert left(state) == 2 + 3 + 3 + 4 + 4


@rule("TURN-2")
def test_a_used_marker_is_kept_and_not_used_again() -> None:
    state = table(markers={0: ["plus-3-actions"]})
    play(state, do="use", marker="plus-3-actions")
    assert (player(state, 0)["markers"], player(state, 0)["used_markers"]) == (
        [],
        ["plus-3-actions"],
    )
    assert offers(state, do="use") == []


@rule("TURN-2")
def test_a_used_marker_emits_an_event() -> None:
    state = table(markers={0: ["plus-4-actions"]})
    play(state, do="use", marker="plus-4-actions")
    assert events_of(state) == [
        {"event": "marker-used", "seat": 0, "marker": "plus-4-actions"},
        {"event": "actions-gained", "seat": 0, "actions": 4, "why": "plus-4-actions"},
    ]


@rule("TURN-2")
def test_a_turn_is_not_fresh_after_using_a_marker() -> None:
    state = table(markers={0: ["plus-3-actions"]})
    play(state, do="use", marker="plus-3-actions")
    assert seen(state)["fresh"] is False


@rule("TURN-2")
def test_markers_face_down_and_those_of_others_are_not_usable() -> None:
    name = ["plus-3-actions"]
    state = table(markers={1: name}, used={0: name}, plates={0: name})
    assert offers(state, do="use") == []


@rule("TURN-2")
def test_a_marker_is_not_used_in_another_players_turn() -> None:
    state = everything_possible(markers={1: ["plus-3-actions"]})
    play(state, **offers(state, do="displace")[0])
    assert {choice["do"] for choice in offers(state)} == {"relocate"}


@rule("TURN-2")
def test_a_marker_waits_for_the_end_of_the_action_that_won_it() -> None:
    state = table(
        points={TAVERN: ["0t", "0t", "0t"]},
        posts={"goslar": ["1t"], "hildesheim": ["1t"]},
        route_markers={TAVERN: "additional-post"},
        supply={0: (0, 0)},
    )
    rewards = [choice["reward"] or {} for choice in offers(state, do="create")]
    assert [reward for reward in rewards if "additional" in reward] == []


@rule("TURN-2")
def test_a_marker_is_usable_right_after_the_action_that_won_it() -> None:
    state = table(
        points={TAVERN: ["0t", "0t", "0t"]},
        route_markers={TAVERN: "plus-3-actions"},
        actions=1,
    )
    play(state, do="create", route=TAVERN, reward=None)
    play(state, do="use", marker="plus-3-actions")
    assert left(state) == 3


@rule("TURN-2")
def test_an_additional_post_can_be_used_in_the_next_creation() -> None:
    state = table(
        points={TAVERN: ["0t", "0t", "0t"], "goslar--magdeburg": ["0t", "0t"]},
        posts={"goslar": ["1t"]},
        route_markers={TAVERN: "additional-post"},
        supply={0: (0, 0)},
    )
    play(state, do="create", route=TAVERN, reward=None)
    rewards = [choice["reward"] or {} for choice in offers(state, do="create")]
    assert [one["additional"] for one in rewards if "additional" in one] == ["goslar"]


# --- The end of the turn -------------------------------------------------------------------


@rule("TURN-3")
@together("board", BOARDS)
def test_the_next_player_clockwise_follows(board: str) -> None:
    state = table(board)
    players = len(seen(state)["players"])
    for turn in range(1, players + 1):
        end_turn(state)
        assert asked(state) == ("turn", turn % players)
        assert seen(state)["turn"] == turn + 1


@rule("TURN-3")
def test_the_turn_event_contains_the_number_of_actions() -> None:
    state = table(turn=9, desk={1: {"actions": 3}})
    end_turn(state)
    assert events_of(state) == [{"event": "turn", "turn": 10, "seat": 1, "actions": 4}]


@rule("TURN-3")
def test_actions_that_are_left_are_lost() -> None:
    state = table(actions=5, extra_actions=3)
    end_turn(state)
    now = seen(state)
    assert (now["actions_left"], now["extra_actions"], now["fresh"]) == (2, 0, True)


@rule("TURN-3")
def test_drawn_markers_are_placed_when_the_player_stops() -> None:
    state = table(plates={0: ["plus-3-actions"]})
    play(state, do="end-turn")
    assert asked(state) == ("place-marker", 0)
    assert seen(state)["actions_left"] == 0


@rule("TURN-3")
def test_a_marker_drawn_this_turn_stays_face_down_until_its_end() -> None:
    state = table(
        points={TAVERN: ["0t", "0t", "0t"]},
        route_markers={TAVERN: "move-3"},
        draws=["plus-4-actions", "exchange-posts"],
        actions=2,
    )
    play(state, do="create", route=TAVERN, reward=None)
    assert (asked(state), player(state, 0)["plate"]) == (("turn", 0), 1)
    assert "plus-4-actions" not in repr([seen(state, 0), offers(state), events_of(state)])


@rule("TURN-3")
def test_extra_actions_come_before_the_placing() -> None:
    state = table(plates={0: ["exchange-posts"]}, markers={0: ["plus-3-actions"]}, actions=0)
    play(state, do="use", marker="plus-3-actions")
    assert asked(state) == ("turn", 0)
    assert actions_on_offer(state) >= {"income", "place"}


@rule("TURN-3")
def test_the_player_chooses_the_order_of_the_placing() -> None:
    state = table(plates={0: ["exchange-posts", "plus-4-actions"]})
    play(state, do="end-turn")
    names = {choice["marker"] for choice in offers(state, do="place-marker")}
    assert names == {"exchange-posts", "plus-4-actions"}


@rule("TURN-3")
@together("first", [0, 1])
def test_every_drawn_marker_is_placed_before_the_next_turn(first: int) -> None:
    names = ["exchange-posts", "plus-4-actions"]
    state = table(plates={0: names})
    play(state, do="end-turn")
    play(state, do="place-marker", marker=names[first], route="hamburg--luebeck")
    assert asked(state) == ("place-marker", 0)
    play(state, do="place-marker", marker=names[1 - first], route="hamburg--stade")
    assert asked(state) == ("turn", 1)


@rule("TURN-3")
def test_the_marker_placed_event_comes_before_the_next_turn() -> None:
    state = table(plates={0: ["exchange-posts"]})
    play(state, do="end-turn")
    play(state, do="place-marker", route="hamburg--luebeck")
    placed, turn = events_of(state)
    marker = {"seat": 0, "route": "hamburg--luebeck", "marker": "exchange-posts"}
    assert placed == {"event": "marker-placed", **marker}
    assert turn["event"] == "turn"


@rule("TURN-3")
def test_each_request_contains_how_many_markers_are_left_to_place() -> None:
    state = table(plates={0: ["exchange-posts", "plus-4-actions"]})
    play(state, do="end-turn")
    assert about(state)["left"] == 2
    play(state, do="place-marker", marker="exchange-posts", route="hamburg--luebeck")
    assert about(state)["left"] == 1
    assert player(state, 0)["plate"] == 1


@rule("TURN-3")
def test_what_another_player_has_drawn_is_not_placed_now() -> None:
    state = table(plates={1: ["exchange-posts"]})
    end_turn(state)
    assert asked(state) == ("turn", 1)


@rule("TURN-3")
def test_drawn_markers_are_looked_at_by_their_player_only() -> None:
    state = table(plates={0: ["exchange-posts", "plus-4-actions"]})
    play(state, do="end-turn")
    assert "plus-4-actions" in repr([about(state), offers(state)])
    assert [seat for seat in (1, 2, 3) if "plus-4-actions" in repr(seen(state, seat))] == []
    assert "plus-4-actions" not in repr(events_of(state))
