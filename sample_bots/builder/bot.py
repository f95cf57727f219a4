"""A merchant that develops its desk first, and expects a long game."""

from __future__ import annotations

from protocol import run
from referee.thinking.planner_bot import PlannerBot
from referee.thinking.weights import Weights

WEIGHTS = Weights(
    rounds=16.0,
    action_turn=1.4,
    privilege=0.9,
    privilege_turn=0.3,
    book=0.5,
    book_turn=0.08,
    bank=0.5,
    bank_turn=0.22,
    nearly_full=2.0,
    half_step=0.4,
)


class Builder(PlannerBot):
    """Plans its turns as merchant does, but with other weights."""

    name = "builder"

    def __init__(self) -> None:
        super().__init__(WEIGHTS)


if __name__ == "__main__":
    run(Builder)
