"""The search: turns from the planner, continued in several draws of what is hidden.

Every turn is continued in the same draw, in which all seats value things a little
differently. Its value is the mean over its draws, and the worse half of the turns is dropped again and
again, so that the best ones are tried in most draws.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import fmean
from typing import ClassVar, TypeAlias

from referee.engine import game
from referee.engine.errors import ChoiceRefused
from referee.engine.state import GameState
from referee.engine.terms import TURN
from referee.thinking.cache import EvaluationCache
from referee.thinking.candidates import ONE_LINE, Breadth
from referee.thinking.decisions import Trail
from referee.thinking.evaluation import Evaluator
from referee.thinking.judges import Judge
from referee.thinking.plan import Line, best_lines, distinct
from referee.thinking.quick import quick_answer
from referee.thinking.search.budget import Budget
from referee.thinking.weights import varied

CANDIDATES = 24
MOST_DEALS = 1000  # random draws of the hidden markers and missions
PLANNING = 0.4  # of the time at most
FIRST_DRAW = 0.12  # of the time; turns that were not tried until then are not tried at all
VARIED = 0.3  # by how much seats value things differently from draw to draw
TURN_NOW = Breadth(positions=14, places=10, displaces=6, moves=5)  # wider, for different turns

Playing: TypeAlias = Callable[[GameState, EvaluationCache], Line]  # how a seat plays its turn


def planned_turn(state: GameState, cache: EvaluationCache) -> Line:
    """The turn that the planner plays."""
    return best_lines(state, Evaluator(state, state.active, cache), ONE_LINE)[0]


class Candidate:
    """One way to play the turn, and how the game continued after it."""

    state: GameState
    rng: Random

    def __init__(self, trail: Trail, planned: float = 0.0, planned_draws: float = 0.0) -> None:
        self.trail, self.planned, self.planned_draws = trail, planned, planned_draws
        self.total, self.count = 0.0, 0  # of its values, one for each draw

    def begin(self, state: GameState, rng: Random) -> None:
        """Play the turn in a position where everything hidden was drawn at random."""
        self.state, self.rng = state.copy(), rng
        for _, index in self.trail:
            game.apply(self.state, index)
        self.answer_until_turn()

    def answer_until_turn(self) -> None:
        """Answer what is asked between two turns: where the markers go."""
        while not self.state.over and self.state.agenda[-1].kind != TURN:
            game.apply(self.state, quick_answer(self.state, self.rng))

    def add(self, value: float) -> None:
        """Count the value of one draw."""
        self.total, self.count = self.total + value, self.count + 1

    def merit(self) -> tuple[bool, float]:
        """What candidates are ordered by: the mean value; without any, what the planner expects.

        What the planner expects also counts as much as `planned_draws` draws.
        """
        if not self.count:
            return False, self.planned
        expected = self.planned_draws * self.planned
        return True, (expected + self.total) / (self.planned_draws + self.count)


def play_round(candidate: Candidate, cache: EvaluationCache) -> None:
    """Continue by a turn of every seat, as the planner plays; the seat of the candidate comes last."""
    for _ in range(candidate.state.rules.players):
        play_turn(candidate, cache)


def play_turn(
    candidate: Candidate, cache: EvaluationCache, playing: Playing = planned_turn
) -> None:
    """Continue to the end of the present turn; does nothing after the end of the game."""
    if candidate.state.over:
        return
    line = playing(candidate.state, cache)
    candidate.state = line.state
    if not candidate.state.over:
        game.apply(candidate.state, line.trail[-1][1])
        candidate.answer_until_turn()


class Search:
    """The search for the best turn of one seat.

    `deal` is a function from a number to the position with one random draw of what is hidden.
    `budget` is a `TimeBudget` or a `RoundBudget`.
    """

    least_candidates: ClassVar[int] = CANDIDATES  # tried as long as there is any time
    most_candidates: ClassVar[int] = CANDIDATES
    rounds: ClassVar[int] = 1  # that a turn is continued for, in every draw
    planned_draws: ClassVar[float] = 0.0  # that the judgement of a turn before any draw counts for

    def __init__(
        self,
        deal: Callable[[int], GameState],
        seat: int,
        judge: Judge,
        budget: Budget,
        most_deals: int = MOST_DEALS,
    ) -> None:
        self.deal, self.seat, self.judge, self.budget = deal, seat, judge, budget
        self.most_deals, self.draws = most_deals, 0
        self.state = deal(0)
        self.cache = EvaluationCache(self.state, judge.weights)

    def best_trail(self) -> Trail:
        """The choices of the best turn."""
        return self.field()[0].trail

    def field(self) -> list[Candidate]:
        """All turns, the best first; those that there was no time to try come last."""
        return self.best_first(self._candidates())

    def _candidates(self) -> list[Candidate]:
        """The best turns that lead to different positions, the best first."""
        evaluator = Evaluator(self.state, self.seat, self.cache)
        lines = best_lines(self.state, evaluator, TURN_NOW, lambda: self.budget.used() > PLANNING)
        ranked = self.judge.ranked(distinct(lines), self.seat)
        best = ranked[: self.most_candidates]
        return [Candidate(line.trail, line.value, self.planned_draws) for line in best]

    def best_first(self, field: list[Candidate]) -> list[Candidate]:
        """Order candidates, each a turn or the beginning of one.

        The budget is divided into equal phases, and after each of them the worse half is dropped.
        """
        if len(field) < 2:
            return field
        begun = self.budget.used()
        cost = self._draw(field)
        live = [candidate for candidate in field if candidate.count]
        dropped = [candidate for candidate in field if not candidate.count]
        phases = (len(live) - 1).bit_length() if live else 0
        for phase in range(1, phases + 1):
            until = begun + (1 - begun) * phase / phases
            if phase > 1:
                cost = self._draw(live)
            while self._may_draw() and self.budget.used() + cost / 2 <= until:
                cost = self._draw(live)
            live = sorted(live, key=Candidate.merit, reverse=True)
            half = (len(live) + 1) // 2
            live, dropped = live[:half], live[half:] + dropped
        return live + dropped

    def _may_draw(self) -> bool:
        return self.draws < self.most_deals and not self._is_over()

    def _draw(self, live: list[Candidate]) -> float:
        """Continue all in one more draw, if there may be one; return which part of the budget it took."""
        before = self.budget.used()
        if self._may_draw():
            self._continue(live, self.draws)
            self.draws += 1
        return self.budget.used() - before

    def _continue(self, live: list[Candidate], number: int) -> None:
        """Continue all in one draw, as long as the budget allows.

        If it ends before the last of them, this draw does not count: it would count for some only.
        In the first draw, the values of some are better than none, and it ends early enough for more draws.
        """
        start = self.deal(number) if number else self.state
        cache = self._cache_of_draw(number)
        continued: list[Candidate] = []
        reached: list[GameState] = []
        for candidate in live:
            if self._is_over() and number:
                return
            if not number and self._has_tried(len(continued)):
                break
            if _begins(candidate, start, number):
                reached += self.play_on(candidate, cache, len(live))
                self.budget.count_rounds(self.rounds)
                continued.append(candidate)
        if continued:
            values = self.judge.values(reached, self.seat, self.cache)
            each = len(reached) // len(continued)
            for place, candidate in enumerate(continued):
                candidate.add(fmean(values[place * each : (place + 1) * each]))

    def _has_tried(self, candidates: int) -> bool:
        """Whether the first draw has tried enough: more would leave too little time for their draws."""
        used = self.budget.used()
        return used >= (1 if candidates < self.least_candidates else FIRST_DRAW)

    def play_on(self, candidate: Candidate, cache: EvaluationCache, live: int) -> list[GameState]:
        """Continue a candidate, one of so many, by one round; return the positions that count.

        The positions before and after the own turn at the end of the round count the same.
        """
        del live
        for _ in range(candidate.state.rules.players - 1):
            play_turn(candidate, cache)
        before = candidate.state.copy()
        play_turn(candidate, cache)
        return [before, candidate.state]

    def _cache_of_draw(self, number: int) -> EvaluationCache:
        """The evaluation by which all seats play in a draw: in the first as they would, then varied."""
        if not number:
            return self.cache
        return EvaluationCache(self.state, varied(self.judge.weights, number, VARIED))

    def _is_over(self) -> bool:
        return self.budget.used() >= 1


def _begins(candidate: Candidate, start: GameState, number: int) -> bool:
    """Play the turn in a draw, with the same seed for all candidates; False if it is not possible."""
    try:
        candidate.begin(start, Random(number))
    except ChoiceRefused:
        return False
    return True
