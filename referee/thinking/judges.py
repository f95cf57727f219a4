"""Two judges of turns and positions: the planner's evaluation alone, and with the learnt value."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Protocol

from referee.engine.board import Board
from referee.engine.state import GameState
from referee.thinking.cache import EvaluationCache
from referee.thinking.evaluation import Evaluator
from referee.thinking.learnt_value import LearntValue, learnt_value
from referee.thinking.plan import Line
from referee.thinking.tuned_weights import tuned_weights
from referee.thinking.weights import DEFAULT_WEIGHTS, Weights

MOST_LINES: Final = 40  # that the learnt value looks at
BEATEN: Final = 60.0  # points that it is worth to leave all other seats behind
PLANNED: Final = 0.5  # of the planner's evaluation, which the learnt value knows better


class Judge(Protocol):
    """Says what is good for a seat, in points of prestige."""

    weights: Weights  # of the evaluation, for planning and for continuing the game as well

    def ranked(self, lines: list[Line], seat: int) -> list[Line]:
        """Turns with the judge's values, the best first; `lines` are in the planner's order."""

    def values(self, states: list[GameState], seat: int, cache: EvaluationCache) -> list[float]:
        """What positions are worth to the seat."""


class PlannerJudge:
    """The planner's own evaluation."""

    def __init__(self, weights: Weights = DEFAULT_WEIGHTS) -> None:
        self.weights = weights

    def ranked(self, lines: list[Line], seat: int) -> list[Line]:  # noqa: ARG002  as in `Judge`
        """The turns as they are: the planner has ranked them."""
        return lines

    def values(self, states: list[GameState], seat: int, cache: EvaluationCache) -> list[float]:
        """What positions are worth to the seat."""
        return [Evaluator(state, seat, cache).evaluate(state) for state in states]


class LearntJudge(PlannerJudge):
    """The learnt value, the share of the seats that will be behind, and a part of the planner's value."""

    def __init__(self, learnt: LearntValue, weights: Weights = DEFAULT_WEIGHTS) -> None:
        super().__init__(weights)
        self.learnt = learnt

    def ranked(self, lines: list[Line], seat: int) -> list[Line]:
        """The best turns with both values added, the best first."""
        lines = lines[:MOST_LINES]
        outcomes = self.learnt.outcomes([line.state for line in lines], is_turn_over=True)
        found = [
            replace(line, value=PLANNED * line.value + BEATEN * float(beaten))
            for line, beaten in zip(lines, outcomes.beaten(seat), strict=True)
        ]
        return sorted(found, key=lambda line: line.value, reverse=True)

    def values(self, states: list[GameState], seat: int, cache: EvaluationCache) -> list[float]:
        """What positions are worth to the seat, with both values added."""
        beaten = self.learnt.outcomes(states).beaten(seat)
        planned = super().values(states, seat, cache)
        return [
            PLANNED * one + BEATEN * float(other)
            for one, other in zip(planned, beaten, strict=True)
        ]


def judge_of(board: Board) -> LearntJudge:
    """The judge with the network and the tuned weights of a board."""
    return LearntJudge(learnt_value(board), tuned_weights(board.id))
