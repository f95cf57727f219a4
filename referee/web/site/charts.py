"""Drawings of ratings as SVG: interval bars on one scale, and ratings as they grew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from referee.web.site.html import Html, joined, number, tag
from referee.web.site.statistics import CurvePoint, RatingInterval

TINTS: Final = 8  # colours that can be distinguished: b0, b1, ... in the style
_BAR: Final = (260, 22)
_MARGIN: Final = 8
_CURVE: Final = (960, 340)
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 12, 10, 28
_STEPS: Final = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10000)


class Scale(NamedTuple):
    """Values from `low` to `high`, from `begin` to `end` of a drawing."""

    low: float
    high: float
    begin: float
    end: float

    def at(self, value: float) -> float:
        """Where a value is; one that is off the scale is at its end."""
        inside = min(max(value, self.low), self.high)
        share = (inside - self.low) / (self.high - self.low)
        return round(self.begin + share * (self.end - self.begin), 1)

    def ticks(self, about: int) -> list[float]:
        """Round values, about so many."""
        step = next((one for one in _STEPS if (self.high - self.low) / one <= about), _STEPS[-1])
        first = -(-self.low // step) * step
        return [first + step * n for n in range(int((self.high - first) // step) + 1)]


def scale_of(spreads: Iterable[RatingInterval], begin: float, end: float) -> Scale:
    """A scale on which all of these are seen."""
    seen = [one for spread in spreads for one in spread if one is not None]
    low, high = min(seen, default=0.0), max(seen, default=0.0)
    margin = max((high - low) * 0.04, 5.0)
    return Scale(low - margin, high + margin, begin, end)


class Bars:
    """Interval bars that can be compared: all on one scale."""

    def __init__(self, spreads: Sequence[RatingInterval], zero: float) -> None:
        width, _ = _BAR
        self._zero = zero
        kept = [*spreads, RatingInterval(zero, None, None)]
        self._scale = scale_of(kept, _MARGIN, width - _MARGIN)

    def axis(self) -> Html:
        """The scale, for the head of the column."""
        labels = (
            tag("text", number(value), x=self._scale.at(value), y=14, class_="tick")
            for value in self._scale.ticks(4)
        )
        return _svg(_BAR, "bar axis", None, *labels)

    def bar(self, spread: RatingInterval) -> Html:
        """One rating and its interval."""
        x, middle = self._scale.at, _BAR[1] / 2
        zero = tag("path", d=f"M{x(self._zero)} 0V{_BAR[1]}", class_="zero")
        dot = tag("circle", cx=x(spread.rating), cy=middle, r=4, class_="dot")
        if spread.low is None or spread.high is None:
            return _svg(_BAR, "bar", f"{spread.rating:.0f}, no interval", zero, dot)
        ends = f"M{x(spread.low)} 6V16M{x(spread.high)} 6V16"
        line = tag("path", d=f"M{x(spread.low)} {middle}H{x(spread.high)}{ends}", class_="reach")
        words = f"{spread.rating:.0f}, from {spread.low:.0f} to {spread.high:.0f}"
        return _svg(_BAR, "bar", words, zero, line, dot)


def curve_chart(points: Sequence[CurvePoint], bots: Sequence[str]) -> Html:
    """The ratings of some bots after growing numbers of blocks, with bands for the intervals."""
    wide, high = _CURVE
    x = Scale(0, max(point.blocks for point in points), _LEFT, wide - _RIGHT)
    y = scale_of(_in_sight(points, bots), high - _BOTTOM, _TOP)
    bands = [_band(points, bot, x, y, tint) for tint, bot in enumerate(bots)]
    lines = [_line(points, bot, x, y, tint) for tint, bot in enumerate(bots)]
    words = "Ratings after growing numbers of blocks; the standings have the last of them"
    return _svg(_CURVE, "curve", words, *_grid(x, y), *bands, *lines)


def legend(bots: Sequence[Html]) -> Html:
    """The legend: the colour of each bot."""
    return tag(
        "ul",
        *(tag("li", tag("i", class_=f"b{n % TINTS}"), bot) for n, bot in enumerate(bots)),
        class_="legend",
    )


def _in_sight(points: Sequence[CurvePoint], bots: Sequence[str]) -> Iterator[RatingInterval]:
    """What must be seen: the later half with intervals; the wide bands of the beginning may be cut."""
    for number_, point in enumerate(points):
        for bot in bots:
            spread = point.ratings.get(bot)
            if spread is not None and 2 * number_ >= len(points) - 1:
                yield spread


def _grid(x: Scale, y: Scale) -> Iterator[Html]:
    for value in y.ticks(6):
        yield tag("path", d=f"M{x.begin} {y.at(value)}H{x.end}", class_="grid")
        yield tag("text", number(value), x=_LEFT - 8, y=y.at(value) + 4, class_="tick end")
    for value in x.ticks(10):
        yield tag("text", number(value), x=x.at(value), y=y.begin + 19, class_="tick")
    yield tag("text", "blocks", x=x.begin - 8, y=y.begin + 19, class_="tick end")


def _line(points: Sequence[CurvePoint], bot: str, x: Scale, y: Scale, tint: int) -> Html:
    seen = [(point.blocks, point.ratings[bot]) for point in points if bot in point.ratings]
    path = "L".join(f"{x.at(blocks)} {y.at(spread.rating)}" for blocks, spread in seen)
    if len(seen) == 1:
        path += f"L{x.end} {y.at(seen[0][1].rating)}"  # a single point would not be seen
    return tag("path", tag("title", bot), d=f"M{path}", class_=f"line b{tint % TINTS}")


def _band(points: Sequence[CurvePoint], bot: str, x: Scale, y: Scale, tint: int) -> Html:
    """The intervals; where there is none there is no band."""
    runs = groupby(points, key=lambda point: _ends(point, bot) is not None)
    shapes = [_shape([*run], bot, x, y) for has_ends, run in runs if has_ends]
    return joined(tag("path", d=shape, class_=f"band b{tint % TINTS}") for shape in shapes)


def _shape(run: Sequence[CurvePoint], bot: str, x: Scale, y: Scale) -> str:
    found = [(x.at(point.blocks), ends) for point in run if (ends := _ends(point, bot))]
    above = [f"{place} {y.at(high)}" for place, (_, high) in found]
    below = [f"{place} {y.at(low)}" for place, (low, _) in reversed(found)]
    return f"M{'L'.join([*above, *below])}Z"


def _ends(point: CurvePoint, bot: str) -> tuple[float, float] | None:
    spread = point.ratings.get(bot)
    if spread is None or spread.low is None or spread.high is None:
        return None
    return spread.low, spread.high


def _svg(size: tuple[int, int], kind: str, words: str | None, *children: Html) -> Html:
    hidden = {"aria_hidden": "true"} if words is None else {"role": "img", "aria_label": words}
    return tag("svg", *children, viewBox=f"0 0 {size[0]} {size[1]}", class_=kind, **hidden)
