"""Choices: everything that can be chosen on a board, as objects that are made once and shared.

The exception are choices that take a tradesman from a point: there are many of them and each is
rarely offered, so they are made each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from referee.engine.terms import (
    ABILITIES,
    ADDITIONAL,
    DEVELOP,
    DO_CREATE,
    DO_DECLINE,
    DO_DEVELOP,
    DO_DISPLACE,
    DO_END_TURN,
    DO_FAVOUR,
    DO_GREEN_POST,
    DO_INCOME,
    DO_LEVY,
    DO_LIFT,
    DO_MOVE,
    DO_NEUTRAL_POST,
    DO_PAY,
    DO_PERMIT,
    DO_PLACE,
    DO_PLACE_FREELY,
    DO_PLACE_MARKER,
    DO_PUT,
    DO_RELOCATE,
    DO_STOP,
    DO_TRIBUTE,
    DO_USE,
    FROM_POINT,
    FROM_ROUTE,
    FROM_SUPPLY,
    MARKERS,
    MERCHANT,
    NO_REWARD,
    NONE,
    POST,
    SPECIAL,
    TRADER,
)

MOST_SEATS = 5
TRIBUTE_SIZE = 2  # how many tradesmen a tribute brings (BON-9)
_KINDS = (TRADER, MERCHANT)
_MARKERS = range(len(MARKERS))
_ABILITIES = range(len(ABILITIES))


class Choice:
    """One thing to choose; fields that its `do` does not use are NONE, or 0 for amounts."""

    __slots__ = (
        "ability",
        "city",
        "do",
        "id",
        "kind",
        "marker",
        "merchants",
        "origin",
        "other",
        "point",
        "reward",
        "route",
        "seat",
        "source",
        "space",
        "special",
        "tile",
        "traders",
    )

    def __init__(
        self,
        do: int,
        *,
        route: int = NONE,
        point: int = NONE,
        kind: int = NONE,
        traders: int = 0,
        merchants: int = 0,
        source: int = NONE,
        origin: int = NONE,
        reward: int = NO_REWARD,
        city: int = NONE,
        space: int = NONE,
        ability: int = NONE,
        special: int = NONE,
        marker: int = NONE,
        other: int = NONE,
        seat: int = NONE,
        tile: int = NONE,
    ) -> None:
        self.id = NONE  # see ChoiceTables.identify
        self.do = do
        self.route = route
        self.point = point
        self.kind = kind
        self.traders = traders  # taken by income and tribute, paid by displace and for a block
        self.merchants = merchants
        self.source = source
        self.origin = origin  # the point that a tradesman leaves, with FROM_POINT
        self.reward = reward
        self.city = city
        self.space = space  # the left one of two
        self.ability = ability
        self.special = special  # which space of special prestige
        self.marker = marker
        self.other = other  # the second marker of a favour, or the one that a swap takes
        self.seat = seat
        self.tile = tile

    @property
    def is_shared(self) -> bool:
        """Whether the board's tables hold this object, so that results about it can be cached."""
        return self.source != FROM_POINT


