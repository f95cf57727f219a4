"""Counts of all tradesmen and markers in a view: none may appear or get lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import chain
from typing import Any, TypeAlias

from referee.engine.state import GameState
from referee.engine.terms import MARKERS

View: TypeAlias = Mapping[str, Any]

ON_DESK = {"keys": 4, "actions": 5, "privilege": 3, "book": 3, "bank": 3}
PROMOS = {"swap-marker": 2, "tribute": 2, "block": 2}
BIGBOX = {
    "additional-post": 4,
    "exchange-posts": 3,
    "develop-ability": 2,
    "plus-3-actions": 2,
    "plus-4-actions": 2,
    "move-3": 2,
}
ORIGINAL = {
    "additional-post": 5,
    "exchange-posts": 2,
    "develop-ability": 3,
    "plus-3-actions": 2,
    "plus-4-actions": 2,
    "remove-3": 2,
}


def all_tradesmen(seen: View) -> dict[str, int]:
    """Return how many tradesmen of each colour and kind there are, such as {"0t": 27}."""
    places = [route["points"] for route in seen["routes"].values()]
    places += [city["posts"] for city in seen["cities"].values()]
    places += [city["additional"] for city in seen["cities"].values()]
    men: Counter[str | None] = Counter(chain(seen["in_hand"], *places))
    men.update(f"{seat}m" for seat in seen["special_prestige"] if seat is not None)
    men.update(f"{laid['seat']}t" for laid in seen["laid"])
    for player in seen["players"]:
        stock, supply, desk = player["stock"], player["supply"], player["desk"]
        covered = {ability: ON_DESK[ability] - steps for ability, steps in desk.items()}
        book = covered.pop("book")
        score_marker = 1
        men[f"{player['seat']}t"] += stock["traders"] + supply["traders"] + score_marker
        men[f"{player['seat']}t"] += sum(covered.values())
        men[f"{player['seat']}m"] += stock["merchants"] + supply["merchants"] + book
    return {man: count for man, count in men.items() if man and man[0] != "n"}


def full_set(players: int) -> dict[str, int]:
    """Return what `all_tradesmen` must find."""
    return {f"{seat}{kind}": n for seat in range(players) for kind, n in (("t", 27), ("m", 4))}


def open_markers(seen: View) -> Counter[str]:
    """Return the face-up markers: on routes, with seats, laid above routes, out of the game."""
    markers = [route["marker"] for route in seen["routes"].values() if route["marker"]]
    markers += [laid["marker"] for laid in seen["laid"]]
    for player in seen["players"]:
        markers += player["markers"] + player["used_markers"]
    return Counter(markers + seen["markers_out"])


def covered_markers(seen: View) -> int:
    """Return how many markers lie face down: in the supply and on plates."""
    return int(seen["marker_supply"] + sum(player["plate"] for player in seen["players"]))


def hidden_markers(state: GameState) -> Counter[str]:
    """Return the face-down markers, which no seat may know."""
    hidden = [*state.supply_order[state.drawn :], *(m for plate in state.plates for m in plate)]
    return Counter(MARKERS[marker] for marker in hidden)


def box_of_markers(board: str, edition: str) -> Counter[str]:
    """Return all markers of an edition; on the Britannia boards move-3 replaces remove-3."""
    if edition == "bigbox":
        return Counter(BIGBOX)
    box = Counter(ORIGINAL)
    if board.startswith("britannia"):
        box["move-3"] = box.pop("remove-3")
    return box
