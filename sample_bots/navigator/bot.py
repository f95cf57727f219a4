"""A bot that plays its best few turns out on the engine, and takes the one that ends best.

python bot.py              thinks by the clock, or so many rounds when there is none
python bot.py --nodes 60   so many rounds a turn whatever the clock says: repeatable
"""

import argparse
import sys
from pathlib import Path

import referee
from protocol import run

# `thinking` comes with the referee: among its sample bots, inside the package or beside it.
sys.path += [str(folder / "sample_bots") for folder in Path(referee.__file__).resolve().parents[:2]]

from budget import NodeMeter, TimeMeter, budget_ms
from search import Search
from thinking.decisions import best_index
from thinking.candidates import ONE_LINE
from thinking.cache import Ledger, turns_to_come
from thinking.evaluation import Outlook
from thinking.plan import Plan, best_lines
from thinking.quick import QuickSeat
from thinking.engine_bot import EngineBot

from referee.engine.terms import TURN

ROUNDS = 60  # for a turn without a clock
LITTLE_TIME_MS = 60.0  # with less than this for a turn it is planned, and not searched
NO_TIME_MS = 15.0  # with less than this there is no thinking


class Navigator(EngineBot):
    """It searches at the first decision of a turn, and follows its plan as far as that holds."""

    name = "navigator"

    def __init__(self, nodes=None):
        self.nodes = nodes

    def start(self, game):
        """Begin a new game without a plan."""
        super().start(game)
        self.plan = Plan()

    def decide(self, request):
        """The next choice of the plan, or of a new one."""
        state = self.position(request)
        if self.plan.goes_on(state):
            return self.plan.next(state)
        if state.agenda[-1].kind != TURN:
            return best_index(state, Outlook(state, self.seat))
        budget = self._budget(request, turns_to_come(state))
        if budget is not None and budget < NO_TIME_MS:
            return QuickSeat(state, Ledger(state), self.random).pick(state)
        if budget is not None and budget < LITTLE_TIME_MS:
            trail = best_lines(state, Outlook(state, self.seat), ONE_LINE)[0].trail
        else:
            meter = NodeMeter(self.nodes or ROUNDS) if budget is None else TimeMeter(budget)
            trail = Search(lambda deal: self.position(request, deal), self.seat, meter).best_trail()
        self.plan = Plan(self.seat, trail)
        return self.plan.next(state)

    def _budget(self, request, turns):
        """How many milliseconds the turn may take; None if no clock counts."""
        if self.nodes is not None or request.clock_ms is None:
            return None
        return budget_ms(request.time_left(), self.game.clock, turns)


def arguments():
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(description="A bot for Hansa Teutonica that searches.")
    parser.add_argument("--nodes", type=int, help="rounds for each turn, whatever the clock says")
    return parser.parse_args()


if __name__ == "__main__":
    run(Navigator(arguments().nodes))
