"""The search of navigator-1: turns race in one draw of what is hidden, and the worse half is dropped after each round.

It stays as it is, because navigator-1 does.
"""

from __future__ import annotations

from random import Random

from referee.thinking.search.draws import Candidate, Search, play_round

PLANNED = 0.5  # weight of the judgement of the turn itself; each one after a round has weight 1


class Runner:
    """A candidate in the races."""

    def __init__(self, candidate: Candidate) -> None:
        self.candidate = candidate
        self.total, self.count = 0.0, 0.0
        self.rounds = 0  # in all races: the turn that was continued for most rounds is the best

    def begin(self) -> None:
        """Forget the values of earlier races."""
        self.total, self.count = PLANNED * self.candidate.planned, PLANNED

    def add_round(self, value: float) -> None:
        """Count one more round, and the value of the position after it."""
        self.total, self.count = self.total + value, self.count + 1
        self.rounds += 1

    def mean(self) -> float:
        """The mean value in this race; early and late rounds count the same."""
        return self.total / self.count


class Race(Search):
    """Continues the candidates round by round, one draw after the other."""

    def best_first(self, field: list[Candidate]) -> list[Candidate]:
        """Order candidates: that which was continued for most rounds in all races comes first."""
        runners = [Runner(candidate) for candidate in field]
        for number in range(self.most_deals):
            if len(runners) > 1 and not self._is_over():
                self._race(runners, number)
                runners.sort(key=lambda runner: (runner.rounds, runner.mean()), reverse=True)
        return [runner.candidate for runner in runners]

    def _race(self, field: list[Runner], number: int) -> None:
        """Continue all by one round, then the better half, until one is left or time is over."""
        start = self.deal(number) if number else self.state
        for runner in field:
            runner.begin()
            runner.candidate.begin(start, Random(number))
        live = field
        while len(live) > 1:
            continued = self._play_rounds(live)
            if len(continued) < len(live):
                return
            live = sorted(live, key=Runner.mean, reverse=True)[: (len(live) + 1) // 2]
        live[0].rounds += 1

    def _play_rounds(self, live: list[Runner]) -> list[Runner]:
        """Continue candidates by one round, as long as there is time; return those that were continued."""
        continued: list[Runner] = []
        for runner in live:
            if self._is_over():
                break
            play_round(runner.candidate, self.cache)
            self.budget.count_rounds()
            continued.append(runner)
        if continued:
            states = [runner.candidate.state for runner in continued]
            values = self.judge.values(states, self.seat, self.cache)
            for runner, value in zip(continued, values, strict=True):
                runner.add_round(value)
        return continued
