"""The search: turns from the planner, each played out against likely replies, the worse half dropped."""

from random import Random

from thinking.candidates import Breadth
from thinking.ledger import Ledger
from thinking.outlook import Outlook
from thinking.plan import best_lines, distinct
from thinking.quick import QuickSeat, quick_answer

from referee.engine import game
from referee.engine.terms import TURN

CANDIDATES = 8
DEALS = 4  # ways in which the hidden markers and missions may lie
ROUNDS = 1  # how far a playout goes: every seat has so many turns
PLANNING = 0.5  # of the time at most


class Candidate:
    """One way to play the turn, and how its playouts ended."""

    def __init__(self, line):
        self.trail, self.prior = line.trail, line.worth
        self.total, self.count = 0.0, 0

    def mean(self):
        """What its playouts were worth; the planner's opinion before the first."""
        return self.total / self.count if self.count else self.prior


class Search:
    """The search for one turn of one seat."""

    def __init__(self, deal, seat, meter):
        self.deal = deal  # from a number: the position with one of the ways in which things may lie
        self.seat, self.meter = seat, meter
        self.deals = {}
        self.ledger = Ledger(self._dealt(0))

    def best_trail(self):
        """The choices of the best turn."""
        state = self._dealt(0)
        outlook = Outlook(state, self.seat, self.ledger)
        lines = distinct(best_lines(state, outlook, Breadth(), self._is_planning_over))
        return self._race([Candidate(line) for line in lines[:CANDIDATES]]).trail

    def _is_planning_over(self):
        return self.meter.used() > PLANNING

    def _race(self, candidates):
        """The better half goes on, until one is left or the time is over."""
        live = candidates
        laps = max(1, (len(live) - 1).bit_length())
        for lap in range(1, laps + 1):
            while len(live) > 1 and self._lap(live, lap / laps):
                pass
            live = sorted(live, key=Candidate.mean, reverse=True)[: (len(live) + 1) // 2]
        return live[0]

    def _lap(self, live, until):
        """One more playout for each; False when the time for this half is over."""
        for candidate in live:
            if self.meter.used() >= until:
                return False
            candidate.total += self._playout(candidate)
            candidate.count += 1
            self.meter.count()
        return True

    def _playout(self, candidate):
        """What the turn is worth after some rounds of quick play.

        The n-th playouts of all candidates have the same chance: they differ by the turn alone.
        """
        rng = Random(candidate.count)
        state = self._dealt(candidate.count % DEALS).copy()
        _follow(state, candidate.trail, rng)
        for _ in range(ROUNDS * state.rules.players):
            if not state.over:
                QuickSeat(state, self.ledger, rng).play_turn(state)
        return Outlook(state, self.seat, self.ledger).of(state)

    def _dealt(self, number):
        if number not in self.deals:
            self.deals[number] = self.deal(number)
        return self.deals[number]


def _follow(state, trail, rng):
    """Play the turn to its end, the placing of markers included."""
    for _, index in trail:
        game.apply(state, index)
    while not state.over and state.agenda[-1].kind != TURN:
        game.apply(state, quick_answer(state, rng))
