"""The analysis on the page, in a real browser: graph, marks, keys, and better turns on the board."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.analysis.lines import TurnAnalysis
from referee.analysis.shown import better_line, shown_analysis
from referee.replay.position import Viewpoint
from referee.replay.timeline import Timeline, open_timeline
from referee.web.game.page import write_page
from support.analysed_games import why, write_analysis
from support.board_records import write_record
from support.browser import Browser, Page
from support.parts import only_in
from support.random_games import played

pytestmark = only_in("browser")

GAME = "hanse-4-5:4:bigbox+missions+favours+promos"
MISTAKES = (4, 9, 22)
POINTS = (
    "[...document.querySelectorAll('#men [data-points]')].map((man) => Number(man.dataset.man))"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("analysed")


@pytest.fixture(scope="module")
def timeline(folder: Path) -> Timeline:
    record = write_record(folder / "game.jsonl", played(GAME))
    write_page(record, folder / "plain.html")
    write_analysis(record, MISTAKES)
    write_page(record, folder / "game.html")
    return open_timeline(record)


@pytest.fixture(scope="module")
def mistakes(timeline: Timeline) -> list[TurnAnalysis]:
    found = shown_analysis(timeline, Viewpoint())
    assert found is not None
    return found.mistakes


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as opened:
        yield opened


@pytest.fixture
def page(browser: Browser, folder: Path, timeline: Timeline) -> Iterator[Page]:
    assert timeline.path.parent == folder
    opened = browser.open(folder / "game.html")
    yield opened
    assert opened.complaints == []
    opened.close()


def step_of(page: Page) -> int:
    return int(page.run("document.body.dataset.step"))


def text_of(page: Page, name: str) -> str:
    return str(page.run(f"document.getElementById('{name}').textContent"))


def test_keys_go_from_mistake_to_mistake(page: Page, mistakes: list[TurnAnalysis]) -> None:
    first, second, third = (turn.first_step for turn in mistakes)
    seen = []
    for key in ("w", "w", "w", "w", "W", "W", "ArrowRight", "W"):
        page.press(key)
        seen.append(step_of(page))
    assert seen == [first, second, third, first, third, second, second + 1, second]


def test_the_buttons_do_the_same(page: Page, mistakes: list[TurnAnalysis]) -> None:
    page.click("#mistake-forward")
    assert step_of(page) == mistakes[0].first_step
    page.click("#mistake-back")
    assert step_of(page) == mistakes[-1].first_step
    page.click("#better")
    assert page.run("document.getElementById('better').ariaPressed") == "true"


def test_a_mistake_is_described_with_the_better_turn(
    page: Page, mistakes: list[TurnAnalysis]
) -> None:
    page.press("w")
    text = text_of(page, "judgement")
    assert "Turn 4 is a mistake: Dietrich loses 25 % (20 to 30 %). Better: " in text
    assert why(3) in text
    assert text.count(" %") >= 4
    page.until(f"document.getElementById('live').textContent.includes('{why(3)}')")


def test_the_better_turn_is_drawn_on_the_board(
    page: Page, timeline: Timeline, mistakes: list[TurnAnalysis]
) -> None:
    page.press("w", "w")
    before = page.run(POINTS)
    line = better_line(timeline, mistakes[1], Viewpoint())
    page.press("a")
    assert page.run(POINTS) == line[-1].state.points
    assert page.run("document.querySelectorAll('.halos circle').length") > 0
    assert "not played" in text_of(page, "happened")
    for step in reversed(line[:-1]):
        page.press("ArrowLeft")
        assert page.run(POINTS) == step.state.points
    page.press("ArrowLeft", "ArrowLeft")
    assert (page.run(POINTS), step_of(page)) == (before, mistakes[1].first_step)
    page.press("ArrowRight")
    assert page.run(POINTS) == line[0].state.points
    page.press("a")
    assert page.run(POINTS) == before
    assert page.run("'better' in document.body.dataset") is False


def test_another_step_leaves_the_better_turn(page: Page, mistakes: list[TurnAnalysis]) -> None:
    page.press("w", "a", "n")
    assert page.run("'better' in document.body.dataset") is False
    assert step_of(page) == mistakes[0].last_step
    page.press("a")  # this turn is not a mistake
    assert page.run("'better' in document.body.dataset") is False
    assert page.run("document.getElementById('better').disabled") is True


def test_graph_and_log_mark_the_mistakes(page: Page, mistakes: list[TurnAnalysis]) -> None:
    steps = [turn.first_step for turn in mistakes]
    for mark in (".mistake-mark", ".turn-head:has(.mistake)"):
        marked = f"[...document.querySelectorAll('{mark}')].map((one) => Number(one.dataset.step))"
        assert page.run(marked) == steps
    page.click(".mistake-mark:nth-child(2)")
    assert step_of(page) == steps[1]
    assert page.run("document.querySelectorAll('#plot path.line').length") == 4


def test_g_goes_through_all_graphs(page: Page) -> None:
    chosen = "document.querySelector('[data-graph][aria-pressed=true]').dataset.graph"
    seen = [page.run(chosen)]
    for _ in range(3):
        page.press("g")
        seen.append(page.run(chosen))
    assert seen == ["chances", "prestige", "totals", "chances"]


def test_a_page_without_an_analysis_has_no_signs_of_it(
    browser: Browser, folder: Path, timeline: Timeline
) -> None:
    assert timeline.path.parent == folder
    page = browser.open(folder / "plain.html")
    page.press("w", "W", "a", "g", "g")
    assert (step_of(page), page.complaints) == (0, [])
    assert page.run("document.getElementById('judged')") is None
    assert page.run("document.querySelectorAll('[data-graph]').length") == 2
    page.close()


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1900, 1000), (390, 844)])
def test_nothing_is_cut_off(
    width: int, height: int, browser: Browser, folder: Path, timeline: Timeline
) -> None:
    assert timeline.path.parent == folder
    page = browser.open(folder / "game.html", width=width, height=height)
    page.press("w", "a")
    assert page.run("document.documentElement.scrollWidth <= innerWidth")
    board = page.run("document.getElementById('men').getBoundingClientRect().height")
    assert board > height / 4
    page.close()
