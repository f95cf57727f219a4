"""What follows from the rest of a board: where things are drawn, and where neutral traders start."""

from __future__ import annotations

import math
from typing import Any, Final

MARKER_AWAY: Final = 35  # how far a bonus marker lies from its route, unless the map has marker_at
ROW_AWAY: Final = 90
ROW_STEP: Final = 40


def complete(words: dict[str, Any]) -> None:
    """Fill in what follows from the rest of a board: where things are drawn, where neutrals start."""
    cities = {city["id"]: city for city in words["cities"]}
    if words["neutral_start"] is None:
        words["neutral_start"] = [name for name, city in cities.items() if city["abilities"]]
    if words["neutral_start_britannia"] is None:  # not given: then it is not part of the board
        del words["neutral_start_britannia"]
    for route in words["routes"]:
        first, last = (cities[end] for end in route["ends"])
        _place_points(route["points"], first, last)
        route["marker_at"] = route["marker_at"] or _beside(first, last)
    special = words["special_prestige"]
    _place_row(special["spaces"], cities[special["city"]])


def _place_points(
    points: list[dict[str, Any]], first: dict[str, Any], last: dict[str, Any]
) -> None:
    """Place points evenly on the line from the first end to the last, unless the map gives x and y."""
    for index, point in enumerate(points):
        share = (index + 1) / (len(points) + 1)
        for axis in ("x", "y"):
            if point[axis] is None:
                point[axis] = round(first[axis] + share * (last[axis] - first[axis]))


def _beside(first: dict[str, Any], last: dict[str, Any]) -> list[int]:
    """A spot to the right of the middle of a route, seen from its first end."""
    across, down = last["x"] - first["x"], last["y"] - first["y"]
    length = math.hypot(across, down) or 1
    x = (first["x"] + last["x"]) / 2 - MARKER_AWAY * down / length
    y = (first["y"] + last["y"]) / 2 + MARKER_AWAY * across / length
    return [_on_board(x), _on_board(y)]


def _place_row(spaces: list[dict[str, Any]], city: dict[str, Any]) -> None:
    """Below the city, or above one near the lower edge, side by side."""
    down = ROW_AWAY if city["y"] <= 1000 - 2 * ROW_AWAY else -ROW_AWAY
    left = min(max(city["x"] - ROW_STEP * (len(spaces) - 1) // 2, ROW_STEP), 1000)
    left = max(min(left, 1000 - ROW_STEP * len(spaces)), 0)
    for index, space in enumerate(spaces):
        if space["x"] is None:
            space["x"] = _on_board(left + ROW_STEP * index)
            space["y"] = _on_board(city["y"] + down)


def _on_board(value: float) -> int:
    return min(max(round(value), 0), 1000)
