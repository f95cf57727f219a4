"""Random games of every ruleset, the same on every machine.

    for state in decisions(played("east:3:bigbox")):
        ...   # once at each decision, and once more when the game is over

`builder` plays them: it mostly works towards creating routes, so that a game reaches every kind of
decision within some hundred decisions.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
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
from referee.engine.terms import (
    DECISIONS,
    DO_CREATE,
    DO_DISPLACE,
    DO_INCOME,
    DO_LIFT,
    DOINGS,
    FAVOURS,
)
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
WORTH_OF = [WORTH.get(do, DEFAULT_WORTH) for do in DOINGS]  # by the number of the kind
RANDOM_SHARE = 0.2  # of the choices of a builder
SAMPLED_EVERY = 100  # decisions from one sampled state to the next, besides the first of each kind
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
    routes: dict[int, int] = {}
    worth = [_worth(state, choice, preferences, routes) + 4 * rng.random() for choice in offered]
    return worth.index(max(worth))


def _worth(
    state: GameState, choice: Choice, preferences: Preferences, routes: dict[int, int]
) -> float:
    """Return the worth of a choice; `routes` caches the worth of routes at this decision."""
    do, point = choice.do, choice.point
    worth = WORTH_OF[do]
    if point >= 0:
        route = state.board.point_route[point]
        if route not in routes:
            decision = state.agenda[-1]
            colour = decision.owner if decision.owner >= 0 else decision.seat
            routes[route] = _route_worth(state, colour, route, preferences)
        worth += -routes[route] if do == DO_LIFT else routes[route]
    if do == DO_DISPLACE:
        worth += preferences.displacing
    elif do == DO_CREATE and choice.reward:
        worth += preferences.posts if choice.city >= 0 else 5
    elif do == DO_INCOME:
        few = state.supply[2 * state.agenda[-1].seat] < FEW_TRADERS
        worth += choice.traders + (15 if few else 0)
    return worth


def _route_worth(state: GameState, colour: int, route: int, preferences: Preferences) -> int:
    """Return how near a colour is to creating a route, plus the worth of its marker."""
    worth = preferences.markers if state.route_markers[route] >= 0 else 0
    for point in state.board.routes[route]:
        tradesman = state.points[point]
        if tradesman:
            worth += 3 if tradesman >> 1 == colour + 1 else -6
    return worth


class Walk(NamedTuple):
    """A finished game with some of its states; do not change them."""

    game: Game
    sampled: tuple[GameState, ...]
    final: GameState


@cache
def _walk(name: str, seed: int | None = None) -> Walk:
    """Play a game of this ruleset; the seed comes from the name, if not given."""
    board, rules = named(name)
    seed = crc32(name.encode()) if seed is None else seed
    rng = Random(f"{name} {seed}")
    preferences = Preferences(rng.choice((0, 0, 12)), rng.choice((2, 8, 20)), rng.choice((0, 4)))
    every = 1 if os.environ.get("REFEREE_EVERY_DECISION") == "1" else SAMPLED_EVERY
    state = game.new_game(board, rules, seed)
    indices: list[int] = []
    met: dict[int, set[int]] = defaultdict(set)  # kinds of choice by kind of decision
    found: list[GameState] = []
    while not state.is_over:
        offered = game.choices(state)
        kinds, known = {choice.do for choice in offered}, met[state.agenda[-1].kind]
        if len(indices) % every == 0 or not kinds <= known:
            known |= kinds
            found.append(state.copy())
        indices.append(builder(state, offered, rng, preferences))
        game.apply(state, indices[-1])
    return Walk(Game(board, rules, seed, tuple(indices)), tuple(found), state)


def played(name: str, seed: int | None = None) -> Game:
    """Return a game of this ruleset; the seed comes from the name, if not given."""
    return _walk(name, seed).game


def sampled(name: str) -> tuple[GameState, ...]:
    """Return states of the ruleset's game, without event logs; do not change them.

    They are the states at each hundredth decision, and at the first one of each kind.
    A kind is a kind of decision with one of its kinds of choice.

    With REFEREE_EVERY_DECISION=1 it returns all states, which takes many minutes.
    """
    return _walk(name).sampled


def final_of(name: str) -> GameState:
    """Return the final state of the game of this ruleset; do not change it."""
    return _walk(name).final


@cache
def events_of_game(name: str) -> list[Words]:
    """Return all events of the ruleset's game in words; do not change them."""
    return events_since(final_of(name))


def first_of_each_kind(names: Iterable[str]) -> dict[str, GameState]:
    """Return the first state with each kind of decision in the games of these rulesets."""
    found: dict[str, GameState] = {}
    for name in names:
        for state in sampled(name):
            found.setdefault(kind_of(state), state)
    return found


def decisions(one: Game) -> Iterator[GameState]:
    """Replay a game: yield the state at each decision and at the end; do not change it."""
    state = game.new_game(one.board, one.rules, one.seed)
    yield state
    for index in one.indices:
        game.apply(state, index)
        yield state


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
