"""The kits' own tests, by the commands that their READMEs name, with messages of every kind.

In Rust, Go, Java and C++ these tests decode what the referee sends into the kit's types and encode
it again; in TypeScript the compiler holds such messages to the types.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pages import Reader, blocks_of
from referee.bots.starter_kits import LANGUAGES, agents_page, make_bot
from referee.cli.group import Commands
from support import forks
from support.dialogue import Words
from support.kit_messages import few, many
from support.language_bots import BotBuilder
from support.parts import is_wanted, reason
from support.paths import REFEREE

pytestmark = pytest.mark.timeout(400)

KITS = [language for language in LANGUAGES if language != "python"]
ENCODES_AGAIN = ["rust", "go", "java", "cpp"]
OTHERS = [language for language in KITS if language not in ENCODES_AGAIN]
RENAMED = ("actions_left", "aspect", "rules_version", "disqualified", "fault")
TYPES = {"hello": "Hello", "start": "Start", "decide": "Decide", "error": "Refusal", "end": "End"}


def lines(messages: Iterator[Words]) -> str:
    return "".join(f"{json.dumps(message)}\n" for message in messages)


@contextmanager
def with_messages(folder: Path, text: str) -> Iterator[None]:
    """Replace the messages in a kit inside the block."""
    place = folder / "messages.jsonl"
    before = place.read_text("utf-8")
    place.write_text(text, "utf-8")
    try:
        yield
    finally:
        place.write_text(before, "utf-8")


def own_tests(folder: Path, language: str) -> subprocess.CompletedProcess[str]:
    command = LANGUAGES[language].test
    return subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "CTEST_OUTPUT_ON_FAILURE": "1"},
    )


@pytest.mark.parametrize("language", OTHERS)
def test_the_tests_of_a_kit_pass(builder: BotBuilder, language: str) -> None:
    done = own_tests(builder.bot(language).folder, language)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("language", KITS)
def test_a_bot_answers_the_messages_in_its_kit(builder: BotBuilder, language: str) -> None:
    bot = builder.bot(language)
    with (bot.folder / "messages.jsonl").open() as conversation:
        done = subprocess.run(
            bot.command, cwd=bot.folder, stdin=conversation, capture_output=True, check=True
        )
    types = [json.loads(line)["type"] for line in done.stdout.splitlines()]
    assert types == ["hello", "ready", "choose", "choose", "choose"]


@pytest.mark.parametrize("language", ENCODES_AGAIN)
def test_the_types_of_a_kit_have_every_field_of_every_message(
    builder: BotBuilder, language: str
) -> None:
    folder = builder.bot(language).folder
    with with_messages(folder, few() + lines(many())):
        done = own_tests(folder, language)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]


@pytest.mark.parametrize("language", ENCODES_AGAIN)
def test_the_tests_of_a_kit_fail_when_a_field_has_another_name(
    builder: BotBuilder, language: str
) -> None:
    folder = builder.bot(language).folder
    text = (folder / "messages.jsonl").read_text("utf-8")
    renamed = text.replace('"actions_left"', '"left_actions"')
    assert renamed != text
    with with_messages(folder, renamed):
        assert own_tests(folder, language).returncode != 0


# --- TypeScript ----------------------------------------------------------------------------


def compiled(folder: Path, messages: Iterator[Words]) -> subprocess.CompletedProcess[str]:
    """Compile these messages as constants of the kit's types."""
    source = ['import type * as messages from "./messages.js";']
    for number, message in enumerate(messages):
        if message["type"] in TYPES:
            kind = TYPES[message["type"]]
            source.append(f"export const m{number}: messages.{kind} = {json.dumps(message)};")
    place = folder / "src" / "sent.ts"
    place.write_text("\n".join(source), "utf-8")
    words = ["npx", "--no-install", "tsc", "--noEmit"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    place.unlink()
    return done


@pytest.mark.xdist_group("typescript")
def test_the_types_in_typescript_have_every_field_of_every_message(builder: BotBuilder) -> None:
    done = compiled(builder.bot("typescript").folder, many())
    assert done.returncode == 0, done.stdout[:3000]


@pytest.mark.xdist_group("typescript")
def test_the_compiler_objects_when_a_field_has_another_name(builder: BotBuilder) -> None:
    folder = builder.bot("typescript").folder
    text = (folder / "messages.jsonl").read_text("utf-8")
    for field in RENAMED:
        text = text.replace(f'"{field}"', f'"renamed_{field}"')
    done = compiled(folder, map(json.loads, text.splitlines()))
    assert [field for field in RENAMED if f"renamed_{field}" not in done.stdout] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_assistant_can_follow_its_page(
    builder: BotBuilder, tmp_path: Path, language: str
) -> None:
    if not (is_wanted("languages") or is_wanted("docs")):
        pytest.skip(reason("languages"))
    bot = builder.bot(language)
    page = tmp_path / "AGENTS.md"
    page.write_text(agents_page(language, bot.name), "utf-8")
    reader = Reader(tmp_path)
    reader.install()
    reader.folder = bot.folder
    blocks = [block for block in blocks_of(page) if block.is_run]
    assert len(blocks) == 5
    for block in blocks:
        reader.follow(block)
    assert [json.loads(line)["type"] for line in reader.printed.splitlines()][-1] == "choose"


@pytest.mark.skipif("compare" not in Commands.modules, reason="this version has no compare")
def test_an_assistant_can_compare_with_the_last_commit(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    make_bot(folder, "python")
    for words in ("init -q", "add .", "-c user.name=x -c user.email=x@x commit -q -m x"):
        subprocess.run(["git", *words.split()], cwd=folder, check=True)
    with (folder / "bot.py").open("a") as program:
        program.write("# a change that changes nothing\n")
    words = "compare . .@HEAD --seats 2 --games 4 --max-turns 6 --quiet"
    done = forks.run([*REFEREE, *words.split()], cwd=folder)
    assert done.returncode == 3, done.stderr  # undecided
