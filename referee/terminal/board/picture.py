"""A board drawn in the terminal, by the coordinates of its cities and connection points."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import Console
from rich.text import Text

from protocol.words import State
from referee.engine.board import BoardWords, CityWords, RouteWords, SpaceWords
from referee.terminal.board.canvas import (
    Canvas,
    Cell,
    Place,
    Row,
    label_ways,
    place_label,
    text_cells,
    write_label,
)
from referee.terminal.board.pieces import (
    TradesmanWriter,
    marker_cells,
    marker_legend,
    special_cells,
)

NARROWEST: Final = 60
MOST_ROWS: Final = 62
STRETCH: Final = 1.15  # a little taller than the true shape, to make space for the names
PAPER: Final = "#b9a67c"
INKS: Final = {"white": "#ffffff", "orange": "#d9640c", "pink": "#b5127f", "black": "#000000"}
FOREIGN_STYLES: Final = (
    "#c07840",
    "#5a9be0",
    "#b080d0",
    "#50b090",
    "#e07070",
    "#b0b040",
    "#90a0b0",
)
SIGNS: Final = {"house": "⌂", "ship": "▲", "square": "■", "round": "●", "coins": "⁰¹²³⁴⁵⁶⁷⁸⁹"}
ASCII: Final = {"house": "o", "ship": "^", "square": "#", "round": "@", "coins": "0123456789"}
SIGN_STYLES: Final = {"house": "bold", "ship": "bold cyan"}


class BoardWriter:
    """Writes the parts of a board as cells, with or without colours, in Unicode or ASCII.

    With a position it also writes the tradesmen, posts and markers of that position.
    """

    def __init__(
        self,
        words: BoardWords,
        *,
        colours: bool = True,
        ascii_only: bool = False,
        position: State | None = None,
    ) -> None:
        self.words = words
        self.colours = colours
        self.ascii_only = ascii_only
        self.position = position
        self.tradesmen = TradesmanWriter(colours=colours, ascii_only=ascii_only)
        self.signs = ASCII if ascii_only else SIGNS
        self.foreign = [name for name, country in words["countries"].items() if not country["home"]]

    def text(self, text: str) -> str:
        """Return the text; without accents if only ASCII can be shown."""
        if not self.ascii_only:
            return text
        bare = "".join(
            c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)
        )
        return bare.encode("ascii", "replace").decode()

    def country_style(self, country: str | None) -> str:
        """Return the colour of a foreign country; grey for the home country."""
        if country not in self.foreign:
            return "grey66"
        return FOREIGN_STYLES[self.foreign.index(country) % len(FOREIGN_STYLES)]

    def country_gap(self, country: str | None) -> int:
        """Return N to draw every Nth dot of a route's line; 1 in the home country."""
        return 2 + self.foreign.index(country) if country in self.foreign else 1

    def space(self, space: SpaceWords) -> tuple[Cell, ...]:
        """A space and its coin: a coloured sign, or without colours a letter, a capital for a square."""
        privilege, shape = space["privilege"], space["shape"]
        coin = self.signs["coins"][space["coin"] % 10] if space["coin"] else ""
        if self.colours and not self.ascii_only:
            style = f"{INKS[privilege]} on {PAPER}"
            return (Cell(self.signs[shape], style), *text_cells(coin, f"black on {PAPER}"))
        letter = privilege[0].upper() if shape == "square" else privilege[0]
        return (Cell(letter), *text_cells(coin))

    def point(self, route: RouteWords, at: int) -> Cell:
        """The tradesman on a connection point, or the sign of an empty one."""
        tradesman = self.position["routes"][route["id"]]["points"][at] if self.position else None
        if tradesman is not None:
            return self.tradesmen.cell(tradesman)
        kind = route["points"][at]["type"]
        return Cell(self.signs[kind], SIGN_STYLES[kind])

    def strip(self, city: CityWords) -> tuple[Cell, ...]:
        """The spaces of a city from left to right, with the posts on them."""
        if city["green"]:
            return self._green_strip(city)
        paper = f"on {PAPER}" if self.colours and not self.ascii_only else ""
        inner = self._additional(city, paper)
        for at, space in enumerate(city["spaces"]):
            post = self.position["cities"][city["id"]]["posts"][at] if self.position else None
            inner += self.space(space) if post is None else self._post(space, post, paper)
        if paper:
            return (Cell(" ", paper), *inner, Cell(" ", paper))
        return (Cell("["), *inner, Cell("]"))

    def _post(self, space: SpaceWords, post: str, paper: str) -> tuple[Cell, ...]:
        """A post; a blank replaces the coin, so that the width stays the same."""
        return (self.tradesmen.post(post), *(text_cells(" ", paper) if space["coin"] else ()))

    def _additional(self, city: CityWords, paper: str) -> tuple[Cell, ...]:
        """The additional posts, to the left of the spaces."""
        posts = self.position["cities"][city["id"]]["additional"] if self.position else []
        bar = "|" if self.ascii_only else "│"
        return (
            *map(self.tradesmen.post, posts),
            *(text_cells(bar, f"black {paper}") if posts else ()),
        )

    def _green_strip(self, city: CityWords) -> tuple[Cell, ...]:
        style = "black on green4"
        if self.position is None:
            return text_cells("(green)", style)
        held = self.position["cities"][city["id"]]
        posts = tuple(self.tradesmen.post(post) for post in held["posts"] if post is not None)
        return (
            *self._additional(city, ""),
            *text_cells("(", style),
            *posts,
            *text_cells(")", style),
        )

    def name(self, city: CityWords) -> tuple[Cell, ...]:
        """The name of a city, then its abilities and foreign countries; <name> at an end of the chain."""
        tags = [country[:1] for country in city["countries"] if country in self.foreign]
        special = city["id"] == self.words["special_prestige"]["city"]
        ability = "/".join([*city["abilities"], *(["prestige"] if special else [])])
        colour = self.country_style(city["countries"][0]) if tags else ""
        style = f"bold {colour}".strip()
        name = self.text(city["name"])
        if city["id"] in self.words["east_west"]["ends"]:
            cells = text_cells(f"<{name}>", "bold white on red3")
        else:
            cells = text_cells(name, style)
        if ability:
            cells += (Cell(" "), *text_cells(ability, "italic yellow"))
        return cells + (text_cells(" " + "".join(tags), colour) if tags else ())


