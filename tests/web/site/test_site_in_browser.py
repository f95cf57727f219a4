"""The site in a real browser, opened from disk: it works, it fits, and no text of a bot runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.web.site.build import make_site
from support.browser import Browser, BrowserFailed, Page
from support.parts import only_in
from support.sample_site import STRENGTH, TWO_TABLES, fault, write_tournament

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


@pytest.mark.parametrize("name", ["index.html", "games.html", "faults.html", "bots/anna.html"])
@pytest.mark.parametrize("dark", [False, True])
def test_every_page_fits_a_phone_and_a_large_screen(
    browser: Browser, site: Path, name: str, dark: bool
) -> None:
    for width in (400, 1400):
        page = opened(browser, site / name, width=width, dark=dark)
        assert page.run("document.documentElement.scrollWidth") == width
        ground = page.run("getComputedStyle(document.body).backgroundColor")
        assert ground == ("rgb(21, 17, 13)" if dark else "rgb(239, 230, 208)")
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
    go(page, (site / "games.html").resolve().as_uri())
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
        strange = "img, iframe, [onload], [onerror], [href^=javascript]"
        assert page.run(f"document.querySelectorAll('{strange}').length") == 0
        assert page.run("document.querySelectorAll('script').length") == 2
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
    page.close()
