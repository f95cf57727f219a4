"""The program that rates the house bots, in small, and the page that it checks."""

from __future__ import annotations

from pathlib import Path

import pytest

import rating_list
from referee import RefereeError
from support.command_runs import PLAIN

pytestmark = pytest.mark.usefixtures("few_processes")

NOT_YET = f"# Results\n\n{rating_list.BEGIN}\n{rating_list.END}\n\nMore.\n"


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page without a list; a rating takes only a moment."""
    plain = PLAIN.partition("=")[2]
    fields = {"strong": ("ada", "bo"), "weak": ("bo", "eve")}
    for field, names in fields.items():
        monkeypatch.setitem(rating_list.FIELDS, field, tuple(f"{name}={plain}" for name in names))
    monkeypatch.setattr(rating_list, "SEATS", {"hanse-2-3": 2})
    monkeypatch.setitem(rating_list.OPTIONS, "max_turns", 6)
    path = tmp_path / "results.md"
    path.write_text(NOT_YET, "utf-8")
    return path


def rate(page: Path, *, is_writing: bool = False) -> int:
    return rating_list.run(page.with_name("games"), ["hanse-2-3"], is_writing=is_writing, page=page)


def test_the_page_is_checked_and_written(page: Path) -> None:
    assert rate(page) == 1
    assert page.read_text("utf-8") == NOT_YET
    assert rate(page, is_writing=True) == 0
    text = page.read_text("utf-8")
    assert text.endswith("\n\nMore.\n")
    assert "### hanse-2-3" in text
    assert text.count("2 games") == 2
    assert [text.count(f"| `{name}` |") for name in ("ada", "bo", "eve")] == [1, 2, 1]
    assert rate(page) == 0
    page.write_text(text.replace("| `ada` |", "| `ed` |"), "utf-8")
    assert rate(page) == 1


def test_games_of_another_machine_are_not_continued(page: Path) -> None:
    folder = page.with_name("games")
    found = rating_list.machine_of(folder)
    assert rating_list.machine_of(folder) == found
    machine = folder / "machine.json"
    machine.write_text(machine.read_text("utf-8").replace(found.python, "3.9.0"), "utf-8")
    with pytest.raises(RefereeError, match=r"Python 3\.9\.0"):
        rate(page)
    machine.write_text("{", "utf-8")
    with pytest.raises(RefereeError, match="cannot be read"):
        rate(page)


def test_a_page_needs_a_place_for_the_list() -> None:
    with pytest.raises(RefereeError, match="the page needs the lines"):
        rating_list.with_list("# Results\n", "")
