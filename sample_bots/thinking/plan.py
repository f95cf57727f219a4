"""A whole turn thought through: sequences of choices on the engine, the best few kept at each step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from referee.engine import game
from referee.engine.state import GameState
from referee.engine.terms import DO_MOVE
from thinking.decisions import Trail, settle
from thinking.candidates import ONE_LINE, Breadth, candidates
from thinking.moving import moves
from thinking.evaluation import Outlook

Key: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A way to play the turn, as far as it goes."""

    state: GameState
    trail: Trail
    worth: float
    outlook: Outlook  # from there on


def best_lines(
    state: GameState,
    outlook: Outlook,
    breadth: Breadth,
    in_a_hurry: Callable[[], bool] = lambda: False,
) -> list[Line]:
    """The turn played to its end in the most promising ways, the best first.

    To do nothing is no way as long as there is another: a table where all wait never ends. In a
    hurry one line is followed, but that to its end: a turn broken off is worth little.
    """
    frontier = [Line(state, (), outlook.of(state), outlook)]
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
        frontier = sorted(later.values(), key=_worth, reverse=True)[: breadth.kept]
        ended += [_end_turn(line) for line in frontier]
    return sorted(ended, key=_worth, reverse=True) or [_end_turn(Line(state, (), 0.0, outlook))]


def _worth(line: Line) -> float:
    return line.worth


def _keep_better(lines: dict[Key, Line], line: Line) -> None:
    """The same actions in another order lead to the same position: one of them is enough."""
    key = key_of(line.state)
    if key not in lines or line.worth > lines[key].worth:
        lines[key] = line


def key_of(state: GameState) -> Key:
    """Positions of one turn with the same key are the same for a plan."""
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
    """Of lines that end in the same position only the first."""
    return list({key_of(line.state): line for line in reversed(lines)}.values())[::-1]


def _end_turn(line: Line) -> Line:
    """The turn ended here: what actions are left is lost. To end it is always the last choice."""
    lost = line.outlook.weights.action_now * line.state.actions_left
    last = len(game.choices(line.state)) - 1
    trail = (*line.trail, (line.outlook.seat, last))
    return Line(line.state, trail, line.worth - lost, line.outlook)


def _longer(line: Line, breadth: Breadth) -> list[Line]:
    """The line with one more action, or the use of a marker."""
    found: list[Line] = []
    options, here = game.choices(line.state), line.outlook
    for index in candidates(line.state, here, breadth, is_first=not line.trail):
        if options[index].do == DO_MOVE:
            for after, trail in moves(line.state, index, here, breadth.moves):
                found.append(_judged(after, line.trail + trail, here))
        else:
            after = line.state.copy()
            game.apply(after, index)
            trail = settle(after, here, ((here.seat, index),))
            found.append(_judged(after, line.trail + trail, here))
    return found


def _judged(state: GameState, trail: Trail, before: Outlook) -> Line:
    here = before.at(state)
    return Line(state, trail, here.of(state), here)


class Plan:
    """One's own choices of a trail, made one after the other as long as all goes as expected."""

    def __init__(self, seat: int = 0, trail: Trail = ()) -> None:
        self.seat, self.rest = seat, list(trail)
        self.expected: Key = ()

    def goes_on(self, state: GameState) -> bool:
        """Whether this is the position that the next choice was planned for."""
        return bool(self.rest) and self.expected == key_of(state)

    def next(self, state: GameState) -> int:
        """The next choice; what comes before one is asked again is done in thought."""
        _, index = self.rest.pop(0)
        after = state.copy()
        game.apply(after, index)
        while self.rest and (self.rest[0][0] != self.seat or len(game.choices(after)) == 1):
            game.apply(after, self.rest.pop(0)[1])
        self.expected = key_of(after)
        return index
