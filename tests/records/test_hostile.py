"""Records from anybody: any file gets a verdict, and no control character reaches the terminal."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.records import reader
from referee.records.verify import RecordVerdict, verify
from support.groups import together
from support.recorded_games import Words, lines_of, record, record_bytes, recorded

PLAIN = "hanse-2-3:3:bigbox+max_turns=9"
NASTY = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202e<script>alert(1)</script>\r\n[bold]"
COMMANDS = (
    ["verify"],
    ["verify", "--json"],
    ["stats"],
    ["stats", "--json"],
    ["stats", "--csv", "-"],
)


def verdict_of(folder: Path, data: bytes, name: str = "game.jsonl") -> RecordVerdict:
    (folder / name).write_bytes(data)
    return verify(folder / name)


def shown(folder: Path, *command: str) -> Result:
    return CliRunner().invoke(main, [*command, str(folder)], env={"COLUMNS": "80"})


def is_harmless(text: str) -> bool:
    """Whether the text has no control characters, and none that changes the writing direction."""
    return all(char == "\n" or (char.isprintable() and char != "\u202e") for char in text)


HOSTILE: dict[str, bytes] = {
    "empty lines": b"\n" * 1000,
    "null": b"null\n",
    "a number": b"1\n",
    "a list": b"[]\n",
    "no kind": b"{}\n",
    "an unknown kind": b'{"line":"castle"}\n',
    "a kind that is a number": b'{"line":1}\n',
    "deep nesting": b"[" * 1_000_000 + b"\n",
    "deep nesting in the board": recorded(PLAIN).split(b'"board":{"id"', 1)[0]
    + b'"board":'
    + b'{"a":' * 300_000
    + b"\n",
    "deep nesting in a choice": recorded(PLAIN).split(b"\n", 1)[0]
    + b'\n{"line":"decision","do":'
    + b"[" * 300_000
    + b"\n",
    "deep and closed": recorded(PLAIN).split(b"\n", 1)[0]
    + b'\n{"line":"decision","id":1,"seat":0,"decision":"turn","choice":0,"do":'
    + b"[" * 900
    + b"]" * 900
    + b',"by":"bot","ms":0,"lag_ms":0}\n',
    "not UTF-8": b'{"line":"void","message":"\xff\xfe"}\n',
    "a lone surrogate": b'{"line":"void","message":"\\ud800"}\n',
    "a null character": b'{"line":"void","message":"\x00"}\n',
    "an enormous number": b'{"line":"turn","turn":' + b"9" * 100_000 + b',"digest":""}\n',
    "not JSON": b'{"line":"void","message":NaN}\n',
    "random bytes": bytes(range(256)) * 300,
    "no newline at all": b"x" * 100_000,
    "a page": b"<!doctype html><script>alert(1)</script>\n",
    "two in one line": b'{"line":"void","message":"a"}{"line":"void","message":"b"}\n',
}


@together("what", HOSTILE)
def test_a_file_that_is_not_a_record_is_wrong_in_printable_words(what: str, tmp_path: Path) -> None:
    verdict = verdict_of(tmp_path, HOSTILE[what])
    assert verdict.verdict == "wrong"
    assert verdict.why
    assert len(verdict.why) < 500
    assert is_harmless(verdict.why)


def test_a_huge_line_is_refused_before_it_is_read(tmp_path: Path) -> None:
    verdict = verdict_of(tmp_path, b"{" + b" " * (9 << 20) + b"\n")
    assert (verdict.verdict, verdict.why) == ("wrong", "the line is longer than 4 MiB")


def bomb(inside: bytes) -> bytes:
    """Return half a gigabyte packed into half a megabyte, without its end."""
    packer = zlib.compressobj(wbits=31)
    head = packer.flush(zlib.Z_FULL_FLUSH)
    part = packer.compress(inside * (8 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    return head + part * 64  # after a full flush nothing refers to the bytes before it


def test_a_bomb_is_refused_in_little_memory_and_time(tmp_path: Path) -> None:
    """A process with little memory reads bombs of empty lines, one blank line and one long line."""
    assert len(zlib.decompressobj(31).decompress(bomb(b" "), 32 << 20)) == 32 << 20
    for name, inside in {"lines": b"\n", "blanks": b" ", "line": b"{"}.items():
        (tmp_path / f"{name}.jsonl.gz").write_bytes(bomb(inside))
    program = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (700 << 20, 700 << 20))
from pathlib import Path
from referee.records.verify import verify
for path in Path({str(tmp_path)!r}).glob("*.gz"):
    print(verify(path).verdict)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split() == ["wrong"] * 3


def test_a_record_that_is_too_long_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "LARGEST_RECORD", 20_000)
    verdict = verdict_of(tmp_path, recorded(PLAIN))
    assert verdict.why == "the record is larger than 0 MiB"


def test_packed_bytes_that_are_damaged_are_wrong(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(recorded(PLAIN)))
    assert verdict_of(tmp_path, b"plain text\n", "a.jsonl.gz").verdict == "wrong"
    assert verdict_of(tmp_path, bytes(packed) + b"more", "b.jsonl.gz").verdict == "wrong"
    packed[-6] ^= 1  # in the checksum
    assert "incorrect data check" in (verdict_of(tmp_path, bytes(packed), "c.jsonl.gz").why or "")


def nasty_lines() -> list[Words]:
    """Return the lines of a valid record with hostile names and remarks."""
    folder_lines = lines_of(recorded(PLAIN, with_faults=True))
    for player in folder_lines[0]["players"]:
        player["name"] = NASTY
        player["version"] = NASTY
    folder_lines[0] |= {"game": NASTY, "referee": NASTY}
    for line in folder_lines:
        if line.get("by") == "bot":
            line["say"] = NASTY
        if line["line"] == "fault":
            line |= {"message": NASTY, "stderr": NASTY}
    for standing in folder_lines[-1]["standings"]:
        standing["name"] = NASTY
    return folder_lines


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_escape_reaches_the_terminal(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "fine.jsonl").write_bytes(record_bytes(nasty_lines()))
    wrong = nasty_lines()
    wrong[3]["do"] = {NASTY: NASTY}
    (tmp_path / f"{NASTY.replace('/', '')}.jsonl").write_bytes(record_bytes(wrong))
    odd = json.dumps({"line": NASTY, NASTY: 1}).encode() + b"\n"
    (tmp_path / "odd.jsonl").write_bytes(odd)
    (tmp_path / "void.jsonl").write_bytes(record_bytes([{"line": "void", "message": NASTY}]))
    result = shown(tmp_path, *command)
    assert result.exit_code == 1
    assert "Traceback" not in result.output
    assert is_harmless(result.stdout)
    assert is_harmless(result.stderr)


def test_no_escape_reaches_the_terminal_when_a_bot_is_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "fine.jsonl"
    path.write_bytes(record_bytes(nasty_lines()))
    for arguments in ([], ["--seat", "1"], ["--seat", "1", "--json"], ["--seat", "9"]):
        result = CliRunner().invoke(main, ["reask", str(path), "random", *arguments])
        assert "Traceback" not in result.output
        assert is_harmless(result.output)


def test_names_that_look_like_markup_or_formulas_stay_text(tmp_path: Path) -> None:
    names = ["=1+1", "[bold red]", "@sum"]
    record(tmp_path / "game.jsonl", PLAIN, names=names)
    assert "[bold red]" in shown(tmp_path, "stats").stdout
    table = io.StringIO(shown(tmp_path, "stats", "--csv", "-").stdout).read()
    assert ",'=1+1," in table
    assert ",'@sum," in table
