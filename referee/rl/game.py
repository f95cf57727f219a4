"""One game as numbers: the seat to move, what it sees, its legal choices and its reward.

Decisions with a single choice are taken at once, as a referee does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal, TypeAlias

from referee.engine import game
from referee.engine.board import Board
from referee.engine.errors import ChoiceRefused
from referee.engine.ruleset import Ruleset
from referee.engine.state import GameState
from referee.engine.terms import DO_PUT, FROM_POINT, NONE
from referee.rl.actions import Numbering
from referee.rl.observation import Observer
from referee.rl.observation_layout import layout, sizes_of
from referee.rl.rewards import prestige_rewards, rank_rewards

Reward: TypeAlias = Literal["rank", "prestige"]

_REWARDS: Final[dict[Reward, Callable[[GameState], list[float]]]] = {
    "rank": rank_rewards,
    "prestige": prestige_rewards,
}


class Kind:
    """What games of one kind share: the board, the rules, and the numbers of choices and rows."""

    def __init__(self, board: Board, rules: Ruleset, reward: Reward = "rank") -> None:
        self.board = board
        self.rules = rules
        self.reward = _REWARDS[reward]
        self.numbering = Numbering(board, rules)
        self.parts = layout(sizes_of(board, rules))
        self.row_size = self.parts[-1].first + self.parts[-1].length
        self.puts = [self.numbering.number[DO_PUT, point] for point in range(len(board.ship))]


class NumberedGame:
    """One game of a kind, played by numbers."""

    state: GameState

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self._observer = Observer(kind.board, kind.rules)  # it caches parts of this game's rows

    def begin(self, seed: int) -> None:
        """Begin a new game; the same seed gives the same game in `referee play`."""
        self.resume(game.new_game(self.kind.board, self.kind.rules, seed, events=False))

    def resume(self, state: GameState) -> None:
        """Continue from this position."""
        self.state = state
        self._advance()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.state.is_over

    def _advance(self) -> None:
        """Advance to the next decision with more than one choice."""
        state = self.state
        game.settle(state)
        self.taken = NONE  # the point that a tradesman is taken from, between the two numbers
        self._offered = game.choices(state)
        self.seat = state.agenda[-1].seat if state.agenda else state.active
        self.legal = list(map(self.kind.numbering.by_seat[self.seat].__getitem__, self._offered))

    def step(self, number: int) -> None:
        """Make a choice; ChoiceRefused if this number is not legal now."""
        index = self.pick(number)
        if index is not None:
            game.apply(self.state, index)
            self._advance()

    def pick(self, number: int) -> int | None:
        """The index of a number among the choices; None if it is the first of two numbers."""
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
            self._take(choice.origin)
            if len(self.legal) > 1:
                return None
            choice = self._offered[0]
        return game.choices(self.state).index(choice)

    def _take(self, origin: int) -> None:
        """Take a tradesman; the choices that remain are the points to put it on."""
        self.taken = origin
        self._offered = [choice for choice in self._offered if choice.origin == origin]
        self.legal = [self.kind.puts[choice.point] for choice in self._offered]

    def row(self, seat: int) -> bytearray:
        """What a seat sees; `kind.parts` describes the row."""
        return self._observer.row(self.state, seat, self.taken if seat == self.seat else NONE)

    def mask(self, seat: int) -> bytearray:
        """1 for each number that is legal now; all 0 for a seat that is not asked."""
        mask = bytearray(self.kind.numbering.size)
        if seat == self.seat:
            for number in self.legal:
                mask[number] = 1
        return mask

    def rewards(self) -> Sequence[float]:
        """By seat: the reward; all 0 before the end."""
        return self.kind.reward(self.state) if self.is_over else [0.0] * self.kind.rules.players
