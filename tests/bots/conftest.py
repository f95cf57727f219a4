"""Fixtures for tests of bots: a folder with a new bot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Make a bot's folder with this bot.toml in a new current folder."""
    monkeypatch.chdir(tmp_path)

    def folder(
        toml: str = 'name = "mine"\ncommand = ["python", "bot.py"]\n', where: str = "mine"
    ) -> Path:
        place = tmp_path / where
        place.mkdir(parents=True, exist_ok=True)
        (place / "bot.toml").write_text(toml, "utf-8")
        (place / "bot.py").write_text("print()\n", "utf-8")
        return place

    return folder
