"""Continuing from a record: the positions in it, and one sentence for each error."""

import gzip
import json
import time
from pathlib import Path
from typing import Any

import pytest

from referee import atlas
from referee.encoder import Formats, MessageFormat
from referee.engine import game
from referee.engine.ruleset import make_ruleset
from referee.errors import RecordRefused
from referee.match.players import Answer
from referee.match.runner import RefereedGame, Settings
from referee.records import reader
from referee.records.resume import Record
from referee.records.writer import RecordWriter
from support.groups import together

BOARD = atlas.load_board("hanse-2-3")


class MiddleChoice:
    """A player in this process that makes the choice in the middle of the list."""

    name, version, content, message_format = "middle", None, "0", MessageFormat()

    def open(self, *_: object) -> None: ...
    def start(self, *_: object) -> None: ...
    def refuse(self, *_: object) -> None: ...
    def dismiss(self) -> None: ...
    def end(self, *_: object) -> None: ...

    def decide(self, _: int, options: list[Any]) -> Answer:
        now_ns = time.monotonic_ns()
        return Answer(len(options) // 2, 0.1, now_ns, now_ns)

    def stderr_excerpt(self) -> bytes:
        return b""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a finished game."""
    path = tmp_path_factory.mktemp("records") / "game.jsonl"
    rules = make_ruleset(atlas.load_components(), BOARD, 2, max_turns=6)
    formats = Formats(BOARD)
    record = RecordWriter(path, formats.get("json", "words"))
    players: Any = [MiddleChoice(), MiddleChoice()]
    outcome = RefereedGame(formats, rules, 7, "a-game", players, Settings(), record).play()
    assert outcome.void is None
    record.close()
    return path


def changed(whole: Path, path: Path, number: int, **fields: object) -> Path:
    """Write the record to `path` with other fields in one of its lines."""
    lines = whole.read_bytes().splitlines()
    lines[number] = json.dumps({**json.loads(lines[number]), **fields}).encode()
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path


def refusal(path: Path, at: int | None = None) -> str:
    with pytest.raises(RecordRefused) as caught:
        Record(path).position(at)
    assert "\n" not in str(caught.value)
    assert path.name in str(caught.value)
    return str(caught.value)


# --- Positions


def test_the_header_has_the_settings(whole: Path) -> None:
    header = Record(whole).header
    assert (header.seed, header.game, header.strikes) == (7, "a-game", 3)
    assert (header.rules.max_turns, header.clock.move_ms) == (6, 15_000)


def test_every_position_is_the_one_of_the_game(whole: Path) -> None:
    record = Record(whole)
    decisions = [
        json.loads(line)
        for line in whole.read_bytes().splitlines()
        if json.loads(line)["line"] == "decision"
    ]
    for decision in decisions:
        state, past = record.position(decision["id"])
        assert state.decision_id == past.at == decision["id"]
        assert len([line for line in past.lines if b'"decision"' in line]) == decision["id"] - 1
        assert 0 <= decision["choice"] < len(game.choices(state))


def test_an_incomplete_record_is_continued_where_it_ends(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_bytes(b"\n".join(whole.read_bytes().splitlines()[:6]) + b'\n{"line":"deci')
    state, past = Record(path).position(None)
    assert state.decision_id == past.at
    assert not state.is_over


def test_a_packed_record_is_read_as_far_as_it_was_written(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "packed.jsonl.gz"
    path.write_bytes(gzip.compress(whole.read_bytes()))
    assert Record(path).position(5)[0].digest() == Record(whole).position(5)[0].digest()
    path.write_bytes(gzip.compress(whole.read_bytes())[:-12])
    assert Record(path).position(3)[0].digest() == Record(whole).position(3)[0].digest()


# --- Errors


def test_a_finished_game_cannot_be_continued(whole: Path) -> None:
    assert "is over" in refusal(whole)


def test_the_error_for_a_missing_decision_names_the_last_one(whole: Path) -> None:
    last = whole.read_bytes().count(b'"line":"decision"')
    for at in (last + 1, 4000):
        assert f"no decision {at}: its decisions are 1 to {last}" in refusal(whole, at)
    assert Record(whole).position(last)[1].at == last
    assert f"from 1 to {last} (--at)" in refusal(whole)


@together(
    ("fields", "reason"),
    [
        ({"rules_version": 99}, "rules version 99"),
        ({"format": 9}, "format 9"),
        ({"line": "decision"}, "line 1"),
        ({"seed": -1}, "line 1"),
        ({"seed": "7"}, "line 1"),
        ({"board_digest": "0" * 16}, "digest"),
        ({"board": {}}, "board"),
        ({"clock": None}, "line 1"),
        ({"strikes": "many"}, "line 1"),
    ],
)
def test_an_invalid_header_is_refused(
    whole: Path, tmp_path: Path, fields: dict[str, object], reason: str
) -> None:
    assert reason in refusal(changed(whole, tmp_path / "bad.jsonl", 0, **fields), 2)


def test_the_board_of_an_invalid_header_is_refused(whole: Path, tmp_path: Path) -> None:
    record = Record(changed(whole, tmp_path / "bad.jsonl", 0, board={}))
    with pytest.raises(RecordRefused, match=r"bad\.jsonl, line 1: the board is refused"):
        record.board()


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"choice": 4000}, "is not one of 0 to"),
        ({"choice": -1}, "is not one of 0 to"),
        ({"choice": "0"}, "line 2"),
        ({"id": 7}, "decision 7 comes where 1 is expected"),
    ],
)
def test_the_error_for_an_impossible_decision_names_its_line(
    whole: Path, tmp_path: Path, fields: dict[str, object], reason: str
) -> None:
    message = refusal(changed(whole, tmp_path / "bad.jsonl", 1, **fields), 5)
    assert reason in message
    assert "line 2" in message


@pytest.mark.parametrize(
    "data",
    [b"", b"\n", b"no record\n", b"[1, 2]\n", b"\xff\xfe\n", b"{}\n", b"[" * 100_000 + b"\n"],
    ids=["empty", "blank", "words", "list", "bytes", "object", "deep"],
)
def test_a_file_that_is_not_a_record_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "none.jsonl"
    path.write_bytes(data)
    refusal(path, 1)


def test_a_packed_file_that_is_not_packed_is_refused(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "plain.jsonl.gz"
    path.write_bytes(whole.read_bytes())
    assert "cannot be read" in refusal(path, 1)


def test_a_missing_file_or_a_folder_is_refused(tmp_path: Path) -> None:
    assert "No such file" in refusal(tmp_path / "gone.jsonl", 1)
    assert "directory" in refusal(tmp_path, 1)


@pytest.mark.parametrize("cap", ["LARGEST_LINE", "LARGEST_RECORD"])
def test_a_file_larger_than_any_record_is_not_read(
    whole: Path, cap: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, cap, 2000)
    assert {"LARGEST_LINE": "longer than 0 MiB", "LARGEST_RECORD": "larger than 0 MiB"}[
        cap
    ] in refusal(whole, 2)


def test_a_zip_bomb_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "bomb.jsonl.gz"
    path.write_bytes(gzip.compress(b"0" * (reader.LARGEST_LINE + 10)))
    assert "the line is longer than 4 MiB" in refusal(path, 1)


# --- Writing, as far as reading depends on it


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_reported_in_one_sentence() -> None:
    record = RecordWriter(Path("/dev/full"), Formats(BOARD).get("json", "words"))
    with pytest.raises(RecordRefused, match="No space left"):
        record.header({})
    record.close()


def test_a_partial_write_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = RecordWriter(tmp_path / "x.jsonl", Formats(BOARD).get("json", "words"))
    record._file.close()
    monkeypatch.setattr(record, "_file", HalfFullDisk())
    with pytest.raises(RecordRefused, match="no space left"):
        record.header({})


class HalfFullDisk:
    """A file on a disk that has space for half of each write."""

    def write(self, data: bytes) -> int:
        return len(data) // 2


def test_a_record_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordRefused, match="cannot write the record"):
        RecordWriter(tmp_path, Formats(BOARD).get("json", "words"))
    assert list(tmp_path.iterdir()) == []
