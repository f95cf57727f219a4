"""A bot that searches at the first decision of a turn, and then follows its plan as long as it applies."""

from __future__ import annotations

import argparse
from time import process_time
from typing import ClassVar, NamedTuple

from protocol import Game, Request, settings
from referee.api.received import read_start
from referee.engine.board import Board
from referee.engine.state import GameState
from referee.engine.terms import TURN
from referee.thinking.cache import EvaluationCache
from referee.thinking.candidates import ONE_LINE
from referee.thinking.decisions import best_index
from referee.thinking.engine_bot import EngineBot
from referee.thinking.evaluation import Evaluator
from referee.thinking.game_length import turns_to_come
from referee.thinking.judges import Judge
from referee.thinking.plan import Plan, best_lines
from referee.thinking.quick import QuickSeat
from referee.thinking.search.budget import Budget, RoundBudget, TimeBudget, budget_ms
from referee.thinking.search.draws import MOST_DEALS, Search
from referee.thinking.search.focused import FocusedSearch

ROUNDS = 60  # per turn, without a clock
LITTLE_TIME_MS = 60.0  # with less than this for a turn, plan it without a search
NO_TIME_MS = 15.0  # with less than this, do not even plan


class Effort(NamedTuple):
    """How much to think about each turn, whatever the clock says; 0 for both: as it allows."""

    nodes: int = 0  # rounds
    turn_ms: int = 0  # CPU time


class SearchBot(EngineBot):
    """Its subclasses say how they judge positions, and how long they want to search."""

    most_ms: ClassVar[float]  # for one turn
    most_deals: ClassVar[int] = MOST_DEALS
    search: ClassVar[type[Search]] = FocusedSearch

    def __init__(self, nodes: int = 0, turn_ms: int = 0) -> None:
        self.effort = Effort(nodes, turn_ms)

    def judge_of(self, board: Board) -> Judge:
        """The judge of positions on a board."""
        raise NotImplementedError

    def start(self, game: Game) -> None:
        super().start(game)
        self.plan = Plan()
        self.judge = self.judge_of(read_start(game.message).board)

    def decide(self, request: Request) -> int:
        """The next choice of the plan; without a plan that applies, search for one."""
        known = self.known_game(request)
        state = known.engine_state
        if self.plan.goes_on(state):
            return self.plan.next(state)
        if state.agenda[-1].kind != TURN:
            return best_index(state, self._evaluator(state))
        time_ms = self._time_ms(request, turns_to_come(state))
        if time_ms is not None and time_ms < NO_TIME_MS:
            return QuickSeat(state, self._cache(state), self.random).pick(state)
        if time_ms is not None and time_ms < LITTLE_TIME_MS:
            trail = best_lines(state, self._evaluator(state), ONE_LINE)[0].trail
        else:
            trail = self.search(
                lambda deal: known.copy(view=self.seat, seed=deal).engine_state,
                self.seat,
                self.judge,
                self._budget(time_ms),
                self.most_deals,
            ).best_trail()
        self.plan = Plan(self.seat, trail)
        return self.plan.next(state)

    def _evaluator(self, state: GameState) -> Evaluator:
        return Evaluator(state, self.seat, self._cache(state))

    def _cache(self, state: GameState) -> EvaluationCache:
        return EvaluationCache(state, self.judge.weights)

    def _time_ms(self, request: Request, turns: float) -> float | None:
        """How many milliseconds the turn may take by the clock; None if no clock counts."""
        left_ms = request.time_left()
        if left_ms is None or self.effort != Effort():
            return None
        return budget_ms(left_ms, self.game.clock, turns, self.most_ms)

    def _budget(self, time_ms: float | None) -> Budget:
        """The budget of a turn that may take so many milliseconds by the clock."""
        if self.effort.turn_ms:
            return TimeBudget(self.effort.turn_ms, process_time)
        return RoundBudget(self.effort.nodes or ROUNDS) if time_ms is None else TimeBudget(time_ms)


def effort_from_arguments(arguments: list[str] | None = None) -> Effort:
    """What the command line says: the option `--nodes`, or the parameter `turn_ms`."""
    parser = argparse.ArgumentParser(description="A bot for Hansa Teutonica that searches.")
    parser.add_argument(
        "--nodes", type=int, default=0, help="rounds per turn, whatever the clock says"
    )
    parser.add_argument(
        "--set",
        action="append",
        metavar="turn_ms=N",
        help="milliseconds of CPU time per turn, whatever the clock says",
    )
    effort = Effort(parser.parse_args(arguments).nodes, int(settings(arguments).get("turn_ms", 0)))
    if all(effort):
        parser.error("--nodes and turn_ms are mutually exclusive")
    return effort
