"""The board: names are numbered once, and the rules look up every fact about a place here."""

from __future__ import annotations

import hashlib
import json
from typing import NotRequired, TypedDict

from referee.engine.choice import ChoiceTables
from referee.engine.terms import (
    ABILITIES,
    COLOURS,
    NONE,
    PERMANENT_MARKERS,
    POINT_TYPES,
    SHAPES,
    CityId,
    PointId,
    RouteId,
)


class SpaceWords(TypedDict):
    """A space for a trading post, as a map file describes it."""

    privilege: str
    shape: str
    coin: int


class CityWords(TypedDict):
    """A city with its spaces from left to right."""

    id: str
    name: str
    aliases: list[str]
    x: int
    y: int
    banner: str
    abilities: list[str]
    countries: list[str]
    green: bool
    spaces: list[SpaceWords]


class PointWords(TypedDict):
    """A connection point: house or ship, and where it is drawn."""

    type: str
    x: int
    y: int


class RouteWords(TypedDict):
    """A trade route between two cities, with its connection points."""

    id: str
    ends: list[str]
    points: list[PointWords]
    country: str | None
    tavern: bool
    permanent: str | None
    marker_at: list[int]


class PlayersWords(TypedDict):
    """The fewest and the most players of a board."""

    min: int
    max: int


class ChainWords(TypedDict):
    """The two red-bannered cities, and what linking them gives."""

    ends: list[str]
    prestige: list[int]


class SpecialSpaceWords(TypedDict):
    """A space of special prestige, and where it is drawn."""

    points: int
    privilege: str
    x: int
    y: int


class SpecialWords(TypedDict):
    """Which city and routes give special prestige."""

    city: str
    routes: list[str]
    spaces: list[SpecialSpaceWords]


class CountryWords(TypedDict):
    """A country: whether it is free to enter, and what its majority gives."""

    home: bool
    prestige: list[int]


class TrackWords(TypedDict):
    """Where the completed-cities track is drawn."""

    first: list[int]
    last: list[int]


class BoardWords(TypedDict):
    """A board as messages, records and map files spell it."""

    id: str
    title: str
    side: str
    players: PlayersWords
    aspect: float
    cities: list[CityWords]
    routes: list[RouteWords]
    east_west: ChainWords
    special_prestige: SpecialWords
    completed_cities_limit: int
    completed_track: TrackWords
    countries: dict[str, CountryWords]
    permits: dict[str, list[str]]
    neutral_start: list[str]
    neutral_start_britannia: NotRequired[list[str]]  # absent: as neutral_start
    missions: list[list[str]]
    favours: bool
    replaces: dict[str, str]


