"""Why a turn is better than another: the parts of the expected scores that differ most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from referee.analysis.evaluate import Worth
from referee.thinking.learnt_value import OUTPUTS

PARTS: Final = OUTPUTS[1:]  # of the score, in the order of `Worth.parts`
SMALL: Final = 0.3  # points: a smaller difference is not mentioned
_MOST: Final = 2  # parts in a sentence
_WORDS: Final = {
    "track": "on the track",
    "abilities": "for abilities",
    "markers": "for markers",
    "special": "from special prestige",
    "cities": "for the control of cities",
    "network": "for the network",
    "missions": "for missions",
    "countries": "for countries",
}


def parts_of(difference: Worth, seat: int) -> dict[str, float]:
    """By part of the score: how many points more the seat can expect."""
    return dict(zip(PARTS, map(float, difference.parts[seat]), strict=True))


def why(difference: Worth, seat: int, rival: int, names: Sequence[str]) -> str:
    """One sentence: what the seat gains by the better turn, and what its rival loses if that is more."""
    gains = _largest(parts_of(difference, seat))
    taken = {part: -points for part, points in parts_of(difference, rival).items()}
    losses = _largest(taken)
    if gains and (not losses or gains[0][1] >= losses[0][1]):
        return f"{names[seat]} can expect {_points(gains, 'more')}."
    if losses:
        own = f"; {names[seat]} itself {_points(gains, 'more')}" if gains else ""
        return f"{names[rival]}, the strongest rival, can expect {_points(losses, 'fewer')}{own}."
    more = 100 * float(difference.chances[seat])
    return (
        f"The expected points stay nearly the same, but the chance to come first is {more:.0f}"
        " percentage points higher."
    )


def _largest(points: Mapping[str, float]) -> list[tuple[str, float]]:
    """The largest differences, the largest first."""
    found = sorted(points.items(), key=lambda one: one[1], reverse=True)
    return [one for one in found[:_MOST] if one[1] >= SMALL]


def _points(parts: Sequence[tuple[str, float]], which: str) -> str:
    (first, points), *rest = parts
    text = f"{points:.1f} points {which} {_WORDS[first]}"
    return text + "".join(f" and {points:.1f} {_WORDS[part]}" for part, points in rest)
