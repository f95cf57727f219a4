"""Validate a board: first every value against its schema, then whether the parts fit together."""

from __future__ import annotations

from typing import Final

from referee.atlas.board_schema import read_board
from referee.atlas.derive import complete
from referee.atlas.partial_board import PartialBoard, Words, reached, repeated
from referee.atlas.schema import Mistake, Path, hint, shown
from referee.atlas.validate_routes import (
    check_cities,
    check_connected,
    check_permanent_markers,
    check_routes,
    check_taverns,
)
from referee.text import plural


def read_words(words: object) -> tuple[Words, list[Mistake]]:
    """The board with everything filled in, and every mistake; with mistakes it is incomplete."""
    read, mistakes = read_board(words)
    board = PartialBoard(words, read, mistakes)
    for check in CHECKS:
        check(board)
    if not mistakes:
        complete(read)
    return read, sorted(mistakes, key=_in_order)


def _in_order(mistake: Mistake) -> tuple[tuple[int, str], ...]:
    """By part of the board, then by number within it."""
    return tuple((step, "") if isinstance(step, int) else (-1, step) for step in mistake.path)


def check_players(board: PartialBoard) -> None:
    """The fewest players are no more than the most."""
    players = board.read.get("players", {})
    if "min" in players and "max" in players and players["min"] > players["max"]:
        what = f"min {players['min']} is more than max {players['max']}"
        board.add(("players",), what, "min is at most max")


def check_limit(board: PartialBoard) -> None:
    """The limit of completed cities does not exceed the number of cities."""
    limit, count = board.read.get("completed_cities_limit"), len(board.cities)
    if limit is not None and count and limit > count:
        what = f"{limit} cities can never be completed"
        board.add(("completed_cities_limit",), what, f"it is 1 to {count}, the number of cities")


def check_chain(board: PartialBoard) -> None:
    """The two red-bannered cities are different, and can be linked (CRE-8)."""
    ends, path = board.read.get("east_west", {}).get("ends"), ("east_west", "ends")
    if ends is None:
        return
    first, last = ends
    for end in dict.fromkeys(ends):
        board.expect_city(path, end)
    if first == last:
        what = f"the chain goes from {shown(first)} to itself"
        board.add(path, what, "its ends are two cities")
    elif board.links and last in (board.known or {}) and last not in reached(first, board.links):
        board.add(path, f"no routes link {first} and {last}", "there must be a way between them")


def check_special(board: PartialBoard) -> None:
    """Special prestige is at an end of its routes, on spaces of different worth (CRE-10)."""
    special = board.read.get("special_prestige", {})
    city, spaces = special.get("city"), special.get("spaces", [])
    if city is not None:
        board.expect_city(("special_prestige", "city"), city)
    for at, value in repeated([space.get("points") for space in spaces]):
        path: Path = ("special_prestige", "spaces", at, "points")
        board.add(
            path,
            f"a space of {plural(value, 'point')} appears twice",
            "the spaces differ in points",
        )
    board.expect_all_or_no_coordinates(("special_prestige", "spaces"), spaces)
    for at, name in enumerate(special.get("routes", [])):
        _check_special_route(board, ("special_prestige", "routes", at), name, city)


def _check_special_route(board: PartialBoard, path: Path, name: str, city: str | None) -> None:
    if not all("id" in route for route in board.routes):
        return
    routes = {route["id"]: route for route in board.routes}
    if name in routes:
        if city is not None and city not in routes[name].get("ends", [city]):
            what = f"{shown(name)} does not touch {shown(city)}"
            board.add(path, what, "special prestige is at an end of its routes")
    elif routes:
        near = [other for other in routes if city in other.split("--")] or list(routes)
        board.add(path, f"{shown(name)} is not a route of this board", hint(name, near, "routes"))


def check_countries(board: PartialBoard) -> None:
    """With countries one is home and every route lies in one; without, no route does (BRI-1)."""
    countries = board.countries
    if countries and board.home is not None and len(board.home) != 1:
        what = f"{len(board.home)} countries are home"
        board.add(("countries",), what, "exactly one has home = true")
    for at, route in enumerate(board.routes):
        path = ("routes", at, "country")
        if route.get("country") is not None:
            board.expect_country(path, route["country"])
        elif countries and "country" in route:
            board.add(path, "the route has no country", f"countries: {', '.join(countries)}")


def check_permits(board: PartialBoard) -> None:
    """Cities with spaces permit countries that are not home (BRI-2)."""
    for city, names in board.read.get("permits", {}).items():
        path = ("permits", city)
        board.expect_city(path, city)
        for name in names:
            board.expect_country(path, name)
            if board.home and name in board.home:
                board.add(path, f"{name} is home", "permits are for other countries")
        if (board.known or {}).get(city, {}).get("green"):
            board.add(path, "a green city gives no permits", "they come from a city with spaces")


def check_missions(board: PartialBoard) -> None:
    """There is a card for everybody, of three different cities (SET-6)."""
    cards, most = board.read.get("missions", []), board.read.get("players", {}).get("max", 0)
    if cards and len(cards) < most:
        what = f"{plural(len(cards), 'card')} for up to {most} players"
        board.add(("missions",), what, "there is one for each player, or none at all")
    for at, card in enumerate(cards):
        for city in dict.fromkeys(card):
            board.expect_city(("missions", at), city)
        for _, city in repeated(card):
            what = f"{shown(city)} appears twice"
            board.add(("missions", at), what, "a card names three different cities")


def check_neutral_start(board: PartialBoard) -> None:
    """Neutral traders start at cities of the board (TWO-1)."""
    for key in ("neutral_start", "neutral_start_britannia"):
        for at, city in enumerate(board.read.get(key) or []):
            board.expect_city((key, at), city)


def check_replaces(board: PartialBoard) -> None:
    """A marker that is replaced becomes another one (SET-4)."""
    for marker, other in board.read.get("replaces", {}).items():
        if marker == other:
            what = f"{shown(marker)} replaces itself"
            board.add(("replaces", marker), what, "it becomes another marker, or is left out")


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
