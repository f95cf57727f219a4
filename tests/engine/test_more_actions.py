"""Raising Actions: one more action at once (TURN-4)."""

from referee.engine import game
from referee.engine.state import GameState
from support.groups import together
from support.rule_marker import rule
from support.table import asked, end_turn, events_of, offers, play, seen, table

GOETTINGEN = "goettingen--quedlinburg"  # Actions are developed there


def left(state: GameState) -> int:
    count: int = seen(state)["actions_left"]
    return count


@rule("TURN-4")
@together(("steps", "gain"), [(0, 1), (1, 0), (2, 1), (3, 0), (4, 1)])
def test_a_bonus_marker_that_raises_actions_gives_one_more_too(steps: int, gain: int) -> None:
    state = table(markers={0: ["develop-ability"]}, desk={0: {"actions": steps}}, actions=2)
    play(state, do="use", marker="develop-ability", ability="actions")
    assert left(state) == 2 + gain


@rule("TURN-4")
def test_raising_actions_with_the_last_action_prolongs_the_turn() -> None:
    state = table(points={GOETTINGEN: ["0t", "0t", "0t"]}, actions=1)
    play(state, do="create", route=GOETTINGEN, reward={"develop": "actions"})
    game.settle(state)
    assert (asked(state), left(state)) == (("turn", 0), 1)
    assert offers(state, do="income") != []


@rule("TURN-4")
def test_raising_actions_after_the_last_action_prolongs_the_turn() -> None:
    state = table(markers={0: ["develop-ability"]}, actions=0)
    play(state, do="use", marker="develop-ability", ability="actions")
    assert offers(state, do="income") != []


@rule("TURN-4")
def test_a_gained_action_emits_an_event() -> None:
    state = table(markers={0: ["develop-ability"]}, actions=1)
    play(state, do="use", marker="develop-ability", ability="actions")
    assert [one["event"] for one in events_of(state)] == [
        "marker-used",
        "developed",
        "actions-gained",
    ]
    assert events_of(state)[-1] == {
        "event": "actions-gained",
        "seat": 0,
        "actions": 1,
        "why": "actions",
    }


@rule("TURN-4")
def test_without_a_gained_action_there_is_no_event() -> None:
    state = table(markers={0: ["develop-ability"]}, desk={0: {"actions": 1}})
    play(state, do="use", marker="develop-ability", ability="actions")
    assert events_of(state, "actions-gained") == []


@rule("TURN-4")
def test_the_action_gained_is_one_of_the_turns_own() -> None:
    state = table(markers={0: ["develop-ability"]}, actions=4, extra_actions=3)
    play(state, do="use", marker="develop-ability", ability="actions")
    assert (left(state), seen(state)["extra_actions"]) == (5, 3)


@rule("TURN-4")
@together("ability", ["keys", "privilege", "book", "bank"])
def test_other_abilities_give_no_action(ability: str) -> None:
    state = table(markers={0: ["develop-ability"]}, actions=2)
    play(state, do="use", marker="develop-ability", ability=ability)
    assert left(state) == 2


@rule("TURN-4")
def test_the_raised_value_holds_from_the_next_turn_on() -> None:
    state = table(markers={0: ["develop-ability"]}, actions=1)
    play(state, do="use", marker="develop-ability", ability="actions")
    for _ in range(4):
        end_turn(state)
    assert (asked(state), left(state)) == (("turn", 0), 3)


@rule("TURN-4")
@together(
    ("board", "route"),
    [
        ("hanse-2-3", GOETTINGEN),
        ("hanse-4-5", "goettingen--warburg"),
        ("east", "waren--wismar"),
        ("britannia-4-5", "chester--conway"),
        ("britannia-2-3", "chester--conway"),
    ],
)
def test_every_board_has_a_city_that_raises_actions(board: str, route: str) -> None:
    state = table(board, points={route: ["0t", "0t", "0t"]}, actions=1)
    play(state, do="create", route=route, reward={"develop": "actions"})
    assert left(state) == 1
