"""A policy as a bot, which plays in matches and tournaments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from protocol.request import Choice
from protocol.words import View
from referee.engine.restore import restore
from referee.rl.game import Kind, NumberedGame

Policy: TypeAlias = Callable[[NDArray[np.uint8], NDArray[np.int8]], int]
"""A function of a row (what a seat sees) and a mask (what it may choose) that returns a number."""


def choose(policy: Policy, game: NumberedGame, seat: int) -> int:
    """Return the number that the policy chooses in this seat."""
    row = np.frombuffer(game.row(seat), np.uint8)
    mask = np.frombuffer(game.mask(seat), np.int8)
    return int(policy(row, mask))


class PolicyBot:
    """A bot that plays games of one kind by a policy.

    Pass it to `play_match` or `Tournament` like a function. The games must have the same board,
    number of players and options as `kind`.
    """

    def __init__(self, kind: Kind, policy: Policy, name: str = "policy", version: str = "") -> None:
        self.name = name
        self.version = version  # to a tournament, another version is another bot
        self.kind = kind
        self._game = NumberedGame(kind)
        self.policy = policy

    def __call__(self, view: View, choices: Sequence[Choice]) -> int:  # noqa: ARG002  a bot's
        """Return the index of the choice that the policy makes."""
        request = {**view, "state": view}
        seat, table = view["seat"], self._game
        # What is hidden from the seat is drawn at random, but no row shows it.
        table.resume(restore(self.kind.board, self.kind.rules, seat, request, seed=0))
        index = None
        while index is None:
            index = table.pick(choose(self.policy, table, seat))
        return index
