"""A changed place of the engine: it is found, written and noticed by the tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from stress import mutants
from stress.mutants import Place, places, write_mutant

MODULE = '''"""A module."""

LIMIT: int = 3


def is_full(count: int = 1) -> bool:
    """Return whether 3 are too many."""
    return not count < LIMIT and True
'''


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / mutants.PACKAGE).mkdir(parents=True)
    (tmp_path / mutants.PACKAGE / "full.py").write_text(MODULE, "utf-8")
    return tmp_path


def test_each_operator_number_and_condition_in_a_function_is_a_place(root: Path) -> None:
    found = [write_mutant_once(root, place) for place in places(root)]
    assert sorted(found) == [
        (8, "True", "False"),
        (8, "count < LIMIT", "count <= LIMIT"),
        (8, "not count < LIMIT", "count < LIMIT"),
        (8, "not count < LIMIT and True", "not count < LIMIT or True"),
    ]


def write_mutant_once(root: Path, place: Place) -> tuple[int, str, str]:
    changed = write_mutant(root, place)
    text = (root / place.path).read_text("utf-8")
    assert changed[2] in text
    (root / place.path).write_text(MODULE, "utf-8")
    return changed


def test_only_a_failing_test_notices_a_mutant(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # it starts faster
    (tmp_path / "tests" / "engine").mkdir(parents=True)
    test = tmp_path / "tests" / "engine" / "test_golden.py"
    test.write_text("def test_nothing(): pass\n", "utf-8")
    assert not mutants.is_noticed(root, tmp_path / "tests")
    test.write_text("def test_nothing(): assert 0\n", "utf-8")
    assert mutants.is_noticed(root, tmp_path / "tests")
