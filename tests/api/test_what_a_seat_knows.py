"""Games from what one seat was sent: the same choices, and hidden things that agree and are uniform."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from referee import Game, RefereeError
from referee.engine import game as engine
from referee.engine.restore import restore
from referee.engine.state import GameState
from referee.engine.terms import MARKERS, NONE
from referee.errors import RecordRefused, SeedRefused, ViewRefused
from support.combinations import named
from support.deals import (
    FORMS,
    KnownDecision,
    agrees,
    as_known,
    made_game,
    problems,
    sampled_decisions,
)
from support.random_games import kind_of, message, sampled, seat_of, start_message

# Every board; missions, favours, promos, permits and the neutral colour.
RULESETS = (
    "hanse-4-5:4:bigbox+missions+favours+promos",
    "hanse-2-3:2:original+missions+favours+neutral=britannia",
    "east:5:bigbox+promos",
    "britannia-4-5:5:bigbox+permits+promos",
    "britannia-2-3:2:bigbox+permits+neutral=2009",
)


def start_of(state: GameState, seat: int = 0) -> Any:
    return {**start_message(state, seat), "game": "a game"}


def first_of(name: str, seed: int = 1) -> GameState:
    return engine.new_game(*named(name), seed)


def known_to_first(name: str, seed: int = 1) -> Game:
    """A game from the first request of a seat."""
    state = first_of(name)
    return Game.from_request(start_of(state), message(state), seed)


# --- the same choices, and deals that agree -----------------------------------------------------


@pytest.mark.parametrize("name", RULESETS)
def test_a_game_from_a_request_agrees_with_everything_sent_to_the_seat(
    name: str,
) -> None:
    """`python -m stress.deals` compares more decisions in the same way, of all rulesets."""
    chosen = list(sampled_decisions(name, Random(name), 3))
    assert [problem for known in chosen for problem in problems(known, 5, 1)] == []


@pytest.mark.parametrize("form", FORMS)
def test_words_codes_and_events_make_the_same_game(form: str) -> None:
    for known in sampled_decisions("hanse-2-3:3:bigbox+missions+favours", Random(4), 4):
        assert made_game(known, form) == made_game(known, "words")


def some_decision() -> KnownDecision:
    name = "hanse-2-3:3:bigbox+missions"
    return next(iter(sampled_decisions(name, Random(2), 1)))


def test_a_deal_that_contradicts_the_seat_is_noticed() -> None:
    known = some_decision()
    state, seat = known.state, seat_of(known.state)
    seen = as_known(state, seat)
    assert agrees(made_game(known, "words").engine_state, seen, seat)
    other_card, twice, none_left = (state.copy() for _ in range(3))
    cards = list(state.missions)
    cards[seat] = next(card for card in range(len(state.board.missions)) if card not in cards)
    other_card.missions = tuple(cards)
    twice.supply_order = (MARKERS.index("additional-post"),) * len(state.supply_order)
    none_left.supply_order, none_left.drawn = (), 0
    for wrong in (other_card, twice, none_left):
        assert not agrees(wrong, seen, seat)


def test_the_same_seed_draws_the_same_however_it_is_asked_for() -> None:
    known = some_decision()
    state, seat = known.state, seat_of(known.state)
    restored = restore(state.board, state.rules, seat, message(state), 9)
    redrawn = made_game(known, "words")
    redrawn.redraw(seat, 9)
    copied = redrawn.copy(view=seat, seed=3).copy(view=seat, seed=9)
    assert redrawn.engine_state.digest() == copied.engine_state.digest() == restored.digest()


def test_a_copy_as_a_seat_knows_it_leaves_the_game_alone() -> None:
    game = Game(3, missions=True, seed=5)
    before = game.position_key()
    copies = {game.copy(view=0, seed=seed).position_key() for seed in range(5)}
    assert len(copies) == 5
    assert game.position_key() == before
    assert game.copy(view=0, seed=1).view(0) == game.view(0)
    assert game.copy() == game


def test_the_plate_that_another_seat_places_is_drawn_with_its_choices() -> None:
    state = next(
        state for name in RULESETS for state in sampled(name) if kind_of(state) == "place-marker"
    )
    owner, viewer = seat_of(state), (seat_of(state) + 1) % state.rules.players
    offered = set()
    for seed in range(20):
        twin = Game._made(state.copy(), 0, "a game", None)
        twin.redraw(viewer, seed)
        plate = {MARKERS[marker] for marker in twin.engine_state.plates[owner]}
        assert {choice["marker"] for choice in twin.choices} == plate
        offered.add(frozenset(plate))
        twin.redraw(owner, seed)
        assert {MARKERS[marker] for marker in twin.engine_state.plates[owner]} == plate
    assert len(offered) > 1


def test_in_a_finished_game_nothing_is_drawn() -> None:
    game = Game(3, missions=True, seed=1, max_turns=3)
    while not game.over:
        game.play(game.choice_count - 1)
    before = game.position_key(), game.scores
    game.redraw(0, 7)
    assert (game.position_key(), game.scores) == before


# --- all deals are equally likely ---------------------------------------------------------------


def chi_square(counts: Counter[Any], kinds: int) -> float:
    expected = counts.total() / kinds
    seen = sum((count - expected) ** 2 / expected for count in counts.values())
    return seen + (kinds - len(counts)) * expected


def test_all_deals_of_four_markers_and_two_missions_are_equally_likely() -> None:
    """A small case, worked out by hand.

    Three seats, and nine missions of which seat 0 holds one: the others hold two of eight, in an
    order, 8 x 7 = 56 cases. All markers but four lie open: two are alike (A, A), and B and C are
    single. One of the four is on the plate of seat 1, and two are in the supply, in an order; none
    is outside, so the fourth is on the plate of seat 2. Orders of A, A, B, C: 4! / 2! = 12 cases.
    Each of the 56 x 12 = 672 deals is equally likely. Of 672 x 12 = 8,064 draws each should come up
    12 times. Chi-square with 671 degrees of freedom has the mean 671 and the standard deviation
    (2 x 671) ** 0.5 = 36.6: values from 561 to 781 are within three of them. The seeds are fixed, so
    the test gives the same value each time.
    """
    game = four_hidden_markers()
    counts: Counter[Any] = Counter()
    for seed in range(8064):
        game.redraw(0, seed)
        state = game.engine_state
        counts[tuple(state.plates[1:]), state.supply_order, state.missions] += 1
    assert len({missions for _, _, missions in counts}) == 56
    assert len({deal[:2] for deal in counts}) == 12
    assert 561 < chi_square(counts, 672) < 781


def four_hidden_markers() -> Game:
    state = first_of("hanse-2-3:3:bigbox+missions")
    order = sorted(state.supply_order)
    alike = next(marker for marker, count in Counter(order).items() if count >= 2)
    single = [marker for marker in sorted(set(order)) if marker != alike][:2]
    for marker in (alike, alike, *single):
        order.remove(marker)
    state.used = [tuple(order), (), ()]  # all others are open
    state.plates = [(), (alike,), (single[0],)]
    state.plates_seen = [0, 1, 0]
    state.supply_order, state.drawn = (alike, single[1]), 0
    return Game._made(state, 0, "a game", None)


def test_what_another_seat_placed_is_no_evidence_for_what_it_kept() -> None:
    """The plate of seat 1 held two markers; one of them lies on a route now.

    Whichever kind that is, each of the other three is equally likely to be the one that is left:
    of 3,000 draws each should come up 1,000 times, with a standard deviation of 25.8.
    """
    game = four_hidden_markers()
    state = game.engine_state
    placed, free = state.supply_order[0], state.route_markers.index(NONE)
    state.supply_order = state.supply_order[1:]
    state.route_markers = [
        placed if route == free else marker for route, marker in enumerate(state.route_markers)
    ]
    counts: Counter[int] = Counter()
    for seed in range(3000):
        game.redraw(0, seed)
        counts[game.engine_state.plates[1][0]] += 1
    assert len(counts) == 3
    assert all(abs(count - 1000) < 78 for count in counts.values()), counts


def test_without_a_seed_the_draw_is_random() -> None:
    game = known_to_first("hanse-4-5:4:bigbox+missions")
    assert len({game.copy(view=0).position_key() for _ in range(3)}) == 3


# --- what such a game cannot do -----------------------------------------------------------------


def test_a_game_with_drawn_things_cannot_be_saved(tmp_path: Any) -> None:
    for game in (known_to_first("east:3:bigbox"), Game(3, seed=1).copy(view=0, seed=1)):
        with pytest.raises(RecordRefused, match="whose hidden things were drawn cannot be saved"):
            game.save(tmp_path / "game.jsonl")


def test_its_id_is_that_of_the_real_game_and_it_has_no_events() -> None:
    game = known_to_first("east:3:bigbox", seed=8)
    assert (game.id, game.seed, game.events()) == ("a game", 8, [])


def test_a_request_without_a_state_says_what_to_pass() -> None:
    state = first_of("east:3:bigbox")
    request: Any = {**message(state), "state": None}
    with pytest.raises(ViewRefused, match="request 1 has no state: pass `state`, which"):
        Game.from_request(start_of(state), request, 1)


def test_a_state_of_another_moment_is_refused() -> None:
    state = first_of("east:3:bigbox")
    asked = message(state)
    engine.apply(state, 5)
    with pytest.raises(ViewRefused, match="request 1 offers 72 choices, but its state"):
        Game.from_request(start_of(state), asked, 1, state=message(state)["state"])


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("rules", {}, "this is not a valid message `start`: KeyError"),
        ("board", {}, "the board is refused"),
    ],
)
def test_an_invalid_start_is_refused(field: str, value: Any, said: str) -> None:
    state = first_of("east:3:bigbox")
    start: Any = {**start_of(state), field: value}
    with pytest.raises(RefereeError, match=said):
        Game.from_request(start, message(state), 1)


@pytest.mark.parametrize("field", ["choices", "decision"])
def test_an_invalid_request_is_refused(field: str) -> None:
    state = first_of("east:3:bigbox")
    asked: Any = {name: value for name, value in message(state).items() if name != field}
    if field == "decision":
        asked["choices"], asked["about"] = [[0]], [0]  # codes
    with pytest.raises(
        ViewRefused, match=f"this is not a valid message `decide`: KeyError.'{field}'"
    ):
        Game.from_request(start_of(state), asked, 1)


def test_a_game_of_another_rules_version_is_refused() -> None:
    state = first_of("east:3:bigbox")
    start = start_of(state)
    start["rules"] = {**start["rules"], "rules_version": 99}
    with pytest.raises(ViewRefused, match="rules version 99, and this referee plays version"):
        Game.prepare(start)


def test_an_unknown_seat_and_an_invalid_seed_are_refused() -> None:
    game = known_to_first("east:3:bigbox")
    with pytest.raises(IndexError, match="there is no seat 3; the seats are 0 to 2"):
        game.redraw(3, 1)
    with pytest.raises(SeedRefused):
        game.redraw(0, -1)
    assert game == known_to_first("east:3:bigbox")
