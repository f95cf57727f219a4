"""The screen of a step: it fits, it shows what there is, and names keep their places."""

from __future__ import annotations

import io
import re
import unicodedata

import pytest
from rich.cells import cell_len
from rich.console import Console

from referee.replay.controller import PANES, ReplayController
from referee.replay.highlights import Highlights, highlights_of
from referee.replay.position import Viewpoint, position_at
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
SIZES = [(40, 12), (60, 20), (80, 40), (125, 30), (250, 70)]


def console(**options: object) -> Console:
    given = {"force_terminal": True, "color_system": "truecolor", **options}
    return Console(file=io.StringIO(), **given)  # type: ignore[arg-type]


def frame(controller: ReplayController, size: tuple[int, int], **options: object) -> list[str]:
    return Screen(controller, console(**options)).frame(size)


def plain(lines: list[str]) -> str:
    return STYLE.sub("", "\n".join(lines))


def no_colour(lines: list[str]) -> set[str]:
    """The numbers of all styles that are set."""
    styles = STYLE.findall("\n".join(lines))
    return {number for style in styles for number in style[2:-1].split(";")}


def assert_every_pane_fits(name: str, size: tuple[int, int], *steps: int) -> None:
    """Draw all panes after the last trade route, at the end, and at these steps."""
    controller = ReplayController(timeline(name))
    screen = Screen(controller, console())
    for pane in PANES:
        controller.press(pane[0])
        for step in (*steps, controller.timeline.creations[-1], controller.timeline.last):
            controller.go(step)
            lines = screen.frame(size)
            assert len(lines) == size[1]
            assert {cell_len(STYLE.sub("", line)) for line in lines} <= set(range(size[0] + 1))


@pytest.mark.parametrize("size", SIZES)
def test_every_pane_fits_every_size(size: tuple[int, int]) -> None:
    assert_every_pane_fits(FULL, size, 0)


@pytest.mark.parametrize("name", EVERY[2:])  # the other boards
def test_every_pane_of_every_board_fits(name: str) -> None:
    assert_every_pane_fits(name, (80, 24))


@pytest.mark.parametrize("name", EVERY)
def test_a_large_terminal_shows_every_city(name: str) -> None:
    controller = ReplayController(timeline(name))
    controller.go(controller.timeline.last)
    shown = plain(frame(controller, (160, 50)))
    names = [city["name"] for city in controller.timeline.board.words["cities"]]
    assert [name for name in names if name not in shown] == []


def test_a_small_terminal_shows_the_board_the_seats_and_the_step() -> None:
    controller = ReplayController(timeline(FULL))
    controller.go(controller.timeline.creations[2])
    lines = plain(frame(controller, (80, 24))).splitlines()
    assert lines[0].startswith(f"{controller.at} of {controller.timeline.last}  turn ")
    names = [city["name"] for city in controller.timeline.board.words["cities"]]
    assert sum(name in "\n".join(lines[1:19]) for name in names) == len(names)
    assert all(name in lines[19] for name in controller.timeline.names)
    assert "creates the trade route" in "\n".join(lines[20:23])
    assert "? help" in lines[23]


@pytest.mark.parametrize("name", EVERY)
def test_the_headings_of_desks_fit_in_eighty_columns(name: str) -> None:
    shown = plain(frame(ReplayController(timeline(name)), (80, 40)))
    heads = "prest. total keys actions priv. book bank supply stock markers"
    assert heads in " ".join(shown.split())


def test_a_board_that_is_too_tall_is_shown_where_it_changed() -> None:
    controller = ReplayController(timeline("britannia-4-5:5:bigbox+permits+promos"))
    words, screen = controller.timeline.board.words, Screen(controller, console())
    names = {city["id"]: city["name"] for city in words["cities"]}
    for step in controller.timeline.creations:
        controller.go(step)
        shown = "\n".join(plain(screen.frame((80, 24))).splitlines()[1:19])
        cities = highlights_of(controller.timeline, step).cities
        assert len(cities) > 1 or all(names[city] in shown for city in cities)


def test_scrolling_reaches_all_of_a_board() -> None:
    controller = ReplayController(timeline("britannia-4-5:5:bigbox+permits+promos"))
    screen = Screen(controller, console())
    seen = plain(screen.frame((80, 24)))
    for keys in ["j" * 9] * 7 + ["k" * 9] * 10:
        for key in keys:
            controller.press(key)
        seen += plain(screen.frame((80, 24)))
    assert all(city["name"] in seen for city in controller.timeline.board.words["cities"])
    controller.press("right")
    assert controller.scrolled == 0


def test_what_changed_is_highlighted() -> None:
    controller = ReplayController(timeline(FULL))
    controller.go(controller.timeline.creations[0])
    lit = "\n".join(frame(controller, (100, 40)))
    cities = {city["id"]: city["name"] for city in controller.timeline.board.words["cities"]}
    for city in highlights_of(controller.timeline, controller.at).cities:
        assert re.search(rf"\x1b\[[\d;]*7[\d;]*m{cities[city]}", lit)


