"""Environments for reinforcement learning: PettingZoo, or many games at once as arrays.

    from referee.rl import env

    table = env(players=4, missions=True)

`env` and `raw_env` need the extra `rl`: `pip install '.[rl]'` in the referee's folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.rl.batch import Batch, Ended, pick_uniformly
from referee.rl.game import Kind, NumberedGame
from referee.rl.policy import Policy, PolicyBot

if TYPE_CHECKING:
    from referee.rl.environment import env, raw_env

__all__ = [
    "Batch",
    "Ended",
    "Kind",
    "NumberedGame",
    "Policy",
    "PolicyBot",
    "env",
    "pick_uniformly",
    "raw_env",
]


def __getattr__(name: str) -> object:
    """Load the environment on first use, because it needs the extra `rl`."""
    if name not in ("env", "raw_env"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from referee.rl import environment  # noqa: PLC0415  it needs an extra
    except ModuleNotFoundError as error:
        raise ImportError(
            f"referee.rl.{name} needs {error.name}: pip install '.[rl]' in the referee's folder"
        ) from error
    found: object = getattr(environment, name)
    return found
