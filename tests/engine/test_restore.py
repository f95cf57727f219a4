"""A full state from what one seat knows: the same choices, and hidden things that fit."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from random import Random
from typing import Any

import pytest

from referee.engine import game, view
from referee.engine.errors import ViewRefused
from referee.engine.restore import restore
from referee.engine.state import GameState
from referee.engine.terms import DECISIONS, MARKERS, REWARD, TURN
from referee.random_play import kind_first
from support.combinations import WITH_VALUES, named, representative
from support.conservation import (
    PROMOS,
    all_tradesmen,
    box_of_markers,
    full_set,
    hidden_markers,
    open_markers,
)
from support.groups import each_of, together
from support.random_games import Words, decisions, kind_of, message, played, sampled, seat_of
from support.table import about, asked, offers, play, seen, table

every_kind = each_of(representative())
ALL_OPTIONS = (
    "hanse-4-5:4:bigbox+missions+favours+promos",
    "hanse-2-3:2:original+missions+favours+neutral=britannia",
    "east:5:bigbox+promos",
    "britannia-4-5:5:bigbox+permits+promos",
    "britannia-2-3:2:bigbox+permits+promos+neutral=2009",
)
MARKERS_FIRST = [name for name in WITH_VALUES if "permanent_markers=must" in name]


def sent(state: GameState) -> Words:
    """The message as a bot reads it from its input."""
    read: Words = json.loads(json.dumps(message(state)))
    return read


def restored(state: GameState, seed: int = 3) -> GameState:
    return restore(state.board, state.rules, seat_of(state), sent(state), seed)


@cache
def twins(name: str) -> list[tuple[GameState, GameState]]:
    """Sampled states, each with the state restored from what its seat sees; do not change them."""
    return [(state, restored(state, state.decision_id)) for state in sampled(name)]


# -- what is visible


def with_the_truth(twin: GameState, state: GameState) -> GameState:
    """A copy of the restored state with the true hidden things."""
    twin = twin.copy()
    twin.supply_order, twin.drawn = state.supply_order[state.drawn :], 0
    twin.plates, twin.missions = state.plates, state.missions
    return twin


@every_kind
def test_a_restored_state_is_the_same_except_for_hidden_things(
    name: str,
) -> None:
    for state, twin in twins(name):
        assert message(twin) == message(state)
        assert with_the_truth(twin, state).digest() == state.digest()


@every_kind
def test_with_the_true_hidden_things_a_restored_game_continues_the_same(name: str) -> None:
    one = played(name)
    for state, restored_state in twins(name):
        twin, original = with_the_truth(restored_state, state), state.copy()
        for index in one.indices[state.decision_id - 1 :][:15]:
            game.apply(twin, index)
            game.apply(original, index)
        assert twin.digest() == original.digest()


@every_kind
def test_play_continues_from_a_restored_state(name: str) -> None:
    rng = Random(name)
    for _, restored_state in twins(name):
        twin = restored_state.copy()
        for _ in range(20):
            if not twin.is_over:
                game.apply(twin, kind_first(game.choices(twin), rng))
        assert all_tradesmen(view.see(twin, 0)) == full_set(twin.rules.players)


def hold_on(state: GameState) -> None:
    twin = restored(state)
    assert message(twin) == message(state)
    assert with_the_truth(twin, state).digest() == state.digest()


def test_a_move_that_a_bought_permit_frees_is_restored_as_free() -> None:
    """Without the permit, tradesmen from England would have to stay there."""
    state = table(
        "britannia-2-3",
        permits=True,
        points={"cambridge--norwich": ["0t", None, None]},
        markers={0: ["plus-3-actions"]},
        draws=[],
    )
    play(state, do="permit")
    play(state, do="move")
    hold_on(state)
    play(state, do="lift")
    play_if_offered(state, do="stop")
    assert asked(state) == ("put", 0)
    assert about(state)["unbound"]
    hold_on(state)


def test_a_replacement_that_could_not_be_drawn_is_restored() -> None:
    """The neutral colour's creation takes a marker, and its post is asked for before the end."""
    state = table(
        "hanse-2-3",
        players=2,
        points={"bremen--hamburg": ["nt"] * 4},
        route_markers={"bremen--hamburg": "move-3"},
        draws=[],
    )
    play(state, do="place", route="goslar--quedlinburg", tradesman="trader")
    assert asked(state) == ("neutral-post", 0)
    assert seen(state)["undrawn"]
    hold_on(state)


