"""Plans a whole turn: sequences of choices on the engine, with the best few kept at each step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from referee.engine import game
from referee.engine.abilities import value
from referee.engine.state import GameState
from referee.engine.terms import ACTIONS, DO_MOVE
from referee.thinking.candidates import ONE_LINE, Breadth, candidates
from referee.thinking.decisions import Trail, answer_until_turn
from referee.thinking.evaluation import Evaluator
from referee.thinking.moving import moves

Key: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A sequence of choices of one turn, and the position it leads to."""

    state: GameState
    trail: Trail
    value: float
    evaluator: Evaluator  # valid for `state`


def best_lines(
    state: GameState,
    evaluator: Evaluator,
    breadth: Breadth,
    in_a_hurry: Callable[[], bool] = lambda: False,
) -> list[Line]:
    """The best ways to play the whole turn, the best first.

    Doing nothing is among them only if nothing else is possible: a game where all seats wait
    never ends. As soon as `in_a_hurry` returns True, only one line is followed, but to the end
    of the turn: half a turn is worth little.
    """
    frontier = [Line(state, (), evaluator.evaluate(state), evaluator)]
    ended: list[Line] = []
    while frontier:
        later: dict[Key, Line] = {}
        for number, line in enumerate(frontier):
            is_late = in_a_hurry()
            if number and is_late:
                break
            for longer in _longer(line, ONE_LINE if is_late else breadth):
                if longer.state.over:
                    ended.append(longer)
                else:
                    _keep_better(later, longer)
        frontier = sorted(later.values(), key=_value, reverse=True)[: breadth.positions]
        ended += [_end_turn(line) for line in frontier]
    return sorted(ended, key=_value, reverse=True) or [_end_turn(Line(state, (), 0.0, evaluator))]


def _value(line: Line) -> float:
    return line.value


def _keep_better(lines: dict[Key, Line], line: Line) -> None:
    """The same actions in another order lead to the same position: one of them is enough."""
    key = key_of(line.state)
    if key not in lines or line.value > lines[key].value:
        lines[key] = line


def key_of(state: GameState) -> Key:
    """Positions of one turn with the same key are equal for a plan."""
    return (
        len(state.agenda),
        state.actions_left,
        tuple(state.points),
        tuple(state.supply),
        tuple(state.desk),
        tuple(state.posts),
        tuple(state.markers),
    )


def distinct(lines: list[Line]) -> list[Line]:
    """The lines without those that end in the same position as an earlier one."""
    return list({key_of(line.state): line for line in reversed(lines)}.values())[::-1]


def _end_turn(line: Line) -> Line:
    """The line with the turn ended: actions left are lost. Ending is always the last choice."""
    lost = line.evaluator.weights.action_now * _lost_actions(line)
    last = len(game.choices(line.state)) - 1
    trail = (*line.trail, (line.evaluator.seat, last))
    return Line(line.state, trail, line.value - lost, line.evaluator)


def _lost_actions(line: Line) -> int:
    """The actions that the turn ends without; a favour costs all that the ability shows (FAV-1)."""
    if line.state.forgone:
        return value(line.state, line.evaluator.seat, ACTIONS)
    return line.state.actions_left


def _longer(line: Line, breadth: Breadth) -> list[Line]:
    """The lines that continue this one by one action or the use of a marker."""
    found: list[Line] = []
    options, here = game.choices(line.state), line.evaluator
    for index in candidates(line.state, here, breadth, is_first=not line.trail):
        if options[index].do == DO_MOVE:
            for after, trail in moves(line.state, index, here, breadth.moves):
                found.append(_evaluated(after, line.trail + trail, here))
        else:
            after = line.state.copy()
            game.apply(after, index)
            trail = answer_until_turn(after, here, ((here.seat, index),))
            found.append(_evaluated(after, line.trail + trail, here))
    return found


def _evaluated(state: GameState, trail: Trail, before: Evaluator) -> Line:
    here = before.valid_for(state)
    return Line(state, trail, here.evaluate(state), here)


class Plan:
    """The seat's own choices of a trail, one by one, as long as each position is as expected."""

    def __init__(self, seat: int = 0, trail: Trail = ()) -> None:
        self.seat, self.rest = seat, list(trail)
        self.expected: Key = ()

    def goes_on(self, state: GameState) -> bool:
        """Whether this is the position that the next choice was planned for."""
        return bool(self.rest) and self.expected == key_of(state)

    def next(self, state: GameState) -> int:
        """The next choice. Also computes the position in which the seat is asked again."""
        _, index = self.rest.pop(0)
        after = state.copy()
        game.apply(after, index)
        while self.rest and (self.rest[0][0] != self.seat or len(game.choices(after)) == 1):
            game.apply(after, self.rest.pop(0)[1])
        self.expected = key_of(after)
        return index
