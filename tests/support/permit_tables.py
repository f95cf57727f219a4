"""Positions in which permits matter."""

from typing import Any

from referee.engine.state import GameState
from support.countries import ABROAD
from support.groups import together
from support.table import offers, play, seen, table

BOARDS = together("board", ["britannia-2-3", "britannia-4-5"])
IN_WALES = "chester--conway"
IN_SCOTLAND = "dunbar--newcastle"
IN_ENGLAND = "durham--york"


def britannia(board: str = "britannia-4-5", **wanted: Any) -> GameState:
    wanted.setdefault("actions", 5)
    wanted["supply"] = {0: (6, 1)} | wanted.get("supply", {})
    return table(board, **wanted)


def placed_abroad(state: GameState) -> set[str]:
    """Return the foreign routes on which a tradesman may be placed now."""
    foreign = ABROAD[state.rules.board]
    return {one["route"] for one in offers(state, do="place") if one["route"] in foreign}


def place(state: GameState, route: str) -> None:
    play(state, do="place", route=route, tradesman="trader")


def left(state: GameState) -> dict[str, int]:
    cities: dict[str, int] = seen(state)["permits"]["cities"]
    return cities
