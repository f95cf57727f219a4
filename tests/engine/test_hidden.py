"""Hidden information stays hidden: a seat's views and events do not depend on it."""

from __future__ import annotations

from random import Random
from typing import Any

from referee.engine import game, view
from referee.engine.state import GameState
from referee.random_play import kind_first
from support.combinations import named, representative
from support.groups import each_of, together
from support.random_games import (
    Words,
    events_of_game,
    events_since,
    kind_of,
    sampled,
    seat_of,
    with_empty_log,
)

every_kind = each_of(representative())

STATE_KEYS = {
    "turn",
    "active",
    "actions_left",
    "extra_actions",
    "fresh",
    "acted",
    "forgone",
    "completed_cities",
    "marker_supply",
    "undrawn",
    "east_west",
    "routes",
    "cities",
    "special_prestige",
    "favours",
    "players",
    "mission",
    "plate_seen",
    "in_hand",
    "permits",
    "laid",
    "markers_out",
    "neutral",
}
PLAYER_KEYS = {
    "seat",
    "prestige",
    "stock",
    "supply",
    "desk",
    "markers",
    "used_markers",
    "plate",
    "favours",
}


def with_other_hidden_things(state: GameState, seat: int, rng: Random) -> GameState:
    """The same game as far as this seat knows; supply, plates and cards are dealt again."""
    twin = with_empty_log(state)
    known = [state.plates_seen[owner] if owner == seat else 0 for owner in range(len(state.plates))]
    unseen = [marker for plate, n in zip(state.plates, known, strict=True) for marker in plate[n:]]
    unseen += state.supply_order[state.drawn :]
    rng.shuffle(unseen)
    twin.plates = [
        plate[:n] + tuple(unseen.pop() for _ in plate[n:])
        for plate, n in zip(state.plates, known, strict=True)
    ]
    twin.supply_order, twin.drawn = tuple(unseen), 0
    if state.missions:
        cards = [card for card in range(len(state.board.missions)) if card != state.missions[seat]]
        rng.shuffle(cards)
        cards.insert(seat, state.missions[seat])
        twin.missions = tuple(cards[: state.rules.players])
    return twin


def as_seen(state: GameState, seat: int) -> Words:
    """Everything that the seat sees: the state, and the request if it must decide."""
    seen: Words = {"state": view.see(state, seat)}
    if not state.is_over and seat_of(state) == seat:
        seen["decide"] = view.request(state)
    return seen


def continue_both(state: GameState, twin: GameState, seat: int, rng: Random) -> None:
    """Make the same choices in both until a marker is revealed or the game ends."""
    looked_at = state.plates_seen[seat]
    assert as_seen(twin, seat) == as_seen(state, seat)
    for _ in range(10):
        known = len(state.events or [])
        index = kind_first(game.choices(state), rng)
        for position in (state, twin):
            game.apply(position, index)
        if state.is_over:
            return
        assert events_since(twin, known) == events_since(state, known)
        if kind_of(state) == "place-marker" or state.plates_seen[seat] != looked_at:
            return
    assert as_seen(twin, seat) == as_seen(state, seat)


@every_kind
def test_a_seat_sees_no_difference_until_a_hidden_thing_is_revealed(name: str) -> None:
    rng = Random(name)
    for state in sampled(name):
        if kind_of(state) == "place-marker":
            continue
        seat = rng.randrange(state.rules.players)
        twin = with_other_hidden_things(state, seat, rng)
        continue_both(with_empty_log(state), twin, seat, rng)


@every_kind
def test_only_the_owner_of_a_plate_sees_its_markers(name: str) -> None:
    rng = Random(name)
    for state in sampled(name):
        if kind_of(state) != "place-marker":
            continue
        for seat in range(state.rules.players):
            twin = with_other_hidden_things(state, seat, rng)
            assert as_seen(twin, seat) == as_seen(state, seat)


def test_these_tests_do_change_what_is_hidden() -> None:
    rng = Random(1)
    for name in representative()[::4]:
        states = sampled(name)
        assert any(with_other_hidden_things(s, 0, rng).digest() != s.digest() for s in states)


@together("name", ["hanse-4-5:4:bigbox+missions", "east:3:original", "britannia-2-3:2:bigbox"])
def test_games_of_other_seeds_look_the_same_until_a_reveal(name: str) -> None:
    board, rules = named(name)
    starts = [game.new_game(board, rules, seed) for seed in range(40)]
    first = starts[0]
    alike = [one for one in starts[1:] if events_since(one) == events_since(first)]
    others = [one for one in alike if one.supply_order != first.supply_order]
    assert others
    for other in others:
        if rules.missions:  # the seat knows its own card
            other.missions = first.missions
        continue_both(first.copy(), other.copy(), 0, Random(3))
        continue_both(with_empty_log(first), with_empty_log(other), 0, Random(2))


# -- by name


@each_of(representative())
def test_the_view_has_these_keys_and_no_others(name: str) -> None:
    for state in sampled(name):
        seen: Any = view.see(state, seat_of(state))
        assert set(seen) == STATE_KEYS
        assert all(set(player) == PLAYER_KEYS for player in seen["players"])
        assert all(type(player["plate"]) is int for player in seen["players"])
        assert type(seen["marker_supply"]) is int


def test_a_seat_sees_its_own_card_only() -> None:
    board, rules = named("hanse-2-3:3:bigbox+missions")
    state = game.new_game(board, rules, 6)
    for seat in range(3):
        card = board.missions[state.missions[seat]]
        assert view.see(state, seat)["mission"] == [board.city_ids[city] for city in card]


def test_no_event_names_the_marker_drawn_or_the_card_dealt() -> None:
    for name in representative():
        for event in events_of_game(name):
            assert event["event"] != "marker-drawn" or set(event) == {"event", "seat", "left"}
            assert "mission" not in event
            assert "seed" not in event
