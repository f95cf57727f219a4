"""The public state, folded from what every bot is told: `start`, and the events since.

It is written from the protocol's table of events alone and imports nothing of the referee: a bot
that asks for no `state` can keep its own in the same way. `words` is what `state` would say, less
`mission` and `plate_seen`, which are the seat's own business.

    public = PublicState(rules, board, favours)   # of the message `start`
    for event in events:
        public.tell(event)
    public.asked(decision)                        # of the message `decide`

Events tell everything but one thing: that a turn was ended with actions left, when markers are
still to be placed. The decision `place-marker` says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

Words: TypeAlias = dict[str, Any]

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
TILES = ("relocate-anywhere", "extra-action", "levy", "reinforce", "patron", "scholar")
DESK = {"keys": 4, "actions": 5, "privilege": 3, "book": 3, "bank": 3}  # tradesmen on a full desk
SUPPLY = {"bigbox": 12, "original": 13}
LAID = ("tribute", "block")
KINDS = {"trader": "traders", "merchant": "merchants"}


class PublicState:
    """What lies open on the table, in the words of the protocol."""

    def __init__(
        self, rules: Mapping[str, Any], board: Mapping[str, Any], favours: Iterable[str] = ()
    ) -> None:
        self._board = board
        self._spent: list[str] = []
        self._bought = False
        self._tell: dict[str, Callable[[Words], None]] = {
            "turn": self._turn,
            "action": self._action,
            "income": self._from_stock,
            "placed": self._placed,
            "displaced": self._displaced,
            "paid": self._paid,
            "relocated": self._placed,
            "lifted": self._lifted,
            "put": self._put,
            "removed": self._removed,
            "created": self._created,
            "returned": self._returned,
            "neutral-created": self._neutral_created,
            "prestige": self._prestige,
            "marker-taken": self._marker_taken,
            "marker-placed": self._marker_placed,
            "marker-drawn": self._marker_drawn,
            "marker-used": self._marker_used,
            "actions-gained": self._actions_gained,
            "post": self._post,
            "city-completed": self._city_completed,
            "developed": self._developed,
            "special-prestige": self._special_prestige,
            "exchanged": self._exchanged,
            "favour-taken": self._favour_taken,
            "levied": self._from_stock,
            "tribute": self._from_stock,
            "permit": self._permit,
            "disqualified": _nothing,
            "game-over": self._game_over,
            "scored": _nothing,
        }
        self._words: Words = {
            "turn": 0,
            "active": -1,
            "actions_left": 0,
            "extra_actions": 0,
            "fresh": False,
            "completed_cities": 0,
            "marker_supply": SUPPLY[rules["edition"]],
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
            "favours": list(favours),
            "players": [_player_at_start(seat) for seat in range(rules["players"])],
            "in_hand": [],
            "laid": [],
            "markers_out": [],
            "neutral": None if rules["neutral"] is None else {"prestige": 0},
        }

    def tell(self, event: Words) -> None:
        """Take in one event."""
        self._tell[event["event"]](event)

    def asked(self, decision: str) -> None:
        """Take in which decision this seat must make now."""
        if decision == "place-marker":
            self._no_more_actions()

    def words(self) -> Words:
        """The state as it is now; to be read, not kept."""
        return self._words | {"permits": self._permits()}

    def _permits(self) -> Words | None:
        permits = self._board["permits"]
        if not permits:
            return None
        active = self._words["active"]
        return {
            "cities": {
                city: int(city not in self._spent and self._rightmost(city) == active)
                for city in permits
            },
            "spent": self._spent,
            "bought": self._bought,
        }

    def _rightmost(self, city: str) -> int | str | None:
        words = self._words["cities"][city]
        men = [man for man in (*words["additional"], *words["posts"]) if man]
        return _owner(men[-1]) if men else None

    # -- turns

    def _turn(self, event: Words) -> None:
        self._words |= {"turn": event["turn"], "active": event["seat"], "fresh": True}
        self._words |= {"actions_left": event["actions"], "extra_actions": 0}
        self._spent, self._bought = [], False

    def _action(self, event: Words) -> None:
        words = self._words
        words["fresh"] = False
        words["actions_left"] = event["left"]
        words["extra_actions"] = min(words["extra_actions"], event["left"])

    def _actions_gained(self, event: Words) -> None:
        self._words["actions_left"] += event["actions"]
        if event["why"] != "actions":
            self._words["extra_actions"] += event["actions"]

    def _no_more_actions(self) -> None:
        self._words |= {"fresh": False, "actions_left": 0, "extra_actions": 0}

    def _game_over(self, event: Words) -> None:
        self._no_more_actions()
        self._words["in_hand"] = []

    # -- tradesmen

    def _add(self, place: str, event: Words, sign: int) -> None:
        held = self._words["players"][event["seat"]][place]
        for kind in ("traders", "merchants"):
            held[kind] += sign * event[kind]

    def _add_one(self, place: str, seat: int | str, kind: str, sign: int) -> None:
        if seat != "n":  # the neutral colour has no stock to run out
            self._words["players"][seat][place][KINDS[kind]] += sign

    def _from_stock(self, event: Words) -> None:
        self._add("stock", event, -1)
        self._add("supply", event, +1)

    def _paid(self, event: Words) -> None:
        self._add("supply", event, -1)
        self._add("stock", event, +1)

    def _points(self, route: str) -> list[str | None]:
        points: list[str | None] = self._words["routes"][route]["points"]
        return points

    def _placed(self, event: Words) -> None:
        """From wherever it says to a point; a displaced tradesman may find none."""
        seat, kind, source = event["seat"], event["tradesman"], event["from"]
        if source == "point":
            self._points(event["from_route"])[event["from_point"]] = None
        elif source in ("stock", "supply"):
            self._add_one(source, seat, kind, -1)
        else:
            self._words["in_hand"].remove(_man(seat, kind))
        if event.get("to") == "stock":
            self._add_one("stock", seat, kind, +1)
        else:
            self._points(event["route"])[event["point"]] = _man(seat, kind)

    def _displaced(self, event: Words) -> None:
        self._lifted(event)
        self._points(event["route"])[event["point"]] = _man(event["by"], event["with"])
        self._add_one("supply", event["by"], event["with"], -1)

    def _lifted(self, event: Words) -> None:
        self._points(event["route"])[event["point"]] = None
        self._words["in_hand"].append(_man(event["seat"], event["tradesman"]))

    def _put(self, event: Words) -> None:
        man = _man(event["seat"], event["tradesman"])
        self._words["in_hand"].remove(man)
        self._points(event["route"])[event["point"]] = man

    def _removed(self, event: Words) -> None:
        self._points(event["route"])[event["point"]] = None
        self._add_one("supply", event["seat"], event["tradesman"], +1)

    # -- routes and cities

    def _created(self, event: Words) -> None:
        """What does not return at once is in hand, traders first: for a post, or to be placed."""
        points = self._points(event["route"])
        self._words["in_hand"] += sorted([man for man in points if man], reverse=True)
        points[:] = [None] * len(points)
        self._returned({"seat": event["seat"], **event["returned"]})

    def _returned(self, event: Words) -> None:
        for kind, amount in KINDS.items():
            for _ in range(event[amount]):
                self._words["in_hand"].remove(_man(event["seat"], kind))
        self._add("stock", event, +1)

    def _neutral_created(self, event: Words) -> None:
        points = self._points(event["route"])
        points[:] = [None] * len(points)
        if event["marker"]:
            self._words["routes"][event["route"]]["marker"] = None
            self._words["markers_out"].append(event["marker"])
            self._replace()
        if event["stays"]:
            (route,) = [one for one in self._board["routes"] if one["id"] == event["route"]]
            types = [point["type"] for point in route["points"]]
            points[types.index("house") if "house" in types else 0] = "nt"

    def _prestige(self, event: Words) -> None:
        seat, words = event["seat"], self._words
        scorer = words["neutral"] if seat == "n" else words["players"][seat]
        scorer["prestige"] += event["points"]
        if event["why"] == "east-west":
            words["east_west"].append(seat)

    def _post(self, event: Words) -> None:
        seat, where, city = event["seat"], event["where"], self._words["cities"][event["city"]]
        man = _man(seat, event["tradesman"])
        if where == "green":
            city["posts"].append(man)
            self._add_one("supply", seat, event["tradesman"], -1)
            return
        if where == "additional":
            city["additional"].insert(0, man)
        else:
            city["posts"][event["space"]] = man
        if seat != "n":
            self._words["in_hand"].remove(man)

    def _city_completed(self, event: Words) -> None:
        self._words["completed_cities"] = event["count"]

    def _developed(self, event: Words) -> None:
        player = self._words["players"][event["seat"]]
        player["desk"][event["ability"]] = event["steps"]
        player["supply"]["merchants" if event["ability"] == "book" else "traders"] += 1

    def _special_prestige(self, event: Words) -> None:
        spaces = [space["points"] for space in self._board["special_prestige"]["spaces"]]
        self._words["special_prestige"][spaces.index(event["points"])] = event["seat"]
        self._words["in_hand"].remove(_man(event["seat"], "merchant"))

    def _exchanged(self, event: Words) -> None:
        posts = self._words["cities"][event["city"]]["posts"]
        one, other = event["spaces"]
        posts[one], posts[other] = posts[other], posts[one]

    # -- markers, tiles and permits

    def _marker_taken(self, event: Words) -> None:
        self._words["routes"][event["route"]]["marker"] = None
        self._gain(event["seat"], "markers", event["marker"])
        self._replace()

    def _replace(self) -> None:
        """A marker that left a route is to be replaced; without any to draw the game ends."""
        if not self._words["marker_supply"]:
            self._words["undrawn"] = True

    def _marker_drawn(self, event: Words) -> None:
        self._words["marker_supply"] = event["left"]
        self._words["players"][event["seat"]]["plate"] += 1

    def _marker_placed(self, event: Words) -> None:
        self._words["routes"][event["route"]]["marker"] = event["marker"]
        if event["seat"] is not None:
            self._words["players"][event["seat"]]["plate"] -= 1
            self._no_more_actions()

    def _marker_used(self, event: Words) -> None:
        seat, marker = event["seat"], event["marker"]
        self._words["fresh"] = False
        self._give_up(seat, "markers", marker)
        if marker in LAID:
            self._words["laid"].append({"marker": marker, "route": event["route"], "seat": seat})
            self._add_one("supply", seat, "trader", -1)
        elif marker == "swap-marker":
            self._give_up(event["owner"], "used_markers", event["takes"])
            self._gain(event["owner"], "used_markers", marker)
            self._gain(seat, "markers", event["takes"])
        else:
            self._gain(seat, "used_markers", marker)

    def _favour_taken(self, event: Words) -> None:
        for marker in event["markers"]:
            self._give_up(event["seat"], "markers", marker)
            self._gain(event["seat"], "used_markers", marker)
        self._words["favours"].remove(event["tile"])
        tiles = self._words["players"][event["seat"]]["favours"]
        tiles.append(event["tile"])
        tiles.sort(key=TILES.index)
        self._no_more_actions()

    def _permit(self, event: Words) -> None:
        if "city" in event:
            self._spent = [
                city for city in self._board["permits"] if city in (*self._spent, event["city"])
            ]
            return
        self._words["fresh"] = False
        self._give_up(event["seat"], "markers", event["bought"])
        self._words["markers_out"].append(event["bought"])
        self._bought = True

    def _gain(self, seat: int, pile: str, marker: str) -> None:
        markers = self._words["players"][seat][pile]
        markers.append(marker)
        markers.sort(key=MARKERS.index)

    def _give_up(self, seat: int, pile: str, marker: str) -> None:
        self._words["players"][seat][pile].remove(marker)


def _player_at_start(seat: int) -> Words:
    """The n-th player has 4 + n traders and a merchant in the supply, 7 - n traders in the stock."""
    return {
        "seat": seat,
        "prestige": 0,
        "stock": {"traders": 6 - seat, "merchants": 0},
        "supply": {"traders": 5 + seat, "merchants": 1},
        "desk": dict.fromkeys(DESK, 0),
        "markers": [],
        "used_markers": [],
        "plate": 0,
        "favours": [],
    }


def _man(seat: int | str, kind: str) -> str:
    return f"{seat}{kind[0]}"


def _owner(man: str) -> int | str:
    return "n" if man[0] == "n" else int(man[0])


def _nothing(event: Words) -> None:
    """Changes nothing on the table."""
