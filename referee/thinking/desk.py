"""What a seat's desk is worth, and what the next step of each ability would add."""

from __future__ import annotations

from referee.engine.state import GameState
from referee.engine.terms import (
    ACTIONS,
    BANK,
    BOOK,
    KEYS,
    NONE,
    PRIVILEGE,
    SCHOLAR,
    desk_index,
)
from referee.thinking.weights import Weights


class Desk:
    """What the five abilities of a seat are worth."""

    def __init__(self, state: GameState, seat: int, turns: float, weights: Weights) -> None:
        self.steps = state.desk[desk_index(seat, 0) : desk_index(seat + 1, 0)]
        self.values = state.rules.values
        self.weights = weights
        components, is_scholar = state.rules.components, state.favours[seat] >> SCHOLAR & 1
        self.full = components.ability_scholar if is_scholar else components.ability
        self.each = {
            ACTIONS: weights.action_turn * turns,
            PRIVILEGE: weights.privilege + weights.privilege_turn * turns,
            BOOK: weights.book + weights.book_turn * turns,
            BANK: weights.bank + weights.bank_turn * turns,
        }
        """What abilities are worth: ACTIONS per action that it gives, the others per step."""

    def total(self) -> float:
        """What all abilities are worth, except keys, which multiply the network."""
        return sum([self.ability(ability, self.steps[ability]) for ability in self.each], 0.0)

    def ability(self, ability: int, steps: int) -> float:
        """What an ability is worth after this number of steps."""
        count = self._value(ability, steps) - self.values[ability][0]
        total = self.each[ability] * (count if ability == ACTIONS else steps)
        missing = len(self.values[ability]) - 1 - steps
        if missing > 1:
            return total
        return total + (self.weights.nearly_full if missing else self.full)

    def keys(self, steps: int = NONE) -> float:
        """What keys multiply the network by, after this number of steps or (NONE) the present ones."""
        return self._value(KEYS, self.steps[KEYS] if steps == NONE else steps)

    def _value(self, ability: int, steps: int) -> float:
        """The value of a step. A step that changes nothing counts a part of the next one."""
        values = self.values[ability]
        if steps == len(values):
            return float(values[-1])
        value = float(values[steps])
        if 0 < steps < len(values) - 1 and values[steps] == values[steps - 1]:
            value += self.weights.half_step * (values[steps + 1] - values[steps])
        return value

    def next_step(self, ability: int) -> float:
        """What one more step adds, with the tradesman that it frees; without what keys multiply."""
        steps = self.steps[ability]
        if steps == len(self.values[ability]) - 1:
            return 0.0
        freed = self.weights.merchant if ability == BOOK else self.weights.step_trader
        if ability == KEYS:
            return freed
        return freed + self.ability(ability, steps + 1) - self.ability(ability, steps)
