"""Menus: the choices of a decision as labels, grouped by what they do and then by where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from referee.engine.board import BoardWords, CityWords
from referee.narration.events import PlaceNames, Words, amount, marker_name, number_in

FLAT: Final = 12  # up to this many choices are listed without groups
Numbered: TypeAlias = tuple[int, Words]  # the index of a choice, and the choice

_GROUPS: Final = {
    "income": "Income: tradesmen from the stock into the supply",
    "place": "Place a tradesman",
    "displace": "Displace a tradesman",
    "move": "Move tradesmen",
    "create": "Create a trade route",
    "use": "Use a bonus marker",
    "favour": "Take a favour for two markers",
    "permit": "Buy a permit for a marker",
    "end-turn": "End the turn",
    "lift": "Lift a tradesman",
    "stop": "Stop here",
    "put": "Put the tradesman down",
    "relocate": "Put a tradesman on another point",
    "levy": "Levy a tradesman",
    "green-post": "Establish a trading post in the green city",
    "develop": "Develop an ability",
    "decline": "Decline",
    "place-marker": "Place a bonus marker",
    "neutral-post": "Choose where the neutral colour establishes a post",
    "tribute": "Take tradesmen as tribute",
    "pay": "Pay for the block",
}
_QUESTIONS: Final = {
    "turn": "Your turn",
    "lift": "Which tradesman do you lift?",
    "put": "Where does the lifted tradesman go?",
    "relocate": "Your tradesman was displaced: where does it go?",
    "levy": "Another player takes income: do you levy a tradesman?",
    "permanent": "The marker of this route lets you do more",
    "place-marker": "Where do you place a new bonus marker?",
    "neutral-post": "Where does the neutral colour establish its post?",
    "tribute": "Your tribute brings tradesmen from the stock: which do you take?",
    "block": "A block must be paid for: with which tradesman?",
    "reward": "What does the created route earn?",
}


@dataclass(frozen=True)
class Item:
    """A line of a menu: one choice, or another menu."""

    label: str
    index: int = -1  # of the choice; -1 for a menu
    items: tuple[Item, ...] = ()
    note: str = ""  # what helps to choose this line

    @property
    def text(self) -> str:
        """The label and the note, in which words are searched."""
        return f"{self.label} {self.note}"

    @property
    def count(self) -> int:
        """The number of choices in this line."""
        return sum(item.count for item in self.items) if self.items else 1

    def leaves(self) -> list[Item]:
        """All single choices in this line."""
        return [leaf for item in self.items for leaf in item.leaves()] if self.items else [self]


def question(kind: str, about: Words | None) -> str:
    """The question that a decision asks the player."""
    if kind == "relocate" and about is not None and about["owner"] == "n":
        return "You displaced a neutral tradesman: where does it go?"
    if kind == "permanent" and about is not None:
        return f"The permanent marker {marker_name(about['marker'])}"
    if kind in ("lift", "place-marker") and about is not None:
        return f"{_QUESTIONS[kind]} ({about['left']} left)"
    return _QUESTIONS[kind]


class RouteNotes:
    """Says how full a route is, and what its two cities and its marker give."""

    def __init__(self, words: BoardWords) -> None:
        self._cities = {city["id"]: city for city in words["cities"]}
        self._ends = {route["id"]: route["ends"] for route in words["routes"]}
        self._special = words["special_prestige"]["city"]

    def note(self, route: str, position: Words) -> str:
        """Return a note such as `1/3 taken · actions, white | orange merchant · “move 3”`."""
        routes, cities = position["routes"], position["cities"]
        assert isinstance(routes, dict)
        assert isinstance(cities, dict)
        points, marker = routes[route]["points"], routes[route]["marker"]
        taken = f"{sum(point is not None for point in points)}/{len(points)} taken"
        gives = " | ".join(self._gives(end, cities[end]["posts"]) for end in self._ends[route])
        return " · ".join([taken, gives, *([f"“{marker_name(marker)}”"] if marker else [])])

    def _gives(self, name: str, posts: Sequence[object]) -> str:
        """What a city gives: abilities, special prestige, and who may establish its next post."""
        city = self._cities[name]
        special = ["prestige"] if name == self._special else []
        return ", ".join([*city["abilities"], *special, self._next_post(city, posts)])

    @staticmethod
    def _next_post(city: CityWords, posts: Sequence[object]) -> str:
        if city["green"]:
            return "green"
        free = [space for space, post in zip(city["spaces"], posts, strict=True) if post is None]
        if not free:
            return "full"
        kind = " merchant" if free[0]["shape"] == "round" else ""
        return f"{free[0]['privilege']}{kind}{' +1' if free[0]['coin'] else ''}"


class MenuMaker:
    """Makes menus for the choices on one board."""

    def __init__(self, words: BoardWords, names: Sequence[str] = ()) -> None:
        self._places = PlaceNames(words)
        self._route_notes = RouteNotes(words)
        self._names = names
        self._routes: Words = {}
        self._labels: list[str] = []
        self._notes: list[str] = []
        self._label_makers: Mapping[str, Callable[[Words], str]] = {
            "income": lambda choice: f"take {amount(choice)}",
            "place": self._place,
            "displace": self._displace,
            "move": lambda _: "move your tradesmen",
            "create": self._create,
            "use": self._use,
            "favour": self._favour,
            "permit": lambda choice: f"buy a permit for {marker_name(choice['marker'])}",
            "end-turn": lambda _: "end the turn",
            "lift": lambda choice: f"lift {self._man(choice)} at {self._point(choice)}",
            "stop": lambda _: "stop here",
            "put": lambda choice: f"to {self._point(choice)}",
            "relocate": self._relocate,
            "levy": lambda choice: f"levy a {choice['tradesman']}",
            "green-post": self._green_post,
            "develop": lambda choice: f"develop {choice['ability']}",
            "decline": lambda _: "decline",
            "place-marker": self._place_marker,
            "neutral-post": lambda choice: f"in {self._places.city(choice['city'])}",
            "tribute": lambda choice: f"take {amount(choice)}",
            "pay": lambda choice: f"pay {amount(choice)}",
        }

    @property
    def labels(self) -> list[str]:
        """The labels of the choices of the last menu, by index."""
        return self._labels

    def menu(self, choices: Sequence[Words], position: Words) -> Item:
        """Return all choices as one menu; `position` is what the player sees, as words."""
        routes = position["routes"]
        assert isinstance(routes, dict)
        self._routes = routes
        self._labels = self._unique_labels(choices)
        self._notes = [
            self._route_notes.note(str(choice["route"]), position)
            if choice["do"] == "place"
            else ""
            for choice in choices
        ]
        found = list(enumerate(choices))
        if len(found) <= FLAT:
            return Item("", items=tuple(self._leaf(index) for index, _ in found))
        groups = _grouped(found, lambda choice: _GROUPS[str(choice["do"])])
        return Item("", items=tuple(self._group(label, group) for label, group in groups.items()))

    def _group(self, label: str, found: list[Numbered]) -> Item:
        if len(found) == 1:
            return Item(label, found[0][0])
        places = _grouped(found, self._where)
        if len(found) <= FLAT or len(places) == 1:
            return Item(label, items=tuple(self._leaf(index) for index, _ in found))
        return Item(label, items=tuple(self._place_item(*place) for place in places.items()))

    def _place_item(self, label: str, found: list[Numbered]) -> Item:
        if len(found) == 1:
            return self._leaf(found[0][0])
        notes = {self._notes[index] for index, _ in found}
        leaves = tuple(self._leaf(index) for index, _ in found)
        return Item(label, items=leaves, note=notes.pop() if len(notes) == 1 else "")

    def _where(self, choice: Words) -> str:
        if "route" in choice:
            return self._places.route(choice["route"])
        if "city" in choice:
            return self._places.city(choice["city"])
        return marker_name(choice.get("tile") or choice.get("marker") or "")

    def _unique_labels(self, choices: Sequence[Words]) -> list[str]:
        """Return a label for each choice; equal labels get the number of the point."""
        labels = [self._label_makers[str(choice["do"])](choice) for choice in choices]
        twice = {label for label, count in Counter(labels).items() if count > 1}
        return [
            f"{label}, point {number_in(choice, 'point') + 1}"
            if label in twice and "point" in choice
            else label
            for label, choice in zip(labels, choices, strict=True)
        ]

    def _leaf(self, index: int) -> Item:
        return Item(self._labels[index], index, note=self._notes[index])

    # -- each kind of choice

    def _point(self, choice: Words) -> str:
        return self._places.point(choice)

    def _man(self, choice: Words) -> str:
        """The owner and kind of the tradesman at the point of a choice."""
        route = self._routes[str(choice["route"])]
        assert isinstance(route, dict)
        man = str(route["points"][choice["point"]])
        owner = "the neutral" if man[0] == "n" else f"{self._name(man[:-1])}'s"
        return f"{owner} {'trader' if man[-1] == 't' else 'merchant'}"

    def _place(self, choice: Words) -> str:
        origin = f" from the {choice['from']}" if "from" in choice else ""
        if choice.get("from") == "point":
            origin = f" from {self._places.route(choice['from_route'])}"
        return f"place a {choice['tradesman']}{origin} at {self._point(choice)}"

    def _displace(self, choice: Words) -> str:
        pay = choice["pay"]
        assert isinstance(pay, dict)
        return (
            f"displace at {self._point(choice)} with a {choice['tradesman']}, paying {amount(pay)}"
        )

    def _create(self, choice: Words) -> str:
        route, reward = self._places.route(choice["route"]), choice["reward"]
        if not isinstance(reward, dict):
            return f"create {route}"
        return f"create {route} and {self._reward(reward)}"

    def _reward(self, reward: Words) -> str:
        if "post" in reward:
            return f"establish a post in {self._places.city(reward['post'])}"
        if "additional" in reward:
            city, kind = self._places.city(reward["additional"]), reward["tradesman"]
            return f"establish an additional post in {city} with a {kind}"
        if "develop" in reward:
            return f"develop {reward['develop']}"
        return f"take the special prestige of {reward['special']}"

    def _use(self, choice: Words) -> str:
        label = f"use {marker_name(choice['marker'])}"
        if "ability" in choice:
            return f"{label}: {choice['ability']}"
        if "spaces" in choice:
            spaces = choice["spaces"]
            assert isinstance(spaces, list)
            city = self._places.city(choice["city"])
            return f"{label} in {city}: spaces {spaces[0] + 1} and {spaces[1] + 1}"
        if "owner" in choice:
            return f"{label} for {self._name(choice['owner'])}'s {marker_name(choice['takes'])}"
        return f"{label} at {self._places.route(choice['route'])}" if "route" in choice else label

    def _name(self, seat: object) -> str:
        number = int(str(seat))
        return self._names[number] if number < len(self._names) else f"seat {number}"

    def _favour(self, choice: Words) -> str:
        markers = choice["markers"]
        assert isinstance(markers, list)
        return f"take {marker_name(choice['tile'])} for {' and '.join(map(marker_name, markers))}"

    def _relocate(self, choice: Words) -> str:
        source = str(choice["from"])
        origin = "the displaced" if source == "displaced" else "a"
        given = "" if source == "displaced" else f" from the {source}"
        if source == "point":
            given = f" from {self._places.route(choice['from_route'])}"
        return f"{origin} {choice['tradesman']}{given} to {self._point(choice)}"

    def _green_post(self, choice: Words) -> str:
        return (
            f"establish a post in {self._places.city(choice['city'])} with a {choice['tradesman']}"
        )

    def _place_marker(self, choice: Words) -> str:
        return f"place {marker_name(choice['marker'])} at {self._places.route(choice['route'])}"


def _grouped(found: list[Numbered], key: Callable[[Words], str]) -> dict[str, list[Numbered]]:
    groups: dict[str, list[Numbered]] = {}
    for numbered in found:
        groups.setdefault(key(numbered[1]), []).append(numbered)
    return groups
