"""A hint for the seat that must decide: the best turn that was found, and the two next best.

Only what the seat knows is used: everything hidden from it is drawn again before anybody looks.
The search finds the best turns on one half of the budget; the other half compares the first with
the next two, on draws that the search has not seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from random import Random
from typing import Final

import msgspec

from referee.analysis.alternatives import SEARCHED, Comparison, Duel, budget_of
from referee.analysis.evaluate import DEALS, Deal, Worth, deals_of, mean_worth, worths
from referee.analysis.lines import Made, Settings
from referee.analysis.reasons import why
from referee.analysis.sentences import as_said
from referee.engine import game
from referee.engine.errors import ChoiceRefused
from referee.engine.state import GameState
from referee.engine.terms import DECISIONS, TURN
from referee.narration.log import narrated
from referee.text import visible
from referee.thinking.cache import EvaluationCache
from referee.thinking.decisions import Trail, answer_until_turn
from referee.thinking.evaluation import Evaluator
from referee.thinking.judges import LearntJudge
from referee.thinking.learnt_value import learnt_value
from referee.thinking.search.draws import CANDIDATES, Candidate, Search, play_turn

HINT_MS: Final = 2000.0  # of CPU time, by default
MOST: Final = 3  # suggestions
_DIGITS: Final = 4
_EQUAL: Final = 0.005  # a smaller loss is none


class Suggestion(msgspec.Struct, frozen=True):
    """One way to play: the rest of the turn, or an answer in the middle of a turn."""

    choices: list[Made]  # the first is the next choice
    text: list[str]  # a sentence for each choice
    chance: float  # of the seat to come first, after it
    loss: float  # of that chance, compared with the best suggestion
    is_clear: bool  # whether the difference is larger than its 95 % confidence interval


class Hint(msgspec.Struct, frozen=True):
    """What a seat is advised to do; chances are by seat."""

    id: int  # of the decision
    seat: int
    name: str
    decision: str  # its kind
    choice: int  # the index of the best choice
    chances: list[float]  # to come first, after the turn with the best suggestion
    suggestions: list[Suggestion]  # the best first
    why: str  # what the first gains over the second, in one sentence; "" if there is only one


def hint_for(state: GameState, names: Sequence[str], settings: Settings) -> Hint:
    """The hint for the seat that must decide in this position; the game must not be over."""
    seat = state.agenda[-1].seat
    deal = deals_of(state, seat, omniscient=False)
    shown = [visible(name) for name in names]
    trails, compared = _best(deal, seat, settings)
    after = _worth_after(deal, trails[0])
    suggestions = [_suggestion(deal, seat, trails[0], after, None, shown)]
    suggestions += [
        _suggestion(deal, seat, trail, after, one, shown)
        for trail, one in zip(trails[1:], compared, strict=True)
    ]
    return Hint(
        id=state.decision_id,
        seat=seat,
        name=shown[seat],
        decision=DECISIONS[state.agenda[-1].kind],
        choice=trails[0][0][1],
        chances=[round(float(chance), _DIGITS) for chance in after.chances],
        suggestions=suggestions,
        why=_why(compared, seat, after, shown),
    )


# -- finding


def _best(deal: Deal, seat: int, settings: Settings) -> tuple[list[Trail], list[Comparison]]:
    """The best ways to play, and how much better the first is than each of the others."""
    search = Search(
        deal, seat, LearntJudge(learnt_value(deal(0).board)), budget_of(settings, SEARCHED)
    )
    field = (
        search.field() if _is_turn(search.state) else search.best_first(answers(search.state, seat))
    )
    best, *rest = [candidate.trail for candidate in field[:MOST]]
    share = (1 - SEARCHED) / max(1, len(rest))
    found: list[Comparison] = []
    for trail in rest:
        one = Duel(deal, played=trail, other=best).fight(seat, budget_of(settings, share))
        if one is not None:
            found.append(one._replace(trail=trail))
    found.sort(key=lambda one: _gain(one, seat))
    if found and found[0].interval[1] < 0:  # the search was wrong
        return _exchanged(best, found, seat)
    return [best, *[one.trail for one in found]], found


def _exchanged(
    beaten: Trail, found: list[Comparison], seat: int
) -> tuple[list[Trail], list[Comparison]]:
    """The same with the best of the others in front, and the differences to it."""
    first, *rest = found
    again = [_turned(first, beaten)]
    for one in rest:
        difference = one.difference.minus(first.difference)
        gain = float(difference.chances[seat])
        again.append(Comparison(one.trail, difference, max(0.0, gain), (0.0, gain)))
    again.sort(key=lambda one: _gain(one, seat))
    return [first.trail, *[one.trail for one in again]], again


def _turned(one: Comparison, trail: Trail) -> Comparison:
    """The comparison from the other side."""
    low, high = one.interval
    nothing = one.difference.minus(one.difference)
    return Comparison(trail, nothing.minus(one.difference), -(low + high) / 2, (-high, -low))


def _gain(one: Comparison, seat: int) -> float:
    return float(one.difference.chances[seat])


def _is_turn(state: GameState) -> bool:
    return state.agenda[-1].kind == TURN


def answers(state: GameState, seat: int) -> list[Candidate]:
    """The answers to a decision within a turn, each with what follows from it, the best first."""
    evaluator = Evaluator(state, seat)
    found: list[Candidate] = []
    for index in range(len(game.choices(state))):
        after = state.copy()
        game.apply(after, index)
        trail = answer_until_turn(after, evaluator, ((seat, index),))
        found.append(Candidate(trail, evaluator.valid_for(after).evaluate(after)))
    return sorted(found, key=lambda one: one.planned, reverse=True)[:CANDIDATES]


def _worth_after(deal: Deal, trail: Trail) -> Worth:
    """What the position after the turn is worth, in the mean of the draws where the choices are possible.

    The planner plays what is left of the turn after these choices.
    """
    states: list[GameState] = []
    for number in range(DEALS):
        candidate = Candidate(trail)
        try:
            candidate.begin(deal(number), Random(number))
        except ChoiceRefused:
            continue
        if not candidate.state.fresh:
            play_turn(candidate, EvaluationCache(candidate.state))
        states.append(candidate.state)
    return mean_worth(worths(states))


# -- describing


def _suggestion(
    deal: Deal,
    seat: int,
    trail: Trail,
    best: Worth,
    compared: Comparison | None,
    names: Sequence[str],
) -> Suggestion:
    start = deal(0)  # the true position would tell what is hidden
    own = trail if _is_turn(start) else tuple(takewhile(lambda made: made[0] == seat, trail))
    loss = 0.0 if compared is None else max(0.0, _gain(compared, seat))
    return Suggestion(
        choices=list(own),
        text=narrated(start, own, names),
        chance=round(max(0.0, float(best.chances[seat]) - loss), _DIGITS),
        loss=round(loss, _DIGITS),
        is_clear=compared is not None and compared.interval[0] > 0,
    )


def _why(compared: Sequence[Comparison], seat: int, after: Worth, names: Sequence[str]) -> str:
    if not compared or _gain(compared[0], seat) < _EQUAL:
        return ""
    others = [other for other in range(len(names)) if other != seat]
    rival = max(others, key=lambda other: float(after.chances[other]))
    return why(compared[0].difference, seat, rival, names)


def hint_lines(hint: Hint) -> list[str]:
    """A hint as sentences for a person, one a line."""
    best, *others = hint.suggestions
    lines = [f"Best: {as_said(best.text, hint.name)}"]
    lines.append(f"Chance to come first after it: {100 * hint.chances[hint.seat]:.0f} %.")
    lines += [f"{_loss(other)}: {as_said(other.text, hint.name)}" for other in others]
    if hint.why:
        lines.append(f"Why the first: {hint.why}")
    return lines


def _loss(other: Suggestion) -> str:
    if other.loss < _EQUAL:
        return "About as good"
    return f"Loses {100 * other.loss:.0f} %" + ("" if other.is_clear else " (perhaps)")
