"""Random games of every ruleset, the same on every machine.

    for state in decisions(played("east:3:bigbox")):
        ...   # once at each decision, and once more when the game is over

`builder` plays them: it mostly works towards creating routes, so that a game reaches every kind of
decision within some hundred decisions.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any, NamedTuple
from zlib import crc32

from referee.engine import game, view
from referee.engine.board import Board
from referee.engine.choice import Choice
from referee.engine.ruleset import Ruleset
from referee.engine.serialize import event_words
from referee.engine.state import GameState
from referee.engine.terms import DECISIONS, DOINGS, FAVOURS
from referee.random_play import kind_first
from support.combinations import named

Words = dict[str, Any]

# The value of each kind of choice; others are worth DEFAULT_WORTH.
WORTH = {
    "create": 60,
    "favour": 40,
    "use": 30,
    "place": 10,
    "permit": 8,
    "displace": 6,
    "move": 3,
    "income": 0,
    "stop": -1,
    "decline": -5,
    "end-turn": -10,
}
DEFAULT_WORTH = 5
RANDOM_SHARE = 0.2  # of the choices of a builder
FEW_TRADERS = 3  # with fewer in the supply, a builder prefers income


class Preferences(NamedTuple):
    """What the builders of a game prefer; random for each game, so that games differ."""

    markers: int
    posts: int
    displacing: int


class Game(NamedTuple):
    """A finished game: the indices of all its choices."""

    board: Board
    rules: Ruleset
    seed: int
    indices: tuple[int, ...]


def builder(
    state: GameState, offered: Sequence[Choice], rng: Random, preferences: Preferences
) -> int:
    """Return the index of a choice that helps to create a route, sometimes of a random choice."""
    if rng.random() < RANDOM_SHARE:
        return kind_first(offered, rng)
    worth = [_worth(state, choice, preferences) + 4 * rng.random() for choice in offered]
    return worth.index(max(worth))


def _worth(state: GameState, choice: Choice, preferences: Preferences) -> float:
    do, decision = DOINGS[choice.do], state.agenda[-1]
    worth = WORTH.get(do, DEFAULT_WORTH)
    if choice.point >= 0:
        colour = decision.owner if decision.owner >= 0 else decision.seat
        route_worth = _route_worth(
            state, colour, state.board.point_route[choice.point], preferences
        )
        worth += -route_worth if do == "lift" else route_worth
    if do == "displace":
        worth += preferences.displacing
    if do == "create" and choice.reward:
        worth += preferences.posts if choice.city >= 0 else 5
    if do == "income":
        worth += choice.traders + (15 if state.supply[2 * decision.seat] < FEW_TRADERS else 0)
    return worth


def _route_worth(state: GameState, colour: int, route: int, preferences: Preferences) -> int:
    """Return how near a colour is to creating a route, plus the worth of its marker."""
    worth = preferences.markers if state.route_markers[route] >= 0 else 0
    for point in state.board.routes[route]:
        tradesman = state.points[point]
        if tradesman:
            worth += 3 if tradesman >> 1 == colour + 1 else -6
    return worth


@cache
def played(name: str, seed: int | None = None) -> Game:
    """Return a game of this ruleset; the seed comes from the name, if not given."""
    board, rules = named(name)
    seed = crc32(name.encode()) if seed is None else seed
    rng = Random(f"{name} {seed}")
    preferences = Preferences(rng.choice((0, 0, 12)), rng.choice((2, 8, 20)), rng.choice((0, 4)))
    state = game.new_game(board, rules, seed, events=False)
    indices: list[int] = []
    while not state.is_over:
        indices.append(builder(state, game.choices(state), rng, preferences))
        game.apply(state, indices[-1])
    return Game(board, rules, seed, tuple(indices))


def decisions(one: Game) -> Iterator[GameState]:
    """Replay a game: yield the state at each decision and at the end; do not change it."""
    state = game.new_game(one.board, one.rules, one.seed)
    yield state
    for index in one.indices:
        game.apply(state, index)
        yield state


@cache
def sampled(name: str, every: int = 60, first: int = 1) -> tuple[GameState, ...]:
    """Return states of the ruleset's game, without event logs; do not change them.

    They are the states at each `every`-th decision, and at the `first` ones of each kind.
    A kind is a kind of decision with one of its kinds of choice.

    With REFEREE_EVERY_DECISION=1 it returns all states, which takes many minutes.
    """
    every = 1 if os.environ.get("REFEREE_EVERY_DECISION") == "1" else every
    met: Counter[tuple[int, int]] = Counter()
    found: list[GameState] = []
    for step, state in enumerate(decisions(played(name))):
        kinds = {(state.agenda[-1].kind, choice.do) for choice in game.choices(state)}
        met.update(kinds)
        if kinds and (step % every == 0 or any(met[kind] <= first for kind in kinds)):
            found.append(state.copy())
    return tuple(found)


@cache
def final_of(name: str) -> GameState:
    """Return the final state of the game of this ruleset; do not change it."""
    *_, final = decisions(played(name))
    return final


def kind_of(state: GameState) -> str:
    """Return the kind of the pending decision."""
    return DECISIONS[state.agenda[-1].kind]


def seat_of(state: GameState) -> int:
    """Return the seat that must decide."""
    return state.agenda[-1].seat


def events_since(state: GameState, start: int = 0) -> list[Any]:
    """Return the events in words, from the `start`-th on."""
    return [event_words(state, event) for event in (state.events or [])[start:]]


def message(state: GameState) -> Any:
    """Return the request to the seat that must decide, with the state as it sees it."""
    return {**view.request(state), "state": view.see(state, seat_of(state))}


def start_message(state: GameState, seat: int) -> Any:
    """Return the message `start` of a seat, made from any position of the game.

    It has the fields that the protocol package reads; favour tiles that were taken are put back.
    """
    taken = {event["tile"] for event in events_since(state) if event["event"] == "favour-taken"}
    seen: Words = view.see(state, seat)
    return {
        "seat": seat,
        "rules": state.rules.to_dict(),
        "board": state.board.words,
        "favours": [tile for tile in FAVOURS if tile in seen["favours"] or tile in taken],
        "mission": seen["mission"],
    }


def with_empty_log(state: GameState) -> GameState:
    """Return a copy of the state with an empty event log."""
    twin = state.copy()
    twin.events = []
    return twin
