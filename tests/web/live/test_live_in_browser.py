"""The live pages in a real browser: they follow a growing game, and a tournament."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.tournament.store.store import RECORDS
from referee.web.live.process import ServerSettings, server_process
from support.board_records import write_record
from support.browser import Browser, Page
from support.parts import only_in
from support.random_games import played
from support.sample_site import write_tournament

pytestmark = only_in("browser")

GAME = ("hanse-2-3:3:original+missions", 1)
REMARK = "<script>hacked=1</script> a remark"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as started:
        yield started


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    path = tmp_path_factory.mktemp("record") / "whole.jsonl"
    write_record(path, played(*GAME), says={4: REMARK})
    return path.read_bytes().splitlines(keepends=True)


def grow(record: Path, lines: list[bytes]) -> None:
    with record.open("ab", buffering=0) as file:
        file.write(b"".join(lines))


def last_step(page: Page) -> int:
    return int(page.run("Number(document.getElementById('slider').max)"))


def until_longer(page: Page, before: int) -> None:
    page.until(f"Number(document.getElementById('slider').max) > {before}")


def step_of(page: Page) -> int:
    return int(page.run("Number(document.body.dataset.step)"))


def test_a_page_follows_its_game_until_the_end(
    browser: Browser, tmp_path: Path, lines: list[bytes]
) -> None:
    record = tmp_path / "game.jsonl"
    record.write_bytes(b"".join(lines[:30]))
    with server_process(ServerSettings(records=(str(record),))) as address:
        page = browser.open(address.url)
        page.until("document.body.dataset.connection === 'open'")
        begun = last_step(page)
        assert step_of(page) == begun
        assert page.run("document.getElementById('follow').ariaPressed") == "true"

        grow(record, lines[30:60])
        until_longer(page, begun)
        assert step_of(page) == last_step(page)

        page.press("ArrowLeft", "ArrowLeft")  # who steps back stays there
        back = step_of(page)
        before = last_step(page)
        grow(record, lines[60:90])
        until_longer(page, before)
        assert step_of(page) == back
        assert page.run("document.getElementById('follow').ariaPressed") == "false"

        page.click("#follow")
        assert step_of(page) == last_step(page)
        assert page.run("document.getElementById('log').textContent").count("a remark") == 0
        grow(record, lines[90:])
        page.until("document.getElementById('follow').hidden")
        assert step_of(page) == last_step(page)
        assert page.run("document.getElementById('now').textContent").startswith("The game is over")
        page.until("document.getElementById('log').textContent.includes('a remark')")
        assert page.run("typeof hacked") == "undefined"

        # The page that grew shows the same as one that is loaded now.
        fresh = browser.open(address.url)
        fresh.press("End")
        fresh.until("document.getElementById('log').dataset.made === 'all'")
        shown = "['log', 'desks', 'scores', 'now', 'happened'].map((id) => document.getElementById(id).textContent)"
        assert page.run(shown) == fresh.run(shown)
        assert page.run("document.querySelectorAll('#log .entry').length") == last_step(page) + 1
        assert (page.complaints, fresh.complaints) == ([], [])


def test_a_page_goes_on_after_the_server_was_started_again(
    browser: Browser, tmp_path: Path, lines: list[bytes]
) -> None:
    record = tmp_path / "game.jsonl"
    record.write_bytes(b"".join(lines[:30]))
    settings = ServerSettings(records=(str(record),))
    with server_process(settings) as address:
        page = browser.open(address.url)
        page.until("document.body.dataset.connection === 'open'")
        before = last_step(page)
        page.run("globalThis.sameDocument = true")
    page.until("document.body.dataset.connection === 'lost'")
    grow(record, lines[30:60])
    with server_process(settings, port=address.port):
        until_longer(page, before)
        assert page.run("globalThis.sameDocument") is True
        assert step_of(page) == last_step(page)


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800)])
def test_a_click_on_a_running_game_shows_its_board(
    browser: Browser, tmp_path: Path, lines: list[bytes], width: int, height: int
) -> None:
    folder = write_tournament(tmp_path / "t", blocks=1, most=2)
    record = folder / RECORDS / "b-running" / "0.jsonl"
    record.parent.mkdir(parents=True)
    record.write_bytes(b"".join(lines[:30]))
    with server_process(ServerSettings(tournament=str(folder))) as address:
        page = browser.open(address.url, width=width, height=height)
        page.until("document.querySelectorAll('#standings tbody tr').length === 4")
        assert page.run("document.documentElement.scrollWidth") <= width
        page.click("#running a")
        page.until(
            "location.pathname.startsWith('/game/') && document.body?.dataset.connection === 'open'"
        )
        before = last_step(page)
        grow(record, lines[30:60])
        until_longer(page, before)
        assert page.run("document.documentElement.scrollWidth") <= width
        assert page.complaints == []
