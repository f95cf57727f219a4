"""The commands and programs in README.md and docs/ run; tools/pages.py explains the comments."""

from __future__ import annotations

import re
import shlex
import subprocess
from functools import cache
from pathlib import Path

import click
import pytest

from pages import LIMIT_S, NAMED, NOTES, ROOT, RUN, Block, Reader, blocks_of, pages
from support import forks
from support.command_lines import parse_command_line
from support.groups import each_of, together
from support.parts import is_wanted
from support.paths import REFEREE

PAGES = pages()
BLOCKS = [block for page in PAGES for block in blocks_of(page)]
# Following these pages takes seconds each; `tox -e docs` does it, and runs slow blocks as well.
LONG = (
    "README.md", "benchmarks.md", "custom-maps.md", "debug.md", "house-bots.md", "python-api.md",
    "records.md", "searching.md", "tournaments.md", "watch.md", "write-a-bot.md",
)  # fmt: skip


PLAIN_COMMAND = re.compile(r"referee [^|&;<>$`*~\\]+")  # a shell would not change it


def by_name(page: Path) -> str:
    return page.name


def followed() -> list[Path]:
    """Return the pages with commands or programs, without the long ones if docs are not wanted."""
    found = [page for page in PAGES if any(block.is_run for block in blocks_of(page))]
    return [page for page in found if is_wanted("docs") or page.name not in LONG]


class QuickReader(Reader):
    """Runs plain commands of the referee in forks of this process, and all others like a reader."""

    def run(self, block: Block, limit_s: float = LIMIT_S) -> None:
        commands = [*block.commands(short=True)] if block.language == "sh" else []
        if not commands or not all(map(PLAIN_COMMAND.fullmatch, commands)):
            super().run(block, limit_s)
            return
        self.printed = "".join(self._printed_by(block, command) for command in commands)

    def _printed_by(self, block: Block, command: str) -> str:
        words = [*REFEREE, *shlex.split(command)[1:]]
        done = forks.run(words, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL)
        expected = int(block.notes.get("exit", "0"))
        assert done.returncode == expected, f"{block.place}: {done.returncode}\n{done.stderr}"
        return str(done.stdout)


@pytest.mark.parametrize("page", followed(), ids=by_name)
@pytest.mark.timeout(1200)
def test_a_reader_can_follow_the_page(page: Path, tmp_path: Path) -> None:
    reader = Reader(tmp_path) if is_wanted("docs") else QuickReader(tmp_path)
    reader.install()
    for block in blocks_of(page):
        if is_wanted("docs") or "slow" not in block.notes:
            reader.follow(block)


@each_of(BLOCKS)
def test_the_comments_above_a_block_are_known(block: Block) -> None:
    assert set(block.notes) <= set(NOTES)
    assert "not run" not in block.notes or block.notes["not run"]


@together(
    "block",
    [one for one in BLOCKS if one.language in RUN and set(NAMED) & set(one.notes)],
)
def test_a_block_with_a_name_is_used_by_a_program(block: Block) -> None:
    (kind,) = set(NAMED) & set(block.notes)
    name = re.escape(block.notes[kind])
    asked_for = re.compile(rf"[\"( ]{name}[\")]|: {name} -->")
    assert any(block.page in text and asked_for.search(text) for text in programs())


@cache
def programs() -> list[str]:
    """Return the sources that may use a block by its name."""
    found = [*(ROOT / "tests").rglob("test_*.py"), *(ROOT / "tools").glob("*.py"), ROOT / ".ci/run"]
    return [path.read_text("utf-8") for path in found]


def referee_commands() -> list[tuple[str, str]]:
    """Return every command of the referee on a page, with its place."""
    return [
        (block.place, command)
        for block in BLOCKS
        if block.language == "sh"
        for command in block.commands()
        if command.startswith("referee ")
    ]


@each_of(referee_commands())
def test_every_command_on_a_page_can_be_parsed(found: tuple[str, str]) -> None:
    place, command = found
    try:
        parse_command_line(command)
    except click.ClickException as error:
        pytest.fail(f"{place}: {error.format_message()}")


def test_every_page_is_read() -> None:
    assert {"README.md", "protocol.md", "write-a-bot.md"} <= {page.name for page in PAGES}
    assert len([block for block in BLOCKS if block.is_run]) > 20
