"""Positions in the middle of a game, set up as a test needs them, and choices in words.

    state = table("hanse-4-5", points={"hamburg--luebeck": [None, "1m", None]}, supply={0: (3, 0)})
    play(state, do="displace", route="hamburg--luebeck", point=1, tradesman="trader")
    assert amounts(state, "supply", 0) == (0, 0)

Words are those of the protocol: "0t" is a trader of seat 0, "1m" a merchant of seat 1, "nt" a
neutral trader. Whatever is not given is as at the start of the game, except that each colour's
stock makes up for what the test puts elsewhere, so that its 27 traders and 4 merchants add up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from referee import atlas
from referee.engine import game, view
from referee.engine.board import Board
from referee.engine.restore import restore
from referee.engine.ruleset import Ruleset, make_ruleset
from referee.engine.serialize import event_words
from referee.engine.state import GameState
from referee.engine.terms import MARKERS

Men = Sequence[str | None]
Amount = tuple[int, int]  # traders, merchants

_FEWEST = {"hanse-4-5": 4, "hanse-2-3": 3, "east": 3, "britannia-4-5": 4, "britannia-2-3": 3}


def rules_for(board: Board | str, players: int | None = None, **options: Any) -> Ruleset:
    """Return a ruleset on a bundled board; by default with the fewest players (3 if possible)."""
    if isinstance(board, str):
        board = atlas.load_board(board)
    count = players or _FEWEST.get(board.id, board.players[0])
    return make_ruleset(atlas.load_components(), board, count, **options)


def table(
    board: str = "hanse-4-5",
    *,
    players: int | None = None,
    active: int = 0,
    turn: int | None = None,
    actions: int | None = None,
    extra_actions: int = 0,
    fresh: bool = True,
    points: Mapping[str, Men] | None = None,
    clear: bool = True,
    posts: Mapping[str, Men] | None = None,
    additional: Mapping[str, Men] | None = None,
    route_markers: Mapping[str, str | None] | None = None,
    supply: Mapping[int, Amount] | None = None,
    stock: Mapping[int, Amount] | None = None,
    desk: Mapping[int, Mapping[str, int]] | None = None,
    prestige: Mapping[int | str, int] | None = None,
    markers: Mapping[int, Iterable[str]] | None = None,
    used: Mapping[int, Iterable[str]] | None = None,
    favours: Mapping[int, Iterable[str]] | None = None,
    display: Iterable[str] | None = None,
    special: Sequence[int | None] | None = None,
    east_west: Sequence[int | str] = (),
    completed: int = 0,
    plates: Mapping[int, Iterable[str]] | None = None,
    draws: Sequence[str] | None = None,
    missions: Sequence[int] | None = None,
    seed: int = 1,
    **options: Any,
) -> GameState:
    """Return a position in a turn of `active`, with an empty event log.

    `points` gives whole routes; `clear` takes neutral traders of the set-up off first. `draws` is
    the whole marker supply, the next first; `plates` what lies face down; `missions` the number of
    each seat's card, and the game is played with missions if it is given. Likewise it is played
    with Emperor's Favour if `favours` (the tiles that seats hold) or `display` is given.
    """
    options.setdefault("favours", favours is not None or display is not None)
    options.setdefault("missions", missions is not None)
    rules = rules_for(board, players, **options)
    place = atlas.load_board(board)
    start = game.new_game(place, rules, seed)
    words: Any = view.see(start, 0)
    _set_board(words, clear, points or {}, posts or {}, additional or {}, route_markers or {})
    _set_players(words, "markers", markers or {})
    _set_players(words, "used_markers", used or {})
    _set_players(words, "favours", favours or {})
    _set_amounts(words, supply or {}, desk or {}, prestige or {})
    words["favours"] = words["favours"] if display is None else list(display)
    words["special_prestige"] = special or words["special_prestige"]
    words["east_west"] = list(east_west)
    words["completed_cities"] = completed
    words["active"] = active
    words["turn"] = turn if turn is not None else active + 1
    words["extra_actions"] = extra_actions
    words["fresh"] = fresh
    words["marker_supply"] = 0
    state = _restore_any(place, rules, active, words, seed)
    value = rules.values[1][state.desk[5 * active + 1]]
    state.actions_left = actions if actions is not None else value
    _fill_stock(state, stock or {})
    _set_hidden(state, start, plates or {}, draws, missions)
    state.events = []
    state.options = None
    return state


def _set_board(
    words: Any,
    clear: bool,
    points: Mapping[str, Men],
    posts: Mapping[str, Men],
    additional: Mapping[str, Men],
    route_markers: Mapping[str, str | None],
) -> None:
    for route in words["routes"].values() if clear else ():
        route["points"] = [None] * len(route["points"])
    for name, men in points.items():
        assert len(men) == len(words["routes"][name]["points"]), name
        words["routes"][name]["points"] = list(men)
    for city, men in posts.items():
        spaces = words["cities"][city]["posts"]
        words["cities"][city]["posts"] = list(men) + spaces[len(men) :]
    for city, men in additional.items():
        words["cities"][city]["additional"] = list(men)
    for name, marker in route_markers.items():
        words["routes"][name]["marker"] = marker


def _set_players(words: Any, key: str, given: Mapping[int, Iterable[str]]) -> None:
    for seat, names in given.items():
        words["players"][seat][key] = list(names)


def _set_amounts(
    words: Any,
    supply: Mapping[int, Amount],
    desk: Mapping[int, Mapping[str, int]],
    prestige: Mapping[int | str, int],
) -> None:
    for seat, (traders, merchants) in supply.items():
        words["players"][seat]["supply"] = {"traders": traders, "merchants": merchants}
    for seat, steps in desk.items():
        words["players"][seat]["desk"] |= steps
    for who, won in prestige.items():
        (words["neutral"] if who == "n" else words["players"][who])["prestige"] = won


def _restore_any(board: Board, rules: Ruleset, active: int, words: Any, seed: int) -> GameState:
    """Restore the state; markers are added afterwards, even more than the edition has."""
    lists = [(p, key, p[key]) for p in words["players"] for key in ("markers", "used_markers")]
    on_routes = {name: route["marker"] for name, route in words["routes"].items()}
    for player, key, _ in lists:
        player[key] = []
    for route in words["routes"].values():
        route["marker"] = None
    state = restore(board, rules, active, {"id": 1, "decision": "turn", "state": words}, seed)
    for player, key, names in lists:
        held = state.markers if key == "markers" else state.used
        held[player["seat"]] = tuple(sorted(MARKERS.index(name) for name in names))
    for name, marker in on_routes.items():
        if marker:
            state.route_markers[board.route_number[name]] = MARKERS.index(marker)
    return state


def _fill_stock(state: GameState, given: Mapping[int, Amount]) -> None:
    for seat in range(state.rules.players):
        traders, merchants = count_tradesmen(state, seat)
        state.stock[2 * seat] += 27 - traders
        state.stock[2 * seat + 1] += 4 - merchants
        if seat in given:
            state.stock[2 * seat : 2 * seat + 2] = given[seat]
        assert min(state.stock[2 * seat : 2 * seat + 2]) >= 0, f"seat {seat} has too many tradesmen"


def count_tradesmen(state: GameState, seat: int) -> Amount:
    """Return the number of traders and merchants of a colour, wherever they are."""
    men = [*state.points, *state.posts]
    men += [man for city in (*state.additional, *state.green) for man in city]
    men += [man for decision in state.agenda for man in decision.held]
    desk = state.desk[5 * seat : 5 * seat + 5]
    traders = men.count(2 * seat + 2) + state.stock[2 * seat] + state.supply[2 * seat]
    traders += 1 + sum(owner == seat for _, _, owner in state.laid)
    traders += (4 - desk[0]) + (5 - desk[1]) + (3 - desk[2]) + (3 - desk[4])
    merchants = men.count(2 * seat + 3) + state.stock[2 * seat + 1] + state.supply[2 * seat + 1]
    merchants += 3 - desk[3] + state.special.count(seat)
    return traders, merchants


def _set_hidden(
    state: GameState,
    start: GameState,
    plates: Mapping[int, Iterable[str]],
    draws: Sequence[str] | None,
    missions: Sequence[int] | None,
) -> None:
    state.supply_order = start.supply_order
    if draws is not None:
        state.supply_order = tuple(MARKERS.index(name) for name in draws)
    for seat, names in plates.items():
        state.plates[seat] = tuple(MARKERS.index(name) for name in names)
    if missions is not None:
        state.missions = tuple(missions)


# -- playing


def offers(state: GameState, **wanted: object) -> list[dict[str, Any]]:
    """Return the choices that have these fields, e.g. `offers(state, do="place", route=...)`."""
    return [words for _, words in _matching(state, wanted)]


def play(state: GameState, **wanted: object) -> None:
    """Apply the one choice that has these fields (`pay`, `reward` and others as dicts)."""
    found = _matching(state, wanted)
    assert found, f"{wanted} is not on offer; there are {view.request(state)['choices']}"
    assert len(found) == 1, f"{wanted} fits {len(found)} choices: {found}"
    game.apply(state, found[0][0])


def _matching(state: GameState, wanted: Mapping[str, object]) -> list[tuple[int, dict[str, Any]]]:
    keys = {key.rstrip("_"): value for key, value in wanted.items()}  # from_ is "from"
    listed: Any = view.request(state)["choices"]
    return [
        (index, words)
        for index, words in enumerate(listed)
        if all(key in words and words[key] == value for key, value in keys.items())
    ]


def asked(state: GameState) -> tuple[str, int] | None:
    """Return the pending decision and its seat: ("relocate", 1); None when the game is over."""
    decision = game.pending(state)
    if decision is None:
        return None
    return str(view.request(state)["decision"]), decision.seat


def about(state: GameState) -> dict[str, Any]:
    """Return the field `about` of the pending request."""
    return cast("dict[str, Any]", view.request(state).get("about", {}))


def end_turn(state: GameState) -> None:
    """End the turn, and apply decisions with a single choice."""
    play(state, do="end-turn")
    game.settle(state)


def events_of(state: GameState, event: str | None = None) -> list[dict[str, Any]]:
    """Return the events so far, in words; only of one kind, if given."""
    words: list[dict[str, Any]] = [event_words(state, one) for one in state.events or []]
    return [one for one in words if event is None or one["event"] == event]


# -- looking


def seen(state: GameState, seat: int = 0) -> dict[str, Any]:
    """Return the position as a seat sees it."""
    return view.see(state, seat)


def men_on(state: GameState, route: str) -> list[str | None]:
    """Return the tradesmen on a route."""
    points: list[str | None] = seen(state)["routes"][route]["points"]
    return points


def posts_in(state: GameState, city: str) -> list[str | None]:
    """Return the posts on a city's spaces."""
    posts: list[str | None] = seen(state)["cities"][city]["posts"]
    return posts


def player(state: GameState, seat: int) -> dict[str, Any]:
    """Return a seat's part of the view: prestige, stock, supply, desk, markers..."""
    words: dict[str, Any] = seen(state)["players"][seat]
    return words


def amounts(state: GameState, where: str, seat: int) -> Amount:
    """Return the traders and merchants in the "stock" or "supply" of a seat."""
    held = player(state, seat)[where]
    return held["traders"], held["merchants"]


def totals(state: GameState, seat: int) -> dict[str, Any]:
    """Return a seat's standing with the parts of its total, as if the game ended now."""
    words: dict[str, Any] = view.standing_words(state, game.standings(state)[seat])
    return words


def offered_routes(state: GameState, **wanted: object) -> set[str]:
    """Return the routes of all choices that have these fields."""
    return {one["route"] for one in offers(state, **wanted) if "route" in one}


def event_kinds(state: GameState) -> list[str]:
    """Return the kinds of the events so far, in order."""
    return [one["event"] for one in events_of(state)]
