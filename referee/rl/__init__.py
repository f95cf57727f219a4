"""The game for learning: environments of PettingZoo and Gymnasium, many games at once, data sets.

    from referee.rl import SingleAgentEnv, env

    table = env(players=4, missions=True)  # every seat is an agent
    learner = SingleAgentEnv(4, ["greedy"], missions=True)  # one seat is

`env`, `raw_env` and `SingleAgentEnv` need the extra `rl`: `pip install '.[rl]'` in the referee's
folder.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from referee.rl.batch import Batch, Ended, pick_uniformly
from referee.rl.game import Kind, NumberedGame
from referee.rl.policy import Policy, PolicyBot
from referee.rl.shards import Dataset, DatasetGame, Layout, Shard

if TYPE_CHECKING:
    from referee.rl.bundled import house_bots
    from referee.rl.dataset_making import dataset
    from referee.rl.environment import env, raw_env
    from referee.rl.single_agent import SingleAgentEnv

__all__ = [
    "Batch",
    "Dataset",
    "DatasetGame",
    "Ended",
    "Kind",
    "Layout",
    "NumberedGame",
    "Policy",
    "PolicyBot",
    "Shard",
    "SingleAgentEnv",
    "dataset",
    "env",
    "house_bots",
    "pick_uniformly",
    "raw_env",
]

# The environments need the extra `rl`; the others import much that a learner may not need.
_LOADED_ON_USE: Final = {
    "SingleAgentEnv": "single_agent",
    "dataset": "dataset_making",
    "env": "environment",
    "house_bots": "bundled",
    "raw_env": "environment",
}


def __getattr__(name: str) -> object:
    """Load some names on first use."""
    if name not in _LOADED_ON_USE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = import_module(f"referee.rl.{_LOADED_ON_USE[name]}")
    except ModuleNotFoundError as error:
        raise ImportError(
            f"referee.rl.{name} needs {error.name}: pip install '.[rl]' in the referee's folder"
        ) from error
    found: object = getattr(module, name)
    return found
