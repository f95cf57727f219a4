"""How long to think about a turn: by the clock, with a reserve, or for a number of rounds."""

from time import monotonic

RESERVE_MS = 200.0  # never touched: the machine may be busy when the answer is due
RESERVE_SHARE = 0.1  # of the clock, never touched either
LARGEST_SHARE = 0.3  # of the clock, for one turn
DECISIONS = 5  # requests of a turn, each of which brings an increment
FEWER_TURNS = 1.5  # than are guessed from what is left of the game
LAST_TURNS = 2.0  # for so many the time must last, even if the end is near
MOST_MS = 1500.0  # longer thinking hardly changes a turn


def budget_ms(left_ms, clock, turns):
    """What a turn may take of the time that is left, with so many turns to come; 0 is no time at all.

    `clock` is the one of the game. Without a bank nothing can be saved for later turns.
    """
    spendable = max(0.0, left_ms - max(RESERVE_MS, RESERVE_SHARE * left_ms))
    if clock["bank_ms"] is None:
        return min(spendable, MOST_MS)
    steady = spendable / max(LAST_TURNS, turns - FEWER_TURNS)
    steady += DECISIONS * clock["increment_ms"]
    return min(steady, LARGEST_SHARE * spendable, MOST_MS)


class TimeMeter:
    """Counts milliseconds from its creation on."""

    def __init__(self, budget):
        self.begun, self.budget = monotonic(), budget

    def used(self):
        """Which part of the budget is used; 1 and more is all of it."""
        return 1000 * (monotonic() - self.begun) / self.budget

    def count(self):
        """Do nothing: the clock counts."""


class NodeMeter:
    """Counts rounds of turns, whatever the clock says."""

    def __init__(self, budget):
        self.made, self.budget = 0, budget

    def used(self):
        """Which part of the budget is used; 1 and more is all of it."""
        return self.made / self.budget

    def count(self):
        """Count one more round."""
        self.made += 1
