"""All commands that read records report damaged, cut, packed and oversized files alike."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.records import reader
from referee.records.game_stats import tally_record
from referee.records.resume import Record
from referee.records.verify import verify
from referee.replay.timeline import open_timeline
from support.groups import together
from support.recorded_games import recorded

PLAIN = "hanse-2-3:3:bigbox+max_turns=9"
WHOLE = recorded(PLAIN)
LINES = WHOLE.splitlines(keepends=True)
BOTS = ("random", "random", "random", "--sandbox", "off", "--json")

READERS: dict[str, list[str]] = {
    "verify": ["verify", "{record}"],
    "stats": ["stats", "{record}"],
    "replay": ["replay", "{record}"],
    "replay as JSON": ["replay", "{record}", "--json"],
    "followed": ["replay", "{record}", "--follow"],
    "web page": ["replay", "{record}", "--html", "{page}"],
    "asked again": ["reask", "{record}", "random", "--seat", "0", "--sandbox", "off"],
    "continued": ["play", "--from", "{record}", *BOTS],
}
SETTINGS_READER = ["play", "--like", "{record}", *BOTS]


def changed(number: int, line: bytes) -> bytes:
    """Return the record with this line, counted from 1, replaced by another."""
    return b"".join([*LINES[: number - 1], line, *LINES[number:]])


def checksum_changed() -> bytes:
    packed = bytearray(gzip.compress(WHOLE))
    packed[-6] ^= 1
    return bytes(packed)


# The file's name, its content, and the sentence that every command prints.
DAMAGED: dict[str, tuple[str, bytes, str]] = {
    "not JSON": ("a.jsonl", changed(5, b"castle\n"), "this is not a line of a record"),
    "empty line": ("a.jsonl", changed(5, b"\n"), "this is not a line of a record"),
    "unknown field": (
        "a.jsonl",
        changed(5, LINES[4].replace(b'{"line"', b'{"castle":1,"line"', 1)),
        "unknown field `castle`",
    ),
    "unknown line": ("a.jsonl", changed(5, b'{"line":"castle"}\n'), "Invalid value 'castle'"),
    "decision left out": ("a.jsonl", changed(2, b""), "decision 2 comes where 1 is expected"),
    "second first line": ("a.jsonl", LINES[0] * 2, "there is a second game line"),
    "text after the last line": (
        "a.jsonl",
        b"".join(LINES[:5]) + b"castle",
        "this is not a line of a record",
    ),
    "a line after the end": ("a.jsonl", WHOLE + LINES[4], "there is a line after the end"),
    "a beginning after the end": ("a.jsonl", WHOLE + b"{", "there is a line after the end"),
    "packed twice": ("a.jsonl.gz", gzip.compress(gzip.compress(WHOLE)), "not a line of a record"),
    "packed, then text": ("a.jsonl.gz", gzip.compress(WHOLE) + b"castle", "it cannot be read"),
    "packed, wrong checksum": ("a.jsonl.gz", checksum_changed(), "incorrect data check"),
}
DAMAGED_FROM_THE_START: dict[str, tuple[str, bytes, str]] = {
    "text": ("a.jsonl", b"castle\n", "this is not a line of a record"),
    "text without a newline": ("a.jsonl", b"castle", "this is not a line of a record"),
    "no header": (
        "a.jsonl",
        b"".join(LINES[1:]),
        "the first line of a record must be its game line",
    ),
    "other format": (
        "a.jsonl",
        changed(1, LINES[0].replace(b'"format":1', b'"format":9')),
        "it is a record of format 9; this version knows 1 and 2",
    ),
    "other board": (
        "a.jsonl",
        changed(1, LINES[0].replace(b'"board_digest":"', b'"board_digest":"0')),
        "board_digest is",
    ),
    "not packed": ("a.jsonl.gz", WHOLE, "it cannot be read: Error -3"),
    "zeros": ("a.jsonl.gz", bytes(100), "it cannot be read: Error -3"),
    "bomb": ("a.jsonl.gz", gzip.compress(b" " * (6 << 20)), "the line is longer than 4 MiB"),
}


def output_of(folder: Path, command: list[str], name: str, data: bytes) -> str:
    """Return everything that a command prints about a record, and the page it writes, on one line."""
    (folder / name).write_bytes(data)
    page = folder / "page.html"
    words = [word.format(record=folder / name, page=page) for word in command]
    result = CliRunner().invoke(main, words, env={"COLUMNS": "400"})
    assert result.exception is None or isinstance(result.exception, SystemExit)
    written = page.read_text("utf-8") if page.exists() else ""
    return f"{result.output}{written}".replace("\n", " ")


def readers_of(damage: str) -> list[str]:
    """Return all commands for one damage of each kind, and some of them for the others."""
    kinds = ("not JSON", "decision left out", "a line after the end", "packed, wrong checksum")
    number = list(DAMAGED).index(damage)
    return [name for at, name in enumerate(READERS) if damage in kinds or (at + number) % 4 == 0]


@together(
    ("reader_name", "damage"), [(name, damage) for damage in DAMAGED for name in readers_of(damage)]
)
def test_damage_is_described_in_the_same_words(
    reader_name: str, damage: str, tmp_path: Path
) -> None:
    name, data, why = DAMAGED[damage]
    assert why in output_of(tmp_path, READERS[reader_name], name, data)


def readers_from_the_start(damage: str) -> list[list[str]]:
    """Return all commands for one damage of each kind, and some of them for the others."""
    commands = [*READERS.values(), SETTINGS_READER]
    number = list(DAMAGED_FROM_THE_START).index(damage)
    kinds = ("text", "other format", "not packed")
    return commands if damage in kinds else commands[number % 3 :: 3]


@together(
    ("command", "damage"),
    [(one, damage) for damage in DAMAGED_FROM_THE_START for one in readers_from_the_start(damage)],
)
def test_damage_at_the_start_is_described_in_the_same_words(
    command: list[str], damage: str, tmp_path: Path
) -> None:
    name, data, why = DAMAGED_FROM_THE_START[damage]
    assert why in output_of(tmp_path, command, name, data)


@pytest.mark.parametrize("command", READERS.values(), ids=list(READERS))
@pytest.mark.parametrize(
    ("cap", "why"),
    [
        ("LARGEST_LINE", "the line is longer than 0 MiB"),
        ("LARGEST_RECORD", "the record is larger than 0 MiB"),
    ],
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "packed"])
def test_every_command_has_the_same_size_limits(
    command: list[str],
    cap: str,
    why: str,
    pack: Callable[[bytes], bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reader, cap, 2000)
    name = "a.jsonl" if pack is bytes else "a.jsonl.gz"
    assert why in output_of(tmp_path, command, name, pack(WHOLE))


@pytest.mark.parametrize("share", [0.88, 0.9, 0.93])
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "packed"])
def test_every_command_reads_a_cut_record_equally_far(
    share: float, pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    data = pack(WHOLE)
    path = tmp_path / ("a.jsonl" if pack is bytes else "a.jsonl.gz")
    path.write_bytes(data[: int(len(data) * share)])
    verdict = verify(path)
    assert verdict.verdict == "incomplete"
    assert tally_record(path)[0] == verdict
    assert open_timeline(path).last == verdict.decisions
    assert Record(path).position(None)[0].decision_id == verdict.decisions + 1


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "packed"])
def test_a_record_that_ends_within_its_first_line_has_no_first_line(
    pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    data = pack(WHOLE)[:400]
    name = "a.jsonl" if pack is bytes else "a.jsonl.gz"
    for reading in ("replay", "web page", "asked again", "continued"):
        assert "is not a record: it has no first line" in output_of(
            tmp_path, READERS[reading], name, data
        )
    assert "it breaks off in the first line" in output_of(tmp_path, READERS["verify"], name, data)
