"""A bot that plans its whole turn before the first action, and then plays the plan."""

from __future__ import annotations

from protocol import Game, Request
from referee.engine.terms import TURN
from referee.thinking.cache import EvaluationCache
from referee.thinking.candidates import ONE_LINE
from referee.thinking.decisions import best_index
from referee.thinking.engine_bot import EngineBot
from referee.thinking.evaluation import Evaluator
from referee.thinking.plan import Plan, best_lines
from referee.thinking.weights import Weights


class PlannerBot(EngineBot):
    """Follows its plan as long as every position is the one that it expected."""

    def __init__(self, weights: Weights) -> None:
        super().__init__()
        self.weights = weights

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
