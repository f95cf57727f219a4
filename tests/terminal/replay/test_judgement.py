"""An analysed game in the terminal: the graph, the marks in the log, and better turns on the board."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from referee.analysis.shown import RecordAnalysis
from referee.replay.controller import ANALYSED_PANES, NOT_ANALYSED, ReplayController
from referee.replay.position import Viewpoint
from referee.replay.timeline import Timeline, open_timeline
from referee.terminal.replay.screen import Screen
from support.analysed_games import why, write_analysis
from support.board_records import write_record
from support.replay_games import SHORT, game_of, timeline

STYLE = re.compile(r"\x1b\[[\d;]*m")
SIZES = [(40, 12), (80, 24), (80, 40), (140, 42)]
MISTAKES = (4, 9, 20)


@pytest.fixture(scope="module")
def analysed(tmp_path_factory: pytest.TempPathFactory) -> Timeline:
    record = write_record(tmp_path_factory.mktemp("judged") / "game.jsonl", game_of(SHORT))
    write_analysis(record, MISTAKES)
    return open_timeline(record)


def viewer(found: Timeline, seat: int | None = None) -> tuple[ReplayController, Screen]:
    return viewer_in(found, "utf-8", seat)


def viewer_in(
    found: Timeline, encoding: str, seat: int | None = None
) -> tuple[ReplayController, Screen]:
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    console = Console(file=file, force_terminal=True, color_system="truecolor")
    analysis = RecordAnalysis(found)
    controller = ReplayController(found, Viewpoint(seat), analysis)
    return controller, Screen(controller, console, analysis)


def press(controller: ReplayController, *keys: str) -> int:
    for key in keys:
        controller.press(key)
    return controller.at


def shown(screen: Screen, size: tuple[int, int] = (140, 42)) -> str:
    return STYLE.sub("", "\n".join(screen.frame(size)))


def test_w_goes_from_mistake_to_mistake(analysed: Timeline) -> None:
    controller, _ = viewer(analysed)
    first, second, third = (analysed.turns[turn - 1].step for turn in MISTAKES)
    seen = [press(controller, key) for key in ("w", "w", "w", "w", "W", "W", "W")]
    assert seen == [first, second, third, third, second, first, first]
    assert controller.notice == "no mistake before this"


def test_a_shows_the_better_turn_and_the_arrows_step_through_it(analysed: Timeline) -> None:
    controller, screen = viewer(analysed)
    step = press(controller, "w")
    length = RecordAnalysis(analysed).line_length(Viewpoint(), step)
    assert press(controller, "a") == step
    assert controller.better == length
    assert f"better turn {length}/{length}" in shown(screen)
    assert press(controller, *["left"] * (length + 3)) == step
    assert f"better turn 0/{length}" in shown(screen)
    press(controller, "right")
    assert f"better turn 1/{length}" in shown(screen)
    press(controller, "a")
    assert "better turn" not in shown(screen)


def test_another_step_leaves_the_better_turn(analysed: Timeline) -> None:
    for key in ("n", "end", "w", "e"):
        controller, _ = viewer(analysed)
        press(controller, "w", "a")
        shows_better = [controller.better is not None]
        press(controller, key)
        assert [*shows_better, controller.better is not None] == [True, False]


def test_the_board_shows_the_better_turn(analysed: Timeline) -> None:
    controller, screen = viewer(analysed)
    step = press(controller, "w", "w")
    before = shown(screen)
    press(controller, "a")
    line = RecordAnalysis(analysed).line(Viewpoint(), step)
    position = screen._position()
    assert position.state.points == line[-1].state.points
    assert screen._highlights().points
    assert shown(screen) != before
    press(controller, *["left"] * 99)
    assert screen._position().state.points == analysed.state(step).points


def test_a_mistake_is_marked_in_the_log_and_described(analysed: Timeline) -> None:
    controller, screen = viewer(analysed)
    press(controller, "w", "right")
    seat = (MISTAKES[0] - 1) % 3
    assert f" {MISTAKES[0]}?" in shown(screen)
    press(controller, "left")
    assert f"turn {MISTAKES[0]} is a mistake" in shown(screen)
    press(controller, "a")
    assert why(seat) in shown(screen)


def test_g_shows_a_graph_with_a_line_and_marks_for_each_seat(analysed: Timeline) -> None:
    controller, screen = viewer(analysed)
    press(controller, "w", "g")
    assert controller.pane == "graph"
    text = shown(screen, (80, 24))
    bars = [line for line in text.splitlines() if "▁" in line or "▃" in line]
    assert len(bars) == 3
    assert sum(set(line.strip()) == {"?"} for line in text.splitlines()) == 3
    assert "better: " in text


def test_the_graph_has_an_ascii_form(analysed: Timeline) -> None:
    controller, screen = viewer_in(analysed, "ascii")
    press(controller, "w", "g")
    text = shown(screen, (80, 24))
    assert text.isascii()
    assert re.search(r"% [_=^-]{20}", text)


@pytest.mark.parametrize("size", SIZES)
def test_everything_fits_every_size(size: tuple[int, int], analysed: Timeline) -> None:
    controller, screen = viewer(analysed)
    for pane in ANALYSED_PANES:
        for keys in (["home", pane[0], "w"], ["a"], ["left"]):
            press(controller, *keys)
            lines = screen.frame(size)
            assert len(lines) == size[1]
            assert {cell_len(STYLE.sub("", line)) for line in lines} <= set(range(size[0] + 1))


def test_a_turn_that_is_not_a_mistake_has_no_better_turn(analysed: Timeline) -> None:
    controller, _ = viewer(analysed)
    press(controller, "a")
    assert (controller.better, "not a mistake" in controller.notice) == (None, True)


def test_without_an_analysis_the_keys_say_how_to_make_one() -> None:
    controller, screen = viewer(timeline(SHORT))
    for key in ("w", "W", "a", "g"):
        assert press(controller, key) == 0
        assert controller.notice == NOT_ANALYSED
        assert "referee analyse" in shown(screen, (80, 24))
    for _ in range(4):
        press(controller, "tab")
    assert controller.pane == "board"


def test_a_seat_sees_the_mistakes_of_its_own(analysed: Timeline) -> None:
    for seat in range(3):
        controller, screen = viewer(analysed, seat)
        own = [turn for turn in MISTAKES if (turn - 1) % 3 == seat]
        found = sorted({press(controller, "w") for _ in MISTAKES} - {0})
        assert found == [analysed.turns[turn - 1].step for turn in own]
        press(controller, "home", *["w"] * bool(own), "a", "g")
        text = shown(screen)
        assert not any(why(other) in text for other in range(3) if other != seat)


def test_an_analysis_of_another_record_is_not_shown(analysed: Timeline, tmp_path: Path) -> None:
    other = tmp_path / "game.jsonl"
    other.write_bytes(analysed.path.read_bytes() + b"\n")
    (tmp_path / "game.analysis.jsonl").write_bytes(
        analysed.path.with_name("game.analysis.jsonl").read_bytes()
    )
    assert RecordAnalysis(open_timeline(other)).mistakes(Viewpoint()) is None
