"""A bot that plans its whole turn before the first action, and then plays the plan."""

from __future__ import annotations

from typing import Any

from protocol import run
from referee.thinking.planner_bot import PlannerBot
from referee.thinking.weights import Weights


class Merchant(PlannerBot):
    """`weights` are those of the evaluation; bot.toml declares them as parameters."""

    name = "merchant"

    def __init__(self, **weights: Any) -> None:
        super().__init__(Weights(**weights))


if __name__ == "__main__":
    run(Merchant)
