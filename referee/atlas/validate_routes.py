"""Do cities and routes fit together? Every check notes all that it finds."""

from __future__ import annotations

from typing import Final

from referee.atlas.partial_board import Sketch, Words, reached, repeated
from referee.atlas.schema import Path, shorten, shown

TAVERNS: Final = 3  # one for each start marker (SET-4)


def check_cities(sketch: Sketch) -> None:
    """Ids and names are a city's own; spaces and countries make sense."""
    for key in ("id", "name"):
        for at, value in repeated([city.get(key) for city in sketch.cities]):
            what = f"{shown(value)} is another city's too"
            sketch.add(("cities", at, key), what, "each city has its own")
    for at, city in enumerate(sketch.cities):
        _check_spaces(sketch, ("cities", at, "spaces"), city)
        for name in city.get("countries", []):
            sketch.expect_country(("cities", at, "countries"), name)


def _check_spaces(sketch: Sketch, path: Path, city: Words) -> None:
    if "green" not in city or "spaces" not in city:
        return
    if city["green"] and city["spaces"]:
        sketch.add(path, "a green city has spaces", "leave out spaces, or green")
    if not city["green"] and not city["spaces"]:
        sketch.add(path, "the city has no space", "only a green city has none")


def check_routes(sketch: Sketch) -> None:
    """A route joins two different cities, is the only one to do so, and is named after them."""
    ids = [route.get("id") for route in sketch.routes]
    for at, value in repeated(ids):
        what = f"{shown(value)} is another route's too"
        sketch.add(("routes", at, "id"), what, "each route has its own")
    _check_pairs(sketch, ids)
    for at, route in enumerate(sketch.routes):
        if "ends" in route:
            _check_ends(sketch, ("routes", at), route)
        sketch.expect_all_or_no_coordinates(("routes", at, "points"), route.get("points", []))


def _check_pairs(sketch: Sketch, ids: list[str | None]) -> None:
    pairs = [frozenset(route["ends"]) if "ends" in route else None for route in sketch.routes]
    for at, pair in repeated(pairs):
        if ids[at] is None or ids[at] not in ids[:at]:  # else the id has been noted already
            what = f"a second route between {' and '.join(sorted(pair))}"
            sketch.add(("routes", at, "ends"), what, "two cities are joined by one route at most")


def _check_ends(sketch: Sketch, path: Path, route: Words) -> None:
    first, last = route["ends"]
    for end in dict.fromkeys((first, last)):
        sketch.expect_city((*path, "ends"), end)
    if first == last:
        what = f"the route goes from {shown(first)} to itself"
        sketch.add((*path, "ends"), what, "its ends are two cities")
    name = f"{first}--{last}"
    if "id" in route and route["id"] != name:
        what = f"{shown(route['id'])} does not name its ends"
        sketch.add((*path, "id"), what, f'it is "{name}", or left out')


def check_taverns(sketch: Sketch) -> None:
    """Three routes have a tavern, and a bonus marker may lie on each of them."""
    if not sketch.routes or not all("tavern" in route for route in sketch.routes):
        return
    taverns = sum(route["tavern"] for route in sketch.routes)
    if taverns != TAVERNS:
        allowed = f"exactly {TAVERNS} have one, for the start markers"
        sketch.add(("routes",), f"{taverns} routes have a tavern", allowed)
    for at, route in enumerate(sketch.routes):
        if route["tavern"]:
            _check_tavern(sketch, ("routes", at, "tavern"), route)


def _check_tavern(sketch: Sketch, path: Path, route: Words) -> None:
    if route.get("permanent"):
        sketch.add(path, "a tavern beside a permanent marker", "a route has one of them at most")
    country = route.get("country")
    if (
        country
        and sketch.home
        and country in (sketch.countries or {})
        and country not in sketch.home
    ):
        sketch.add(path, f"a tavern in {country}", "taverns are in the home country")


def check_permanent_markers(sketch: Sketch) -> None:
    """A permanent marker has somewhere to work (EAST-7, BRI-7)."""
    green = not sketch.cities or any(city.get("green", True) for city in sketch.cities)
    abroad = sketch.countries is None or len(sketch.countries) > 1
    needs = {
        "green-post": (green, "it needs a green city on the board"),
        "place-2-abroad": (abroad, "it needs a country that is not home"),
    }
    for at, route in enumerate(sketch.routes):
        there, allowed = needs.get(route.get("permanent") or "", (True, ""))
        if not there:
            what = f"{route['permanent']} has nowhere to go"
            sketch.add(("routes", at, "permanent"), what, allowed)


def check_connected(sketch: Sketch) -> None:
    """Every city can be reached from the first: a displaced tradesman must find a way (DIS-4)."""
    if sketch.links is None or not sketch.known:
        return
    first = next(iter(sketch.known))
    there = reached(first, sketch.links)
    lost = [city for city in sketch.known if city not in there]
    if lost:
        what = f"no route leads from {shown(first)} to {shorten(', '.join(lost))}"
        sketch.add(("routes",), what, "all cities hang together")
