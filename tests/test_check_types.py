"""tools/check_types.py leaves out no Python program of the project."""

from __future__ import annotations

import tomllib
from pathlib import Path

from check_types import bot_folders
from support.paths import ROOT
from support.source_files import GENERATED

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["mypy"]


def test_mypy_checks_every_folder_with_python() -> None:
    checked = {Path(name) for name in SETTINGS["files"]}
    checked |= {folder.relative_to(ROOT) for folder in bot_folders()}
    folders = ("referee", "protocol", "build_backend", "tests", "tools", "examples", "sample_bots")
    modules = [path.relative_to(ROOT) for name in folders for path in (ROOT / name).rglob("*.py")]
    unchecked = [
        path
        for path in modules
        if checked.isdisjoint(path.parents) and GENERATED.isdisjoint(path.parts)
    ]
    assert unchecked == []
