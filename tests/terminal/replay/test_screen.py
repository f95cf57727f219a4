"""The screen of a step: it fits, it shows what there is, and names keep their places."""

from __future__ import annotations

import io
import re
import unicodedata

import pytest
from rich.cells import cell_len
from rich.console import Console

from referee.replay.controller import PANES, Viewer
from referee.replay.highlights import News, news_of
from referee.replay.position import position_at
from referee.replay.timeline import open_timeline
from referee.terminal.board.animated import AnimatedBoard, HighlightingWriter, shape_for
from referee.terminal.board.picture import BoardWriter
from referee.terminal.replay.screen import Screen
from support.replay_games import (
    EVERY,
    FULL,
    HOSTILE_SHOWN,
    SHORT,
    abandoned_record,
    hostile_record,
    timeline,
)

STYLE = re.compile(r"\x1b\[[\d;]*m")
SIZES = [(40, 12), (60, 20), (80, 24), (80, 40), (100, 40), (125, 30), (160, 50), (250, 70)]


def console(**options: object) -> Console:
    given = {"force_terminal": True, "color_system": "truecolor", **options}
    return Console(file=io.StringIO(), **given)  # type: ignore[arg-type]


def frame(viewer: Viewer, size: tuple[int, int], **options: object) -> list[str]:
    return Screen(viewer, console(**options)).frame(size)


def plain(lines: list[str]) -> str:
    return STYLE.sub("", "\n".join(lines))


def no_colour(lines: list[str]) -> set[str]:
    """The numbers of all styles that are set."""
    styles = STYLE.findall("\n".join(lines))
    return {number for style in styles for number in style[2:-1].split(";")}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", EVERY)
def test_every_pane_fits_every_size(name: str, size: tuple[int, int]) -> None:
    viewer = Viewer(timeline(name))
    screen = Screen(viewer, console())
    for pane in PANES:
        viewer.press(pane[0])
        for step in (0, viewer.timeline.creations[-1], viewer.timeline.last):
            viewer.go(step)
            lines = screen.frame(size)
            assert len(lines) == size[1]
            assert {cell_len(STYLE.sub("", line)) for line in lines} <= set(range(size[0] + 1))


@pytest.mark.parametrize("name", EVERY)
def test_a_usual_terminal_shows_every_city(name: str) -> None:
    viewer = Viewer(timeline(name))
    viewer.go(viewer.timeline.last)
    shown = plain(frame(viewer, (160, 50)))
    names = [city["name"] for city in viewer.timeline.board.words["cities"]]
    assert [name for name in names if name not in shown] == []


def test_a_small_terminal_shows_the_board_the_seats_and_the_step() -> None:
    viewer = Viewer(timeline(FULL))
    viewer.go(viewer.timeline.creations[2])
    lines = plain(frame(viewer, (80, 24))).splitlines()
    assert lines[0].startswith(f"{viewer.at} of {viewer.timeline.last}  turn ")
    names = [city["name"] for city in viewer.timeline.board.words["cities"]]
    assert sum(name in "\n".join(lines[1:19]) for name in names) == len(names)
    assert all(name in lines[19] for name in viewer.timeline.names)
    assert "creates the trade route" in "\n".join(lines[20:23])
    assert "? help" in lines[23]


@pytest.mark.parametrize("name", EVERY)
def test_a_line_for_each_desk_has_whole_heads_at_eighty_columns(name: str) -> None:
    shown = plain(frame(Viewer(timeline(name)), (80, 40)))
    heads = "prest. total keys actions priv. book bank supply stock markers"
    assert heads in " ".join(shown.split())


def test_a_board_that_is_too_tall_is_shown_where_something_happens() -> None:
    viewer = Viewer(timeline("britannia-4-5:5:bigbox+permits+promos"))
    words, screen = viewer.timeline.board.words, Screen(viewer, console())
    names = {city["id"]: city["name"] for city in words["cities"]}
    for step in viewer.timeline.creations:
        viewer.go(step)
        shown = "\n".join(plain(screen.frame((80, 24))).splitlines()[1:19])
        cities = news_of(viewer.timeline, step).cities
        assert len(cities) > 1 or all(names[city] in shown for city in cities)


def test_scrolling_reaches_all_of_a_board() -> None:
    viewer = Viewer(timeline("britannia-4-5:5:bigbox+permits+promos"))
    screen = Screen(viewer, console())
    seen = plain(screen.frame((80, 24)))
    for key in "j" * 60 + "k" * 90:
        viewer.press(key)
        seen += plain(screen.frame((80, 24)))
    assert all(city["name"] in seen for city in viewer.timeline.board.words["cities"])
    viewer.press("right")
    assert viewer.scrolled == 0


