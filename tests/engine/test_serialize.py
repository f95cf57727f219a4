"""Every choice, event and view has exactly the fields that the protocol names."""

from __future__ import annotations

import copy
import json
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

from referee import atlas
from referee.engine import game, view
from referee.engine.restore import restore
from referee.engine.state import GameState
from referee.engine.terms import MARKERS
from support.combinations import named, representative
from support.groups import each_of
from support.random_games import (
    Words,
    events_of_game,
    events_since,
    final_of,
    kind_of,
    message,
    sampled,
    seat_of,
    with_empty_log,
)
from support.rule_marker import rule
from support.table import asked, events_of, play

every_kind = each_of(representative())

PARTS = ("total", "track", "abilities", "markers", "special", "cities", "network", "missions")

EVENTS = {
    "turn": "turn seat actions",
    "action": "seat do left",
    "income": "seat traders merchants",
    "placed": "seat route point tradesman from",
    "displaced": "seat by route point tradesman with",
    "paid": "seat traders merchants why",
    "relocated": "seat tradesman from route point",
    "lifted": "seat by route point tradesman why",
    "put": "seat by route point tradesman why",
    "removed": "seat by route point tradesman why",
    "created": "seat route reward returned",
    "returned": "seat traders merchants",
    "neutral-created": "route marker stays",
    "prestige": "seat points why city",
    "marker-taken": "seat route marker",
    "marker-placed": "seat route marker",
    "marker-drawn": "seat left",
    "marker-used": "seat marker",
    "actions-gained": "seat actions why",
    "post": "seat city where space tradesman",
    "city-completed": "city count",
    "developed": "seat ability steps",
    "special-prestige": "seat points",
    "exchanged": "seat city spaces",
    "favour-taken": "seat tile markers",
    "levied": "seat traders merchants",
    "tribute": "seat traders merchants",
    "permit": "seat city",
    "game-over": "reason",
    "scored": f"seat countries {' '.join(PARTS)}",
}
CHOICES = {
    "turn": {
        "income": "traders merchants",
        "place": "route point tradesman",
        "displace": "route point tradesman pay",
        "move": "",
        "create": "route reward",
        "use": "marker",
        "favour": "tile markers",
        "permit": "marker",
        "end-turn": "",
    },
    "lift": {"lift": "route point", "stop": ""},
    "put": {"put": "route point"},
    "relocate": {"relocate": "tradesman from route point", "decline": ""},
    "levy": {"levy": "tradesman", "decline": ""},
    "permanent": {
        "green-post": "city tradesman",
        "place": "route point tradesman from",
        "develop": "ability",
        "decline": "",
    },
    "place-marker": {"place-marker": "marker route"},
    "neutral-post": {"neutral-post": "city"},
    "tribute": {"tribute": "traders merchants"},
    "block": {"pay": "traders merchants"},
    "reward": {"create": "route reward"},
}
ABOUT = {
    "lift": "why left lifted unbound",
    "put": "tradesman route point why rest unbound",
    "relocate": "route point by owner extras placed",
    "levy": "by",
    "permanent": "marker left placed route post",
    "place-marker": "left markers",
    "neutral-post": "route",
    "tribute": "city left created",
    "block": "left",
    "reward": "route",
}
USE = {
    "exchange-posts": "city spaces",
    "develop-ability": "ability",
    "swap-marker": "owner takes",
    "tribute": "route",
    "block": "route",
}
REWARDS = {frozenset(["post"]), frozenset(["additional", "tradesman"])}
REWARDS |= {frozenset(["develop"]), frozenset(["special"])}


def fields(text: str) -> set[str]:
    return set(text.split())


def expected_of_event(event: Words) -> set[str]:
    """The fields of the table, and those that depend on the event itself."""
    wanted = {"event"} | fields(EVENTS[event["event"]])
    if event.get("from") == "point":
        wanted |= {"from_route", "from_point"}
    if event["event"] == "relocated" and "to" in event:
        wanted = (wanted | {"to"}) - {"route", "point"}
    if event["event"] == "permit" and "bought" in event:
        wanted = (wanted | {"bought"}) - {"city"}
    if event["event"] == "marker-used":
        used = event["marker"]
        wanted |= fields(USE.get(used, "additional tradesman" if used == "additional-post" else ""))
    return wanted


def expected_of_choice(decision: str, choice: Words) -> set[str]:
    wanted = {"do"} | fields(CHOICES[decision][choice["do"]])
    if choice.get("from") == "point":
        wanted |= {"from_route", "from_point"}
    if choice["do"] == "use":
        wanted |= fields(USE.get(choice["marker"], ""))
    return wanted


@cache
def requests(name: str) -> list[tuple[GameState, Any]]:
    """Positions with their requests; do not change them."""
    return [(state, view.request(state)) for state in sampled(name)]


# -- fields


@every_kind
def test_every_event_has_its_fields(name: str) -> None:
    for event in events_of_game(name):
        assert set(event) == expected_of_event(event), event


@every_kind
def test_every_request_has_its_fields(name: str) -> None:
    for state, request in requests(name):
        decision = kind_of(state)
        assert request["decision"] == decision
        assert request["id"] == state.decision_id
        about = fields(ABOUT[decision]) if decision in ABOUT else None
        if state.rules.permanent_first and request.get("about", {}).get("why") == "move-2-any":
            about = fields(ABOUT[decision]) | {"created"}
        assert (set(request["about"]) if "about" in request else None) == about
        for choice in request["choices"]:
            assert set(choice) == expected_of_choice(decision, choice), choice
            if choice.get("reward") is not None:
                assert frozenset(choice["reward"]) in REWARDS


