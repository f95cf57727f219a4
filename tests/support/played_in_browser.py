"""Games that a real browser plays by clicking, against bundled bots.

    with RunningGame("east:3:bigbox+promos", folder, max_turns=12) as running:
        played = play_by_clicks(browser, running)

At every decision, what the page's click paths and its list reach must be the legal list, which is
computed here from the record. A click must have the effect that the page says.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Self

from referee.engine import game
from referee.engine.ruleset import parse_name
from referee.engine.serialize import choice_words
from referee.engine.state import GameState
from referee.engine.terms import DECISIONS, DOINGS
from support.board_records import write_record
from support.browser import Browser, Page
from support.combinations import WITH_LEVY, WITH_VALUES, named
from support.paths import REFEREE
from support.random_games import Preferences, builder, decisions, kind_of
from support.random_games import played as random_game

OPPONENTS = ("navigator", "merchant", "greedy")
PATIENCE_S = 60.0
PREFERENCES = Preferences(markers=12, posts=8, displacing=4)
BY_LIST = 0.15  # the share of choices that are clicked in the list

# The middle of an element; of a route, a place on its line.
_SPOT = """((selector) => {
  const element = document.querySelector(selector);
  if (!element) return null;
  element.scrollIntoView({block: "nearest"});
  const line = element.querySelector("path");
  if (line) {
    const spot = line.getPointAtLength(0).matrixTransform(line.getScreenCTM());
    return [spot.x, spot.y];
  }
  const box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
})"""


class RunningGame:
    """A game of `referee play` in a process of its own, with people in the browser."""

    def __init__(
        self,
        ruleset: str,
        folder: Path,
        *,
        seed: int = 1,
        people: int = 1,
        max_turns: int = 0,
        bots: Sequence[str] = (),
        origin: Path | None = None,
        more: Sequence[str] = (),
        terminal: int = subprocess.DEVNULL,
        temporary: Path | None = None,
        start: Callable[..., subprocess.Popen[str]] = subprocess.Popen,
    ) -> None:
        """Start a game with this many people in the first seats, or continue the one of `origin`.

        With `temporary`, a folder for temporary files, the game has only a temporary record.
        `start` starts the process.
        """
        options = parse_name(ruleset)
        players = int(str(options.pop("players")))
        self.record = folder / "game.jsonl"
        self.people = people
        bots = bots or [OPPONENTS[seat % len(OPPONENTS)] for seat in range(players - people)]
        rules = [*_flags(options), "--seed", str(seed), "--max-turns", str(max_turns)]
        arguments = [
            *("human" for _ in range(people)),
            *bots,
            *(rules if origin is None else ["--from", str(origin)]),
            *("--serve", "0", "--quiet"),
            *(["--record", str(self.record)] if temporary is None else []),
            *more,
        ]
        self.process = start(
            [*REFEREE, "play", *arguments],
            stdin=terminal,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={
                **os.environ,
                "COLUMNS": "200",
                **({} if temporary is None else {"TMPDIR": str(temporary)}),
            },
        )
        self.addresses = [self.next_address() for _ in range(people)]
        self.seed = seed

    def next_address(self) -> str:
        """Return the next address of a seat that the process prints."""
        assert self.process.stderr is not None
        printed: list[str] = []
        for line in self.process.stderr:
            printed.append(line)
            if found := re.search(r"http://\S+/seat/\d+#\S+", line):
                return found[0]
        raise AssertionError(f"the game printed no address: {''.join(printed)}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()

    def finish(self) -> int:
        """Wait until the process ends by itself; return its exit status."""
        return self.process.wait(PATIENCE_S)


def _flags(options: dict[str, Any]) -> Iterator[str]:
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        if value is True:
            yield flag
        else:
            yield from (flag, ",".join(value) if isinstance(value, tuple) else str(value))


class RecordFollower:
    """Follows a growing record with the engine, without the referee's own reader."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read = 0
        self.state: GameState | None = None

    def at(self, decision_id: int) -> GameState:
        """Return the position at this decision, which the record has reached or is about to."""
        deadline = time.monotonic() + PATIENCE_S
        while self.state is None or self.state.decision_id != decision_id:
            assert time.monotonic() < deadline, f"the record never reaches decision {decision_id}"
            self._grow()
        return self.state

    def _grow(self) -> None:
        with self._path.open("rb") as file:
            file.seek(self._read)
            text = file.read()
        whole = text[: text.rfind(b"\n") + 1]
        self._read += len(whole)
        for raw in whole.splitlines():
            self._apply(json.loads(raw))
        if not whole:
            time.sleep(0.01)

    def _apply(self, line: dict[str, Any]) -> None:
        if line["line"] == "game":
            board, rules = named(line["ruleset"])
            self.state = game.new_game(board, rules, line["seed"])
        elif line["line"] == "decision":
            assert self.state is not None
            words = choice_words(self.state.board, game.choices(self.state)[line["choice"]])
            assert words == line["do"]
            game.apply(self.state, line["choice"])


@dataclass
class Played:
    """What a browser did in a game."""

    decisions: int = 0
    clicks: int = 0
    kinds: set[str] = field(default_factory=set)
    doings: set[str] = field(default_factory=set)
    chosen: dict[int, int] = field(default_factory=dict)  # the index by decision
    complaints: list[str] = field(default_factory=list)
    over: bool = False


