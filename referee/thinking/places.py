"""Describes by numbers who is where: the part of a position that only networks of its own board know.

One row for each seat: its posts in every city, the cities that it controls, and for every route the part
of its points that the seat holds, and the part that others hold.
"""

from __future__ import annotations

from referee.engine.board import Board
from referee.engine.state import GameState
from referee.engine.terms import colour_of
from referee.thinking.cities import Cities


def place_names(board: Board) -> tuple[str, ...]:
    """What the numbers of `places` are, in their order."""
    return (
        *[f"posts {city}" for city in board.city_ids],
        *[f"controls {city}" for city in board.city_ids],
        *[f"own part {route}" for route in board.route_ids],
        *[f"others' part {route}" for route in board.route_ids],
    )


def places(state: GameState, cities: Cities) -> list[list[float]]:
    """By seat, the numbers with these names."""
    players, board = state.rules.players, state.board
    city_count, route_count = len(state.presence), len(state.free)
    rows = [[0.0] * (2 * city_count + 2 * route_count) for _ in range(players)]
    for city in range(city_count):
        if state.presence[city]:
            counts, holder = cities.counts[city], cities.controllers[city]
            for seat in range(players):
                rows[seat][city] = float(counts[seat])
            if 0 <= holder < players:
                rows[holder][city_count + city] = 1.0
    for route in range(route_count):
        if state.free[route] != board.all_free[route]:
            points = board.routes[route]
            part = 1.0 / len(points)
            for point in points:
                if state.points[point]:
                    colour = colour_of(state.points[point])
                    for seat in range(players):
                        at = 2 * city_count + route
                        rows[seat][at if seat == colour else at + route_count] += part
    return rows
