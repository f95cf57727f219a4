"""The decisions of a recorded game as numbers; the compiled build compiles this, so numpy is not used."""

from __future__ import annotations

from collections.abc import Sequence

from referee.rl.game import NumberedGame


class Decisions:
    """Some decisions of a game: each attribute holds one entry per decision, unless it says more."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []  # of the rows, several for each decision
        self.legal: list[int] = []  # the legal numbers of one decision after the other
        self.counts: list[int] = []  # how many numbers are legal
        self.actions: list[int] = []  # the number that was chosen
        self.seats: list[int] = []
        self.turns: list[int] = []
        self.ids: list[int] = []

    def add(self, game: NumberedGame, number: int) -> None:
        """Add the pending decision of a game, in which this number is chosen."""
        game.add_row(self.parts)
        self.legal += game.legal
        self.counts.append(len(game.legal))
        self.actions.append(number)
        self.seats.append(game.seat)
        self.turns.append(game.state.turn)
        self.ids.append(game.state.decision_id)


def follow(
    game: NumberedGame, picks: Sequence[int], first: int, most: int, found: Decisions
) -> int:
    """Make the recorded choices from index `first` on, and add their decisions to `found`.

    A pick is the index of the choice in a decision with several choices, or `~index` for a decision
    to leave out. Stops after `most` decisions; returns the index of the first pick not made.
    """
    at = first
    while at < len(picks) and len(found.actions) < most:
        pick = picks[at]
        at += 1
        for number in game.numbers_of(pick if pick >= 0 else -pick - 1):
            if pick >= 0:
                found.add(game, number)
            game.step(number)
    return at