def test_a_reward_that_waits_for_a_permanent_marker_is_restored() -> None:
    waiting = [
        state.copy()
        for name in MARKERS_FIRST
        for state in decisions(played(name))
        if [decision.kind for decision in state.agenda[:-1]] == [TURN, REWARD]
    ]
    assert waiting
    for state in waiting:
        hold_on(state)


def play_if_offered(state: GameState, do: str) -> None:
    if offers(state, do=do):
        play(state, do=do)


def test_every_kind_of_decision_is_restored_by_these_tests() -> None:
    met = {kind_of(state) for name in representative() for state in sampled(name)}
    assert met == set(DECISIONS)


def test_a_restored_state_emits_no_events() -> None:
    state = sampled(ALL_OPTIONS[0])[0]
    assert restored(state).events is None


# -- what is hidden


@every_kind
def test_hidden_things_are_dealt_to_fit_what_the_seat_knows(name: str) -> None:
    board, rules = named(name)
    box = box_of_markers(board.id, rules.edition) + Counter(PROMOS if rules.promos else {})
    for state, twin in twins(name):
        seat, known = seat_of(state), state.plates_seen[seat_of(state)]
        assert hidden_markers(twin) <= box - open_markers(view.see(state, 0))
        assert [len(plate) for plate in twin.plates] == [len(plate) for plate in state.plates]
        assert len(twin.supply_order) == len(state.supply_order) - state.drawn
        assert twin.plates[seat][:known] == state.plates[seat][:known]
        assert twin.plates_seen[seat] == known
        if rules.missions:
            assert twin.missions[seat] == state.missions[seat]
            assert len(set(twin.missions)) == rules.players


def middle_of(name: str) -> GameState:
    """A turn in the middle of the game, with markers in the supply."""
    return next(
        state.copy()
        for state in decisions(played(name))
        if kind_of(state) == "turn" and state.turn > 20
    )


@together("name", ALL_OPTIONS)
def test_another_seed_deals_other_hidden_things(name: str) -> None:
    state = middle_of(name)
    dealt = {(t.supply_order, tuple(t.plates), t.missions) for t in several(state, 12)}
    assert len(dealt) > 8


@together("name", ALL_OPTIONS)
def test_the_same_seed_deals_the_same_hidden_things(name: str) -> None:
    state = middle_of(name)
    assert restored(state, 4).digest() == restored(state, 4).digest()


def several(state: GameState, count: int) -> list[GameState]:
    received = sent(state)
    return [
        restore(state.board, state.rules, seat_of(state), received, seed) for seed in range(count)
    ]


def test_each_hidden_marker_is_equally_likely_to_be_next() -> None:
    board, rules = named("hanse-4-5:4:bigbox")
    start = game.new_game(board, rules, 1)
    draws = Counter(MARKERS[twin.supply_order[0]] for twin in several(start, 600))
    assert draws.keys() == hidden_markers(start).keys()
    for marker, count in hidden_markers(start).items():
        assert abs(draws[marker] - 50 * count) < 30, draws


def test_each_card_is_equally_likely_for_another_seat() -> None:
    board, rules = named("hanse-4-5:4:bigbox+missions")
    start = game.new_game(board, rules, 1)
    cards = Counter(twin.missions[2] for twin in several(start, 400))
    assert len(cards) == 8
    assert start.missions[0] not in cards
    assert max(abs(count - 50) for count in cards.values()) < 25, cards


