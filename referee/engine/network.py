"""Networks: cities linked by routes, with posts of one colour in each (CRE-8, SCO-2)."""

from __future__ import annotations

from referee.engine.control import count_posts
from referee.engine.state import GameState
from referee.engine.terms import CityId, Seat


def group_of(state: GameState, colour: Seat, city: CityId) -> set[CityId]:
    """The cities linked to this one by posts of the colour, which has a post here."""
    group = {city}
    frontier = [city]
    while frontier:
        for near in state.board.neighbours[frontier.pop()]:
            if near not in group and state.presence[near] >> colour & 1:
                group.add(near)
                frontier.append(near)
    return group


def links_chain(state: GameState, colour: Seat) -> bool:
    """Whether a chain of the colour's posts joins the two red-bannered cities."""
    one, other = state.board.chain_ends
    bit = 1 << colour
    if not (state.presence[one] & bit and state.presence[other] & bit):
        return False
    return other in group_of(state, colour, one)


def largest(state: GameState, colour: Seat) -> int:
    """The number of posts in the group that has the most."""
    most = 0
    met: set[CityId] = set()
    for city, present in enumerate(state.presence):
        if present >> colour & 1 and city not in met:
            group = group_of(state, colour, city)
            met |= group
            most = max(most, sum([count_posts(state, near, colour) for near in group]))
    return most
