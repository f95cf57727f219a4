"""Who controls a city, and who holds its rightmost post (CRE-2, BRI-2)."""

from __future__ import annotations

from referee.engine.state import GameState
from referee.engine.terms import NONE, CityId, Seat, Tradesman, colour_of


def posts_of(state: GameState, city: CityId) -> list[Tradesman]:
    """The posts of a city from left to right, the least valued first."""
    posts = list(state.additional[city])
    for space in state.board.spaces[city]:
        if state.posts[space]:
            posts.append(state.posts[space])
    posts += state.green[city]
    return posts


def controller(state: GameState, city: CityId) -> Seat:
    """The colour with the most posts; of tied ones the one furthest right. NONE in an empty city."""
    present = state.presence[city]
    if present & (present - 1) == 0:
        return present.bit_length() - 1
    counts = [0] * state.rules.colours
    best, most = NONE, 0
    # From the right: the first to reach a count has the better post of those who reach it.
    posts = posts_of(state, city)
    posts.reverse()
    for man in posts:
        counts[colour_of(man)] += 1
    for man in posts:
        colour = colour_of(man)
        if counts[colour] > most:
            best, most = colour, counts[colour]
    return best


def rightmost_holder(state: GameState, city: CityId) -> Seat:
    """The colour of the rightmost post; NONE in an empty city."""
    posts = posts_of(state, city)
    return colour_of(posts[-1]) if posts else NONE


def count_posts(state: GameState, city: CityId, colour: Seat) -> int:
    """How many posts of a city are this colour's."""
    if not state.presence[city] >> colour & 1:
        return 0
    return sum([colour_of(man) == colour for man in posts_of(state, city)])
