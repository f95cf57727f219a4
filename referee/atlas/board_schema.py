"""Every key of a map file: what it may be, and its default.

docs/custom-maps.md explains the same keys.
"""

from __future__ import annotations

from typing import Any, Final

from referee.atlas.schema import (
    YES_NO,
    Key,
    Mistake,
    Notes,
    Path,
    Schema,
    different,
    list_schema,
    named_schema,
    number_schema,
    or_none,
    pattern_schema,
    refuse,
    table_schema,
    text_schema,
    whole_schema,
    word_schema,
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
    return value if fits else refuse(notes, path, value, FORMAT_SCHEMA.allowed)


BANNER: Final = Schema(
    f"it is one to three different colours of {', '.join(BANNERS)}, joined by -", _read_banner
)

ID: Final = pattern_schema(
    r"[a-z0-9]+(-[a-z0-9]+)*",
    40,
    "it is made of small letters a-z and digits, with single - between them, at most 40 long",
)
ROUTE_ID: Final = pattern_schema(
    r"[a-z0-9]+(-[a-z0-9]+)*--[a-z0-9]+(-[a-z0-9]+)*",
    82,
    "it is the ids of its two ends joined by --, such as bremen--hamburg",
)
FORMAT_SCHEMA: Final = Schema("it is 1, the only format so far", _read_format)
XY: Final = whole_schema(0, 1000)
SPOT: Final = list_schema(XY, 2, 2, "whole numbers from 0 to 1000, x and y")
PRESTIGE: Final = whole_schema(1, 50)
NAME: Final = text_schema(40)

SPACE: Final = table_schema(
    {
        "privilege": Key(word_schema(COLOURS)),
        "shape": Key(word_schema(SHAPES)),
        "coin": Key(whole_schema(0, 20), 0),
    }
)
CITY: Final = table_schema(
    {
        "id": Key(ID),
        "name": Key(NAME),
        "aliases": Key(list_schema(NAME, 0, 5, "other names"), []),
        "x": Key(XY),
        "y": Key(XY),
        "banner": Key(BANNER, "plain"),
        "abilities": Key(different(list_schema(word_schema(ABILITIES), 0, 5, "abilities")), []),
        "countries": Key(different(list_schema(NAME, 0, 8, "countries")), []),
        "green": Key(YES_NO, False),
        "spaces": Key(list_schema(SPACE, 0, 12, "spaces"), []),
    }
)
POINT: Final = table_schema(
    {"type": Key(word_schema(POINT_TYPES)), "x": Key(XY, None), "y": Key(XY, None)}
)
ROUTE: Final = table_schema(
    {
        "id": Key(ROUTE_ID, None),
        "ends": Key(list_schema(ID, 2, 2, "city ids")),
        "points": Key(list_schema(POINT, 2, 4, "points")),
        "country": Key(or_none(NAME), None),
        "tavern": Key(YES_NO, False),
        "permanent": Key(or_none(word_schema(PERMANENT_MARKERS)), None),
        "marker_at": Key(SPOT, None),
    }
)
SPECIAL_SPACE: Final = table_schema(
    {
        "points": Key(PRESTIGE),
        "privilege": Key(word_schema(COLOURS)),
        "x": Key(XY, None),
        "y": Key(XY, None),
    }
)
SPECIAL: Final = table_schema(
    {
        "city": Key(ID),
        "routes": Key(different(list_schema(ROUTE_ID, 1, 20, "route ids"))),
        "spaces": Key(list_schema(SPECIAL_SPACE, 1, 4, "spaces")),
    }
)
PLAYERS: Final = table_schema({"min": Key(whole_schema(2, 5)), "max": Key(whole_schema(2, 5))})
CHAIN: Final = table_schema(
    {
        "ends": Key(list_schema(ID, 2, 2, "city ids")),
        "prestige": Key(list_schema(PRESTIGE, 1, 5, "whole numbers from 1 to 50")),
    }
)
COUNTRY: Final = table_schema(
    {
        "home": Key(YES_NO, False),
        "prestige": Key(list_schema(PRESTIGE, 0, 5, "whole numbers from 1 to 50"), []),
    }
)
COUNTRY_NAMES: Final = different(list_schema(NAME, 1, 8, "countries"))
MARKER: Final = word_schema(MARKERS)
SPECIAL_CITIES: Final = different(list_schema(ID, 0, 200, "city ids"))
CARD: Final = list_schema(ID, 3, 3, "city ids")
BOARD: Final = table_schema(
    {
        "format": Key(FORMAT_SCHEMA, FORMAT),
        "id": Key(ID),
        "title": Key(text_schema(80)),
        "side": Key(text_schema(80, fewest=0), ""),
        "players": Key(PLAYERS),
        "aspect": Key(number_schema(0.3, 3.5), 1.4),
        "cities": Key(list_schema(CITY, 2, 200, "cities")),
        "routes": Key(list_schema(ROUTE, 3, 400, "routes")),
        "east_west": Key(CHAIN),
        "special_prestige": Key(SPECIAL),
        "completed_cities_limit": Key(whole_schema(1, 200)),
        "completed_track": Key(
            table_schema({"first": Key(SPOT), "last": Key(SPOT)}),
            {"first": [40, 40], "last": [240, 40]},
        ),
        "countries": Key(named_schema(NAME, COUNTRY, 8, "countries"), {}),
        "permits": Key(named_schema(ID, COUNTRY_NAMES, 200, "cities"), {}),
        "neutral_start": Key(SPECIAL_CITIES, None),
        "neutral_start_britannia": Key(SPECIAL_CITIES, None),
        "missions": Key(list_schema(CARD, 0, 60, "cards"), []),
        "favours": Key(YES_NO, False),
        "replaces": Key(named_schema(MARKER, MARKER, 10, "markers"), {}),
    }
)


def read_board(words: object) -> tuple[dict[str, Any], list[Mistake]]:
    """As much of a board as could be read, and every mistake against the schema."""
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
