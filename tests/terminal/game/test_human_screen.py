"""The screen of a person who plays: it fits a terminal of 80 columns and 24 rows."""

from __future__ import annotations

import io
from typing import cast

import pytest
from rich.console import Console

from referee import atlas
from referee.engine import game
from referee.engine.ruleset import make_ruleset
from referee.engine.state import GameState
from referee.match.menu import Item
from referee.terminal.game.human import TerminalScreen
from referee.terminal.game.log import LiveGameLog

NAMES = ["ann", "bob", "cid"]
MENU = [Item("Income"), Item("Place a tradesman"), Item("End the turn")]


def screen_of(board: str, **options: bool) -> tuple[GameState, TerminalScreen, io.StringIO]:
    found = atlas.load_board(board)
    state = game.new_game(found, make_ruleset(atlas.load_components(), found, 3, **options), 5)  # type: ignore[arg-type]
    console = Console(file=io.StringIO(), width=80, height=24, force_terminal=False)
    return (
        state,
        TerminalScreen(NAMES, LiveGameLog(found, NAMES, console), console),
        cast("io.StringIO", console.file),
    )


@pytest.mark.parametrize("board", ["hanse-2-3", "east"])
def test_the_board_and_a_menu_of_three_lines_fit(board: str) -> None:
    state, screen, written = screen_of(board)
    screen.board(state, 0)
    assert screen.menu(state, 0, "Your turn", MENU, 0) == 3
    lines = written.getvalue().splitlines()
    assert len(lines) + 1 <= 24  # with the question
    assert max(map(len, lines)) <= 80
    assert all(name in written.getvalue() for name in ("ann", "prestige", "Income"))


def test_a_long_menu_with_notes_is_shown_in_parts() -> None:
    state, screen, written = screen_of("hanse-2-3")
    items = [Item(f"place {number}", note="0/3 taken · " + "x" * 80) for number in range(32)]
    rest = screen.menu(state, 0, "Place a tradesman", items, 0)
    assert rest == 20
    assert screen.menu(state, 0, "Place a tradesman", items, rest) == 32
    lines = written.getvalue().splitlines()
    assert len(lines) == 2 + 20 + 2 + 12
    assert max(map(len, lines)) <= 80


def test_scores_are_what_this_seat_knows() -> None:
    state, screen, written = screen_of("hanse-2-3", missions=True)
    screen.scores(state, 0)
    shown = written.getvalue()
    assert "total" in shown
    assert "the missions of others are not known" in shown


def test_a_disqualified_seat_is_last_in_the_scores() -> None:
    state, screen, written = screen_of("hanse-2-3")
    game.emit_disqualified(state, 0, "crash", 1)
    screen.scores(state, 1)
    ranks = next(line for line in written.getvalue().splitlines() if line.startswith("rank"))
    assert ranks.split() == ["rank", "1", "1", "3", "crash"]
