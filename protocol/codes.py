"""Translate codes into words, for bots that ask for `codes` and want to read or log them.

The tables come from `schema/codes.json`, which is made from the referee's own tables.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from .fold import rightmost_holder
from .opening import ABILITIES, FAVOURS, MARKERS, narrowest_first

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ClassVar

    from .choices import ChoiceWords
    from .events import Event
    from .incoming import StartMessage
    from .request import Game
    from .words import About, AboutCodes, Code, Place, SeatOrNeutral, State, StateCodes, Tradesman

    Words = dict[str, Any]

NONE = -1
_NOW = (
    "turn",
    "active",
    "actions_left",
    "extra_actions",
    "fresh",
    "completed_cities",
    "marker_supply",
    "undrawn",
)
_NAMES = {  # fields with a word for each number, and the names of these fields in words
    "do": "do",
    "kind": "tradesman",
    "with": "with",
    "source": "from",
    "ability": "ability",
    "marker": "marker",
    "tile": "tile",
    "where": "where",
    "fault": "fault",
    "reason": "reason",
}
_PARTS = ("total", "track", "abilities", "markers", "special", "cities", "network", "missions")


@cache
def tables() -> Words:
    """Return what all numbers in the codes mean, by subject."""
    text = Path(__file__).with_name("schema").joinpath("codes.json").read_text("utf-8")
    found: Words = json.loads(text)["tables"]
    return found


def choice_fields(code: Code) -> dict[str, int | str]:
    """Return the fields of a choice by name; `do` is a word, all others are numbers."""
    do, *fields = tables()["choices"][code[0]]
    return {"do": do, **dict(zip(fields, code[1:], strict=True))}


def event_fields(code: Code) -> dict[str, int | str]:
    """Return the fields of an event by name; `event` is a word, all others are numbers."""
    event, *fields = tables()["events"][code[0]]
    return {"event": event, **dict(zip(fields, code[1:], strict=False))}


class Codes:
    """Translates the codes of one game into words."""

    def __init__(self, start: StartMessage | Game) -> None:
        """`start` is the `start` message as a dict, or the game that is passed to `Bot.start`."""
        message: StartMessage = start if isinstance(start, dict) else start.message
        board = message["board"]
        self._players: int = message["rules"]["players"]
        self._neutral = message["rules"]["neutral"] is not None
        self._cities = [city["id"] for city in board["cities"]]
        self._routes = [route["id"] for route in board["routes"]]
        self._points: list[Place] = [
            {"route": route["id"], "point": at}
            for route in board["routes"]
            for at in range(len(route["points"]))
        ]
        self._spaces = [
            (city["id"], at) for city in board["cities"] for at in range(len(city["spaces"]))
        ]
        self._point_counts = [len(route["points"]) for route in board["routes"]]
        self._space_counts = [len(city["spaces"]) for city in board["cities"]]
        self._special = [space["points"] for space in board["special_prestige"]["spaces"]]
        self._prestige_countries = [
            name for name, country in board["countries"].items() if country["prestige"]
        ]
        self._permits = narrowest_first(board)

    # -- single things

    def seat(self, number: int) -> SeatOrNeutral | None:
        """Translate a seat: its number, "n" for the neutral colour, or None for nobody."""
        if number == NONE:
            return None
        return "n" if number >= self._players else number

    def tradesman(self, number: int) -> Tradesman | None:
        """Translate a tradesman, such as "0t" for a trader of seat 0; None for an empty place."""
        return f"{self.seat((number >> 1) - 1)}{'tm'[number & 1]}" if number else None

    def point(self, number: int) -> Place:
        """Translate a point into the id of its route and its number on that route."""
        return self._points[number].copy()

    def _tradesmen(self, numbers: list[int]) -> list[str | None]:
        return [self.tradesman(number) for number in numbers]

    def _pair(self, space: int) -> Words:
        city, at = self._spaces[space]
        return {"city": city, "spaces": [at, at + 1]}

    def _field(self, where: str, field: str, number: int) -> Words:
        """One field of a code in words; an empty dict if the field is not used."""
        if field == "point":
            return {**self._points[number]} if number != NONE else {}
        if field == "origin":
            if number == NONE:
                return {}
            left = self._points[number]
            return {"from_route": left["route"], "from_point": left["point"]}
        if field == "why":
            return {"why": tables()["why"][where][number]}
        if field in ("seat", "by", "owner"):
            return {field: self.seat(number)}
        if field in _NAMES:
            return {_NAMES[field]: tables()["words"][field][number]} if number != NONE else {}
        if field in ("city", "route"):
            names = self._cities if field == "city" else self._routes
            return {field: names[number]} if number != NONE else {}
        return {field: number}

    def _plain(self, where: str, fields: Words) -> Words:
        words: Words = {}
        for field, number in fields.items():
            words |= self._field(where, field, number)
        return words

    # -- choices and events

    def choice(self, code: Code) -> ChoiceWords:
        """Translate a choice into words."""
        words: Any = self._choice(choice_fields(code))
        choice: ChoiceWords = words
        return choice

    def _choice(self, fields: Words) -> Words:
        do = fields.pop("do")
        if do == "create":
            route = self._routes[fields["route"]]
            return {"do": do, "route": route, "reward": self._reward(fields)}
        if do == "displace":
            pay = {kind: fields.pop(kind) for kind in ("traders", "merchants")}
            return {"do": do, **self._plain(do, fields), "pay": pay}
        if do == "use":
            return {"do": do, **self._use(fields, owner="seat", takes="other")}
        if do == "favour":
            return {"do": do, **self._favour(fields)}
        return {"do": do, **self._plain(do, fields)}

    def event(self, code: Code) -> Event:
        """Translate an event into words."""
        fields: Words = {**event_fields(code)}
        event = fields.pop("event")
        special_case = self._special_cases.get(event)
        words = special_case(self, fields, code) if special_case else self._plain(event, fields)
        translated: Any = {"event": event, **words}
        found: Event = translated
        return found

    def _reward(self, fields: Words) -> Words | None:
        kind = tables()["words"]["reward"][fields["reward"]]
        if kind == "none":
            return None
        if kind == "develop":
            return {"develop": ABILITIES[fields["ability"]]}
        if kind == "special":
            return {"special": self._special[fields["special"]]}
        words: Words = {kind: self._cities[fields["city"]]}
        return words | self._field("", "kind", fields["kind"]) if kind == "additional" else words

    def _use(self, fields: Words, owner: str, takes: str) -> Words:
        words = self._plain("", {key: fields[key] for key in ("marker", "ability", "route")})
        if fields["space"] != NONE:
            words |= self._pair(fields["space"])
        if fields[owner] != NONE:
            words |= {"owner": fields[owner], "takes": MARKERS[fields[takes]]}
        return words

    def _favour(self, fields: Words) -> Words:
        markers = [MARKERS[fields["marker"]], MARKERS[fields["other"]]]
        return {"tile": FAVOURS[fields["tile"]], "markers": markers}

    def _created(self, fields: Words, _: list[int]) -> Words:
        returned = {kind: fields[kind] for kind in ("traders", "merchants")}
        reward = self._reward(fields)
        route = self._routes[fields["route"]]
        return {"seat": fields["seat"], "route": route, "reward": reward, "returned": returned}

    def _relocated(self, fields: Words, _: list[int]) -> Words:
        words = self._plain("relocated", fields)
        return words if "point" in words else words | {"to": "stock"}

    def _neutral_created(self, fields: Words, _: list[int]) -> Words:
        return {"marker": None, **self._plain("neutral-created", fields)}

    def _marker_used(self, fields: Words, _: list[int]) -> Words:
        seat = {"seat": fields["seat"]}
        if fields["city"] == NONE:
            return seat | self._use(fields, owner="owner", takes="takes")
        marker = self._plain("", {key: fields[key] for key in ("marker", "kind")})
        return seat | marker | {"additional": self._cities[fields["city"]]}

    def _gained(self, fields: Words, _: list[int]) -> Words:
        why = "actions" if fields["marker"] == NONE else MARKERS[fields["marker"]]
        return {"seat": fields["seat"], "actions": fields["actions"], "why": why}

    def _post(self, fields: Words, _: list[int]) -> Words:
        space = fields.pop("space")
        at = None if space == NONE else self._spaces[space][1]
        return {**self._plain("post", fields), "space": at}

    def _exchanged(self, fields: Words, _: list[int]) -> Words:
        return {"seat": fields["seat"], **self._pair(fields["space"])}

    def _favour_taken(self, fields: Words, _: list[int]) -> Words:
        return {"seat": fields["seat"], **self._favour(fields)}

    def _permit(self, fields: Words, _: list[int]) -> Words:
        words = self._plain("permit", fields)
        if "marker" in words:
            words["bought"] = words.pop("marker")
        return words

    def _scored(self, _: Words, code: list[int]) -> Words:
        parts = dict(zip(_PARTS, code[2:], strict=False))
        countries = dict(zip(self._prestige_countries, code[2 + len(_PARTS) :], strict=True))
        return {"seat": code[1], **parts, "countries": countries}

    _special_cases: ClassVar[dict[str, Callable[[Codes, Words, list[int]], Words]]] = {
        "created": _created,
        "relocated": _relocated,
        "neutral-created": _neutral_created,
        "marker-used": _marker_used,
        "actions-gained": _gained,
        "post": _post,
        "exchanged": _exchanged,
        "favour-taken": _favour_taken,
        "permit": _permit,
        "scored": _scored,
    }

    # -- what a decision concerns

    def about(self, decision: str, codes: AboutCodes) -> About:
        """Translate the `about` of a decision into words."""
        words: Any = self._about(decision, codes)
        about: About = words
        return about

    def _about(self, decision: str, codes: Words) -> Words:
        reasons = tables()["why"]
        if decision in ("lift", "put"):
            return self._lifting(decision, codes, reasons["lift"][codes["why"]])
        if decision == "relocate":
            words = self._plain("", {key: codes[key] for key in ("point", "by", "owner")})
            return {**words, "extras": codes["left"], "placed": self._placed(codes)}
        if decision == "permanent":
            return {
                "marker": reasons["permanent"][codes["why"]],
                "left": codes["left"],
                "placed": self._placed(codes),
                "route": self._routes[codes["route"]],
                "post": None if codes["city"] == NONE else self._cities[codes["city"]],
            }
        if decision == "place-marker":
            return {"left": codes["left"], "markers": _names(MARKERS, codes["markers"])}
        return self._plain("", codes)

    def _placed(self, codes: Words) -> list[Place]:
        return [self.point(point) for point in codes["placed"]]

    def _lifting(self, decision: str, codes: Words, why: str) -> Words:
        lifted = [
            {"tradesman": self.tradesman(man), **self.point(origin)}
            for man, origin in zip(codes["held"], codes["origins"], strict=True)
        ]
        words: Words = {"why": why, "unbound": bool(codes["unbound"])}
        if decision == "lift":
            return {**words, "left": codes["left"], "lifted": lifted}
        return {**words, **lifted[0], "rest": lifted[1:]}

    # -- the state

    def state(self, codes: StateCodes) -> State:
        """Translate a state into words."""
        words: Any = self._state(codes)
        state: State = words
        return state

    def _state(self, codes: Words) -> Words:
        now: Words = dict(zip(_NOW, codes["now"], strict=True))
        cities = self._posts(codes)
        return {
            **now,
            "fresh": bool(now["fresh"]),
            "undrawn": bool(now["undrawn"]),
            "east_west": [self.seat(seat) for seat in codes["east_west"]],
            "routes": self._on_routes(codes),
            "cities": cities,
            "special_prestige": [self.seat(seat) for seat in codes["special_prestige"]],
            "favours": _tiles(codes["favours"][0]),
            "players": [self._player(codes, seat) for seat in range(self._players)],
            "mission": [self._cities[city] for city in codes["mission"]] or None,
            "plate_seen": _names(MARKERS, codes["plate_seen"]),
            "in_hand": self._tradesmen(codes["in_hand"]),
            "permits": self._permits_left(codes, cities),
            "laid": [
                {"marker": MARKERS[marker], "route": self._routes[route], "seat": seat}
                for marker, route, seat in zip(*[iter(codes["laid"])] * 3, strict=True)
            ],
            "markers_out": _names(MARKERS, codes["markers_out"]),
            "neutral": {"prestige": codes["prestige"][-1]} if self._neutral else None,
        }

    def _on_routes(self, codes: Words) -> Words:
        tradesmen = iter(self._tradesmen(codes["points"]))
        return {
            route: {
                "points": [next(tradesmen) for _ in range(count)],
                "marker": None if marker == NONE else MARKERS[marker],
            }
            for route, count, marker in zip(
                self._routes, self._point_counts, codes["route_markers"], strict=True
            )
        }

    def _posts(self, codes: Words) -> Words:
        tradesmen = iter(self._tradesmen(codes["posts"]))
        cities: Words = {
            city: {"posts": [next(tradesmen) for _ in range(count)], "additional": []}
            for city, count in zip(self._cities, self._space_counts, strict=True)
        }
        for field, where in (("green", "posts"), ("additional", "additional")):
            for city, man in zip(codes[field][::2], codes[field][1::2], strict=True):
                cities[self._cities[city]][where].append(self.tradesman(man))
        return cities

    def _player(self, codes: Words, seat: int) -> Words:
        amounts = {
            where: dict(zip(("traders", "merchants"), codes[where][2 * seat :], strict=False))
            for where in ("stock", "supply")
        }
        return {
            "seat": seat,
            "prestige": codes["prestige"][seat],
            **amounts,
            "desk": dict(zip(ABILITIES, codes["desk"][5 * seat :], strict=False)),
            "markers": _names(MARKERS, codes["markers"][seat]),
            "used_markers": _names(MARKERS, codes["used_markers"][seat]),
            "plate": codes["plates"][seat],
            "favours": _tiles(codes["favours"][1 + seat]),
        }

    def _permits_left(self, codes: Words, cities: Words) -> Words | None:
        if not codes["permits"]:
            return None
        bits, bought = codes["permits"]
        spent = [city for at, city in enumerate(self._permits) if bits >> at & 1]
        active = str(codes["now"][1])
        left = {
            city: int(city not in spent and rightmost_holder(cities[city]) == active)
            for city in self._permits
        }
        return {"cities": left, "spent": spent, "bought": bool(bought)}


def _names(words: tuple[str, ...], numbers: list[int]) -> list[str]:
    return [words[number] for number in numbers]


def _tiles(bits: int) -> list[str]:
    return [name for tile, name in enumerate(FAVOURS) if bits >> tile & 1]
