"""The text of a bot never controls the terminal and is never markup on a page."""

from __future__ import annotations

import re
import sys
import unicodedata
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.bots.reaper import Reaper
from referee.cli import main
from support.command_runs import PLAIN
from support.sandboxed import BOTS

LOUD = BOTS / "loud"
SHORT = ("--max-turns", "12", "--seed", "7")
MARKS = ("<script>alert", "<img src=x")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(Reaper, "take_charge", lambda _: None)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def referee(*words: object, terminal: bool = False) -> Result:
    """Run a command with its output in a pipe, or on a terminal with colours."""
    environment = {"COLUMNS": "200", "TERM": "xterm"} | ({"FORCE_COLOR": "1"} if terminal else {})
    return CliRunner().invoke(main, list(map(str, words)), env=environment)


def without_colours(text: str) -> str:
    """Remove the colours, which are the referee's own."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def control_characters_in(text: str) -> set[str]:
    """The control characters in a text, apart from line feeds."""
    return {
        c for c in without_colours(text) if unicodedata.category(c) in ("Cc", "Cf") and c != "\n"
    }


def pages_are_clean(folder: Path) -> bool:
    pages = [path.read_text("utf-8") for path in folder.rglob("*.html")]
    assert pages
    return not any(mark in page for page in pages for mark in MARKS)


def test_remarks_and_faults_are_clean_on_the_screen(here: Path) -> None:
    result = referee("play", LOUD, PLAIN, *SHORT, "--record", "game.jsonl", terminal=True)
    assert result.exit_code == 1  # the bot made one fault
    assert control_characters_in(result.stdout + result.stderr) == set()
    assert "[red]rich[/red]" in without_colours(result.stdout)


def test_json_and_quiet_output_is_clean() -> None:
    for show in ("--json", "--quiet"):
        result = referee("play", LOUD, PLAIN, *SHORT, show)
        assert control_characters_in(result.stdout + result.stderr) == set()


def test_the_stderr_of_a_silent_bot_is_shown_clean(here: Path) -> None:
    script = here / "silent.py"
    script.write_text(
        f"import sys\nsys.path.insert(0, {str(LOUD)!r})\nimport bot\nsys.stderr.write(bot.LOUD)\n"
    )
    result = referee("play", f"silent={sys.executable} {script}", PLAIN, *SHORT)
    assert result.exit_code == 1
    assert "[red]rich[/red]" in without_colours(result.stderr)
    assert control_characters_in(result.stderr) == set()


def test_a_record_is_clean_in_the_terminal_and_as_a_page(here: Path) -> None:
    referee("play", LOUD, PLAIN, *SHORT, "--record", "game.jsonl", "--quiet")
    for words in ((), ("--turn", "2"), ("--json",)):
        shown = referee("replay", "game.jsonl", *words)
        assert shown.exit_code == 0, shown.stderr
        assert control_characters_in(shown.stdout) == set()
    (here / "page").mkdir()
    done = referee("replay", "game.jsonl", "--html", here / "page" / "game.html")
    assert done.exit_code == 0, done.stderr
    assert pages_are_clean(here / "page")


def test_a_tournament_is_clean_in_all_its_output(here: Path) -> None:
    words = (LOUD, PLAIN, "--blocks", 1, "--workers", 1, "--out", "league", *SHORT)
    shown = referee("tournament", *words)
    assert shown.exit_code == 0, shown.stderr
    assert control_characters_in(shown.stdout) == set()
    live = referee("tournament", *words[:-2], "--out", "live", terminal=True).stdout
    assert not any(character in live for character in ("\x1b]", "\x9b", "\u202e", "\x07"))
    faults = referee("faults", "league")
    assert "garbage" in faults.stdout
    assert control_characters_in(faults.stdout) == set()
    assert referee("report", "league", "--out", "site").exit_code == 0
    assert pages_are_clean(here / "site")
