"""A git repository with two revisions of a bot, which plays without a library."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from support.paths import PLAIN

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

_NOBODY = {
    "GIT_AUTHOR_NAME": "nobody",
    "GIT_AUTHOR_EMAIL": "nobody@example.org",
    "GIT_COMMITTER_NAME": "nobody",
    "GIT_COMMITTER_EMAIL": "nobody@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
}


def write_bot(folder: Path, version: int, build: str | None = None) -> Path:
    """Write the bot `my-bot`, whose versions play in the same way and have different files."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = ['name = "my-bot"', 'command = ["python", "-I", "-S", "bot.py"]']
    lines += [] if build is None else [f'build = "{build}"']
    (folder / "bot.toml").write_text("\n".join(lines))
    (folder / "bot.py").write_text(f"{PLAIN.read_text()}\n# version {version}\n")
    return folder


def git(folder: Path, *words: str) -> str:
    """Run git in a folder, and return what it prints."""
    done = subprocess.run(
        ["git", "-C", str(folder), *words],
        env={**os.environ, **_NOBODY},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def write_repository(folder: Path, build: str | None = None) -> Path:
    """Write a repository in which the folder `my-bot` has the tags `v1` and `v2`; return the bot."""
    bot = folder / "my-bot"
    bot.mkdir(parents=True)
    git(folder, "init", "--quiet", "--initial-branch", "main")
    for version in (1, 2):
        write_bot(bot, version, build)
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", "--message", f"version {version}")
        git(folder, "tag", f"v{version}")
    return bot