class SeatPage:
    """The page of one seat in a browser."""

    def __init__(self, browser: Browser, address: str, **size: Any) -> None:
        self.page: Page = browser.open(address, **size)
        self.page.until("document.body && document.body.dataset.ready === 'yes'")
        self.page.run(
            "(() => { const speed = document.getElementById('speed'); speed.value = '60';"
            " speed.dispatchEvent(new Event('change')); })()"
        )

    def question(self) -> int | None:
        """Return the id of the decision that the page asks now, if any."""
        found = self.page.run(
            "document.querySelector('#choose.asks') ? document.body.dataset.question : ''"
        )
        return int(found) if found else None

    def is_over(self) -> bool:
        """Return whether the page shows the end of the game."""
        return bool(
            self.page.run("document.getElementById('choose-title').textContent")
            == "The game is over"
        )

    def check(self, state: GameState) -> None:
        """Compare what the page can reach with the legal choices."""
        legal = list(range(len(game.choices(state))))
        by_picks, by_list = self.page.run(
            "[refereeChoices.reachableByPicks(), refereeChoices.reachableByList()]"
        )
        assert sorted(set(by_picks)) == legal, f"click paths at decision {state.decision_id}"
        assert sorted(by_list) == legal, f"the list at decision {state.decision_id}"

    def click_path(self, index: int) -> int:
        """Click what leads to a choice; return the number of clicks."""
        path: list[str] = self.page.run(f"refereeChoices.pathTo({index})")
        for at in path:
            self._click(f'#targets :not(.alike)[data-at="{at}"], #choose .options [data-at="{at}"]')
        return len(path) + self._confirm()

    def click_list(self, index: int) -> int:
        """Click a choice in the list."""
        self._click("#choose [aria-controls=choices]")
        self.page.run("document.querySelectorAll('#choices details').forEach((g) => g.open = true)")
        self._click(f'#choices [data-choice="{index}"]')
        confirmed = self._confirm()
        self._click("#choices .choices-head button")
        return 3 + confirmed

    def _confirm(self) -> int:
        if not self.page.run("Boolean(document.querySelector('#choose .strong'))"):
            return 0
        self._click("#choose .strong")
        return 1

    def _click(self, selector: str) -> None:
        spot = self.page.run(f"{_SPOT}({json.dumps(selector)})")
        assert spot is not None, f"nothing to click: {selector}"
        self.page.click_at(*spot)


def play_by_clicks(
    browser: Browser, running: RunningGame, *, most: int | None = None, dark: bool = False
) -> Played:
    """Play a game to its end, or so many decisions, with a page for each person."""
    pages = [SeatPage(browser, address, dark=dark) for address in running.addresses]
    played = play_decisions(pages, running, most)
    for page in pages:
        played.complaints += page.page.complaints
        page.page.close()
    return played


def play_decisions(pages: list[SeatPage], running: RunningGame, most: int | None) -> Played:
    """Play a game on these pages to its end, or so many decisions."""
    follower, rng, played = RecordFollower(running.record), Random(running.seed), Played()
    deadline = time.monotonic() + PATIENCE_S
    while not played.over:
        for page in pages:
            decision_id = page.question()
            if decision_id is None:
                continue
            _decide(page, follower.at(decision_id), rng, played)
            _wait_for_next(page, decision_id)
            deadline = time.monotonic() + PATIENCE_S
            if played.decisions == most:
                return played
        played.over = all(page.is_over() for page in pages)
        assert time.monotonic() < deadline, "nobody is asked, and the game is not over"
    return played


def _decide(page: SeatPage, state: GameState, rng: Random, played: Played) -> None:
    page.check(state)
    offered = game.choices(state)
    index = builder(state, offered, rng, PREFERENCES)
    played.kinds.add(DECISIONS[state.agenda[-1].kind])
    played.doings.add(DOINGS[offered[index].do])
    played.clicks += (page.click_list if rng.random() < BY_LIST else page.click_path)(index)
    played.decisions += 1
    played.chosen[state.decision_id] = index


def _wait_for_next(page: SeatPage, decision_id: int) -> None:
    page.page.until(f"document.body.dataset.question !== '{decision_id}'")


def position_with(kind: str) -> tuple[str, int, int]:
    """Return a ruleset, a decision of its random game of this kind, and the seat that is asked."""
    for ruleset in (WITH_LEVY, *WITH_VALUES):
        for state in decisions(random_game(ruleset)):
            if state.agenda and kind_of(state) == kind and len(game.choices(state)) > 1:
                return ruleset, state.decision_id, state.agenda[-1].seat
    raise AssertionError(f"no random game has a decision {kind}")


def answer_one(browser: Browser, folder: Path, kind: str) -> Played:
    """Continue a random game at a decision of this kind, and answer it by clicks."""
    ruleset, decision_id, seat = position_with(kind)
    origin = write_record(folder / "origin.jsonl", random_game(ruleset))
    people = int(str(parse_name(ruleset)["players"]))
    more = ["--at", str(decision_id)]
    with RunningGame(ruleset, folder, people=people, origin=origin, more=more) as running:
        running.addresses = [running.addresses[seat]]
        return play_by_clicks(browser, running, most=1)
