"""Reading the lines of a record while it grows, packed or not; what is not a record is refused."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

import pytest

from referee.errors import RecordRefused
from referee.records import reader
from referee.records.reader import RecordReader
from support.replay_games import SHORT, record


def lines_of(path: Path) -> int:
    return len(list(RecordReader(path).lines()))


def test_only_complete_lines_are_yielded(tmp_path: Path) -> None:
    raw = record(SHORT).read_bytes()
    path = tmp_path / "game.jsonl"
    path.write_bytes(raw[:-1])
    assert lines_of(path) == raw.count(b"\n") - 1
    path.write_bytes(raw)
    assert lines_of(path) == raw.count(b"\n")


def test_added_lines_are_yielded_once(tmp_path: Path) -> None:
    raw = record(SHORT).read_bytes()
    path = tmp_path / "game.jsonl"
    path.write_bytes(raw[:20_000])
    growing = RecordReader(path)
    first = list(growing.lines())
    assert list(growing.lines()) == []
    path.write_bytes(raw)
    second = list(growing.lines())
    assert len(first) + len(second) == raw.count(b"\n")


def test_a_packed_record_grows_as_well(tmp_path: Path) -> None:
    raw = record(SHORT).read_bytes()
    path = tmp_path / "game.jsonl.gz"
    packer = zlib.compressobj(wbits=31)
    half = packer.compress(raw[: len(raw) // 2]) + packer.flush(zlib.Z_SYNC_FLUSH)
    path.write_bytes(half)
    growing = RecordReader(path)
    first = len(list(growing.lines()))
    assert first == raw[: len(raw) // 2].count(b"\n")
    path.write_bytes(half + packer.compress(raw[len(raw) // 2 :]) + packer.flush())
    assert first + len(list(growing.lines())) == raw.count(b"\n")


def test_packed_files_may_follow_each_other(tmp_path: Path) -> None:
    raw = record(SHORT).read_bytes()
    path = tmp_path / "game.jsonl.gz"
    path.write_bytes(gzip.compress(raw[:9999]) + gzip.compress(raw[9999:]) + b"\0" * 20)
    assert lines_of(path) == raw.count(b"\n")


def test_a_zip_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "LARGEST_LINE", 1 << 20)
    path = tmp_path / "bomb.jsonl.gz"
    path.write_bytes(gzip.compress(b" " * (8 << 20)))
    with pytest.raises(RecordRefused, match="the line is longer than 1 MiB"):
        list(RecordReader(path).lines())


def test_a_record_has_a_largest_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "LARGEST_RECORD", 1 << 20)
    path = tmp_path / "long.jsonl.gz"
    turn = b'{"line":"turn","turn":1,"digest":"0"}\n'
    path.write_bytes(gzip.compress(turn * 40_000))
    with pytest.raises(RecordRefused, match="larger than 1 MiB"):
        list(RecordReader(path).lines())


def test_a_file_that_became_shorter_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(record(SHORT).read_bytes())
    growing = RecordReader(path)
    list(growing.lines())
    path.write_bytes(b"{}")
    with pytest.raises(RecordRefused, match="became shorter"):
        list(growing.lines())


@pytest.mark.parametrize("name", ["nowhere.jsonl", "nul\0.jsonl", "."])
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(RecordRefused, match="cannot be read"):
        list(RecordReader(tmp_path / name).lines())


def test_a_packed_name_without_packed_data_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "plain.jsonl.gz"
    path.write_bytes(record(SHORT).read_bytes())
    with pytest.raises(RecordRefused, match="cannot be read"):
        list(RecordReader(path).lines())
