"""A new post: coin, completed city, chain, and tributes (CRE-5 to CRE-8, EAST-3)."""

from __future__ import annotations

from referee.engine import updates
from referee.engine.network import links_chain
from referee.engine.state import GameState
from referee.engine.terms import (
    BY_COIN,
    BY_EAST_WEST,
    EMPTY,
    IN_GREEN_CITY,
    NONE,
    ON_SPACE,
    CityId,
    Kind,
    PointId,
    Seat,
    SpaceId,
    Tradesman,
    colour_of,
    tradesman,
)


def leftmost_empty(state: GameState, city: CityId) -> SpaceId:
    """The space that the next post takes; NONE when there is none."""
    for space in state.board.spaces[city]:
        if state.posts[space] == EMPTY:
            return space
    return NONE


def has_empty_space(state: GameState, city: CityId) -> bool:
    """Whether a space is empty; an empty green city counts as one (BON-2, EAST-3)."""
    if state.board.green[city]:
        return not state.presence[city]
    return leftmost_empty(state, city) != NONE


def establish(state: GameState, man: Tradesman, city: CityId, where: int, space: SpaceId) -> None:
    """Put the post and score what it earns; tributes are paid later, after tradesmen are returned."""
    colour = colour_of(man)
    had_empty_space = has_empty_space(state, city)
    updates.put_post(state, man, city, where, space)
    if where == ON_SPACE and state.board.space_coin[space]:
        updates.score(state, colour, state.board.space_coin[space], BY_COIN, city)
    if had_empty_space and not has_empty_space(state, city):
        updates.complete_city(state, city)
    _score_chain(state, colour, city)


def establish_green(state: GameState, seat: Seat, kind: Kind, city: CityId) -> None:
    """A tradesman of the supply becomes a post right of all others of a green city (EAST-7)."""
    updates.leave_supply(state, seat, kind)
    establish(state, tradesman(seat, kind), city, IN_GREEN_CITY, NONE)
    settle_tribute(state, city)


def _score_chain(state: GameState, colour: Seat, city: CityId) -> None:
    """The first few colours to link the red-bannered cities score for it (CRE-8)."""
    done, prestige = state.east_west, state.board.chain_prestige
    if len(done) == len(prestige) or colour in done or not _takes_part(state, colour):
        return
    if links_chain(state, colour):
        updates.list_chain(state, colour)
        updates.score(state, colour, prestige[len(done)], BY_EAST_WEST, city)


def _takes_part(state: GameState, colour: Seat) -> bool:
    return colour < state.rules.players or state.rules.neutral_scores


def settle_tribute(state: GameState, city: CityId, created: PointId = NONE) -> bool:
    """Pay the tributes for a post in this city, once the route is cleared.

    Return whether an owner is asked. Then the permanent marker of the route that begins with the
    point `created` follows after the answer; otherwise it is left to the caller.
    """
    return any([hook(state, city, created) for hook in state.hooks.post_established])
