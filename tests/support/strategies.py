"""Hypothesis strategies: rulesets, sequences of choices, and small boards of every kind."""

from __future__ import annotations

from itertools import combinations as pairs_of
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from referee import atlas
from referee.engine.board import Board
from referee.engine.rng import LARGEST_SEED
from referee.engine.ruleset import Ruleset, make_ruleset
from support.combinations import combinations

Words = dict[str, Any]


def steady(examples: int) -> settings:
    """Return settings for a number of examples, however long they take to draw."""
    return settings(
        max_examples=examples,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


ABILITIES = ("keys", "actions", "privilege", "book", "bank")
ABROAD = "Abroad"
HOME = "Home"

# The default of `st.text`, which takes two seconds to find out which characters UTF-8 has.
CHARACTERS = st.characters(exclude_categories=["Cs"])
seeds = st.integers(0, LARGEST_SEED)
names = st.sampled_from(combinations())
ways = st.lists(st.integers(0, 5000), max_size=80)
spaces = st.fixed_dictionaries(
    {
        "privilege": st.sampled_from(("white", "white", "orange", "pink", "black")),
        "shape": st.sampled_from(("square", "square", "round")),
        "coin": st.sampled_from((0, 0, 1, 3)),
    }
)
points = st.lists(
    st.fixed_dictionaries({"type": st.sampled_from(("house", "house", "ship"))}),
    min_size=2,
    max_size=4,
)
prestige = st.lists(st.integers(1, 9), min_size=1, max_size=3)


@st.composite
def cities(draw: st.DrawFn, countries: tuple[str, ...]) -> list[Words]:
    """Draw three to eight cities, one in five of them green; three taverns need three routes."""
    return [
        {
            "id": f"c{number}",
            "name": f"City {number}",
            "x": 100 * number,
            "y": 100 * (number % 3),
            "abilities": draw(st.lists(st.sampled_from(ABILITIES), max_size=2, unique=True)),
            "countries": draw(st.lists(st.sampled_from(countries), max_size=2, unique=True))
            if countries
            else [],
            **draw(
                st.one_of(
                    *[st.lists(spaces, min_size=1, max_size=3).map(lambda s: {"spaces": s})] * 4,
                    st.just({"green": True}),
                )
            ),
        }
        for number in range(draw(st.integers(3, 8)))
    ]


@st.composite
def links(draw: st.DrawFn, count: int) -> list[tuple[int, int]]:
    """Draw pairs of linked cities: all are connected, and there are at least three links."""
    tree = [(draw(st.integers(0, number - 1)), number) for number in range(1, count)]
    rest = [pair for pair in pairs_of(range(count), 2) if pair not in tree]
    fewest = max(0, 3 - len(tree))
    more = draw(st.lists(st.sampled_from(rest), unique=True, min_size=fewest, max_size=6))
    return tree + more


@st.composite
def boards(draw: st.DrawFn) -> Words:
    """Draw a small board on which a game can be played."""
    abroad = draw(st.booleans())
    countries = (HOME, ABROAD) if abroad else ()
    towns = draw(cities(countries))
    ids = [city["id"] for city in towns]
    joined = draw(links(len(towns)))
    taverns = draw(st.permutations(range(len(joined))))[:3]
    green = any(city.get("green") for city in towns)
    permanent = ["move-2-any", "develop-privilege", "place-2-from-route"]
    permanent += ["green-post"] * green + ["place-2-abroad"] * abroad
    routes: list[Words] = []
    for number, (one, other) in enumerate(joined):
        route: Words = {"ends": [ids[one], ids[other]], "points": draw(points)}
        if number in taverns:
            route["tavern"] = True
        else:
            route["permanent"] = draw(st.sampled_from((None, *permanent)))
        if abroad:
            free = HOME if number in taverns else draw(st.sampled_from(countries))
            route["country"] = free
        routes.append(route)
    special = draw(st.sampled_from(joined))
    words: Words = {
        "id": "generated",
        "title": "Generated",
        "players": {"min": 2, "max": 5},
        "cities": towns,
        "routes": routes,
        "east_west": {"ends": draw(st.permutations(ids))[:2], "prestige": draw(prestige)},
        "special_prestige": {
            "city": ids[special[0]],
            "routes": [f"{ids[special[0]]}--{ids[special[1]]}"],
            "spaces": [{"points": 7, "privilege": "white"}, {"points": 9, "privilege": "pink"}],
        },
        "completed_cities_limit": draw(st.integers(1, len(towns))),
        "neutral_start": draw(st.lists(st.sampled_from(ids), unique=True, max_size=3)),
        "favours": True,
        "missions": [ids[:3]] * 5,
    }
    if abroad:
        words["countries"] = {HOME: {"home": True}, ABROAD: {"prestige": draw(prestige)}}
        holder = draw(
            st.sampled_from([city["id"] for city in towns if not city.get("green")] or [""])
        )
        words["permits"] = {holder: [ABROAD]} if holder else {}
    return words


@st.composite
def games_on(draw: st.DrawFn, board: Board, max_turns: int) -> Ruleset:
    """Draw any rules that the board allows."""
    players, edition = draw(st.integers(2, 5)), draw(st.sampled_from(("bigbox", "original")))
    return make_ruleset(
        atlas.load_components(),
        board,
        players,
        edition=edition,
        missions=draw(st.booleans()),
        favours=draw(st.booleans()),
        neutral=draw(st.sampled_from(("2009", "britannia"))) if players == 2 else None,
        permits=bool(board.permits) and draw(st.booleans()),
        promos=edition == "bigbox" and draw(st.booleans()),
        max_turns=max_turns,
    )
