"""Positions on the Eastern board."""

from typing import Any

from referee.engine.state import GameState
from support.table import seen, table

MARITIME = {
    "danzig--malmoe": ["0t", "0t", "0t", "0m"],
    "malmoe--stralsund": ["0m", "0m", "0t"],
    "malmoe--visby": ["0t", "0m", "0t"],
    "stralsund--wismar": ["0m", "0m", "0t"],
}


def east(route: str | None = None, **wanted: Any) -> GameState:
    """Return a position on the Eastern board; seat 0 can create the route, if one is given."""
    points = dict(wanted.pop("points", {}))
    if route:
        size = len(seen(table("east"))["routes"][route]["points"])
        points[route] = MARITIME.get(route, ["0t"] * size)
    desk = {0: {"book": 3} | wanted.pop("desk", {})}
    supply = {0: (2, 0)} | wanted.pop("supply", {})
    return table("east", points=points, desk=desk, supply=supply, **wanted)
