"""Charts of ratings as SVG: interval bars on one scale, and curves of ratings over time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from referee.web.site.html import Html, joined, number, tag
from referee.web.site.statistics import CurvePoint, RatingInterval

TINTS: Final = 8  # colours that are easy to tell apart; the CSS classes b0, b1, ...
_BAR: Final = (260, 22)
_MARGIN: Final = 8
_CURVE: Final = (960, 340)
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 12, 10, 28
_STEPS: Final = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10000)


class Scale(NamedTuple):
    """Maps values from `low` to `high` to coordinates from `begin` to `end`."""

    low: float
    high: float
    begin: float
    end: float

    def at(self, value: float) -> float:
        """The coordinate of a value; a value outside the scale gets that of the nearer end."""
        inside = min(max(value, self.low), self.high)
        share = (inside - self.low) / (self.high - self.low)
        return round(self.begin + share * (self.end - self.begin), 1)

    def ticks(self, about: int) -> list[float]:
        """Round values on the scale, at most about this many."""
        span = self.high - self.low
        step = next((step for step in _STEPS if span / step <= about), _STEPS[-1])
        first = -(-self.low // step) * step
        return [first + step * n for n in range(int((self.high - first) // step) + 1)]


def scale_of(intervals: Iterable[RatingInterval], begin: float, end: float) -> Scale:
    """A scale that is wide enough for all these intervals."""
    values = [value for interval in intervals for value in interval if value is not None]
    low, high = min(values, default=0.0), max(values, default=0.0)
    margin = max((high - low) * 0.04, 5.0)
    return Scale(low - margin, high + margin, begin, end)


class Bars:
    """Interval bars on one scale, so that they can be compared; a dashed line marks `zero`."""

    def __init__(self, intervals: Sequence[RatingInterval], zero: float) -> None:
        width, _ = _BAR
        self._zero = zero
        shown = [*intervals, RatingInterval(zero, None, None)]
        self._scale = scale_of(shown, _MARGIN, width - _MARGIN)

    def axis(self) -> Html:
        """The values on the scale, for the head of the column."""
        labels = (
            tag("text", number(value), x=self._scale.at(value), y=14, class_="tick")
            for value in self._scale.ticks(4)
        )
        return _svg(_BAR, "bar axis", None, *labels)

    def bar(self, interval: RatingInterval) -> Html:
        x, middle = self._scale.at, _BAR[1] / 2
        zero = tag("path", d=f"M{x(self._zero)} 0V{_BAR[1]}", class_="zero")
        dot = tag("circle", cx=x(interval.rating), cy=middle, r=4, class_="dot")
        if interval.low is None or interval.high is None:
            return _svg(_BAR, "bar", f"{interval.rating:.0f}, no interval yet", zero, dot)
        ends = f"M{x(interval.low)} 6V16M{x(interval.high)} 6V16"
        line = tag(
            "path", d=f"M{x(interval.low)} {middle}H{x(interval.high)}{ends}", class_="reach"
        )
        label = f"{interval.rating:.0f}, from {interval.low:.0f} to {interval.high:.0f}"
        return _svg(_BAR, "bar", label, zero, line, dot)


def curve_chart(points: Sequence[CurvePoint], bots: Sequence[str]) -> Html:
    """The ratings of some bots after more and more blocks, with bands for the intervals."""
    wide, high = _CURVE
    x = Scale(0, max(point.blocks for point in points), _LEFT, wide - _RIGHT)
    y = scale_of(_scaled_intervals(points, bots), high - _BOTTOM, _TOP)
    bands = [_band(points, bot, x, y, tint) for tint, bot in enumerate(bots)]
    lines = [_line(points, bot, x, y, tint) for tint, bot in enumerate(bots)]
    label = "Ratings over time; the standings table has the newest ones"
    return _svg(_CURVE, "curve", label, *_grid(x, y), *bands, *lines)


def legend(bots: Sequence[Html]) -> Html:
    """A list of bots, each with its colour in the chart."""
    return tag(
        "ul",
        *(tag("li", tag("i", class_=f"b{n % TINTS}"), bot) for n, bot in enumerate(bots)),
        class_="legend",
    )


def _scaled_intervals(
    points: Sequence[CurvePoint], bots: Sequence[str]
) -> Iterator[RatingInterval]:
    """The intervals of the later half; the wide bands at the beginning may be cut off."""
    for at, point in enumerate(points):
        for bot in bots:
            interval = point.ratings.get(bot)
            if interval is not None and 2 * at >= len(points) - 1:
                yield interval


def _grid(x: Scale, y: Scale) -> Iterator[Html]:
    for value in y.ticks(6):
        yield tag("path", d=f"M{x.begin} {y.at(value)}H{x.end}", class_="grid")
        yield tag("text", number(value), x=_LEFT - 8, y=y.at(value) + 4, class_="tick end")
    for value in x.ticks(10):
        yield tag("text", number(value), x=x.at(value), y=y.begin + 19, class_="tick")
    yield tag("text", "blocks", x=x.begin - 8, y=y.begin + 19, class_="tick end")


def _line(points: Sequence[CurvePoint], bot: str, x: Scale, y: Scale, tint: int) -> Html:
    rated = [(point.blocks, point.ratings[bot]) for point in points if bot in point.ratings]
    path = "L".join(f"{x.at(blocks)} {y.at(interval.rating)}" for blocks, interval in rated)
    if len(rated) == 1:
        path += f"L{x.end} {y.at(rated[0][1].rating)}"  # a single point would not be visible
    return tag("path", tag("title", bot), d=f"M{path}", class_=f"line b{tint % TINTS}")


def _band(points: Sequence[CurvePoint], bot: str, x: Scale, y: Scale, tint: int) -> Html:
    """The area between the ends of the intervals; points without an interval have no band."""
    runs = groupby(points, key=lambda point: _ends(point, bot) is not None)
    shapes = [_shape([*run], bot, x, y) for has_ends, run in runs if has_ends]
    return joined(tag("path", d=shape, class_=f"band b{tint % TINTS}") for shape in shapes)


def _shape(run: Sequence[CurvePoint], bot: str, x: Scale, y: Scale) -> str:
    found = [(x.at(point.blocks), ends) for point in run if (ends := _ends(point, bot))]
    above = [f"{place} {y.at(high)}" for place, (_, high) in found]
    below = [f"{place} {y.at(low)}" for place, (low, _) in reversed(found)]
    return f"M{'L'.join([*above, *below])}Z"


def _ends(point: CurvePoint, bot: str) -> tuple[float, float] | None:
    interval = point.ratings.get(bot)
    if interval is None or interval.low is None or interval.high is None:
        return None
    return interval.low, interval.high


def _svg(size: tuple[int, int], css_class: str, label: str | None, *children: Html) -> Html:
    """A drawing; screen readers read its label, and skip it if it has none."""
    aria = {"aria_hidden": "true"} if label is None else {"role": "img", "aria_label": label}
    return tag("svg", *children, viewBox=f"0 0 {size[0]} {size[1]}", class_=css_class, **aria)
