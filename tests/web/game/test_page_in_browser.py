"""The page in a real browser: it shows the engine's positions, obeys keys, and runs no text of a record."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from referee import atlas
from referee.engine import game
from referee.engine.ruleset import make_ruleset
from referee.engine.state import GameState
from referee.engine.terms import ABILITIES
from referee.random_play import play_game
from referee.replay.timeline import open_timeline
from referee.web.game.page import write_page
from support.board_records import write_abandoned, write_record
from support.browser import Browser, BrowserFailed, Page
from support.golden_games import GAMES
from support.parts import only_in
from support.random_games import Game, decisions, played
from support.small_board import island

pytestmark = only_in("browser")

# One game a board: they have the neutral colour, missions, favours, promos, permits, green cities.
BOARDS = (
    ("hanse-4-5:4:bigbox+missions+favours+promos", 13),
    ("hanse-2-3:2:bigbox+missions+promos+neutral=britannia", 24),
    ("east:3:original", 1),
    ("britannia-4-5:4:bigbox+permits+promos", 11),
    ("britannia-2-3:3:bigbox+permits", 3),
)
SAMPLES = 20
HOSTILE = (
    "<script>hacked=1</script>",
    "<img src=x onerror=hacked=1>",
    "</script><script>hacked=1</script>",
)
REMARK = '"}]</script><svg onload=hacked=1>\u2028\x1b[31m{{game}}<!--'

# Reads everything that the page shows of a position from its elements.
READ = """(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const men = document.getElementById("men");
  const numbers = (text) => text ? text.split(" ").map(Number) : [];
  const parts = (row) => Object.fromEntries(all("td", row).map((td) => [td.dataset.part, Number(td.textContent)]));
  return {
    points: all("[data-points]", men).map((man) => Number(man.dataset.man)),
    posts: all("[data-posts]", men).map((man) => Number(man.dataset.man)),
    special: all("[data-special]", men).map((man) => Number(man.dataset.man)),
    additional: all("[data-additional]", men).map((row) => numbers(row.dataset.row)),
    green: all("[data-green]", men).map((row) => numbers(row.dataset.row)),
    markers: all(".bonus[data-route]", men).map((marker) => Number(marker.dataset.marker)),
    laid: all(".laid .bonus", men).length,
    seen: all("g.man", men).filter((man) => getComputedStyle(man).display !== "none").length,
    desks: all(".desk").map((desk) => ({
      prestige: Number(desk.querySelector(".desk-prestige").textContent),
      supply: all("[data-part=supply] .count", desk).map((count) => Number(count.dataset.count)),
      stock: all("[data-part=stock] .count", desk).map((count) => Number(count.dataset.count)),
      steps: all(".ability", desk).map((ability) => Number(ability.dataset.steps)),
      markers: numbers(desk.querySelector(".piles").dataset.markers),
      used: numbers(desk.querySelector(".piles").dataset.used),
      active: desk.classList.contains("active"),
    })),
    standings: all(".scores tbody tr").map(parts),
    pawns: all(".track .pawn").sort((a, b) => a.dataset.colour - b.dataset.colour)
      .map((pawn) => Number(pawn.parentElement.dataset.value)),
    turn: document.querySelector("#now b").textContent,
  };
})()"""


def expected(state: GameState) -> dict[str, Any]:
    """What READ must return for a position of the engine."""
    posts = [*state.posts, *(man for row in (*state.additional, *state.green) for man in row)]
    special = [0 if seat < 0 else 2 * seat + 3 for seat in state.special]
    return {
        "points": state.points,
        "posts": state.posts,
        "special": special,
        "additional": [list(row) for row in state.additional],
        "green": [list(row) for row in state.green],
        "markers": state.route_markers,
        "laid": len(state.laid),
        "seen": sum(man > 0 for man in (*state.points, *posts, *special)),
        "desks": [desk_of(state, seat) for seat in range(state.rules.players)],
        "standings": [standing_of(state, standing) for standing in game.standings(state)],
        "pawns": state.prestige,
        "turn": "The game is over" if state.is_over else f"Turn {state.turn}",
    }


def desk_of(state: GameState, seat: int) -> dict[str, Any]:
    return {
        "prestige": state.prestige[seat],
        "supply": state.supply[2 * seat : 2 * seat + 2],
        "stock": state.stock[2 * seat : 2 * seat + 2],
        "steps": state.desk[5 * seat : 5 * seat + len(ABILITIES)],
        "markers": list(state.markers[seat]),
        "used": list(state.used[seat]),
        "active": state.active == seat,
    }


def standing_of(state: GameState, standing: game.Standing) -> dict[str, int]:
    names = ("rank", "total", "track", "abilities", "markers", "special", "cities", "network")
    shown = {name: getattr(standing, name) for name in names}
    if state.missions:
        shown["missions"] = standing.missions
    countries = state.board.words["countries"]
    giving = [name for name, country in countries.items() if country["prestige"]]
    return shown | dict(zip(giving, standing.countries, strict=True))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as started:
        yield started


@cache
def recorded(folder: Path, name: str, seed: int) -> tuple[Game, Path]:
    recording = played(name, seed)
    path = write_record(folder / f"{recording.board.id}.jsonl", recording, says={5: "Good luck!"})
    write_page(path, path.with_suffix(".html"))
    return recording, path.with_suffix(".html")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@pytest.fixture
def page(browser: Browser, folder: Path) -> Iterator[Page]:
    """A page of one game, at its first step; the browser must not report any problem."""
    _, path = recorded(folder, *BOARDS[2])
    opened_page = browser.open(path)
    yield opened_page
    assert opened_page.complaints == []
    assert [
        address for address in opened_page.asked_for if not address.startswith(("file:", "data:"))
    ] == []
    opened_page.close()


def opened(browser: Browser, folder: Path, record: Path) -> Page:
    target = folder / f"{record.stem}.html"
    write_page(record, target)
    return browser.open(target)


def step_of(page: Page) -> int:
    return int(page.run("document.body.dataset.step"))


def go(page: Page, step: int) -> None:
    page.run(
        f"(() => {{ const s = document.getElementById('slider'); s.value = {step};"
        " s.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )


# --- every board -----------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "seed"), BOARDS)
def test_the_page_shows_the_positions_of_the_engine(
    browser: Browser, folder: Path, name: str, seed: int
) -> None:
    recording, path = recorded(folder, name, seed)
    page = browser.open(path)
    last = len(recording.indices)
    assert page.run("Number(document.getElementById('slider').max)") == last
    wanted = {round(last * sample / (SAMPLES - 1)) for sample in range(SAMPLES)}
    for step, state in enumerate(decisions(recording)):
        if step in wanted:
            go(page, step)
            assert page.run(READ) == expected(state), f"step {step}"
    assert (page.complaints, page.asked_for) == ([], [path.as_uri()])
    page.close()


@pytest.mark.parametrize(("name", "seed"), BOARDS)
def test_the_slider_reaches_every_step(
    browser: Browser, folder: Path, name: str, seed: int
) -> None:
    recording, path = recorded(folder, name, seed)
    page = browser.open(path)
    reached = page.run(
        "(() => { const s = document.getElementById('slider'), reached = [];"
        " for (let i = Number(s.max); i >= 0; i--) { s.value = i;"
        " s.dispatchEvent(new Event('input')); reached.push([Number(document.body.dataset.step),"
        " Number(document.querySelector('[aria-current]').dataset.step)]); } return reached; })()"
    )
    assert reached == [[step, step] for step in range(len(recording.indices), -1, -1)]
    assert page.complaints == []
    page.close()


# --- keys, clicks, play ----------------------------------------------------------------------


def test_keys_step_through_the_game(page: Page) -> None:
    last = page.run("Number(document.getElementById('slider').max)")
    seen = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "Home", "ArrowLeft"):
        page.press(key)
        seen.append(step_of(page))
    assert seen == [1, 2, 1, last, last, 0, 0]


def test_keys_go_from_turn_to_turn(page: Page, folder: Path) -> None:
    recording, _ = recorded(folder, *BOARDS[2])
    turns = [state.turn for state in decisions(recording)]
    begins = [turns.index(number) for number in (1, 2, 3)]
    seen = []
    for key in ("n", "n", "ArrowRight", "p", "p", "PageDown", "PageUp", "PageUp"):
        page.press(key)
        seen.append(step_of(page))
    first, second, third = begins
    assert seen == [second, third, third + 1, third, second, third, second, first]


def test_keys_do_the_same_on_the_slider(page: Page) -> None:
    page.run("document.getElementById('slider').focus()")
    page.press("ArrowRight", "ArrowRight")
    assert (step_of(page), page.run("document.getElementById('slider').value")) == (2, "2")
    assert page.run("document.getElementById('slider').ariaValueText").startswith("Step 2 of ")


def test_space_plays_and_pauses(page: Page) -> None:
    page.press("+", "+", " ")
    page.until("Number(document.body.dataset.step) >= 3")
    page.press(" ")
    assert page.run("document.getElementById('play').ariaLabel") == "Play"
    step = step_of(page)
    page.run("new Promise((done) => setTimeout(done, 300))")
    assert step_of(page) == step


def test_a_click_on_a_log_line_goes_to_its_step(page: Page) -> None:
    page.click("#log .entry[data-step='4']")
    assert step_of(page) == 4
    page.press("ArrowRight")
    assert page.run("document.activeElement.dataset.step") == "5"
    page.press(" ")
    page.until("Number(document.body.dataset.step) > 5")
    page.press(" ")


def test_a_click_in_the_graph_goes_to_its_step(page: Page) -> None:
    page.click("#plot svg")
    last = page.run("Number(document.getElementById('slider').max)")
    assert abs(step_of(page) - last / 2) <= 1


def test_the_help_opens_and_closes_with_keys(page: Page) -> None:
    page.press("?")
    assert page.run("document.getElementById('help').open") is True
    page.press("ArrowRight", "Escape")
    assert page.run("document.getElementById('help').open") is False
    assert step_of(page) == 0


def test_the_address_keeps_the_step(page: Page) -> None:
    page.press("ArrowRight", "ArrowRight", "ArrowRight")
    page.until("location.hash === '#3'")
    page.run("location.hash = '#7'")
    page.until("document.body.dataset.step === '7'")


def test_the_whole_log_is_made_when_the_browser_is_idle(page: Page) -> None:
    page.until("document.getElementById('log').dataset.made === 'all'")
    last = page.run("Number(document.getElementById('slider').max)")
    assert page.run("document.querySelectorAll('#log .entry').length") == last + 1


# --- accessibility ---------------------------------------------------------------------------


def test_every_control_has_an_accessible_name(page: Page) -> None:
    page.call("Accessibility.enable")
    tree = page.call("Accessibility.getFullAXTree")["nodes"]
    used = {"button", "slider", "combobox", "image", "img", "dialog", "region", "group"}
    roles = [(node["role"]["value"], node.get("name", {}).get("value")) for node in tree
             if not node["ignored"] and node["role"]["value"] in used]  # fmt: skip
    assert {"button", "slider", "region"} <= {role for role, _ in roles}
    assert [role for role, name in roles if not name] == []


def test_a_step_is_announced_to_screen_readers(page: Page) -> None:
    page.press("ArrowRight")
    page.until("document.getElementById('live').textContent.startsWith('Adele ')")


def test_the_position_can_be_read_as_text(page: Page) -> None:
    page.press("End", "?")
    page.run("document.querySelector('#as-text summary').click()")
    page.until("document.querySelectorAll('#position li').length > 10")


@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 568), (768, 1024), (1280, 800)])
def test_nothing_overflows_sideways(
    browser: Browser, folder: Path, width: int, height: int
) -> None:
    for name, seed in (BOARDS[0], BOARDS[3]):
        _, path = recorded(folder, name, seed)
        page = browser.open(path, width=width, height=height)
        page.press("End")
        for tab in ("log", "desks", "scores"):
            page.run(f"document.querySelector('button[data-tab={tab}]').click()")
            assert page.run("document.documentElement.scrollWidth") <= width, tab
        visible = "document.querySelector('.stack').getBoundingClientRect().width"
        assert page.run(visible) >= min(width, 320) * 0.9
        page.close()


def test_the_theme_can_be_light_or_dark(browser: Browser, folder: Path) -> None:
    _, path = recorded(folder, *BOARDS[2])
    ground = "getComputedStyle(document.body).backgroundColor"
    seen = []
    for dark in (False, True):
        page = browser.open(path, dark=dark)
        seen.append(page.run(ground))
        page.press("t")
        seen.append(page.run(ground))
        page.close()
    light, toggled, dark_ground, back = seen
    assert light == back != dark_ground == toggled


# --- records of all kinds --------------------------------------------------------------------


def test_faults_are_marked_and_can_be_jumped_to(browser: Browser, folder: Path) -> None:
    record = write_abandoned(folder / "faults.jsonl", played(*GAMES[3]), REMARK)
    page = opened(browser, folder, record)
    marks = page.run("[...document.querySelectorAll('.fault-mark')].map((m) => +m.dataset.step)")
    page.press("f")
    assert len(marks) == 3
    assert step_of(page) == marks[0]
    assert "disqualified" in page.run("document.querySelector('#log [aria-current]').textContent")
    page.press("End")
    assert page.run("document.querySelectorAll('.desk .chip.fault').length") == 3
    assert page.run("document.getElementById('now').textContent").startswith("The game is over")
    assert page.complaints == []
    page.close()


def test_how_another_seat_decided_is_not_shown(browser: Browser, folder: Path) -> None:
    record = recorded(folder, *BOARDS[2])[1].with_suffix(".jsonl")
    target = folder / "seat.html"
    write_page(record, target, viewer_seat=0)
    page = browser.open(target)
    asked = [
        (n, step.seat) for n, step in enumerate(open_timeline(record).steps) if step.by == "bot"
    ]
    for step, seat in asked[:20]:
        go(page, step)
        about = page.run("document.querySelector('.about-step').textContent")
        assert about.startswith(f"Decision {step}: ")
        assert about.endswith(" ms") == (seat == 0)
    assert {seat for _, seat in asked[:20]} > {0}
    assert page.complaints == []
    page.close()


def test_an_incomplete_record_can_be_watched(browser: Browser, folder: Path) -> None:
    record = write_record(folder / "cut.jsonl", played(*GAMES[3]), upto=40)
    record.write_bytes(record.read_bytes()[:-20])
    page = opened(browser, folder, record)
    page.press("End")
    assert "the record breaks off here" in page.run("document.getElementById('happened').innerText")
    assert page.complaints == []
    page.close()


def hostile_game() -> Game:
    """A board whose title and cities are markup."""
    words = island()
    words["title"] = "<script>hacked=1</script>"
    for city, name in zip(words["cities"], HOSTILE, strict=False):
        city["name"] = name
    board = atlas.board_from_words(words)
    rules = make_ruleset(atlas.load_components(), board, 3, max_turns=12)
    return Game(board, rules, 5, tuple(play_game(board, rules, 5).tally.indices))


def test_no_text_of_a_record_runs_as_script(browser: Browser, folder: Path) -> None:
    recording = hostile_game()
    says = dict.fromkeys(range(1, 30), REMARK)
    record = write_record(folder / "hostile.jsonl", recording, names=HOSTILE, says=says)
    page = opened(browser, folder, record)
    for _ in range(6):
        page.press("ArrowRight")
    page.press("?")
    assert page.run("typeof hacked") == "undefined"
    assert (
        page.run("document.querySelectorAll('img, script, iframe, [onload], [onerror]').length")
        == 2
    )
    shown = page.run("[...document.querySelectorAll('.who-name')].map((name) => name.textContent)")
    assert shown == list(HOSTILE)
    visible = REMARK.replace("\u2028", "\\u2028").replace("\x1b", "\\u001b")
    assert f"“{visible}”" in page.run("document.getElementById('log').textContent")
    assert HOSTILE[1] in page.run("document.querySelector('.stack').textContent")
    assert page.complaints == []
    page.close()


def test_the_policy_blocks_added_markup_and_downloads(browser: Browser, folder: Path) -> None:
    _, path = recorded(folder, *BOARDS[2])
    page = browser.open(path)
    with pytest.raises(BrowserFailed, match="TrustedHTML"):
        page.run("document.body.insertAdjacentHTML('beforeend', '<b>x</b>')")
    page.run(
        "document.body.appendChild(document.createElement('img')).src = 'http://127.0.0.1:9/x'"
    )
    for _ in range(100):
        page.run("new Promise((done) => setTimeout(done, 20))")
        if page.complaints:
            break
    assert any("Content Security Policy" in complaint for complaint in page.complaints)
    page.close()
