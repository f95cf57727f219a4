"""A hint: legal at every kind of decision, made of what the seat knows, and in the right order."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from referee.analysis import hint as hints
from referee.analysis.alternatives import Comparison
from referee.analysis.evaluate import Worth
from referee.analysis.hint import MOST, Hint, Suggestion, hint_for, hint_lines
from referee.analysis.lines import Settings
from referee.engine import game
from referee.engine.restore import redraw
from referee.engine.state import GameState
from referee.engine.terms import DECISIONS
from referee.replay.timeline import open_timeline
from support.recorded_games import record

QUICK = Settings(time_ms=None, rounds=1)
GAMES = (
    "hanse-4-5:4:bigbox+missions+favours+promos+max_turns=40",
    "britannia-2-3:2:bigbox+permits+neutral=2009+max_turns=40",
)
NAMES = ["ann", "bob", "cat", "dan"]


@cache
def decisions_of(name: str) -> dict[str, GameState]:
    """A position before each kind of decision with two choices or more: the last one of each kind.

    They are from a game of these rules, and all tests share them: do not change them.
    """
    with tempfile.TemporaryDirectory() as folder:
        timeline = open_timeline(record(Path(folder) / "game.jsonl", name))
        steps = [step for step in range(1, timeline.last + 1) if timeline.steps[step].offered > 1]
        last = {DECISIONS[timeline.steps[step].kind]: step for step in steps}
        return {kind: timeline.state(step - 1) for kind, step in last.items()}


@pytest.mark.parametrize("name", GAMES)
def test_a_hint_at_every_kind_of_decision_is_legal(name: str) -> None:
    found = decisions_of(name)
    assert {"turn", "relocate", "place-marker", "lift", "put"} <= found.keys()
    for kind, state in found.items():
        hint = hint_for(state, NAMES[: state.rules.players], QUICK)
        assert (hint.decision, hint.id, hint.seat) == (
            kind,
            state.decision_id,
            state.agenda[-1].seat,
        )
        assert hint.choice == hint.suggestions[0].choices[0][1]
        assert 1 <= len(hint.suggestions) <= min(MOST, len(game.choices(state)))
        assert sum(hint.chances) == pytest.approx(1, abs=1e-3)
        for one in hint.suggestions:
            assert len(one.text) == len(one.choices)
            check_legal(state.copy(), one)
        losses = [one.loss for one in hint.suggestions]
        assert losses == sorted(losses)
        assert losses[0] == 0


def check_legal(state: GameState, one: Suggestion) -> None:
    for seat, index in one.choices:
        assert state.agenda[-1].seat == seat
        game.apply(state, index)  # raises ChoiceRefused


def test_a_hint_does_not_depend_on_what_is_hidden() -> None:
    found = decisions_of(GAMES[0])
    for kind in ("turn", "place-marker"):
        state = found[kind]
        other_truth = state.copy()
        redraw(other_truth, state.agenda[-1].seat, 99)
        assert state.digest() != other_truth.digest()
        assert hint_for(state, NAMES, QUICK) == hint_for(other_truth, NAMES, QUICK)


def test_a_hint_does_not_change_the_position() -> None:
    state = decisions_of(GAMES[0])["turn"]
    before = state.digest()
    hint_for(state, NAMES, QUICK)
    assert state.digest() == before


# -- the order


def worth(chance: float) -> Worth:
    """A difference of chances for seat 0 of two."""
    chances = np.array([chance, -chance], np.float32)
    nothing = np.zeros(2, np.float32)
    return Worth(chances, nothing, nothing, np.zeros((2, 8), np.float32))


def compared(index: int, gain: float, half: float) -> Comparison:
    interval = (gain - half, gain + half)
    return Comparison(((0, index),), worth(gain), max(0.0, gain), interval)


def test_a_turn_that_clearly_beats_the_one_of_the_search_comes_first() -> None:
    beaten = ((0, 7),)
    trails, found = hints._exchanged(beaten, [compared(1, -0.2, 0.05), compared(2, 0.1, 0.05)], 0)
    assert trails == [((0, 1),), beaten, ((0, 2),)]
    assert [round(one.loss, 3) for one in found] == [0.2, 0.3]
    assert [round(float(one.difference.chances[0]), 3) for one in found] == [0.2, 0.3]
    assert found[0].interval == pytest.approx((0.15, 0.25))


def test_the_sentences_say_the_losses_and_whether_they_are_clear() -> None:
    suggestions = [
        Suggestion(
            [(0, 3), (0, 9)], ["ann places a trader at X", "ann ends the turn"], 0.5, 0, False
        ),
        Suggestion([(0, 4)], ["ann ends the turn"], 0.499, 0.001, False),
        Suggestion([(0, 5)], ["ann takes 2 traders as income"], 0.4, 0.1, True),
        Suggestion([(0, 6)], ["ann buys a permit"], 0.3, 0.2, False),
    ]
    hint = Hint(12, 0, "ann", "turn", 3, [0.5, 0.5], suggestions, "ann can expect more.")
    assert hint_lines(hint) == [
        "Best: places a trader at X",
        "Chance to come first after it: 50 %.",
        "About as good: ends the turn",
        "Loses 10 %: takes 2 traders as income",
        "Loses 20 % (perhaps): buys a permit",
        "Why the first: ann can expect more.",
    ]
