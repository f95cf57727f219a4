"""A board in the terminal: a picture by its coordinates, a legend, and tables of its parts."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from protocol.words import State
from referee.engine.board import BoardWords, CityWords, RouteWords, SpaceWords
from referee.engine.terms import COLOURS
from referee.terminal.board.canvas import (
    Canvas,
    Cell,
    Place,
    Row,
    label_ways,
    place_label,
    spell,
    write_label,
)
from referee.terminal.board.pieces import Men, marker_cells, marker_legend, special_cells

NARROWEST: Final = 60
MOST_ROWS: Final = 62
STRETCH: Final = 1.15  # a little taller than true, for the names
PAPER: Final = "#b9a67c"
INKS: Final = {"white": "#ffffff", "orange": "#d9640c", "pink": "#b5127f", "black": "#000000"}
ABROAD: Final = ("#c07840", "#5a9be0", "#b080d0", "#50b090", "#e07070", "#b0b040", "#90a0b0")
SIGNS: Final = {"house": "⌂", "ship": "▲", "square": "■", "round": "●", "coins": "⁰¹²³⁴⁵⁶⁷⁸⁹"}
ASCII: Final = {"house": "o", "ship": "^", "square": "#", "round": "@", "coins": "0123456789"}
SIGN_STYLES: Final = {"house": "bold", "ship": "bold cyan"}


class Pen:
    """How things are written: with or without colours, with or without more than ASCII."""

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
        self.men = Men(colours=colours, ascii_only=ascii_only)
        self.signs = ASCII if ascii_only else SIGNS
        self.abroad = [name for name, one in words["countries"].items() if not one["home"]]

    def text(self, text: str) -> str:
        """The text in letters that the terminal has."""
        if not self.ascii_only:
            return text
        bare = "".join(
            c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)
        )
        return bare.encode("ascii", "replace").decode()

    def country_style(self, country: str | None) -> str:
        """The colour of a country; home is plain."""
        if country not in self.abroad:
            return "grey66"
        return ABROAD[self.abroad.index(country) % len(ABROAD)]

    def country_gap(self, country: str | None) -> int:
        """How thin the lines of a country are; home has every dot."""
        return 2 + self.abroad.index(country) if country in self.abroad else 1

    def space(self, space: SpaceWords) -> tuple[Cell, ...]:
        """A space: a coloured sign, or a letter, capital for a square; then its coin."""
        privilege, shape = space["privilege"], space["shape"]
        coin = self.signs["coins"][space["coin"] % 10] if space["coin"] else ""
        if self.colours and not self.ascii_only:
            style = f"{INKS[privilege]} on {PAPER}"
            return (Cell(self.signs[shape], style), *spell(coin, f"black on {PAPER}"))
        letter = privilege[0].upper() if shape == "square" else privilege[0]
        return (Cell(letter), *spell(coin))

    def point(self, route: RouteWords, at: int) -> Cell:
        """A connection point, or the tradesman on it."""
        man = self.position["routes"][route["id"]]["points"][at] if self.position else None
        if man is not None:
            return self.men.cell(man)
        kind = route["points"][at]["type"]
        return Cell(self.signs[kind], SIGN_STYLES[kind])

    def strip(self, city: CityWords) -> tuple[Cell, ...]:
        """The spaces of a city, left to right, with the posts that stand there."""
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
        """A post; where the coin was, there is a blank, so that nothing moves."""
        return (self.men.post(post), *(spell(" ", paper) if space["coin"] else ()))

    def _additional(self, city: CityWords, paper: str) -> tuple[Cell, ...]:
        """The additional posts, left of the spaces."""
        posts = self.position["cities"][city["id"]]["additional"] if self.position else []
        bar = "|" if self.ascii_only else "│"
        return (*map(self.men.post, posts), *(spell(bar, f"black {paper}") if posts else ()))

    def _green_strip(self, city: CityWords) -> tuple[Cell, ...]:
        style = "black on green4"
        if self.position is None:
            return spell("(green)", style)
        held = self.position["cities"][city["id"]]
        posts = tuple(self.men.post(post) for post in held["posts"] if post is not None)
        return (*self._additional(city, ""), *spell("(", style), *posts, *spell(")", style))

    def name(self, city: CityWords) -> tuple[Cell, ...]:
        """Its name: an end of the chain between angles, abilities and countries behind it."""
        tags = [country[:1] for country in city["countries"] if country in self.abroad]
        special = city["id"] == self.words["special_prestige"]["city"]
        ability = "/".join([*city["abilities"], *(["prestige"] if special else [])])
        colour = self.country_style(city["countries"][0]) if tags else ""
        style = f"bold {colour}".strip()
        name = self.text(city["name"])
        if city["id"] in self.words["east_west"]["ends"]:
            cells = spell(f"<{name}>", "bold white on red3")
        else:
            cells = spell(name, style)
        if ability:
            cells += (Cell(" "), *spell(ability, "italic yellow"))
        return cells + (spell(" " + "".join(tags), colour) if tags else ())


def size_of(aspect: float, width: int) -> tuple[int, int]:
    """Columns and rows of a picture; a character is about twice as high as wide."""
    columns = max(min(width, int(MOST_ROWS * 2 * aspect / STRETCH)), NARROWEST)
    return columns, max(round(columns / aspect / 2 * STRETCH), 16)


def draw_canvas(words: BoardWords, pen: Pen, width: int) -> Canvas:
    """The board as a canvas: routes, then points and markers, then cities where there is room."""
    columns, rows = size_of(words["aspect"], width)
    canvas = Canvas(columns, rows, plain=pen.ascii_only)
    spots = {city["id"]: canvas.at(city["x"], city["y"]) for city in words["cities"]}
    draw_routes(canvas, words, spots, pen)
    taken: set[Place] = set()
    for row in board_signs(words, canvas, pen):
        write_label(canvas, [row], taken)
    for city in sorted(words["cities"], key=lambda one: -len(one["spaces"])):
        ways = label_ways(spots[city["id"]], pen.name(city), pen.strip(city))
        strip, name = place_label(canvas, ways, taken)
        write_label(canvas, [strip, name], taken)
        spots[city["id"]] = (strip.column + len(strip.cells) // 2, strip.row)
    draw_routes(canvas, words, spots, pen)  # again, to where the cities went
    return canvas


def draw_routes(canvas: Canvas, words: BoardWords, spots: dict[str, Place], pen: Pen) -> None:
    """The lines from city to city through the points between them."""
    canvas.dots.clear()
    for route in words["routes"]:
        first, last = (spots[end] for end in route["ends"])
        inner = [canvas.at(point["x"], point["y"]) for point in route["points"]]
        style, every = pen.country_style(route["country"]), pen.country_gap(route["country"])
        for one, other in zip([first, *inner], [*inner, last], strict=True):
            canvas.line(one, other, style, every)


def board_signs(words: BoardWords, canvas: Canvas, pen: Pen) -> Iterator[Row]:
    """Points, taverns, permanent markers and the special prestige spaces."""
    for route in words["routes"]:
        for at, point in enumerate(route["points"]):
            yield Row(*canvas.at(point["x"], point["y"]), (pen.point(route, at),))
    for route in words["routes"]:
        if pen.position is not None:
            yield Row(*canvas.at(*route["marker_at"]), marker_cells(pen.position, route["id"]))
        elif route["tavern"]:
            yield Row(*canvas.at(*route["marker_at"]), spell("T", "bold white on red3"))
    for letter, route in lettered(words):
        yield Row(*canvas.at(*route["marker_at"]), spell(letter, "bold white on blue"))
    yield _special_row(words, canvas, pen)


def _special_row(words: BoardWords, canvas: Canvas, pen: Pen) -> Row:
    spaces = words["special_prestige"]["spaces"]
    owners = pen.position["special_prestige"] if pen.position else [None] * len(spaces)
    cells: tuple[Cell, ...] = ()
    for space, owner in zip(spaces, owners, strict=True):
        style = f"bold {INKS[space['privilege']]} on {PAPER}"
        cells += special_cells(space["points"], owner, style, pen.men)
        cells += spell(f"{'' if pen.colours else space['privilege'][0]} ", style)
    return Row(*canvas.at(spaces[0]["x"], spaces[0]["y"]), cells[:-1])


def lettered(words: BoardWords) -> list[tuple[str, RouteWords]]:
    """The routes with a permanent marker, each with the letter that stands for it."""
    routes = [route for route in words["routes"] if route["permanent"]]
    return [(chr(ord("A") + at % 26), route) for at, route in enumerate(routes)]


def picture(words: BoardWords, pen: Pen, width: int) -> Text:
    """The canvas as text."""
    text = Text(no_wrap=True, end="")
    rows = [_trimmed(row) for row in draw_canvas(words, pen, width).lines()]
    filled = [at for at, row in enumerate(rows) if row]
    for row in rows[filled[0] : filled[-1] + 1]:
        for sign, style in row:
            text.append(sign, style if pen.colours else None)
        text.append("\n")
    return text


def _trimmed(row: list[Cell]) -> list[Cell]:
    """The row without the blanks at its end."""
    last = max((at for at, cell in enumerate(row) if cell != Cell(" ")), default=-1)
    return row[: last + 1]


# --- the words around it ----------------------------------------------------------------------


def legend(words: BoardWords, pen: Pen) -> Text:
    """What the signs mean, and what the board is like."""
    text = Text(end="")
    for line in _legend_lines(words, pen):
        for cells in line:
            text.append(cells.sign, cells.style if pen.colours else None)
        text.append("\n")
    return text


def _legend_lines(words: BoardWords, pen: Pen) -> Iterator[tuple[Cell, ...]]:
    yield (*spell("spaces  "), *_space_legend(pen))
    ships = any(point["type"] == "ship" for route in words["routes"] for point in route["points"])
    ship = f"   {pen.signs['ship']} ship (merchants only)" if ships else ""
    yield spell(f"routes  {pen.signs['house']} house{ship}   T tavern (a start marker)")
    chain = words["east_west"]
    names = {city["id"]: pen.text(city["name"]) for city in words["cities"]}
    first, last = (names[end] for end in chain["ends"])
    yield spell(f"chain   <{first}> to <{last}>: {_worth(chain['prestige'])} points")
    special = words["special_prestige"]
    at = f"{names[special['city']]}, on {', '.join(special['routes'])}"
    yield spell(f"special prestige at {at}")
    for letter, route in lettered(words):
        yield (
            *spell(letter, "bold white on blue"),
            *spell(f" {route['permanent']}, on {route['id']}"),
        )
    yield from (_country_line(words, pen, name, names) for name in pen.abroad)


def _space_legend(pen: Pen) -> Iterator[Cell]:
    for colour in COLOURS:
        yield from pen.space({"privilege": colour, "shape": "square", "coin": 0})
        yield from pen.space({"privilege": colour, "shape": "round", "coin": 0})
        yield from spell(f" {colour}  ")
    coloured = pen.colours and not pen.ascii_only
    square, disc = (pen.signs["square"], pen.signs["round"]) if coloured else ("W", "w")
    yield from spell(f"{square} trader  {disc} merchant  {pen.signs['coins'][1]} coin")


def _country_line(
    words: BoardWords, pen: Pen, country: str, names: dict[str, str]
) -> tuple[Cell, ...]:
    given = [names[city] for city, permitted in words["permits"].items() if country in permitted]
    permit = f", by permit of {' or '.join(given)}" if given else ""
    worth = _worth(words["countries"][country]["prestige"])
    told = f": {worth} points" if worth else ""
    return spell(f"{country[:1]} {country}{told}{permit}", pen.country_style(country))


def _worth(prestige: Sequence[int]) -> str:
    return "/".join(str(points) for points in prestige)


def cities_table(words: BoardWords, pen: Pen) -> Table:
    """Every city with its spaces and what it offers."""
    table = _table("city", "id", "spaces", "abilities", "countries", "routes")
    for city in words["cities"]:
        spaces = Text("".join(cell.sign for cell in pen.strip(city)))
        if pen.colours:
            spaces = Text.assemble(*((cell.sign, cell.style) for cell in pen.strip(city)))
        routes = sum(city["id"] in route["ends"] for route in words["routes"])
        name, lands = pen.text(city["name"]), pen.text(", ".join(city["countries"]))
        offers = Text(", ".join(city["abilities"]))
        table.add_row(Text(name), city["id"], spaces, offers, Text(lands), str(routes))
    return table


def routes_table(words: BoardWords, pen: Pen) -> Table:
    """Every route with its points, from its first end to its second."""
    table = _table("route", "points", "country", "marker")
    for route in words["routes"]:
        points = "".join(pen.signs[point["type"]] for point in route["points"])
        marker = "tavern" if route["tavern"] else route["permanent"] or ""
        table.add_row(route["id"], points, Text(pen.text(route["country"] or "")), marker)
    return table


def _table(*headers: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 0, 0, 1))
    for header in headers:
        table.add_column(header, overflow="fold")
    return table


def boards_table(boards: Sequence[BoardWords], special: Sequence[str]) -> Table:
    """The bundled boards, one a row, with what is special about them below the title."""
    table = _table()
    table.add_column("id", no_wrap=True)
    table.add_column("title", overflow="fold")
    for header in ("players", "cities", "routes", "points"):
        table.add_column(header, justify="right", no_wrap=True)
    for words, told in zip(boards, special, strict=True):
        players = words["players"]
        points = sum(len(route["points"]) for route in words["routes"])
        counts = (len(words["cities"]), len(words["routes"]), points)
        many = f"{players['min']}-{players['max']}"
        title = Text.assemble(words["title"], (f"\n{told}" if told else "", "dim"))
        table.add_row(Text(words["id"], style="bold"), title, many, *map(str, counts))
    return table


# --- onto the terminal ------------------------------------------------------------------------


def show_position(
    words: BoardWords, position: State, names: Sequence[str], console: Console | None = None
) -> None:
    """The board as it stands, and whose tradesmen are whose."""
    console = console or Console(highlight=False)
    pen = _pen(words, console, position)
    men = pen.men.legend(
        [pen.text(name) for name in names], neutral=position["neutral"] is not None
    )
    console.print(picture(words, pen, console.width), soft_wrap=True)
    for cells in (men, tuple(marker_legend(position))):
        if cells:
            console.print(_line(cells, pen))


def _line(cells: Sequence[Cell], pen: Pen) -> Text:
    text = Text()
    for sign, style in cells:
        text.append(sign, style if pen.colours else None)
    return text


def _pen(words: BoardWords, console: Console, position: State | None = None) -> Pen:
    colours = console.color_system is not None and not console.no_color
    plain = not _has_unicode(console)
    return Pen(words, colours=colours, ascii_only=plain, position=position)


def show_board(words: BoardWords, *, tables: bool = False) -> None:
    """Heading, picture and legend, and on demand the tables."""
    console = Console(highlight=False)
    pen = _pen(words, console)
    side = f", {words['side']}" if words["side"] else ""
    limit = f"the game ends with {words['completed_cities_limit']} completed cities"
    console.print(Text(pen.text(f"{words['title']}{side}"), style="bold"))
    console.print(Text(f"{words['id']}: {limit}", style="dim"))
    console.print(
        "", picture(words, pen, console.width), legend(words, pen), sep="\n", soft_wrap=True
    )
    if tables:
        console.print(cities_table(words, pen))
        console.print(routes_table(words, pen))


def show_boards(boards: Sequence[BoardWords], special: Sequence[str]) -> None:
    """A calm table of boards."""
    Console(highlight=False).print(boards_table(boards, special))


def _has_unicode(console: Console) -> bool:
    encoding = console.encoding or sys.getdefaultencoding()
    return encoding.lower().replace("_", "-").startswith("utf")
