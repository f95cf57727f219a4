"""`python -m stress.fuzz` prints its figures as text and as JSON."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from referee.bots.reaper import Reaper
from stress.fuzz import in_process
from stress.fuzz.__main__ import fuzz


@pytest.fixture(autouse=True)
def modest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reaper, "take_charge", lambda _: None)
    monkeypatch.setattr("stress.fuzz.pipes.MAX_TURNS", 8)


def run(*words: object) -> Result:
    return CliRunner().invoke(fuzz, [*map(str, words)], env={"COLUMNS": "200"})


@pytest.mark.parametrize(
    ("what", "count", "expected"),
    [
        ("replies", 200, "replies in"),
        ("pipes", 5, "replies through pipes in"),
        ("files", 19, "  packed record: "),
    ],
)
def test_a_clean_run_is_summed_up(what: str, count: int, expected: str) -> None:
    done = run(what, "--count", count, "--seed", 3)
    assert done.exit_code == 0, done.output
    assert expected in done.stdout
    assert "Nothing was wrong." in done.stdout


@pytest.mark.parametrize("what", ["replies", "files"])
def test_json_is_one_object(what: str) -> None:
    words = json.loads(run(what, "--count", 19, "--json").stdout)
    assert words["stress"] == f"fuzz {what}"
    assert words[what] >= 19
    assert (words["clean"], words["wrong"], words["left_open"]) == (True, [], 0)


def test_an_error_of_the_referee_is_shown_and_is_status_1(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise LookupError("a bug")

    monkeypatch.setattr(in_process, "judge", broken)
    done = run("replies", "--count", 50)
    assert done.exit_code == 1
    assert "Wrong: game 0 is void: LookupError: a bug" in done.stdout


def test_a_missing_argument_is_reported_in_one_sentence() -> None:
    done = run()
    assert done.exit_code == 2
    assert done.stderr.startswith("Missing argument")
    assert done.stderr.count("\n") == 1
