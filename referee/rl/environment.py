"""The game as a PettingZoo environment: each seat is an agent that sees a row and chooses a number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Unpack

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from referee.options import GameKeywords, load_game, options_from
from referee.random_play import SEEDS, draw_seed
from referee.rl.game import Kind, NumberedGame, Reward
from referee.rl.seen import (
    DEFAULT_PLAYERS,
    ILLEGAL_REWARD,
    VERSION,
    Seen,
    action_space,
    agent_names,
    drawn,
    observation_space,
    seen_by,
)


def env(
    players: int = DEFAULT_PLAYERS,
    *,
    reward: Reward = "rank",
    render_mode: str | None = None,
    **options: Unpack[GameKeywords],
) -> AECEnv:
    """Return the environment with PettingZoo's standard wrappers.

    They check the order of calls and the bounds of actions, and an illegal choice ends the game
    with -1 for the agent that made it. `reward` is "rank" or "prestige", and `render_mode` is None
    or "ansi". The other options are those of `referee.Game`. Raises RefereeError if they do not fit
    together.
    """
    raw = raw_env(players, reward=reward, render_mode=render_mode, **options)
    guarded = wrappers.TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(guarded))


class raw_env(AECEnv):  # noqa: N801  PettingZoo's name for it
    """The environment without wrappers; the arguments are those of `env`.

    A choice that is not legal raises ChoiceRefused and changes nothing.
    """

    metadata: ClassVar[dict[str, str | bool | list[str]]] = {
        "name": f"hansa_teutonica_v{VERSION}",
        "is_parallelizable": False,
        "render_modes": ["ansi"],
    }

    def __init__(
        self,
        players: int = DEFAULT_PLAYERS,
        *,
        reward: Reward = "rank",
        render_mode: str | None = None,
        **options: Unpack[GameKeywords],
    ) -> None:
        super().__init__()
        self.render_mode = render_mode
        self.kind = Kind(*load_game(options_from(options), players), reward)
        self._game = NumberedGame(self.kind)
        self._rng = np.random.default_rng(draw_seed())
        self.possible_agents: list[str] = agent_names(self.kind)
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces: dict[str, spaces.Discrete] = {
            agent: action_space(self.kind) for agent in self.possible_agents
        }
        self.observation_spaces: dict[str, spaces.Dict] = {
            agent: observation_space(self.kind) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of observations: a row, and the mask of legal choices."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of actions: the numbers of all possible choices."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, object] | None = None) -> None:  # noqa: ARG002
        """Begin the game that `referee play --seed` plays with this seed; without a seed, draw one."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        drawn = int(self._rng.integers(SEEDS)) if seed is None else seed
        self._game.begin(drawn)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, object]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self._game.seat]

    def observe(self, agent: str) -> Seen:
        """Return what the agent sees now: its row, and its mask of legal choices."""
        return seen_by(self._game, self._seat_of[agent])

    def step(self, action: int | None) -> None:
        """Make the choice of the selected agent; `action` must be None if that agent has terminated."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None, "an agent in play must choose"
        self._game.step(int(action))
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.agent_selection = self.possible_agents[self._game.seat]
        if self._game.is_over:
            self.rewards = dict(zip(self.agents, self._game.rewards(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()

    def render(self) -> str | None:
        """Return the board as text if `render_mode` is "ansi", else None."""
        return None if self.render_mode is None else drawn(self._game, self._game.seat)

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""
