"""A game as numbers: masks, steps, rewards, batches, and policies as bots."""

from __future__ import annotations

import pickle
import sys
from copy import deepcopy
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import referee.rl
from referee import play_match
from referee.engine import game, view
from referee.engine.errors import ChoiceRefused
from referee.engine.terms import DO_PUT, NONE
from referee.options import GameOptions, load_game
from referee.rl import Batch, Ended, Kind, NumberedGame, PolicyBot, pick_uniformly
from referee.rl.actions import TAKE
from referee.rl.rewards import prestige_rewards, rank_rewards
from support.combinations import named, representative
from support.groups import each_of
from support.random_games import decisions, final_of, played, sampled, seat_of

SHORT = 12


def kind(name: str = "hanse-2-3:3:bigbox", max_turns: int = SHORT) -> Kind:
    board, rules = named(f"{name}+max_turns={max_turns}")
    return Kind(board, rules)


@each_of(representative())
def test_the_mask_is_what_the_engine_allows(name: str) -> None:
    one = played(name)
    table = NumberedGame(Kind(one.board, one.rules))
    for state in sampled(name):
        if len(game.choices(state)) == 1:
            continue
        table.resume(state.copy())
        numbers = table.kind.numbering.by_seat[table.seat]
        legal = {numbers[choice] for choice in game.choices(state)}
        assert {number for number, bit in enumerate(table.mask(table.seat)) if bit} == legal
        assert not any(table.mask((table.seat + 1) % one.rules.players))


@each_of(representative()[1::2])
def test_a_game_by_numbers_is_the_game_that_the_engine_plays(name: str) -> None:
    one = played(name)
    table = NumberedGame(Kind(one.board, one.rules))
    table.begin(one.seed)
    for state, index in zip(decisions(one), one.indices, strict=False):
        if len(game.choices(state)) == 1:
            continue
        assert (table.state.decision_id, table.seat) == (state.decision_id, seat_of(state))
        choice = game.choices(state)[index]
        table.step(table.kind.numbering.by_seat[table.seat][choice])
        if table.taken != NONE:
            table.step(table.kind.puts[choice.point])
    assert table.state.digest() == final_of(name).digest()


def from_point_to_point() -> NumberedGame:
    """A game where a seat must take a tradesman from a point, and has several points to put it on."""
    for name in representative():
        one = played(name)
        for state in decisions(one):
            offered = game.choices(state)
            origins = [choice.origin for choice in offered if choice.origin != NONE]
            if any(origins.count(origin) > 1 for origin in origins):
                table = NumberedGame(Kind(one.board, one.rules))
                table.resume(state.copy())
                return table
    raise AssertionError("no game of these has one")


def test_from_point_to_point_takes_two_numbers() -> None:
    table = from_point_to_point()
    keys, seat, before = table.kind.numbering.keys, table.seat, table.state.decision_id
    number = next(one for one in table.legal if keys[one][0] == TAKE and table.legal.count(one) > 1)
    goals = table.legal.count(number)
    table.step(number)
    assert (table.taken, table.seat, table.state.decision_id) == (keys[number][1], seat, before)
    assert [keys[one][0] for one in table.legal] == [DO_PUT] * goals
    origin = next(part for part in table.kind.parts if part.name == "origin")
    assert table.row(seat)[origin.first + table.taken] == 1
    goal = keys[table.legal[-1]][1]
    table.step(table.legal[-1])
    assert table.state.points[goal] != 0
    assert table.state.points[keys[number][1]] == 0
    assert table.state.decision_id > before


def test_what_is_not_legal_is_refused_and_changes_nothing() -> None:
    table = NumberedGame(kind())
    table.begin(1)
    before = table.state.digest()
    wrong = next(number for number in range(9999) if number not in table.legal)
    with pytest.raises(ChoiceRefused, match=f"number {wrong} is not a legal choice of decision 1"):
        table.step(wrong)
    assert table.state.digest() == before


# -- rewards


@each_of(representative())
def test_rewards_add_up_to_zero(name: str) -> None:
    final = final_of(name)
    assert abs(sum(rank_rewards(final))) < 1e-9
    assert abs(sum(prestige_rewards(final))) < 1e-9


