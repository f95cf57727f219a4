"""What the environments of PettingZoo and Gymnasium share: observations, spaces and pictures."""

from __future__ import annotations

from typing import Final, TypedDict, cast

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from protocol.words import State
from referee.engine import view
from referee.rl.game import Kind, NumberedGame
from referee.rl.observation import LARGEST

DEFAULT_PLAYERS: Final = 4
ILLEGAL_REWARD: Final = -1.0
VERSION: Final = (
    2  # rises when rows or numbers change, so that a trained policy does not fit any more
)


class Seen(TypedDict):
    """What an agent sees: its row, and 1 for each legal choice."""

    observation: NDArray[np.uint8]
    action_mask: NDArray[np.int8]


def observation_space(kind: Kind) -> spaces.Dict:
    """Return the space of observations: a row, and the mask of legal choices."""
    row = spaces.Box(0, LARGEST, (kind.row_size,), np.uint8)
    mask = spaces.Box(0, 1, (kind.numbering.size,), np.int8)
    return spaces.Dict({"observation": row, "action_mask": mask})


def action_space(kind: Kind) -> spaces.Discrete:
    """Return the space of actions: the numbers of all possible choices."""
    return spaces.Discrete(kind.numbering.size)


def seen_by(game: NumberedGame, seat: int) -> Seen:
    """Return what a seat sees now: its row, and its mask of legal choices."""
    return {
        "observation": np.frombuffer(game.row(seat), np.uint8),
        "action_mask": np.frombuffer(game.mask(seat), np.int8),
    }


def drawn(game: NumberedGame, seat: int) -> str:
    """Return the board as text, as a seat sees it."""
    from referee.terminal.board.plain_text import position_text  # noqa: PLC0415  rich is slow to import

    seen = cast("State", view.see(game.state, seat))
    names = agent_names(game.kind)
    return position_text(game.kind.board.words, seen, names)


def agent_names(kind: Kind) -> list[str]:
    """Return the names of the agents, by seat."""
    return [f"seat_{seat}" for seat in range(kind.rules.players)]