class ChoiceTables:
    """All choices of one board, each made once and ready to be listed."""

    def __init__(
        self, ships: Sequence[int], routes: Sequence[Sequence[int]], cities: int, spaces: int
    ) -> None:
        points, every_route = range(len(ships)), range(len(routes))
        self.goals = _goals_tables(routes, ships)
        self.place_at = [[_place(point, kind) for point in points] for kind in _KINDS]
        self.place = _place_tables(self.goals[True], ships, self.place_at)
        self.displace = _displace_tables(ships)
        self.lift = [Choice(DO_LIFT, point=point) for point in points]
        self.put_at = [Choice(DO_PUT, point=point) for point in points]
        self.put = _put_tables(self.goals, self.put_at)
        self.relocate = _tables_by_source(DO_RELOCATE, FROM_SUPPLY, points)
        self.place_freely = _tables_by_source(DO_PLACE_FREELY, FROM_ROUTE, points)
        self.create_only = [Choice(DO_CREATE, route=route) for route in every_route]
        self.place_marker = _marker_tables(DO_PLACE_MARKER, every_route)
        self.lay = _marker_tables(DO_USE, every_route)
        self.use = [Choice(DO_USE, marker=marker) for marker in _MARKERS]
        self.use_develop = _use_develop_tables()
        self.exchange = _exchange_tables(spaces)
        self.swap = [_swap_tables(marker) for marker in _MARKERS]
        self.permit = [Choice(DO_PERMIT, marker=marker) for marker in _MARKERS]
        self.levy = [Choice(DO_LEVY, kind=kind) for kind in _KINDS]
        self.develop = [Choice(DO_DEVELOP, ability=ability) for ability in _ABILITIES]
        self.green_post = _green_post_tables(cities)
        self.neutral_post = [Choice(DO_NEUTRAL_POST, city=city) for city in range(cities)]
        self.tribute = [_exactly(DO_TRIBUTE, count) for count in range(TRIBUTE_SIZE + 1)]
        self.pay = _exactly(DO_PAY, 1)
        self.move = Choice(DO_MOVE)
        self.stop = Choice(DO_STOP)
        self.decline = Choice(DO_DECLINE)
        self.end_turn = Choice(DO_END_TURN)
        self._incomes: dict[tuple[int, int, int], tuple[Choice, ...]] = {}
        self._rare: dict[tuple[int, ...], Choice] = {}
        self._ids = count()

    def identify(self, choice: Choice) -> int:
        """Return a small number that only this choice of the tables has, for tables of callers."""
        if choice.id == NONE:
            choice.id = next(self._ids)
        return choice.id

    def incomes(self, limit: int, traders: int, merchants: int) -> tuple[Choice, ...]:
        """Every mix of 1 to `limit` tradesmen out of so many traders and merchants (INC-1)."""
        key = (limit, traders, merchants)
        found = self._incomes.get(key)
        if found is None:
            found = self._incomes[key] = tuple(
                [
                    self._income(some, others)
                    for some in range(min(traders, limit) + 1)
                    for others in range(min(merchants, limit - some) + 1)
                    if some or others
                ]
            )
        return found

    def _income(self, traders: int, merchants: int) -> Choice:
        key = (DO_INCOME, traders, merchants)
        if key not in self._rare:
            self._rare[key] = Choice(DO_INCOME, traders=traders, merchants=merchants)
        return self._rare[key]

    def create_post(self, route: int, city: int) -> Choice:
        """Create the route and establish a post."""
        key = (DO_CREATE, route, POST, city)
        if key not in self._rare:
            self._rare[key] = Choice(DO_CREATE, route=route, reward=POST, city=city)
        return self._rare[key]

    def create_additional(self, route: int, city: int, kind: int) -> Choice:
        """Create the route and establish an additional post."""
        key = (DO_CREATE, route, ADDITIONAL, city, kind)
        if key not in self._rare:
            self._rare[key] = Choice(
                DO_CREATE, route=route, reward=ADDITIONAL, city=city, kind=kind
            )
        return self._rare[key]

    def create_develop(self, route: int, ability: int) -> Choice:
        """Create the route and develop an ability."""
        key = (DO_CREATE, route, DEVELOP, ability)
        if key not in self._rare:
            self._rare[key] = Choice(DO_CREATE, route=route, reward=DEVELOP, ability=ability)
        return self._rare[key]

    def create_special(self, route: int, special: int) -> Choice:
        """Create the route and take a space of special prestige."""
        key = (DO_CREATE, route, SPECIAL, special)
        if key not in self._rare:
            self._rare[key] = Choice(DO_CREATE, route=route, reward=SPECIAL, special=special)
        return self._rare[key]

    def favour(self, tile: int, marker: int, other: int) -> Choice:
        """Take a favour tile and give up two markers for it."""
        key = (DO_FAVOUR, tile, marker, other)
        if key not in self._rare:
            self._rare[key] = Choice(DO_FAVOUR, tile=tile, marker=marker, other=other)
        return self._rare[key]


def from_point(do: int, origin: int, kind: int, point: int) -> Choice:
    """Relocate or freely place a tradesman that stands on a point."""
    return Choice(do, kind=kind, source=FROM_POINT, origin=origin, point=point)


# -- the tables of a board, one function for each kind of choice


def _goals_tables(
    routes: Sequence[Sequence[int]], ships: Sequence[int]
) -> list[list[list[tuple[int, ...]]]]:
    """The lowest free point of each type, by fits-ships, route and mask of free points."""
    return [
        [
            [_goals(route, ships, mask, ships_too) for mask in range(1 << len(route))]
            for route in routes
        ]
        for ships_too in (False, True)
    ]


def _goals(
    route: Sequence[int], ships: Sequence[int], mask: int, ships_too: bool
) -> tuple[int, ...]:
    goals: list[int] = []
    types_met: list[int] = []
    for index, point in enumerate(route):
        free = mask >> index & 1
        if free and ships[point] not in types_met and (ships_too or not ships[point]):
            types_met.append(ships[point])
            goals.append(point)
    return tuple(goals)


def _place(point: int, kind: int) -> Choice:
    return Choice(DO_PLACE, point=point, kind=kind)