def test_the_first_gets_1_and_the_last_minus_1_and_shared_ranks_share() -> None:
    ranks = [standing.rank for standing in game.standings(final_of("hanse-2-3:3:bigbox"))]
    assert sorted(ranks) == [1, 2, 3]
    rewards = rank_rewards(final_of("hanse-2-3:3:bigbox"))
    assert [rewards[ranks.index(rank)] for rank in (1, 2, 3)] == [1.0, 0.0, -1.0]
    fresh = game.new_game(*named("hanse-2-3:3:original"), 1)
    assert rank_rewards(fresh) == [0.0, 0.0, 0.0]


def test_prestige_is_rewarded_by_the_lead_over_the_mean_of_the_others() -> None:
    final = final_of("hanse-2-3:3:bigbox")
    first, second, third = (standing.total for standing in game.standings(final))
    assert prestige_rewards(final)[0] == first - (second + third) / 2


def test_rewards_are_zero_before_the_end() -> None:
    table = NumberedGame(kind())
    table.begin(1)
    assert table.rewards() == [0.0, 0.0, 0.0]


# -- many at once


def test_a_batch_plays_the_same_games_again() -> None:
    def play() -> tuple[list[object], bytes]:
        batch, rng = Batch(kind(), 3, seed=5), np.random.default_rng(5)
        ended: list[object] = []
        for _ in range(120):
            ended += batch.step(pick_uniformly(batch.masks(), rng))
        return ended, batch.rows().tobytes()

    assert play() == play()
    assert len(play()[0]) > 3


@each_of(representative())
def test_a_batch_shows_what_each_of_its_games_shows(name: str) -> None:
    one = Kind(*named(name))
    states = sampled(name)
    batch, tables = Batch(one, len(states)), [NumberedGame(one) for _ in states]
    batch.resume([state.copy() for state in states])
    for table, state in zip(tables, states, strict=True):
        table.resume(state.copy())
    for _ in range(2):
        rows, masks = batch.rows(), batch.masks()
        assert rows.shape == (len(states), one.row_size)
        for place, table in enumerate(tables):
            if not table.is_over:
                assert batch.seats[place] == table.seat
                assert rows[place].tobytes() == bytes(table.row(table.seat))
                assert masks[place].tobytes() == bytes(table.mask(table.seat))
        picked = masks.argmax(axis=1)
        for table, number in zip(tables, picked.tolist(), strict=True):
            if not table.is_over:
                table.step(number)
        batch.step(picked)


def test_the_games_of_a_batch_begin_with_seeds_from_its_own() -> None:
    one = kind()
    seeds, table = np.random.default_rng(3), NumberedGame(one)
    for row in Batch(one, 2, seed=3).rows():
        table.begin(int(seeds.integers(2**53)))
        assert row.tobytes() == bytes(table.row(0))


def test_a_game_that_resumes_where_nothing_is_left_to_decide_begins_again() -> None:
    batch = Batch(kind(), 1)
    batch.resume([final_of("hanse-2-3:3:bigbox").copy()])
    assert batch.masks().any()


def test_a_batch_needs_a_number_for_each_game() -> None:
    with pytest.raises(ValueError, match="there are 3 numbers for 2 games"):
        Batch(kind(), 2).step([0, 0, 0])


def test_rows_and_masks_of_a_batch_can_be_written_to() -> None:
    batch = Batch(kind(), 2)
    assert batch.rows().flags.writeable
    assert batch.masks().flags.writeable


def test_a_game_of_a_batch_that_ends_starts_again() -> None:
    batch, rng = Batch(kind(max_turns=1), 2), np.random.default_rng(0)
    ended: list[Ended] = []
    while not ended:
        ended = batch.step(pick_uniformly(batch.masks(), rng))
    assert len(ended[0].rewards) == 3
    assert batch.seats[ended[0].place] == 0


def test_only_what_is_legal_is_picked() -> None:
    masks = np.zeros((50, 9), np.int8)
    masks[:, [2, 7]] = 1
    picked = pick_uniformly(masks, np.random.default_rng(0))
    assert set(picked.tolist()) == {2, 7}


# -- policies as bots


def test_a_policy_plays_a_refereed_match_as_it_plays_by_numbers() -> None:
    one = kind("hanse-2-3:2:bigbox+missions+neutral=britannia")
    rows: list[bytes] = []

    def policy(row: NDArray[np.uint8], mask: NDArray[np.int8]) -> int:
        rows.append(row.tobytes())
        legal = np.flatnonzero(mask)
        return int(legal[sum(row.tolist()) % len(legal)])

    result = play_match([PolicyBot(one, policy)] * 2, seed=4, missions=True, max_turns=SHORT)
    assert result.faults == []
    in_match = rows[:]
    rows.clear()
    table = NumberedGame(one)
    table.begin(4)
    while not table.is_over:
        row = np.frombuffer(table.row(table.seat), np.uint8)
        table.step(policy(row, np.frombuffer(table.mask(table.seat), np.int8)))
    assert rows == in_match
    totals = [standing.total for standing in game.standings(table.state)]
    assert totals == [place["total"] for place in result.standings]


