"""The search of navigator: few turns, after which all seats play what the judge likes best, for two rounds.

That takes longer than a turn of the planner alone, but comes closer to what good players do; with wrong
replies, more draws would only say more exactly what will not happen.
"""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple

from referee.engine.state import GameState
from referee.thinking.cache import EvaluationCache
from referee.thinking.candidates import Breadth
from referee.thinking.evaluation import Evaluator
from referee.thinking.judges import Judge
from referee.thinking.plan import Line, best_lines, distinct
from referee.thinking.search.draws import Candidate, Search, play_turn

MANY: Final = 4  # with more candidates than this, there is less time for each of them


class Look(NamedTuple):
    """How closely the possible turns of another seat are looked at, to find the one that it will play."""

    breadth: Breadth
    judged: int  # turns, the best for the planner


QUICK: Final = Look(Breadth(positions=2, places=4, displaces=2, moves=1), judged=5)
CLOSE: Final = Look(Breadth(positions=3, places=5, displaces=3, moves=2), judged=8)


class FocusedSearch(Search):
    """Begins with few turns, or more if there is much time; what the planner expects of them counts as well."""

    least_candidates = 8
    most_candidates = 20
    rounds = 2
    planned_draws = 3.0

    def play_on(self, candidate: Candidate, cache: EvaluationCache, live: int) -> list[GameState]:
        """Continue for some rounds; return the positions after each turn of the own seat."""
        judged = partial(judged_turn, self.judge, QUICK if live > MANY else CLOSE)
        reached: list[GameState] = []
        for _ in range(self.rounds):
            for _ in range(candidate.state.rules.players):
                play_turn(candidate, cache, judged)
            reached.append(candidate.state.copy())
        return reached


def judged_turn(judge: Judge, look: Look, state: GameState, cache: EvaluationCache) -> Line:
    """The turn that a judge likes best, of the best few for the planner."""
    evaluator = Evaluator(state, state.active, cache)
    lines = distinct(best_lines(state, evaluator, look.breadth))
    return judge.ranked(lines[: look.judged], state.active)[0]
