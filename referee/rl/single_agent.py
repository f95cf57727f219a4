"""The game as a Gymnasium environment: one seat learns, and a field of opponents plays the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, TypeAlias, Unpack

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from referee.errors import RulesRefused
from referee.options import GameKeywords, load_game, options_from
from referee.random_play import SEEDS
from referee.rl.game import Kind, NumberedGame, Reward
from referee.rl.opponents import Field, Opponent, Seated
from referee.rl.seen import (
    DEFAULT_PLAYERS,
    ILLEGAL_REWARD,
    VERSION,
    Seen,
    action_space,
    drawn,
    observation_space,
    seen_by,
)

ID: Final = f"hansa_teutonica-v{VERSION}"
Info: TypeAlias = dict[str, object]


class SingleAgentEnv(gymnasium.Env[Seen, np.int64]):
    """A learner's seat; `field` plays all other seats in this process.

    In each game the opponents are drawn from the field: each takes part once before any takes part
    twice. `seat` is the learner's seat; None draws one for each game. The other arguments are those
    of `referee.rl.env`. Raises RefereeError if the options do not fit together, or an opponent is
    not valid.
    """

    metadata: ClassVar[dict[str, object]] = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(
        self,
        players: int = DEFAULT_PLAYERS,
        field: Sequence[Opponent] = ("random",),
        *,
        seat: int | None = None,
        reward: Reward = "rank",
        render_mode: str | None = None,
        **options: Unpack[GameKeywords],
    ) -> None:
        self.kind = Kind(*load_game(options_from(options), players), reward)
        if seat is not None and not 0 <= seat < players:
            raise RulesRefused(f"there is no seat {seat}: the seats are 0 to {players - 1}")
        if 0 < self.kind.rules.max_turns < players:
            raise RulesRefused(
                f"max_turns is {self.kind.rules.max_turns}, but must be at least {players}, so that"
                " every seat has a turn"
            )
        self.render_mode = render_mode
        self.observation_space: spaces.Dict = observation_space(self.kind)
        self.action_space: spaces.Discrete = action_space(self.kind)
        self.seat: int = 0 if seat is None else seat  # the learner's, in this game
        self._given_seat = seat
        self._game = NumberedGame(self.kind)
        self._others: dict[int, Seated] = {}
        self._is_over = True
        self.set_field(field)

    def set_field(self, field: Sequence[Opponent]) -> None:
        """Replace the field from the next game on, for example to add a past self."""
        self._field = Field(field, self.kind)

    def reset(
        self,
        *,
        seed: int | None = None,
        options: Mapping[str, object] | None = None,  # noqa: ARG002  Gymnasium's
    ) -> tuple[Seen, Info]:
        """Begin a game, and play on to the learner's first decision.

        With a seed, it is the game that `referee play --seed` plays; without one, a seed is drawn.
        """
        super().reset(seed=seed)
        rng = self.np_random
        game_seed = int(rng.integers(SEEDS)) if seed is None else seed
        players = self.kind.rules.players
        self.seat = int(rng.integers(players)) if self._given_seat is None else self._given_seat
        others = [seat for seat in range(players) if seat != self.seat]
        self._game.begin(game_seed, events=self._field.has_bots)
        self._others = dict(zip(others, self._field.draw(len(others), rng), strict=True))
        for seat, opponent in self._others.items():
            opponent.begin(self._game, seat, f"seed-{game_seed}")
        self._is_over = False
        self._play_others()
        return self._seen()

    def step(self, action: int | np.int64) -> tuple[Seen, float, bool, bool, Info]:
        """Make the learner's choice, and play on to its next decision or to the end of the game.

        An illegal choice ends the game with -1, as in `referee.rl.env`.
        """
        if self._is_over:
            raise gymnasium.error.ResetNeeded("the game is over: call reset()")
        if int(action) not in self._game.legal:
            self._is_over = True
            seen, info = self._seen()
            return seen, ILLEGAL_REWARD, True, False, info
        self._game.step(int(action))
        self._play_others()
        seen, info = self._seen()
        reward = float(self._game.rewards()[self.seat])
        return seen, reward, self._is_over, False, info

    def _play_others(self) -> None:
        game = self._game
        while not game.is_over and game.seat != self.seat:
            self._others[game.seat].play(game)
        self._is_over = game.is_over

    def _seen(self) -> tuple[Seen, Info]:
        seen = seen_by(self._game, self.seat)
        return seen, {"action_mask": seen["action_mask"], "seat": self.seat}

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of legal choices; sb3-contrib's algorithms call this."""
        mask: NDArray[np.bool_] = seen_by(self._game, self.seat)["action_mask"].view(bool)
        return mask

    def render(self) -> str | None:
        """Return the board as text if `render_mode` is "ansi", else None."""
        return None if self.render_mode is None else drawn(self._game, self.seat)


gymnasium.register(ID, entry_point=f"{__name__}:{SingleAgentEnv.__name__}")
