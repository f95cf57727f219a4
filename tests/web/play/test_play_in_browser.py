"""A person in a real browser: whole games by clicks, keys, reloading, and what each seat is sent."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.engine import game
from referee.engine.state import GameState
from referee.records.verify import verify
from support.browser import Browser
from support.combinations import named
from support.parts import only_in
from support.played_in_browser import (
    RecordFollower,
    RunningGame,
    SeatPage,
    answer_one,
    play_by_clicks,
)
from support.recording_proxy import RecordingProxy

pytestmark = only_in("browser")

# `python -m stress.browser_games` plays whole games with all variants on every board.
GAMES = (
    ("hanse-4-5:4:bigbox+missions+favours+promos", 3, 8),
    ("britannia-2-3:3:bigbox+permits+promos", 5, 9),
)
# Decisions that the short games above do not reach.
RARE = ("levy", "permanent", "neutral-post", "tribute", "block", "reward")
MISSIONS = "hanse-2-3:3:bigbox+missions"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as running:
        yield running


def chosen_in(record: Path) -> dict[int, int]:
    """Return the index that each decision of a record has."""
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    return {line["id"]: line["choice"] for line in lines if line["line"] == "decision"}


@pytest.mark.parametrize(("ruleset", "seed", "turns"), GAMES)
def test_clicks_and_list_reach_the_legal_choices_and_the_record_verifies(
    browser: Browser, tmp_path: Path, ruleset: str, seed: int, turns: int
) -> None:
    with RunningGame(ruleset, tmp_path, seed=seed, max_turns=turns) as running:
        played = play_by_clicks(browser, running)
        assert running.finish() == 0
    assert played.decisions >= 4
    assert played.complaints == []
    assert verify(running.record).verdict == "fine"
    assert played.chosen.items() <= chosen_in(running.record).items()


@pytest.mark.parametrize("kind", RARE)
def test_a_rare_decision_is_answered_by_clicks(browser: Browser, tmp_path: Path, kind: str) -> None:
    played = answer_one(browser, tmp_path, kind)
    assert played.kinds == {kind}
    assert played.complaints == []


def first_question(page: SeatPage, running: RunningGame) -> GameState:
    page.page.until("Boolean(document.querySelector('#choose.asks'))")
    found = page.question()
    assert found is not None
    return RecordFollower(running.record).at(found)


def test_a_page_loaded_again_asks_the_same_and_keys_alone_answer(
    browser: Browser, tmp_path: Path
) -> None:
    with RunningGame(MISSIONS, tmp_path, seed=2, max_turns=4) as running:
        seat = SeatPage(browser, running.addresses[0])
        page = seat.page
        state = first_question(seat, running)
        page.reload()
        page.until("Boolean(document.querySelector('#choose.asks'))")
        assert seat.question() == state.decision_id
        seat.check(state)

        # On the board: a place by arrow keys and Enter, Escape takes the pick back.
        page.run("document.querySelector('#targets [tabindex=\"0\"]').focus()")
        page.press("ArrowRight", "Enter")
        page.until("document.querySelectorAll('#choose .crumb').length === 1")
        assert page.run("document.activeElement.closest('#choose') !== null")
        page.press("Escape")
        page.until("document.querySelectorAll('#choose .crumb').length === 0")

        # In the list: filter, Tab, Enter.
        page.press("c")
        page.until("document.activeElement.type === 'search'")
        for letter in "trader hamburg":
            page.press(letter)
        shown = page.run(
            "[...document.querySelectorAll('#choices .choice')].filter((c) => c.checkVisibility())"
            ".map((c) => Number(c.dataset.choice))"
        )
        offered = game.choices(state)
        assert 0 < len(shown) < len(offered)
        page.run("document.querySelector('#choices .choice:not([hidden])').focus()")
        page.press("Enter")
        page.until(f"document.body.dataset.question !== '{state.decision_id}'")
        follower = RecordFollower(running.record)
        follower.at(state.decision_id + 1)
        assert chosen_in(running.record)[state.decision_id] in shown
        page.close()


def test_a_finger_on_a_phone_chooses_on_the_board_and_in_the_list(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with RunningGame(MISSIONS, tmp_path, seed=2, max_turns=4) as running:
        seat = SeatPage(browser, running.addresses[0])
        page = seat.page
        page.become_phone()
        monkeypatch.setattr(page, "click_at", page.tap_at)
        for number, choose in enumerate((seat.click_path, seat.click_list)):
            state = first_question(seat, running)
            index = next(
                index
                for index in range(len(game.choices(state)))
                if len(page.run(f"refereeChoices.pathTo({index})")) > number
            )
            choose(index)
            page.until(f"document.body.dataset.question !== '{state.decision_id}'")
            while state.decision_id not in chosen_in(running.record):
                time.sleep(0.05)
            assert chosen_in(running.record)[state.decision_id] == index
        page.close()


def test_a_used_address_takes_nothing_and_says_why(browser: Browser, tmp_path: Path) -> None:
    with RunningGame(MISSIONS, tmp_path, seed=2, max_turns=4) as running:
        first = SeatPage(browser, running.addresses[0])
        other = browser.call("Target.createBrowserContext")["browserContextId"]
        page = browser.open(running.addresses[0], context=other)
        page.until("/used already/.test(document.getElementById('message').textContent)")
        assert page.run("document.cookie") == ""
        assert first.question() is not None or first.page.run("document.body.dataset.ready")
        page.close()
        first.page.close()


def test_a_seat_gets_nothing_of_the_mission_and_the_questions_of_another(
    browser: Browser, tmp_path: Path
) -> None:
    with RunningGame(MISSIONS, tmp_path, seed=7, people=2, max_turns=16) as running:
        port = int(re.findall(r":(\d+)/", running.addresses[0])[0])
        with RecordingProxy(port) as one, RecordingProxy(port) as other:
            proxies = [one, other]
            running.addresses = [
                address.replace(f":{port}/", f":{proxy.port}/")
                for address, proxy in zip(running.addresses, proxies, strict=True)
            ]
            # As long as the game goes on: at its end, all missions are open.
            played = play_by_clicks(browser, running, most=9)
            sent = [proxy.received for proxy in proxies]
        assert played.decisions == 9
    lines = [json.loads(line) for line in running.record.read_text().splitlines()]
    state = game.new_game(*named(lines[0]["ruleset"]), lines[0]["seed"])
    seats = {line["id"]: line["seat"] for line in lines if line["line"] == "decision"}
    for seat, data in enumerate(sent):
        own, others = mission(state, seat), [mission(state, one) for one in range(3) if one != seat]
        assert own in data, "the search finds what a seat may know"
        assert not any(found in data for found in others)
        asked = [int(number) for number in re.findall(rb'"question":\{"id":(\d+),', data)]
        assert asked
        assert {seats.get(number, seat) for number in asked} == {seat}
        assert str(running.seed).encode() not in re.findall(rb'"seed":([^,}]*)', data)


def mission(state: GameState, seat: int) -> bytes:
    """Return the mission of a seat as the cells of a page contain it."""
    cities: Any = state.board.missions[state.missions[seat]]
    return json.dumps(list(cities), separators=(",", ":")).encode()


def test_a_hint_comes_by_key_stays_after_reloading_and_is_recorded(
    browser: Browser, tmp_path: Path
) -> None:
    with RunningGame(MISSIONS, tmp_path, seed=2, max_turns=4, more=["--hints"]) as running:
        seat = SeatPage(browser, running.addresses[0])
        page = seat.page
        state = first_question(seat, running)
        page.press("h")
        page.until("document.querySelector('.hint').textContent.includes('Best: ')")
        page.reload()
        page.until("document.querySelector('.hint').textContent.includes('Best: ')")
        page.press("h")  # the hint is there already
        seat.click_list(0)
        page.until(f"document.body.dataset.question !== '{state.decision_id}'")
        assert page.run("document.querySelector('.hint').checkVisibility()") is False
        page.close()
    lines = [json.loads(line) for line in running.record.read_text().splitlines()]
    hint = {"line": "hint", "id": state.decision_id, "seat": 0}
    assert (lines[0]["format"], [line for line in lines if line["line"] == "hint"]) == (2, [hint])


def test_without_the_option_the_page_has_no_hints(browser: Browser, tmp_path: Path) -> None:
    with RunningGame(MISSIONS, tmp_path, seed=2, max_turns=4) as running:
        seat = SeatPage(browser, running.addresses[0])
        first_question(seat, running)
        buttons = (
            "[...document.querySelectorAll('#choose button')].filter((b) => b.checkVisibility())"
        )
        assert "Hint" not in seat.page.run(f"{buttons}.map((b) => b.textContent)")
        seat.page.close()
