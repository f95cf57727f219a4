"""Random play on every combination of board, players, edition and options, with invariants."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from protocol.fold import Table
from protocol.words import State
from referee.engine import game, view
from referee.engine.state import GameState
from referee.engine.terms import DECISIONS, DOINGS, END_REASONS
from referee.random_play import Picker, kind_first, play_game, rng_of, uniform
from support.combinations import BOARDS, EDITIONS, PLAYERS, combinations, named, representative
from support.conservation import (
    PROMOS,
    all_tradesmen,
    box_of_markers,
    covered_markers,
    full_set,
    hidden_markers,
    open_markers,
)
from support.groups import each_of, together
from support.random_games import (
    Game,
    Words,
    decisions,
    events_since,
    final_of,
    kind_of,
    played,
    sampled,
    seat_of,
    start_message,
)

every_kind = each_of(representative())
# Games of the representative rulesets are played to the end, those of the others for some turns.
OTHERS = [f"{name}+max_turns=40" for name in combinations() if name not in representative()]
ENDS_WITH_CITIES = "britannia-4-5:5:original+permits"
OWN = ("mission", "plate_seen")  # what only the seat itself may see


class Folding:
    """What every seat knows about a game from its events."""

    def __init__(self, state: GameState) -> None:
        self._tables = [Table(start_message(state, seat)) for seat in range(state.rules.players)]
        self._heard = [0] * state.rules.players
        self._events: list[Words] = []

    def seen_by(self, seat: int, state: GameState) -> State:
        """The state as rebuilt by a seat that must decide, or by any seat at the end."""
        self._events += events_since(state, len(self._events))
        message: Any = {"events": self._events[self._heard[seat] :]}
        if not state.is_over:
            message["decision"] = kind_of(state)
            message["about"] = view.about(state, state.agenda[-1])
        self._tables[seat].hear(message)
        self._heard[seat] = len(self._events)
        return self._tables[seat].state


def listeners(state: GameState) -> list[int]:
    """The seats that get a message now: the one that must decide; at the end, all."""
    return list(range(state.rules.players)) if state.is_over else [seat_of(state)]


def public(state: GameState, seat: int) -> Words:
    return {key: words for key, words in view.see(state, seat).items() if key not in OWN}


@each_of(representative()[1::2])
def test_the_events_rebuild_what_each_seat_sees(name: str) -> None:
    """Compared where a state is sampled.

    `test_fold.py` has the other rulesets, and compares every decision of one seat.
    """
    compared = {state.decision_id for state in sampled(name)}
    folding: Folding | None = None
    for state in decisions(played(name)):
        folding = folding or Folding(state)
        for seat in listeners(state):
            seen = folding.seen_by(seat, state)
            if state.is_over or state.decision_id in compared:
                assert seen == view.see(state, seat), f"decision {state.decision_id}"


@every_kind
def test_every_seat_sees_the_same_but_its_card_and_plate(name: str) -> None:
    for state in sampled(name):
        first, *others = [public(state, seat) for seat in range(state.rules.players)]
        assert all(other == first for other in others)


@each_of([*representative(), *OTHERS])
def test_every_tradesman_and_every_marker_is_always_found(name: str) -> None:
    """27 traders and 4 merchants of each colour; the same 15 or 16 markers at every decision."""
    board, rules = named(name)
    box, men = box_of_markers(board.id, rules.edition), full_set(rules.players)
    markers: Counter[str] = Counter()
    for state in (*sampled(name), final_of(name)):
        seen = view.see(state, 0)
        assert all_tradesmen(seen) == men, f"decision {state.decision_id}"
        visible = open_markers(seen)
        assert visible.total() + covered_markers(seen) == box.total()
        found = visible + hidden_markers(state)
        markers = markers or found
        assert found == markers, f"decision {state.decision_id}"
    assert markers <= box + Counter(PROMOS) if rules.promos else markers == box


@every_kind
def test_choices_are_sorted_by_kind(name: str) -> None:
    for state in (*sampled(name), final_of(name)):
        kinds = [choice.do for choice in game.choices(state)]
        assert bool(kinds) is not state.is_over
        assert kinds == sorted(kinds)


@every_kind
def test_no_two_choices_have_the_same_words(name: str) -> None:
    for state in sampled(name):
        choices = view.request(state)["choices"]
        assert isinstance(choices, list)
        assert len({repr(words) for words in choices}) == len(choices)


@every_kind
def test_a_copy_is_independent(name: str) -> None:
    rng = Random(name)
    earlier: list[tuple[GameState, str]] = []
    for state in sampled(name):
        digest, twin = state.digest(), state.copy()
        wander(twin, rng, 12)
        assert twin.digest() != digest
        assert state.digest() == digest
        earlier.append((state.copy(), digest))
    assert all(copy.digest() == digest for copy, digest in earlier)


def wander(state: GameState, rng: Random, steps: int) -> None:
    for _ in range(steps):
        if state.is_over:
            return
        game.apply(state, kind_first(game.choices(state), rng))


@every_kind
def test_a_copy_continues_like_the_original(name: str) -> None:
    states = sampled(name)
    copy = states[len(states) // 2].copy()
    for index in played(name).indices[copy.decision_id - 1 :]:
        game.apply(copy, index)
    assert copy.digest() == final_of(name).digest()


@every_kind
def test_the_indices_alone_rebuild_the_game(name: str) -> None:
    one = played(name)
    silent = game.replay(one.board, one.rules, one.seed, one.indices, events=False)
    final = final_of(name)
    assert silent.digest() == final.digest()
    assert silent.events is None
    assert game.standings(silent) == game.standings(final)


@each_of(representative()[::2])
def test_kind_first_play_ends(name: str) -> None:
    one = randomly(f"{name}+max_turns=40", kind_first)
    folding = Folding(game.new_game(one.board, one.rules, one.seed))
    for step, state in enumerate(decisions(one)):
        assert bool(game.choices(state)) is not state.is_over
        seat = listeners(state)[0]
        seen = folding.seen_by(seat, state)
        if step % 20 == 0 or state.is_over:
            assert seen == view.see(state, seat)
            assert all_tradesmen(seen) == full_set(state.rules.players)


@together(("board", "players"), [*zip(BOARDS, (5, 2, 3, 4, 3), strict=True)])
def test_kind_first_play_needs_no_limit_of_turns(board: str, players: int) -> None:
    edition = EDITIONS[players % 2]
    place, rules = named(f"{board}:{players}:{edition}")
    final = play_game(place, rules, 1).state
    assert final.is_over
    assert END_REASONS[final.over] in ("prestige", "markers", "cities")
    assert all_tradesmen(view.see(final, 0)) == full_set(players)


@together(
    ("board", "players"), [(board, players) for board in BOARDS for players in PLAYERS[board]]
)
def test_uniform_play_ends(board: str, players: int) -> None:
    one = randomly(f"{board}:{players}:bigbox+promos+max_turns=60", uniform)
    folding = Folding(game.new_game(one.board, one.rules, one.seed))
    for step, state in enumerate(decisions(one)):
        seat = listeners(state)[0]
        seen = folding.seen_by(seat, state)
        if step % 20 == 0 or state.is_over:
            assert seen == view.see(state, seat)
            assert all_tradesmen(seen) == full_set(players)


def randomly(name: str, pick: Picker, seed: int = 5) -> Game:
    """Play a game in which every seat uses this picker."""
    board, rules = named(name)
    indices = play_game(board, rules, seed, pick=pick, events=False).tally.indices
    return Game(board, rules, seed, tuple(indices))


def test_the_random_games_contain_every_decision_choice_and_end() -> None:
    asked, done, reasons = set(), set(), set()
    for name in representative():
        for state in sampled(name):
            done |= {choice.do for choice in game.choices(state)}
            asked.add(kind_of(state))
    for name in (*representative(), ENDS_WITH_CITIES):
        reasons.add(END_REASONS[final_of(name).over])
    assert asked == set(DECISIONS)
    assert done == set(range(len(DOINGS)))
    assert reasons == {"prestige", "markers", "cities"}


def test_random_play_is_the_same_for_the_same_seed() -> None:
    board, rules = named("hanse-2-3:3:bigbox+max_turns=40")
    one, same, other = (play_game(board, rules, seed) for seed in (8, 8, 9))
    assert one.tally.indices == same.tally.indices
    assert one.state.digest() == same.state.digest() != other.state.digest()
    assert rng_of(8).random() == rng_of(8).random()


def test_only_displaced_seats_levies_and_tributes_decide_out_of_turn() -> None:
    for name in representative():
        for state in sampled(name):
            if kind_of(state) not in ("relocate", "levy", "tribute"):
                assert seat_of(state) == state.active
