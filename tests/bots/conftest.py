"""Tests of bots: a folder in which a test can make one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Make = Callable[..., Path]


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
