"""Whether a deal of hidden things agrees with everything that a seat was sent.

    for known in sampled_decisions(name, Random(1), 10):
        assert problems(known, redraws=100, replays=1) == []

A decision is compared with a game that `Game.from_request` makes of it, and with each redraw of that
game. A replay is the strictest comparison: the whole game is played again from a set-up with the
drawn deal, by the same choices, and must send the seat the same messages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from protocol import State, Table
from referee import Game
from referee.engine import codes, game, view
from referee.engine.choice import Choice
from referee.engine.digest import position_key
from referee.engine.state import GameState
from support import random_games
from support.random_games import events_since, message, played, seat_of, start_message

FORMS = (
    "words",
    "codes",
    "events",
)  # what a bot can ask for; with events it keeps the state itself


class KnownDecision(NamedTuple):
    """A decision of a game with two or more choices."""

    one: random_games.Game
    step: int  # the number of choices before it
    state: GameState  # with the events so far


def sampled_decisions(name: str, rng: Random, count: int) -> Iterator[KnownDecision]:
    """Yield random decisions of random games of a ruleset, in all at least `count`."""
    found = 0
    while found < count:
        one = played(name, rng.randrange(2**32))
        for step, state in enumerate(random_games.decisions(one)):
            if len(game.choices(state)) > 1 and rng.random() < count / len(one.indices):
                found += 1
                snapshot = state.copy()
                snapshot.events = list(state.events or ())
                yield KnownDecision(one, step, snapshot)


def problems(known: KnownDecision, redraws: int, replays: int = 0) -> list[str]:
    """Say how a game from the seat's request, or one of its redraws, contradicts the seat."""
    state, seat = known.state, seat_of(known.state)
    where = f"{known.one.rules.name}, decision {state.decision_id}"
    made, wrong = made_game(known, FORMS[known.step % len(FORMS)]), []
    if made.choices != view.request(state)["choices"]:
        wrong.append(f"{where}: other choices")
    seen = as_known(state, seat)
    for seed in range(redraws):
        made.redraw(seat, seed)
        if not agrees(made.engine_state, seen, seat):
            wrong.append(f"{where}: another view in redraw {seed}")
        elif seed < replays and not is_replayed(known, made.engine_state, seat):
            wrong.append(f"{where}: another game in redraw {seed}")
    return wrong


def made_game(known: KnownDecision, form: str) -> Game:
    """The game from the seat's request in one of the FORMS."""
    state, seat = known.state, seat_of(known.state)
    start: Any = {**start_message(state, seat), "game": "a game"}
    request: Any = message(state)
    folded: State | None = None
    if form == "events":
        folded = folded_state(known, start)
        del request["state"]
    if form == "codes":
        request |= {
            "choices": [codes.choice_code(choice) for choice in game.choices(state)],
            "about": codes.about_codes(state, state.agenda[-1]),
            "state": codes.state_codes(state, seat),
        }
    return Game.from_request(start, request, known.step, state=folded)


def folded_state(known: KnownDecision, start: Any) -> State:
    """The state that a seat keeps if it asked for none."""
    table, heard = Table(start), 0
    for state in islice(random_games.decisions(known.one), known.step + 1):
        if seat_of(state) == table.seat and len(game.choices(state)) > 1:
            asked: Any = {**view.request(state), "events": events_since(state, heard)}
            table.hear(asked)
            heard = len(state.events or ())
    return table.state


def agrees(state: GameState, known: tuple[object, ...], seat: int) -> bool:
    """Whether a position looks to a seat as it knows it, and nothing is in two places."""
    return as_known(state, seat) == known and may_be(state)


def as_known(state: GameState, seat: int) -> tuple[object, ...]:
    """Everything that a seat sees of a position, and its choices if it must decide."""
    asked = seat_of(state) == seat
    offered = [codes.choice_code(choice) for choice in game.choices(state)] if asked else []
    about = codes.about_codes(state, state.agenda[-1]) if asked else None
    return state.decision_id, codes.state_codes(state, seat), about, offered


