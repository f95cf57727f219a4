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
from support.replay_games import BRIEF, FULL, SHORT, game_of, hostile_record, record, timeline

LEFT, RIGHT, UP, DOWN, END = "\x1b[D", "\x1b[C", "\x1b[A", "\x1b[B", "\x1b[F"
LAST = len(game_of(BRIEF).indices)
RESTORED = {1049: False, 25: True, 7: True}  # modes: the other screen, the cursor, long lines


def watching(path: Path | None = None, *options: str, **given: object) -> PseudoTerminal:
    return PseudoTerminal(["replay", os.fspath(path or record(BRIEF)), *options], **given)  # type: ignore[arg-type]


def test_keys_step_through_the_game() -> None:
    marks = timeline(FULL)
    last = marks.last
    with watching(record(FULL)) as terminal:
        terminal.see(f"0 of {last}", "Hamburg", "? help")
        terminal.press(RIGHT, RIGHT, LEFT)
        terminal.see(f"1 of {last}")
        terminal.press(DOWN)
        terminal.see(f"{marks.turns[1].step} of {last}", "turn 2")
        terminal.press("c")
        terminal.see(f"{marks.creations[0]} of {last}", "creates the trade route")
        terminal.press("x")
        terminal.see("displaces")
        terminal.press("1", "2", "3")
        terminal.see("go to decision: 123_")
        terminal.press("\r")
        terminal.see(f"123 of {last}")
        terminal.press("/adele +", "\r")
        terminal.see("+")
        terminal.press("\t")
        terminal.see("privilege", "mission of")
        terminal.press("?")
        terminal.see("Keys", "next, previous displacement")
        terminal.press("q")
        assert terminal.leave() == 0
        assert terminal.settings == terminal.before
        assert terminal.modes == RESTORED


def test_it_plays_by_itself_to_the_end() -> None:
    with watching(record(SHORT)) as terminal:
        terminal.see("0 of")
        terminal.press(END, *[UP] * 9, "+++++", " ")
        terminal.see_once("a second")
        terminal.see("the game is over", "q quit")
        terminal.press("q")
        assert terminal.leave() == 0


def test_every_row_fits() -> None:
    with watching(columns=60, rows=20) as terminal:
        terminal.see("q quit")
        terminal.press("c", "\t", "s", "l", END)
        terminal.see(f"{LAST} of {LAST}", "The game ended")
        assert len(terminal.lines) == 20
        assert max(map(len, terminal.lines)) <= 60
        assert [line for line in terminal.lines if line.strip()][-1] == terminal.lines[-1]


def test_a_new_size_redraws_the_screen() -> None:
    with watching() as terminal:
        terminal.see("q quit")
        assert "stock" not in terminal.screen
        terminal.resize(160, 50)
        terminal.see("Hamburg", "stock", "q quit")
        assert len(terminal.lines) == 50
        assert max(map(len, terminal.lines)) <= 160
        terminal.resize(80, 24)
        terminal.see("Hamburg", "q quit")
        assert len(terminal.lines) == 24
        assert max(map(len, terminal.lines)) <= 80
        terminal.resize(20, 5)
        terminal.see("too small")


def test_no_color_turns_colours_off() -> None:
    with watching(NO_COLOR="1") as terminal:
        terminal.see("q quit")
        terminal.press("c")
        terminal.see("0⓪ Adele", "creates")
        numbers = {n for style in terminal.styles for n in re.findall(r"\d+", style)}
        assert numbers <= {"0", "1", "2", "3", "4", "5", "7"}


def test_colours_are_used_if_the_terminal_has_them() -> None:
    with watching(COLORTERM="truecolor") as terminal:
        terminal.see("■● Adele")
        assert any("38;2;" in style for style in terminal.styles)


def test_a_dumb_terminal_gets_the_printed_game() -> None:
    with watching(TERM="dumb") as terminal:
        assert terminal.leave() == 0
        assert "The game ended" in terminal.screen
        assert "\x1b" not in terminal.written


def test_names_and_remarks_cannot_control_the_terminal() -> None:
    """The fake terminal fails at every escape sequence that the viewer does not need."""
    with watching(hostile_record(), columns=120, rows=40) as terminal:
        terminal.see("q quit")
        terminal.press(RIGHT, RIGHT, "d", "s", "l")
        terminal.see("owned\\u0007")
        terminal.press(END, "b", "/\u202e\x9b5", "\r")
        terminal.see("after this")
        terminal.press("q")
        assert terminal.leave() == 0
        assert "\x07" not in terminal.written


def test_printed_games_have_only_known_sequences() -> None:
    with watching(hostile_record(), "--until", "3", columns=100, rows=40) as terminal:
        assert terminal.leave() == 0
        assert "owned\\u0007" in terminal.screen


# --- How it leaves


def terminated(terminal: PseudoTerminal) -> None:
    terminal.process.terminate()


def hung_up(terminal: PseudoTerminal) -> None:
    terminal.process.send_signal(signal.SIGHUP)


def interrupted(terminal: PseudoTerminal) -> None:
    terminal.process.send_signal(signal.SIGINT)


@pytest.mark.parametrize(("how", "status"), [(interrupted, 130), (terminated, 143), (hung_up, 129)])
def test_the_terminal_is_restored_after_a_signal(
    how: Callable[[PseudoTerminal], None], status: int
) -> None:
    with watching() as terminal:
        terminal.see("q quit")
        assert terminal.settings != terminal.before
        assert terminal.modes == {1049: True, 25: False, 7: False}
        terminal.press(" ")
        terminal.see("a second")
        how(terminal)
        assert terminal.leave() == status
        assert terminal.settings == terminal.before
        assert terminal.modes == RESTORED


def test_ctrl_z_stops_it_and_it_can_continue() -> None:
    with watching() as terminal:
        terminal.see("q quit")
        terminal.process.send_signal(signal.SIGTSTP)
        while not terminal.modes[25]:
            terminal._read()
        assert os.waitid(os.P_PID, terminal.process.pid, os.WSTOPPED) is not None
        assert terminal.settings == terminal.before
        terminal.lines = [""] * terminal.rows
        terminal.process.send_signal(signal.SIGCONT)
        terminal.see("q quit", "Hamburg")
        terminal.press(RIGHT)
        terminal.see(f"1 of {LAST}")


def test_a_growing_record_is_followed(tmp_path: Path) -> None:
    path = write_record(tmp_path / "game.jsonl", game_of(SHORT), upto=20)
    with watching(path) as terminal:
        terminal.see("0 of 20…")
        terminal.press(END)
        terminal.see("20 of 20…", "breaks off here")
        shutil.copyfile(write_record(tmp_path / "more.jsonl", game_of(SHORT)), path)
        last = len(game_of(SHORT).indices)
        terminal.see(f"{last} of {last} ", "The game ended")
