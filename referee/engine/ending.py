"""The end of the game and the final scoring (END-1, SCO-1 to SCO-4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from referee.engine import updates
from referee.engine.abilities import is_full, value
from referee.engine.control import controller
from referee.engine.network import largest
from referee.engine.state import GameState
from referee.engine.terms import (
    ABILITIES,
    ACTIONS,
    BY_CITIES,
    BY_MARKERS,
    BY_PRESTIGE,
    EV_GAME_OVER,
    EV_SCORED,
    GOES_ON,
    KEYS,
    PATRON,
    SCHOLAR,
    Seat,
    desk_index,
)
from referee.engine.variants import countries, missions

PARTS: Final = ("track", "abilities", "markers", "special", "cities", "network", "missions")


@dataclass(frozen=True)
class Standing:
    """One seat's rank and every part of its total."""

    seat: Seat
    rank: int
    total: int
    track: int
    abilities: int
    markers: int
    special: int
    cities: int
    network: int
    missions: int
    countries: tuple[int, ...]  # of the countries that give prestige, in the board's order

    @property
    def parts(self) -> tuple[int, ...]:
        """The total, followed by its parts."""
        return (
            self.total,
            self.track,
            self.abilities,
            self.markers,
            self.special,
            self.cities,
            self.network,
            self.missions,
            *self.countries,
        )

    def named_parts(self) -> dict[str, int]:
        """The points by the names in PARTS; those of countries are not among them."""
        return dict(zip(PARTS, self.parts[1:], strict=False))


def reason_to_end(state: GameState) -> int:
    """The first reason for the game to end that applies, or GOES_ON."""
    if max(state.prestige) >= state.rules.components.track_end:
        return BY_PRESTIGE
    if state.undrawn:
        return BY_MARKERS
    if state.completed_cities >= state.board.completed_cities_limit:
        return BY_CITIES
    return GOES_ON


def finish(state: GameState, reason: int) -> None:
    """End the game: no more decisions, and an event for each seat's total."""
    updates.close(state, reason)
    updates.emit(state, (EV_GAME_OVER, reason))
    for standing in standings(state):
        updates.emit(state, (EV_SCORED, standing.seat, *standing.parts))


def standings(state: GameState) -> list[Standing]:
    """By seat, as if the game ended now; seats that tie share a rank: 1, 1, 3."""
    controllers = [controller(state, city) for city in range(len(state.presence))]
    majorities = countries.majorities(state, controllers)
    scores = [_score(state, seat, controllers, majorities) for seat in range(state.rules.players)]
    keys = [_rank_key(state, seat, score) for seat, score in enumerate(scores)]
    return [
        _standing(seat, 1 + sum([other > keys[seat] for other in keys]), score)
        for seat, score in enumerate(scores)
    ]


def _standing(seat: Seat, rank: int, score: tuple[int, ...]) -> Standing:
    track, abilities, markers, special, cities, network, mission = score[:7]
    return Standing(
        seat=seat,
        rank=rank,
        total=sum(score),
        track=track,
        abilities=abilities,
        markers=markers,
        special=special,
        cities=cities,
        network=network,
        missions=mission,
        countries=score[7:],
    )


def _score(
    state: GameState, seat: Seat, controllers: list[Seat], majorities: list[list[int]]
) -> tuple[int, ...]:
    """The parts: track, abilities, markers, special, cities, network, missions, countries."""
    components = state.rules.components
    scholar, patron = state.favours[seat] >> SCHOLAR & 1, state.favours[seat] >> PATRON & 1
    full = sum([is_full(state, seat, a) for a in range(len(ABILITIES)) if a != KEYS])
    markers = len(state.markers[seat]) + len(state.used[seat]) + _laid(state, seat)
    special = zip(state.board.special_points, state.special, strict=True)
    return (
        state.prestige[seat],
        full * (components.ability_scholar if scholar else components.ability),
        components.marker_prestige[min(markers, len(components.marker_prestige) - 1)],
        sum([points for points, owner in special if owner == seat]),
        controllers.count(seat) * (components.city_patron if patron else components.city),
        largest(state, seat) * value(state, seat, KEYS),
        missions.score(state, seat, controllers),
        *[country[seat] for country in majorities],
    )


def _laid(state: GameState, seat: Seat) -> int:
    return sum([owner == seat for _, _, owner in state.laid])


def _rank_key(state: GameState, seat: Seat, score: tuple[int, ...]) -> tuple[int, ...]:
    """Larger is better: the total; then fewer steps of Actions, then the network (SCO-3)."""
    if not state.rules.tie_breaks:
        return (sum(score),)
    return (sum(score), -state.desk[desk_index(seat, ACTIONS)], score[5])
