"""Weights as other players might have them."""

from __future__ import annotations

from dataclasses import asdict

from referee.thinking.weights import DEFAULT_WEIGHTS, varied


def test_each_number_has_weights_of_its_own() -> None:
    assert varied(DEFAULT_WEIGHTS, 1, 0.3) == varied(DEFAULT_WEIGHTS, 1, 0.3)
    assert varied(DEFAULT_WEIGHTS, 1, 0.3) != varied(DEFAULT_WEIGHTS, 2, 0.3)


def test_weights_stay_of_the_same_order_and_sign() -> None:
    first = asdict(DEFAULT_WEIGHTS)
    for number in range(20):
        for name, value in asdict(varied(DEFAULT_WEIGHTS, number, 0.3)).items():
            values = value if name == "uses" else [value]
            known = first[name] if name == "uses" else [first[name]]
            assert all(0.2 < one / other < 5 for one, other in zip(values, known, strict=True)), (
                name
            )


def test_the_length_of_the_game_is_not_varied() -> None:
    other = varied(DEFAULT_WEIGHTS, 3, 0.3)
    assert (other.rounds, other.last_rounds) == (
        DEFAULT_WEIGHTS.rounds,
        DEFAULT_WEIGHTS.last_rounds,
    )
    assert other.open_city == DEFAULT_WEIGHTS.open_city
