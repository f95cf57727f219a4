"""One game as numbers: the seat to move, what it sees, its legal choices and its reward.

If a decision has only one choice, it is made automatically, as in a refereed game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal, TypeAlias

from referee.engine import game
from referee.engine.board import Board
from referee.engine.choice import Choice
from referee.engine.errors import ChoiceRefused
from referee.engine.ruleset import Ruleset
from referee.engine.state import GameState
from referee.engine.terms import DO_PUT, FROM_POINT, NONE
from referee.rl.actions import Numbering
from referee.rl.observation import Observer, SeatView, seat_views
from referee.rl.observation_layout import Part, layout, sizes_of
from referee.rl.rewards import prestige_rewards, rank_rewards

Reward: TypeAlias = Literal["rank", "prestige"]

_REWARDS: Final[dict[Reward, Callable[[GameState], list[float]]]] = {
    "rank": rank_rewards,
    "prestige": prestige_rewards,
}


class Kind:
    """What games of one kind share: board, rules, and the meaning of choices and rows as numbers.

    `referee.options.load_game` returns a board and its rules.
    """

    def __init__(self, board: Board, rules: Ruleset, reward: Reward = "rank") -> None:
        self.board = board
        self.rules = rules
        self.reward: Callable[[GameState], list[float]] = _REWARDS[reward]
        self._reward_name = reward
        self.numbering = Numbering(board, rules)
        self._views: list[SeatView] = seat_views(board, rules)
        self.parts: list[Part] = layout(sizes_of(board, rules))
        self.men: list[list[int]] = [view.men for view in self._views]  # by seat, in its order
        self.row_size: int = self.parts[-1].first + self.parts[-1].length
        self.puts: list[int] = [
            self.numbering.number[DO_PUT, point] for point in range(len(board.ship))
        ]

    def observer(self) -> Observer:
        """Return what writes the rows of one game."""
        return Observer(self._views)

    def __deepcopy__(self, _: object) -> Kind:
        """The same object, which never changes."""
        return self

    def __reduce__(self) -> tuple[object, ...]:
        """For pickle: the rest follows from these."""
        return Kind, (self.board, self.rules, self._reward_name)


class NumberedGame:
    """One game of a kind, in which choices are numbers."""

    state: GameState

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.taken: int = NONE  # the point that a tradesman is taken from, between the two numbers
        self.seat: int = 0  # the seat that has to choose
        self.legal: list[int] = []
        self._offered: list[Choice] = []
        self._observer = kind.observer()  # it caches parts of this game's rows

    def begin(self, seed: int, *, events: bool = False) -> None:
        """Begin the game that `referee play --seed` plays with this seed; `events` logs its events."""
        self.resume(game.new_game(self.kind.board, self.kind.rules, seed, events=events))

    def resume(self, state: GameState) -> None:
        """Continue from this position."""
        self.state = state
        self._advance()

    def copy(self) -> NumberedGame:
        """Return an independent copy; it logs no events."""
        return _resumed(self.kind, self.state.copy(), self.taken)

    def __deepcopy__(self, _: object) -> NumberedGame:
        """For deepcopy, which then also works with a compiled engine."""
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        """For pickle: the rest follows from these."""
        return _resumed, (self.kind, self.state, self.taken)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.state.is_over

    def _advance(self) -> None:
        """Advance to the next decision with more than one choice."""
        state = self.state
        game.settle(state)
        self.taken = NONE
        self._offered = game.choices(state)
        self.seat = state.agenda[-1].seat if state.agenda else state.active
        self.legal = self.kind.numbering.by_seat[self.seat].of(self._offered)

    def step(self, number: int) -> None:
        """Make a choice; raises ChoiceRefused if this number is not legal now."""
        index = self.pick(number)
        if index is not None:
            self.choose(index)

    def choose(self, index: int) -> None:
        """Make the choice with this index in the engine's list; raises ChoiceRefused for a wrong one."""
        game.apply(self.state, index)
        self._advance()

    def pick(self, number: int) -> int | None:
        """Return the index of the choice with this number, or None if a second number must follow.

        Raises ChoiceRefused if this number is not legal now.
        """
        try:
            place = self.legal.index(number)
        except ValueError:
            decision = self.state.decision_id
            raise ChoiceRefused(
                f"number {number} is not a legal choice of decision {decision}"
            ) from None
        choice = self._offered[place]
        if choice.source != FROM_POINT:
            return place
        if self.taken == NONE:
            self.take(choice.origin)
            if len(self.legal) > 1:
                return None
            choice = self._offered[0]
        return game.choices(self.state).index(choice)

    def numbers_of(self, index: int) -> list[int]:
        """Return the numbers to step with, one or two, for the choice with this index."""
        choice = self._offered[index]
        first = self.legal[index]
        if choice.source != FROM_POINT or self.legal.count(first) == 1:
            return [first]
        return [first, self.kind.puts[choice.point]]

    def take(self, origin: int) -> None:
        """Take a tradesman; the choices that remain are the points to put it on."""
        self.taken = origin
        self._offered = [choice for choice in self._offered if choice.origin == origin]
        self.legal = [self.kind.puts[choice.point] for choice in self._offered]

    def row(self, seat: int) -> bytearray:
        """Return what a seat sees, as a row that `kind.parts` describes."""
        return self._observer.row(self.state, seat, self.taken if seat == self.seat else NONE)

    def add_row(self, parts: list[bytes]) -> None:
        """Add the parts of what the seat that has to choose sees to `parts`, in order."""
        self._observer.add_row(self.state, self.seat, self.taken, parts)

    def add_row_apart(self, numbers: list[int], parts: list[bytes]) -> None:
        """Add the same in the form from which `rows.RowBuilder` makes many rows at once."""
        self._observer.add_apart(self.state, self.seat, self.taken, numbers, parts)

    def mask(self, seat: int) -> bytearray:
        """Return 1 for each number that is legal now, and 0 for all others.

        For a seat that does not have to choose, all are 0.
        """
        mask = bytearray(self.kind.numbering.size)
        if seat == self.seat:
            for number in self.legal:
                mask[number] = 1
        return mask

    def rewards(self) -> Sequence[float]:
        """Return the reward of each seat; before the end, all are 0."""
        return self.kind.reward(self.state) if self.is_over else [0.0] * self.kind.rules.players


def _resumed(kind: Kind, state: GameState, taken: int) -> NumberedGame:
    """A game in this position, in which the tradesman of the point `taken` is about to be put."""
    made = NumberedGame(kind)
    made.resume(state)
    if taken != NONE:
        made.take(taken)
    return made
