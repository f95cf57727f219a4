"""Where everything on a board is drawn: scaling, and labels that do not overlap.

Pure functions of a board; the drawing and any picture of a position share them.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias, TypeVar

from referee.engine.board import BoardWords, CityWords, RouteWords

AREA: Final = 2_200_000  # of the board in square units; the aspect shares it out
SPACE: Final = 30  # a space for a trading post, with its gap
POINT: Final = 32
PLATE_HEIGHT: Final = 40
BANNER_HEIGHT: Final = 28
NAME_SIZE: Final = 18
ICON: Final = 26
SEAL: Final = 50  # a tavern or permanent marker
SEAL_HEIGHT: Final = 36
SEAL_SIZE: Final = 13
GREEN_PLACES: Final = 2  # how many posts a green city is drawn for
SEAL_WORDS: Final = {
    "move-2-any": ("move", "any 2"),
    "develop-privilege": ("develop", "privilege"),
    "green-post": ("post in a", "green city"),
    "place-2-from-route": ("place 2", "of these"),
    "place-2-abroad": ("place 2", "abroad"),
}


class Spot(NamedTuple):
    """A point in the drawing, in units of the SVG."""

    x: float
    y: float


class Box(NamedTuple):
    """A rectangle in the drawing, from its top left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> Spot:
        """The centre of the rectangle."""
        return Spot(self.x + self.width / 2, self.y + self.height / 2)


class Frame(NamedTuple):
    """The board's own rectangle; thousandths of it become places in the drawing."""

    width: float
    height: float

    def at(self, x: float, y: float) -> Spot:
        """Where the thousandths x and y are."""
        return Spot(x * self.width / 1000, y * self.height / 1000)


class CityLayout(NamedTuple):
    """Where a city is drawn: its spaces on a plate, its name on a banner."""

    plate: Box
    banner: Box

    def space(self, index: int, count: int) -> Spot:
        """The centre of a space, counted from the left."""
        left = self.plate.middle.x - (count - 1) * SPACE / 2
        return Spot(left + index * SPACE, self.plate.middle.y)


@dataclass(frozen=True)
class Layout:
    """Every place that a drawing of the board or of a position on it needs."""

    frame: Frame
    cities: dict[str, CityLayout]
    points: dict[str, list[Spot]]  # by route
    lines: dict[str, list[Spot]]  # by route: from city to city through its points
    seals: dict[str, Box]  # by route: its tavern or permanent marker, where it has one
    markers: dict[str, Spot]  # by route: where its bonus marker lies
    special: list[Spot]
    track: list[Spot]  # one for each completed city, from the first to the limit


def lay_out(words: BoardWords) -> Layout:
    """The layout of a board; the same words always give the same one."""
    frame = frame_of(words["aspect"])
    points = {
        route["id"]: [frame.at(point["x"], point["y"]) for point in route["points"]]
        for route in words["routes"]
    }
    markers = {route["id"]: frame.at(*route["marker_at"]) for route in words["routes"]}
    special = [frame.at(space["x"], space["y"]) for space in words["special_prestige"]["spaces"]]
    track = track_spots(words, frame)
    taken = [around(spot, POINT, POINT) for row in points.values() for spot in row]
    taken += [around(spot, 44, 60) for spot in special] + [around(spot, 36, 50) for spot in track]
    seals = place_seals(words, frame, [*taken, *_along(points)])
    cities = place_cities(words, frame, [*taken, *seals.values()])
    lines = {r["id"]: line_of(r, cities, points[r["id"]]) for r in words["routes"]}
    return Layout(frame, cities, points, lines, seals, markers, special, track)


def _along(points: dict[str, list[Spot]]) -> Iterator[Box]:
    """The ways between the points of each route."""
    for row in points.values():
        for first, last in pairwise(row):
            yield from (around(between(first, last, part / 6), 10, 10) for part in range(1, 6))


def frame_of(aspect: float) -> Frame:
    """A frame with this aspect ratio and the area of all boards."""
    width = round(math.sqrt(AREA * aspect))
    return Frame(width, round(width / aspect))


def track_spots(words: BoardWords, frame: Frame) -> list[Spot]:
    """The completed-cities track, evenly from its first place to its last."""
    first, last = (frame.at(*words["completed_track"][end]) for end in ("first", "last"))
    steps = max(words["completed_cities_limit"] - 1, 1)
    return [between(first, last, at / steps) for at in range(words["completed_cities_limit"])]


