"""Finds and runs the code blocks of README.md and docs/, as a reader of the page would.

Blocks of `sh` or `python` are run in their order, in one folder for each page. Comments directly
above a block change that:

- `<!-- not run: why -->` it is not run, but its commands must be valid;
- `<!-- file: NAME -->` it is written to that file;
- `<!-- prints -->` it is the output of the block before it; `…` stands for any text;
- `<!-- exit: 1 -->` this is its exit status;
- `<!-- also: WORDS -->` tests add these words to each command, to make it faster;
- `<!-- slow -->` it is run only in tests that may take long;
- `<!-- command: NAME -->`, `<!-- example: NAME -->`, `<!-- run: NAME -->`, `<!-- output: NAME -->`
  another test, or `.ci/run`, uses it by that name.

The block `source .venv/bin/activate` activates that environment for all blocks after it.
`<!-- before: COMMANDS -->`, on lines of its own, is run like `sh` but not shown on the page.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIMIT_S = 300
RUN = ("sh", "python")
ACTIVATION = "source .venv/bin/activate"
NAMED = ("command", "example", "run", "output")
NOTES = (*NAMED, "not run", "file", "prints", "exit", "also", "slow")

_FENCE = re.compile(
    r"(?P<notes>(?:^ *<!-- [^\n]*? -->\n)*)^ *(?P<fence>```+)(?P<language>\w*)\n(?P<text>.*?)^ *(?P=fence)$"
    r"|^<!-- before:\n(?P<before>.*?)^-->$",
    re.DOTALL | re.MULTILINE,
)
_NOTE = re.compile(r"<!-- ([a-z ]+?)(?:: (.*?))? -->")


@dataclass(frozen=True)
class Block:
    """A fenced code block of a page."""

    page: str
    line: int
    language: str
    text: str
    notes: Mapping[str, str]

    @property
    def place(self) -> str:
        """The page and the line of the block."""
        return f"{self.page}:{self.line}"

    @property
    def is_run(self) -> bool:
        """Whether the block is run as it is."""
        special = ("not run", "file", "prints", *NAMED)
        return self.language in RUN and not any(note in self.notes for note in special)

    def commands(self, *, short: bool = True) -> Iterator[str]:
        """Yield its commands without comments; `short` adds the options that shorten them for a test."""
        also = f" {self.notes['also']}" if short and "also" in self.notes else ""
        for line in self.text.replace("\\\n", " ").splitlines():
            command = re.sub(r"\s+# .*", "", line).strip()
            if command and not command.startswith("#"):
                yield f"{command}{also}"


def pages() -> list[Path]:
    """Return every page of the project."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks_of(page: Path) -> list[Block]:
    """Return the code blocks of a page, in order."""
    text = page.read_text("utf-8")
    return [_block(page.name, text, found) for found in _FENCE.finditer(text)]


def _block(name: str, page: str, found: re.Match[str]) -> Block:
    line = page.count("\n", 0, found.start("fence")) + 1
    if found["before"] is not None:
        line = page.count("\n", 0, found.start("before"))
        return Block(name, line, "sh", found["before"], {})
    notes = {note[1]: note[2] or "" for note in _NOTE.finditer(found["notes"])}
    return Block(name, line, found["language"], found["text"], notes)


class Reader:
    """Runs the blocks of a page in a folder, as a reader would."""

    def __init__(self, folder: Path, environment: Mapping[str, str] = os.environ) -> None:
        self.folder = folder
        self.environment = dict(environment)
        self.is_patient = False  # run commands as printed, without the words of `also`
        self.printed = ""

    def install(self) -> None:
        """Create a `.venv` that runs this Python with the referee of this project."""
        programs = self.folder / ".venv" / "bin"
        programs.mkdir(parents=True)
        python = shlex.quote(sys.executable)
        referee = "from referee.cli import main; main(prog_name='referee')"
        commands = {"python": python, "referee": f"{python} -c {shlex.quote(referee)}"}
        for name, command in commands.items():
            program = programs / name
            program.write_text(f'#!/bin/sh\nexec {command} "$@"\n', "utf-8")
            program.chmod(0o755)
        self.use(programs)

    def use(self, programs: Path) -> None:
        """Put a folder first on the PATH, as `activate` does."""
        path = [str(programs), self.environment["PATH"]]
        self.environment["PATH"] = os.pathsep.join(path)

    def follow(self, block: Block) -> None:
        """Run, write or compare a block; raise AssertionError if the result differs from the page."""
        if "file" in block.notes:
            path = self.folder / block.notes["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, "utf-8")
        elif "prints" in block.notes:
            expected = re.escape(block.text.strip()).replace("…", ".*")
            assert re.fullmatch(expected, self.printed.strip(), re.DOTALL), (
                f"{block.place}: it prints\n{self.printed}"
            )
        elif block.is_run:
            self.run(block)

    def run(self, block: Block, limit_s: float = LIMIT_S) -> None:
        """Run the program or the commands of a block, and keep their output in `printed`.

        Raise AssertionError for another exit status than the page says.
        """
        if block.text.strip() == ACTIVATION:  # each block is run in a shell of its own
            self.use(self.folder / ".venv" / "bin")
            return
        command = [sys.executable, "-c", block.text]
        if block.language == "sh":
            command = ["sh", "-eu", "-c", "\n".join(block.commands(short=not self.is_patient))]
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=limit_s,
        )
        self.printed = done.stdout
        expected = int(block.notes.get("exit", "0"))
        assert done.returncode == expected, f"{block.place}: {done.returncode}\n{done.stderr}"
