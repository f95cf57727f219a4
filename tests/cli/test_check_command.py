"""`referee check`: what it prints, what it refuses, and its exit status."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.bots.find import Bot
from referee.bots.sandbox import levels
from referee.bots.sandbox.levels import Sandboxed
from referee.check.registry import NAMES
from referee.cli import main
from referee.cli.options import SandboxGiven
from support.parts import only_in

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
    "same_as",
    "seconds",
}


LIMITS = ("--sandbox", "limits")  # the same on every machine


def check(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", *arguments], env={"COLUMNS": "100"})


def faulty(kind: str) -> str:
    return f"{shlex.quote(sys.executable)} -I -S {shlex.quote(str(FAULTY))} {kind}"


def only(*names: str) -> list[str]:
    return [word for name in names for word in ("--only", name)]


def as_json(done: Result) -> dict[str, Any]:
    return dict(json.loads(done.stdout))


def test_a_good_bot_exits_with_status_0() -> None:
    done = check("random", *LIMITS, *only("handshake", "answer"))
    assert (done.exit_code, done.stderr) == (0, "")
    assert "passed   handshake  said hello as 'random'" in done.stdout
    assert "random: 2 passed" in done.stdout


def test_a_failed_check_exits_with_status_1_and_a_hint() -> None:
    done = check(faulty("chooses-text"), *LIMITS, *only("handshake", "answer", "game"))
    assert done.exit_code == 1
    for word in ("FAILED   answer", "sent  ", "received", "hint", "skipped  game: needs answer"):
        assert word in done.stdout
    assert "1 passed, 1 failed, 1 skipped" in done.stdout


def test_a_message_is_one_line_in_a_pipe() -> None:
    done = check(faulty("chooses-text"), *LIMITS, *only("answer"))
    (sent,) = [line for line in done.stdout.splitlines() if line.startswith("         sent      ")]
    assert len(sent) > 500
    assert sent.endswith(" bytes)")


def test_one_reason_is_reported_once() -> None:
    done = check(faulty("dies-answering"), *LIMITS, *only("game", "games", "unknown-fields"))
    assert done.stdout.count("sent  ") == done.stdout.count("hint  ") == 1
    assert "FAILED   games           for the same reason as game\n" in done.stdout
    assert "3 failed for 1 reason" in done.stdout


def test_it_can_stop_at_the_first_failure() -> None:
    done = check(faulty("dies-answering"), "--first", "--json", *LIMITS)
    assert done.exit_code == 1
    assert [one["name"] for one in as_json(done)["checks"]] == ["handshake", "answer"]


def test_it_ends_by_saying_that_a_tournament_is_stricter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "missing_for_strict", lambda: "bubblewrap is not installed")
    lines = check("random", *only("handshake")).stdout.splitlines()
    assert lines[0].startswith("sandbox: limits; ")
    assert lines[0].endswith("not strict: bubblewrap is not installed")
    assert lines[-2].startswith("A tournament is stricter where it can be: ")


def test_a_crash_in_the_strict_sandbox_may_come_from_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def put(_: SandboxGiven, bots: list[Bot], **__: object) -> Sandboxed:
        return Sandboxed(bots, "strict", "sandbox: strict")

    monkeypatch.setattr(SandboxGiven, "put", put)
    for kind, is_said in (("dies-at-once", True), ("no-such-kind", True), ("plain", False)):
        done = check(faulty(kind), *only("handshake"))
        said = "--sandbox limits shows whether that is the reason" in " ".join(done.stdout.split())
        assert said == is_said, done.stdout


@only_in("sandbox")
def test_it_uses_the_sandbox_of_a_tournament() -> None:
    done = check(faulty("dies-at-once"), *only("handshake"))
    assert done.stdout.startswith("sandbox: strict; ")
    assert "--sandbox limits shows whether that is the reason." in " ".join(done.stdout.split())


def test_a_warning_exits_with_status_0() -> None:
    done = check(faulty("leaves-badly"), *LIMITS, *only("end-of-input"))
    assert done.exit_code == 0
    assert "warning  end-of-input" in done.stdout


def test_json_is_one_object_with_every_check() -> None:
    done = check(faulty("chooses-text"), "--json", *LIMITS, *only("handshake", "answer", "game"))
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
        check(
            *("random", "--json", "--start-ms", "9000", "--move-ms", "800"),
            *LIMITS,
            *only("answer-time"),
        )
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
