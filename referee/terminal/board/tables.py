"""The legend of a board, and tables of its cities and routes and of all boards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from referee.engine.board import BoardWords
from referee.engine.terms import COLOURS
from referee.terminal.board.canvas import Cell, text_cells
from referee.terminal.board.picture import BoardWriter, lettered, picture, writer_for


def legend(words: BoardWords, writer: BoardWriter) -> Text:
    """Explain the signs of the picture, the chain, special prestige and the countries."""
    text = Text(end="")
    for line in _legend_lines(words, writer):
        for cells in line:
            text.append(cells.sign, cells.style if writer.colours else None)
        text.append("\n")
    return text


def _legend_lines(words: BoardWords, writer: BoardWriter) -> Iterator[tuple[Cell, ...]]:
    yield (*text_cells("spaces  "), *_space_legend(writer))
    ships = any(point["type"] == "ship" for route in words["routes"] for point in route["points"])
    ship = f"   {writer.signs['ship']} ship (merchants only)" if ships else ""
    yield text_cells(f"routes  {writer.signs['house']} house{ship}   T tavern (a start marker)")
    chain = words["east_west"]
    names = {city["id"]: writer.text(city["name"]) for city in words["cities"]}
    first, last = (names[end] for end in chain["ends"])
    yield text_cells(f"chain   <{first}> to <{last}>: {_worth(chain['prestige'])} points")
    special = words["special_prestige"]
    at = f"{names[special['city']]}, on {', '.join(special['routes'])}"
    yield text_cells(f"special prestige at {at}")
    for letter, route in lettered(words):
        yield (
            *text_cells(letter, "bold white on blue"),
            *text_cells(f" {route['permanent']}, on {route['id']}"),
        )
    yield from (_country_line(words, writer, name, names) for name in writer.foreign)


def _space_legend(writer: BoardWriter) -> Iterator[Cell]:
    for colour in COLOURS:
        yield from writer.space({"privilege": colour, "shape": "square", "coin": 0})
        yield from writer.space({"privilege": colour, "shape": "round", "coin": 0})
        yield from text_cells(f" {colour}  ")
    coloured = writer.colours and not writer.ascii_only
    square, disc = (writer.signs["square"], writer.signs["round"]) if coloured else ("W", "w")
    yield from text_cells(f"{square} trader  {disc} merchant  {writer.signs['coins'][1]} coin")


def _country_line(
    words: BoardWords, writer: BoardWriter, country: str, names: dict[str, str]
) -> tuple[Cell, ...]:
    given = [names[city] for city, permitted in words["permits"].items() if country in permitted]
    permit = f", by permit of {' or '.join(given)}" if given else ""
    worth = _worth(words["countries"][country]["prestige"])
    prestige = f": {worth} points" if worth else ""
    return text_cells(f"{country[:1]} {country}{prestige}{permit}", writer.country_style(country))


def _worth(prestige: Sequence[int]) -> str:
    return "/".join(str(points) for points in prestige)


def cities_table(words: BoardWords, writer: BoardWriter) -> Table:
    """A table of all cities with their spaces, abilities, countries and number of routes."""
    table = _table("city", "id", "spaces", "abilities", "countries", "routes")
    for city in words["cities"]:
        spaces = Text("".join(cell.sign for cell in writer.strip(city)))
        if writer.colours:
            spaces = Text.assemble(*((cell.sign, cell.style) for cell in writer.strip(city)))
        routes = sum(city["id"] in route["ends"] for route in words["routes"])
        name, lands = writer.text(city["name"]), writer.text(", ".join(city["countries"]))
        offers = Text(", ".join(city["abilities"]))
        table.add_row(Text(name), city["id"], spaces, offers, Text(lands), str(routes))
    return table


def routes_table(words: BoardWords, writer: BoardWriter) -> Table:
    """A table of all routes with their points, from the first end to the second."""
    table = _table("route", "points", "country", "marker")
    for route in words["routes"]:
        points = "".join(writer.signs[point["type"]] for point in route["points"])
        marker = "tavern" if route["tavern"] else route["permanent"] or ""
        table.add_row(route["id"], points, Text(writer.text(route["country"] or "")), marker)
    return table


def _table(*headers: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 0, 0, 1))
    for header in headers:
        table.add_column(header, overflow="fold")
    return table


def boards_table(boards: Sequence[BoardWords], special: Sequence[str]) -> Table:
    """A table of boards; `special` says for each what it adds to the basic rules, or is empty."""
    table = _table()
    table.add_column("id", no_wrap=True)
    table.add_column("title", overflow="fold")
    for header in ("players", "cities", "routes", "points"):
        table.add_column(header, justify="right", no_wrap=True)
    for words, extras in zip(boards, special, strict=True):
        players = words["players"]
        points = sum(len(route["points"]) for route in words["routes"])
        counts = (len(words["cities"]), len(words["routes"]), points)
        many = f"{players['min']}-{players['max']}"
        title = Text.assemble(words["title"], (f"\n{extras}" if extras else "", "dim"))
        table.add_row(Text(words["id"], style="bold"), title, many, *map(str, counts))
    return table


def show_board(words: BoardWords, *, tables: bool = False) -> None:
    """Print heading, picture and legend of a board; with `tables` also its cities and routes."""
    console = Console(highlight=False)
    writer = writer_for(words, console)
    side = f", {words['side']}" if words["side"] else ""
    limit = f"the game ends with {words['completed_cities_limit']} completed cities"
    console.print(Text(writer.text(f"{words['title']}{side}"), style="bold"))
    console.print(Text(f"{words['id']}: {limit}", style="dim"))
    console.print(
        "", picture(words, writer, console.width), legend(words, writer), sep="\n", soft_wrap=True
    )
    if tables:
        console.print(cities_table(words, writer))
        console.print(routes_table(words, writer))


def show_boards(boards: Sequence[BoardWords], special: Sequence[str]) -> None:
    Console(highlight=False).print(boards_table(boards, special))
