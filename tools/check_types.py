"""Runs mypy on the whole project: the packages, the tests, the tools, and each sample bot in Python.

    python tools/check_types.py

A bot is a program whose modules have short names (`bot`, `search`), which other bots use as well.
So mypy checks each bot in a run of its own, with the bot's folder on the path, as Python runs it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BOTS = ROOT / "sample_bots"


def bot_folders() -> list[Path]:
    """Return the folders of the sample bots that have Python modules."""
    return sorted({path.parent for path in BOTS.glob("*/*.py") if _is_bot(path.parent)})


def _is_bot(folder: Path) -> bool:
    return (folder / "bot.toml").exists()


def bot_command(folder: Path) -> list[str]:
    """Return the command that checks one bot."""
    modules = sorted(str(path.relative_to(ROOT)) for path in folder.glob("*.py"))
    return [sys.executable, "-m", "mypy", "--no-warn-unused-configs", *modules]


def main() -> int:
    """Run all checks; return 1 if one of them failed."""
    passed = _run("the project", [sys.executable, "-m", "mypy"], {})
    for folder in bot_folders():
        path = {"MYPYPATH": str(folder.relative_to(ROOT))}  # in addition to `mypy_path`
        passed &= _run(f"the bot {folder.name}", bot_command(folder), path)
    return 0 if passed else 1


def _run(name: str, command: list[str], variables: dict[str, str]) -> bool:
    print(f"{name}: ", end="", flush=True)
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **variables}, check=False)
    return done.returncode == 0


if __name__ == "__main__":
    raise SystemExit(main())