def size_of(aspect: float, width: int) -> tuple[int, int]:
    """Return the columns and rows of a picture; a character is about twice as high as it is wide."""
    columns = max(min(width, int(MOST_ROWS * 2 * aspect / STRETCH)), NARROWEST)
    return columns, max(round(columns / aspect / 2 * STRETCH), 16)


def draw_canvas(words: BoardWords, writer: BoardWriter, size: tuple[int, int]) -> Canvas:
    """Draw routes, then points and markers, then each city where its label hides least."""
    canvas = Canvas(*size, plain=writer.ascii_only)
    spots = {city["id"]: canvas.at(city["x"], city["y"]) for city in words["cities"]}
    draw_routes(canvas, words, spots, writer)
    taken: set[Place] = set()
    for row in board_signs(words, canvas, writer):
        write_label(canvas, [row], taken)
    for city in sorted(words["cities"], key=lambda city: -len(city["spaces"])):
        ways = label_ways(spots[city["id"]], writer.name(city), writer.strip(city))
        strip, name = place_label(canvas, ways, taken)
        write_label(canvas, [strip, name], taken)
        spots[city["id"]] = (strip.column + len(strip.cells) // 2, strip.row)
    draw_routes(canvas, words, spots, writer)  # again, to where the labels are now
    return canvas


def draw_routes(
    canvas: Canvas, words: BoardWords, spots: dict[str, Place], writer: BoardWriter
) -> None:
    """Draw the lines from city to city through the connection points between them."""
    canvas.dots.clear()
    for route in words["routes"]:
        first, last = (spots[end] for end in route["ends"])
        inner = [canvas.at(point["x"], point["y"]) for point in route["points"]]
        style, every = writer.country_style(route["country"]), writer.country_gap(route["country"])
        for start, end in zip([first, *inner], [*inner, last], strict=True):
            canvas.line(start, end, style, every)


def board_signs(words: BoardWords, canvas: Canvas, writer: BoardWriter) -> Iterator[Row]:
    """Yield the points, taverns, markers and special prestige spaces, each at its place."""
    for route in words["routes"]:
        for at, point in enumerate(route["points"]):
            yield Row(*canvas.at(point["x"], point["y"]), (writer.point(route, at),))
    for route in words["routes"]:
        if writer.position is not None:
            yield Row(*canvas.at(*route["marker_at"]), marker_cells(writer.position, route["id"]))
        elif route["tavern"]:
            yield Row(*canvas.at(*route["marker_at"]), text_cells("T", "bold white on red3"))
    for letter, route in lettered(words):
        yield Row(*canvas.at(*route["marker_at"]), text_cells(letter, "bold white on blue"))
    yield _special_row(words, canvas, writer)


def _special_row(words: BoardWords, canvas: Canvas, writer: BoardWriter) -> Row:
    spaces = words["special_prestige"]["spaces"]
    owners = writer.position["special_prestige"] if writer.position else [None] * len(spaces)
    cells: tuple[Cell, ...] = ()
    for space, owner in zip(spaces, owners, strict=True):
        style = f"bold {INKS[space['privilege']]} on {PAPER}"
        cells += special_cells(space["points"], owner, style, writer.tradesmen)
        cells += text_cells(f"{'' if writer.colours else space['privilege'][0]} ", style)
    return Row(*canvas.at(spaces[0]["x"], spaces[0]["y"]), cells[:-1])


def lettered(words: BoardWords) -> list[tuple[str, RouteWords]]:
    """Return the routes with a permanent marker, each with its letter in picture and legend."""
    routes = [route for route in words["routes"] if route["permanent"]]
    return [(chr(ord("A") + at % 26), route) for at, route in enumerate(routes)]


def picture(
    words: BoardWords, writer: BoardWriter, width: int, size: tuple[int, int] | None = None
) -> Text:
    """Return the picture of a board as text, without empty rows above and below it.

    It has its true shape in `width` columns, or exactly `size`: columns and rows.
    """
    text = Text(no_wrap=True, end="")
    canvas = draw_canvas(words, writer, size or size_of(words["aspect"], width))
    rows = [_trimmed(row) for row in canvas.lines()]
    filled = [at for at, row in enumerate(rows) if row]
    for row in rows[filled[0] : filled[-1] + 1]:
        for sign, style in row:
            text.append(sign, style if writer.colours else None)
        text.append("\n")
    return text


def _trimmed(row: list[Cell]) -> list[Cell]:
    """Return the row without the blanks at its end."""
    last = max((at for at, cell in enumerate(row) if cell != Cell(" ")), default=-1)
    return row[: last + 1]


def show_position(
    words: BoardWords,
    position: State,
    names: Sequence[str],
    console: Console | None = None,
    size: tuple[int, int] | None = None,
) -> None:
    """Print the board of a position, and a legend of the tradesmen and markers on it.

    The board has its true shape, or exactly `size`: columns and rows.
    """
    console = console or Console(highlight=False)
    writer = writer_for(words, console, position)
    tradesmen = writer.tradesmen.legend(
        [writer.text(name) for name in names], neutral=position["neutral"] is not None
    )
    # The picture ends with a line break: where each row counts, no blank line follows.
    console.print(
        picture(words, writer, console.width, size),
        soft_wrap=True,
        end="\n" if size is None else "",
    )
    for cells in (tradesmen, tuple(marker_legend(position))):
        if cells:
            console.print(_line(cells, writer))


def _line(cells: Sequence[Cell], writer: BoardWriter) -> Text:
    text = Text()
    for sign, style in cells:
        text.append(sign, style if writer.colours else None)
    return text


def writer_for(words: BoardWords, console: Console, position: State | None = None) -> BoardWriter:
    colours = console.color_system is not None and not console.no_color
    plain = not _has_unicode(console)
    return BoardWriter(words, colours=colours, ascii_only=plain, position=position)


def _has_unicode(console: Console) -> bool:
    encoding = console.encoding or sys.getdefaultencoding()
    return encoding.lower().replace("_", "-").startswith("utf")
