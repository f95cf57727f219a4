"""A merchant that hurries to the end of the game."""

from __future__ import annotations

from protocol import run
from referee.thinking.planner_bot import PlannerBot
from referee.thinking.weights import Weights

WEIGHTS = Weights(
    rounds=8.0,
    prestige=1.8,
    control=1.0,
    open_city=0.9,
    action_turn=0.45,
    privilege_turn=0.08,
    bank_turn=0.06,
    horizon=1.5,
)


class Rusher(PlannerBot):
    """Plans its turns as merchant does, but with other weights."""

    name = "rusher"

    def __init__(self) -> None:
        super().__init__(WEIGHTS)


if __name__ == "__main__":
    run(Rusher)
