"""A full screen never waits for its terminal."""

from __future__ import annotations

import os
import pty
from collections.abc import Iterator

import pytest

from referee.terminal.full_screen.raw_terminal import ENTER, LEAVE, RawTerminal
from support.pseudo_terminal import read_all

FULL = 15  # rows of 10,000 bytes are more than the buffers of any terminal hold


@pytest.fixture
def ends() -> Iterator[tuple[int, int]]:
    master, slave = pty.openpty()
    yield master, slave
    os.close(master)
    os.close(slave)


def test_a_terminal_that_takes_no_bytes_misses_frames(ends: tuple[int, int]) -> None:
    master, slave = ends
    with RawTerminal(slave, slave) as terminal:
        assert read_all(master) == ENTER
        for letter in "abc":
            terminal.draw([letter * 10_000] * FULL)
        assert terminal.wait(0) == []
        while text := read_all(master):  # the first frame, in pieces
            assert set("abc") & set(text) <= {"a"}
            terminal.wait(0)
        terminal.draw(["d"])
        assert read_all(master) == "\x1b[1;1H\x1b[Kd"
    assert read_all(master) == LEAVE


def test_keys_are_polled_without_waiting(ends: tuple[int, int]) -> None:
    master, slave = ends
    with RawTerminal(slave, slave) as terminal:
        assert terminal.wait(0) == []
        os.write(master, b"x\x1b[A")
        assert terminal.wait(1) == ["x", "up"]
        read_all(master)
