"""A merchant that takes what others want."""

from __future__ import annotations

from protocol import run
from referee.thinking.planner_bot import PlannerBot
from referee.thinking.weights import Weights

WEIGHTS = Weights(
    others=1.3,
    stolen=1.1,
    blocked=0.2,
    control=0.9,
    control_turn=0.05,
)


class Blocker(PlannerBot):
    """Plans its turns as merchant does, but with other weights."""

    name = "blocker"

    def __init__(self) -> None:
        super().__init__(WEIGHTS)


if __name__ == "__main__":
    run(Blocker)
