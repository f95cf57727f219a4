"""Every number that the thinking bots judge by, in prestige at the end of the game."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Weights:
    """What things are worth. `_turn` is for each turn that the seat will still have."""

    # How long the game goes on: the nearest of its ends decides.
    rounds: float = 12.0  # turns of a seat from a beginning to where an end is due, ...
    last_rounds: float = 2.0  # ... and those that it has even then

    # What a seat has.
    prestige: float = 1.2  # a point on the track; more than 1, since it brings the end nearer
    special: float = 1.15  # a point of special prestige
    post: float = 1.0  # a post, beside what it counts in the network
    loose_post: float = 0.2  # of a post in the network, for one apart from it
    growth_turn: float = 0.15  # posts by which the network grows
    control: float = 0.7  # of the prestige for control at the end
    open_city: float = 0.95  # of it, for each space that is still empty
    control_turn: float = 0.025  # for control, by each route of the city
    chain: float = 0.4  # of the prestige for the chain, as far as it is built
    country: float = 1.2  # a first post in a city of a country that gives prestige
    mission: float = 1.6  # a first post in a city of the mission
    marker: float = 0.6
    marker_turn: float = 0.15
    marker_prestige: float = 0.5  # of what the number of markers gives at the end
    uses: tuple[float, ...] = (1.5, 0.8, 2.5, 1.6, 2.6, 0.4, 0.6, 0.7, 0.6, 0.3)
    """What an unused marker can still do, by its number."""

    # The desk.
    action_turn: float = 0.9  # one action more
    half_step: float = 0.2  # of the next step, for a step that changes nothing yet
    privilege: float = 0.5
    privilege_turn: float = 0.18
    book: float = 0.3
    book_turn: float = 0.04
    bank: float = 0.3
    bank_turn: float = 0.14
    nearly_full: float = 1.2  # an ability that is one step away from being full
    step_trader: float = 0.2  # the tradesman that comes to the supply with a step

    # Tradesmen.
    supply: float = 0.4  # of an action, for as many as an income brings
    enough: int = 7  # more of them in the supply ...
    plenty: float = 0.3  # ... count this part
    merchant: float = 0.8  # more than a trader, wherever it is
    merchant_ready: float = 0.15  # still more in the supply
    short_of: int = 9  # with fewer tradesmen off posts and desk ...
    shortage: float = 0.12  # ... the square of the missing, times this, is lost

    # Routes, as far as they are held.
    progress: float = 1.5  # exponent: how much a route nearly held counts before one just begun
    blocked: float = 0.4  # of a point, for each other tradesman on the route
    to_come: float = 0.7  # of a reward for which a merchant is still in the supply ...
    far_off: float = 0.2  # ... or not even there
    horizon: float = 2.5  # turns before the end in which an unfinished route loses its worth

    # The turn, and the others.
    action_now: float = 0.8  # an action that is left
    others: float = 0.7  # of the mean of the others' worth, against one's own
    stolen: float = 0.4  # of a control that another loses
    victory: float = 10.0  # each seat that is left behind when the game ends


DEFAULT_WEIGHTS = Weights()
