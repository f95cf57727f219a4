"""Random numbers: SplitMix64 as published, unbiased bounds, and what a seed draws in which order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from referee.engine import game
from referee.engine.errors import RefereeError, SeedRefused
from referee.engine.rng import LARGEST_SEED, Rng, check_seed
from referee.engine.state import GameState
from support.combinations import combinations, named
from support.groups import each_of, together
from support.random_games import events_since
from support.rule_marker import rule

WORD = 1 << 64


def splitmix64(seed: int) -> Iterator[int]:
    """The generator, written again as it was published."""
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) % WORD
        z = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 % WORD
        z = (z ^ z >> 27) * 0x94D049BB133111EB % WORD
        yield z ^ z >> 31


@together(
    ("seed", "outputs"),
    [
        (0, [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]),
        (1234567, [6457827717110365317, 3203168211198807973, 9817491932198370423]),
    ],
)
def test_the_stream_is_splitmix64(seed: int, outputs: list[int]) -> None:
    rng = Rng(seed)
    assert [rng.bits() for _ in outputs] == outputs


@together("seed", [0, 1, 2**32, LARGEST_SEED])
def test_the_stream_continues_as_published(seed: int) -> None:
    rng = Rng(seed)
    assert [rng.bits() for _ in range(500)] == list(islice(splitmix64(seed), 500))


def test_numbers_below_a_bound_reject_biased_words() -> None:
    """With a bound a little above half of all words, about every second word is rejected."""
    bound = (1 << 63) + 1
    rng = Rng(9)
    fit = (word for word in splitmix64(9) if word < bound)
    assert [rng.below(bound) for _ in range(200)] == list(islice(fit, 200))


@together("bound", [1, 2, 3, 10, 1000, WORD])
def test_numbers_below_a_bound_are_the_remainder_of_the_word(bound: int) -> None:
    rng = Rng(77)
    expected = [word % bound for word in islice(splitmix64(77), 100)]
    assert [rng.below(bound) for _ in range(100)] == expected


def test_shuffling_swaps_each_from_the_last_with_one_not_after_it() -> None:
    things = list(range(40))
    words = splitmix64(5)
    for last in range(39, 0, -1):
        other = next(words) % (last + 1)
        things[last], things[other] = things[other], things[last]
    assert Rng(5).shuffled(tuple(range(40))) == tuple(things)


def test_every_order_is_equally_likely() -> None:
    orders = Counter(Rng(seed).shuffled((0, 1, 2)) for seed in range(3000))
    assert len(orders) == 6
    assert max(abs(count - 500) for count in orders.values()) < 80, orders


@together("things", [(), (4,), (7, 7, 7)])
def test_shuffling_keeps_all_items(things: tuple[int, ...]) -> None:
    assert Rng(3).shuffled(things) == things


# -- seeds


@together("seed", [0, 1, LARGEST_SEED])
def test_a_seed_is_a_whole_number_up_to_2_to_the_53(seed: int) -> None:
    assert check_seed(seed) == seed
    assert LARGEST_SEED == 2**53 - 1


@together("seed", [-1, 2**53, 2**80])
def test_any_other_seed_is_refused_with_a_sentence(seed: int) -> None:
    message = f"seed {seed} is not a whole number from 0 to 9007199254740991"
    with pytest.raises(SeedRefused, match=message):
        game.new_game(*named("east:3:bigbox"), seed)
    assert issubclass(SeedRefused, RefereeError)


@together("seed", [1.0, "1", None])
def test_a_seed_that_is_not_an_integer_is_refused(seed: Any) -> None:
    """The compiled engine refuses other types by itself."""
    with pytest.raises((SeedRefused, TypeError)):
        game.new_game(*named("east:3:bigbox"), seed)


# -- what a seed draws: taverns, supply, missions, favours, in this order


def start(name: str, seed: int = 11) -> GameState:
    return game.new_game(*named(name), seed)


@rule("SET-5")
@each_of(combinations()[::3])
def test_the_seed_fixes_everything_random(name: str) -> None:
    assert start(name).digest() == start(name).digest()
    assert events_since(start(name)) == events_since(start(name))
    assert len({start(name, seed).digest() for seed in range(20)}) == 20


def test_taverns_are_drawn_before_the_supply() -> None:
    plain, promos = start("hanse-4-5:4:bigbox"), start("hanse-4-5:4:bigbox+promos")
    assert plain.route_markers == promos.route_markers
    assert plain.supply_order != promos.supply_order


def test_the_supply_is_drawn_before_missions_and_favours() -> None:
    plain, both = start("hanse-4-5:4:bigbox"), start("hanse-4-5:4:bigbox+missions+favours")
    assert plain.supply_order == both.supply_order


def test_missions_are_drawn_before_favours() -> None:
    cards, both = start("hanse-4-5:4:bigbox+missions"), start("hanse-4-5:4:bigbox+missions+favours")
    assert cards.missions == both.missions
    alone = [start("hanse-4-5:4:bigbox+favours", seed).display for seed in range(20)]
    after = [start("hanse-4-5:4:bigbox+missions+favours", seed).display for seed in range(20)]
    assert alone != after


def test_a_set_up_follows_the_published_stream() -> None:
    """Start markers and supply in the order of the components, shuffled from one stream."""
    state = start("hanse-4-5:4:original", 2024)
    rules, rng = state.rules, Rng(2024)
    taverns = rng.shuffled(rules.start_markers)
    assert tuple(state.route_markers[route] for route in state.board.taverns) == taverns
    assert state.supply_order == rng.shuffled(rules.supply_markers)


def test_each_start_marker_is_equally_likely_on_each_tavern() -> None:
    starts = [start("hanse-2-3:3:bigbox", seed) for seed in range(600)]
    first = Counter(one.route_markers[one.board.taverns[0]] for one in starts)
    assert len(first) == 3
    assert max(abs(count - 200) for count in first.values()) < 50, first
