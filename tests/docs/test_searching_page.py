"""The bots on the page about searching: as short as the page says, and they play."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

import protocol
from pages import ROOT, blocks_of
from referee import play_match

PAGE = ROOT / "docs" / "searching.md"
CLASSES = {"one-ply/bot.py": "OnePly", "ismcts/bot.py": "Ismcts"}


def program(file: str) -> str:
    (found,) = [block.text for block in blocks_of(PAGE) if block.notes.get("file") == file]
    return found


@pytest.fixture
def bot_class() -> Callable[..., type[protocol.Bot]]:
    """A function that runs the program of a bot, as a module with other constants."""

    def load(file: str, **constants: int) -> type[protocol.Bot]:
        module = ModuleType("bot")
        exec(compile(program(file), file, "exec"), module.__dict__)
        module.__dict__.update(constants)
        found: type[protocol.Bot] = module.__dict__[CLASSES[file]]
        return found

    return load


@pytest.mark.parametrize(("file", "most"), [("one-ply/bot.py", 15), ("ismcts/bot.py", 60)])
def test_the_bots_are_short(file: str, most: int) -> None:
    lines = [line for line in program(file).splitlines() if line.strip()]
    assert len(lines) <= most


def test_the_bots_play_a_game_without_a_fault(
    bot_class: Callable[..., type[protocol.Bot]],
) -> None:
    bots = [bot_class("one-ply/bot.py"), bot_class("ismcts/bot.py", WALKS=4, BEYOND=2)]
    result = play_match(
        bots, seed=7, max_turns=10, board="hanse-2-3", missions=True, stop_at_fault=True
    )
    assert (result.reason, result.faults) == ("max-turns", [])
