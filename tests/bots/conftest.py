"""Tests of bots: a folder to make them in, and this process takes charge of what they leave."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import support.reaping
from support.match_setup import send_home

Make = Callable[..., Path]


@pytest.fixture(scope="module")
def in_charge() -> Iterator[None]:
    """Orphans of bots become children of this process, and are ended with them."""
    with support.reaping.in_charge():
        yield
        send_home()


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """A bot's folder below the present one, with the text of its bot.toml."""
    monkeypatch.chdir(tmp_path)

    def folder(
        toml: str = 'name = "mine"\ncommand = ["python", "bot.py"]\n', where: str = "mine"
    ) -> Path:
        place = tmp_path / where
        place.mkdir(exist_ok=True)
        (place / "bot.toml").write_text(toml, "utf-8")
        (place / "bot.py").write_text("print()\n", "utf-8")
        return place

    return folder
