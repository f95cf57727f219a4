"""Missions: three cities, secret until the end (SET-6, SCO-4)."""

from __future__ import annotations

from referee.engine import updates
from referee.engine.hooks import Variant
from referee.engine.rng import Rng
from referee.engine.state import GameState
from referee.engine.terms import Seat


def deal(state: GameState, rng: Rng) -> None:
    """Deal one random mission card to each seat."""
    cards = rng.shuffled(tuple(range(len(state.board.missions))))
    updates.deal_missions(state, cards[: state.rules.players])


def score(state: GameState, seat: Seat, controllers: list[Seat]) -> int:
    """Points for posts in the card's cities, and more for controlling them all."""
    if not state.missions:
        return 0
    components = state.rules.components
    cities = state.board.missions[state.missions[seat]]
    posts = sum([state.presence[city] >> seat & 1 for city in cities])
    all_mine = all([controllers[city] == seat for city in cities])
    return posts * components.mission_city + (components.mission_all if all_mine else 0)


MISSIONS = Variant("missions", set_up=deal)
