"""The sense of a board: whether its parts fit together, once they have the right shape."""

from __future__ import annotations

from typing import Final

from referee.atlas.board_schema import read_board
from referee.atlas.derive import complete
from referee.atlas.partial_board import Sketch, Words, reached, repeated
from referee.atlas.schema import Mistake, Path, hint, shown
from referee.atlas.validate_routes import (
    check_cities,
    check_connected,
    check_permanent_markers,
    check_routes,
    check_taverns,
)


def read_words(words: object) -> tuple[Words, list[Mistake]]:
    """The board with everything filled in, and every mistake; with any, the board is not whole."""
    read, mistakes = read_board(words)
    sketch = Sketch(words, read, mistakes)
    for check in CHECKS:
        check(sketch)
    if not mistakes:
        complete(read)
    return read, sorted(mistakes, key=_in_order)


def _in_order(mistake: Mistake) -> tuple[tuple[int, str], ...]:
    """By part of the board, then by number within it."""
    return tuple((step, "") if isinstance(step, int) else (-1, step) for step in mistake.path)


def check_players(sketch: Sketch) -> None:
    """The fewest players are no more than the most."""
    players = sketch.read.get("players", {})
    if "min" in players and "max" in players and players["min"] > players["max"]:
        what = f"min {players['min']} is more than max {players['max']}"
        sketch.add(("players",), what, "min is at most max")


def check_limit(sketch: Sketch) -> None:
    """So many cities can be completed."""
    limit, count = sketch.read.get("completed_cities_limit"), len(sketch.cities)
    if limit is not None and count and limit > count:
        what = f"{limit} cities can never be completed"
        sketch.add(("completed_cities_limit",), what, f"it is 1 to {count}, the number of cities")


def check_chain(sketch: Sketch) -> None:
    """The two red-bannered cities are different, and can be linked (CRE-8)."""
    ends, path = sketch.read.get("east_west", {}).get("ends"), ("east_west", "ends")
    if ends is None:
        return
    first, last = ends
    for end in dict.fromkeys(ends):
        sketch.expect_city(path, end)
    if first == last:
        what = f"the chain goes from {shown(first)} to itself"
        sketch.add(path, what, "its ends are two cities")
    elif sketch.links and last in (sketch.known or {}) and last not in reached(first, sketch.links):
        sketch.add(path, f"no routes link {first} and {last}", "there must be a way between them")


def check_special(sketch: Sketch) -> None:
    """Special prestige is at an end of its routes, on spaces of different worth (CRE-10)."""
    special = sketch.read.get("special_prestige", {})
    city, spaces = special.get("city"), special.get("spaces", [])
    if city is not None:
        sketch.expect_city(("special_prestige", "city"), city)
    for at, value in repeated([space.get("points") for space in spaces]):
        path: Path = ("special_prestige", "spaces", at, "points")
        sketch.add(path, f"{value} points stand there twice", "the spaces differ in points")
    sketch.expect_all_or_no_coordinates(("special_prestige", "spaces"), spaces)
    for at, name in enumerate(special.get("routes", [])):
        _check_special_route(sketch, ("special_prestige", "routes", at), name, city)


def _check_special_route(sketch: Sketch, path: Path, name: str, city: str | None) -> None:
    if not all("id" in route for route in sketch.routes):
        return
    routes = {route["id"]: route for route in sketch.routes}
    if name in routes:
        if city is not None and city not in routes[name].get("ends", [city]):
            what = f"{shown(name)} does not touch {shown(city)}"
            sketch.add(path, what, "special prestige is at an end of its routes")
    elif routes:
        near = [other for other in routes if city in other.split("--")] or list(routes)
        sketch.add(path, f"{shown(name)} is no route of this board", hint(name, near, "routes"))


def check_countries(sketch: Sketch) -> None:
    """With countries one is home and every route lies in one; without, no route does (BRI-1)."""
    countries = sketch.countries
    if countries and sketch.home is not None and len(sketch.home) != 1:
        what = f"{len(sketch.home)} countries are home"
        sketch.add(("countries",), what, "exactly one has home = true")
    for at, route in enumerate(sketch.routes):
        path = ("routes", at, "country")
        if route.get("country") is not None:
            sketch.expect_country(path, route["country"])
        elif countries and "country" in route:
            sketch.add(path, "the route has no country", f"countries: {', '.join(countries)}")


def check_permits(sketch: Sketch) -> None:
    """Cities with spaces permit countries that are not home (BRI-2)."""
    for city, names in sketch.read.get("permits", {}).items():
        path = ("permits", city)
        sketch.expect_city(path, city)
        for name in names:
            sketch.expect_country(path, name)
            if sketch.home and name in sketch.home:
                sketch.add(path, f"{name} is home", "permits are for other countries")
        if (sketch.known or {}).get(city, {}).get("green"):
            sketch.add(path, "a green city gives no permits", "they come from a city with spaces")


def check_missions(sketch: Sketch) -> None:
    """There is a card for everybody, of three different cities (SET-6)."""
    cards, most = sketch.read.get("missions", []), sketch.read.get("players", {}).get("max", 0)
    if cards and len(cards) < most:
        what = f"{len(cards)} cards for up to {most} players"
        sketch.add(("missions",), what, "each player gets one, or there are none at all")
    for at, card in enumerate(cards):
        for city in dict.fromkeys(card):
            sketch.expect_city(("missions", at), city)
        for _, city in repeated(card):
            what = f"{shown(city)} stands there twice"
            sketch.add(("missions", at), what, "a card names three different cities")


def check_neutral_start(sketch: Sketch) -> None:
    """Neutral traders start at cities of the board (TWO-1)."""
    for at, city in enumerate(sketch.read.get("neutral_start") or []):
        sketch.expect_city(("neutral_start", at), city)


def check_replaces(sketch: Sketch) -> None:
    """A marker that is replaced becomes another one (SET-4)."""
    for marker, other in sketch.read.get("replaces", {}).items():
        if marker == other:
            what = f"{shown(marker)} replaces itself"
            sketch.add(("replaces", marker), what, "it becomes another marker, or is left out")


CHECKS: Final = (
    check_players,
    check_limit,
    check_chain,
    check_special,
    check_countries,
    check_permits,
    check_missions,
    check_neutral_start,
    check_replaces,
    check_cities,
    check_routes,
    check_taverns,
    check_permanent_markers,
    check_connected,
)
