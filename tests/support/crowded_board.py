"""A crowded board: bystanders take every point that the test does not set.

    state = crowded("east", {"luebeck--wismar": ["1t", "x", "x"], "elbing--kulm": [None, "x"]})

"x" is a bystander, too. The test is about seats 0 and 1; seats 2 to 4 are the bystanders, with
full desks, and traders of seat 0 fill the points that are left.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, repeat
from typing import Any

from referee import atlas
from referee.engine.state import GameState
from support.table import table

Men = Sequence[str | None]
Routes = dict[str, Men]
BYSTANDERS = (2, 3, 4)
FULL_DESK = {"keys": 4, "actions": 5, "privilege": 3, "book": 3, "bank": 3}


def points_of(board: str) -> dict[str, list[str]]:
    """Return the types of the points of each route: {"luebeck--wismar": ["house", "house", "house"]}."""
    return {
        route["id"]: [point["type"] for point in route["points"]]
        for route in atlas.load_board(board).words["routes"]
    }


def crowded(board: str, routes: Mapping[str, Men], **more: Any) -> GameState:
    """Return a position of five players where all routes but these are full."""
    supply = dict.fromkeys(BYSTANDERS, (0, 0)) | {0: (5, 3)} | more.pop("supply", {})
    desk = dict.fromkeys((0, *BYSTANDERS), FULL_DESK) | more.pop("desk", {})
    points = crowd(board, routes)
    return table(board, players=5, points=points, supply=supply, desk=desk, **more)


def crowd(board: str, routes: Mapping[str, Men]) -> dict[str, list[str | None]]:
    """Return the tradesmen of every route: merchants on ships, and traders in houses while they last."""
    types = points_of(board)
    men = {route: list(routes.get(route, "x" * len(kinds))) for route, kinds in types.items()}
    places = [(route, i) for route, row in men.items() for i, man in enumerate(row) if man == "x"]
    merchants = chain.from_iterable(repeat(f"{seat}m", 4) for seat in BYSTANDERS)
    for route, i in places:
        if types[route][i] == "ship":
            men[route][i] = next(merchants)
    ashore = _ashore(merchants)
    for route, i in places:
        if types[route][i] == "house":
            men[route][i] = next(ashore)
    return men


def _ashore(merchants: Iterator[str]) -> Iterator[str]:
    for seat in BYSTANDERS:
        yield from repeat(f"{seat}t", 26)
    yield from merchants
    yield from repeat("0t", 26)
