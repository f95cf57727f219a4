"""README's examples run as they are printed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from house import ROOT

README = (ROOT / "README.md").read_text("utf-8")


def example(marker: str) -> str:
    (found,) = re.findall(rf"<!-- example: {marker} -->\n```\w+\n(.*?)\n```\n", README, re.DOTALL)
    return str(found)


def test_the_engine_in_a_program_of_ones_own(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(example("engine"), "README.md", "exec"), {})
    assert capsys.readouterr().out.count("Standing(") == 4


def test_the_first_bot_plays_a_game(tmp_path: Path) -> None:
    folder = tmp_path / "my-bot"
    folder.mkdir()
    (folder / "bot.py").write_text(example("bot"), "utf-8")
    (folder / "bot.toml").write_text(example("bot.toml"), "utf-8")
    command = [sys.executable, "-m", "referee", "play", str(folder), "random", "--max-turns", "6"]
    done = subprocess.run(
        [*command, "--quiet"], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert "first" in done.stdout