def _place_tables(
    goals: list[list[tuple[int, ...]]], ships: Sequence[int], place_at: list[list[Choice]]
) -> list[list[list[tuple[Choice, ...]]]]:
    """Placings by which kinds the supply has (1 traders, 2 merchants), route and mask."""
    return [
        [[_placings(found, ships, place_at, kinds) for found in masks] for masks in goals]
        for kinds in ((), (TRADER,), (MERCHANT,), _KINDS)
    ]


def _placings(
    goals: tuple[int, ...],
    ships: Sequence[int],
    place_at: list[list[Choice]],
    kinds: tuple[int, ...],
) -> tuple[Choice, ...]:
    return tuple(
        [
            place_at[kind][point]
            for point in goals
            for kind in kinds
            if kind == MERCHANT or not ships[point]
        ]
    )


def _displace_tables(ships: Sequence[int]) -> list[list[list[tuple[Choice, ...]]]]:
    """Displacings by the supply (4 x traders + merchants, each at most 3), kind and point."""
    every = [
        [_displacings(point, ship, cost) for point, ship in enumerate(ships)] for cost in (1, 2)
    ]
    return [[_payable_at(points, ships, supply) for points in every] for supply in range(16)]


def _payable_at(
    points: list[list[Choice]], ships: Sequence[int], supply: int
) -> list[tuple[Choice, ...]]:
    """The displacings of each point that this supply can pay; they differ only by ship."""
    payable: dict[int, list[int]] = {}
    for ship, at in zip(ships, points, strict=True):
        if ship not in payable:
            payable[ship] = [number for number, one in enumerate(at) if _can_pay(one, supply)]
    return [
        tuple([at[number] for number in payable[ship]])
        for ship, at in zip(ships, points, strict=True)
    ]


def _displacings(point: int, ship: int, cost: int) -> list[Choice]:
    """Each kind that can take the point and each way to pay."""
    return [
        Choice(DO_DISPLACE, point=point, kind=kind, traders=paid, merchants=cost - paid)
        for kind in ((MERCHANT,) if ship else _KINDS)
        for paid in range(cost, -1, -1)
    ]


def _can_pay(displacing: Choice, supply: int) -> bool:
    """Whether this supply has the tradesman that takes the point and those that are paid."""
    is_trader = displacing.kind == TRADER
    traders = displacing.traders + is_trader
    merchants = displacing.merchants + (not is_trader)
    return traders <= supply >> 2 and merchants <= supply & 3


def _put_tables(
    goals: list[list[list[tuple[int, ...]]]], put_at: list[Choice]
) -> list[list[list[tuple[Choice, ...]]]]:
    """Where a lifted tradesman may be put, by fits-ships, route and mask of free points."""
    return [
        [[tuple([put_at[goal] for goal in found]) for found in masks] for masks in by_route]
        for by_route in goals
    ]


def _tables_by_source(do: int, last_source: int, points: range) -> list[list[list[Choice]]]:
    """A tradesman put on a point, by source, kind and point."""
    return [
        [[Choice(do, kind=kind, source=source, point=point) for point in points] for kind in _KINDS]
        for source in range(last_source + 1)
    ]


def _marker_tables(do: int, routes: range) -> list[list[Choice]]:
    """A marker put on a route or above it, by marker and route."""
    return [[Choice(do, marker=marker, route=route) for route in routes] for marker in _MARKERS]


def _use_develop_tables() -> list[list[Choice]]:
    """A marker used to develop, by marker and ability."""
    return [
        [Choice(DO_USE, marker=marker, ability=ability) for ability in _ABILITIES]
        for marker in _MARKERS
    ]


def _exchange_tables(spaces: int) -> list[list[Choice]]:
    """Two posts exchanged, by marker and the left one of the two spaces."""
    return [
        [Choice(DO_USE, marker=marker, space=space) for space in range(spaces)]
        for marker in _MARKERS
    ]


def _swap_tables(marker: int) -> list[list[Choice]]:
    """A marker swapped for a used one, by its owner and which one."""
    return [
        [Choice(DO_USE, marker=marker, seat=seat, other=taken) for taken in _MARKERS]
        for seat in range(MOST_SEATS)
    ]


def _exactly(do: int, count: int) -> list[Choice]:
    """Every mix of exactly `count` tradesmen, by the number of merchants."""
    return [
        Choice(do, traders=count - merchants, merchants=merchants) for merchants in range(count + 1)
    ]


def _green_post_tables(cities: int) -> list[list[Choice]]:
    """A post in a green city, by city and kind."""
    return [
        [Choice(DO_GREEN_POST, city=city, kind=kind) for kind in _KINDS] for city in range(cities)
    ]
