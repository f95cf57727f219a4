"""Makes a bot from a starter kit: its files in a new folder, with its own name in them.

The kit of a language is its random bot among the sample bots.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from string import Template
from typing import Final

from referee.bots.content import sources
from referee.bots.find import BUNDLED, NAME
from referee.errors import BotRefused, OutputRefused

AGENTS: Final = "AGENTS.md"
_AGENTS_TEMPLATE: Final = Path(__file__).with_name("kit_agents.md")  # the same for all languages
_LONGEST: Final = 40


@dataclass(frozen=True)
class Language:
    """A language with a starter kit, and what the author of a bot needs to know first."""

    title: str
    kit: str  # the name of the sample bot
    needs: tuple[str, ...]  # programs on the path
    think: str  # the file for the author's own code
    test: str  # the command that runs its tests
    look: str  # the command that answers the messages of the kit, after a build
    log: str  # how its code writes to stderr


LANGUAGES: Final = {
    "python": Language(
        "Python",
        "random-python",
        (),
        "bot.py",
        "python -m unittest",
        "python bot.py < messages.jsonl",
        "`self.log.info`, or `print`, which the SDK redirects",
    ),
    "javascript": Language(
        "JavaScript",
        "random-js",
        ("node", "npm"),
        "think.js",
        "npm test",
        "node bot.js < messages.jsonl",
        "`console.error`",
    ),
    "typescript": Language(
        "TypeScript",
        "random-ts",
        ("node", "npm"),
        "src/think.ts",
        "npm ci && npm test",
        "node dist/main.js < messages.jsonl",
        "`console.error`",
    ),
    "rust": Language(
        "Rust",
        "random-rust",
        ("cargo",),
        "src/think.rs",
        "cargo test",
        "cargo run --quiet < messages.jsonl",
        "`eprintln!`",
    ),
    "go": Language(
        "Go",
        "random-go",
        ("go",),
        "think.go",
        "go test",
        "go run . < messages.jsonl",
        "`log.Print`",
    ),
    "java": Language(
        "Java",
        "random-java",
        ("java", "mvn"),
        "src/main/java/bot/Player.java",
        "mvn --quiet test",
        "java -cp 'target/bot.jar:target/lib/*' bot.Main < messages.jsonl",
        "`System.err`",
    ),
    "cpp": Language(
        "C++",
        "random-cpp",
        ("c++", "cmake"),
        "think.cpp",
        "cmake -B build && cmake --build build && ctest --test-dir build",
        "./build/bot < messages.jsonl",
        "`std::cerr`",
    ),
    "c": Language(
        "C",
        "random-c",
        ("cc", "make"),
        "think.c",
        "make test",
        "./build/bot < messages.jsonl",
        "`fprintf(stderr, …)`",
    ),
    "shell": Language(
        "shell and jq",
        "random-shell",
        ("sh", "jq"),
        "think.jq",
        "sh test.sh",
        "sh bot.sh < messages.jsonl",
        "`debug` and `stderr` in jq",
    ),
}


def make_bot(folder: Path, language: str, name: str | None = None) -> str:
    """Write the kit of a language to a new or empty folder; returns the bot's name.

    BotRefused for a name that is not valid, OutputRefused if the folder cannot be written.
    """
    name = name_after(folder) if name is None else name
    if not NAME.fullmatch(name):
        raise BotRefused(
            f"a bot's name must be 1 to 40 characters from A-Z a-z 0-9 . _ - (not {name!r})"
        )
    try:
        _refuse_full(folder)
        for path, data in kit_files(language, name).items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
    except OSError as error:
        raise OutputRefused(f"{error.filename} cannot be written: {error.strerror}") from error
    return name


def kit_files(language: str, name: str) -> dict[str, bytes]:
    """The contents of the kit's files for a bot of this name, by path."""
    kit = LANGUAGES[language].kit
    folder = BUNDLED / kit
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes().replace(kit.encode(), name.encode())
        for path in [*sources(folder, is_built=True), *folder.glob(".gitignore")]
    }
    return {**files, AGENTS: agents_page(language, name).encode()}


def agents_page(language: str, name: str) -> str:
    """What a coding assistant must know about a bot of this name: the task, commands, the protocol."""
    template = Template(_AGENTS_TEMPLATE.read_text("utf-8"))
    return template.substitute(asdict(LANGUAGES[language]), name=name)


def name_after(folder: Path) -> str:
    """The folder's name, without the characters that a bot's name may not have."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", folder.resolve().name)
    return plain.strip("-.")[:_LONGEST] or "my-bot"


def lacking(language: str) -> list[str]:
    """The programs that the kit needs, but that are not on the path."""
    return [need for need in LANGUAGES[language].needs if shutil.which(need) is None]


def _refuse_full(folder: Path) -> None:
    if folder.is_dir() and any(folder.iterdir()):
        raise OutputRefused(f"the folder {str(folder)!r} is not empty; name a new one")
    if folder.exists() and not folder.is_dir():
        raise OutputRefused(f"{str(folder)!r} is a file; name a new folder")
