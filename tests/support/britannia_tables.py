"""Positions on the Britannia boards."""

from typing import Any

from referee.engine.state import GameState
from support.groups import together
from support.table import table

SMALL, LARGE = "britannia-2-3", "britannia-4-5"
BOARDS = together("board", [SMALL, LARGE])


def britannia(board: str = LARGE, **wanted: Any) -> GameState:
    wanted["supply"] = {0: (2, 0)} | wanted.get("supply", {})
    return table(board, **wanted)
