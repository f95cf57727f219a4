"""The site in a real browser, opened from disk: it works, it fits, and no text of a bot runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from referee.bots.profile import Profile
from referee.tournament.definition import RunOptions
from referee.tournament.request import TableRequest, TournamentRequest
from referee.web.game.page import write_page
from referee.web.site.build import make_site
from support.browser import Browser, BrowserFailed, Page
from support.parts import only_in
from support.sample_site import STRENGTH, TURNS, TWO_TABLES, fault, write_tournament

pytestmark = only_in("browser")

ROWS = "[...document.querySelectorAll('[data-list={}] tbody tr')]"
WAIT = "document.body.dataset.ready === 'yes'"
HOSTILE = (
    "<script>hacked=1</script>",
    "<img src=x onerror=hacked=1>",
    "</script><script>hacked=1</script>",
    "javascript:hacked=1",
)
MESSAGE = '"}]</script><svg onload=hacked=1>\u2028\x1b[31m{{data}}<!--'


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as started:
        yield started


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_tournament(
        tmp_path_factory.mktemp("browsed") / "t",
        tables=TWO_TABLES,
        blocks=6,
        faults={0: [fault(0, 4, stderr=b"one\ntwo"), fault(1, 7, kind="crash")], 5: [fault(1)]},
        records=[0],
        void=3,
        out={"dora": "it was at fault too often"},
        about=TournamentRequest(title="Spring cup", introduction="# Welcome\n\nto the cup"),
    )
    make_site(folder, folder.parent / "site")
    return folder.parent / "site"


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Many bots with the longest names, one of them hopeless; Swiss rounds; tables with long names."""
    names = [
        f"{'a-name-as-long-as-a-name-may-be':36}{number:02}".replace(" ", "-")
        for number in range(12)
    ]
    tables = tuple(
        TableRequest(
            seats=3, max_turns=TURNS + more, name=f"a table with a long name, number {more}"
        )
        for more in range(2)
    )
    folder = write_tournament(
        tmp_path_factory.mktemp("crowded") / "t",
        strength={name: 1e-9 if number == 0 else 1.0 + number for number, name in enumerate(names)},
        tables=tables,
        options=RunOptions(format="swiss", rounds=8),
        faults={0: [fault(0, 4, kind="illegal-choice", message="no " + "space" * 30)]},
        about=TournamentRequest(title="A cup with " + "a long title " * 8),
        profiles={names[0]: Profile("x" * 100, "y" * 300, f"https://example.org/{'z' * 200}")},
    )
    make_site(folder, folder.parent / "site")
    return folder.parent / "site"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Names and messages that are markup: no real bot can have such a name, but a store can."""
    hostile_fault = fault(
        0, 2, kind=HOSTILE[0], message=MESSAGE, data=MESSAGE.encode(), stderr=b"\xff<b>"
    )
    folder = write_tournament(
        tmp_path_factory.mktemp("hostile") / "t",
        strength=dict.fromkeys(HOSTILE, 1.0),
        faults={0: [hostile_fault]},
        records=[0],
        out={HOSTILE[1]: MESSAGE},
        about=TournamentRequest(title=HOSTILE[1], introduction="\n\n".join([*HOSTILE, MESSAGE])),
        profiles=dict.fromkeys(HOSTILE, Profile(HOSTILE[1], MESSAGE, HOSTILE[3])),
    )
    make_site(folder, folder.parent / "site")
    return folder.parent / "site"


def opened(browser: Browser, path: Path, *, width: int = 1400, dark: bool = False) -> Page:
    page = browser.open(path, width=width, dark=dark)
    page.until(WAIT)
    return page


def go(page: Page, address: str) -> None:
    """Load another page in the same tab."""
    page.reported.clear()
    page.load(address)
    page.until(WAIT)


def close(page: Page) -> None:
    """Close a page; it must have reported no problem and loaded only files."""
    assert page.complaints == []
    assert [
        address for address in page.asked_for if not address.startswith(("file:", "data:"))
    ] == []
    page.close()


def count(page: Page, what: str) -> int:
    return int(page.run(f"{ROWS.format(what)}.length"))


def choose(page: Page, what: str, key: str, text: str) -> None:
    page.run(
        f"(() => {{ const s = document.querySelector('[data-list={what}] [data-filter={key}]');"
        f" s.value = [...s.options].find((o) => o.text === {json.dumps(text)}).value;"
        " s.dispatchEvent(new Event('change')); })()"
    )


PAGES = ("index.html", "games.html", "faults.html", "bots/anna.html", "games/b0000-0.html")
CUT = """[...document.querySelectorAll('.scroll, .card, .top, nav')]
    .filter((part) => part.scrollWidth > part.clientWidth + 1).map((part) => part.outerHTML.slice(0, 90))"""


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("dark", [False, True])
def test_nothing_is_cut_on_a_phone_or_on_a_desktop(
    browser: Browser, site: Path, name: str, dark: bool
) -> None:
    for width in (390, 1280):
        page = opened(browser, site / name, width=width, dark=dark)
        assert page.run("document.documentElement.scrollWidth") == width
        assert page.run(CUT) == []
        ground = page.run("getComputedStyle(document.body).backgroundColor")
        assert ground == ("rgb(21, 17, 13)" if dark else "rgb(239, 230, 208)")
        close(page)


@pytest.mark.parametrize("width", [390, 1280])
def test_long_names_are_not_cut_either(browser: Browser, crowded: Path, width: int) -> None:
    """Only the matrices of many bots are wider than the screen; they scroll on a page of their own."""
    bot = next((crowded / "bots").glob("*00.html"))
    for path in (crowded / "index.html", crowded / "games.html", crowded / "faults.html", bot):
        page = opened(browser, path, width=width)
        assert page.run("document.documentElement.scrollWidth") == width
        assert page.run(CUT) == [], path
        close(page)
    page = opened(browser, crowded / "matrices.html", width=width)
    assert page.run("document.documentElement.scrollWidth") == width
    assert page.run("document.querySelectorAll('.square').length") == 2
    close(page)


def test_on_a_phone_the_result_comes_first(browser: Browser, site: Path) -> None:
    top = "document.querySelector('#{}').getBoundingClientRect().top"
    for width, is_first in ((390, True), (1280, False)):
        page = opened(browser, site / "index.html", width=width)
        first, second = (page.run(top.format(name)) for name in ("standings", "introduction"))
        assert (first < second) == is_first
        close(page)


def test_a_hopeless_bot_does_not_flatten_the_others(browser: Browser, crowded: Path) -> None:
    page = opened(browser, crowded / "index.html")
    dots = page.run(
        "[...document.querySelectorAll('#standings circle.dot')].map(d => d.cx.baseVal.value)"
    )
    assert len(dots) == 11
    assert max(dots) - min(dots) > 100  # of 260
    shape = "[...document.querySelectorAll('#standings tr')].at(-1).querySelector('path.dot')"
    assert page.run(f"{shape}.getBBox().x") < 20  # an arrow to the left
    close(page)


def test_a_curve_leaves_the_chart_in_its_own_direction(browser: Browser, crowded: Path) -> None:
    """A value that does not fit the scale keeps its place, and the frame of the chart hides it."""
    bot = next((crowded / "bots").glob("*00.html"))
    page = opened(browser, bot)
    assert page.run("getComputedStyle(document.querySelector('.curve > svg')).overflow") == "hidden"
    inside = "document.querySelector('.curve > svg').viewBox.baseVal"
    band = "document.querySelector('.curve .band').getBBox()"
    assert page.run(
        f"{band}.y + {band}.height > {inside}.y + {inside}.height || {band}.y < {inside}.y"
    )
    close(page)


# --- shared files ----------------------------------------------------------------------------


def test_the_page_of_a_game_shows_the_same_as_the_page_in_one_file(
    browser: Browser, site: Path, tmp_path: Path
) -> None:
    write_page(site.parent / "t" / "records" / "b0000" / "0.jsonl.gz", tmp_path / "one.html")
    seen = []
    for path in (site / "games" / "b0000-0.html", tmp_path / "one.html"):
        page = opened(browser, path)
        page.press("End")
        parts = ("men", "desks", "scores", "now", "happened", "plot", "marker-key")
        seen.append([page.run(f"document.getElementById('{part}').innerHTML") for part in parts])
        assert page.run("document.querySelector('use[href=\"#ht-keys\"]').getBBox().width") > 0
        assert page.run("document.querySelector('use[href^=\"#man-\"]').getBBox().width") > 0
        assert page.run("document.querySelector('.stack > :first-child').clientHeight") > 200
        close(page)
    assert seen[0] == seen[1]


def test_pages_share_their_files_from_the_disk(browser: Browser, site: Path) -> None:
    page = opened(browser, site / "games" / "b0000-0.html")
    names = {unquote(urlsplit(address).path) for address in page.asked_for}
    shared = {path for path in names if "/assets/" in path}
    assert {Path(path).suffix for path in shared} == {".css", ".js", ".svg"}
    assert all(Path(path).is_file() for path in shared)
    pictures = "[...document.images].map((image) => image.complete && image.naturalWidth > 0)"
    page.until(f"{pictures}.every(Boolean)")
    assert page.run(pictures) == [True, True]  # the board and the legend
    close(page)


def test_the_page_of_a_game_leads_back_to_the_site(browser: Browser, site: Path) -> None:
    page = opened(browser, site / "games" / "b0000-0.html")
    assert page.run("document.title").endswith(" · The Hanseatic League · Spring cup")
    addresses = page.run("[...document.querySelectorAll('nav a')].map((link) => link.href)")
    assert all(Path(unquote(urlsplit(address).path)).is_file() for address in addresses)
    go(page, addresses[0])
    assert page.run("document.querySelector('h1').textContent") == "Spring cup"
    close(page)


def test_the_standings_have_a_bar_for_each_bot_on_one_scale(browser: Browser, site: Path) -> None:
    page = opened(browser, site / "index.html")
    names = page.run("[...document.querySelectorAll('#standings tbody th a')].map(a => a.text)")
    assert sorted(names) == sorted(STRENGTH)
    dots = page.run(
        "[...document.querySelectorAll('#standings .dot')].map(d => d.cx.baseVal.value)"
    )
    assert dots == sorted(dots, reverse=True)
    assert page.run("document.querySelectorAll('#standings .reach').length") == len(STRENGTH)
    assert page.run("document.querySelectorAll('#growth .line').length") == len(STRENGTH)
    close(page)


def test_a_tournament_that_has_just_begun_is_shown(browser: Browser, tmp_path: Path) -> None:
    folder = write_tournament(tmp_path / "t", blocks=1, most=1)
    make_site(folder, tmp_path / "site")
    page = opened(browser, tmp_path / "site" / "index.html")
    assert page.run("document.querySelectorAll('#standings tbody tr').length") == 4
    assert page.run("document.querySelectorAll('#growth .line').length") == 3
    unknown = "[...document.querySelectorAll('#superiority td.none')].map(c => c.textContent)"
    assert page.run(unknown) == ["–"] * 6
    close(page)


def test_the_list_of_games_is_filtered_and_sorted(browser: Browser, site: Path) -> None:
    page = opened(browser, site / "games.html")
    every = page.run("document.querySelector('output').textContent")
    assert every == "144 games"
    assert count(page, "games") == 100
    page.click("[data-list=games] .more")
    assert count(page, "games") == 144
    choose(page, "games", "bot", "dora")
    assert page.run(f"{ROWS.format('games')}.every(r => r.textContent.includes('dora'))")
    fewer = int(page.run("parseInt(document.querySelector('output').textContent)"))
    assert 0 < fewer < 144
    choose(page, "games", "bot", "all")
    choose(page, "games", "faults", "some")
    assert count(page, "games") == 2
    choose(page, "games", "faults", "all")
    sort = "[...document.querySelectorAll('th button')].find(b => b.textContent === 'decisions')"
    for direction, value in (("descending", "22"), ("ascending", "0")):
        page.run(f"{sort}.click()")
        assert page.run(f"{sort}.parentElement.getAttribute('aria-sort')") == direction
        assert page.run(f"{ROWS.format('games')}[0].cells[4].textContent") == value
    close(page)


HEAD = "[...document.querySelectorAll('#standings th button')].find(b => b.textContent === '{}')"
NAMES = "[...document.querySelectorAll('#standings tbody th a')].map(a => a.text)"


def test_a_table_is_sorted_by_click_and_by_key(browser: Browser, site: Path) -> None:
    page = opened(browser, site / "index.html")
    best_first = page.run(NAMES)
    assert (
        page.run(f"{HEAD.format('rating')}.parentElement.getAttribute('aria-sort')") == "descending"
    )
    page.run(f"{HEAD.format('bot')}.setAttribute('id', 'by-name')")
    page.click("#by-name")
    assert page.run(NAMES) == sorted(STRENGTH)
    assert page.run("document.querySelector('[aria-sort]').textContent") == "bot"
    page.run(f"{HEAD.format('rating')}.focus()")
    for direction, order in (("descending", best_first), ("ascending", best_first[::-1])):
        page.press("Enter")
        assert page.run(NAMES) == order
        assert page.run(
            "[...document.querySelectorAll('#standings [aria-sort]')].map(h => h.ariaSort)"
        ) == [direction]
    places = "[...document.querySelectorAll('#standings .place')].map(p => parseInt(p.textContent))"
    assert page.run(places) == [4, 3, 2, 1]  # a place belongs to its bot
    close(page)


def test_a_dash_is_sorted_last_in_both_directions(browser: Browser, site: Path) -> None:
    page = opened(browser, site / "index.html")
    cells = "[...document.querySelectorAll('#standings tbody tr')].map(r => r.cells[3].textContent)"
    for _ in range(2):
        page.run(f"{HEAD.format('above next')}.click()")
        *numbers, last = page.run(cells)
        assert last == "–"
        values = [float(text.strip("<> %")) for text in numbers]
        assert values in (sorted(values), sorted(values, reverse=True))
    close(page)


def test_filters_and_order_are_in_the_address(browser: Browser, site: Path) -> None:
    page = opened(browser, site / "games.html")
    choose(page, "games", "bot", "dora")
    choose(page, "games", "faults", "none")
    page.run(
        "[...document.querySelectorAll('th button')].find(b => b.textContent === 'turns').click()"
    )
    assert page.run("location.hash") == "#bot=dora&faults=none&sort=turns&order=down"
    shown = page.run("document.querySelector('output').textContent")
    page.reload()
    page.until(WAIT)
    assert page.run("document.querySelector('output').textContent") == shown
    assert page.run("document.querySelector('[data-filter=bot]').selectedOptions[0].text") == "dora"
    assert page.run("document.querySelector('[aria-sort]').textContent") == "turns"
    page.run("location.hash = '#faults=some'")
    page.until("document.querySelector('output').textContent === '2 of 144 games'")
    assert page.run("document.querySelector('[data-filter=bot]').value") == ""
    page.click(".filters button")
    assert page.run("[location.hash, document.querySelector('output').textContent]") == [
        "",
        "144 games",
    ]
    close(page)


def test_two_lists_on_a_page_keep_their_filters_apart(browser: Browser, site: Path) -> None:
    bot = next(name for name in STRENGTH if "timeout" in (site / f"bots/{name}.html").read_text())
    page = opened(browser, site / "bots" / f"{bot}.html")
    choose(page, "games", "faults", "some")
    assert page.run("location.hash") == "#games.faults=some"
    assert count(page, "faults") > 0
    close(page)


def test_an_address_leads_to_the_games_of_a_bot(browser: Browser, site: Path) -> None:
    page = opened(browser, site / "bots" / "dora.html")
    there = page.run("document.querySelector('#games a[href*=bot]').href")
    go(page, there)
    assert page.run("document.querySelector('[data-filter=bot]').selectedOptions[0].text") == "dora"
    assert page.run(f"{ROWS.format('games')}.every(r => r.textContent.includes('dora'))")
    close(page)


def test_a_fault_opens_its_game_at_the_decision(browser: Browser, site: Path) -> None:
    page = opened(browser, site / "faults.html")
    assert count(page, "faults") == 3
    assert page.run("document.querySelector('pre').textContent") == "one\ntwo"
    there = page.run("document.querySelector('[data-list=faults] a[href*=\"#4\"]').href")
    go(page, there)
    assert page.run("document.body.dataset.step") == "4"
    close(page)


def test_the_theme_is_kept_from_page_to_page(browser: Browser, site: Path) -> None:
    page = opened(browser, site / "index.html")
    page.click("#theme")
    assert page.run("document.documentElement.dataset.theme") == "dark"
    for name in ("games.html", "games/b0000-0.html"):
        go(page, (site / name).resolve().as_uri())
        assert page.run("document.documentElement.dataset.theme") == "dark"
    page.run("localStorage.clear()")
    close(page)


def test_no_text_of_a_bot_runs_as_script(browser: Browser, hostile: Path) -> None:
    pages = [*hostile.glob("*.html"), *hostile.glob("bots/*.html"), *hostile.glob("games/*.html")]
    assert len(pages) == 3 + len(HOSTILE) + 3
    for path in pages:
        page = opened(browser, path)
        page.run("document.querySelectorAll('details').forEach((details) => (details.open = true))")
        assert page.run("typeof hacked") == "undefined"
        strange = 'img:not([src^="../assets/"]), iframe, [onload], [onerror], [href^=javascript]'
        assert page.run(f"document.querySelectorAll('{strange}').length") == 0
        scripts = "[...document.querySelectorAll('script')].map((script) => script.src ? 'src' : script.type)"
        expected = ["application/json", "src", *["src"] * (path.parent.name == "games")]
        assert page.run(scripts) == expected
        close(page)


def test_hostile_names_and_messages_are_shown_as_they_are(browser: Browser, hostile: Path) -> None:
    page = opened(browser, hostile / "index.html")
    names = page.run("[...document.querySelectorAll('#standings tbody th a')].map(a => a.text)")
    assert sorted(names) == sorted(HOSTILE)
    close(page)
    page = opened(browser, hostile / "faults.html")
    seen = MESSAGE.replace("\u2028", "\\u2028").replace("\x1b", "\\u001b")
    assert page.run("document.querySelector('td.long').firstChild.textContent") == seen
    assert page.run("[...document.querySelectorAll('pre')].map(p => p.textContent)") == [
        seen,
        "\ufffd<b>",
    ]
    close(page)


def test_a_hostile_name_leads_to_its_own_page(browser: Browser, hostile: Path) -> None:
    for name in HOSTILE:
        page = opened(browser, hostile / "index.html")
        links = "[...document.querySelectorAll('#standings tbody th a')]"
        go(page, page.run(f"{links}.find(a => a.text === {json.dumps(name)}).href"))
        assert page.run("document.querySelector('h2').textContent") == name
        close(page)


def test_the_policy_blocks_added_markup_and_downloads(browser: Browser, site: Path) -> None:
    page = opened(browser, site / "index.html")
    with pytest.raises(BrowserFailed, match="TrustedHTML"):
        page.run("document.body.insertAdjacentHTML('beforeend', '<b>x</b>')")
    page.run("document.body.appendChild(document.createElement('img')).src = 'http://127.0.0.1:9/'")
    page.run("new Promise((done) => setTimeout(done, 50))")
    assert any("Content Security Policy" in complaint for complaint in page.complaints)
    page.complaints.clear()
    page.run(
        "document.body.append(Object.assign(document.createElement('style'), {textContent: '*{}'}))"
    )
    with pytest.raises(BrowserFailed, match="Trusted"):
        page.run("document.createElement('script').text = 'hacked = 1'")
    assert any("inline style" in complaint for complaint in page.complaints)
    page.close()