def test_a_policy_bot_has_a_name_and_a_version() -> None:
    bot = PolicyBot(kind(), lambda row, mask: int(mask.argmax()), name="learnt", version="3")
    result = play_match([bot, bot, bot], seed=4, max_turns=3)
    assert result.standings[0]["name"] == "learnt@in-process"


def test_a_policy_may_answer_in_two_numbers() -> None:
    table = from_point_to_point()
    rng = Random(1)
    asked: list[int] = []

    def policy(row: NDArray[np.uint8], mask: NDArray[np.int8]) -> int:
        legal = np.flatnonzero(mask).tolist()
        taking = [one for one in legal if table.kind.numbering.keys[one][0] == TAKE]
        asked.append(rng.choice(taking or legal))
        return asked[-1]

    seat = table.seat
    request = view.request(table.state)
    seen: Any = {**view.see(table.state, seat), **request, "seat": seat}
    index = PolicyBot(table.kind, policy)(seen, [])
    keys = [table.kind.numbering.keys[one] for one in asked]
    chosen = game.choices(table.state)[index]
    assert keys[0] == (TAKE, chosen.origin)
    assert len(keys) == 1 or keys[1] == (DO_PUT, chosen.point)


def test_a_game_can_be_copied_between_the_two_numbers_of_a_choice() -> None:
    table = from_point_to_point()
    number = next(one for one in table.legal if table.legal.count(one) > 1)
    table.step(number)
    twin = deepcopy(table)
    assert (twin.seat, twin.taken, twin.legal) == (table.seat, table.taken, table.legal)
    assert twin.row(twin.seat) == table.row(table.seat)
    twin.step(twin.legal[0])
    assert table.taken != NONE


def test_a_pickled_game_goes_on_between_the_two_numbers_of_a_choice() -> None:
    table = from_point_to_point()
    table.step(next(one for one in table.legal if table.legal.count(one) > 1))
    twin: NumberedGame = pickle.loads(pickle.dumps(table))
    assert (twin.seat, twin.taken, twin.legal) == (table.seat, table.taken, table.legal)
    assert (twin.kind.rules, twin.kind.parts) == (table.kind.rules, table.kind.parts)
    for one in (table, twin):
        one.step(one.legal[-1])
    assert twin.state.digest() == table.state.digest()


def test_a_choice_from_point_to_point_has_the_numbers_to_step_with() -> None:
    table = from_point_to_point()
    before, offered = table.state.copy(), game.choices(table.state)
    for index in range(len(offered)):
        table.resume(before.copy())
        for number in table.numbers_of(index):
            table.step(number)
        after = before.copy()
        game.apply(after, index)
        twin = NumberedGame(table.kind)
        twin.resume(after)  # plays on where there is only one choice
        assert table.state.digest() == twin.state.digest()


def test_default_options_are_those_of_the_command_line() -> None:
    board, rules = load_game(GameOptions(), 2)
    assert (board.id, rules.neutral, rules.max_turns) == ("hanse-2-3", "britannia", 1000)
    assert load_game(GameOptions(), 4).board.id == "hanse-4-5"


# -- the extra


@pytest.mark.parametrize("name", ["env", "raw_env", "SingleAgentEnv"])
def test_without_the_extra_the_sentence_says_what_to_install(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("environment", "opponents", "seen", "single_agent"):
        monkeypatch.delitem(sys.modules, f"referee.rl.{module}", raising=False)
        monkeypatch.delattr(referee.rl, module, raising=False)
    for extra in ("gymnasium", "pettingzoo"):
        monkeypatch.setitem(sys.modules, extra, None)
    with pytest.raises(ImportError, match=rf"{name} needs \w+: pip install .*\[rl\]"):
        getattr(referee.rl, name)


def test_an_unknown_name_cannot_be_imported_from_the_package() -> None:
    with pytest.raises(ImportError, match="cannot import name 'environ'"):
        from referee.rl import environ  # noqa: F401