class Board:
    """A valid board; immutable, so that games share it."""

    def __init__(self, words: BoardWords) -> None:
        self.words = words
        self.id = words["id"]
        self.title = words["title"]
        self.digest = _digest(words)
        self._digest_without_britannia = _digest(words, britannia=False)
        self.players = (words["players"]["min"], words["players"]["max"])
        self.completed_cities_limit = words["completed_cities_limit"]
        self.replaces = words["replaces"]
        self.favours = words["favours"]
        self._number_cities(words)
        self._number_routes(words)
        self._number_countries(words)
        self._number_prestige(words)
        self.tables = ChoiceTables(self.ship, self.routes, len(self.city_ids), len(self.space_city))
        self._text = ""  # the words as JSON, once the board is pickled
        self._routes_in: dict[int, tuple[RouteId, ...]] = {}
        self._rings: dict[tuple[RouteId, int], list[list[RouteId]]] = {}

    def _number_cities(self, words: BoardWords) -> None:
        cities = words["cities"]
        self.city_ids = [city["id"] for city in cities]
        self.city_number = {name: number for number, name in enumerate(self.city_ids)}
        self.abilities = [
            tuple([ABILITIES.index(name) for name in city["abilities"]]) for city in cities
        ]
        self.green = [city["green"] for city in cities]
        self.green_cities = [city for city, green in enumerate(self.green) if green]
        self.spaces: list[list[int]] = []
        self.space_city: list[CityId] = []
        self.space_colour: list[int] = []
        self.space_kind: list[int] = []
        self.space_coin: list[int] = []
        for number, city in enumerate(cities):
            first = len(self.space_city)
            self.spaces.append(list(range(first, first + len(city["spaces"]))))
            for space in city["spaces"]:
                self.space_city.append(number)
                self.space_colour.append(COLOURS.index(space["privilege"]))
                self.space_kind.append(SHAPES.index(space["shape"]))
                self.space_coin.append(space["coin"])

    def _number_routes(self, words: BoardWords) -> None:
        self.route_ids = [route["id"] for route in words["routes"]]
        self.route_number = {name: number for number, name in enumerate(self.route_ids)}
        self.routes: list[list[PointId]] = []
        self.ends: list[tuple[CityId, CityId]] = []
        self.ship: list[int] = []
        self.point_route: list[RouteId] = []
        self.point_bit: list[int] = []
        for number, route in enumerate(words["routes"]):
            first, count = len(self.ship), len(route["points"])
            self.routes.append(list(range(first, first + count)))
            self.ends.append(
                (self.city_number[route["ends"][0]], self.city_number[route["ends"][1]])
            )
            self.ship.extend(POINT_TYPES.index(point["type"]) for point in route["points"])
            self.point_route.extend([number] * count)
            self.point_bit.extend(1 << index for index in range(count))
        self.all_free = [(1 << len(route)) - 1 for route in self.routes]
        self.taverns = [number for number, route in enumerate(words["routes"]) if route["tavern"]]
        self.permanent = [
            NONE if route["permanent"] is None else PERMANENT_MARKERS.index(route["permanent"])
            for route in words["routes"]
        ]
        self.city_routes: list[list[RouteId]] = [[] for _ in self.city_ids]
        self.neighbours: list[list[CityId]] = [[] for _ in self.city_ids]
        for number, (one, other) in enumerate(self.ends):
            self.city_routes[one].append(number)
            self.city_routes[other].append(number)
            self.neighbours[one].append(other)
            self.neighbours[other].append(one)

    def _number_countries(self, words: BoardWords) -> None:
        """Countries as bits; a board without any is all home, bit 1."""
        self.country_names = list(words["countries"])
        bit = {name: 1 << number for number, name in enumerate(self.country_names)}
        self.route_country = [
            1 if route["country"] is None else bit[route["country"]] for route in words["routes"]
        ]
        self.point_country = [self.route_country[route] for route in self.point_route]
        self.home = 0 if bit else 1
        for name, country in words["countries"].items():
            if country["home"]:
                self.home |= bit[name]
        self.everywhere = (1 << max(1, len(self.country_names))) - 1
        self.abroad = self.everywhere & ~self.home
        self.country_prestige = [
            tuple(country["prestige"]) for country in words["countries"].values()
        ]
        self.country_cities = [
            [n for n, city in enumerate(words["cities"]) if name in city["countries"]]
            for name in self.country_names
        ]
        permits = [
            (self.city_number[city], sum([bit[name] for name in set(names)]))
            for city, names in words["permits"].items()
        ]
        self.permits = sorted(permits, key=_narrowest_first)
        """City and countries of each permit; the narrowest are spent first (BRI-2)."""
        # BON-2 and BRI-6: neither abroad nor beside a permanent marker.
        self.takes_markers = [
            self.permanent[route] == NONE and bool(self.route_country[route] & self.home)
            for route in range(len(self.routes))
        ]

    def _number_prestige(self, words: BoardWords) -> None:
        chain, special = words["east_west"], words["special_prestige"]
        self.chain_ends = (self.city_number[chain["ends"][0]], self.city_number[chain["ends"][1]])
        self.chain_prestige = tuple(chain["prestige"])
        self.is_special = [name in special["routes"] for name in self.route_ids]
        self.special_points = tuple([space["points"] for space in special["spaces"]])
        self.special_colours = tuple(
            [COLOURS.index(space["privilege"]) for space in special["spaces"]]
        )
        self.missions = [
            tuple([self.city_number[city] for city in card]) for card in words["missions"]
        ]
        start = words["neutral_start"]
        self._neutral_start = self._ends_at(start)
        self._neutral_start_britannia = self._ends_at(words.get("neutral_start_britannia", start))
        self.has_more_special_cities = any(
            [
                "yellow" in city["banner"].split("-") and city["id"] not in start
                for city in words["cities"]
            ]
        )
        """Whether a city with a yellow banner is not one of `neutral_start`."""

    def _ends_at(self, cities: list[str]) -> list[bool]:
        """By route: whether it ends at one of these cities."""
        numbers = {self.city_number[city] for city in cities}
        return [one in numbers or other in numbers for one, other in self.ends]

    def ends_at_special(self, route: RouteId, neutral_scores: bool) -> bool:
        """Whether a route ends at a special city of the two-player variant in play (TWO-1, TWO-6)."""
        by_route = self._neutral_start_britannia if neutral_scores else self._neutral_start
        return by_route[route]

    def digest_for(self, neutral_scores: bool) -> str:
        """The digest of what matters to a game; the special cities of `britannia` only where it is played."""
        return self.digest if neutral_scores else self._digest_without_britannia

    def rings(self, route: RouteId, countries: int) -> list[list[RouteId]]:
        """The routes of these countries at distance 1, 2, ... from a route, over such routes (DIS-4)."""
        found = self._rings.get((route, countries))
        if found is None:
            found = self._rings[route, countries] = _rings(route, countries, self)
        return found

    def routes_in(self, countries: int) -> tuple[RouteId, ...]:
        """The routes of these countries, in the board's order."""
        found = self._routes_in.get(countries)
        if found is None:
            found = self._routes_in[countries] = tuple(
                [n for n, country in enumerate(self.route_country) if country & countries]
            )
        return found

    @property
    def scoring_countries(self) -> list[str]:
        """The names of the countries that give prestige, in the board's order."""
        both = zip(self.country_names, self.country_prestige, strict=True)
        return [name for name, prestige in both if prestige]

    def index_in_route(self, point: PointId) -> int:
        """The point's number within its route."""
        return point - self.routes[self.point_route[point]][0]

    def __reduce__(self) -> tuple[object, ...]:
        """For pickle; a process has one object for each board that it reads, as games share it."""
        if not self._text:
            self._text = json.dumps(self.words)
            _keep(self._text, self)
        return board_from_text, (self._text,)

    def __deepcopy__(self, _: object) -> Board:
        """The same board, which never changes."""
        return self