def test_what_is_new_stands_out() -> None:
    viewer = Viewer(timeline(FULL))
    viewer.go(viewer.timeline.creations[0])
    lit = "\n".join(frame(viewer, (100, 40)))
    cities = {city["id"]: city["name"] for city in viewer.timeline.board.words["cities"]}
    for city in news_of(viewer.timeline, viewer.at).cities:
        assert re.search(rf"\x1b\[[\d;]*7[\d;]*m{cities[city]}", lit)


@pytest.mark.parametrize("size", [(80, 18), (100, 30)])
def test_names_keep_their_places_through_a_game(size: tuple[int, int]) -> None:
    line = timeline(FULL)
    words, sketch = line.board.words, AnimatedBoard(line.board.words, size)
    places: dict[str, set[int]] = {}
    for step in range(0, line.last, 40):
        pen = HighlightingWriter(words, position_at(line, step, None).seen, News(), colours=False)
        rows = ["".join(one.text for one in row) for row in sketch.draw(pen)]
        for city in words["cities"]:
            found = [at for at, row in enumerate(rows) if city["name"] in row]
            places.setdefault(city["id"], set()).update(found)
    moved = [city for city, rows_of in places.items() if len(rows_of) > 1]
    grown = [city["id"] for city in words["cities"] if _grows(line.last, city["id"])]
    assert set(moved) <= set(grown)


def _grows(step: int, city: str) -> bool:
    return bool(position_at(timeline(FULL), step, None).seen["cities"][city]["additional"])


def test_a_board_is_rather_narrower_than_flatter() -> None:
    assert shape_for(1.4, 80, 40).size[0] == 80
    assert shape_for(0.7, 160, 48).size[0] < 100
    assert shape_for(1.4, 80, 18).size == (80, 18)
    (_, rows), room = shape_for(0.7, 80, 18)
    assert rows > room == 18
    assert shape_for(1.4, 80, 18, true=True).size[1] > 30


# --- Colours and letters


def test_without_colours_numbers_tell_the_seats() -> None:
    viewer = Viewer(timeline(FULL))
    viewer.go(200)
    lines = frame(viewer, (80, 24), no_color=True)
    assert "0⓪ Adele" in plain(lines)
    assert no_colour(lines) <= {"0", "1", "2", "3", "4", "5", "7", ""}


def test_without_unicode_everything_is_ascii() -> None:
    out = Console(file=io.TextIOWrapper(io.BytesIO(), "ascii"), force_terminal=True, no_color=True)
    viewer = Viewer(timeline(FULL))
    screen = Screen(viewer, out)
    for pane in (*PANES, "?"):
        viewer.press(pane[0])
        for size in SIZES:
            assert plain(screen.frame(size)).isascii()


def test_hostile_names_and_remarks_are_plain_text() -> None:
    viewer = Viewer(open_timeline(hostile_record()))
    screen = Screen(viewer, console())
    for pane in PANES:
        viewer.press(pane[0])
        for size in SIZES[2:7:2]:
            for step in (0, 1, 2, viewer.timeline.last):
                viewer.go(step)
                shown = plain(screen.frame(size)).replace("\n", "")
                assert [c for c in shown if unicodedata.category(c)[0] == "C"] == []
    viewer.press("l")
    viewer.go(1)
    assert HOSTILE_SHOWN in re.sub(r"\s", "", plain(screen.frame((100, 40))))


def test_a_fault_is_shown_at_its_step() -> None:
    viewer = Viewer(open_timeline(abandoned_record()))
    viewer.press("f")
    shown = plain(frame(viewer, (100, 40)))
    assert "✗ \\u001b]0;owned" in shown
    assert "disqualified" in shown


def test_eyes_hide_the_missions_of_others() -> None:
    viewer = Viewer(timeline(SHORT), eyes=1)
    viewer.press("d")
    shown = plain(frame(viewer, (100, 45)))
    assert shown.count("mission of") == 1
    assert "mission of ● Bruno" in shown
    viewer.press("s")
    assert "the missions of others are not known" in plain(frame(viewer, (100, 45)))


def test_a_tiny_terminal_is_asked_to_grow() -> None:
    assert "too small" in plain(frame(Viewer(timeline(SHORT)), (30, 8)))


def test_a_blank_pen_and_a_lit_one_write_cities_alike() -> None:
    words = timeline(SHORT).board.words
    lit = HighlightingWriter(words, position_at(timeline(SHORT), 0, None).seen, News())
    for city in words["cities"]:
        assert len(lit.name(city)) == len(BoardWriter(words).name(city))
