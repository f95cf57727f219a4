"""The words of a board: every key of a map file, what it may be, and what it is when left out.

The same keys are explained for people in docs/custom-maps.md.
"""

from __future__ import annotations

from typing import Any, Final

from referee.atlas.schema import (
    YES_NO,
    Key,
    Mistake,
    Notes,
    Path,
    Shape,
    different,
    list_shape,
    named_shape,
    number_shape,
    or_none,
    pattern_shape,
    refuse,
    table_shape,
    text_shape,
    whole_shape,
    word_shape,
)
from referee.engine.terms import (
    ABILITIES,
    COLOURS,
    MARKERS,
    PERMANENT_MARKERS,
    POINT_TYPES,
    SHAPES,
)

FORMAT: Final = 1
BANNERS: Final = ("plain", "red", "yellow", "green", "brown", "blue")


def _read_banner(notes: Notes, path: Path, value: object) -> object:
    parts = value.split("-") if isinstance(value, str) and len(value) <= 40 else []
    fits = 1 <= len(parts) <= 3 and len(set(parts)) == len(parts) and set(parts) <= set(BANNERS)
    return value if fits else refuse(notes, path, value, BANNER.allowed)


def _read_format(notes: Notes, path: Path, value: object) -> object:
    fits = type(value) is int and value == FORMAT
    return value if fits else refuse(notes, path, value, FORMAT_SHAPE.allowed)


BANNER: Final = Shape(
    f"it is one to three different colours of {', '.join(BANNERS)}, joined by -", _read_banner
)

ID: Final = pattern_shape(
    r"[a-z0-9]+(-[a-z0-9]+)*",
    40,
    "it is made of small letters a-z and digits, with single - between them, at most 40 long",
)
ROUTE_ID: Final = pattern_shape(
    r"[a-z0-9]+(-[a-z0-9]+)*--[a-z0-9]+(-[a-z0-9]+)*",
    82,
    "it is the ids of its two ends joined by --, such as bremen--hamburg",
)
FORMAT_SHAPE: Final = Shape("it is 1, the only format so far", _read_format)
XY: Final = whole_shape(0, 1000)
SPOT: Final = list_shape(XY, 2, 2, "whole numbers from 0 to 1000, x and y")
PRESTIGE: Final = whole_shape(1, 50)
NAME: Final = text_shape(40)

SPACE: Final = table_shape(
    {
        "privilege": Key(word_shape(COLOURS)),
        "shape": Key(word_shape(SHAPES)),
        "coin": Key(whole_shape(0, 20), 0),
    }
)
CITY: Final = table_shape(
    {
        "id": Key(ID),
        "name": Key(NAME),
        "aliases": Key(list_shape(NAME, 0, 5, "other names"), []),
        "x": Key(XY),
        "y": Key(XY),
        "banner": Key(BANNER, "plain"),
        "abilities": Key(different(list_shape(word_shape(ABILITIES), 0, 5, "abilities")), []),
        "countries": Key(different(list_shape(NAME, 0, 8, "countries")), []),
        "green": Key(YES_NO, False),
        "spaces": Key(list_shape(SPACE, 0, 12, "spaces"), []),
    }
)
POINT: Final = table_shape(
    {"type": Key(word_shape(POINT_TYPES)), "x": Key(XY, None), "y": Key(XY, None)}
)
ROUTE: Final = table_shape(
    {
        "id": Key(ROUTE_ID, None),
        "ends": Key(list_shape(ID, 2, 2, "city ids")),
        "points": Key(list_shape(POINT, 2, 4, "points")),
        "country": Key(or_none(NAME), None),
        "tavern": Key(YES_NO, False),
        "permanent": Key(or_none(word_shape(PERMANENT_MARKERS)), None),
        "marker_at": Key(SPOT, None),
    }
)
SPECIAL_SPACE: Final = table_shape(
    {
        "points": Key(PRESTIGE),
        "privilege": Key(word_shape(COLOURS)),
        "x": Key(XY, None),
        "y": Key(XY, None),
    }
)
SPECIAL: Final = table_shape(
    {
        "city": Key(ID),
        "routes": Key(different(list_shape(ROUTE_ID, 1, 20, "route ids"))),
        "spaces": Key(list_shape(SPECIAL_SPACE, 1, 4, "spaces")),
    }
)
PLAYERS: Final = table_shape({"min": Key(whole_shape(2, 5)), "max": Key(whole_shape(2, 5))})
CHAIN: Final = table_shape(
    {
        "ends": Key(list_shape(ID, 2, 2, "city ids")),
        "prestige": Key(list_shape(PRESTIGE, 1, 5, "whole numbers from 1 to 50")),
    }
)
COUNTRY: Final = table_shape(
    {
        "home": Key(YES_NO, False),
        "prestige": Key(list_shape(PRESTIGE, 0, 5, "whole numbers from 1 to 50"), []),
    }
)
COUNTRY_NAMES: Final = different(list_shape(NAME, 1, 8, "countries"))
MARKER: Final = word_shape(MARKERS)
CARD: Final = list_shape(ID, 3, 3, "city ids")
BOARD: Final = table_shape(
    {
        "format": Key(FORMAT_SHAPE, FORMAT),
        "id": Key(ID),
        "title": Key(text_shape(80)),
        "side": Key(text_shape(80, fewest=0), ""),
        "players": Key(PLAYERS),
        "aspect": Key(number_shape(0.3, 3.5), 1.4),
        "cities": Key(list_shape(CITY, 2, 200, "cities")),
        "routes": Key(list_shape(ROUTE, 3, 400, "routes")),
        "east_west": Key(CHAIN),
        "special_prestige": Key(SPECIAL),
        "completed_cities_limit": Key(whole_shape(1, 200)),
        "completed_track": Key(
            table_shape({"first": Key(SPOT), "last": Key(SPOT)}),
            {"first": [40, 40], "last": [240, 40]},
        ),
        "countries": Key(named_shape(NAME, COUNTRY, 8, "countries"), {}),
        "permits": Key(named_shape(ID, COUNTRY_NAMES, 200, "cities"), {}),
        "neutral_start": Key(different(list_shape(ID, 0, 200, "city ids")), None),
        "missions": Key(list_shape(CARD, 0, 60, "cards"), []),
        "favours": Key(YES_NO, False),
        "replaces": Key(named_shape(MARKER, MARKER, 10, "markers"), {}),
    }
)


def read_board(words: object) -> tuple[dict[str, Any], list[Mistake]]:
    """What could be read of a board, and every mistake in its shape."""
    notes = Notes(words)
    read: dict[str, Any] = BOARD.read(notes, (), words)
    read.pop("format", None)
    for route in read.get("routes", []):
        if "id" in route and route["id"] is None:
            _name_route(route)
    return read, notes.mistakes


def _name_route(route: dict[str, Any]) -> None:
    if "ends" in route:
        route["id"] = "--".join(route["ends"])
    else:
        del route["id"]
