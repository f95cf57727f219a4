"""`referee check`: what it prints, what it refuses, and its exit status."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.check.registry import NAMES
from referee.cli import main
from support.paths import REFEREE

FAULTY = Path(__file__).parent.parent / "check" / "bots" / "faulty.py"
FIELDS = {
    "name",
    "claim",
    "status",
    "sentence",
    "sent",
    "received",
    "stderr",
    "hint",
    "figures",
    "seconds",
}


def check(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", *arguments], env={"COLUMNS": "100"})


def faulty(kind: str) -> str:
    return f"{shlex.quote(sys.executable)} -I -S {shlex.quote(str(FAULTY))} {kind}"


def only(*names: str) -> list[str]:
    return [word for name in names for word in ("--only", name)]


def as_json(done: Result) -> dict[str, Any]:
    return dict(json.loads(done.stdout))


def test_a_good_bot_exits_with_status_0() -> None:
    command = [*REFEREE, "check", "random", *only("handshake", "answer")]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert "passed   handshake  said hello as 'random'" in done.stdout
    assert "random: 2 passed" in done.stdout


def test_a_failed_check_exits_with_status_1_and_a_hint() -> None:
    done = check(faulty("chooses-text"), *only("handshake", "answer", "game"))
    assert done.exit_code == 1
    for word in ("FAILED   answer", "sent  ", "received", "hint", "skipped  game", "needs answer"):
        assert word in done.stdout
    assert "1 passed, 1 failed, 1 skipped" in done.stdout


def test_a_warning_exits_with_status_0() -> None:
    done = check(faulty("leaves-badly"), *only("end-of-input"))
    assert done.exit_code == 0
    assert "warning  end-of-input" in done.stdout


def test_json_is_one_object_with_every_check() -> None:
    done = check(faulty("chooses-text"), "--json", *only("handshake", "answer", "game"))
    assert done.exit_code == 1
    words = as_json(done)
    assert words["ok"] is False
    assert words["bot"] == "chooses-text"
    assert words["counts"] == {"passed": 1, "warning": 0, "failed": 1, "skipped": 1}
    assert words["limits"] == {"start_ms": 10_000, "move_ms": 15_000}
    assert [one["name"] for one in words["checks"]] == ["handshake", "answer", "game"]
    assert all(set(one) == FIELDS for one in words["checks"])
    passed, failed, skipped = words["checks"]
    assert passed["figures"]["hello"]["encoding"] == "json"
    assert failed["received"] == '{"type": "choose", "id": 1, "choice": "0"}'
    assert (skipped["status"], skipped["sent"], skipped["hint"]) == ("skipped", None, None)


def test_the_limits_are_those_given() -> None:
    words = as_json(
        check("random", "--json", "--start-ms", "9000", "--move-ms", "800", *only("answer-time"))
    )
    assert words["limits"] == {"start_ms": 9000, "move_ms": 800}
    assert words["checks"][0]["figures"]["allowed_ms"] == 800


def test_the_list_names_every_check_and_needs_no_bot() -> None:
    done = check("--list")
    assert done.exit_code == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == list(NAMES)
    listed = json.loads(check("--list", "--json").stdout)["checks"]
    assert [one["name"] for one in listed] == list(NAMES)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "a BOT or --list is missing"),
        (["nobody"], "'nobody' is not a valid bot"),
        (["human"], "a human player cannot be checked"),
        (["random", "--only", "nothing"], "'nothing' is not one of 'handshake'"),
        (["random", "--move-ms", "0"], "--move-ms"),
        (["random", "another"], "unexpected extra argument"),
    ],
)
def test_a_usage_error_is_one_sentence_and_status_2(arguments: list[str], message: str) -> None:
    done = check(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("referee: ")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr
