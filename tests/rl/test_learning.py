"""The example that learns: after a few games it beats random play."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from protocol import Choice, View
from referee import Tournament, chance
from referee.rl import PolicyBot
from support.paths import ROOT

GAMES = 15


def example() -> Any:
    path = ROOT / "examples" / "learn.py"
    spec = importlib.util.spec_from_file_location("learn", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def at_random(view: View, choices: list[Choice]) -> Choice:
    """A random kind of choice, then a random choice of that kind, like the bot `random`."""
    luck = chance(view)
    kind = luck.choice(sorted({choice["do"] for choice in choices}))
    return luck.choice([choice for choice in choices if choice["do"] == kind])


@pytest.mark.timeout(300)
def test_what_is_learnt_in_a_few_games_beats_random_play() -> None:
    learn = example()
    kind, policy = learn.learn(GAMES, seed=1)
    bots: dict[str, Any] = {"learnt": PolicyBot(kind, policy.draw), "a": at_random, "b": at_random}
    result = Tournament(bots, seats=3, blocks=1, seed=1, secret="5a" * 16, **learn.TABLE).run()
    totals = {bot: result[bot].mean_total or 0.0 for bot in bots}
    assert result.faults == []
    assert result["learnt"].games == 3
    assert totals["learnt"] > 2 * max(totals["a"], totals["b"], 0.5)


def test_the_same_seed_learns_the_same() -> None:
    learn = example()
    (_, one), (_, other) = learn.learn(1, seed=2), learn.learn(1, seed=2)
    assert (one.weights == other.weights).all()
    assert one.weights.any()


def test_the_page_shows_where_the_example_is() -> None:
    text = (ROOT / "docs" / "learning.md").read_text("utf-8")
    assert "python examples/learn.py" in text
    assert Path(ROOT / "examples" / "learn.py").exists()
