"""Invariants on any path through any game, also on generated boards."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from protocol.fold import Table
from referee import atlas
from referee.engine import game, view
from referee.engine.board import Board
from referee.engine.restore import restore
from referee.engine.ruleset import Ruleset
from referee.engine.state import GameState
from referee.engine.terms import MARKERS
from referee.random_play import kind_first, uniform
from support.combinations import named
from support.conservation import (
    all_tradesmen,
    covered_markers,
    full_set,
    hidden_markers,
    open_markers,
)
from support.random_games import Words, events_since, kind_of, message, seat_of, start_message
from support.strategies import boards, games_on, names, seeds, steady, ways


def follow_path(state: GameState, way: list[int]) -> list[int]:
    """Apply these numbers, each modulo the number of choices, until the game ends. Returns the indices."""
    taken: list[int] = []
    for number in way:
        if state.is_over:
            break
        taken.append(number % len(game.choices(state)))
        game.apply(state, taken[-1])
    return taken


def in_the_middle(board: Board, rules: Ruleset, seed: int, steps: int) -> GameState:
    """A game after this number of random choices (`kind_first`)."""
    state, rng = game.new_game(board, rules, seed), Random(seed)
    for _ in range(steps):
        if not state.is_over:
            game.apply(state, kind_first(game.choices(state), rng))
    return state


def check_invariants(state: GameState) -> None:
    """Check everything that must be true of any position."""
    seen, rules = view.see(state, 0), state.rules
    assert all_tradesmen(seen) == full_set(rules.players)
    box = Counter(MARKERS[marker] for marker in rules.start_markers + rules.supply_markers)
    assert open_markers(seen).total() + covered_markers(seen) == 3 + rules.supply_size
    assert open_markers(seen) + hidden_markers(state) <= box
    assert bool(game.choices(state)) is not state.is_over
    assert public_state(state) == {k: v for k, v in seen.items() if k not in OWN}
    if not state.is_over:
        check_choices(state)
        check_restored(state)


OWN = ("mission", "plate_seen")


def public_state(state: GameState) -> dict[str, object]:
    folded = Table(start_message(state, 0))
    folded.apply(events_since(state))
    if not state.is_over and kind_of(state) == "place-marker":
        about = view.about(state, state.agenda[-1])
        message: Any = {"decision": "place-marker", "about": about, "events": []}
        folded.hear(message)
    return {key: words for key, words in folded.state.items() if key not in OWN}


def check_choices(state: GameState) -> None:
    offered = game.choices(state)
    kinds = [choice.do for choice in offered]
    assert kinds == sorted(kinds)
    choices = view.request(state)["choices"]
    assert isinstance(choices, list)
    assert len({json.dumps(choice) for choice in choices}) == len(offered)


def check_restored(state: GameState) -> None:
    sent = json.loads(json.dumps(message(state)))
    twin = restore(state.board, state.rules, seat_of(state), sent, 1)
    assert message(twin) == message(state)
    twin.supply_order, twin.drawn = state.supply_order[state.drawn :], 0
    twin.plates, twin.missions = state.plates, state.missions
    assert twin.digest() == state.digest()


# -- bundled boards


@steady(40)
@given(names, seeds, ways)
def test_invariants_hold_on_any_path_from_the_start(name: str, seed: int, way: list[int]) -> None:
    state = game.new_game(*named(name), seed)
    indices = follow_path(state, way)
    check_invariants(state)
    assert game.replay(*named(name), seed, indices).digest() == state.digest()


@steady(40)
@given(names, seeds, st.integers(0, 600), ways)
def test_invariants_hold_on_any_path_from_the_middle(
    name: str, seed: int, steps: int, way: list[int]
) -> None:
    state = in_the_middle(*named(name), seed, steps)
    follow_path(state, way)
    check_invariants(state)


@steady(25)
@given(names, seeds, st.integers(0, 300), ways, ways)
def test_copies_on_different_paths_do_not_affect_each_other(
    name: str, seed: int, steps: int, way: list[int], other: list[int]
) -> None:
    state = in_the_middle(*named(name), seed, steps)
    digest, one, two = state.digest(), state.copy(), state.copy()
    follow_path(one, way)
    gone = one.digest()
    follow_path(two, other)
    again = state.copy()
    follow_path(again, way)
    assert (state.digest(), one.digest(), again.digest()) == (digest, gone, gone)


# -- generated boards


@steady(25)
@given(st.data(), boards(), seeds, st.booleans())
def test_any_small_board_is_played_to_the_end(
    data: st.DataObject, words: Words, seed: int, evenly: bool
) -> None:
    board = atlas.board_from_words(words)
    rules = data.draw(games_on(board, max_turns=40))
    state, rng = game.new_game(board, rules, seed), Random(seed)
    for step in range(5000):
        if step % 60 == 0 or state.is_over:
            check_invariants(state)
        if state.is_over:
            break
        game.apply(state, (uniform if evenly else kind_first)(game.choices(state), rng))
    assert state.is_over
    assert len(game.standings(state)) == rules.players
