"""A bot that tries every choice on the engine and takes the one after which it is best off."""

import sys
from pathlib import Path

import referee
from protocol import run

# `thinking` comes with the referee: among its sample bots, inside the package or beside it.
sys.path += [str(folder / "sample_bots") for folder in Path(referee.__file__).resolve().parents[:2]]

from thinking.engine_bot import EngineBot
from evaluation import Worth

from referee.engine import game
from referee.engine.terms import DO_MOVE, TURN


class Greedy(EngineBot):
    """It looks one choice ahead and no further; of equals it takes the last, which does least."""

    name = "greedy"

    def decide(self, request):
        """The index of the choice that leads to the position of greatest worth."""
        state = self.position(request)
        return best_index(state, Worth(state, self.seat))


def best_index(state, worth):
    """The choice after which the seat is best off."""
    worths = [worth.of(_after(state, index, worth)) for index in range(len(game.choices(state)))]
    return max(range(len(worths)), key=lambda index: (worths[index], index))


def _after(state, index, worth):
    """The position after a choice; a move is followed to its end, since it begins with a loss."""
    after = state.copy()
    game.apply(after, index)
    if game.choices(state)[index].do == DO_MOVE:
        while game.pending(after).kind != TURN:
            game.apply(after, best_index(after, worth))
    return after


if __name__ == "__main__":
    run(Greedy())
