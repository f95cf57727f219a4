"""The page as a file: it loads nothing, is safe, and is small."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.random_play import play_game
from referee.web.game.page import page_of
from referee.web.template import embedded
from support.board_records import write_record
from support.combinations import named
from support.golden_games import GAMES
from support.random_games import Game, played

HOSTILE = "</script><!--<script>\u2028\u2029&amp;]]>{{script}}"


@cache
def page(name: str = GAMES[3][0], seed: int = GAMES[3][1], **options: Any) -> str:
    with TemporaryDirectory() as folder:
        return page_of(write_record(Path(folder) / "game.jsonl", played(name, seed), **options))


def data_of(text: str) -> dict[str, Any]:
    (found,) = re.findall(r'<script type="application/json" id="game">(.*?)</script>', text)
    data: dict[str, Any] = json.loads(found)
    return data


def test_the_page_refers_to_nothing_outside() -> None:
    text = page().replace("http://www.w3.org/2000/svg", "")
    assert re.findall(r"https?:|//[a-z0-9-]+\.[a-z]", text) == []
    assert re.findall(r"@import|\burl\((?!#)|<link (?!rel=\"icon\" href=\"data:)", text) == []
    assert re.findall(r"\b(?:src|srcset|action|poster)=", text) == []
    assert re.findall(r'href="(?!#|data:image/svg\+xml,)', text) == []
    assert re.findall(r"\b(?:fetch|XMLHttpRequest|WebSocket|importScripts|import)\(", text) == []


def test_the_script_never_turns_text_into_markup() -> None:
    text = page()
    assert re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", text) == []
    assert re.findall(r"\son[a-z]+=|\sstyle=", text) == []


def test_the_policy_allows_only_the_scripts_and_styles_of_the_page() -> None:
    text = page()
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    inline = re.findall(r"<(?:style|script)>(.*?)</(?:style|script)>", text, re.DOTALL)
    digests = [base64.b64encode(hashlib.sha256(part.encode()).digest()).decode() for part in inline]
    assert sorted(re.findall(r"'sha256-([^']+)'", policy)) == sorted(digests)
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy


def test_embedded_data_cannot_end_its_block() -> None:
    text = embedded({"name": HOSTILE})
    assert not set("<>&\u2028\u2029") & set(text)
    assert json.loads(text) == {"name": HOSTILE}


def test_names_and_remarks_keep_their_text_and_are_visible() -> None:
    names = (HOSTILE, "\x1b[31mred", "a" * 500)
    recording = played(*GAMES[3])
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        says = dict.fromkeys(range(1, 20), HOSTILE)
        data = data_of(page_of(write_record(path, recording, names=names, says=says, upto=25)))
    shown = HOSTILE.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    assert data["names"] == [shown, "\\u001b[31mred", "a" * 59 + "…"]
    assert shown in [sentence[2] for sentence in data["sentences"]]


def test_the_seed_is_not_in_the_page_of_one_seat(tmp_path: Path) -> None:
    recording = played("hanse-2-3:3:original+missions", 1)
    path = write_record(tmp_path / "game.jsonl", recording._replace(seed=1), upto=20)
    assert data_of(page_of(path))["seed"] == 1
    assert data_of(page_of(path, viewer_seat=0))["seed"] is None


def test_two_thousand_decisions_take_less_than_half_a_megabyte(tmp_path: Path) -> None:
    board, rules = named("hanse-4-5:5:bigbox+missions+favours+promos+max_turns=470")
    indices = play_game(board, rules, 3).tally.indices
    assert len(indices) >= 2000
    text = page_of(write_record(tmp_path / "game.jsonl", Game(board, rules, 3, tuple(indices))))
    assert len(text.encode()) < 500_000


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["replay", *words])
    return result.exit_code, result.output


def test_the_command_writes_the_page(tmp_path: Path) -> None:
    record = write_record(tmp_path / "game.jsonl", played(*GAMES[3]), upto=20)
    target = tmp_path / "game.html"
    assert run(str(record), "--html", str(target)) == (0, f"Written: {target}\n")
    assert target.read_text("utf-8") == page_of(record)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("no-record", "--html", "page.html"), "No such file"),
        (("game.jsonl", "--html", "no-folder/page.html"), "cannot be written"),
        (("game.jsonl", "--html", "page.html", "--seat", "3"), "has no seat 3"),
    ],
)
def test_an_error_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], sentence: str
) -> None:
    write_record(tmp_path / "game.jsonl", played(*GAMES[3]), upto=9)
    monkeypatch.chdir(tmp_path)
    status, output = run(*words)
    assert (status, output.count("\n")) == (2, 1)
    assert sentence in output
    assert not Path("page.html").exists()
