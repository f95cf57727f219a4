"""The Gymnasium environment, by Gymnasium's own check and by ours."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray

import protocol
from referee.engine.ruleset import parse_name
from referee.errors import BotRefused, RulesRefused
from referee.rl import Kind, PolicyBot, SingleAgentEnv, house_bots
from referee.rl.single_agent import ID
from support.combinations import named, representative
from support.groups import each_of

SHORT = 12
MADE_BY_ID = f"referee.rl.single_agent:{ID}"


def first(row: NDArray[np.uint8], mask: NDArray[np.int8]) -> int:
    """Chooses the lowest legal number."""
    return int(mask.argmax())


def play(learner: SingleAgentEnv, seed: int | None = None) -> tuple[float, list[bytes]]:
    """Play a game in which the learner makes its highest legal choice; return its reward and rows."""
    seen, info = learner.reset(seed=seed)
    rows, reward, is_over = [seen["observation"].tobytes()], 0.0, False
    while not is_over:
        assert reward == 0
        assert seen in learner.observation_space
        mask: Any = info["action_mask"]
        legal = np.flatnonzero(mask)
        seen, reward, is_over, is_truncated, info = learner.step(legal[-1])
        rows.append(seen["observation"].tobytes())
        assert not is_truncated
    return reward, rows


@pytest.mark.filterwarnings("ignore:.*Not able to test alternative render modes")
@each_of(representative())
def test_it_passes_the_check_of_gymnasium(name: str) -> None:
    options: Any = parse_name(name)
    players = options.pop("players")
    check_env(SingleAgentEnv(players, [first], **options, max_turns=6))


def test_it_passes_the_check_when_it_is_made_by_its_id() -> None:
    learner = gymnasium.make(MADE_BY_ID, players=3, field=[first, "random"], max_turns=6)
    check_env(learner.unwrapped)


def test_the_same_seed_is_the_same_game_and_later_games_follow_from_it() -> None:
    def games() -> list[Any]:
        learner = SingleAgentEnv(3, [first, "random"], max_turns=SHORT)
        return [play(learner, seed) for seed in (7, None, None)]

    assert games() == games()
    assert games()[1] != games()[2]


def test_the_reward_comes_at_the_end_and_is_that_of_the_learner() -> None:
    learner = SingleAgentEnv(2, ["greedy"], seat=1, reward="prestige", max_turns=20)
    reward, _ = play(learner, seed=3)
    assert reward == learner._game.rewards()[1] < 0


def test_an_illegal_choice_ends_the_game_with_minus_1() -> None:
    learner = SingleAgentEnv(3, [first])
    seen, _ = learner.reset(seed=1)
    wrong = int(np.flatnonzero(seen["action_mask"] == 0)[0])
    assert learner.step(wrong)[1:4] == (-1.0, True, False)
    with pytest.raises(gymnasium.error.ResetNeeded):
        learner.step(wrong)


def test_the_masks_for_other_libraries_are_those_of_the_observation() -> None:
    learner = SingleAgentEnv(3, [first])
    seen, info = learner.reset(seed=1)
    assert learner.action_masks().dtype == bool
    assert (learner.action_masks() == seen["action_mask"]).all()
    assert info["action_mask"] is seen["action_mask"]


def test_a_position_can_be_drawn() -> None:
    learner = SingleAgentEnv(3, [first], render_mode="ansi")
    learner.reset(seed=1)
    assert "Hamburg" in str(learner.render())
    assert SingleAgentEnv(3, [first]).render() is None


# -- seats and the field


def test_the_learner_sits_in_its_seat_or_in_a_random_one() -> None:
    fixed, free = (SingleAgentEnv(3, [first], seat=seat, max_turns=6) for seat in (2, None))
    assert {fixed.reset(seed=seed)[1]["seat"] for seed in range(9)} == {2}
    assert {free.reset(seed=seed)[1]["seat"] for seed in range(20)} == {0, 1, 2}


class Counting:
    """A policy that knows how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, row: NDArray[np.uint8], mask: NDArray[np.int8]) -> int:
        self.asked += 1
        return int(mask.argmax())


def test_every_opponent_plays_once_before_any_plays_twice() -> None:
    pair = [Counting(), Counting()]
    learner = SingleAgentEnv(3, pair, max_turns=6)
    for seed in range(5):
        before = [one.asked for one in pair]
        play(learner, seed)
        assert all(one.asked > count for one, count in zip(pair, before, strict=True))


