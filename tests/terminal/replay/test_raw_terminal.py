"""`referee replay` under a real pseudo-terminal: keys, sizes, colours, and how it ends."""

from __future__ import annotations

import os
import re
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from support.board_records import write_record
from support.pseudo_terminal import PseudoTerminal
from support.replay_games import FULL, SHORT, game_of, hostile_record, record, timeline

LEFT, RIGHT, UP, DOWN, END = "\x1b[D", "\x1b[C", "\x1b[A", "\x1b[B", "\x1b[F"
LAST = len(game_of(FULL).indices)


def watching(path: Path | None = None, *options: str, **given: object) -> PseudoTerminal:
    return PseudoTerminal(["replay", os.fspath(path or record(FULL)), *options], **given)  # type: ignore[arg-type]


def test_keys_step_through_the_game() -> None:
    marks = timeline(FULL)
    with watching() as glass:
        glass.see(f"0 of {LAST}", "Hamburg", "? help")
        glass.press(RIGHT, RIGHT, LEFT)
        glass.see(f"1 of {LAST}")
        glass.press(DOWN)
        glass.see(f"{marks.turns[1].step} of {LAST}", "turn 2")
        glass.press("c")
        glass.see(f"{marks.creations[0]} of {LAST}", "creates the trade route")
        glass.press("x")
        glass.see("displaces")
        glass.press("1", "2", "3")
        glass.see("go to decision: 123_")
        glass.press("\r")
        glass.see(f"123 of {LAST}")
        glass.press("/adele +", "\r")
        glass.see("+")
        glass.press("\t")
        glass.see("privilege", "mission of")
        glass.press("?")
        glass.see("Keys", "next, previous displacement")
        glass.press("q")
        assert glass.leave() == 0
        assert glass.settings == glass.before


def test_it_plays_by_itself_to_the_end() -> None:
    with watching(record(SHORT)) as glass:
        glass.see("0 of")
        glass.press(END, *[UP] * 9, "+++++", " ")
        glass.see("a second")
        glass.see("the game is over", "q quit")
        glass.press("q")
        assert glass.leave() == 0


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 20), (160, 50)])
def test_every_row_fits(columns: int, rows: int) -> None:
    with watching(columns=columns, rows=rows) as glass:
        glass.see("q quit")
        glass.press("c", "\t", "s", "l", END)
        glass.see(f"{LAST} of {LAST}", "The game ended")
        assert len(glass.lines) == rows
        assert max(map(len, glass.lines)) <= columns
        assert [line for line in glass.lines if line.strip()][-1] == glass.lines[-1]


def test_a_new_size_redraws_the_screen() -> None:
    with watching() as glass:
        glass.see("q quit")
        assert "stock" not in glass.screen
        glass.resize(160, 50)
        glass.see("Hamburg", "stock", "q quit")
        assert len(glass.lines) == 50
        glass.resize(80, 24)
        glass.see("Hamburg", "q quit")
        assert len(glass.lines) == 24
        assert max(map(len, glass.lines)) <= 80
        glass.resize(20, 5)
        glass.see("too small")


def test_no_color_turns_colours_off() -> None:
    with watching(NO_COLOR="1") as glass:
        glass.see("q quit")
        glass.press("c")
        glass.see("0⓪ Adele", "creates")
        numbers = {n for style in glass.styles for n in re.findall(r"\d+", style)}
        assert numbers <= {"0", "1", "2", "3", "4", "5", "7"}


def test_colours_are_used_if_the_terminal_has_them() -> None:
    with watching(COLORTERM="truecolor") as glass:
        glass.see("■● Adele")
        assert any("38;2;" in style for style in glass.styles)


def test_a_dumb_terminal_gets_the_printed_game() -> None:
    with watching(record(SHORT), TERM="dumb") as glass:
        assert glass.leave() == 0
        assert "The game ended" in glass.screen
        assert "\x1b" not in glass.written


def test_names_and_remarks_cannot_control_the_terminal() -> None:
    """The fake terminal fails at every escape sequence that the viewer does not need."""
    with watching(hostile_record(), columns=120, rows=40) as glass:
        glass.see("q quit")
        glass.press(RIGHT, RIGHT, "d", "s", "l")
        glass.see("owned\\u0007")
        glass.press(END, "b", "/\u202e\x9b5", "\r")
        glass.see("after this")
        glass.press("q")
        assert glass.leave() == 0
        assert "\x07" not in glass.written


def test_printed_games_have_only_known_sequences() -> None:
    with watching(hostile_record(), "--until", "3", columns=100, rows=40) as glass:
        assert glass.leave() == 0
        assert "owned\\u0007" in glass.screen


# --- How it leaves


def terminated(glass: PseudoTerminal) -> None:
    glass.process.terminate()


def hung_up(glass: PseudoTerminal) -> None:
    glass.process.send_signal(signal.SIGHUP)


def quits(glass: PseudoTerminal) -> None:
    glass.press("q")


def interrupted(glass: PseudoTerminal) -> None:
    glass.process.send_signal(signal.SIGINT)


@pytest.mark.parametrize(
    ("how", "status"), [(quits, 0), (interrupted, 130), (terminated, 143), (hung_up, 129)]
)
def test_the_terminal_is_restored(how: Callable[[PseudoTerminal], None], status: int) -> None:
    with watching() as glass:
        glass.see("q quit")
        assert glass.settings != glass.before
        assert glass.modes == {1049: True, 25: False, 7: False}
        glass.press(" ")
        glass.see("a second")
        how(glass)
        assert glass.leave() == status
        assert glass.settings == glass.before
        assert glass.modes == {1049: False, 25: True, 7: True}


def test_ctrl_z_stops_it_and_it_can_go_on() -> None:
    with watching() as glass:
        glass.see("q quit")
        glass.process.send_signal(signal.SIGTSTP)
        while not glass.modes[25]:
            glass._read()
        assert os.waitid(os.P_PID, glass.process.pid, os.WSTOPPED) is not None
        assert glass.settings == glass.before
        glass.lines = [""] * glass.rows
        glass.process.send_signal(signal.SIGCONT)
        glass.see("q quit", "Hamburg")
        glass.press(RIGHT)
        glass.see(f"1 of {LAST}")


def test_a_growing_record_is_followed(tmp_path: Path) -> None:
    path = write_record(tmp_path / "game.jsonl", game_of(SHORT), upto=20)
    with watching(path) as glass:
        glass.see("0 of 20…")
        glass.press(END)
        glass.see("20 of 20…", "breaks off here")
        shutil.copyfile(write_record(tmp_path / "more.jsonl", game_of(SHORT)), path)
        last = len(game_of(SHORT).indices)
        glass.see(f"{last} of {last} ", "The game ended")
