"""No form of a replay shows a seat what is private to another seat."""

from __future__ import annotations

import base64
import io
import json
import os
import re
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from referee.adjudication.faults import Fault, FaultRecord, Strikes, default_choice
from referee.cli import main
from referee.encoder import Formats
from referee.engine import game, view
from referee.engine.state import GameState
from referee.records.writer import RecordWriter
from referee.replay.controller import PANES, ReplayController
from referee.replay.position import Viewpoint
from referee.replay.timeline import Timeline, open_timeline
from referee.terminal.replay.screen import Screen
from referee.web.game.page import page_of
from support.board_records import header, names_for
from support.replay_games import FULL, SHORT, game_of

LAST_DECISION = 45
FAULTS = {2: "illegal"}  # by the number of an answer
FAULTS_OF_FIRST_SEAT = {2: "illegal", 6: "crash"}
STYLE = re.compile(r"\x1b\[[\d;]*m")

_folder = tempfile.TemporaryDirectory(prefix="viewpoint-")


def remark(seat: int) -> str:
    return f"remark-of-seat-{seat}"


def message(seat: int) -> str:
    return f"message-about-seat-{seat}"


def data(seat: int) -> bytes:
    return f"data-of-seat-{seat}".encode()


def stderr(seat: int) -> str:
    return f"stderr-of-seat-{seat}"


def milliseconds(seat: int) -> float:
    return 987650.125 + seat


def asks_a_bot(state: GameState, strikes: Strikes) -> bool:
    return len(game.choices(state)) > 1 and strikes.answers(state.agenda[-1].seat)


@cache
def secret_record(name: str) -> Path:
    """A game in which every seat makes remarks, takes its own time and commits faults.

    The first seat is disqualified, and the record ends with a fault that no decision follows.
    """
    recording = game_of(name)
    seats = recording.rules.players
    path = Path(tempfile.mkdtemp(dir=_folder.name)) / "game.jsonl"
    writer = RecordWriter(path, Formats(recording.board).get("json", "words"))
    writer.header(header(recording.board, recording.rules, recording.seed, names_for(seats)))
    state = game.new_game(recording.board, recording.rules, recording.seed)
    strikes, asked = Strikes(seats), [0] * seats
    while state.decision_id <= LAST_DECISION or not asks_a_bot(state, strikes):
        options, seat = game.choices(state), state.agenda[-1].seat
        index, by, ms, say = default_choice(options), "referee", 0.0, None
        if len(options) == 1:
            by = "single"
        elif strikes.answers(seat):
            asked[seat] += 1
            fault = (FAULTS if seat else FAULTS_OF_FIRST_SEAT).get(asked[seat])
            if fault is not None:
                _write_fault(writer, strikes, state, fault)
            else:
                index, by, ms, say = 0, "bot", milliseconds(seat), remark(seat)
        writer.decision(state, index, by, ms, 0.0, say)
        turn = state.turn
        game.apply(state, index)
        if state.turn != turn:
            writer.turn(turn, state.digest())
    _write_fault(writer, strikes, state, "illegal")
    writer.close()
    return path


def _write_fault(writer: RecordWriter, strikes: Strikes, state: GameState, kind: str) -> None:
    seat, number = state.agenda[-1].seat, state.decision_id
    disqualified = strikes.add(seat, kind, number)
    cause = Fault(kind, message(seat), data(seat), milliseconds(seat))
    writer.fault(
        FaultRecord(
            seat,
            "",
            number,
            cause,
            strikes.counts[seat],
            strikes.allowed,
            disqualified,
            stderr(seat).encode(),
        )
    )
    if disqualified:
        game.emit_disqualified(state, seat, kind, number)


@cache
def secret_timeline(name: str) -> Timeline:
    return open_timeline(secret_record(name))


