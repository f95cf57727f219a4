"""The cache beside a record: resumed after a kill, refused for other settings or another record."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee.analysis import run
from referee.analysis.cache import read_analysis
from referee.analysis.lines import Settings
from referee.analysis.run import OpenRecord, Wanted, analyse_record, analyse_records
from support.recorded_games import record

FULL = Path("/dev/full")
WANTED = Wanted(Settings(time_ms=None, rounds=1))


@pytest.fixture(scope="module")
def analysed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a folder with one analysed record."""
    folder = tmp_path_factory.mktemp("analysed")
    analyse_record(record(folder / "game.jsonl", "east:3:original+max_turns=3"), WANTED)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def game(analysed: dict[str, bytes], tmp_path: Path) -> Path:
    for name, data in analysed.items():
        (tmp_path / name).write_bytes(data)
    return tmp_path / "game.jsonl"


def cache_of(game: Path) -> Path:
    return game.with_name("game.analysis.jsonl")


def missing(game: Path, wanted: Wanted = WANTED) -> list[int]:
    with OpenRecord(game, wanted) as opened:
        return [turn.turn for turn in opened.missing]


def test_what_is_in_the_cache_is_not_judged_again(game: Path) -> None:
    before = cache_of(game).read_bytes()
    assert missing(game) == []
    result = analyse_record(game, WANTED)
    assert result.analysis == read_analysis(game)
    assert result.analysis is not None
    assert result.analysis.is_complete
    assert [turn.turn for turn in result.analysis.turns] == [1, 2, 3]
    assert cache_of(game).read_bytes() == before


def test_a_killed_run_goes_on_where_it_was(game: Path) -> None:
    whole = cache_of(game).read_bytes()
    header, first, second, *_ = whole.splitlines(keepends=True)
    cache_of(game).write_bytes(header + first + second[: len(second) // 2])
    half = read_analysis(game)
    assert half is not None
    assert (half.is_complete, [turn.turn for turn in half.turns]) == (False, [1])
    assert missing(game) == [2, 3]
    analyse_record(game, WANTED)
    assert cache_of(game).read_bytes() == whole


def test_several_processes_find_the_same(game: Path) -> None:
    whole = cache_of(game).read_bytes()
    cache_of(game).unlink()
    with OpenRecord(game, WANTED) as opened:
        assert len(list(opened.judged(2))) == 3
    assert cache_of(game).read_bytes() == whole


def test_many_records_are_analysed_by_several_processes(game: Path) -> None:
    twin = game.with_name("twin.jsonl")
    twin.write_bytes(game.read_bytes())
    twin.with_name("twin.analysis.jsonl").write_bytes(cache_of(game).read_bytes())
    wrong = game.with_name("wrong.jsonl")
    wrong.write_bytes(b"{}\n")
    results = list(analyse_records([game, twin, wrong], WANTED, 2))
    assert [one.verdict for one in results] == ["fine", "fine", "wrong"]
    assert results[0].analysis == results[1].analysis


@pytest.mark.parametrize(
    "other",
    [
        Settings(time_ms=None, rounds=2),
        Settings(time_ms=1, rounds=None),
        Settings(time_ms=None, rounds=1, omniscient=True),
    ],
)
def test_other_settings_do_not_use_the_cache(other: Settings, game: Path) -> None:
    assert missing(game, replace(WANTED, settings=other)) == [1, 2, 3]
    assert read_analysis(game) is not None  # the old one was replaced by an empty one
    assert missing(game) == [1, 2, 3]


def test_the_cache_of_another_record_is_not_used(game: Path) -> None:
    record(game, "east:3:original+max_turns=3", seed=8)
    assert read_analysis(game) is None
    assert missing(game) == [1, 2, 3]


def test_another_version_does_not_use_the_cache(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "made_by", lambda _: "another")
    assert missing(game) == [1, 2, 3]


@pytest.mark.parametrize("data", [b"", b"{}\n", b"\xff\n", b'{"format":2}\n', b"[" * 100_000])
def test_a_file_that_is_not_a_cache_is_replaced(data: bytes, game: Path) -> None:
    cache_of(game).write_bytes(data)
    assert read_analysis(game) is None
    assert missing(game) == [1, 2, 3]
    assert read_analysis(game) is not None


def test_a_record_without_an_analysis_has_none(tmp_path: Path) -> None:
    assert read_analysis(tmp_path / "nowhere.jsonl") is None
    assert read_analysis(tmp_path / "a\0b.jsonl") is None


def test_without_a_cache_nothing_is_read_or_written(game: Path) -> None:
    before = cache_of(game).read_bytes()
    assert missing(game, replace(WANTED, cache=False)) == [1, 2, 3]
    assert cache_of(game).read_bytes() == before


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
def test_a_disk_that_becomes_full_is_only_noted(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = cache_of(game).read_bytes().splitlines(keepends=True)[:2]
    cache_of(game).write_bytes(b"".join(first))
    with OpenRecord(game, WANTED) as opened, FULL.open("wb", buffering=0) as full:
        monkeypatch.setattr(opened.cache, "_file", full)
        list(opened.judged(1))
        result = opened.result()
        monkeypatch.undo()
    assert result.note is not None
    assert "No space left on device; the analysis is not kept" in result.note
    assert result.analysis is not None
    assert result.analysis.is_complete


def test_a_cache_that_cannot_be_written_is_only_noted(game: Path) -> None:
    cache_of(game).unlink()
    cache_of(game).mkdir()
    result = analyse_record(game, replace(WANTED, seat=0))
    assert result.note is not None
    assert "the analysis is not kept" in result.note
    assert result.analysis is not None
    assert [turn.seat for turn in result.analysis.turns] == [0]
