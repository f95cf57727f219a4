"""A bot that restores each position on the engine, so that it can try its choices there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocol import Bot, Game, Request
from referee.atlas import board_from_words, load_components
from referee.engine.board import Board
from referee.engine.restore import restore
from referee.engine.ruleset import Ruleset, make_ruleset
from referee.engine.state import GameState

if TYPE_CHECKING:  # a bot starts faster without types that it does not need
    from protocol.parts import Rules


class EngineBot(Bot):
    """A bot with the board, the rules and the position of each decision as engine objects."""

    board: Board
    rules: Ruleset

    def start(self, game: Game) -> None:
        """Make the engine's board and ruleset from the `start` message."""
        self.board = board_from_words(game.board)
        self.rules = rules_from_words(self.board, game.rules)

    def position(self, request: Request, seed: int = 0) -> GameState:
        """The position of a request, with its choices in the same order.

        What is hidden from the seat is drawn at random from `seed`.
        """
        return restore(self.board, self.rules, self.seat, request.message, seed)


def rules_from_words(board: Board, words: Rules) -> Ruleset:
    """The ruleset that the `rules` of a `start` message describe."""
    return make_ruleset(
        load_components(),
        board,
        words["players"],
        edition=words["edition"],
        missions=words["missions"],
        favours=words["favours"],
        neutral=words["neutral"],
        permits=words["permits"],
        promos=words["promos"],
        max_turns=words["max_turns"],
    )
