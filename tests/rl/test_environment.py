"""The PettingZoo environment, by PettingZoo's own checks and by ours."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, performance_benchmark, seed_test

from referee.engine.errors import ChoiceRefused
from referee.engine.ruleset import parse_name
from referee.errors import RulesRefused
from referee.options import GameOptions, load_game
from referee.rl import Kind, NumberedGame, env, raw_env
from support.combinations import representative
from support.groups import each_of

# PettingZoo says so of every environment with a mask that is none of its own.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
]

SHORT = 20
SHORTEST = 6

every_variant = each_of(representative())


def options_of(name: str) -> Any:
    return {**parse_name(name), "max_turns": SHORTEST}


def play(table: Any, seed: int, steps: int | None = None) -> list[tuple[str, int]]:
    """Play at random. Returns who chose what."""
    chance, chosen = np.random.default_rng(seed), []
    table.reset(seed=seed)
    for agent in table.agent_iter():
        seen, _, terminated, truncated, _ = table.last()
        if terminated or truncated:
            table.step(None)
            continue
        chosen.append((agent, int(chance.choice(np.flatnonzero(seen["action_mask"])))))
        table.step(chosen[-1][1])
        if steps is not None and len(chosen) >= steps:
            break
    return chosen


@every_variant
def test_it_passes_the_test_of_the_api(name: str) -> None:
    api_test(env(**options_of(name)), num_cycles=40)


@every_variant
def test_it_passes_the_test_of_seeds(name: str) -> None:
    seed_test(lambda: raw_env(**options_of(name)), num_cycles=8)


def test_without_wrappers_it_passes_the_test_of_the_api(capsys: pytest.CaptureFixture[str]) -> None:
    api_test(raw_env(3, max_turns=SHORT), num_cycles=200)
    assert "Passed API test" in capsys.readouterr().out


def test_the_performance_benchmark_of_pettingzoo_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter(range(0, 10_000, 2))  # it looks at the time after each turn, for five seconds
    monkeypatch.setattr("time.time", lambda: next(clock))
    performance_benchmark(raw_env(3, max_turns=SHORT))
    assert "Finished performance benchmark" in capsys.readouterr().out


def test_the_metadata_of_the_environment() -> None:
    table = env(3)
    assert table.metadata["name"] == "hansa_teutonica_v2"
    assert table.metadata["is_parallelizable"] is False
    assert table.possible_agents == ["seat_0", "seat_1", "seat_2"]


def test_a_seed_is_the_seed_of_a_game() -> None:
    table, same = (
        raw_env(3, max_turns=SHORT),
        NumberedGame(Kind(*load_game(GameOptions(max_turns=SHORT), 3))),
    )
    table.reset(seed=77)
    same.begin(77)
    assert table.observe("seat_0")["observation"].tobytes() == bytes(same.row(0))


def test_without_a_seed_games_differ_but_follow_from_the_last_seed() -> None:
    def two_games(seed: int) -> list[bytes]:
        table = raw_env(3, missions=True, max_turns=SHORT)
        table.reset(seed=seed)
        seen = []
        for _ in range(2):
            table.reset()
            seen.append(table.observe("seat_0")["observation"].tobytes())
        return seen

    assert two_games(5) == two_games(5)
    assert two_games(5)[0] != two_games(5)[1]


def test_the_same_seed_and_choices_are_the_same_game() -> None:
    one, other = env(4, max_turns=SHORT), env(4, max_turns=SHORT)
    assert play(one, 9) == play(other, 9)


def test_rewards_come_at_the_end_and_go_to_everybody() -> None:
    table = raw_env(3, max_turns=SHORT)
    table.reset(seed=3)
    totals = dict.fromkeys(table.agents, 0.0)
    chance = np.random.default_rng(3)
    for agent in table.agent_iter():
        seen, reward, terminated, _, _ = table.last()
        totals[agent] += reward
        assert terminated or reward == 0
        legal = np.flatnonzero(seen["action_mask"])
        table.step(None if terminated else int(chance.choice(legal)))
    assert list(totals.values()) == table._game.rewards()
    assert abs(sum(totals.values())) < 1e-9


def test_rewards_can_be_the_lead_in_prestige() -> None:
    table = raw_env(2, reward="prestige", max_turns=60)
    play(table, 2)
    totals = [standing.total for standing in standings(table)]
    assert table._game.rewards() == [totals[0] - totals[1], totals[1] - totals[0]]


def standings(table: Any) -> Any:
    from referee.engine import game

    return game.standings(table._game.state)


def test_an_agent_that_is_not_asked_has_nothing_to_choose() -> None:
    table = raw_env(3)
    table.reset(seed=1)
    assert table.agent_selection == "seat_0"
    assert not table.observe("seat_1")["action_mask"].any()


def test_an_illegal_choice_ends_the_game_in_env_and_is_refused_in_raw_env() -> None:
    raw, guarded = raw_env(3), env(3)
    for table in (raw, guarded):
        table.reset(seed=1)
    wrong = int(np.flatnonzero(raw.observe("seat_0")["action_mask"] == 0)[0])
    with pytest.raises(ChoiceRefused):
        raw.step(wrong)
    guarded.step(wrong)
    assert guarded.rewards["seat_0"] == -1
    assert all(guarded.terminations.values())


def test_a_position_can_be_drawn() -> None:
    table = raw_env(3, render_mode="ansi")
    table.reset(seed=1)
    assert "Hamburg" in str(table.render())
    assert raw_env(3).render() is None


def test_options_that_are_not_allowed_are_refused() -> None:
    with pytest.raises(RulesRefused, match="no mission cards"):
        env(3, board="east", missions=True)
    with pytest.raises(TypeError, match="did you mean 'missions'"):
        env(3, mission=True)  # type: ignore[call-arg]


def test_an_environment_can_be_copied_in_the_middle_of_a_game() -> None:
    table = raw_env(3, max_turns=SHORT)
    play(table, 4, steps=5)
    twin = deepcopy(table)
    seen, same = table.last()[0], twin.last()[0]
    assert (seen["observation"] == same["observation"]).all()
    twin.step(int(np.flatnonzero(same["action_mask"])[-1]))
    assert (table.last()[0]["observation"] == seen["observation"]).all()


def test_rows_and_masks_can_be_written_to() -> None:
    """An array that a learner makes from them without a copy must not be read-only."""
    table = raw_env(3)
    table.reset(seed=1)
    seen = table.observe("seat_0")
    assert seen["observation"].flags.writeable
    assert seen["action_mask"].flags.writeable