def secrets(name: str, seat: int) -> list[str]:
    """Strings that occur only where something private to a seat is shown."""
    timeline = secret_timeline(name)
    state = timeline.state(0)
    found = [remark(seat), message(seat), data(seat).decode(), stderr(seat)]
    found += [base64.b64encode(data(seat)).decode(), f"{milliseconds(seat):.1f}"[:-1]]
    mission = view.mission_words(state, seat)
    if mission is not None:
        cities = {city["id"]: city["name"] for city in timeline.board.words["cities"]}
        found.append(", ".join(cities[city] for city in mission))
        found.append(json.dumps(mission))
        found.append(json.dumps(state.board.missions[state.missions[seat]], separators=(",", ":")))
    return found


def printed(name: str, *options: str) -> str:
    result = CliRunner().invoke(main, ["replay", os.fspath(secret_record(name)), *options])
    assert result.exit_code == 0, result.stderr
    return result.stdout


def as_page(name: str, seat: int | None) -> str:
    return page_of(secret_record(name), seat)


def as_json(name: str, seat: int | None) -> str:
    """Every line of `replay --json`, and a position in the middle of the game."""
    options = ["--json", *([] if seat is None else ["--seat", str(seat)])]
    return printed(name, *options) + printed(name, *options, "--until", "40")


def as_print(name: str, seat: int | None) -> str:
    return printed(name, *([] if seat is None else ["--seat", str(seat)]))


@cache
def as_screens(name: str, seat: int | None) -> str:
    """Every step on a small screen, and every pane of a few steps on a large one."""
    controller = ReplayController(secret_timeline(name), Viewpoint(seat))
    screen = Screen(controller, Console(file=io.StringIO(), force_terminal=True, no_color=True))
    shown: list[str] = []
    for step in range(controller.timeline.last + 1):
        controller.go(step)
        shown += screen.frame((100, 24))
    for pane in PANES:
        controller.press(pane[0])
        for step in range(0, controller.timeline.last + 30, 30):
            controller.go(step)
            shown += screen.frame((160, 50))
    return STYLE.sub("", "\n".join(shown))


FORMS: dict[str, Callable[[str, int | None], str]] = {
    "page": as_page,
    "json": as_json,
    "print": as_print,
    "screens": as_screens,
}
# With and without missions, with two to five seats; nothing else that is secret depends on the rules.
NAMES = (
    FULL,
    "hanse-2-3:2:bigbox+missions+promos+neutral=2009",
    "britannia-4-5:5:bigbox+permits+promos",
)
# Screens take long to draw, and show every game from the same viewpoint.
SHOWN = [
    (SHORT, "screens"),
    *[(name, form) for name in NAMES for form in FORMS if form != "screens"],
]


@pytest.mark.parametrize(("name", "form"), SHOWN)
def test_a_seat_is_shown_its_own_secrets_and_no_others(name: str, form: str) -> None:
    seats = range(game_of(name).rules.players)
    for viewer in (seats[0], seats[-1]):  # one is disqualified, the other is not
        shown = FORMS[form](name, viewer)
        missing = [secret for secret in (remark(viewer), message(viewer)) if secret not in shown]
        leaked = [
            secret
            for owner in seats
            if owner != viewer
            for secret in secrets(name, owner)
            if secret in shown
        ]
        assert (viewer, missing, leaked) == (viewer, [], [])


@pytest.mark.parametrize("name", [SHORT, *NAMES])
def test_without_a_seat_everything_is_shown(name: str) -> None:
    shown = as_page(name, None) + as_json(name, None) + as_print(name, None)
    seats = range(game_of(name).rules.players)
    lost = [
        secret for seat in seats for secret in secrets(name, seat)
        if secret not in shown and secret != data(seat).decode()
    ]  # fmt: skip
    assert lost == []


@pytest.mark.parametrize("form", FORMS)
def test_others_learn_that_a_seat_was_disqualified(form: str) -> None:
    shown = FORMS[form](SHORT, 2)
    assert shown.count("is disqualified (crash)")
