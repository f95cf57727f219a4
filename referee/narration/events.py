"""One event or choice as an English phrase. Seats in it are values of their own, so that they can be coloured."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias

from referee.engine.board import BoardWords
from referee.text import plural, visible

Words: TypeAlias = Mapping[str, object]

_MARKERS: Final = {"plus-3-actions": "+3 actions", "plus-4-actions": "+4 actions"}
_FOR: Final = {
    "control": "for control of {city}",
    "coin": "for the coin in {city}",
    "east-west": "for connecting both ends of the board, completed in {city}",
}
_POSTS: Final = {
    "space": "establishes a trading post in {city} with a {kind}",
    "additional": "establishes an additional trading post in {city} with a {kind}",
    "green": "establishes a trading post in the green city {city} with a {kind}",
}
_ORDINALS: Final = {1: "the first", 2: "the second", 3: "the third"}
_SOURCES: Final = {
    "displaced": "the displaced {kind}",
    "stock": "a {kind} from the stock",
    "supply": "a {kind} from the supply",
    "route": "a {kind} of the route",
}


class SeatName(NamedTuple):
    """A seat in a phrase; "n" is the neutral colour."""

    seat: int | str
    possessive: bool = False  # shown as "random's"


Phrase: TypeAlias = tuple["str | SeatName", ...]


class Statement(NamedTuple):
    """One event: the seat that acted (None if no seat did), what it did, and how important that is."""

    seat: int | str | None
    phrase: Phrase
    tone: str = "action"


def marker_name(marker: object) -> str:
    """The English name of a bonus marker, a favour or another word of the protocol."""
    return _MARKERS.get(str(marker), str(marker).replace("-", " "))


def amount(words: Words) -> str:
    """The traders and merchants of an event or choice, like "2 traders and 1 merchant"."""
    counts = ((words["traders"], "trader"), (words["merchants"], "merchant"))
    parts = [f"{count} {kind}{'' if count == 1 else 's'}" for count, kind in counts if count]
    return " and ".join(parts) or "nothing"


def number_in(words: Words, key: str) -> int:
    """The integer that an event or a choice has under this key."""
    value = words[key]
    assert isinstance(value, int), f"{key} is not a number"
    return value


class PlaceNames:
    """The English names of the places on a board."""

    def __init__(self, words: BoardWords) -> None:
        self._cities = {city["id"]: visible(city["name"]) for city in words["cities"]}
        self._routes = {route["id"]: route for route in words["routes"]}

    def city(self, name: object) -> str:
        """The name of a city, given its id; KeyError if the board has no such city."""
        return self._cities[str(name)]

    def route(self, name: object) -> str:
        """A route by its id, named after the two cities at its ends."""
        return " – ".join(self._cities[end] for end in self._routes[str(name)]["ends"])

    def point(self, words: Words) -> str:
        """The route of a connection point; "(ship)" follows if the point is one."""
        route, point = self._routes[str(words["route"])], number_in(words, "point")
        ship = " (ship)" if route["points"][point]["type"] == "ship" else ""
        return self.route(words["route"]) + ship


class EventNarrator:
    """Describes the events of one game; it must be given all of them in order."""

    def __init__(self, words: BoardWords) -> None:
        self.places = PlaceNames(words)
        self._lifted: deque[str] = deque()  # routes of lifted tradesmen that are not put down yet
        self._payment = ""  # what was paid for the displacement that follows
        self._handlers: dict[str, Callable[[Words], Statement | None]] = {
            "income": self._income,
            "placed": self._placed,
            "displaced": self._displaced,
            "paid": self._paid,
            "relocated": self._relocated,
            "lifted": self._remember_lifted,
            "put": self._put_down,
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
            "levied": self._levied,
            "tribute": self._tribute,
            "permit": self._permit,
            "disqualified": self._disqualified,
        }

    def narrate(self, event: Words) -> Statement | None:
        """Describe an event; None if another event's description covers it."""
        handler = self._handlers.get(str(event["event"]))
        return handler(event) if handler else None

    # -- tradesmen

    def _income(self, event: Words) -> Statement:
        return _by_seat(event, f"takes {amount(event)} as income")

    def _placed(self, event: Words) -> Statement:
        where, kind, source = self.places.point(event), event["tradesman"], event["from"]
        if event["seat"] == "n":
            return Statement(None, (f"a neutral {kind} is placed at {where}",), "quiet")
        if source == "supply":
            return _by_seat(event, f"places a {kind} at {where}")
        return _by_seat(event, f"places {self._from(event)} at {where}")

    def _from(self, event: Words) -> str:
        source, kind = str(event["from"]), event["tradesman"]
        if source == "point":
            return f"a {kind} from {self.places.route(event['from_route'])}"
        return _SOURCES[source].format(kind=kind)

    def _displaced(self, event: Words) -> Statement:
        kind, new_kind = event["tradesman"], event["with"]
        where, paid = self.places.point(event), self._payment
        self._payment = ""
        rest = (
            _seat_name(event["seat"], possessive=True),
            f" {kind} at {where} with a {new_kind}{paid}",
        )
        return Statement(_seat(event["by"]), ("displaces ", *rest))

    def _paid(self, event: Words) -> Statement | None:
        """The cost of a displacement is described together with it."""
        if event["why"] == "displace":
            self._payment = f", paying {amount(event)}"
            return None
        return _by_seat(event, f"pays {amount(event)} for the block", "quiet")

    def _relocated(self, event: Words) -> Statement:
        if event.get("to") == "stock":
            return _by_seat(
                event, f"finds no point for the {event['tradesman']}: it goes to the stock"
            )
        where = self.places.point(event)
        if event["from"] == "displaced":
            return _by_seat(event, f"relocates the {event['tradesman']} to {where}")
        return _by_seat(event, f"adds {self._from(event)} at {where}")

    def _remember_lifted(self, event: Words) -> None:
        self._lifted.append(self.places.route(event["route"]))

    def _put_down(self, event: Words) -> Statement:
        origin = f" from {self._lifted.popleft()}" if self._lifted else ""
        owner: Phrase = ("a",)
        if event["seat"] != event["by"]:
            owner = (_seat_name(event["seat"], possessive=True),)
        rest = f" {event['tradesman']}{origin} to {self.places.point(event)}"
        return Statement(_seat(event["by"]), ("moves ", *owner, rest))

    def _removed(self, event: Words) -> Statement:
        rest = f" {event['tradesman']} from {self.places.point(event)}"
        return Statement(
            _seat(event["by"]), ("removes ", _seat_name(event["seat"], possessive=True), rest)
        )

    # -- routes and cities

    def _created(self, event: Words) -> Statement:
        return _by_seat(
            event, f"creates the trade route {self.places.route(event['route'])}", "create"
        )

    def _returned(self, event: Words) -> Statement:
        return _by_seat(event, f"returns {amount(event)} to the stock", "quiet")

    def _neutral_created(self, event: Words) -> Statement:
        marker = event["marker"]
        removed = f"; the marker {_quoted(marker)} is removed" if marker else ""
        where = self.places.route(event["route"])
        return Statement(None, (f"the neutral colour creates {where}{removed}",), "create")

    def _prestige(self, event: Words) -> Statement:
        why = _FOR[str(event["why"])].format(city=self.places.city(event["city"]))
        return _by_seat(event, f"+{event['points']} prestige {why}", "prestige")

    def _post(self, event: Words) -> Statement:
        city, kind = self.places.city(event["city"]), event["tradesman"]
        return _by_seat(event, _POSTS[str(event["where"])].format(city=city, kind=kind))

    def _city_completed(self, event: Words) -> Statement:
        count = event["count"]
        text = f"{self.places.city(event['city'])} is completed, {_ordinal(count)} city"
        return Statement(None, (text,), "city")

    def _developed(self, event: Words) -> Statement:
        return _by_seat(event, f"develops {event['ability']} to step {event['steps']}")

    def _special_prestige(self, event: Words) -> Statement:
        return _by_seat(
            event,
            f"takes the special prestige of {plural(number_in(event, 'points'), 'point')}",
            "prestige",
        )

    def _exchanged(self, event: Words) -> Statement:
        return _by_seat(event, f"exchanges two trading posts in {self.places.city(event['city'])}")

    # -- markers and variants

    def _marker_taken(self, event: Words) -> Statement:
        return _by_seat(event, f"takes the marker {_quoted(event['marker'])}", "marker")

    def _marker_placed(self, event: Words) -> Statement:
        marker, where = _quoted(event["marker"]), self.places.route(event["route"])
        if event["seat"] is None:
            return Statement(None, (f"the marker {marker} lies at {where}",), "quiet")
        return _by_seat(event, f"places the marker {marker} at {where}", "marker")

    def _marker_drawn(self, event: Words) -> Statement:
        return _by_seat(event, f"draws a new marker; {event['left']} are left", "quiet")

    def _marker_used(self, event: Words) -> Statement:
        text = [f"uses the marker {_quoted(event['marker'])}"]
        if "route" in event:
            text.append(f"at {self.places.route(event['route'])}")
        if "owner" not in event:
            return _by_seat(event, " ".join(text), "marker")
        owner, takes = _seat_name(event["owner"], possessive=True), f" {_quoted(event['takes'])}"
        return Statement(_seat(event["seat"]), (f"{text[0]} for ", owner, takes), "marker")

    def _actions_gained(self, event: Words) -> Statement:
        count = event["actions"]
        return _by_seat(event, f"gains {count} action{'' if count == 1 else 's'}", "quiet")

    def _favour_taken(self, event: Words) -> Statement:
        paid = event["markers"]
        assert isinstance(paid, list)
        spent = " and ".join(map(_quoted, paid))
        return _by_seat(event, f"takes the favour {_quoted(event['tile'])} for {spent}", "marker")

    def _levied(self, event: Words) -> Statement:
        return _by_seat(event, f"levies {amount(event)}")

    def _tribute(self, event: Words) -> Statement:
        return _by_seat(event, f"receives {amount(event)} as tribute")

    def _permit(self, event: Words) -> Statement:
        if "city" in event:
            return _by_seat(event, f"uses the permit of {self.places.city(event['city'])}", "quiet")
        return _by_seat(event, f"buys a permit for {_quoted(event['bought'])}", "marker")

    def _disqualified(self, event: Words) -> Statement:
        return _by_seat(event, f"is disqualified ({event['fault']})", "fault")


def _quoted(name: object) -> str:
    return f"“{marker_name(name)}”"


def _by_seat(event: Words, text: str, tone: str = "action") -> Statement:
    return Statement(_seat(event["seat"]), (text,), tone)


def _seat(word: object) -> int | str:
    return word if isinstance(word, int) else str(word)


def _seat_name(word: object, *, possessive: bool = False) -> SeatName:
    return SeatName(_seat(word), possessive)


def _ordinal(count: object) -> str:
    return _ORDINALS.get(int(str(count)), f"the {count}th")
