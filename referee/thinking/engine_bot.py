"""A bot that makes each position on the engine, so that it can try its choices there."""

from __future__ import annotations

import protocol
from protocol import Bot, Request
from referee import Game
from referee.engine.state import GameState


class EngineBot(Bot):
    """A bot with the position of each decision as a game to search in."""

    def start(self, game: protocol.Game) -> None:
        """Read the board and the rules, while no clock runs for decisions."""
        Game.prepare(game)

    def known_game(self, request: Request, seed: int = 0) -> Game:
        """The game as the seat knows it, with the choices of the request in the same order.

        What is hidden from the seat is drawn at random from `seed`.
        """
        return Game.from_request(self.game, request, seed)

    def position(self, request: Request) -> GameState:
        """The same as a position of the engine, for the evaluation."""
        return self.known_game(request).engine_state
