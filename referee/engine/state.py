"""A position: flat lists of ints, cheap to copy, with a digest of all that affects later play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from referee.engine.board import Board
from referee.engine.decision import Decision
from referee.engine.digest import Digester
from referee.engine.ruleset import Ruleset
from referee.engine.terms import GOES_ON, MERCHANT, TRADER, Event, stock_index

if TYPE_CHECKING:
    from referee.engine.choice import Choice
    from referee.engine.hooks import Hooks


# Everything but the board, the rules and what follows from them.
_PICKLED: Final = (
    "acted",
    "actions_left",
    "active",
    "additional",
    "agenda",
    "completed_cities",
    "decision_id",
    "desk",
    "display",
    "drawn",
    "east_west",
    "events",
    "extra_actions",
    "favours",
    "forgone",
    "free",
    "fresh",
    "green",
    "laid",
    "markers",
    "markers_out",
    "missions",
    "on_points",
    "over",
    "permit_bought",
    "permits_spent",
    "plates",
    "plates_seen",
    "points",
    "posts",
    "presence",
    "prestige",
    "route_markers",
    "special",
    "stock",
    "supply",
    "supply_order",
    "turn",
    "undrawn",
    "used",
)


class GameState:
    """One position; only `updates`, `setup` and `restore` write to it.

    Lists that change at almost every decision are copied with the state. The others are never
    written to, but replaced when they change, so that copies share them: a copy costs half as much.
    """

    __slots__ = ("board", "hooks", "options", "rules", *_PICKLED)

    points: list[int]  # by point: the tradesman there, or EMPTY
    free: list[int]  # by route: a bit for each free point
    on_points: list[int]  # by colour: how many stand on points
    posts: list[int]  # by space
    additional: list[tuple[int, ...]]  # by city: left to right
    green: list[tuple[int, ...]]  # by city: posts of the permanent marker, left to right
    presence: list[int]  # by city: a bit for each colour with a post there
    route_markers: list[int]
    stock: list[int]  # by 2 x seat + kind
    supply: list[int]
    desk: list[int]  # by 5 x seat + ability: steps developed
    prestige: list[int]  # by colour
    markers: list[tuple[int, ...]]  # by seat: unused, sorted
    used: list[tuple[int, ...]]
    plates: list[tuple[int, ...]]  # by seat: face down; the first ones were seen
    plates_seen: list[int]  # how many were seen
    favours: list[int]  # by seat: a bit for each tile
    display: int  # a bit for each tile on display
    special: tuple[int, ...]  # by space: colour or NONE
    east_west: tuple[int, ...]  # colours, in order
    laid: tuple[tuple[int, int, int], ...]  # marker, route, seat
    markers_out: tuple[int, ...]
    supply_order: tuple[int, ...]  # the whole marker supply, the next at `drawn`
    drawn: int
    undrawn: bool  # a replacement marker had to be drawn, but the supply was empty
    missions: tuple[int, ...]  # by seat: the number of the card
    turn: int
    active: int
    actions_left: int
    extra_actions: int  # how many of them come from +3 and +4
    fresh: bool
    acted: bool  # an action was taken, or actions were gained by a marker or given up, this turn
    forgone: bool  # the turn's actions were given up for a favour
    completed_cities: int
    permits_spent: int  # a bit for each permit of the board
    permit_bought: bool
    over: int  # the reason, GOES_ON before the end
    decision_id: int  # the id of the pending decision, from 1
    agenda: list[Decision]
    options: list[Choice] | None  # the pending decision's choices, once listed
    events: list[Event] | None  # None: no events are logged

    def __init__(self, board: Board, rules: Ruleset, hooks: Hooks) -> None:
        self.board = board
        self.rules = rules
        self.hooks = hooks

    def copy(self) -> GameState:
        """An independent copy without an event log: no events are emitted in it."""
        twin = GameState(self.board, self.rules, self.hooks)
        twin.points = self.points[:]
        twin.free = self.free[:]
        twin.on_points = self.on_points[:]
        twin.posts = self.posts
        twin.additional = self.additional
        twin.green = self.green
        twin.presence = self.presence
        twin.route_markers = self.route_markers
        twin.stock = self.stock[:]
        twin.supply = self.supply[:]
        twin.desk = self.desk
        twin.prestige = self.prestige
        twin.markers = self.markers
        twin.used = self.used
        twin.plates = self.plates
        twin.plates_seen = self.plates_seen
        twin.favours = self.favours
        twin.display = self.display
        twin.special = self.special
        twin.east_west = self.east_west
        twin.laid = self.laid
        twin.markers_out = self.markers_out
        twin.supply_order = self.supply_order
        twin.drawn = self.drawn
        twin.undrawn = self.undrawn
        twin.missions = self.missions
        twin.turn = self.turn
        twin.active = self.active
        twin.actions_left = self.actions_left
        twin.extra_actions = self.extra_actions
        twin.fresh = self.fresh
        twin.acted = self.acted
        twin.forgone = self.forgone
        twin.completed_cities = self.completed_cities
        twin.permits_spent = self.permits_spent
        twin.permit_bought = self.permit_bought
        twin.over = self.over
        twin.decision_id = self.decision_id
        twin.agenda = self.agenda[:]
        twin.options = self.options
        twin.events = None
        return twin

    def __reduce__(self) -> tuple[object, ...]:
        """For pickle: compiled classes have no default for it, and choices are listed again."""
        values = [getattr(self, name) for name in _PICKLED]
        own = [value[:] if isinstance(value, list) else value for value in values]
        return state_from, (self.board, self.rules, tuple(own))

    def digest(self) -> str:
        """The first 16 hex digits of SHA-256 over `canonical`."""
        return Digester(self).digest()

    def canonical(self) -> bytes:
        """Everything that affects later play, hidden things too, in a fixed order: see `digest.py`."""
        return Digester(self).canonical()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, for whatever reason."""
        return self.over != GOES_ON

    @property
    def neutral(self) -> int:
        """The number of the neutral colour; no tradesman has it unless it takes part."""
        return self.rules.players

    def tradesmen(self, held: list[int], seat: int) -> tuple[int, int]:
        """Traders and merchants of a seat in `held`, which is `stock` or `supply`."""
        first = stock_index(seat, TRADER)
        return held[first], held[first + MERCHANT]


def state_from(board: Board, rules: Ruleset, values: tuple[object, ...]) -> GameState:
    """The position of a pickle."""
    from referee.engine.setup import blank  # noqa: PLC0415  set-up needs this module

    state = blank(board, rules)
    for name, value in zip(_PICKLED, values, strict=True):
        setattr(state, name, value)
    return state