_READ: dict[str, Board] = {}  # by their words as JSON
_MOST_READ = 32


def board_from_text(text: str) -> Board:
    """The board of a pickle, always the same object for the same text."""
    board = _READ.get(text)
    if board is None:
        board = Board(json.loads(text))
        _keep(text, board)
    return board


def _keep(text: str, board: Board) -> None:
    """Keep a board for later pickles; the oldest one is forgotten if there are very many."""
    if len(_READ) == _MOST_READ:
        del _READ[next(iter(_READ))]
    _READ[text] = board


def _narrowest_first(permit: tuple[CityId, int]) -> tuple[int, CityId]:
    city, countries = permit
    return countries.bit_count(), city


def _rings(route: RouteId, countries: int, board: Board) -> list[list[RouteId]]:
    rings: list[list[RouteId]] = []
    met = {route}
    frontier = [route]
    while frontier:
        reached = {
            near
            for far in frontier
            for city in board.ends[far]
            for near in board.city_routes[city]
            if board.route_country[near] & countries
        }
        frontier = sorted(reached - met)
        met.update(frontier)
        if frontier:
            rings.append(frontier)
    return rings


def _digest(words: BoardWords, *, britannia: bool = True) -> str:
    """A digest of what matters to the rules: the title and the coordinates do not change it.

    `britannia` says whether the special cities of that variant are included, if they are given.
    """
    cities = [
        [c["id"], c["abilities"], sorted(c["countries"]), c["green"], _spaces(c["spaces"])]
        for c in words["cities"]
    ]
    routes = [
        [
            r["id"],
            r["ends"],
            [p["type"] for p in r["points"]],
            r["country"],
            r["tavern"],
            r["permanent"],
        ]
        for r in words["routes"]
    ]
    special = words["special_prestige"]
    asked: dict[str, object] = {
        "cities": cities,
        "routes": routes,
        "players": [words["players"]["min"], words["players"]["max"]],
        "east_west": [words["east_west"]["ends"], words["east_west"]["prestige"]],
        "special": [special["routes"], [[s["points"], s["privilege"]] for s in special["spaces"]]],
        "limit": words["completed_cities_limit"],
        "countries": [[n, c["home"], c["prestige"]] for n, c in words["countries"].items()],
        "permits": sorted([city, sorted(names)] for city, names in words["permits"].items()),
        "neutral_start": sorted(words["neutral_start"]),
        "missions": words["missions"],
        "favours": words["favours"],
        "replaces": sorted(words["replaces"].items()),
    }
    if britannia and "neutral_start_britannia" in words:
        asked["neutral_start_britannia"] = sorted(words["neutral_start_britannia"])
    text = json.dumps(asked, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _spaces(spaces: list[SpaceWords]) -> list[list[str | int]]:
    return [[space["privilege"], space["shape"], space["coin"]] for space in spaces]
