"""`import referee` is fast, and has all public names."""

from __future__ import annotations

import subprocess
import sys

import pytest

import referee
from support.groups import together


def loaded_by(program: str) -> set[str]:
    """The modules that a new Python process has loaded after this program."""
    process = subprocess.run(
        [sys.executable, "-c", f"{program}; import sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(process.stdout.split())


def test_importing_the_package_loads_no_submodules() -> None:
    loaded = loaded_by("import referee")
    assert {name for name in loaded if name.startswith("referee.")} == {"referee._deprecated"}
    assert not loaded & {"numpy", "msgspec", "rich", "click"}


def test_a_game_loads_neither_terminal_nor_command_line() -> None:
    loaded = loaded_by("from referee import Game; Game(3, seed=1).play(0)")
    assert not loaded & {"rich", "click", "numpy", "sqlite3", "pettingzoo"}


def test_a_searching_bot_loads_little_more_than_the_engine() -> None:
    """A bot starts as fast as with `engine.restore`."""
    before = loaded_by("import protocol.request, referee.atlas, referee.engine.restore")
    more = loaded_by("from referee import Game; import protocol.request") - before
    assert {name for name in more if not name.startswith("referee.engine.")} == {
        "referee.api",
        "referee.api.game",
        "referee.api.received",
    }


@together("name", referee.__all__)
def test_every_public_name_exists(name: str) -> None:
    assert getattr(referee, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Gaem'"):
        _ = referee.Gaem
