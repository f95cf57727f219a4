"""The drawing of a board for the web page, and the coordinates of everything that moves on it."""

from __future__ import annotations

from functools import lru_cache
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

Place: TypeAlias = list[int]


class BoardDrawing:
    """The drawing of one board; each part is made when it is first asked for."""

    def __init__(self, words: BoardWords) -> None:
        self._words = words
        self._layout: Layout = lay_out(words)
        self._board = self._legend = ""

    @property
    def view_box(self) -> str:
        """The viewBox of the drawing in SVG."""
        width, height = self._layout.frame
        return f"{-MARGIN} {-MARGIN} {width + 2 * MARGIN:g} {height + 2 * MARGIN:g}"

    def board(self) -> str:
        """The empty board as an SVG element."""
        if not self._board:
            parts = "".join(filter(None, board_parts(self._words, self._layout)))
            self._board = (
                f'<svg viewBox="{self.view_box}" aria-hidden="true">{definitions()}{parts}</svg>'
            )
        return self._board

    def legend(self) -> str:
        """The legend of the board as an SVG element."""
        if not self._legend:
            height = legend_height(self._words, LEGEND_WIDTH)
            box = f"-4 -4 {LEGEND_WIDTH} {height:g}"
            self._legend = f'<svg viewBox="{box}" role="img" aria-label="Legend">{legend(self._words, LEGEND_WIDTH)}</svg>'
        return self._legend

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


def _left_of(place: CityLayout) -> Place:
    """The place of the first additional post; others follow to the left."""
    return [round(place.plate.x), round(place.plate.middle.y)]


def _green(place: CityLayout) -> Place:
    """The place of the first post of a green city; others follow to the right."""
    return _place(place.space(0, GREEN_PLACES))
