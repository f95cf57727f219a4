"""What a position is worth to every seat, by the learnt value of its board.

A position is judged from what one seat knows: what is hidden from it is drawn several times.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias, get_args

import numpy as np

from referee.analysis.lines import Phase
from referee.engine.restore import redraw
from referee.engine.state import GameState
from referee.thinking.features import PHASES, progress
from referee.thinking.learnt_value import Floats, Outcomes, learnt_value

DEALS: Final = 8  # of what is hidden, for one position

Deal: TypeAlias = Callable[[int], GameState]
"""A function from a number to the position with one draw of what is hidden."""


class Worth(NamedTuple):
    """What a position is worth: arrays by seat, and `parts` by seat and part of the final score."""

    chances: Floats
    ranks: Floats
    totals: Floats
    parts: Floats

    def minus(self, other: Worth) -> Worth:
        """The differences between two positions."""
        return Worth(*[one - two for one, two in zip(self, other, strict=True)])


def mean_worth(found: Sequence[Worth]) -> Worth:
    """The mean over several positions."""
    return Worth(*[np.stack(same).mean(axis=0) for same in zip(*found, strict=True)])


def worths(states: Sequence[GameState]) -> list[Worth]:
    """What each of these positions is worth; all are on one board."""
    outcomes: Outcomes = learnt_value(states[0].board).outcomes(states)
    columns = (outcomes.first(), outcomes.ranks(), outcomes.totals(), outcomes.parts)
    return [Worth(*rows) for rows in zip(*columns, strict=True)]


def deals_of(state: GameState, seat: int, *, omniscient: bool) -> Deal:
    """The draws of what a seat does not know in a position; with `omniscient`, the position itself."""

    def deal(number: int) -> GameState:
        drawn = state.copy()
        if not omniscient:
            redraw(drawn, seat, number)
        return drawn

    return deal


def worth_of(deal: Deal) -> Worth:
    """What a position is worth, in the mean of several draws."""
    return mean_worth(worths([deal(number) for number in range(DEALS)]))


def phase_of(state: GameState) -> Phase:
    """The third of the game that a position is in."""
    phases: tuple[Phase, ...] = get_args(Phase)
    return phases[bisect_right(PHASES, progress(state)) - 1]