def line_of(route: RouteWords, cities: dict[str, CityLayout], points: list[Spot]) -> list[Spot]:
    """The way of a route: from its first city through its points to its last."""
    first, last = (cities[end].plate.middle for end in route["ends"])
    return [first, *points, last]


def between(first: Spot, last: Spot, share: float) -> Spot:
    """A spot on the way from the first to the last."""
    return Spot(first.x + share * (last.x - first.x), first.y + share * (last.y - first.y))


def around(spot: Spot, width: float, height: float) -> Box:
    """The box of this size with the spot in its middle."""
    return Box(spot.x - width / 2, spot.y - height / 2, width, height)


def overlap(one: Box, other: Box) -> float:
    """The area of the overlap of two boxes."""
    x, y, width, height = one
    left, top, wide, high = other
    # Most boxes are far apart, and comparing them is faster than min and max.
    if x >= left + wide or left >= x + width or y >= top + high or top >= y + height:
        return 0.0
    across = min(x + width, left + wide) - max(x, left)
    down = min(y + height, top + high) - max(y, top)
    return across * down


def outside(box: Box, frame: Frame, margin: float) -> float:
    """The area of a box that hangs over the frame's margin."""
    inner = Box(margin, margin, frame.width - 2 * margin, frame.height - 2 * margin)
    return box.width * box.height - overlap(box, inner)


_NARROW: Final = frozenset("fijlrtI.,-' ()!|")
_WIDE: Final = frozenset("mwMW@")


def text_width(text: str, size: float) -> float:
    """The approximate width of a text in a bold serif font; too wide rather than too narrow."""
    return sum(map(_ems, text)) * size


def _ems(letter: str) -> float:
    if letter in _NARROW:
        return 0.4
    if letter in _WIDE or unicodedata.east_asian_width(letter) in ("W", "F"):
        return 1.0
    return 0.75 if letter.isupper() else 0.61


# --- labels that avoid others ----------------------------------------------------------------------

Boxes: TypeAlias = tuple[Box, ...]
Drawn = TypeVar("Drawn", bound=Boxes)


def ways_around(start: Spot, farthest: float) -> Iterator[tuple[float, Spot]]:
    """The spot itself and spots around it, each with how far it is away."""
    yield 0.0, start
    for ring in (0.25, 0.5, 0.75, 1.0):
        away = ring * farthest
        for eighth in range(8):
            turn = math.tau * eighth / 8
            spot = Spot(start.x + away * math.cos(turn), start.y + away * math.sin(turn))
            yield away, spot


def hidden(boxes: Boxes, taken: Sequence[Box], frame: Frame) -> float:
    """How much of the boxes would hide something else, or hang over the frame's edge."""
    shared = sum(overlap(mine, other) for mine in boxes for other in taken)
    return 4 * shared + 8 * sum(outside(mine, frame, 14) for mine in boxes)


def seal_words(route: RouteWords) -> tuple[str, ...]:
    """The words on a permanent marker; a tavern has a picture instead."""
    return SEAL_WORDS.get(route["permanent"] or "", ())


def place_seals(words: BoardWords, frame: Frame, taken: Sequence[Box]) -> dict[str, Box]:
    """Taverns and permanent markers, as near to the place of a bonus marker as there is space."""
    seals: dict[str, Box] = {}
    for route in words["routes"]:
        if route["tavern"] or route["permanent"] is not None:
            others = [*taken, *seals.values()]
            seals[route["id"]] = _place_seal(route, frame, others)
    return seals


def _place_seal(route: RouteWords, frame: Frame, taken: Sequence[Box]) -> Box:
    wide = max((text_width(word, SEAL_SIZE) + 12 for word in seal_words(route)), default=SEAL)
    high = SEAL_HEIGHT if seal_words(route) else SEAL
    start = frame.at(*route["marker_at"])
    near = _near(start, taken)
    ways = [(3 * away, (around(spot, wide, high),)) for away, spot in ways_around(start, 60)]
    (seal,) = _cheapest(ways, near, frame)
    return seal


