"""Set-up: everything random is drawn here, from the seed (SET-1 to SET-6)."""

from __future__ import annotations

from referee.engine import updates
from referee.engine.board import Board
from referee.engine.hooks import Hooks, Variant
from referee.engine.rng import Rng
from referee.engine.ruleset import Ruleset
from referee.engine.state import GameState
from referee.engine.terms import ABILITIES, EMPTY, GOES_ON, NONE, TRIBUTE
from referee.engine.variants.countries import PERMITS
from referee.engine.variants.favours import EMPERORS_FAVOUR
from referee.engine.variants.missions import MISSIONS
from referee.engine.variants.neutral import NEUTRAL
from referee.engine.variants.promos import PROMOS


def variants_of(rules: Ruleset) -> tuple[Variant, ...]:
    """The variants in play, in the order in which their hooks run."""
    markers = rules.start_markers + rules.supply_markers
    table = (
        (rules.missions, MISSIONS),
        (rules.favours, EMPERORS_FAVOUR),
        (rules.neutral is not None, NEUTRAL),
        (rules.permits, PERMITS),
        # A map may replace other markers by tributes, even without the option.
        (TRIBUTE in markers, PROMOS),
    )
    return tuple([variant for in_play, variant in table if in_play])


def set_up(board: Board, rules: Ruleset, seed: int, log: list[tuple[int, ...]] | None) -> GameState:
    """The position before the first turn; taverns, supply, missions and favours are drawn in this order."""
    rng = Rng(seed)
    state = blank(board, rules)
    state.events = log
    starters = rng.shuffled(rules.start_markers)
    for route, marker in zip(board.taverns, starters, strict=True):
        updates.place_start_marker(state, route, marker)
    state.supply_order = rng.shuffled(rules.supply_markers)[: rules.supply_size]
    for hook in state.hooks.set_up:
        hook(state, rng)
    return state


def blank(board: Board, rules: Ruleset) -> GameState:
    """An empty board, and each seat's tradesmen where SET-1 and SET-2 put them."""
    state = GameState(board, rules, Hooks(variants_of(rules)))
    seats, components = range(rules.players), rules.components
    state.points = [EMPTY] * len(board.ship)
    state.free = list(board.all_free)
    state.on_points = [0] * rules.colours
    state.posts = [EMPTY] * len(board.space_city)
    state.additional = [()] * len(board.city_ids)
    state.green = [()] * len(board.city_ids)
    state.presence = [0] * len(board.city_ids)
    state.route_markers = [NONE] * len(board.routes)
    state.supply = [
        n for seat in seats for n in (components.supply_traders[seat], components.supply_merchants)
    ]
    state.stock = [n for seat in seats for n in _stock(rules, seat)]
    state.desk = [0] * (len(ABILITIES) * rules.players)
    state.prestige = [0] * rules.colours
    state.markers = [()] * rules.players
    state.used = [()] * rules.players
    state.plates = [()] * rules.players
    state.plates_seen = [0] * rules.players
    state.favours = [0] * rules.players
    state.display = 0
    state.special = (NONE,) * len(board.special_points)
    state.east_west = ()
    state.laid = ()
    state.markers_out = ()
    state.supply_order = ()
    state.drawn = 0
    state.undrawn = False
    state.missions = ()
    state.turn = 0
    state.active = NONE
    state.actions_left = 0
    state.extra_actions = 0
    state.fresh = False
    state.acted = False
    state.forgone = False
    state.completed_cities = 0
    state.permits_spent = 0
    state.permit_bought = False
    state.over = GOES_ON
    state.decision_id = 1
    state.agenda = []
    state.options = None
    state.events = None
    return state


def _stock(rules: Ruleset, seat: int) -> tuple[int, int]:
    """What is left of a colour when the desk, the score marker and the supply are filled."""
    components = rules.components
    steps = [len(track) - 1 for track in rules.values]
    on_desk_merchants = len(components.book) - 1
    on_desk_traders = sum(steps) - on_desk_merchants
    traders = components.traders - on_desk_traders - 1 - components.supply_traders[seat]
    return traders, components.merchants - on_desk_merchants - components.supply_merchants
