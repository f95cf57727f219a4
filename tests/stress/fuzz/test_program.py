"""`referee bench fuzz`: its figures, for people and for programs."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from referee.bots.reaper import Reaper
from referee.cli import main


@pytest.fixture(autouse=True)
def modest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reaper, "take_charge", lambda _: None)
    monkeypatch.setattr("stress.fuzz.pipes.MAX_TURNS", 8)


def bench(*words: object) -> Result:
    return CliRunner().invoke(main, ["bench", "fuzz", *map(str, words)], env={"COLUMNS": "200"})


@pytest.mark.parametrize(
    ("what", "count", "said"),
    [
        ("replies", 200, "replies in"),
        ("pipes", 5, "replies through pipes in"),
        ("files", 19, "  packed record: "),
    ],
)
def test_it_says_what_became_of_them(what: str, count: int, said: str) -> None:
    done = bench(what, "--count", count, "--seed", 3)
    assert done.exit_code == 0, done.output
    assert said in done.stdout
    assert "Nothing was wrong." in done.stdout


@pytest.mark.parametrize(("what", "of"), [("replies", "replies"), ("files", "files")])
def test_json_is_one_object(what: str, of: str) -> None:
    words = json.loads(bench(what, "--count", 19, "--json").stdout)
    assert words["bench"] == f"fuzz {what}"
    assert words[of] >= 19
    assert (words["clean"], words["wrong"], words["left_open"]) == (True, [], 0)


def test_what_is_wrong_is_said_and_is_status_1(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise LookupError("a bug")

    monkeypatch.setattr(fuzz, "judge", broken)
    done = bench("replies", "--count", 50)
    assert done.exit_code == 1
    assert "Wrong: game 0 is void: LookupError: a bug" in done.stdout
