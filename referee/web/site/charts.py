"""Charts of ratings as SVG: interval bars on one scale, and curves of ratings over time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from referee.tournament.ratings.scale import RatingInterval, RatingRange
from referee.web.site.html import Html, joined, number, tag
from referee.web.site.statistics import CurvePoint

TINTS: Final = 8  # colours that are easy to tell apart; the CSS classes b0, b1, ...
_BAR: Final = (260, 22)
_MIDDLE: Final = 11
_MARGIN: Final = 8
_CURVE: Final = (960, 340)
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 16, 12, 36
_STEPS: Final = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10000)


class Scale(NamedTuple):
    """Maps values from `low` to `high` to coordinates from `begin` to `end`."""

    low: float
    high: float
    begin: float
    end: float

    def at(self, value: float) -> float:
        """The coordinate of a value; that of a value outside the scale is outside, too."""
        share = (value - self.low) / (self.high - self.low)
        return round(self.begin + share * (self.end - self.begin), 1)

    def ticks(self, about: int) -> list[float]:
        """Round values on the scale, at most about this many."""
        span = self.high - self.low
        step = next((step for step in _STEPS if span / step <= about), _STEPS[-1])
        first = -(-self.low // step) * step
        return [first + step * n for n in range(int((self.high - first) // step) + 1)]


def scale_of(span: RatingRange, begin: float, end: float) -> Scale:
    """A scale that is a little wider than a range."""
    margin = max((span.high - span.low) * 0.04, 5.0)
    return Scale(span.low - margin, span.high + margin, begin, end)


class Bars:
    """Interval bars on one scale, so that they can be compared; a dashed line marks `zero`.

    A bar that leaves the scale has an arrow there: one hopeless bot does not flatten the others.
    """

    def __init__(self, intervals: Sequence[RatingInterval], zero: float) -> None:
        width, _ = _BAR
        self._zero = zero
        self._span = RatingRange.of(intervals or [RatingInterval(zero, None, None)])
        self._scale = scale_of(self._span, _MARGIN, width - _MARGIN)

    def axis(self) -> Html:
        """The values on the scale, for the head of the column."""
        labels = (
            tag("text", number(value), x=self._scale.at(value), y=14, class_="tick")
            for value in self._scale.ticks(4)
        )
        return _svg(_BAR, "bar axis", None, *labels)

    def bar(self, interval: RatingInterval) -> Html:
        parts = [*self._zero_line(), *self._line(interval), self._dot(interval.rating)]
        if interval.low is None or interval.high is None:
            return _svg(_BAR, "bar", f"{interval.rating:.0f}, no interval yet", *parts)
        label = f"{interval.rating:.0f}, from {interval.low:.0f} to {interval.high:.0f}"
        return _svg(_BAR, "bar", label, *parts)

    def _zero_line(self) -> Iterator[Html]:
        if self._scale.low <= self._zero <= self._scale.high:
            yield tag("path", d=f"M{self._scale.at(self._zero)} 0V{_BAR[1]}", class_="zero")

    def _line(self, interval: RatingInterval) -> Iterator[Html]:
        """The line from end to end, with a small bar at each end that is on the scale."""
        low, high = interval.ends
        if low == high:
            return
        ends = "".join(
            f"M{self._scale.at(end)} 6V16" for end in (low, high) if self._span.contains(end)
        )
        shape = f"M{self._inside(low)} {_MIDDLE}H{self._inside(high)}{ends}"
        yield tag("path", d=shape, class_="reach")
        for end in (low, high):
            if not self._span.contains(end) and self._span.contains(interval.rating):
                yield self._arrow(end)

    def _dot(self, rating: float) -> Html:
        if not self._span.contains(rating):
            return self._arrow(rating)
        return tag("circle", cx=self._scale.at(rating), cy=_MIDDLE, r=4, class_="dot")

    def _arrow(self, value: float) -> Html:
        """A triangle at the end of the scale that points to a value outside of it."""
        tip = self._inside(value)
        back = tip + (7 if value < self._span.low else -7)
        return tag("path", d=f"M{tip} {_MIDDLE}L{back} {_MIDDLE - 5}V{_MIDDLE + 5}Z", class_="dot")

    def _inside(self, value: float) -> float:
        """The coordinate of a value, or of the nearer end of the scale."""
        low, high = self._scale.at(self._scale.low), self._scale.at(self._scale.high)
        return min(max(self._scale.at(value), low), high)


def curve_chart(points: Sequence[CurvePoint], bots: Sequence[str]) -> Html:
    """The ratings of some bots after more and more blocks, with bands for the intervals."""
    wide, high = _CURVE
    x = Scale(0, max(point.blocks for point in points), _LEFT, wide - _RIGHT)
    span = RatingRange.of([_extent(points, bot) for bot in bots])
    y = scale_of(span, high - _BOTTOM, _TOP)
    bands = [_band(points, bot, x, y, tint) for tint, bot in enumerate(bots)]
    lines = [_line(points, bot, x, y, tint) for tint, bot in enumerate(bots)]
    label = "Ratings over time; the standings table has the newest ones"
    return _svg(_CURVE, "curve", label, *_grid(x, y), _frame(*bands, *lines))


def _extent(points: Sequence[CurvePoint], bot: str) -> RatingInterval:
    """The last rating of a bot, between its lowest and its highest.

    The wide intervals and the first ratings, which have no interval yet, may leave the chart.
    """
    rated = [point.ratings[bot] for point in points if bot in point.ratings]
    known = [interval for interval in rated if interval.low is not None] or rated
    low, high = known[-1].ends
    ratings = [interval.rating for interval in known]
    return RatingInterval(rated[-1].rating, min(low, *ratings), max(high, *ratings))


def _frame(*children: Html) -> Html:
    """The area of the curves: what is outside is not visible."""
    wide, high = _CURVE[0] - _LEFT - _RIGHT, _CURVE[1] - _TOP - _BOTTOM
    place = {"x": _LEFT, "y": _TOP, "width": wide, "height": high}
    return tag("svg", *children, viewBox=f"{_LEFT} {_TOP} {wide} {high}", **place)


def legend(bots: Sequence[Html]) -> Html:
    """A list of bots, each with its colour in the chart."""
    return tag(
        "ul",
        *(tag("li", tag("i", class_=f"b{n % TINTS}"), bot) for n, bot in enumerate(bots)),
        class_="legend",
    )


def _grid(x: Scale, y: Scale) -> Iterator[Html]:
    for value in y.ticks(6):
        yield tag("path", d=f"M{x.begin} {y.at(value)}H{x.end}", class_="grid")
        yield tag("text", number(value), x=_LEFT - 8, y=y.at(value) + 4, class_="tick end")
    for value in x.ticks(10):
        yield tag("text", number(value), x=x.at(value), y=y.begin + 24, class_="tick")
    yield tag("text", "blocks", x=x.begin - 8, y=y.begin + 24, class_="tick end")


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
