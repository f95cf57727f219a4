"""The search: turns from the planner, continued round by round, the worse half dropped each time."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from referee.engine import game
from referee.engine.state import GameState
from referee.engine.terms import TURN
from referee.thinking.budget import Budget
from referee.thinking.cache import EvaluationCache
from referee.thinking.candidates import ONE_LINE, Breadth
from referee.thinking.decisions import Trail
from referee.thinking.evaluation import Evaluator
from referee.thinking.judges import Judge
from referee.thinking.plan import best_lines, distinct
from referee.thinking.quick import quick_answer

CANDIDATES = 24
MOST_DEALS = 1000  # random draws of the hidden markers and missions
PLANNING = 0.4  # of the time at most
PLANNED = 0.5  # weight of the judgement of the turn itself; each one after a round has weight 1
TURN_NOW = Breadth(positions=14, places=10, displaces=6, moves=5)  # wider, for different turns


class Candidate:
    """One way to play the turn, and how the game continued after it."""

    state: GameState
    rng: Random

    def __init__(self, trail: Trail, planned: float = 0.0) -> None:
        self.trail, self.planned = trail, planned
        self.rounds = 0  # in all races: the turn that was continued for most rounds is the best

    def begin(self, state: GameState, rng: Random) -> None:
        """Play the turn in a position where everything hidden was drawn at random."""
        self.state, self.rng = state.copy(), rng
        self.total, self.count = PLANNED * self.planned, PLANNED
        for _, index in self.trail:
            game.apply(self.state, index)
        self.answer_until_turn()

    def answer_until_turn(self) -> None:
        """Answer what is asked between two turns: where the markers go."""
        while not self.state.over and self.state.agenda[-1].kind != TURN:
            game.apply(self.state, quick_answer(self.state, self.rng))

    def add_round(self, value: float) -> None:
        """Count one more round, and the value of the position after it."""
        self.total, self.count = self.total + value, self.count + 1
        self.rounds += 1

    def mean(self) -> float:
        """The mean value in this race; early and late rounds count the same."""
        return self.total / self.count


def play_round(candidate: Candidate, cache: EvaluationCache) -> None:
    """Continue by a turn of every seat, as the planner plays; the seat of the candidate comes last."""
    for _ in range(candidate.state.rules.players):
        play_turn(candidate, cache)


def play_turn(candidate: Candidate, cache: EvaluationCache) -> None:
    """Continue to the end of the present turn, as the planner plays; does nothing after the end."""
    if candidate.state.over:
        return
    evaluator = Evaluator(candidate.state, candidate.state.active, cache)
    line = best_lines(candidate.state, evaluator, ONE_LINE)[0]
    candidate.state = line.state
    if not candidate.state.over:
        game.apply(candidate.state, line.trail[-1][1])
        candidate.answer_until_turn()


class Search:
    """The search for the best turn of one seat.

    `deal` is a function from a number to the position with one random draw of what is hidden.
    `budget` is a `TimeBudget` or a `RoundBudget`.
    """

    def __init__(
        self,
        deal: Callable[[int], GameState],
        seat: int,
        judge: Judge,
        budget: Budget,
        most_deals: int = MOST_DEALS,
    ) -> None:
        self.deal, self.seat, self.judge, self.budget = deal, seat, judge, budget
        self.most_deals = most_deals
        self.state = deal(0)
        self.cache = EvaluationCache(self.state)

    def best_trail(self) -> Trail:
        """The choices of the best turn."""
        return self.field()[0].trail

    def field(self) -> list[Candidate]:
        """All turns that raced, the best first: that which was continued for most rounds in all races."""
        return self.race(self._candidates())

    def race(self, field: list[Candidate]) -> list[Candidate]:
        """The same for these candidates, each a turn or the beginning of one."""
        for number in range(self.most_deals):
            if len(field) > 1 and not self._is_over():
                self._race(field, number)
                field.sort(key=lambda candidate: (candidate.rounds, candidate.mean()), reverse=True)
        return field

    def _candidates(self) -> list[Candidate]:
        """The best turns that lead to different positions, the best first."""
        evaluator = Evaluator(self.state, self.seat, self.cache)
        lines = best_lines(self.state, evaluator, TURN_NOW, lambda: self.budget.used() > PLANNING)
        ranked = self.judge.ranked(distinct(lines), self.seat)
        return [Candidate(line.trail, line.value) for line in ranked[:CANDIDATES]]

    def _race(self, field: list[Candidate], number: int) -> None:
        """Continue all by one round, then the better half, until one is left or time is over."""
        start = self.deal(number) if number else self.state
        for candidate in field:
            candidate.begin(start, Random(number))  # the same seed: they differ by the turn only
        live = field
        while len(live) > 1:
            continued = self._play_rounds(live)
            if len(continued) < len(live):
                return
            live = sorted(live, key=Candidate.mean, reverse=True)[: (len(live) + 1) // 2]
        live[0].rounds += 1

    def _play_rounds(self, live: list[Candidate]) -> list[Candidate]:
        """Continue candidates by one round, as long as there is time; return those that were continued."""
        continued: list[Candidate] = []
        for candidate in live:
            if self._is_over():
                break
            play_round(candidate, self.cache)
            self.budget.count_round()
            continued.append(candidate)
        if continued:
            states = [candidate.state for candidate in continued]
            values = self.judge.values(states, self.seat, self.cache)
            for candidate, value in zip(continued, values, strict=True):
                candidate.add_round(value)
        return continued

    def _is_over(self) -> bool:
        return self.budget.used() >= 1