@every_kind
def test_everything_is_json_without_conversion(name: str) -> None:
    for state in sampled(name):
        words = {"state": view.see(state, seat_of(state)), **view.request(state)}
        assert json.loads(json.dumps(words)) == words
    events = events_of_game(name)
    assert json.loads(json.dumps(events)) == events


def test_every_kind_of_event_occurs_somewhere() -> None:
    found = {event["event"] for name in representative() for event in events_of_game(name)}
    assert found == set(EVENTS)


def test_every_kind_of_choice_is_offered_somewhere() -> None:
    offered: set[tuple[str, str]] = set()
    for name in representative():
        for state, request in requests(name):
            offered |= {(kind_of(state), choice["do"]) for choice in request["choices"]}
    assert offered == {(decision, do) for decision, dos in CHOICES.items() for do in dos}


# -- values


@every_kind
def test_no_event_has_an_amount_of_zero(name: str) -> None:
    for event in events_of_game(name):
        if event["event"] in ("income", "paid", "returned", "levied", "tribute"):
            assert event["traders"] + event["merchants"] > 0
        elif event["event"] in ("prestige", "special-prestige"):
            assert event["points"] > 0


def on_a_short_route() -> GameState:
    """Two traders hold all points of a route with place-2-from-route, shortened to two points."""
    words: Any = copy.deepcopy(atlas.load_board("east").words)
    (short,) = [one for one in words["routes"] if one["permanent"] == "place-2-from-route"]
    short["points"] = [{"type": "house"}, {"type": "house"}]
    board = atlas.board_from_words(words)
    start = message(game.new_game(board, named("east:3:bigbox")[1], 1))
    start["state"]["routes"][short["id"]]["points"] = ["0t", "0t"]
    start["state"]["players"][0]["supply"]["traders"] -= 2
    return with_empty_log(restore(board, named("east:3:bigbox")[1], 0, start, 1))


@rule("EAST-8")
def test_no_returned_event_when_all_tradesmen_of_the_route_were_placed() -> None:
    state = on_a_short_route()
    play(state, do="create", reward=None)
    for route in ("berlin-coelln--brandenburg", "malmoe--visby"):
        play(state, do="place", route=route, from_="route")
    assert asked(state) == ("turn", 0)
    assert events_of(state, "returned") == []
    assert len(events_of(state, "placed")) == 2


@every_kind
def test_pairs_are_sorted(name: str) -> None:
    for _, request in requests(name):
        for choice in request["choices"]:
            if "spaces" in choice:
                one, other = choice["spaces"]
                assert other == one + 1
            if choice["do"] == "favour":
                assert choice["markers"] == sorted(choice["markers"], key=MARKERS.index)


@every_kind
def test_points_that_are_alike_are_one_choice_named_by_the_lowest(name: str) -> None:
    for state, request in requests(name):
        routes: Any = view.see(state, 0)["routes"]
        types = {route["id"]: route["points"] for route in state.board.words["routes"]}
        alike: dict[str, list[int]] = defaultdict(list)
        for choice in request["choices"]:
            if "point" in choice:
                route, point = choice["route"], choice["point"]
                looks = types[route][point]["type"], routes[route]["points"][point]
                rest = {key: value for key, value in choice.items() if key != "point"}
                alike[repr((rest, looks))].append(point)
                if choice["do"] in ("place", "displace", "lift", "put"):
                    lower = range(point)
                    before = [(types[route][n]["type"], routes[route]["points"][n]) for n in lower]
                    assert looks not in before
        assert all(len(points) == 1 for points in alike.values())


# -- order

CREATION = {
    "action": 0,
    "created": 1,
    "control": 2,
    "marker-taken": 3,
    "marker-drawn": 4,
    "marker-used": 5,
    "post": 6,
    "developed": 6,
    "special-prestige": 6,
    "actions-gained": 7,
    "coin": 8,
    "city-completed": 9,
    "east-west": 10,
    "tribute": 11,
}


@every_kind
def test_the_events_of_a_creation_are_in_order(name: str) -> None:
    if final_of(name).rules.permanent_first:
        return  # their order differs: test_a_marker_that_must_be_used_comes_before_the_reward
    events = events_of_game(name)
    for at, event in enumerate(events):
        if event["event"] == "action" and event["do"] == "create":
            found = [0, *ranks(events[at + 1 :])]
            assert found[1] == 1
            assert all(before <= after for before, after in pairwise(found)), events[at : at + 12]


def ranks(events: list[Words]) -> Iterator[int]:
    """The positions in the order of a creation, up to the next action, permanent marker or turn."""
    for event in events:
        kind = event["why"] if event["event"] == "prestige" else event["event"]
        used = event["event"] == "marker-used" and event["marker"] != "additional-post"
        if kind not in CREATION or kind == "action" or used:
            return
        yield CREATION[kind]


# -- the event that no rule causes


def test_a_disqualification_has_its_fields() -> None:
    state = game.new_game(*named("east:3:bigbox"), 1)
    game.emit_disqualified(state, 0, "timeout", 5)
    assert set(events_since(state)[-1]) == {"event", "seat", "fault", "id"}
