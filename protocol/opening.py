"""The state before any event: the start of a fold over events."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .incoming import StartMessage
    from .parts import Board
    from .words import Permits, PlayerState, State

ABILITIES = ("keys", "actions", "privilege", "book", "bank")
MARKERS = (
    "additional-post",
    "exchange-posts",
    "develop-ability",
    "plus-3-actions",
    "plus-4-actions",
    "move-3",
    "remove-3",
    "swap-marker",
    "tribute",
    "block",
)
FAVOURS = ("relocate-anywhere", "extra-action", "levy", "reinforce", "patron", "scholar")

# What the box contains; a test compares these with the numbers of the referee.
SUPPLY_TRADERS = (5, 6, 7, 8, 9)  # by seat
SUPPLY_AND_STOCK_TRADERS = 11
SUPPLY_MERCHANTS = 1
MARKER_SUPPLY = {"bigbox": 12, "original": 13}


def narrowest_first(board: Board) -> list[str]:
    """The cities that give permits, in the order in which they are spent."""
    number = {city["id"]: at for at, city in enumerate(board["cities"])}
    permits = board["permits"]
    return sorted(permits, key=lambda city: (len(set(permits[city])), number[city]))


def first_state(start: StartMessage) -> State:
    """The state before any event: a board without markers, and the supplies dealt."""
    board, rules = start["board"], start["rules"]
    permits: Permits = {"cities": {}, "spent": [], "bought": False}
    return {
        "turn": 0,
        "active": -1,
        "actions_left": 0,
        "extra_actions": 0,
        "fresh": False,
        "completed_cities": 0,
        "marker_supply": MARKER_SUPPLY[rules["edition"]],
        "undrawn": False,
        "east_west": [],
        "routes": {
            route["id"]: {"points": [None] * len(route["points"]), "marker": None}
            for route in board["routes"]
        },
        "cities": {
            city["id"]: {"posts": [None] * len(city["spaces"]), "additional": []}
            for city in board["cities"]
        },
        "special_prestige": [None] * len(board["special_prestige"]["spaces"]),
        "favours": list(start["favours"]),
        "players": [_first_player(seat) for seat in range(rules["players"])],
        "mission": start["mission"],
        "plate_seen": [],
        "in_hand": [],
        "permits": permits if board["permits"] else None,
        "laid": [],
        "markers_out": [],
        "neutral": None if rules["neutral"] is None else {"prestige": 0},
    }


def _first_player(seat: int) -> PlayerState:
    traders = SUPPLY_TRADERS[seat]
    return {
        "seat": seat,
        "prestige": 0,
        "stock": {"traders": SUPPLY_AND_STOCK_TRADERS - traders, "merchants": 0},
        "supply": {"traders": traders, "merchants": SUPPLY_MERCHANTS},
        "desk": {"keys": 0, "actions": 0, "privilege": 0, "book": 0, "bank": 0},
        "markers": [],
        "used_markers": [],
        "plate": 0,
        "favours": [],
    }