def city_icons(city: CityWords, words: BoardWords) -> list[str]:
    """The pictures on its banner: its abilities, and a star for special prestige."""
    star = ["star"] if city["id"] == words["special_prestige"]["city"] else []
    return [*city["abilities"], *star]


def place_cities(words: BoardWords, frame: Frame, taken: Sequence[Box]) -> dict[str, CityLayout]:
    """Each city near its own spot, clear of points, seals and other cities as far as possible."""
    options = {
        city["id"]: list(_options(city, len(city_icons(city, words)), frame))
        for city in words["cities"]
    }
    placed = {name: ways[0][1] for name, ways in options.items()}
    for _ in range(3):  # each round sees where the others went in the round before
        for name, ways in options.items():
            others = [box for other, layout in placed.items() if other != name for box in layout]
            near = _near(ways[0][1].plate.middle, [*taken, *others])
            placed[name] = _cheapest(ways, near, frame)
    return placed


def _cheapest(ways: Sequence[tuple[float, Drawn]], taken: Sequence[Box], frame: Frame) -> Drawn:
    """The way with the least sum of its own cost and what it hides; of equal ones, the first."""
    least, best = math.inf, ways[0][1]
    for cost, boxes in ways:
        # Rounding makes `hidden` a little less than 0 at times.
        if cost < least + 1 and (total := cost + hidden(boxes, taken, frame)) < least:
            least, best = total, boxes
    return best


def _near(spot: Spot, boxes: Sequence[Box]) -> list[Box]:
    """The boxes that something placed at the spot might come to hide."""
    reach = around(spot, 520, 220)
    return [box for box in boxes if overlap(box, reach)]


def _options(city: CityWords, icons: int, frame: Frame) -> Iterator[tuple[float, CityLayout]]:
    """Ways to draw a city, its own spot first, each with what its distance costs."""
    places = GREEN_PLACES if city["green"] else len(city["spaces"])
    plate = places * SPACE + 10
    banner = text_width(city["name"], NAME_SIZE) + ICON * icons + 32
    for away, spot in ways_around(frame.at(city["x"], city["y"]), 48):
        yield 6 * away, _city_at(spot, plate, banner, 1)
        yield 6 * away + 10, _city_at(spot, plate, banner, -1)


def _city_at(spot: Spot, plate: float, banner: float, side: int) -> CityLayout:
    """The plate on the spot, the banner below (1) or above it (-1)."""
    down = side * (PLATE_HEIGHT + BANNER_HEIGHT - 4) / 2
    ribbon = around(Spot(spot.x, spot.y + down), banner, BANNER_HEIGHT)
    return CityLayout(around(spot, plate, PLATE_HEIGHT), ribbon)


# --- the emptiest place -----------------------------------------------------------------------


def emptiest(layout: Layout, margin: int = 40) -> tuple[Spot, float]:
    """The spot that is farthest from everything drawn, and how far that is."""
    things = list(_everything(layout))
    across = range(margin, round(layout.frame.width) - margin, 40)
    down = range(margin, round(layout.frame.height) - margin, 40)
    best, most = Spot(0, 0), 0.0
    for spot in (Spot(x, y) for x in across for y in down):
        edge = _away(spot, layout.frame)
        if edge > most and _is_emptier(spot, things, most):
            best, most = spot, min(edge, *(distance(spot, box) for box in things))
    return best, most


def _is_emptier(spot: Spot, things: Sequence[Box], wanted: float) -> bool:
    return all(distance(spot, box) > wanted for box in things)


def _away(spot: Spot, frame: Frame) -> float:
    return min(spot.x, spot.y, frame.width - spot.x, frame.height - spot.y)


def _everything(layout: Layout) -> Iterator[Box]:
    for city in layout.cities.values():
        yield from city
    for line in layout.lines.values():
        for first, last in pairwise(line):
            yield from (around(between(first, last, part / 2), 8, 8) for part in range(2))
    yield from layout.seals.values()
    for spot in (*layout.special, *layout.track):
        yield around(spot, SEAL, SEAL)


def distance(spot: Spot, box: Box) -> float:
    """How far a spot is from a box; 0 inside it."""
    dx = max(box.x - spot.x, 0, spot.x - box.x - box.width)
    dy = max(box.y - spot.y, 0, spot.y - box.y - box.height)
    return math.hypot(dx, dy)
