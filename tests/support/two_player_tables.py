"""Positions of two players with a neutral colour."""

from pathlib import Path
from typing import Any

from referee.engine.state import GameState
from support.groups import together
from support.paths import ROOT
from support.table import asked, events_of, play, seen, table

MAPS = ROOT / "maps"
HANSE, EAST, BRITANNIA = "hanse-2-3", "east", "britannia-2-3"
MODES = together("neutral", ["2009", "britannia"])
BOARDS = together("board", [HANSE, EAST, BRITANNIA])
ONE_TRADER = {"traders": 1, "merchants": 0}


def two(board: str = HANSE, **wanted: Any) -> GameState:
    wanted["supply"] = {0: (4, 0)} | wanted.get("supply", {})
    return table(board, players=2, **wanted)


def empty_board(board: str) -> dict[str, list[str | None]]:
    routes = seen(table(board, players=2))["routes"]
    return {route: [None] * len(words["points"]) for route, words in routes.items()}


def displace(state: GameState, route: str, tradesman: str = "trader") -> None:
    play(state, do="displace", route=route, point=0, tradesman=tradesman, pay=ONE_TRADER)


def neutral_prestige(state: GameState) -> int:
    won: int = seen(state)["neutral"]["prestige"]
    return won


def filled(goal: str, last: str, board: str = HANSE, **wanted: Any) -> GameState:
    """Return a position after a displacement that filled a route with neutral traders.

    Seat 0 displaced the neutral trader of the route `last`; seat 1 put it on the last free point
    of `goal`, and declined the extra.
    """
    points = empty_board(board)
    points[goal] = ["nt"] * (len(points[goal]) - 1) + [None]
    points[last][0] = "nt"
    points |= wanted.pop("points", {})
    state = two(board, points=points, **wanted)
    displace(state, last)
    play(state, do="relocate", from_="displaced", route=goal)
    play(state, do="decline")
    return state


def luebeck(**wanted: Any) -> GameState:
    """Hamburg-Lübeck, which ends at an ability, has just been filled with neutral traders."""
    return filled("hamburg--luebeck", "hamburg--stade", **wanted)


def hannover(**wanted: Any) -> GameState:
    """Hannover-Minden, which has no ability, has just been filled with neutral traders."""
    return filled("hannover--minden", "bremen--minden", **wanted)


def edited(folder: Path, board: str, old: str, new: str) -> str:
    """Copy a bundled or edited map file, replace one piece of text in it, and return its path."""
    source = Path(board) if board.endswith(".toml") else MAPS / f"{board}.toml"
    text = source.read_text("utf-8")
    assert text.count(old) == 1
    path = folder / "edited.toml"
    path.write_text(text.replace(old, new), "utf-8")
    return str(path)


def move_three(state: GameState, lifts: list[tuple[str, int]], puts: list[str]) -> None:
    """Use move-3 from these points onto these routes."""
    play(state, do="use", marker="move-3")
    for route, point in lifts:
        play(state, do="lift", route=route, point=point)
    if len(lifts) < 3 and asked(state) == ("lift", 0):
        play(state, do="stop")
    for route in puts:
        assert events_of(state, "neutral-created") == []
        play(state, do="put", route=route)
