"""A canvas of characters: lines of dots, signs above them, labels placed where they hide least."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

Place: TypeAlias = tuple[int, int]  # column and row


class Cell(NamedTuple):
    sign: str
    style: str = ""


class Row(NamedTuple):
    """Cells next to each other, from a place to the right."""

    column: int
    row: int
    cells: tuple[Cell, ...]

    def places(self) -> list[Place]:
        return [(self.column + at, self.row) for at in range(len(self.cells))]


Label: TypeAlias = tuple[Row, ...]

_BLANK: Final = Cell(" ")

# The dots of a braille sign, by row and column within it.
_DOTS: Final = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
_BRAILLE: Final = 0x2800


@dataclass
class Canvas:
    """Rows of cells; later signs hide earlier ones, and signs hide lines."""

    columns: int
    rows: int
    plain: bool = False  # ASCII only
    cells: dict[Place, Cell] = field(default_factory=dict)
    dots: dict[Place, int] = field(default_factory=dict)
    styles: dict[Place, str] = field(default_factory=dict)

    def at(self, x: float, y: float) -> Place:
        """Return the place of x and y, which are thousandths of the width and height."""
        return round(x * (self.columns - 1) / 1000), round(y * (self.rows - 1) / 1000)

    def write(self, row: Row) -> None:
        """Write a row of cells; cells outside the canvas are dropped."""
        for place, cell in zip(row.places(), row.cells, strict=True):
            if 0 <= place[0] < self.columns and 0 <= place[1] < self.rows:
                self.cells[place] = cell

    def line(self, first: Place, last: Place, style: str, every: int = 1) -> None:
        """Draw a line between two places with every Nth of its dots."""
        x, y = 2 * first[0] + 1, 4 * first[1] + 2
        wide, high = 2 * (last[0] - first[0]), 4 * (last[1] - first[1])
        steps = max(abs(wide), abs(high), 1)
        for step in range(0, steps + 1, every):
            self._dot(x + round(wide * step / steps), y + round(high * step / steps), style)

    def _dot(self, x: int, y: int, style: str) -> None:
        place = (x // 2, y // 4)
        self.dots[place] = self.dots.get(place, 0) | _DOTS[y % 4][x % 2]
        self.styles[place] = style

    def lines(self) -> Iterator[list[Cell]]:
        """Yield the rows from the top, each as its cells."""
        for row in range(self.rows):
            yield [self._cell((column, row)) for column in range(self.columns)]

    def _cell(self, place: Place) -> Cell:
        if place in self.cells:
            return self.cells[place]
        if place in self.dots:
            sign = "." if self.plain else chr(_BRAILLE + self.dots[place])
            return Cell(sign, self.styles[place])
        return _BLANK


def text_cells(text: str, style: str = "") -> tuple[Cell, ...]:
    """Return a text as cells; a wide letter fills two, a combining accent none."""
    cells: list[Cell] = []
    for sign in text:
        if unicodedata.combining(sign) and cells:
            cells[-1] = Cell(cells[-1].sign + sign, style)
        else:
            cells.append(Cell(sign, style))
            if unicodedata.east_asian_width(sign) in ("W", "F"):
                cells.append(Cell("", style))
    return tuple(cells)


# --- labels -----------------------------------------------------------------------------------

HIDES_SIGN: Final = 30.0
HIDES_LINE: Final = 0.4
OFF_CANVAS: Final = 200.0


# The name below, above, right and left of the spaces, and what each of these costs.
_SIDES: Final = (0.0, 0.3, 0.8, 0.9)
# The cost of a distance, how far down and across it is, and the side of the name; the nearest first.
_STEPS: Final = sorted(
    (
        (1.5 * abs(down) + 0.5 * abs(across) + more, down, across, side)
        for down in (0, -1, 1, -2, 2)
        for across in range(-7, 8)
        for side, more in enumerate(_SIDES)
    ),
    key=lambda step: step[0],
)


def label_ways(
    place: Place, name: tuple[Cell, ...], strip: tuple[Cell, ...]
) -> Iterator[tuple[float, Label]]:
    """Yield ways to write a name and its spaces near a place, the nearest first.

    Each comes with the cost of its distance.
    """
    for far, down, across, side in _STEPS:
        column, row = place[0] + across, place[1] + down
        left = column - len(strip) // 2
        over = column - len(name) // 2
        at = (
            (over, row + 1),
            (over, row - 1),
            (left + len(strip) + 1, row),
            (left - len(name) - 1, row),
        )[side]
        yield far, (Row(left, row, strip), Row(*at, name))


def place_label(canvas: Canvas, ways: Iterable[tuple[float, Label]], taken: set[Place]) -> Label:
    """Return the cheapest of the ways, which come nearest first: it hides and touches least."""
    best, found = math.inf, None
    # The distance is a lower bound of the cost, so most ways are never tried.
    for far, label in ways:
        if far >= best:
            break
        cost = far + sum(_row_cost(canvas, row, taken) for row in label)
        if cost < best:
            best, found = cost, label
    assert found is not None, "no way to place the label was given"
    return found


def _row_cost(canvas: Canvas, row: Row, taken: set[Place]) -> float:
    places = row.places()
    end = row.column + len(places)
    before, after = (row.column - 1, row.row), (end, row.row)
    cost = HIDES_SIGN * sum(map(taken.__contains__, places))
    cost += 4 * ((before in taken) + (after in taken))
    cost += HIDES_LINE * sum(map(canvas.dots.__contains__, places))
    inside = min(end, canvas.columns) - max(row.column, 0) if 0 <= row.row < canvas.rows else 0
    return cost + OFF_CANVAS * (len(places) - max(inside, 0))


def write_label(canvas: Canvas, label: Sequence[Row], taken: set[Place]) -> None:
    """Write a label, and add its places to `taken`."""
    for row in label:
        canvas.write(row)
        taken.update(row.places())
