"""A bot that thinks its whole turn through before the first action, and then carries it out."""

import sys
from pathlib import Path

import referee
from protocol import run

# `thinking` comes with the referee: among its sample bots, inside the package or beside it.
sys.path += [str(folder / "sample_bots") for folder in Path(referee.__file__).resolve().parents[:2]]

from thinking.decisions import best_index
from thinking.candidates import ONE_LINE
from thinking.evaluation import Outlook
from thinking.plan import Plan, best_lines
from thinking.engine_bot import EngineBot

from referee.engine.terms import TURN


class Merchant(EngineBot):
    """It follows its plan as long as everybody does what it expected."""

    name = "merchant"

    def start(self, game):
        """Begin a new game without a plan."""
        super().start(game)
        self.plan = Plan()

    def decide(self, request):
        """The next choice of the plan, or of a new one."""
        state = self.position(request)
        if not self.plan.goes_on(state):
            outlook = Outlook(state, self.seat)
            if state.agenda[-1].kind != TURN:
                return best_index(state, outlook)
            self.plan = Plan(self.seat, best_lines(state, outlook, ONE_LINE)[0].trail)
        return self.plan.next(state)


if __name__ == "__main__":
    run(Merchant())
