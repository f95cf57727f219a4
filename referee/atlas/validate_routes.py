"""Checks that cities and routes fit together; each check reports every mistake that it finds."""

from __future__ import annotations

from typing import Final

from referee.atlas.partial_board import PartialBoard, Words, reached, repeated
from referee.atlas.schema import Path, shorten, shown
from referee.text import plural

TAVERNS: Final = 3  # one for each start marker (SET-4)


def check_cities(board: PartialBoard) -> None:
    """Ids and names are unique; spaces and countries make sense."""
    for key in ("id", "name"):
        for at, value in repeated([city.get(key) for city in board.cities]):
            what = f"{shown(value)} is another city's too"
            board.add(("cities", at, key), what, "each city has its own")
    for at, city in enumerate(board.cities):
        _check_spaces(board, ("cities", at, "spaces"), city)
        for name in city.get("countries", []):
            board.expect_country(("cities", at, "countries"), name)


def _check_spaces(board: PartialBoard, path: Path, city: Words) -> None:
    if "green" not in city or "spaces" not in city:
        return
    if city["green"] and city["spaces"]:
        board.add(path, "a green city has spaces", "leave out spaces, or green")
    if not city["green"] and not city["spaces"]:
        board.add(path, "the city has no space", "only a green city has none")


def check_routes(board: PartialBoard) -> None:
    """A route joins two different cities, is the only one to do so, and is named after them."""
    ids = [route.get("id") for route in board.routes]
    for at, value in repeated(ids):
        what = f"{shown(value)} is another route's too"
        board.add(("routes", at, "id"), what, "each route has its own")
    _check_pairs(board, ids)
    for at, route in enumerate(board.routes):
        if "ends" in route:
            _check_ends(board, ("routes", at), route)
        board.expect_all_or_no_coordinates(("routes", at, "points"), route.get("points", []))


def _check_pairs(board: PartialBoard, ids: list[str | None]) -> None:
    pairs = [frozenset(route["ends"]) if "ends" in route else None for route in board.routes]
    for at, pair in repeated(pairs):
        if ids[at] is None or ids[at] not in ids[:at]:  # else the id has been noted already
            what = f"a second route between {' and '.join(sorted(pair))}"
            board.add(("routes", at, "ends"), what, "two cities are joined by one route at most")


def _check_ends(board: PartialBoard, path: Path, route: Words) -> None:
    first, last = route["ends"]
    for end in dict.fromkeys((first, last)):
        board.expect_city((*path, "ends"), end)
    if first == last:
        what = f"the route goes from {shown(first)} to itself"
        board.add((*path, "ends"), what, "its ends are two cities")
    name = f"{first}--{last}"
    if "id" in route and route["id"] != name:
        what = f"{shown(route['id'])} does not name its ends"
        board.add((*path, "id"), what, f'it is "{name}", or left out')


def check_taverns(board: PartialBoard) -> None:
    """Three routes have a tavern, and a bonus marker may lie on each of them."""
    if not board.routes or not all("tavern" in route for route in board.routes):
        return
    taverns = sum(route["tavern"] for route in board.routes)
    if taverns != TAVERNS:
        allowed = f"exactly {TAVERNS} have one, for the start markers"
        board.add(
            ("routes",),
            f"{plural(taverns, 'route')} {'has' if taverns == 1 else 'have'} a tavern",
            allowed,
        )
    for at, route in enumerate(board.routes):
        if route["tavern"]:
            _check_tavern(board, ("routes", at, "tavern"), route)


def _check_tavern(board: PartialBoard, path: Path, route: Words) -> None:
    if route.get("permanent"):
        board.add(path, "a tavern beside a permanent marker", "a route has one of them at most")
    country = route.get("country")
    if country and board.home and country in (board.countries or {}) and country not in board.home:
        board.add(path, f"a tavern in {country}", "taverns are in the home country")


def check_permanent_markers(board: PartialBoard) -> None:
    """A permanent marker has somewhere to work (EAST-7, BRI-7)."""
    green = not board.cities or any(city.get("green", True) for city in board.cities)
    abroad = board.countries is None or len(board.countries) > 1
    needs = {
        "green-post": (green, "it needs a green city on the board"),
        "place-2-abroad": (abroad, "it needs a country that is not home"),
    }
    for at, route in enumerate(board.routes):
        there, allowed = needs.get(route.get("permanent") or "", (True, ""))
        if not there:
            what = f"{route['permanent']} has nowhere to go"
            board.add(("routes", at, "permanent"), what, allowed)


def check_connected(board: PartialBoard) -> None:
    """Every city can be reached from the first: a displaced tradesman must find a way (DIS-4)."""
    if board.links is None or not board.known:
        return
    first = next(iter(board.known))
    there = reached(first, board.links)
    lost = [city for city in board.known if city not in there]
    if lost:
        what = f"no route leads from {shown(first)} to {shorten(', '.join(lost))}"
        board.add(("routes",), what, "all cities are connected")
