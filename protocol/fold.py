"""Keep a state from events, for bots that ask for `state` "none" but need the position.

def start(self, game):
    self.table = Table(game)

def decide(self, request):
    self.table.hear(request)
    ... self.table.state ...
"""

from __future__ import annotations

from .opening import FAVOURS, MARKERS, first_state, narrowest_first

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, ClassVar

    from .events import Event
    from .incoming import DecideMessage, EndMessage, StartMessage
    from .request import Game, Request, Result
    from .words import Code, State

    Words = dict[str, Any]

_BY_SHAPE = {"square": "t", "round": "m"}


class Table:
    """The position of one game as a seat sees it, kept up to date from the messages to that seat.

    `state` is what the `state` of a request would be, always in words, even if the bot asked for
    codes. It is one object that changes: copy what you want to keep.
    """

    def __init__(self, start: StartMessage | Game) -> None:
        """`start` is the `start` message as a dict, or the game that is passed to `Bot.start`."""
        message: StartMessage = start if isinstance(start, dict) else start.message
        self._start = message
        self._codes: Any = None
        self.seat: int = message["seat"]
        board = message["board"]
        self._spaces = {city["id"]: city["spaces"] for city in board["cities"]}
        self._points = {route["id"]: route["points"] for route in board["routes"]}
        self._place_2_routes = {
            route["id"] for route in board["routes"] if route["permanent"] == "place-2-from-route"
        }
        self._special = [space["points"] for space in board["special_prestige"]["spaces"]]
        self._permits = narrowest_first(board)
        self._can_buy_permits: bool = message["rules"]["permits"]
        self._abroad = {
            route["id"]
            for route in board["routes"]
            if route["country"] and not board["countries"][route["country"]]["home"]
        }
        self._may_need_permit = False  # the last action may have needed a bought permit
        self.state: State = first_state(message)
        self._update_permits()

    def hear(self, message: DecideMessage | EndMessage | Request | Result) -> None:
        """Update the state from a `decide` or `end` message, or from a request.

        Prefer this to `apply`, because a message says more than its events: if it asks a seat to
        place markers, it also shows the plate.
        """
        words: Any = message if isinstance(message, dict) else message.message
        self.apply(words["events"])
        if words.get("decision") == "place-marker":
            self._end_actions()
            markers = words["about"]["markers"]
            self._state["plate_seen"] = [m if isinstance(m, str) else MARKERS[m] for m in markers]

    def apply(self, events: Iterable[Event | Code]) -> None:
        """Update the state from events, in words or in codes."""
        for event in events:
            words: Any = event if isinstance(event, dict) else self._in_words(event)
            handler = self._handlers.get(words["event"])
            if handler is not None:
                handler(self, words)
        self._update_permits()

    def _in_words(self, event: list[int]) -> Words:
        if self._codes is None:
            from .codes import Codes  # noqa: PLC0415  bots with detail `words` never need it

            self._codes = Codes(self._start)
        words: Words = self._codes.event(event)
        return words

    # -- helpers

    @property
    def _state(self) -> Any:
        """The state as a dict with any keys, because some of them are in variables."""
        return self.state

    def _player(self, seat: int) -> Words:
        player: Words = self._state["players"][seat]
        return player

    def _move(self, event: Words, out_of: str, into: str) -> None:
        player = self._player(event["seat"])
        for kind in ("traders", "merchants"):
            player[out_of][kind] -= event[kind]
            player[into][kind] += event[kind]

    def _add(self, seat: int | str, where: str, tradesman: str, count: int = 1) -> None:
        """Does nothing for the neutral colour, which has neither stock nor supply."""
        if seat != "n":
            self._player(int(seat))[where][f"{tradesman}s"] += count

    def _set_point(self, event: Words, man: str | None) -> None:
        self._state["routes"][event["route"]]["points"][event["point"]] = man

    def _take_from(self, event: Words) -> None:
        """Remove a tradesman from the place that an event gives as its origin."""
        source = event["from"]
        if source == "point":
            points = self._state["routes"][event["from_route"]]["points"]
            points[event["from_point"]] = None
        elif source in ("stock", "supply"):
            self._add(event["seat"], source, event["tradesman"], -1)
        else:
            self._state["in_hand"].remove(_tradesman_of(event))

    def _end_actions(self) -> None:
        self._state.update(actions_left=0, extra_actions=0, fresh=False)

    def _update_permits(self) -> None:
        """Compute what is left of each city's permit for the active seat."""
        permits = self._state["permits"]
        if permits is None:
            return
        active = str(self._state["active"])
        for city in self._permits:
            holder = rightmost_holder(self._state["cities"][city])
            permits["cities"][city] = int(city not in permits["spent"] and holder == active)

    # -- turns

    def _turn(self, event: Words) -> None:
        self._state.update(
            turn=event["turn"],
            active=event["seat"],
            actions_left=event["actions"],
            extra_actions=0,
            fresh=True,
            acted=False,
            forgone=False,
        )
        if self._state["permits"] is not None:
            self._state["permits"].update(spent=[], bought=False)

    def _action(self, event: Words) -> None:
        state = self._state
        own_left = state["actions_left"] > state["extra_actions"]
        bought = self._can_buy_permits and state["permits"]["bought"] and own_left
        own_first = not self._can_buy_permits or (bought and event["do"] == "move")
        if state["extra_actions"] and not (own_first and own_left):
            state["extra_actions"] -= 1
            self._may_need_permit = bought and event["do"] in ("place", "displace")
        state["actions_left"] = event["left"]
        state["fresh"] = False
        state["acted"] = True

    def _spend_own_abroad(self, event: Words) -> None:
        """To place or displace abroad with a bought permit costs one of the turn's own actions."""
        if self._may_need_permit and event["route"] in self._abroad:
            self._state["extra_actions"] += 1
        self._may_need_permit = False

    def _actions_gained(self, event: Words) -> None:
        self._state["actions_left"] += event["actions"]
        if event["why"] != "actions":
            self._state["extra_actions"] += event["actions"]
            self._state["acted"] = True

    def _game_over(self, _: Words) -> None:
        self._end_actions()
        self._state["in_hand"] = []

    def _prestige(self, event: Words) -> None:
        seat = event["seat"]
        scorer = self._state["neutral"] if seat == "n" else self._player(seat)
        scorer["prestige"] += event["points"]
        if event["why"] == "east-west":
            self._state["east_west"].append(seat)

    # -- tradesmen

    def _to_supply(self, event: Words) -> None:
        self._move(event, "stock", "supply")

    def _paid(self, event: Words) -> None:
        self._move(event, "supply", "stock")

    def _placed(self, event: Words) -> None:
        self._spend_own_abroad(event)
        self._take_from(event)
        self._set_point(event, _tradesman_of(event))

    def _relocated(self, event: Words) -> None:
        self._take_from(event)
        if "to" in event:
            self._add(event["seat"], "stock", event["tradesman"])
        else:
            self._set_point(event, _tradesman_of(event))

    def _displaced(self, event: Words) -> None:
        self._spend_own_abroad(event)
        self._state["in_hand"].append(_tradesman_of(event))
        self._add(event["by"], "supply", event["with"], -1)
        self._set_point(event, f"{event['by']}{event['with'][0]}")

    def _lifted(self, event: Words) -> None:
        self._set_point(event, None)
        self._state["in_hand"].append(_tradesman_of(event))

    def _put(self, event: Words) -> None:
        self._state["in_hand"].remove(_tradesman_of(event))
        self._set_point(event, _tradesman_of(event))

    def _removed(self, event: Words) -> None:
        self._set_point(event, None)
        self._add(event["seat"], "supply", event["tradesman"])

    def _developed(self, event: Words) -> None:
        self._player(event["seat"])["desk"][event["ability"]] = event["steps"]
        self._add(event["seat"], "supply", "merchant" if event["ability"] == "book" else "trader")

    # -- routes and cities

    def _created(self, event: Words) -> None:
        route = self._state["routes"][event["route"]]
        if event["route"] in self._place_2_routes:
            held = sorted(route["points"], key=lambda man: bool(man[-1] == "m"))
            used = self._used(event["seat"], event["reward"])
            if used is not None:
                held.remove(used)
            self._state["in_hand"] = held
        route["points"] = [None] * len(route["points"])
        for kind, count in event["returned"].items():
            self._player(event["seat"])["stock"][kind] += count

    def _used(self, seat: int, reward: Words | None) -> str | None:
        """The tradesman of the route that the reward uses, or None."""
        if not reward or "develop" in reward:
            return None
        if "special" in reward:
            return f"{seat}m"
        if "additional" in reward:
            return f"{seat}{reward['tradesman'][0]}"
        city = reward["post"]
        space = self._state["cities"][city]["posts"].index(None)
        return f"{seat}{_BY_SHAPE[self._spaces[city][space]['shape']]}"

    def _returned(self, event: Words) -> None:
        self._state["in_hand"] = []
        for kind in ("traders", "merchants"):
            self._player(event["seat"])["stock"][kind] += event[kind]

    def _neutral_created(self, event: Words) -> None:
        route = self._state["routes"][event["route"]]
        kinds = [point["type"] for point in self._points[event["route"]]]
        route["points"] = [None] * len(kinds)
        if event["stays"]:
            route["points"][kinds.index("house") if "house" in kinds else 0] = "nt"
        if event["marker"] is not None:
            route["marker"] = None
            self._state["markers_out"].append(event["marker"])
            self._note_undrawn()

    def _post(self, event: Words) -> None:
        city = self._state["cities"][event["city"]]
        if event["where"] == "space":
            city["posts"][event["space"]] = _tradesman_of(event)
        elif event["where"] == "additional":
            city["additional"].insert(0, _tradesman_of(event))
        else:
            city["posts"].append(_tradesman_of(event))
            self._add(event["seat"], "supply", event["tradesman"], -1)

    def _city_completed(self, event: Words) -> None:
        self._state["completed_cities"] = event["count"]

    def _special_taken(self, event: Words) -> None:
        self._state["special_prestige"][self._special.index(event["points"])] = event["seat"]

    def _exchanged(self, event: Words) -> None:
        posts = self._state["cities"][event["city"]]["posts"]
        left, right = event["spaces"]
        posts[left], posts[right] = posts[right], posts[left]

    # -- markers, favours, permits

    def _marker_taken(self, event: Words) -> None:
        self._state["routes"][event["route"]]["marker"] = None
        self._gain(event["seat"], "markers", event["marker"])
        self._note_undrawn()

    def _note_undrawn(self) -> None:
        """A replacement must be drawn now; if the supply is empty, there is no event for that."""
        if not self._state["marker_supply"]:
            self._state["undrawn"] = True

    def _marker_drawn(self, event: Words) -> None:
        self._state["marker_supply"] = event["left"]
        self._player(event["seat"])["plate"] += 1

    def _marker_placed(self, event: Words) -> None:
        marker, seat = event["marker"], event["seat"]
        self._state["routes"][event["route"]]["marker"] = marker
        if seat is None:
            return
        self._end_actions()
        player = self._player(seat)
        if seat == self.seat:
            seen = self._state["plate_seen"]
            if len(seen) < player["plate"]:
                # The seat was not asked: there was only one route, and only one kind on the plate.
                seen[:] = [marker] * player["plate"]
            # A bot that takes over a seat in mid-game was not asked before, and may have guessed wrong.
            seen.remove(marker if marker in seen else seen[-1])
        player["plate"] -= 1

    def _gain(self, seat: int, pile: str, marker: str) -> None:
        markers = self._player(seat)[pile]
        markers.append(marker)
        markers.sort(key=MARKERS.index)

    def _turn_face_down(self, seat: int, marker: str) -> None:
        self._player(seat)["markers"].remove(marker)
        self._gain(seat, "used_markers", marker)

    def _marker_used(self, event: Words) -> None:
        self._state["fresh"] = False
        seat, marker = event["seat"], event["marker"]
        if marker == "swap-marker":
            self._player(seat)["markers"].remove(marker)
            self._player(event["owner"])["used_markers"].remove(event["takes"])
            self._gain(event["owner"], "used_markers", marker)
            self._gain(seat, "markers", event["takes"])
        elif marker in ("tribute", "block"):
            self._player(seat)["markers"].remove(marker)
            self._add(seat, "supply", "trader", -1)
            laid = {"marker": marker, "route": event["route"], "seat": seat}
            self._state["laid"].append(laid)
        else:
            self._turn_face_down(seat, marker)

    def _favour_taken(self, event: Words) -> None:
        for marker in event["markers"]:
            self._turn_face_down(event["seat"], marker)
        self._state["favours"].remove(event["tile"])
        favours = self._player(event["seat"])["favours"]
        favours.append(event["tile"])
        favours.sort(key=FAVOURS.index)
        self._end_actions()
        self._state.update(acted=True, forgone=True)

    def _permit(self, event: Words) -> None:
        permits = self._state["permits"]
        if "bought" in event:
            self._state["fresh"] = False
            self._player(event["seat"])["markers"].remove(event["bought"])
            self._state["markers_out"].append(event["bought"])
            permits["bought"] = True
        else:
            spent = {*permits["spent"], event["city"]}
            permits["spent"] = [city for city in self._permits if city in spent]

    _handlers: ClassVar[dict[str, Callable[[Table, Words], None]]] = {
        "turn": _turn,
        "action": _action,
        "income": _to_supply,
        "levied": _to_supply,
        "tribute": _to_supply,
        "placed": _placed,
        "displaced": _displaced,
        "paid": _paid,
        "relocated": _relocated,
        "lifted": _lifted,
        "put": _put,
        "removed": _removed,
        "created": _created,
        "returned": _returned,
        "neutral-created": _neutral_created,
        "prestige": _prestige,
        "marker-taken": _marker_taken,
        "marker-placed": _marker_placed,
        "marker-drawn": _marker_drawn,
        "marker-used": _marker_used,
        "actions-gained": _actions_gained,
        "post": _post,
        "city-completed": _city_completed,
        "developed": _developed,
        "special-prestige": _special_taken,
        "exchanged": _exchanged,
        "favour-taken": _favour_taken,
        "permit": _permit,
        "game-over": _game_over,
    }


def _tradesman_of(event: Words) -> str:
    return f"{event['seat']}{event['tradesman'][0]}"


def rightmost_holder(city: Words) -> str | None:
    """Return the seat (as text) whose post is furthest right in a city, or None."""
    posts = [*city["additional"], *[man for man in city["posts"] if man]]
    return posts[-1][:-1] if posts else None
