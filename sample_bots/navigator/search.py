"""The search: turns from the planner, each played out against likely replies, the worse half dropped."""

from random import Random

from thinking.candidates import Breadth
from thinking.ledger import Ledger
from thinking.outlook import Outlook
from thinking.plan import best_lines, distinct
from thinking.quick import quick_answer

from referee.engine import game
from referee.engine.terms import TURN

CANDIDATES = 16
DEALS = 4  # ways in which the hidden markers and missions may lie
PLANNING = 0.5  # of the time at most
TURN_NOW = Breadth()
LATER_TURNS = Breadth(kept=1, places=3, displaces=1, moves=1)  # one line each, and almost as good


class Candidate:
    """One way to play the turn, and how its playouts ended."""

    def __init__(self, trail):
        self.trail = trail
        self.total, self.count = 0.0, 0

    def mean(self):
        """What its playouts were worth."""
        return self.total / self.count


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
        lines = distinct(best_lines(state, outlook, TURN_NOW, self._is_planning_over))
        return self._race([Candidate(line.trail) for line in lines[:CANDIDATES]]).trail

    def _is_planning_over(self):
        return self.meter.used() > PLANNING

    def _race(self, live):
        """All are played out, then the better half again, until one is left or the time is over."""
        while len(live) > 1:
            tried = self._play_out(live)
            tried.sort(key=Candidate.mean, reverse=True)
            live = tried[:1] if self._is_over() else tried[: (len(tried) + 1) // 2]
        return live[0]

    def _play_out(self, live):
        """One more playout for each, the most promising first, as far as the time goes."""
        tried = []
        for candidate in live:
            if tried and self._is_over():
                break
            candidate.total += self._playout(candidate)
            candidate.count += 1
            self.meter.count()
            tried.append(candidate)
        return tried

    def _is_over(self):
        return self.meter.used() >= 1

    def _playout(self, candidate):
        """What the turn is worth when every other seat, and then the seat itself, had a turn more.

        The n-th playouts of all candidates have the same chance: they differ by the turn alone.
        """
        rng = Random(candidate.count)
        state = self._dealt(candidate.count % DEALS).copy()
        _follow(state, candidate.trail, rng)
        for _ in range(state.rules.players):
            if not state.over:
                outlook = Outlook(state, state.active, self.ledger)
                _follow(state, best_lines(state, outlook, LATER_TURNS)[0].trail, rng)
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