def may_be(state: GameState) -> bool:
    """Whether every marker and every card is in one place only."""
    left = list(state.rules.start_markers + state.rules.supply_markers)
    piles = [*state.markers, *state.used, *state.plates, state.supply_order[state.drawn :]]
    out = [marker for marker, _, _ in state.laid]
    out += [marker for marker in state.route_markers if marker >= 0]
    for marker in (*out, *state.markers_out, *(one for pile in piles for one in pile)):
        if marker not in left:
            return False
        left.remove(marker)
    cards = state.missions
    return len(set(cards)) == len(cards) and all(card >= 0 for card in cards)


# -- the whole game again, with another deal


def is_replayed(known: KnownDecision, twin: GameState, seat: int) -> bool:
    """Whether the game's choices, after the deal of `twin`, lead to it and look the same to the seat."""
    one = known.one
    original = game.new_game(one.board, one.rules, one.seed)
    again = game.new_game(one.board, one.rules, one.seed)
    again.supply_order, again.missions = _supply(known, twin), twin.missions
    for index in one.indices[: known.step]:
        if seat_of(original) == seat and as_known(again, seat) != as_known(original, seat):
            return False
        same = _same_choice(game.choices(again), game.choices(original)[index], index)
        if same is None:
            return False
        game.apply(original, index)
        game.apply(again, same)
    redealt = _without_looks(again)
    return again.events == original.events and position_key(redealt) == position_key(
        _without_looks(twin)
    )


def _same_choice(offered: list[Choice], choice: Choice, index: int) -> int | None:
    """The index of a choice, which is mostly the one it has in the original game."""
    if index < len(offered) and offered[index] is choice:
        return index
    known = [codes.choice_code(other) for other in offered]
    code = codes.choice_code(choice)
    return known.index(code) if code in known else None


def _without_looks(state: GameState) -> GameState:
    """The position without what others have seen of their plates, which a seat is not sent."""
    asked = seat_of(state)
    copied = state.copy()
    copied.plates_seen = [
        seen if seat == asked else 0 for seat, seen in enumerate(state.plates_seen)
    ]
    return copied


def _supply(known: KnownDecision, twin: GameState) -> tuple[int, ...]:
    """The order of the supply at the beginning, if `twin` is the position after the game's choices."""
    state = game.new_game(known.one.board, known.one.rules, known.one.seed)
    order, seat = list(state.supply_order), seat_of(twin)
    plates: list[list[int]] = [[] for _ in twin.plates]  # where in `order` their markers are
    for index in known.one.indices[: known.step]:
        drawn, before = state.drawn, state.plates
        game.apply(state, index)
        for owner, plate in enumerate(state.plates):
            if len(plate) < len(before[owner]):
                _take(plates[owner], order, before[owner], plate)
            elif len(plate) > len(before[owner]):
                plates[owner] += range(drawn, drawn + len(plate) - len(before[owner]))
                drawn += len(plate) - len(before[owner])
    for owner, places in enumerate(plates):
        drawn_again = list(twin.plates[owner])
        looked = state.plates[owner][: state.plates_seen[owner]] if owner == seat else ()
        unknown = list(places)
        for marker in looked:  # the seat knows these, so they were dealt as they were
            unknown.remove(next(place for place in unknown if order[place] == marker))
            drawn_again.remove(marker)
        for place, marker in zip(unknown, drawn_again, strict=True):
            order[place] = marker
    return (*order[: state.drawn], *twin.supply_order)


def _take(
    places: list[int], order: list[int], before: tuple[int, ...], after: tuple[int, ...]
) -> None:
    """Remove the place of the marker that left a plate."""
    (placed,) = Counter(before) - Counter(after)
    places.remove(next(place for place in places if order[place] == placed))
