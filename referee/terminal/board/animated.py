"""A board that is redrawn during a game: names keep their places, and changes are highlighted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from rich.segment import Segment
from rich.style import Style

from protocol.words import State
from referee.engine.board import BoardWords, CityWords, RouteWords
from referee.replay.highlights import Highlights
from referee.terminal.board.canvas import Canvas, Cell, Label, Place, Row, label_ways, place_label
from referee.terminal.board.picture import MOST_ROWS, STRETCH, BoardWriter, board_signs, draw_routes

Line: TypeAlias = list[Segment]
Size: TypeAlias = tuple[int, int]  # columns and rows

NARROWEST: Final = 60
NARROW: Final = 80  # a board is not made narrower than this to keep its shape
LOWEST: Final = 16
FLATTEST: Final = 0.5  # of the true height; where even that does not fit, the board scrolls
FLAT: Final = 0.8  # of the true height; a board is made narrower before it is made flatter
MARKER: Final = 2  # width of a marker, in cells


class Shape(NamedTuple):
    """The size of a drawn board, and how many of its rows are visible at once."""

    size: Size
    visible_rows: int


def shape_for(aspect: float, columns: int, rows: int, *, true_shape: bool = False) -> Shape:
    """Return the shape of a board in a window of this size.

    It is made narrower first, then flatter; if it still does not fit, it has more rows than the
    window. With `true_shape` it keeps its true shape.
    """
    if true_shape:
        wide = max(min(columns, int(MOST_ROWS * 2 * aspect / STRETCH)), NARROWEST)
        return Shape((wide, _true_rows(aspect, wide)), rows)
    fitting = int(rows * 2 * aspect / STRETCH / FLAT)
    wide = max(min(columns, max(fitting, NARROW)), NARROWEST)
    high = _true_rows(aspect, wide)
    lowest = max(round(high * FLATTEST), LOWEST)
    return Shape((wide, max(min(high, rows), lowest)), rows)


def _true_rows(aspect: float, columns: int) -> int:
    return max(round(columns / aspect / 2 * STRETCH), LOWEST)


class HighlightingWriter(BoardWriter):
    """A writer that shows what a step changed in reverse colours."""

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
        cell = super().point(route, at)
        return _reversed(cell) if (route["id"], at) in self._highlights.points else cell

    def name(self, city: CityWords) -> tuple[Cell, ...]:
        cells = super().name(city)
        return tuple(map(_reversed, cells)) if city["id"] in self._highlights.cities else cells


def _reversed(cell: Cell) -> Cell:
    return Cell(cell.sign, f"{cell.style} reverse".strip())


class AnimatedBoard:
    """One board in one size; a city's label moves only if its posts need more cells."""

    def __init__(self, words: BoardWords, size: Size, *, ascii_only: bool = False) -> None:
        self._words = words
        self._size = size
        self._ascii_only = ascii_only
        self._blank = BoardWriter(words, colours=False, ascii_only=ascii_only)
        self._labels = self._place_labels()
        self._moved_labels: dict[tuple[str, int], Label] = {}
        self._routes: dict[tuple[tuple[str, int], ...], list[list[Cell]]] = {}

    def draw(self, writer: HighlightingWriter) -> list[Line]:
        """Return the rows of the picture, from the top."""
        labels = {city["id"]: self._label(city, writer) for city in self._words["cities"]}
        grown = tuple((name, len(label[0].cells)) for name, label in labels.items())
        canvas = self._canvas()
        for row in board_signs(self._words, canvas, writer):
            canvas.write(row)
        for row in (row for label in labels.values() for row in label):
            canvas.write(row)
        rows = [[*row] for row in self._rows_with_routes(grown, labels)]
        for (column, number), cell in canvas.cells.items():
            rows[number][column] = cell
        return [_segments(cells) for cells in rows]

    def row_of(self, highlights: Highlights) -> int | None:
        """Return the middle row of all changes; None if nothing on the board has changed."""
        canvas = Canvas(*self._size)
        rows = [self._labels[city][0].row for city in highlights.cities]
        for route in self._words["routes"]:
            for at, point in enumerate(route["points"]):
                if (route["id"], at) in highlights.points:
                    rows.append(canvas.at(point["x"], point["y"])[1])
            if route["id"] in highlights.markers:
                rows.append(canvas.at(*route["marker_at"])[1])
        return (min(rows) + max(rows)) // 2 if rows else None

    # -- places on the canvas

    def _canvas(self) -> Canvas:
        return Canvas(*self._size, plain=self._ascii_only)

    def _spots(self, canvas: Canvas) -> dict[str, Place]:
        return {city["id"]: canvas.at(city["x"], city["y"]) for city in self._words["cities"]}

    def _signs(self, canvas: Canvas) -> set[Place]:
        """Return every place that may hold a sign during a game."""
        markers = (canvas.at(*route["marker_at"]) for route in self._words["routes"])
        rows = [Row(*place, (Cell(" "),) * MARKER) for place in markers]
        rows += board_signs(self._words, canvas, self._blank)
        return {place for row in rows for place in row.places()}

    def _place_labels(self) -> dict[str, Label]:
        canvas = self._canvas()
        spots, taken, labels = self._spots(canvas), self._signs(canvas), {}
        draw_routes(canvas, self._words, spots, self._blank)
        for city in sorted(self._words["cities"], key=lambda city: -len(city["spaces"])):
            name, strip = self._blank.name(city), self._blank.strip(city)
            label = place_label(canvas, label_ways(spots[city["id"]], name, strip), taken)
            taken.update(place for row in label for place in row.places())
            labels[city["id"]] = label
        return labels

    def _label(self, city: CityWords, writer: BoardWriter) -> Label:
        """Return a city's label at its place, or where there is space for all its posts."""
        strip, name = writer.strip(city), writer.name(city)
        at_strip, at_name = self._at(city, len(strip))
        return at_strip._replace(cells=strip), at_name._replace(cells=name)

    def _at(self, city: CityWords, length: int) -> Label:
        label = self._labels[city["id"]]
        if length <= len(label[0].cells):
            return label
        key = (city["id"], length)
        if key not in self._moved_labels:
            self._moved_labels[key] = self._moved(city, length)
        return self._moved_labels[key]

    def _moved(self, city: CityWords, length: int) -> Label:
        canvas = self._canvas()
        taken = self._signs(canvas)
        others = [label for name, label in self._labels.items() if name != city["id"]]
        taken.update(place for label in others for row in label for place in row.places())
        strip = (Cell(" "),) * length
        spot = self._spots(canvas)[city["id"]]
        return place_label(canvas, label_ways(spot, self._blank.name(city), strip), taken)

    def _rows_with_routes(
        self, grown: tuple[tuple[str, int], ...], labels: Mapping[str, Label]
    ) -> list[list[Cell]]:
        """Return the canvas with only the lines of the routes, which lead to the labels."""
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
    """Return a row as segments, one for each run of cells of the same style."""
    line: Line = []
    signs, style = "", ""
    for cell in row:
        if cell.style != style:
            line += [Segment(signs, Style.parse(style))] if signs else []
            signs, style = "", cell.style
        signs += cell.sign
    return [*line, Segment(signs, Style.parse(style))]