@pytest.mark.parametrize("size", [(80, 18), (100, 30)])
def test_names_keep_their_places_through_a_game(size: tuple[int, int]) -> None:
    line = timeline(FULL)
    words, sketch = line.board.words, AnimatedBoard(line.board.words, size)
    places: dict[str, set[int]] = {}
    for step in range(0, line.last, 40):
        pen = HighlightingWriter(
            words, position_at(line, step, Viewpoint()).seen, Highlights(), colours=False
        )
        rows = ["".join(one.text for one in row) for row in sketch.draw(pen)]
        for city in words["cities"]:
            found = [at for at, row in enumerate(rows) if city["name"] in row]
            places.setdefault(city["id"], set()).update(found)
    moved = [city for city, rows_of in places.items() if len(rows_of) > 1]
    grown = [city["id"] for city in words["cities"] if _grows(line.last, city["id"])]
    assert set(moved) <= set(grown)


def _grows(step: int, city: str) -> bool:
    return bool(position_at(timeline(FULL), step, Viewpoint()).seen["cities"][city]["additional"])


def test_a_board_gets_narrower_rather_than_flatter() -> None:
    assert shape_for(1.4, 80, 40).size[0] == 80
    assert shape_for(0.7, 160, 48).size[0] < 100
    assert shape_for(1.4, 80, 18).size == (80, 18)
    (_, rows), visible_rows = shape_for(0.7, 80, 18)
    assert rows > visible_rows == 18
    assert shape_for(1.4, 80, 18, true_shape=True).size[1] > 30


# --- Colours and letters


def test_without_colours_numbers_show_the_seats() -> None:
    controller = ReplayController(timeline(FULL))
    controller.go(200)
    lines = frame(controller, (80, 24), no_color=True)
    assert "0⓪ Adele" in plain(lines)
    assert no_colour(lines) <= {"0", "1", "2", "3", "4", "5", "7", ""}


def test_without_unicode_everything_is_ascii() -> None:
    out = Console(file=io.TextIOWrapper(io.BytesIO(), "ascii"), force_terminal=True, no_color=True)
    controller = ReplayController(timeline(FULL))
    screen = Screen(controller, out)
    for pane in (*PANES, "?"):
        controller.press(pane[0])
        for size in ((40, 12), (80, 24), (160, 50)):
            assert plain(screen.frame(size)).isascii()


def test_hostile_names_and_remarks_are_plain_text() -> None:
    controller = ReplayController(open_timeline(hostile_record()))
    screen = Screen(controller, console())
    for pane in PANES:
        controller.press(pane[0])
        for size in ((80, 24), (160, 50)):
            for step in (0, 2, controller.timeline.last):
                controller.go(step)
                shown = plain(screen.frame(size)).replace("\n", "")
                assert [c for c in shown if unicodedata.category(c)[0] == "C"] == []
    controller.press("l")
    controller.go(1)
    assert HOSTILE_SHOWN in re.sub(r"\s", "", plain(screen.frame((100, 40))))


def test_the_number_of_a_choice_is_its_index() -> None:
    controller = ReplayController(timeline(FULL))
    steps = controller.timeline.steps
    at = next(at for at, step in enumerate(steps) if step.by == "bot" and step.picked > 1)
    controller.go(at)
    text = f"choice {steps[at].picked} of 0 to {steps[at].offered - 1}, "
    assert text in plain(frame(controller, (120, 24))).splitlines()[0]


def test_a_fault_is_shown_at_its_step() -> None:
    controller = ReplayController(open_timeline(abandoned_record()))
    controller.press("f")
    shown = plain(frame(controller, (100, 40)))
    assert "✗ \\u001b]0;owned" in shown
    assert "disqualified" in shown


def test_the_missions_of_other_seats_are_hidden() -> None:
    controller = ReplayController(timeline(SHORT), Viewpoint(1))
    controller.press("d")
    shown = plain(frame(controller, (100, 45)))
    assert shown.count("mission of") == 1
    assert "mission of ● Bruno" in shown
    controller.press("s")
    assert "the missions of others are not known" in plain(frame(controller, (100, 45)))


def test_a_tiny_terminal_says_that_it_is_too_small() -> None:
    assert "too small" in plain(frame(ReplayController(timeline(SHORT)), (30, 8)))


def test_highlighting_does_not_change_the_length_of_city_names() -> None:
    words = timeline(SHORT).board.words
    lit = HighlightingWriter(words, position_at(timeline(SHORT), 0, Viewpoint()).seen, Highlights())
    for city in words["cities"]:
        assert len(lit.name(city)) == len(BoardWriter(words).name(city))
