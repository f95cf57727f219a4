"""Drawn boards: well-formed, complete, and legible."""

from functools import cache
from io import StringIO
from itertools import combinations
from xml.etree import ElementTree as ET

import pytest
from rich.console import Console

from referee import atlas
from referee.drawing import board_svg
from referee.drawing.layout import POINT, Layout, around, frame_of, lay_out, overlap, text_width
from referee.engine.board import BoardWords
from referee.terminal.board.picture import BoardWriter, draw_canvas, picture, size_of
from referee.terminal.board.tables import cities_table, legend, routes_table
from support.small_board import island

BOARDS = atlas.board_names()
SVG = "{http://www.w3.org/2000/svg}"


def board(name: str) -> BoardWords:
    return atlas.load_board(name).words


def island_words() -> BoardWords:
    return atlas.board_from_words(island()).words


@cache
def drawn(name: str) -> str:
    return board_svg(board(name))


@cache
def laid_out(name: str) -> Layout:
    return lay_out(board(name))


def texts(svg: str) -> list[str]:
    return [node.text or "" for node in ET.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("name", BOARDS)
def test_a_drawing_names_every_city_and_the_title(name: str) -> None:
    words = board(name)
    written = texts(drawn(name))
    assert {words["title"], *(city["name"] for city in words["cities"])} <= set(written)


@pytest.mark.parametrize("name", BOARDS)
def test_a_drawing_has_every_space_and_point(name: str) -> None:
    words = board(name)
    tree = ET.fromstring(drawn(name))
    marks = [node for node in tree.iter() if node.get("class", "").startswith("space ")]
    spaces = sum(len(city["spaces"]) for city in words["cities"])
    assert len(marks) == spaces + len(words["special_prestige"]["spaces"])
    groups = [node for node in tree.iter() if node.get("class") == "points"]
    assert [len(group) for group in groups] == [len(route["points"]) for route in words["routes"]]


def test_a_drawing_is_the_same_every_time() -> None:
    assert board_svg(island_words()) == board_svg(island_words())


@pytest.mark.parametrize("name", BOARDS)
def test_no_city_hides_another_or_a_point(name: str) -> None:
    layout = laid_out(name)
    for one, other in combinations(layout.cities.values(), 2):
        assert not any(overlap(mine, its) > 0 for mine in one for its in other)
    spots = [spot for row in layout.points.values() for spot in row]
    for city in layout.cities.values():
        assert not any(
            overlap(around(spot, POINT / 2, POINT / 2), box) for spot in spots for box in city
        )


@pytest.mark.parametrize("name", BOARDS)
def test_everything_is_drawn_within_the_frame(name: str) -> None:
    layout = laid_out(name)
    boxes = [box for city in layout.cities.values() for box in city] + list(layout.seals.values())
    assert all(box.x >= 0 and box.x + box.width <= layout.frame.width for box in boxes)
    assert all(box.y >= 0 and box.y + box.height <= layout.frame.height for box in boxes)


def test_names_are_text_and_never_markup() -> None:
    words = island()
    words["title"] = "<script>&\"'"
    words["cities"][0]["name"] = "A<b>&amp;"
    words["cities"][0]["aliases"] = ["</svg>"]
    svg = board_svg(atlas.board_from_words(words).words)
    assert {"<script>&\"'", "A<b>&amp;"} <= set(texts(svg))
    assert "<script>" not in svg


def test_an_overlay_is_drawn_on_top_of_the_board() -> None:
    words = island_words()
    spot = lay_out(words).points["abbey--market"][0]
    over = f'<circle id="trader" cx="{spot.x}" cy="{spot.y}" r="9"/>'
    tree = ET.fromstring(board_svg(words, over))
    assert tree.find(f".//{SVG}g[@class='board']/{SVG}circle[@id='trader']") is not None


def test_a_frame_keeps_the_aspect() -> None:
    assert frame_of(2.0).width == pytest.approx(2 * frame_of(2.0).height, abs=2)
    assert frame_of(1.0).at(500, 1000) == pytest.approx(
        (frame_of(1.0).width / 2, frame_of(1.0).height)
    )


def test_wide_letters_need_more_space() -> None:
    assert text_width("Wismar", 18) > text_width("Stade", 18) > text_width("Ill", 18) > 0


# --- In the terminal -----------------------------------------------------------------------


@pytest.mark.parametrize("width", [60, 140])
@pytest.mark.parametrize("name", BOARDS)
def test_the_terminal_shows_every_name_and_point(name: str, width: int) -> None:
    words = board(name)
    shown = picture(words, BoardWriter(words, colours=False), width).plain
    assert all(city["name"] in shown for city in words["cities"])
    houses = sum(point["type"] == "house" for r in words["routes"] for point in r["points"])
    assert houses * 0.97 <= shown.count("⌂") <= houses
    assert max(map(len, shown.splitlines())) <= width


@pytest.mark.parametrize("name", BOARDS)
def test_a_terminal_without_unicode_gets_ascii(name: str) -> None:
    words = board(name)
    writer = BoardWriter(words, colours=False, ascii_only=True)
    assert (picture(words, writer, 80).plain + legend(words, writer).plain).isascii()


def test_a_picture_uses_the_available_space() -> None:
    assert size_of(1.4, 80)[0] == 80
    assert size_of(1.4, 140)[0] == 140
    assert size_of(0.7, 300)[0] < 100
    assert size_of(1.4, 20)[0] == 60


def test_colours_and_letters_show_the_same_spaces() -> None:
    words = board("hanse-4-5")
    canvas = draw_canvas(words, BoardWriter(words), size_of(words["aspect"], 100))
    signs = [cell.sign for cell in canvas.cells.values()]
    squares = sum(s["shape"] == "square" for city in words["cities"] for s in city["spaces"])
    assert (signs.count("■"), signs.count("●")) == (squares, 62 - squares)


def test_wide_letters_and_accents_keep_the_columns() -> None:
    words = island()
    words["cities"][1]["name"] = "市場e\u0301"
    words["cities"][2]["name"] = "[red]Port[/]"
    board = atlas.board_from_words(words).words
    writer = BoardWriter(board, colours=False)
    assert "市場e\u0301 actions" in picture(board, writer, 80).plain
    assert len(writer.name(board["cities"][1])) == 5 + len(" actions/keys")
    tables = Console(width=100, file=StringIO())
    tables.print(cities_table(board, writer), routes_table(board, writer))
    assert "[red]Port[/]" in tables.file.getvalue()  # type: ignore[attr-defined]  # a StringIO
