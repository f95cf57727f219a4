"""Draws: a block depends on the seed, the table, the set and the number, and on nothing else."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.engine.rng import LARGEST_SEED
from referee.tournament.schedule import game_id
from referee.tournament.schedule.draws import Draws
from support.plans import FOUR, THREE, field
from support.source_files import imported, modules
from support.strategies import steady

BOTS = field(4)


def test_the_order_in_which_bots_are_named_changes_nothing() -> None:
    assert Draws(7).block(FOUR, BOTS, 0, 0) == Draws(7).block(FOUR, BOTS[::-1], 0, 0)


def test_any_difference_gives_another_block() -> None:
    draws = Draws(7)
    blocks = [
        draws.block(FOUR, BOTS, 0, 0),
        Draws(8).block(FOUR, BOTS, 0, 0),
        replace(draws, series="s0").block(FOUR, BOTS, 0, 0),
        draws.block(FOUR._replace(name="other"), BOTS, 0, 0),
        draws.block(FOUR, BOTS, 1, 0),
        draws.block(THREE, BOTS[:3], 0, 0),
    ]
    assert len({block.id for block in blocks}) == len(blocks)
    assert len({block.seed for block in blocks}) == len(blocks)


def test_names_are_hashed_separately() -> None:
    assert Draws(7).block(FOUR, ["a", "bc"], 0, 0).id != Draws(7).block(FOUR, ["ab", "c"], 0, 0).id


@steady(50)
@given(seed=st.integers(0, 2**128), number=st.integers(0, 10**6))
def test_seeds_suit_the_engine_and_ids_suit_folders(seed: int, number: int) -> None:
    block = Draws(seed).block(FOUR, BOTS, number, 0)
    assert 0 <= block.seed <= LARGEST_SEED
    assert set(block.id) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert sorted(block.bots) == BOTS


def test_all_cyclic_orders_are_equally_likely() -> None:
    drawn = [Draws(7).block(FOUR, BOTS, number, 0) for number in range(1200)]
    orders = Counter(min(block.seatings()) for block in drawn)
    assert len(orders) == 6
    assert all(count == pytest.approx(200, abs=50) for count in orders.values())


def test_seeds_fill_their_range() -> None:
    seeds = [Draws(7).block(FOUR, BOTS, number, 0).seed for number in range(400)]
    quarters = Counter(4 * seed // (LARGEST_SEED + 1) for seed in seeds)
    assert all(quarters[quarter] == pytest.approx(100, abs=30) for quarter in range(4))


@pytest.mark.parametrize("bots", [BOTS, ["b00", "b00", "b01", "b01"], field(5)])
@pytest.mark.parametrize("all_orders", [False, True])
def test_in_a_block_every_bot_sits_in_each_seat_equally_often(
    bots: list[str], all_orders: bool
) -> None:
    draws = Draws(7, all_orders)
    seatings = draws.block(FOUR, bots, 0, 0).seatings()
    assert len(seatings) == draws.games_of(bots)
    for bot in bots:
        times = {sum(seats[seat] == bot for seats in seatings) for seat in range(len(bots))}
        assert times == {len(seatings) * bots.count(bot) // len(bots)}


def test_the_id_of_a_game_is_unique_and_independent_of_the_seed() -> None:
    blocks = [Draws(7).block(FOUR, BOTS, number, 0) for number in range(50)]
    ids = {game_id(block, index) for block in blocks for index in range(4)}
    assert len(ids) == 200
    assert game_id(blocks[0]._replace(seed=0), 1) == game_id(blocks[0], 1)


def test_no_id_reveals_bits_of_the_seed() -> None:
    blocks = [Draws(7).block(FOUR, BOTS, number, 0) for number in range(2000)]
    for bits in (lambda block: block.id[-16:], lambda block: game_id(block, 0)[-16:]):
        alike = sum((int(bits(block), 16) >> 60) == (block.seed >> 49) for block in blocks)
        assert alike / len(blocks) == pytest.approx(1 / 16, abs=0.02)


def test_more_names_do_not_change_the_order_of_the_others() -> None:
    few, many = (Draws(7).order(field(count), "label") for count in (10, 30))
    assert [bot for bot in many if bot in few] == few
    assert few != field(10)
    assert Draws(7).order(few, "other label") != few


def test_the_schedule_uses_no_files_no_clock_and_no_other_randomness() -> None:
    impure = {"io", "numpy", "os", "pathlib", "random", "secrets", "sys", "time", "datetime"}
    found = {name for path in modules("referee/tournament/schedule") for name in imported(path)}
    assert "hashlib" in found
    assert not found & impure
