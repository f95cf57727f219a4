"""A bot that tries every choice on the engine and takes the one that leads to the best position.

python bot.py                       always takes that one
python bot.py --set mistakes=0.2    takes one choice in five at random, so that it is a weaker opponent
"""

from __future__ import annotations

from evaluation import Evaluator

from protocol import Request, run
from referee.engine import game
from referee.engine.state import GameState
from referee.engine.terms import DO_MOVE, TURN
from referee.thinking.engine_bot import EngineBot


class Greedy(EngineBot):
    """Looks one choice ahead; of equally good choices it takes the last, which does least."""

    name = "greedy"

    def __init__(self, mistakes: float = 0.0) -> None:
        self.mistakes = mistakes

    def decide(self, request: Request) -> int:
        """The index of the choice that leads to the position with the highest value."""
        if self.random.random() < self.mistakes:
            return self.random.randrange(len(request.choices))
        state = self.position(request)
        return best_index(state, Evaluator(state, self.seat))


def best_index(state: GameState, evaluator: Evaluator) -> int:
    """The index of the choice that leads to the best position for the seat."""
    count = len(game.choices(state))
    values = [evaluator.evaluate(_after(state, index, evaluator)) for index in range(count)]
    return max(range(count), key=lambda index: (values[index], index))


def _after(state: GameState, index: int, evaluator: Evaluator) -> GameState:
    """The position after a choice; a move is followed to its end, since it begins with a loss."""
    after = state.copy()
    game.apply(after, index)
    if game.choices(state)[index].do == DO_MOVE:
        while (decision := game.pending(after)) and decision.kind != TURN:
            game.apply(after, best_index(after, evaluator))
    return after


if __name__ == "__main__":
    run(Greedy)