@together("promos", ["", "+promos"])
def test_the_true_hidden_things_can_be_dealt(promos: str) -> None:
    state = next(
        state.copy()
        for state in decisions(played(f"hanse-2-3:3:bigbox{promos}"))
        if state.drawn >= 10 and kind_of(state) == "turn"
    )
    true = state.supply_order[state.drawn :], [sorted(plate) for plate in state.plates]
    dealt = [(t.supply_order, [sorted(p) for p in t.plates]) for t in several(state, 400)]
    assert true in dealt


# -- what is refused


def parts(words: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every key in nested dicts."""
    if not isinstance(words, dict):
        return []
    found: list[tuple[Any, ...]] = []
    for key, value in words.items():
        found += [(*path, key), *parts(value, (*path, key))]
    return found


def changed(received: Words, path: tuple[Any, ...], value: Any) -> Words:
    """The message with one part replaced."""
    received = json.loads(json.dumps(received))
    at(received, path[:-1])[path[-1]] = value
    return received


@contextmanager
def without_part(received: Words, path: tuple[Any, ...]) -> Iterator[None]:
    """Inside the block, the message has no such part."""
    inner = at(received, path[:-1])
    value = inner.pop(path[-1])
    try:
        yield
    finally:
        inner[path[-1]] = value


def at(received: Words, path: tuple[Any, ...]) -> Any:
    """The part of a message at this path."""
    inner: Any = received
    for key in path:
        inner = inner[key]
    return inner


def is_required(received: Words, path: tuple[Any, ...]) -> bool:
    """Whether the state cannot be restored without this part: it is not empty, and not repeated elsewhere."""
    return at(received, path) not in (None, []) and path[:3] != ("state", "permits", "cities")


@together("name", ALL_OPTIONS)
def test_a_view_with_a_missing_part_is_refused(name: str) -> None:
    for number, state in enumerate(sampled(name)):
        received = sent(state)
        del received["choices"]
        needed = [path for path in parts(received) if is_required(received, path)]
        for path in needed[number::12] if number else needed:
            with (
                without_part(received, path),
                pytest.raises(ViewRefused, match="this is not a valid view of a game of"),
            ):
                restore(state.board, state.rules, seat_of(state), received, 1)


@together(
    ("path", "value"),
    [
        (("id",), "1"),
        (("id",), True),
        (("decision",), "ponder"),
        (("state",), None),
        (("state", "turn"), 1.5),
        (("state", "players", 0, "stock", "traders"), "many"),
        (("state", "players", 0, "markers"), ["minus-3-actions"]),
        (("state", "players", 0, "favours"), ["rest"]),
        (("state", "routes", "bremen--hamburg", "points"), []),
        (("state", "routes", "bremen--hamburg", "points", 0), "0x"),
        (("state", "routes", "bremen--hamburg", "marker"), "plus-5-actions"),
        (("state", "cities", "bremen", "posts"), [None] * 9),
        (("state", "marker_supply"), 40),
        (("state", "markers_out"), ["additional-post"] * 9),
        (("state", "mission"), ["bremen", "bremen", "bremen"]),
        (("state", "mission"), ["atlantis", "bremen", "hamburg"]),
        (("state", "laid"), [{"marker": "block", "route": "nowhere--bremen", "seat": 0}]),
    ],
)
def test_a_view_with_an_impossible_part_is_refused(path: tuple[Any, ...], value: Any) -> None:
    board, rules = named("hanse-4-5:4:bigbox+missions")
    state = game.new_game(board, rules, 1)
    with pytest.raises(
        ViewRefused, match="this is not a valid view of a game of hanse-4-5:4:bigbox"
    ):
        restore(board, rules, 0, changed(sent(state), path, value), 1)


def test_a_view_of_another_board_is_refused() -> None:
    board, rules = named("east:3:bigbox")
    other = game.new_game(*named("hanse-2-3:3:bigbox"), 1)
    with pytest.raises(ViewRefused, match="not a valid view of a game of east:3:bigbox"):
        restore(board, rules, 0, sent(other), 1)
