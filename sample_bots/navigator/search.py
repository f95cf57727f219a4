"""The search: turns from the planner, played on round by round, the worse half dropped each time."""

from random import Random

from thinking.candidates import ONE_LINE, Breadth
from thinking.cache import Ledger
from thinking.evaluation import Outlook
from thinking.plan import best_lines, distinct
from thinking.quick import quick_answer

from referee.engine import game
from referee.engine.terms import TURN

CANDIDATES = 24
DEALS = 8  # ways at most in which the hidden markers and missions may lie
PLANNING = 0.4  # of the time at most
PLANNED = 0.5  # of the judgement after a round, for the planner's own before it
TURN_NOW = Breadth(kept=14, places=10, displaces=6, moves=5)  # wider, for different turns


class Candidate:
    """One way to play the turn, and how it went on."""

    def __init__(self, line):
        self.trail, self.planned = line.trail, line.worth
        self.rounds = 0  # in all races: the further it came, the better it is

    def begin(self, state, rng):
        """Play the turn in a position where all hidden things lie in one of their ways."""
        self.state, self.rng = state.copy(), rng
        self.total, self.count = PLANNED * self.planned, PLANNED
        for _, index in self.trail:
            game.apply(self.state, index)
        self.settle()

    def settle(self):
        """What is decided between two turns: where the markers go."""
        while not self.state.over and self.state.agenda[-1].kind != TURN:
            game.apply(self.state, quick_answer(self.state, self.rng))

    def judge(self, worth):
        """The position after one more round is worth so much."""
        self.total, self.count = self.total + worth, self.count + 1
        self.rounds += 1

    def mean(self):
        """What it was worth in this race: near and far count alike."""
        return self.total / self.count


class Search:
    """The search for one turn of one seat."""

    def __init__(self, deal, seat, meter):
        self.deal = deal  # from a number: the position with one of the ways in which things may lie
        self.seat, self.meter = seat, meter
        self.state = deal(0)
        self.ledger = Ledger(self.state)

    def best_trail(self):
        """The choices of the turn that came furthest in all races."""
        field = self._candidates()
        for number in range(DEALS):
            if len(field) > 1 and not self._is_over():
                self._race(field, number)
                field.sort(key=lambda one: (one.rounds, one.mean()), reverse=True)
        return field[0].trail

    def _candidates(self):
        """The planner's best turns that lead to different positions, the best first."""
        outlook = Outlook(self.state, self.seat, self.ledger)
        lines = best_lines(self.state, outlook, TURN_NOW, lambda: self.meter.used() > PLANNING)
        return [Candidate(line) for line in distinct(lines)[:CANDIDATES]]

    def _race(self, field, number):
        """All are played on by a round, then the better half, until one is left or time is over."""
        start = self.deal(number) if number else self.state
        for one in field:
            one.begin(start, Random(number))  # the same chance for all: they differ by the turn
        live = field
        while len(live) > 1:
            for one in live:
                if self._is_over():
                    return
                self._play_on(one)
            live = sorted(live, key=Candidate.mean, reverse=True)[: (len(live) + 1) // 2]
        live[0].rounds += 1

    def _play_on(self, one):
        """Every seat has a turn, the searching one the last; what the position is worth then."""
        for _ in range(one.state.rules.players):
            if not one.state.over:
                outlook = Outlook(one.state, one.state.active, self.ledger)
                line = best_lines(one.state, outlook, ONE_LINE)[0]
                one.state = line.state
                if not one.state.over:
                    game.apply(one.state, line.trail[-1][1])
                    one.settle()
        one.judge(Outlook(one.state, self.seat, self.ledger).of(one.state))
        self.meter.count()

    def _is_over(self):
        return self.meter.used() >= 1
