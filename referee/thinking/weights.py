"""Every number of the evaluation, in points of prestige at the end of the game."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from math import exp
from random import Random
from typing import Any, Final


@dataclass(frozen=True)
class Weights:
    """What things are worth. Names with `_turn` count per turn that the seat will still have."""

    # How long the game will last: the nearest of its ends decides.
    rounds: float = 12.0  # a seat's turns from the start until one of the ends is reached, ...
    last_rounds: float = 2.0  # ... and those that it still has then

    # What a seat has.
    prestige: float = 1.2  # a point on the track; more than 1, because it brings the end nearer
    special: float = 1.15  # a point of special prestige
    post: float = 1.0  # a post, in addition to what it counts in the network
    loose_post: float = 0.2  # of a post in the largest network, for a post outside it
    growth_turn: float = 0.15  # posts that the network will still gain
    control: float = 0.7  # of the prestige for control at the end
    open_city: float = 0.95  # factor for each space that is still empty
    control_turn: float = 0.025  # for control, per route of the city
    chain: float = 0.4  # of the prestige for the chain, for the part that is built
    country: float = 1.2  # a first post in a city of a country that gives prestige
    mission: float = 1.6  # a first post in a city of the mission
    marker: float = 0.6
    marker_turn: float = 0.15
    marker_prestige: float = 0.5  # of the prestige for the number of markers at the end
    uses: tuple[float, ...] = (1.5, 0.8, 2.5, 1.6, 2.6, 0.4, 0.6, 0.7, 0.6, 0.3)
    """What using a marker is worth, by the number of its kind."""

    # The desk.
    action_turn: float = 0.9  # one more action
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
    supply: float = 0.4  # of an action, for as many tradesmen as one income brings
    enough: int = 7  # tradesmen in the supply; more of them ...
    plenty: float = 0.3  # ... count only this much each
    merchant: float = 0.8  # added for a merchant instead of a trader, wherever it is
    merchant_ready: float = 0.15  # added again if it is in the supply
    short_of: int = 9  # with fewer tradesmen apart from those on posts and desk ...
    shortage: float = 0.12  # ... the seat loses this, times the square of how many are missing

    # Routes that a seat is filling.
    progress: float = 1.5  # exponent: the higher, the less a route counts that was just begun
    blocked: float = 0.4  # of a point, for each tradesman of another seat on the route
    to_come: float = 0.7  # of a reward that needs a merchant, if one is in the supply ...
    far_off: float = 0.2  # ... and if none is
    horizon: float = 2.5  # turns before the end during which unfinished routes lose their value

    # The turn, and the other seats.
    action_now: float = 0.8  # an action that is left
    others: float = 0.7  # of the mean value of the other seats, which is subtracted
    stolen: float = 0.4  # of the value of control, if another seat loses it
    victory: float = 10.0  # for each seat with a worse rank when the game ends


DEFAULT_WEIGHTS = Weights()

_NOT_VARIED: Final = ("rounds", "last_rounds", "open_city")  # how long a game is, and a share


def varied(weights: Weights, number: int, spread: float) -> Weights:
    """Weights as another player might have them; the same number gives the same ones.

    `spread` is the standard deviation of their logarithms.
    """
    rng = Random(number)
    named: dict[str, Any] = {
        name: value * exp(rng.gauss(0.0, spread))
        for name, value in asdict(weights).items()
        if isinstance(value, float) and name not in _NOT_VARIED
    }
    uses = tuple([value * exp(rng.gauss(0.0, spread)) for value in weights.uses])
    return replace(weights, **named, uses=uses)