def test_of_a_large_field_other_opponents_play_in_other_games() -> None:
    field = [Counting() for _ in range(6)]
    learner = SingleAgentEnv(2, field, max_turns=4)
    for seed in range(30):
        play(learner, seed)
    assert all(one.asked for one in field)


def test_a_past_self_can_join_the_field() -> None:
    learner, past = SingleAgentEnv(2, [first], max_turns=4), Counting()
    play(learner, seed=1)
    learner.set_field([past])
    play(learner, seed=1)
    assert past.asked


@pytest.mark.parametrize("name", ["random", "merchant"])
def test_a_house_bot_plays_in_this_process(name: str) -> None:
    learner = SingleAgentEnv(2, [name], max_turns=4)
    assert play(learner, seed=2) == play(learner, seed=2)


def test_house_bots_are_the_bundled_bots_in_python() -> None:
    assert house_bots() == [
        "blocker",
        "builder",
        "greedy",
        "merchant",
        "navigator",
        "navigator-1",
        "random",
        "random-python",
        "rusher",
        "trader",
    ]


class Noting(protocol.Bot):
    """A bot of the SDK that notes what it is told."""

    events_of: list[int]

    def start(self, game: protocol.Game) -> None:
        self.events_of = []

    def events(self, events: Any) -> None:
        self.events_of.append(len(events))

    def decide(self, request: protocol.Request) -> int:
        assert self.game.seat == self.seat == request.state["active"]  # type: ignore[index]
        assert sum(self.events_of) > 0
        return 0


def test_a_bot_of_the_sdk_gets_the_messages_of_a_match() -> None:
    play(SingleAgentEnv(3, [Noting()], max_turns=4), seed=1)


def test_a_function_of_view_and_choices_can_be_an_opponent() -> None:
    asked = []

    def last(view: protocol.View, choices: Any) -> int:
        asked.append(view["id"])
        return len(choices) - 1

    play(SingleAgentEnv(2, [protocol.FunctionBot(last)], max_turns=4), seed=1)
    assert asked


def test_a_policy_bot_can_be_an_opponent_in_its_kind_of_game() -> None:
    bot = PolicyBot(Kind(*named("hanse-2-3:3:bigbox")), first)
    play(SingleAgentEnv(3, [bot], max_turns=4), seed=1)
    with pytest.raises(BotRefused, match="the policy policy is for rows of 1967 and 2727 actions"):
        SingleAgentEnv(4, [bot])


class Failing(protocol.Bot):
    """A bot that raises an exception at its first decision."""

    def decide(self, request: protocol.Request) -> int:
        raise KeyError("no plan")


def test_an_opponent_that_fails_is_named_with_its_reason() -> None:
    learner = SingleAgentEnv(2, [Failing()], seat=1)
    with pytest.raises(BotRefused, match="the opponent Failing raised KeyError: 'no plan'"):
        learner.reset(seed=1)


class Unready(protocol.Bot):
    """A bot that raises an exception when its game starts."""

    def start(self, game: protocol.Game) -> None:
        raise KeyError("no board")


def test_an_opponent_that_fails_at_the_start_is_named_with_its_reason() -> None:
    with pytest.raises(BotRefused, match="the opponent Unready raised KeyError: 'no board'"):
        SingleAgentEnv(2, [Unready()], seat=1).reset(seed=1)


@pytest.mark.parametrize(
    ("field", "why"),
    [
        ([], "the field is empty"),
        ("random", "must be a list of opponents, not the text 'random'"),
        (["gredy"], "'gredy' is not a bundled bot in Python: did you mean 'greedy'"),
        (["random-c"], "'random-c' is not a bundled bot in Python"),
        ([3], "3 is not an opponent"),
        ([Noting], "is not an opponent"),
    ],
)
def test_what_cannot_be_an_opponent_is_refused(field: Any, why: str) -> None:
    with pytest.raises(BotRefused, match=why):
        SingleAgentEnv(3, field)


def test_a_game_must_be_long_enough_for_a_turn_of_every_seat() -> None:
    with pytest.raises(RulesRefused, match="max_turns is 3, but must be at least 4"):
        SingleAgentEnv(4, [first], max_turns=3)


def test_a_seat_that_does_not_exist_is_refused() -> None:
    with pytest.raises(RulesRefused, match="there is no seat 3: the seats are 0 to 2"):
        SingleAgentEnv(3, [first], seat=3)
