"""A row contains everything that the view contains, and nothing else."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from referee.engine import view
from referee.engine.restore import restore
from referee.engine.state import GameState
from referee.engine.terms import (
    ABILITIES,
    DECISIONS,
    FAVOURS,
    LIFT_REASONS,
    MARKERS,
    PERMANENT_MARKERS,
)
from referee.rl.observation import Observer, seat_views
from referee.rl.observation_layout import layout, sizes_of
from support.combinations import named, representative
from support.groups import each_of
from support.random_games import Words, message, played, sampled, seat_of

every_kind = each_of(representative())


class Reader:
    """Translates a row back into the dict of a view, using only the layout."""

    def __init__(self, state: GameState, seat: int, row: bytes) -> None:
        self.state, self.seat, self.row = state, seat, row
        self.board, self.players = state.board, state.rules.players
        self.parts = {part.name: part for part in layout(sizes_of(state.board, state.rules))}
        own = [str((seat + step) % self.players) for step in range(self.players)]
        self.colours = [*own, *["n"] * (state.rules.colours - self.players)]
        self.men = [f"{colour}{kind}" for colour in self.colours for kind in "tm"]

    def part(self, name: str) -> bytes:
        part = self.parts[name]
        return self.row[part.first : part.first + part.length]

    def rows(self, name: str, width: int) -> list[bytes]:
        part = self.part(name)
        return [part[at : at + width] for at in range(0, len(part), width)]

    def standing(self, name: str) -> list[str | None]:
        planes = self.rows(name, len(self.part(name)) // len(self.men))
        columns = zip(*planes, strict=True)
        return [
            next((man for man, there in zip(self.men, column, strict=True) if there), None)
            for column in columns
        ]

    def counted(self, counts: bytes, names: Any) -> Counter[str]:
        return Counter({name: count for name, count in zip(names, counts, strict=True) if count})

    def one(self, name: str, names: Any) -> Any:
        return next((word for word, bit in zip(names, self.part(name), strict=True) if bit), None)

    def points(self, name: str) -> list[Words]:
        board = self.board
        there = [point for point, bit in enumerate(self.part(name)) if bit]
        routes = [board.point_route[point] for point in there]
        return [
            {"route": board.route_ids[route], "point": board.routes[route].index(point)}
            for point, route in zip(there, routes, strict=True)
        ]


def check_board(reader: Reader, seen: Words) -> None:
    routes, cities = list(seen["routes"].values()), list(seen["cities"].values())
    assert reader.standing("points") == [man for route in routes for man in route["points"]]
    posts = [
        man
        for city, green in zip(cities, reader.board.green, strict=True)
        if not green
        for man in city["posts"]
    ]
    assert reader.standing("posts") == posts
    for city, counts in zip(cities, reader.rows("additional", len(reader.men)), strict=True):
        assert reader.counted(counts, reader.men) == Counter(city["additional"])
    green = [cities[city] for city in reader.board.green_cities]
    for city, counts in zip(green, reader.rows("green", len(reader.men)), strict=True):
        assert reader.counted(counts, reader.men) == Counter(city["posts"])
    for route, counts in zip(routes, reader.rows("route_markers", len(MARKERS)), strict=True):
        assert list(reader.counted(counts, MARKERS)) == [route["marker"]] * (
            route["marker"] is not None
        )
    seats = [int(colour) for colour in reader.colours[: reader.players]]
    laid = [
        {"marker": marker, "route": route, "seat": seat}
        for route, bits in zip(seen["routes"], reader.rows("laid", 2 * len(seats)), strict=False)
        for (marker, seat), bit in zip(
            [(marker, seat) for marker in ("tribute", "block") for seat in seats], bits, strict=True
        )
        if bit
    ]
    assert sorted(map(str, laid)) == sorted(map(str, seen["laid"]))


def check_desks(reader: Reader, seen: Words) -> None:
    seats = [int(colour) for colour in reader.colours[: reader.players]]
    stock, supply = reader.rows("stock", 2), reader.rows("supply", 2)
    for at, (seat, desk) in enumerate(zip(seats, reader.rows("desks", 33), strict=True)):
        player = seen["players"][seat]
        assert (desk[0], desk[1]) == (player["prestige"], player["plate"])
        assert dict(zip(ABILITIES, desk[2:7], strict=True)) == player["desk"]
        assert reader.counted(desk[7:17], MARKERS) == Counter(player["markers"])
        assert reader.counted(desk[17:27], MARKERS) == Counter(player["used_markers"])
        assert list(reader.counted(desk[27:], FAVOURS)) == player["favours"]
        assert list(stock[at]) == [player["stock"]["traders"], player["stock"]["merchants"]]
        assert list(supply[at]) == [player["supply"]["traders"], player["supply"]["merchants"]]
    neutral = [] if seen["neutral"] is None else [seen["neutral"]["prestige"]]
    assert list(reader.part("neutral")) == neutral


def check_rest(reader: Reader, seen: Words) -> None:
    colours = [int(colour) if colour != "n" else "n" for colour in reader.colours]
    special = [reader.counted(bits, colours) for bits in reader.rows("special", len(colours))]
    assert [next(iter(one), None) for one in special] == seen["special_prestige"]
    order = sorted(
        (at, colour) for colour, at in zip(colours, reader.part("east_west"), strict=True) if at
    )
    assert [colour for _, colour in order] == seen["east_west"]
    assert list(reader.counted(reader.part("display"), FAVOURS)) == seen["favours"]
    assert reader.counted(reader.part("markers_out"), MARKERS) == Counter(seen["markers_out"])
    assert reader.counted(reader.part("plate_seen"), MARKERS) == Counter(seen["plate_seen"])
    card = [name for name, bit in zip(seen["cities"], reader.part("mission"), strict=False) if bit]
    assert sorted(card) == sorted(seen["mission"] or [])
    assert reader.one("active", colours[: reader.players]) == seen["active"]
    assert list(reader.part("seat")).index(1) == reader.seat
    now = [min(seen["turn"], 255), seen["actions_left"], seen["extra_actions"], seen["fresh"]]
    now += [seen["completed_cities"], seen["marker_supply"], seen["undrawn"]]
    now += [seen["acted"], seen["forgone"]]
    assert list(reader.part("now")) == now
    assert reader.counted(reader.part("in_hand"), reader.men) == Counter(seen["in_hand"])
    if seen["permits"] is not None:
        cities = [reader.board.city_ids[city] for city, _ in reader.board.permits]
        left, spent, bought = split(reader.part("permits"), len(cities))
        assert dict(zip(cities, left, strict=True)) == seen["permits"]["cities"]
        assert [city for city, bit in zip(cities, spent, strict=True) if bit] == sorted(
            seen["permits"]["spent"], key=cities.index
        )
        assert list(bought) == [seen["permits"]["bought"]]


def split(part: bytes, count: int) -> tuple[bytes, bytes, bytes]:
    return part[:count], part[count : 2 * count], part[2 * count :]


def check_decision(reader: Reader, asked: Words) -> None:
    about = asked.get("about", {})
    assert reader.one("decision", DECISIONS) == asked["decision"]
    assert reader.one("lift_reason", LIFT_REASONS) == about.get("why")
    assert reader.one("permanent", PERMANENT_MARKERS) == (
        about.get("marker") if asked["decision"] == "permanent" else None
    )
    left = about.get("left", about.get("extras", 0))
    assert list(reader.part("left")) == [left, about.get("unbound", False)]
    colours = [int(colour) if colour != "n" else "n" for colour in reader.colours]
    assert reader.one("by", colours[: reader.players]) == about.get("by")
    assert reader.one("owner", colours) == about.get("owner")
    assert reader.points("placed") == sorted(
        about.get("placed", []),
        key=lambda one: (list(reader.board.route_ids).index(one["route"]), one["point"]),
    )
    if asked["decision"] == "put":
        assert reader.one("held", reader.men) == about["tradesman"]
        assert reader.points("origin") == [{"route": about["route"], "point": about["point"]}]
    if asked["decision"] == "relocate":
        assert reader.points("at") == [{"route": about["route"], "point": about["point"]}]
    if "created" in about:
        assert [one["route"] for one in reader.points("at")] in ([about["created"]], [])
    city = about.get("city") if asked["decision"] == "tribute" else about.get("post")
    assert reader.one("post", reader.board.city_ids) == city


@every_kind
def test_a_row_contains_what_the_view_contains(name: str) -> None:
    one = played(name)
    observer = Observer(seat_views(one.board, one.rules))
    for state in sampled(name):
        for seat in {seat_of(state), state.decision_id % one.rules.players}:
            reader = Reader(state, seat, bytes(observer.row(state, seat)))
            seen = view.see(state, seat)
            check_board(reader, seen)
            check_desks(reader, seen)
            check_rest(reader, seen)
            if seat == seat_of(state):
                check_decision(reader, view.request(state))
            else:
                assert not any(reader.row[reader.parts["decision"].first :])


@every_kind
def test_hidden_information_is_in_no_row_of_a_seat(name: str) -> None:
    one = played(name)
    observer, other = (
        Observer(seat_views(one.board, one.rules)),
        Observer(seat_views(one.board, one.rules)),
    )
    for state in sampled(name):
        seat = seat_of(state)
        for seed in (1, 2):
            twin = restore(one.board, one.rules, seat, message(state), seed)
            assert other.row(twin, seat) == observer.row(state, seat)


@each_of(representative()[::4])
def test_what_was_seen_before_does_not_change_a_row(name: str) -> None:
    one, rng = played(name), Random(name)
    observer = Observer(seat_views(one.board, one.rules))
    for state in sampled(name):
        seat = rng.randrange(one.rules.players)
        assert observer.row(state, seat) == Observer(seat_views(one.board, one.rules)).row(
            state, seat
        )


@every_kind
def test_the_parts_of_a_row_are_without_gaps(name: str) -> None:
    board, rules = named(name)
    parts = layout(sizes_of(board, rules))
    ends = [part.first + part.length for part in parts]
    assert [part.first for part in parts] == [0, *ends[:-1]]
    state = sampled(name)[0]
    assert len(Observer(seat_views(board, rules)).row(state, 0)) == ends[-1]
    assert len({part.name for part in parts}) == len(parts)
