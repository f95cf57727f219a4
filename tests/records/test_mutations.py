"""Records with one random change: `verify` finds every change of meaning and never crashes.

A run makes about a hundred changes. `REFEREE_MUTATIONS=5000 pytest tests/records/test_mutations.py`
makes thousands; another REFEREE_MUTATIONS_SEED makes different ones.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.records.verify import verify
from support.recorded_games import EVERY_BOARD, Words, recorded

MUTATIONS = int(os.environ.get("REFEREE_MUTATIONS", "96"))
SEED = os.environ.get("REFEREE_MUTATIONS_SEED", "1")

# Fields that no other line confirms: text, times within their limits, and how a board is drawn.
FREE = {
    "game": ("referee", "game", "clock", "strikes", "protocol"),
    "decision": ("ms", "lag_ms", "say"),
    "fault": ("message", "bytes_base64", "stderr", "ms"),
}
DRAWN = {"x", "y", "marker_at", "completed_track", "aspect", "title", "side", "banner", "aliases"}


def byte_flipped(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data))
    other = data[at] ^ (1 << rng.randrange(8))
    return data[:at] + bytes([other]) + data[at + 1 :]


def byte_flipped_after_the_first_line(data: bytes, rng: Random) -> bytes:
    head = data.index(b"\n") + 1
    return data[:head] + byte_flipped(data[head:], rng)


def truncated(data: bytes, rng: Random) -> bytes:
    return data[: rng.randrange(len(data))]


def with_lines(change: Callable[[list[bytes], Random], None]) -> Callable[[bytes, Random], bytes]:
    def changed(data: bytes, rng: Random) -> bytes:
        lines = data.splitlines(keepends=True)
        change(lines, rng)
        return b"".join(lines)

    changed.__name__ = change.__name__
    return changed


@with_lines
def line_dropped(lines: list[bytes], rng: Random) -> None:
    del lines[rng.randrange(len(lines))]


@with_lines
def line_doubled(lines: list[bytes], rng: Random) -> None:
    at = rng.randrange(len(lines))
    lines.insert(at, lines[at])


@with_lines
def lines_swapped(lines: list[bytes], rng: Random) -> None:
    at = rng.randrange(len(lines) - 1)
    lines[at], lines[at + 1] = lines[at + 1], lines[at]


@with_lines
def line_moved(lines: list[bytes], rng: Random) -> None:
    line = lines.pop(rng.randrange(len(lines)))
    lines.insert(rng.randrange(len(lines) + 1), line)


def with_words(
    kind: str, change: Callable[[Words, Random], None]
) -> Callable[[bytes, Random], bytes]:
    def changed(data: bytes, rng: Random) -> bytes:
        lines = data.splitlines(keepends=True)
        fits = [
            n for n, line in enumerate(lines) if line.startswith(b'{"line":"%s"' % kind.encode())
        ]
        if fits:
            at = rng.choice(fits)
            words = json.loads(lines[at])
            change(words, rng)
            lines[at] = json.dumps(words, separators=(",", ":")).encode() + b"\n"
        return b"".join(lines)

    changed.__name__ = change.__name__
    return changed


def index_changed(words: Words, rng: Random) -> None:
    words["choice"] += rng.choice((-1, 1, 2, 7, 1000))


def digest_changed(words: Words, rng: Random) -> None:
    at = rng.randrange(16)
    digit = rng.choice([c for c in "0123456789abcdef" if c != words["digest"][at]])
    words["digest"] = words["digest"][:at] + digit + words["digest"][at + 1 :]


def score_changed(words: Words, rng: Random) -> None:
    standing = rng.choice(words["standings"])
    numbers = [key for key, value in standing.items() if isinstance(value, int)]
    standing[rng.choice(numbers)] += rng.choice((-1, 1, 5))


def field_changed(words: Words, rng: Random) -> None:
    """Another value of the same or of another type, anywhere in the line."""
    place: Any = words
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = rng.choice(keys)
        inner = place[key]
        if not isinstance(inner, dict | list) or not inner or rng.random() < 0.1:
            break
        place = inner
    place[key] = rng.choice((None, True, 0, -1, 1, 2.5, "", "x", [], {}, 10**25, "\x1b[2J"))


def sanction_changed(words: Words, rng: Random) -> None:
    words[rng.choice(("seat", "id", "strikes"))] = rng.randrange(9)


CHANGES = (
    byte_flipped,
    byte_flipped_after_the_first_line,
    truncated,
    line_dropped,
    line_doubled,
    lines_swapped,
    line_moved,
    with_words("decision", index_changed),
    with_words("turn", digest_changed),
    with_words("end", digest_changed),
    with_words("end", score_changed),
    with_words("game", field_changed),
    with_words("decision", field_changed),
    with_words("fault", field_changed),
    with_words("fault", sanction_changed),
    with_words("end", field_changed),
)


def meaning(data: bytes) -> object:
    """Return a record without the fields in FREE and DRAWN; if it is not JSON, its bytes."""
    try:
        return [_meaning_of_line(json.loads(line)) for line in data.decode().split("\n")[:-1]]
    except (ValueError, AttributeError, KeyError, TypeError):
        return data


def _meaning_of_line(line: Words) -> Words:
    kept = {key: value for key, value in line.items() if key not in FREE.get(line["line"], ())}
    if line["line"] == "game":
        kept["board"] = _undrawn(line["board"])
        kept["board"]["special_prestige"].pop("city")
        for city in kept["board"]["cities"]:
            city.pop("name")
        kept["players"] = [
            {key: player[key] for key in ("seat", "name")} for player in line["players"]
        ]
    return kept


def _undrawn(board: Any) -> Any:
    if isinstance(board, dict):
        return {key: _undrawn(value) for key, value in board.items() if key not in DRAWN}
    return [_undrawn(value) for value in board] if isinstance(board, list) else board


def exactly(value: object) -> str:
    """Return the value as text in which true, 1 and 1.0 differ."""
    return (
        value.decode("latin-1") if isinstance(value, bytes) else json.dumps(value, sort_keys=True)
    )


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
@pytest.mark.timeout(600)
def test_every_change_of_meaning_is_found(
    change: Callable[[bytes, Random], bytes], tmp_path: Path
) -> None:
    rng = Random(f"{SEED} {change.__name__} {CHANGES.index(change)}")
    path = tmp_path / "game.jsonl"
    counts: Counter[str] = Counter()
    for number in range(-(-MUTATIONS // len(CHANGES))):
        name = EVERY_BOARD[(CHANGES.index(change) + number) % len(EVERY_BOARD)]
        data = recorded(name, number % 3 > 0)
        changed = change(data, rng)
        path.write_bytes(changed)
        verdict = verify(path)
        counts[verdict.verdict] += 1
        if exactly(meaning(changed)) != exactly(meaning(data)):
            assert verdict.verdict != "fine", (number, difference(data, changed))
            counts["changed meaning"] += 1
    assert counts["changed meaning"]
    if change is truncated:
        assert set(counts) == {"incomplete", "changed meaning"}


def difference(data: bytes, changed: bytes) -> object:
    """Return the first two lines that differ, for the failure message."""
    pairs = zip(data.splitlines(), changed.splitlines(), strict=False)
    return next(((a, b) for a, b in pairs if a != b), "the length")


def test_a_record_without_a_change_is_fine(tmp_path: Path) -> None:
    for name in EVERY_BOARD:
        for faulty in (False, True):
            (tmp_path / "game.jsonl").write_bytes(recorded(name, faulty))
            assert verify(tmp_path / "game.jsonl").verdict == "fine"
