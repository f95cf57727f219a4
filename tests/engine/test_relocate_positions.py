"""Relocation in random positions, compared with a simple version of DIS-2 to DIS-5 and BRI-3."""

from collections.abc import Iterator
from random import Random
from typing import Any

from referee import atlas
from referee.engine.state import GameState
from support.crowded_board import Men, crowded, points_of
from support.groups import each_of
from support.rule_marker import rule
from support.table import about, asked, offers, play, seen

Point = tuple[str, int]
Offer = (
    tuple[str, str, Point | None, Point] | str
)  # kind, source, point it leaves, point it goes to
KINDS = {"t": "trader", "m": "merchant"}
BOARDS = ["hanse-4-5", "east", "britannia-4-5"]


class Rules:
    """What the displaced player may do, written directly from the rules."""

    def __init__(self, board: str, state: GameState) -> None:
        view, words = seen(state), atlas.load_board(board).words
        self.types = points_of(board)
        self.ends = {route["id"]: set(route["ends"]) for route in words["routes"]}
        self.country = {route["id"]: route["country"] for route in words["routes"]}
        self.men = {
            (route, i): man
            for route, row in view["routes"].items()
            for i, man in enumerate(row["points"])
        }
        self.stock, self.supply = (view["players"][1][key] for key in ("stock", "supply"))
        self.displaced = [KINDS[man[1]] for man in view["in_hand"]]
        self.about = about(state)
        self.here: str = self.about["route"]

    def takes(self, point: Point, kind: str) -> bool:
        allowed = self.country[point[0]] in {None, "England", self.country[self.here]}
        fits = kind == "merchant" or self.types[point[0]][point[1]] == "house"
        return allowed and fits and point[0] != self.here

    def nearest(self, kind: str) -> set[Point]:
        reached, border = {self.here}, {self.here}
        while border:
            cities = set().union(*(self.ends[route] for route in border))
            border = {route for route in self.ends.keys() - reached if self.ends[route] & cities}
            reached |= border
            free = {point for point, man in self.men.items() if man is None and point[0] in border}
            if found := {point for point in free if self.takes(point, kind)}:
                return self.lowest(found)
        return set()

    def lowest(self, points: set[Point]) -> set[Point]:
        """The lowest of the points of a route that have the same type and the same content."""
        alike: dict[tuple[str, str, str | None], Point] = {}
        for route, i in sorted(points, reverse=True):
            alike[route, self.types[route][i], self.men[route, i]] = (route, i)
        return set(alike.values())

    def sources(self) -> Iterator[tuple[str, str, Point | None]]:
        for name, held in (("stock", self.stock), ("supply", self.supply)):
            if any(held.values()):
                yield from ((kind, name, None) for kind in KINDS.values() if held[f"{kind}s"])
                return
        placed = {(one["route"], one["point"]) for one in self.about["placed"]}
        own = {point for point, man in self.men.items() if man and man[0] == "1"}
        for point in self.lowest(own - placed):
            yield KINDS[str(self.men[point])[1]], "point", point

    def leaves_a_point(self, goal: Point, left: Point | None) -> bool:
        free = {point for point, man in self.men.items() if man is None or point == left} - {goal}
        return all(any(self.takes(point, kind) for point in free) for kind in self.displaced)

    def offers(self) -> set[Offer]:
        found: set[Offer] = set() if self.displaced else {"decline"}
        for kind in self.displaced:
            found |= {(kind, "displaced", None, goal) for goal in self.nearest(kind)}
        for kind, source, left in self.sources() if self.about["extras"] else ():
            goals = [goal for goal in self.nearest(kind) if self.leaves_a_point(goal, left)]
            found |= {(kind, source, left, goal) for goal in goals}
        return found


def as_offer(choice: dict[str, Any]) -> Offer:
    if choice["do"] == "decline":
        return "decline"
    left = (choice["from_route"], choice["from_point"]) if choice["from"] == "point" else None
    return choice["tradesman"], choice["from"], left, (choice["route"], choice["point"])


def position(board: str, rng: Random) -> GameState:
    """A crowded board with a few free points, where a tradesman of seat 1 was displaced."""
    types = points_of(board)
    points = [(route, i) for route, kinds in types.items() for i in range(len(kinds))]
    *own, (here, point) = rng.sample(points, rng.randrange(1, 5))
    rows: dict[str, list[str | None]] = {r: ["x"] * len(kinds) for r, kinds in types.items()}
    for route, i in rng.sample(points, rng.choice([0, 1, 2, 3, 6, 12])):
        rows[route][i] = None
    for route, i in [*own, (here, point)]:
        rows[route][i] = "1m" if types[route][i] == "ship" else rng.choice(["1t", "1m"])
    state = crowded(board, with_scotland_filled(board, rows), **tradesmen_left(board, rng))
    first = [offer for offer in offers(state, do="displace", route=here) if offer["point"] == point]
    if first:
        play(state, **first[0])
    return state


def with_scotland_filled(board: str, rows: dict[str, list[str | None]]) -> dict[str, Men]:
    """Fill Scotland with seat 1: the other tradesmen are too few for all of Britannia."""
    more = {"dunbar--newcastle": ["1t"] * 3, "edinburgh--glasgow": ["1t"] * 2}
    return {**rows, **(more if board == "britannia-4-5" else {})}


def tradesmen_left(board: str, rng: Random) -> dict[str, Any]:
    stock = rng.choice([(0, 0), (0, 0), (1, 0), (0, 1), (1, 1), (2, 2)])
    supply = rng.choice([(0, 0), (0, 0), (1, 0), (0, 1), (1, 1)])
    permits = {"cardiff": ["0t"], "carlisle": ["0t"], "london": ["0t"]}
    return {
        "supply": {0: (3, 1), 1: supply},
        "stock": {0: (0, 0), 1: stock},
        "desk": {1: {"book": 3}},
        "posts": permits if board == "britannia-4-5" else {},
    }


@rule("DIS-2", "DIS-3", "DIS-4", "DIS-5", "BRI-3")
@each_of([(board, seed) for board in BOARDS for seed in range(40)])
def test_exactly_what_the_rules_allow_is_offered_in_any_position(case: tuple[str, int]) -> None:
    board, seed = case
    rng = Random(f"{board} {seed}")
    state = position(board, rng)
    while asked(state) == ("relocate", 1):
        found = [as_offer(choice) for choice in offers(state)]
        assert set(found) == Rules(board, state).offers()
        assert len(found) == len(set(found))
        play(state, **rng.choice(offers(state)))
