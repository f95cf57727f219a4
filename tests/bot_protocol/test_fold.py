"""The events alone rebuild the state: a bot that asked for no state can compute it."""

from __future__ import annotations

import copy
from typing import Any, cast

import pytest

import support.random_games
from protocol import State, Table
from protocol.opening import (
    ABILITIES,
    FAVOURS,
    MARKER_SUPPLY,
    MARKERS,
    SUPPLY_AND_STOCK_TRADERS,
    SUPPLY_MERCHANTS,
    SUPPLY_TRADERS,
)
from referee import atlas
from referee.encoder import Detail
from referee.engine import game, terms, view
from referee.engine.codes import EVENT_FIELDS
from referee.engine.setup import blank
from referee.engine.state import GameState
from support.combinations import WITH_LEVY, WITH_VALUES, named, representative
from support.dialogue import SeatMessages, conversation, parsed
from support.random_games import final_of, played
from support.table import play, table

SAMPLE = [*dict.fromkeys((*representative()[::2], *WITH_VALUES, WITH_LEVY))]
CODES = SAMPLE[::3]


def differences(found: Any, wanted: Any) -> dict[str, Any]:
    return {
        key: (found.get(key), wanted.get(key))
        for key in found.keys() | wanted.keys()
        if found.get(key) != wanted.get(key)
    }


@pytest.mark.parametrize("name", SAMPLE)
def test_the_events_of_a_game_rebuild_what_a_seat_sees(name: str) -> None:
    """The seats take turns: with other rules, it is another seat."""
    assert_rebuilt(name, SAMPLE.index(name) % played(name).rules.players, "words")


@pytest.mark.parametrize("name", CODES)
def test_events_in_codes_rebuild_what_a_seat_sees(name: str) -> None:
    assert_rebuilt(name, 0, "codes")


def assert_rebuilt(name: str, seat: int, detail: Detail) -> None:
    """Assert that a seat that only hears events knows the state at its decisions and at the end.

    Most mistakes stay in the state, so in these many games every third decision is compared.
    """
    folded: Table | None = None
    for number, (data, state) in enumerate(
        conversation(played(name), seat, detail=detail, state=False)
    ):
        message = parsed(data)
        if folded is None:
            folded = Table(message)
            continue
        folded.hear(message)
        if number % 3 == 0 or state.is_over:
            assert differences(folded.state, view.see(state, seat)) == {}


def test_the_sample_has_every_board_and_option() -> None:
    for word in (
        "hanse-4-5", "hanse-2-3", "east", "britannia-4-5", "britannia-2-3", ":2:", ":3:", ":4:", ":5:",
        "original", "missions", "favours", "promos", "permits", "=2009", "=britannia",
    ):  # fmt: skip
        assert any(word in name for name in SAMPLE), word


def test_the_sample_contains_every_event() -> None:
    found = {event[0] for name in SAMPLE for event in final_of(name).events or []}
    assert {terms.EV_DISQUALIFIED, *found} == set(range(len(EVENT_FIELDS)))


def test_the_first_state_has_the_numbers_of_the_box() -> None:
    box = atlas.load_components()
    assert box.supply_traders == SUPPLY_TRADERS
    assert box.supply_merchants == SUPPLY_MERCHANTS
    for edition, printing in box.editions.items():
        assert MARKER_SUPPLY[edition] == sum(count for _, count in printing.supply)
    state = blank(*named("east:5:bigbox"))
    held = [state.stock[2 * seat] + state.supply[2 * seat] for seat in range(5)]
    assert held == [SUPPLY_AND_STOCK_TRADERS] * 5
    assert (ABILITIES, MARKERS, FAVOURS) == (terms.ABILITIES, terms.MARKERS, terms.FAVOURS)


def start_of(name: str, seat: int = 0) -> Any:
    board, rules = named(name)
    return parsed(SeatMessages(game.new_game(board, rules, 1), seat).start())


def test_an_unknown_event_changes_nothing() -> None:
    folded = Table(start_of("hanse-2-3:3:bigbox"))
    before = copy.deepcopy(folded.state)
    comet: Any = {"event": "comet", "seat": 1}
    folded.apply([comet])
    assert folded.state == before


# --- A plate that was seen but could not be emptied -----------------------------------------


def crowded(plate: list[str]) -> tuple[GameState, Table]:
    """The end of a turn with this plate; only one route may take a marker."""
    routes = atlas.load_board("hanse-4-5").words["routes"]
    points = {
        route["id"]: ["3t", *[None] * (len(route["points"]) - 1)]
        for route in routes
        if route["id"] != "bremen--hamburg" and not route["tavern"]
    }
    state = table(points=points, plates={0: plate}, supply={3: (0, 0)}, stock={3: (0, 0)})
    messages = SeatMessages(state, 0)
    folded = Table(parsed(messages.start()))
    folded.state = cast("State", copy.deepcopy(view.see(state, 0)))
    return state, folded


def end_turn_in(state: GameState, folded: Table) -> None:
    """End the turn. The seat places its first marker if it is asked; the others do nothing."""
    heard = 0
    while True:
        if support.random_games.kind_of(state) == "turn":
            play(state, do="end-turn")
        else:
            game.apply(state, 0)
        game.settle(state)
        if state.agenda[-1].seat != 0:
            continue
        words: Any = {
            **view.request(state),
            "events": support.random_games.events_since(state, heard),
        }
        folded.hear(words)
        heard = len(state.events or [])
        assert differences(folded.state, view.see(state, 0)) == {}
        if words["decision"] == "turn":
            return


@pytest.mark.parametrize(
    ("plate", "left"),
    [
        (["move-3", "move-3", "move-3"], ["move-3", "move-3"]),
        (["plus-3-actions", "exchange-posts"], ["plus-3-actions"]),
        (["move-3"], []),
    ],
)
def test_what_was_seen_on_the_plate_and_stays_there_is_known(
    plate: list[str], left: list[str]
) -> None:
    state, folded = crowded(plate)
    end_turn_in(state, folded)
    assert folded.state["plate_seen"] == left


def test_markers_placed_before_a_bot_took_over_the_seat_are_not_an_error() -> None:
    folded = Table(start_of("hanse-2-3:3:bigbox"))
    routes = list(folded.state["routes"])[-2:]
    drawn: list[Any] = [{"event": "marker-drawn", "seat": 0, "left": left} for left in (11, 10)]
    placed: list[Any] = [
        {"event": "marker-placed", "seat": 0, "route": route, "marker": marker}
        for route, marker in zip(routes, ("move-3", "plus-3-actions"), strict=True)
    ]
    folded.apply([*drawn, *placed])
    assert folded.state["players"][0]["plate"] == 0
    assert folded.state["plate_seen"] == []
