"""Finding records by the paths of files and folders and by patterns."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.errors import RecordRefused
from referee.records.find import analysis_path, find_records


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.jsonl", "b.jsonl.gz", "deep/er/c.jsonl", "notes.txt", "a.jsonl.stderr/x.txt",
        "a.analysis.jsonl", "deep/er/c.analysis.jsonl"):  # fmt: skip
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / "folder.jsonl").mkdir()
    return tmp_path


def names(folder: Path, *words: str) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in find_records(words)]


def test_a_folder_means_all_records_below_it(folder: Path) -> None:
    assert names(folder, str(folder)) == ["a.jsonl", "b.jsonl.gz", "deep/er/c.jsonl"]


def test_a_file_may_have_any_name(folder: Path) -> None:
    assert names(folder, str(folder / "notes.txt")) == ["notes.txt"]


def test_a_pattern_means_the_records_that_match(folder: Path) -> None:
    assert names(folder, f"{folder}/*.gz") == ["b.jsonl.gz"]
    assert names(folder, f"{folder}/**/*.jsonl") == ["a.jsonl", "deep/er/c.jsonl"]


def test_the_analysis_of_a_record_is_not_a_record(folder: Path) -> None:
    assert not any("analysis" in name for name in names(folder, str(folder)))
    with pytest.raises(RecordRefused, match="no record matches"):
        find_records([f"{folder}/*.analysis.jsonl"])


def test_the_analysis_of_a_packed_record_is_that_of_the_record() -> None:
    assert analysis_path(Path("deep/game.jsonl.gz")) == analysis_path(Path("deep/game.jsonl"))
    assert analysis_path(Path("game.2.jsonl")) == Path("game.2.analysis.jsonl")


def test_each_record_is_found_once_in_the_order_given(folder: Path) -> None:
    words = (str(folder / "deep"), str(folder), str(folder / "a.jsonl"))
    assert names(folder, *words) == ["deep/er/c.jsonl", "a.jsonl", "b.jsonl.gz"]


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("nowhere.jsonl", "there is no record"),
        ("*.nothing", "no record matches"),
        ("folder.jsonl", "there is no record in the folder"),
        ("a\0b", "there is no record"),
    ],
)
def test_a_word_without_a_record_is_refused(word: str, why: str, folder: Path) -> None:
    with pytest.raises(RecordRefused, match=why):
        find_records([f"{folder}/{word}"])
