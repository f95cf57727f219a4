"""The parameters of the house bots: the weights of merchant, and how often weak bots make mistakes."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from house_bots.conftest import Load, Seated
from referee.bots.find import find_bot
from referee.thinking.weights import DEFAULT_WEIGHTS
from support.table import table


def test_every_weight_is_a_parameter_with_the_same_default() -> None:
    weights = {name: value for name, value in asdict(DEFAULT_WEIGHTS).items() if name != "uses"}
    assert find_bot("merchant").all_values == weights
    assert all(
        type(weights[parameter.name]).__name__ == parameter.type
        for parameter in find_bot("merchant").parameters
    )


def test_the_defaults_leave_its_weights_as_they_are(load: Load) -> None:
    assert load("merchant").Merchant(**find_bot("merchant").all_values).weights == DEFAULT_WEIGHTS


def test_other_weights_lead_to_other_choices(seated: Seated) -> None:
    state = table("hanse-4-5")
    plain, other = seated("merchant", state, 0), seated("merchant", state, 0, supply=2.0, post=0.0)
    assert plain(state) != other(state)


@pytest.mark.parametrize("name", ["trader", "greedy"])
def test_a_bot_with_mistakes_sometimes_chooses_something_else(name: str, seated: Seated) -> None:
    state = table("hanse-4-5")
    best = seated(name, state, 0, mistakes=0.0)(state)
    some, only = (seated(name, state, 0, mistakes=share) for share in (0.5, 1.0))
    assert {best} < {some(state) for _ in range(20)}
    assert len({only(state) for _ in range(20)}) > 10
