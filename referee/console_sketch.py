"""A board drawn again and again while a game goes on: names keep their places, and what is new stands out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from rich.segment import Segment
from rich.style import Style

from protocol.words import State
from referee.console_board import MOST_ROWS, STRETCH, Pen, board_signs, draw_routes
from referee.console_canvas import (
    Canvas,
    Cell,
    Label,
    Place,
    Row,
    label_ways,
    place_label,
)
from referee.engine.board import BoardWords, CityWords, RouteWords
from referee.replay.highlights import Highlights

Line: TypeAlias = list[Segment]
Size: TypeAlias = tuple[int, int]  # columns and rows

NARROWEST: Final = 60
NARROW: Final = 80  # a board is not made narrower than that to keep its shape
LOWEST: Final = 16
FLATTEST: Final = 0.5  # of its true height; below that a part of it is shown
FLAT: Final = 0.8  # rather narrower than flatter
MARKER: Final = 2  # cells that a marker takes


class Shape(NamedTuple):
    """How large a board is drawn, and how many of its rows can be seen at once."""

    size: Size
    room: int


def shape_for(aspect: float, columns: int, rows: int, *, true: bool = False) -> Shape:
    """The board in so much room: as flat as must be, narrower before that, but a part if it cannot be."""
    if true:
        wide = max(min(columns, int(MOST_ROWS * 2 * aspect / STRETCH)), NARROWEST)
        return Shape((wide, _true_rows(aspect, wide)), rows)
    fitting = int(rows * 2 * aspect / STRETCH / FLAT)
    wide = max(min(columns, max(fitting, NARROW)), NARROWEST)
    high = _true_rows(aspect, wide)
    lowest = max(round(high * FLATTEST), LOWEST)
    return Shape((wide, max(min(high, rows), lowest)), rows)


def _true_rows(aspect: float, columns: int) -> int:
    return max(round(columns / aspect / 2 * STRETCH), LOWEST)


class LitPen(Pen):
    """A pen that makes what is new stand out."""

    def __init__(
        self,
        words: BoardWords,
        position: State,
        highlights: Highlights,
        *,
        colours: bool = True,
        ascii_only: bool = False,
    ) -> None:
        super().__init__(words, colours=colours, ascii_only=ascii_only, position=position)
        self._highlights = highlights

    def point(self, route: RouteWords, at: int) -> Cell:
        """A connection point; a new one is shown in reverse."""
        cell = super().point(route, at)
        return _lit(cell) if (route["id"], at) in self._highlights.points else cell

    def name(self, city: CityWords) -> tuple[Cell, ...]:
        """A name; that of a city where something happened is shown in reverse."""
        cells = super().name(city)
        return tuple(map(_lit, cells)) if city["id"] in self._highlights.cities else cells


def _lit(cell: Cell) -> Cell:
    return Cell(cell.sign, f"{cell.style} reverse".strip())


class Sketch:
    """One board in one size. Names are placed once; a city moves only if its posts need more room."""

    def __init__(self, words: BoardWords, size: Size, *, ascii_only: bool = False) -> None:
        self._words = words
        self._size = size
        self._ascii_only = ascii_only
        self._blank = Pen(words, colours=False, ascii_only=ascii_only)
        self._home = self._labels_at_home()
        self._ways: dict[tuple[str, int], Label] = {}
        self._routes: dict[tuple[tuple[str, int], ...], list[list[Cell]]] = {}

    def draw(self, pen: LitPen) -> list[Line]:
        """The rows of the picture, from the top."""
        labels = {city["id"]: self._label(city, pen) for city in self._words["cities"]}
        grown = tuple((name, len(label[0].cells)) for name, label in labels.items())
        canvas = self._canvas()
        for row in board_signs(self._words, canvas, pen):
            canvas.write(row)
        for row in (row for label in labels.values() for row in label):
            canvas.write(row)
        rows = [[*row] for row in self._rows_with_routes(grown, labels)]
        for (column, number), cell in canvas.cells.items():
            rows[number][column] = cell
        return [_segments(cells) for cells in rows]

    def row_of(self, highlights: Highlights) -> int | None:
        """The row in the middle of what changed, if it is on the board."""
        canvas = Canvas(*self._size)
        rows = [self._home[city][0].row for city in highlights.cities]
        for route in self._words["routes"]:
            for at, point in enumerate(route["points"]):
                if (route["id"], at) in highlights.points:
                    rows.append(canvas.at(point["x"], point["y"])[1])
            if route["id"] in highlights.markers:
                rows.append(canvas.at(*route["marker_at"])[1])
        return (min(rows) + max(rows)) // 2 if rows else None

    # -- where things are

    def _canvas(self) -> Canvas:
        return Canvas(*self._size, plain=self._ascii_only)

    def _spots(self, canvas: Canvas) -> dict[str, Place]:
        return {city["id"]: canvas.at(city["x"], city["y"]) for city in self._words["cities"]}

    def _signs(self, canvas: Canvas) -> set[Place]:
        """Every place that may hold a sign at some time of a game."""
        markers = (canvas.at(*route["marker_at"]) for route in self._words["routes"])
        rows = [Row(*place, (Cell(" "),) * MARKER) for place in markers]
        rows += board_signs(self._words, canvas, self._blank)
        return {place for row in rows for place in row.places()}

    def _labels_at_home(self) -> dict[str, Label]:
        canvas = self._canvas()
        spots, taken, labels = self._spots(canvas), self._signs(canvas), {}
        draw_routes(canvas, self._words, spots, self._blank)
        for city in sorted(self._words["cities"], key=lambda one: -len(one["spaces"])):
            name, strip = self._blank.name(city), self._blank.strip(city)
            label = place_label(canvas, label_ways(spots[city["id"]], name, strip), taken)
            taken.update(place for row in label for place in row.places())
            labels[city["id"]] = label
        return labels

    def _label(self, city: CityWords, pen: Pen) -> Label:
        """A city as it is now, where it was, or where there is room for all its posts."""
        strip, name = pen.strip(city), pen.name(city)
        at_strip, at_name = self._at(city, len(strip))
        return at_strip._replace(cells=strip), at_name._replace(cells=name)

    def _at(self, city: CityWords, length: int) -> Label:
        home = self._home[city["id"]]
        if length <= len(home[0].cells):
            return home
        key = (city["id"], length)
        if key not in self._ways:
            self._ways[key] = self._moved(city, length)
        return self._ways[key]

    def _moved(self, city: CityWords, length: int) -> Label:
        canvas = self._canvas()
        taken = self._signs(canvas)
        others = [label for name, label in self._home.items() if name != city["id"]]
        taken.update(place for label in others for row in label for place in row.places())
        strip = (Cell(" "),) * length
        spot = self._spots(canvas)[city["id"]]
        return place_label(canvas, label_ways(spot, self._blank.name(city), strip), taken)

    def _rows_with_routes(
        self, grown: tuple[tuple[str, int], ...], labels: Mapping[str, Label]
    ) -> list[list[Cell]]:
        """The lines of the routes; they lead to where the cities are."""
        if grown not in self._routes:
            spots = {
                name: (strip.column + len(strip.cells) // 2, strip.row)
                for name, (strip, _) in labels.items()
            }
            canvas = self._canvas()
            draw_routes(canvas, self._words, spots, self._blank)
            self._routes = {grown: list(canvas.lines())}
        return self._routes[grown]


def _segments(row: Sequence[Cell]) -> Line:
    """Cells of one style together."""
    line: Line = []
    signs, style = "", ""
    for cell in row:
        if cell.style != style:
            line += [Segment(signs, Style.parse(style))] if signs else []
            signs, style = "", cell.style
        signs += cell.sign
    return [*line, Segment(signs, Style.parse(style))]
