"""`referee doctor`: each part is good or missing, and what is missing has advice."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from referee import doctor
from referee.bots.starter_kits import LANGUAGES
from referee.cli import main
from referee.doctor import MachineFinding, TerminalFacts
from referee.version import build_name

GOOD_TERMINAL = TerminalFacts(is_terminal=True, colours="256", columns=120, rows=40, unicode=True)


def parts(findings: list[MachineFinding]) -> dict[str, MachineFinding]:
    return {finding.part: finding for finding in findings}


def test_this_machine_has_what_is_needed() -> None:
    findings = doctor.examine(GOOD_TERMINAL)
    assert doctor.is_ready(findings)
    assert parts(findings)["engine"].found.startswith(build_name())


def test_every_language_of_a_starter_kit_is_checked() -> None:
    named = parts(doctor.examine(GOOD_TERMINAL))
    assert {f"bots in {language.title}" for language in LANGUAGES.values()} <= set(named)


def test_whatever_is_missing_has_advice() -> None:
    small = TerminalFacts(is_terminal=True, colours=None, columns=40, rows=10, unicode=False)
    missing = [
        doctor.python((3, 10, 2)),
        doctor.system("win32"),
        doctor.sandbox("bubblewrap is not installed: apt install bubblewrap"),
        *doctor.screen(small),
    ]
    assert [finding.status for finding in missing] == ["missing"] * 6
    assert all(finding.advice for finding in missing)


def test_a_new_python_is_needed_and_a_large_terminal_is_not() -> None:
    small = TerminalFacts(is_terminal=True, colours=None, columns=40, rows=10, unicode=False)
    assert doctor.is_ready([*doctor.screen(small), doctor.sandbox("it needs Linux")])
    assert not doctor.is_ready([doctor.python((3, 10, 2))])


def test_a_missing_tool_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    found = parts(doctor.toolchains())
    assert found["bots in Rust"].found == "no cargo"
    assert found["bots in Rust"].advice == "install cargo to run bots in Rust"
    assert found["bots in Python"].good


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "PACKAGES", ("click", "no-such-package"))
    (found,) = doctor.packages()
    assert (found.good, found.needed, found.advice) == (False, True, "pip install no-such-package")


def test_json_has_all_findings() -> None:
    result = CliRunner().invoke(main, ["doctor", "--json"])
    words = json.loads(result.stdout)
    assert (result.exit_code, words["ok"]) == (0, True)
    assert {one["status"] for one in words["findings"]} <= {"good", "missing"}


def test_the_exit_status_is_1_when_something_needed_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doctor, "OLDEST_PYTHON", (99, 0))
    result = CliRunner().invoke(main, ["doctor"])
    assert result.exit_code == 1
    assert "install Python 99.0 or newer" in result.stdout
    assert "Something that the referee needs is missing." in result.stdout
