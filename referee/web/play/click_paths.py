"""Click paths: every choice of a decision as a sequence of picks on the page.

A pick has a target: a place on the board (a point, a route, a city, a space), a thing on a desk (an
own bonus marker, an ability, the stock, a used marker of another seat), a favour tile, or an option
that the page shows as a button. The page lights up the next targets and asks until one choice is
left. It needs no rules for that: `tree` says which picks may follow each pick.

A path never ends where another one goes on, so every leaf of the tree is one choice, and every
choice is a leaf. A choice may have several paths: two posts that are exchanged can be clicked in
any order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, NotRequired, TypeAlias, TypedDict

from referee.engine import view
from referee.engine.board import Board
from referee.engine.choice import Choice
from referee.engine.serialize import choice_words
from referee.engine.state import GameState
from referee.engine.terms import (
    ABILITIES,
    ADDITIONAL,
    DECISIONS,
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
    FAVOURS,
    FROM_DISPLACED,
    FROM_POINT,
    KINDS,
    MARKERS,
    NONE,
    POST,
    SOURCES,
    SPECIAL,
    TURN,
    PointId,
    colour_of,
    kind_of,
)
from referee.match.menu import Item, MenuMaker, question
from referee.narration.events import PlaceNames, amount, marker_name
from referee.text import plural

WHAT: Final = "What do you want to do?"
WHICH_TRADESMAN: Final = "With which tradesman?"
WHAT_TO_PAY: Final = "What do you pay?"
HOW_MANY: Final = "How many do you take?"
WHICH_REWARD: Final = "What does the route earn?"
WHICH_MARKER: Final = "Which marker?"
WHICH_ROUTE: Final = "Which route?"
WHERE: Final = "Where?"
WHERE_FROM: Final = "Where does it come from?"


class Pick(NamedTuple):
    """One pick of a path: its target on the page, how it reads, and the question that it answers."""

    at: str
    label: str
    ask: str = WHAT


Path: TypeAlias = tuple[Pick, ...]


class TreePick(TypedDict):
    """A target that can be picked now: the choice that it completes, or what may follow."""

    at: str
    label: str
    index: NotRequired[int]
    then: NotRequired[Tree]
    also: NotRequired[list[str]]  # points that mean the same: alike, on the same route


class Tree(TypedDict):
    """What can be picked now, and the question to ask."""

    ask: str
    picks: list[TreePick]


class ListItem(TypedDict):
    """A line of the list of choices: one choice, or a group of lines."""

    label: str
    note: NotRequired[str]
    index: NotRequired[int]
    items: NotRequired[list[ListItem]]


class AskedChoices(TypedDict):
    """A decision for the page: its question, and two ways to every choice."""

    id: int
    kind: str
    ask: str
    labels: list[str]  # by index, each choice as a phrase
    confirm: list[int]  # the choices that the page asks about again
    given: list[str]  # picks that need no click, because there is only one
    tree: Tree
    list: list[ListItem]


class ClickPaths:
    """Makes the click paths of the choices on one board."""

    def __init__(self, board: Board, names: Sequence[str]) -> None:
        self._board = board
        self._names = names
        self._places = PlaceNames(board.words)
        self._menus = MenuMaker(board.words, names)
        self.makers: Final[Mapping[int, Callable[[GameState, Choice], list[Path]]]] = {
            DO_INCOME: self._income,
            DO_PLACE: self._place,
            DO_DISPLACE: self._displace,
            DO_MOVE: _option("move", "Move tradesmen"),
            DO_CREATE: self._create,
            DO_USE: self._use,
            DO_FAVOUR: self._favour,
            DO_PERMIT: self._permit,
            DO_END_TURN: _option("end-turn", "End the turn"),
            DO_LIFT: self._lift,
            DO_STOP: _option("stop", "Stop here"),
            DO_PUT: self._put,
            DO_RELOCATE: self._relocate,
            DO_LEVY: self._levy,
            DO_GREEN_POST: self._green_post,
            DO_PLACE_FREELY: self._relocate,
            DO_DEVELOP: self._develop,
            DO_DECLINE: _option("decline", "Decline"),
            DO_PLACE_MARKER: self._place_marker,
            DO_NEUTRAL_POST: self._neutral_post,
            DO_TRIBUTE: self._income,
            DO_PAY: self._pay,
        }

    def asked(self, state: GameState, options: Sequence[Choice]) -> AskedChoices:
        """The pending decision of the position, with these choices, for the page of its seat."""
        decision = state.agenda[-1]
        choices = [choice_words(self._board, choice) for choice in options]
        kind = DECISIONS[decision.kind]
        menu = self._menus.menu(choices, view.see(state, decision.seat))
        ask = question(kind, view.about(state, decision))
        given, tree = self.tree(state, options, ask)
        return {
            "id": state.decision_id,
            "kind": kind,
            "ask": ask,
            "labels": self._menus.labels,
            "confirm": [i for i, choice in enumerate(options) if _surprises(state, choice)],
            "given": given,
            "tree": tree,
            "list": [_list_item(item) for item in menu.items],
        }

    def tree(self, state: GameState, options: Sequence[Choice], ask: str) -> tuple[list[str], Tree]:
        """The picks that lead to these choices, and the labels of first picks that need no click."""
        paths = [
            (path, index)
            for index, choice in enumerate(options)
            for path in self.makers[choice.do](state, choice)
        ]
        given: list[str] = []
        tree = _grown(paths, 0, ask)
        while len(tree["picks"]) == 1 and "then" in tree["picks"][0]:
            given.append(tree["picks"][0]["label"])
            tree = {**tree["picks"][0]["then"], "ask": ask}
        _add_alike(state, tree)
        return given, tree

    # -- targets

    def _point(self, point: PointId) -> str:
        board = self._board
        ship = " (ship)" if board.ship[point] else ""
        route = board.point_route[point]
        return f"{self._route(route)}, point {board.index_in_route(point) + 1}{ship}"

    def _route(self, route: int) -> str:
        return self._places.route(self._board.route_ids[route])

    def _city(self, city: int) -> str:
        return self._places.city(self._board.city_ids[city])

    def _man(self, state: GameState, point: PointId) -> str:
        man = state.points[point]
        colour = colour_of(man)
        owner = f"{self._names[colour]}'s" if colour < len(self._names) else "the neutral"
        return f"{owner} {KINDS[kind_of(man)]}"

    def _marker(self, marker: int, verb: str, ask: str = WHAT) -> Pick:
        return Pick(f"marker:{marker}", f"{verb} “{marker_name(MARKERS[marker])}”", ask)

    # -- the paths of each kind of choice

    def _income(self, _: GameState, choice: Choice) -> list[Path]:
        count = Pick(f"option:{choice.traders}+{choice.merchants}", _amount(choice), HOW_MANY)
        return [(Pick("stock", "Take tradesmen from the stock"), count)]

    def _place(self, _: GameState, choice: Choice) -> list[Path]:
        point = Pick(f"point:{choice.point}", f"Place at {self._point(choice.point)}")
        return [(point, _kind(choice))]

    def _displace(self, state: GameState, choice: Choice) -> list[Path]:
        man, where = self._man(state, choice.point), self._point(choice.point)
        point = Pick(f"point:{choice.point}", f"Displace {man} at {where}")
        pay = Pick(f"option:pay-{choice.traders}+{choice.merchants}", _amount(choice), WHAT_TO_PAY)
        return [(point, _kind(choice), pay)]

    def _create(self, _: GameState, choice: Choice) -> list[Path]:
        route = Pick(f"route:{choice.route}", f"Create {self._route(choice.route)}")
        return [(route, *self._reward(choice))]

    def _reward(self, choice: Choice) -> Path:
        if choice.reward == POST:
            post = Pick("option:post", "as a trading post", "Which post?")
            return (self._city_pick(choice.city, "Establish a post in", WHICH_REWARD), post)
        if choice.reward == ADDITIONAL:
            kind = KINDS[choice.kind]
            post = Pick(f"option:additional-{kind}", f"additional, with a {kind}", "Which post?")
            return (self._city_pick(choice.city, "Establish a post in", WHICH_REWARD), post)
        if choice.reward == DEVELOP:
            return (_ability(choice, WHICH_REWARD),)
        if choice.reward == SPECIAL:
            worth = plural(self._board.special_points[choice.special], "point")
            label = f"Take the special prestige ({worth})"
            return (Pick(f"special:{choice.special}", label, WHICH_REWARD),)
        return (Pick("option:nothing", "Nothing more", WHICH_REWARD),)

    def _city_pick(self, city: int, verb: str, ask: str) -> Pick:
        return Pick(f"city:{city}", f"{verb} {self._city(city)}", ask)

    def _use(self, _: GameState, choice: Choice) -> list[Path]:
        marker = self._marker(choice.marker, "Use")
        if choice.ability != NONE:
            return [(marker, _ability(choice, "Which ability?"))]
        if choice.space != NONE:
            pair = (choice.space, choice.space + 1)
            one, other = (self._space(space) for space in pair)
            return [(marker, one, other), (marker, other, one)]
        if choice.seat != NONE:
            return [(marker, self._used_marker(choice))]
        if choice.route != NONE:
            route = Pick(f"route:{choice.route}", self._route(choice.route), WHICH_ROUTE)
            return [(marker, route)]
        return [(marker,)]

    def _space(self, space: int) -> Pick:
        city = self._board.space_city[space]
        number = space - self._board.spaces[city][0] + 1
        return Pick(f"space:{space}", f"The post {number} in {self._city(city)}", "Which posts?")

    def _used_marker(self, choice: Choice) -> Pick:
        label = f"{self._names[choice.seat]}'s “{marker_name(MARKERS[choice.other])}”"
        return Pick(f"used:{choice.seat}:{choice.other}", label, WHICH_MARKER)

    def _favour(self, _: GameState, choice: Choice) -> list[Path]:
        name = marker_name(FAVOURS[choice.tile])
        tile = Pick(f"favour:{choice.tile}", f"Take the favour “{name}”")
        one = self._marker(choice.marker, "Give up", "Which two markers do you give up?")
        other = self._marker(choice.other, "Give up", "Which two markers do you give up?")
        if choice.marker == choice.other:
            return [(tile, one, other)]
        return [(tile, one, other), (tile, other, one)]

    def _permit(self, _: GameState, choice: Choice) -> list[Path]:
        marker = self._marker(choice.marker, "Give up", "Which marker do you give up?")
        return [(Pick("option:permit", "Buy a permit"), marker)]

    def _lift(self, state: GameState, choice: Choice) -> list[Path]:
        man, where = self._man(state, choice.point), self._point(choice.point)
        return [(Pick(f"point:{choice.point}", f"Lift {man} at {where}"),)]

    def _put(self, _: GameState, choice: Choice) -> list[Path]:
        return [(Pick(f"point:{choice.point}", self._point(choice.point), WHERE),)]

    def _relocate(self, _: GameState, choice: Choice) -> list[Path]:
        """A tradesman from somewhere to a point: first where to, then which one."""
        goal = Pick(f"point:{choice.point}", f"To {self._point(choice.point)}", WHERE)
        kind = KINDS[choice.kind]
        if choice.source == FROM_POINT:
            label = f"The {kind} at {self._point(choice.origin)}"
            return [(goal, Pick(f"point:{choice.origin}", label, WHERE_FROM))]
        source = SOURCES[choice.source]
        label = f"The displaced {kind}" if choice.source == FROM_DISPLACED else f"A {kind} from the {source}"  # fmt: skip
        return [(goal, Pick(f"option:{source}-{kind}", label, "Which tradesman?"))]

    def _levy(self, _: GameState, choice: Choice) -> list[Path]:
        kind = KINDS[choice.kind]
        return [(Pick(f"option:levy-{kind}", f"Levy a {kind}"),)]

    def _green_post(self, _: GameState, choice: Choice) -> list[Path]:
        return [(self._city_pick(choice.city, "Establish a post in", WHERE), _kind(choice))]

    def _develop(self, _: GameState, choice: Choice) -> list[Path]:
        return [(_ability(choice, WHAT),)]

    def _place_marker(self, _: GameState, choice: Choice) -> list[Path]:
        name = marker_name(MARKERS[choice.marker])
        marker = Pick(f"option:plate-{choice.marker}", f"Place “{name}”", WHICH_MARKER)
        return [(marker, Pick(f"route:{choice.route}", self._route(choice.route), WHICH_ROUTE))]

    def _neutral_post(self, _: GameState, choice: Choice) -> list[Path]:
        return [(self._city_pick(choice.city, "In", WHERE),)]

    def _pay(self, _: GameState, choice: Choice) -> list[Path]:
        return [(Pick(f"option:{choice.traders}+{choice.merchants}", f"Pay {_amount(choice)}"),)]


def _option(name: str, label: str) -> Callable[[GameState, Choice], list[Path]]:
    """The path of a choice that is one option."""
    path = (Pick(f"option:{name}", label),)
    return lambda _, __: [path]


def _kind(choice: Choice) -> Pick:
    kind = KINDS[choice.kind]
    return Pick(f"option:{kind}", f"With a {kind}", WHICH_TRADESMAN)


def _ability(choice: Choice, ask: str) -> Pick:
    return Pick(f"ability:{choice.ability}", f"Develop {ABILITIES[choice.ability]}", ask)


def _amount(choice: Choice) -> str:
    return amount({"traders": choice.traders, "merchants": choice.merchants})


def _surprises(state: GameState, choice: Choice) -> bool:
    """Whether a choice has an effect that one click should not have."""
    if choice.do == DO_END_TURN:
        return state.agenda[-1].kind == TURN and state.actions_left + state.extra_actions > 0
    return choice.do == DO_USE and choice.space != NONE


# -- the tree


def _grown(paths: Sequence[tuple[Path, int]], depth: int, ask: str) -> Tree:
    """The tree of these paths, which have their first `depth` picks in common."""
    groups: dict[str, list[tuple[Path, int]]] = {}
    for path in paths:
        groups.setdefault(path[0][depth].at, []).append(path)
    return {"ask": ask, "picks": [_grown_pick(group, depth) for group in groups.values()]}


def _grown_pick(paths: Sequence[tuple[Path, int]], depth: int) -> TreePick:
    """The pick that these paths have in common, and what follows it if more than one choice does."""
    pick, indexes = paths[0][0][depth], {index for _, index in paths}
    if len(indexes) == 1:
        return {"at": pick.at, "label": pick.label, "index": indexes.pop()}
    asks = {path[depth + 1].ask for path, _ in paths}
    then = _grown(paths, depth + 1, asks.pop() if len(asks) == 1 else WHAT)
    while len(then["picks"]) == 1:
        then = then["picks"][0]["then"]  # nothing is to be chosen in between
    return {"at": pick.at, "label": pick.label, "then": then}


def _add_alike(state: GameState, tree: Tree) -> None:
    """Let alike points of a route stand for the one that the engine lists."""
    targets = {pick["at"] for pick in tree["picks"]}
    for pick in tree["picks"]:
        if pick["at"].startswith("point:"):
            point = int(pick["at"].removeprefix("point:"))
            found = [name for name in _alike(state, point) if name not in targets]
            if found:
                pick["also"] = found
        if "then" in pick:
            _add_alike(state, pick["then"])


def _alike(state: GameState, point: PointId) -> list[str]:
    """The points of the same route and type where the same tradesman stands, or also none."""
    board, points = state.board, state.points
    return [
        f"point:{other}"
        for other in board.routes[board.point_route[point]]
        if points[other] == points[point] and board.ship[other] == board.ship[point]
    ]


def _list_item(item: Item) -> ListItem:
    found: ListItem = {"label": item.label}
    if item.note:
        found["note"] = item.note
    if item.items:
        found["items"] = [_list_item(inner) for inner in item.items]
    else:
        found["index"] = item.index
    return found
