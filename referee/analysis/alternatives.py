"""Finds the best alternative to a turn that was played, and what the difference is.

A search chooses the alternative on one half of the budget. The other half compares it with the turn
that was played, on draws that the search has not seen: an alternative that only looked best by luck
loses its lead there. Both turns get the same draws, and the planner continues both.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from random import Random
from statistics import fmean, stdev
from time import process_time
from typing import Final, NamedTuple

from referee.analysis.evaluate import Deal, Worth, mean_worth, worths
from referee.analysis.lines import Settings
from referee.engine import game
from referee.engine.errors import ChoiceRefused
from referee.engine.state import GameState
from referee.thinking.cache import EvaluationCache
from referee.thinking.decisions import Trail
from referee.thinking.judges import LearntJudge
from referee.thinking.learnt_value import learnt_value
from referee.thinking.plan import key_of
from referee.thinking.search.budget import Budget, RoundBudget, TimeBudget
from referee.thinking.search.draws import Candidate, Search, play_round
from referee.thinking.weights import DEFAULT_WEIGHTS, varied
from referee.tournament.ratings.estimates import t_quantile

MISTAKE: Final = 0.05  # of the chance to come first: a turn that loses less is not a mistake
CERTAIN: Final = 0.65  # of half the interval: a larger loss is above 0 with a confidence of 90 %
SEARCHED: Final = 0.5  # of the budget: the rest is for the comparison
ROUNDS: Final = 2  # that each turn is continued for in the comparison
FEWEST_DEALS: Final = 4  # in the comparison, whatever the budget says
VARIED: Final = 0.17  # by how much the weights of the continuing planner vary
MOST_DEALS: Final = 200
FRESH: Final = 1_000_000  # the number of the first draw of the comparison


class Comparison(NamedTuple):
    """How much better an alternative is than the turn that was played."""

    trail: Trail  # the alternative
    difference: Worth  # in the mean
    loss: float  # of the chance to come first, at least 0
    interval: tuple[float, float]  # 95 %, of the difference of chances

    @property
    def is_mistake(self) -> bool:
        """Whether the loss is large, and hardly by chance."""
        half = (self.interval[1] - self.interval[0]) / 2
        return self.loss >= MISTAKE and self.loss > CERTAIN * half


def compare(deal: Deal, seat: int, played: Trail, settings: Settings) -> Comparison | None:
    """Compare the turn that was played with the best alternative; None if it is the best itself."""
    judge = LearntJudge(learnt_value(deal(0).board))
    search = Search(deal, seat, judge, budget_of(settings, SEARCHED))
    trail = search.field()[0].trail
    if _is_same(search.state, seat, played, trail):
        return None
    duel = Duel(deal, played, trail)
    return duel.fight(seat, budget_of(settings, 1 - SEARCHED))


def budget_of(settings: Settings, share: float) -> Budget:
    """A share of the time or of the rounds for one turn."""
    if settings.time_ms is None:
        return RoundBudget(max(1, round(share * (settings.rounds or 1))))
    return TimeBudget(share * settings.time_ms, process_time)


def _is_same(state: GameState, seat: int, played: Trail, other: Trail) -> bool:
    """Whether both turns end in the same position, or the seat itself chooses the same."""
    return key_of(_after(state, played)) == key_of(_after(state, other)) or (
        _own(state, seat, played) == _own(state, seat, other)
    )


def _after(state: GameState, trail: Trail) -> GameState:
    after = state.copy()
    for _, index in trail:
        game.apply(after, index)
    return after


def _own(state: GameState, seat: int, trail: Trail) -> list[object]:
    """The choices of the seat itself, without those that others make in its turn."""
    after = state.copy()
    own: list[object] = []
    for asked, index in trail:
        if asked == seat:
            own.append(game.choices(after)[index])
        game.apply(after, index)
    return own


class Duel:
    """Two turns that are continued with the same draws."""

    def __init__(self, deal: Deal, played: Trail, other: Trail) -> None:
        self.deal = deal
        self.turns = (Candidate(other), Candidate(played))

    def fight(self, seat: int, budget: Budget) -> Comparison | None:
        """Compare both turns until the budget is used; None if that is not possible."""
        found: list[Worth] = []
        for difference in self._differences(budget):
            found.append(difference)
            if len(found) >= FEWEST_DEALS and budget.used() >= 1:
                break
        if len(found) < FEWEST_DEALS:
            return None
        gains = [float(one.chances[seat]) for one in found]
        mean = fmean(gains)
        half = t_quantile(len(gains) - 1) * stdev(gains) / sqrt(len(gains))
        interval = (mean - half, mean + half)
        return Comparison(self.turns[0].trail, mean_worth(found), max(0.0, mean), interval)

    def _differences(self, budget: Budget) -> Iterator[Worth]:
        """By draw: how much better the alternative is. Draws where a turn is not possible are skipped."""
        for number in range(FRESH, FRESH + MOST_DEALS):
            start = self.deal(number)
            self.cache = EvaluationCache(start, varied(DEFAULT_WEIGHTS, number, VARIED))
            try:
                for turn in self.turns:
                    turn.begin(start, Random(number))
            except ChoiceRefused:
                continue
            other, played = [self._continued(turn, budget) for turn in self.turns]
            yield other.minus(played)

    def _continued(self, turn: Candidate, budget: Budget) -> Worth:
        """What the positions after each of the next rounds are worth, in the mean."""
        states: list[GameState] = []
        for _ in range(ROUNDS):
            play_round(turn, self.cache)
            budget.count_rounds()
            states.append(turn.state.copy())
        return mean_worth(worths(states))
