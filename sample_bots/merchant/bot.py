"""A bot that plans its whole turn before the first action, and then plays the plan."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import referee
from protocol import Game, Request, run

# `thinking` comes with the referee: among its sample bots, inside the package or beside it.
sys.path += [str(folder / "sample_bots") for folder in Path(referee.__file__).resolve().parents[:2]]

from thinking.cache import EvaluationCache
from thinking.candidates import ONE_LINE
from thinking.decisions import best_index
from thinking.engine_bot import EngineBot
from thinking.evaluation import Evaluator
from thinking.plan import Plan, best_lines
from thinking.weights import Weights

from referee.engine.terms import TURN


class Merchant(EngineBot):
    """Follows its plan as long as every position is the one that it expected.

    `weights` are those of the evaluation; bot.toml declares them as parameters.
    """

    name = "merchant"

    def __init__(self, **weights: Any) -> None:
        super().__init__()
        self.weights = Weights(**weights)

    def start(self, game: Game) -> None:
        super().start(game)
        self.plan = Plan()

    def decide(self, request: Request) -> int:
        """The next choice of the plan; if the plan no longer applies, of a new one."""
        state = self.position(request)
        if not self.plan.goes_on(state):
            evaluator = Evaluator(state, self.seat, EvaluationCache(state, self.weights))
            if state.agenda[-1].kind != TURN:
                return best_index(state, evaluator)
            self.plan = Plan(self.seat, best_lines(state, evaluator, ONE_LINE)[0].trail)
        return self.plan.next(state)


if __name__ == "__main__":
    run(Merchant)
