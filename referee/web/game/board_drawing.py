"""The drawing of a board for the web page, and the coordinates of everything that moves on it."""

from __future__ import annotations

import hashlib
from functools import cached_property, lru_cache
from typing import Final, TypeAlias

import msgspec

from referee.drawing import board_parts
from referee.drawing.layout import GREEN_PLACES, CityLayout, Layout, Spot, lay_out
from referee.drawing.legend import legend, legend_height
from referee.drawing.style import definitions
from referee.engine.board import BoardWords, CityWords
from referee.text import visible

MARGIN: Final = 6
LEGEND_WIDTH: Final = 1000
_XML: Final = 'xmlns="http://www.w3.org/2000/svg"'

Place: TypeAlias = list[int]


class BoardDrawing:
    """The drawing of one board; each part is made when it is first asked for."""

    def __init__(self, words: BoardWords) -> None:
        self._words = words
        self._layout: Layout = lay_out(words)
        self._board = self._legend = ""

    @cached_property
    def digest(self) -> str:
        """A digest of the drawing, for the names of files."""
        content = msgspec.json.encode([self.board(), self.legend(), self.places(), self.names()])
        return hashlib.sha256(content).hexdigest()[:12]

    @property
    def view_box(self) -> str:
        """The viewBox of the drawing in SVG."""
        width, height = self._layout.frame
        return f"{-MARGIN} {-MARGIN} {width + 2 * MARGIN:g} {height + 2 * MARGIN:g}"

    def board(self) -> str:
        """The empty board as an SVG element."""
        if not self._board:
            parts = "".join(filter(None, board_parts(self._words, self._layout)))
            box = self.view_box
            self._board = (
                f'<svg {_XML} viewBox="{box}" aria-hidden="true">{definitions()}{parts}</svg>'
            )
        return self._board

    def legend(self) -> str:
        """The legend as an SVG element, for a page that contains the drawing of the board."""
        if not self._legend:
            self._legend = self._legend_with("")
        return self._legend

    def legend_file(self) -> str:
        """The legend as an SVG file."""
        return self._legend_with(definitions())

    def _legend_with(self, parts: str) -> str:
        height = legend_height(self._words, LEGEND_WIDTH)
        opening = (
            f'<svg {_XML} viewBox="-4 -4 {LEGEND_WIDTH} {height:g}" role="img" aria-label="Legend">'
        )
        return f"{opening}{parts}{legend(self._words, LEGEND_WIDTH)}</svg>"

    def places(self) -> dict[str, object]:
        """The coordinates of all places, in the engine's order."""
        words, layout = self._words, self._layout
        routes = [route["id"] for route in words["routes"]]
        return {
            "box": self.view_box,
            "points": [_place(spot) for name in routes for spot in layout.points[name]],
            "spaces": [
                _place(spot)
                for city in words["cities"]
                for spot in _spaces(city, layout.cities[city["id"]])
            ],
            "markers": [_place(layout.markers[name]) for name in routes],
            "cities": [_corners(layout.cities[city["id"]]) for city in words["cities"]],
            "additional": [_left_of(layout.cities[city["id"]]) for city in words["cities"]],
            "green": [_green(layout.cities[city["id"]]) for city in words["cities"]],
            "special": [_place(spot) for spot in layout.special],
            "track": [_place(spot) for spot in layout.track],
        }

    def names(self) -> dict[str, object]:
        """The names of all places in the engine's order, and how many points and spaces each has."""
        words = self._words
        cities = {city["id"]: visible(city["name"]) for city in words["cities"]}
        return {
            "cities": list(cities.values()),
            "spaces": [len(city["spaces"]) for city in words["cities"]],
            "routes": [
                " – ".join(cities[end] for end in route["ends"]) for route in words["routes"]
            ],
            "points": [len(route["points"]) for route in words["routes"]],
            "special": [space["points"] for space in words["special_prestige"]["spaces"]],
            "permits": [cities[city] for city in words["permits"]],
            "limit": words["completed_cities_limit"],
        }


def drawing_of(words: BoardWords) -> BoardDrawing:
    """The drawing of a board, from a small cache: a site has many games on few boards."""
    return _cached_drawing(msgspec.json.encode(words))


@lru_cache(maxsize=8)
def _cached_drawing(encoded: bytes) -> BoardDrawing:
    return BoardDrawing(msgspec.json.decode(encoded))


def _place(spot: Spot) -> Place:
    return [round(spot.x), round(spot.y)]


def _spaces(city: CityWords, place: CityLayout) -> list[Spot]:
    count = len(city["spaces"])
    return [place.space(index, count) for index in range(count)]


def _corners(place: CityLayout) -> Place:
    """The plate of a city: left, top, width and height."""
    return [round(number) for number in place.plate]


def _left_of(place: CityLayout) -> Place:
    """The place of the first additional post; others follow to the left."""
    return [round(place.plate.x), round(place.plate.middle.y)]


def _green(place: CityLayout) -> Place:
    """The place of the first post of a green city; others follow to the right."""
    return _place(place.space(0, GREEN_PLACES))
