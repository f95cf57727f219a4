"""Codes back into words, written from the tables of `referee.engine.codes` and the glossary alone.

    decoder = Decoder(start)            # the message `start`, which is the same in every detail
    decoder.decide(message)             # the same message, with choices, events, about and state in words

Nothing here asks the engine what a choice or an event is: the names of the fields in the tables
say what their numbers mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from referee.engine import codes, terms

Words = dict[str, Any]

EVENTS = {
    number: name.removeprefix("EV_").lower().replace("_", "-")
    for name, number in vars(terms).items()
    if name.startswith("EV_")
}
NOW = (
    "turn",
    "active",
    "actions_left",
    "extra_actions",
    "fresh",
    "completed_cities",
    "marker_supply",
    "undrawn",
)
AMOUNTS = ("traders", "merchants")
PARTS = ("total", "track", "abilities", "markers", "special", "cities", "network", "missions")


def amounts(fields: Words) -> Words:
    return {name: fields[name] for name in AMOUNTS}


def pairs(numbers: Sequence[int], width: int = 2) -> list[Sequence[int]]:
    return [numbers[at : at + width] for at in range(0, len(numbers), width)]


class Decoder:
    """What one seat is told in codes, said in words."""

    def __init__(self, start: Words) -> None:
        board, self.players = start["board"], start["rules"]["players"]
        self.board = board
        self.with_neutral = start["rules"]["neutral"] is not None
        self.cities = [city["id"] for city in board["cities"]]
        self.routes = [route["id"] for route in board["routes"]]
        self.points = [
            (route["id"], at) for route in board["routes"] for at in range(len(route["points"]))
        ]
        self.spaces = [
            (city["id"], at) for city in board["cities"] for at in range(len(city["spaces"]))
        ]
        self.by_index = self._tables()
        self._choices: dict[tuple[int, ...], Words] = {}
        self.giving = [name for name, land in board["countries"].items() if land["prestige"]]

    # -- things

    def seat(self, colour: int) -> int | str:
        return "n" if colour >= self.players else colour

    def man(self, number: int) -> str | None:
        return f"{self.seat(number // 2 - 1)}{'tm'[number % 2]}" if number else None

    def point(self, number: int) -> Words:
        route, at = self.points[number]
        return {"route": route, "point": at}

    def two_spaces(self, number: int) -> Words:
        city, at = self.spaces[number]
        return {"city": city, "spaces": [at, at + 1]}

    def tiles(self, bits: int) -> list[str]:
        return [name for tile, name in enumerate(terms.FAVOURS) if bits >> tile & 1]

    def markers(self, numbers: Sequence[int]) -> list[str]:
        return [terms.MARKERS[number] for number in numbers]

    def reward(self, fields: Words) -> Words | None:
        city = fields["city"]
        rewards: dict[int, Words | None] = {
            terms.NO_REWARD: None,
            terms.POST: {"post": self.cities[city]},
            terms.ADDITIONAL: {
                "additional": self.cities[city],
                "tradesman": terms.KINDS[fields["kind"]],
            },
            terms.DEVELOP: {"develop": terms.ABILITIES[fields["ability"]]},
            terms.SPECIAL: {"special": self.special_points(fields["special"])},
        }
        return rewards[fields["reward"]]

    def special_points(self, space: int) -> int:
        points: int = self.board["special_prestige"]["spaces"][space]["points"]
        return points

    def said(self, fields: Words) -> Words:
        """Fields that mean the same wherever they are; -1 says nothing."""
        words: Words = {}
        for name, number in fields.items():
            if number == terms.NONE:
                continue
            if name == "point":
                words |= self.point(number)
            elif name == "origin":
                left = self.point(number)
                words |= {"from_route": left["route"], "from_point": left["point"]}
            elif name == "space":
                words |= self.two_spaces(number)
            else:
                words |= self._one(name, number)
        return words

    def _one(self, name: str, number: int) -> Words:
        if name in self.by_index:
            word, table = self.by_index[name]
            return {word: table[number]}
        return {name: self.seat(number) if name in ("seat", "by", "owner") else number}

    def _tables(self) -> dict[str, tuple[str, Sequence[str]]]:
        """Fields that are said by a word: which field that is, and the words by number."""
        return {
            "kind": ("tradesman", terms.KINDS),
            "with": ("with", terms.KINDS),
            "source": ("from", terms.SOURCES),
            "ability": ("ability", terms.ABILITIES),
            "marker": ("marker", terms.MARKERS),
            "takes": ("takes", terms.MARKERS),
            "tile": ("tile", terms.FAVOURS),
            "city": ("city", self.cities),
            "route": ("route", self.routes),
            "where": ("where", terms.POST_PLACES),
            "do": ("do", terms.DOINGS),
            "fault": ("fault", terms.FAULTS),
            "reason": ("reason", terms.END_REASONS),
        }

    # -- choices

    def choice(self, code: list[int]) -> Words:
        """Each is said once, and then known."""
        key = tuple(code)
        if key not in self._choices:
            self._choices[key] = self._choice(code)
        return self._choices[key]

    def _choice(self, code: list[int]) -> Words:
        do = code[0]
        fields = dict(zip(codes.CHOICE_FIELDS[do], code[1:], strict=True))
        words: Words = {"do": terms.DOINGS[do]}
        if do == terms.DO_CREATE:
            return {**words, "route": self.routes[fields["route"]], "reward": self.reward(fields)}
        if do == terms.DO_FAVOUR:
            two = self.markers([fields["marker"], fields["other"]])
            return {**words, "tile": terms.FAVOURS[fields["tile"]], "markers": two}
        if do == terms.DO_USE:
            other, owner = fields.pop("other"), fields.pop("seat")
            return {**words, **self.said({**fields, "owner": owner, "takes": other})}
        if do == terms.DO_DISPLACE:
            paid = {"pay": amounts(fields)}
            return {
                **words,
                **self.said({"point": fields["point"], "kind": fields["kind"]}),
                **paid,
            }
        return {**words, **self.said(fields)}

    # -- events

    def event(self, code: list[int]) -> Words:
        number, name = code[0], EVENTS[code[0]]
        names = codes.EVENT_FIELDS[number]
        if name == "scored":
            return {"event": name, "seat": code[1], **self.parts(code[2:])}
        fields = dict(zip(names, code[1:], strict=True))
        how = getattr(self, "_" + name.replace("-", "_"), self.said)
        return {"event": name, **how(fields)}

    def parts(self, numbers: list[int]) -> Words:
        lands = dict(zip(self.giving, numbers[len(PARTS) :], strict=True))
        return {**dict(zip(PARTS, numbers, strict=False)), "countries": lands}

    def _why(self, fields: Words, reasons: Sequence[str]) -> Words:
        return {**self.said({**fields, "why": terms.NONE}), "why": reasons[fields["why"]]}

    def _paid(self, fields: Words) -> Words:
        return self._why(fields, terms.PAY_REASONS)

    def _lifted(self, fields: Words) -> Words:
        return self._why(fields, terms.LIFT_REASONS)

    _put = _removed = _lifted

    def _prestige(self, fields: Words) -> Words:
        return self._why(fields, terms.PRESTIGE_REASONS)

    def _relocated(self, fields: Words) -> Words:
        nowhere = {"to": "stock"} if fields["point"] == terms.NONE else {}
        return {**self.said(fields), **nowhere}

    def _created(self, fields: Words) -> Words:
        return {
            "seat": self.seat(fields["seat"]),
            "route": self.routes[fields["route"]],
            "reward": self.reward(fields),
            "returned": amounts(fields),
        }

    def _neutral_created(self, fields: Words) -> Words:
        return {"marker": None, **self.said(fields)}

    def _marker_placed(self, fields: Words) -> Words:
        return {"seat": None, **self.said(fields)}

    def _marker_used(self, fields: Words) -> Words:
        if fields["city"] == terms.NONE:
            return self.said(fields)
        # The route is told in codes too; in words `created`, just before, has said it.
        words = self.said({**fields, "route": terms.NONE})
        words["additional"] = words.pop("city")
        return words

    def _actions_gained(self, fields: Words) -> Words:
        marker = fields.pop("marker")
        why = "actions" if marker == terms.NONE else terms.MARKERS[marker]
        return {**self.said(fields), "why": why}

    def _post(self, fields: Words) -> Words:
        space = fields.pop("space")
        at = None if space == terms.NONE else self.spaces[space][1]
        return {**self.said(fields), "space": at}

    def _favour_taken(self, fields: Words) -> Words:
        two = self.markers([fields.pop("marker"), fields.pop("other")])
        return {**self.said(fields), "markers": two}

    def _permit(self, fields: Words) -> Words:
        words = self.said(fields)
        if "marker" in words:
            words["bought"] = words.pop("marker")
        return words

    # -- about

    def about(self, decision: str, fields: Words) -> Words:
        assert tuple(fields) == codes.ABOUT_FIELDS[terms.DECISIONS.index(decision)]
        return self._about(decision, fields)

    def _about(self, decision: str, fields: Words) -> Words:
        if decision in ("lift", "put"):
            return self._about_lifted(decision, fields)
        if decision == "relocate":
            return {
                **self.point(fields["point"]),
                "by": fields["by"],
                "owner": self.seat(fields["owner"]),
                "extras": fields["left"],
                "placed": [self.point(point) for point in fields["placed"]],
            }
        if decision == "permanent":
            city = fields["city"]
            return {
                "marker": terms.PERMANENT_MARKERS[fields["why"]],
                "left": fields["left"],
                "placed": [self.point(point) for point in fields["placed"]],
                "route": self.routes[fields["route"]],
                "post": None if city == terms.NONE else self.cities[city],
            }
        if decision == "place-marker":
            return {"left": fields["left"], "markers": self.markers(fields["markers"])}
        return self.said(fields)

    def _about_lifted(self, decision: str, fields: Words) -> Words:
        lifted = [
            {"tradesman": self.man(man), **self.point(point)}
            for man, point in zip(fields["held"], fields["origins"], strict=True)
        ]
        common = {
            "why": terms.LIFT_REASONS[fields["why"]],
            "unbound": bool(fields["unbound"]),
        }
        if decision == "lift":
            return {**common, "left": fields["left"], "lifted": lifted}
        return {**common, **lifted[0], "rest": lifted[1:]}

    # -- the state

    def state(self, fields: Words) -> Words:
        assert list(fields) == [name for name, _ in codes.STATE_FIELDS]
        now = dict(zip(NOW, fields["now"], strict=True))
        words: Words = {
            **now,
            "fresh": bool(now["fresh"]),
            "undrawn": bool(now["undrawn"]),
            "east_west": [self.seat(colour) for colour in fields["east_west"]],
            "routes": self._routes(fields),
            "cities": self._cities(fields),
            "special_prestige": [
                None if colour == terms.NONE else self.seat(colour)
                for colour in fields["special_prestige"]
            ],
            "favours": self.tiles(fields["favours"][0]),
            "players": [self._player(seat, fields) for seat in range(self.players)],
            "mission": [self.cities[city] for city in fields["mission"]] or None,
            "plate_seen": self.markers(fields["plate_seen"]),
            "in_hand": [self.man(man) for man in fields["in_hand"]],
            "laid": [
                {"marker": terms.MARKERS[marker], "route": self.routes[route], "seat": seat}
                for marker, route, seat in pairs(fields["laid"], 3)
            ],
            "markers_out": self.markers(fields["markers_out"]),
            "neutral": {"prestige": fields["prestige"][-1]} if self.with_neutral else None,
        }
        words["permits"] = self._permits(fields["permits"], words)
        return words

    def _routes(self, fields: Words) -> Words:
        men = [self.man(number) for number in fields["points"]]
        lengths = [len(route["points"]) for route in self.board["routes"]]
        ends = list(accumulate(lengths))
        return {
            route: {
                "points": men[end - length : end],
                "marker": None if marker == terms.NONE else terms.MARKERS[marker],
            }
            for route, length, end, marker in zip(
                self.routes, lengths, ends, fields["route_markers"], strict=True
            )
        }

    def _cities(self, fields: Words) -> Words:
        words: Words = {city: {"posts": [], "additional": []} for city in self.cities}
        for (city, _), number in zip(self.spaces, fields["posts"], strict=True):
            words[city]["posts"].append(self.man(number))
        for place, name in (("green", "posts"), ("additional", "additional")):
            for city, number in pairs(fields[place]):
                words[self.cities[city]][name].append(self.man(number))
        return words

    def _player(self, seat: int, fields: Words) -> Words:
        return {
            "seat": seat,
            "prestige": fields["prestige"][seat],
            "stock": dict(zip(AMOUNTS, pairs(fields["stock"])[seat], strict=True)),
            "supply": dict(zip(AMOUNTS, pairs(fields["supply"])[seat], strict=True)),
            "desk": dict(zip(terms.ABILITIES, pairs(fields["desk"], 5)[seat], strict=True)),
            "markers": self.markers(fields["markers"][seat]),
            "used_markers": self.markers(fields["used_markers"][seat]),
            "plate": fields["plates"][seat],
            "favours": self.tiles(fields["favours"][seat + 1]),
        }

    def _permits(self, numbers: list[int], words: Words) -> Words | None:
        """What is left of a permit follows from the posts: it is the rightmost holder's."""
        if not numbers:
            return None
        bits, bought = numbers
        permits = self.board["permits"]
        narrow = sorted(permits, key=lambda c: (len(set(permits[c])), self.cities.index(c)))
        spent = [city for at, city in enumerate(narrow) if bits >> at & 1]
        left: Words = {}
        for city in narrow:
            posts = words["cities"][city]
            men = [man for man in (*posts["additional"], *posts["posts"]) if man]
            holds = bool(men) and men[-1][0] == str(words["active"])
            left[city] = int(holds and city not in spent)
        return {"cities": left, "spent": spent, "bought": bool(bought)}

    # -- messages

    def decide(self, message: Words) -> Words:
        words = {
            **message,
            "choices": [self.choice(code) for code in message["choices"]],
            "events": [self.event(code) for code in message["events"]],
        }
        if "about" in message:
            words["about"] = self.about(message["decision"], message["about"])
        if "state" in message:
            words["state"] = self.state(message["state"])
        return words

    def end(self, message: Words) -> Words:
        return {
            **message,
            "events": [self.event(code) for code in message["events"]],
            "state": self.state(message["state"]),
        }
