"""Fuzzed files: maps, configurations, bots, records and stores with random errors.

Every file must be read, or refused in one sentence, within a time limit.
"""

from __future__ import annotations

import gc
import gzip
import os
import re
import signal
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from types import FrameType
from typing import Final

from referee.errors import RefereeError
from referee.system import open_descriptors, resident_mib
from stress.fuzz import file_corpus
from stress.fuzz.mutator import NUMBERS, TEXTS, below, changed
from stress.program import heading

LIMIT_S: Final = 20.0  # for one file
MOST_WRONG: Final = 10
_NUMBER: Final = re.compile(rb"-?\d+(\.\d+)?")
_UNPRINTABLE: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\u2028]")


class Hangs(BaseException):
    """Raised when reading a file takes longer than LIMIT_S."""


@dataclass
class FuzzedFiles:
    """How many files of each kind were read or refused."""

    seed: int
    files: int = 0
    read: Counter[str] = field(default_factory=Counter)  # by kind
    refused: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)  # errors of the referee
    slowest_s: float = 0.0
    seconds: float = 0.0
    early_mib: float = 0.0  # memory after a tenth of them
    late_mib: float = 0.0
    left_open: int = 0  # descriptors more than at the beginning

    @property
    def is_clean(self) -> bool:
        """Whether nothing was wrong, and no file is left open."""
        return not self.wrong and self.left_open <= 0


def to_dict(found: FuzzedFiles) -> dict[str, object]:
    """Every figure, for JSON."""
    figures = {
        key: round(value, 2) if isinstance(value, float) else value
        for key, value in asdict(found).items()
    }
    return {
        **heading("fuzz files"),
        **figures,
        "read": dict(found.read),
        "refused": dict(found.refused),
        "clean": found.is_clean,
    }


def fuzz_files(
    folder: Path,
    count: int,
    seed: int,
    on_progress: Callable[[int], None] = lambda _: None,
    keep: Path | None = None,
) -> FuzzedFiles:
    """Read this many fuzzed files, of every kind in turn; copy those that show an error to `keep`."""
    kinds = [kind for kind in file_corpus.kinds(folder) for _ in range(kind.share)]
    found = FuzzedFiles(seed)
    rng = Random(seed)
    open_before = open_descriptors([os.getpid()])
    began = time.monotonic()
    while found.files < count and len(found.wrong) < MOST_WRONG:
        kind = kinds[found.files % len(kinds)]
        data = mutated(kind, rng)
        found.files += 1
        _try(kind, data, found, keep)
        if found.files * 10 <= count:
            found.early_mib = resident_mib(os.getpid())
        on_progress(found.files)
    found.seconds = time.monotonic() - began
    found.late_mib = resident_mib(os.getpid())
    gc.collect()  # Python 3.13 closes some files of refused records only then
    found.left_open = open_descriptors([os.getpid()]) - open_before
    return found


def _try(kind: file_corpus.FileKind, data: bytes, found: FuzzedFiles, keep: Path | None) -> None:
    began = time.monotonic()
    result = outcome(kind, data)
    found.slowest_s = max(found.slowest_s, time.monotonic() - began)
    if result is None:
        found.read[kind.name] += 1
    elif not is_wrong(result):
        found.refused[kind.name] += 1
    else:
        found.wrong.append(f"{kind.name} {found.files}: {result}")
        if keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / f"{kind.name}-{found.seed}-{found.files}").write_bytes(data)


def outcome(kind: file_corpus.FileKind, data: bytes) -> str | None:
    """Return None if the file was read, the sentence that refused it, or `wrong: ` and an error."""
    kind.write(data)
    try:
        with _limited():
            kind.read()
    except RefereeError as error:
        sentence = str(error)
        if not sentence or _UNPRINTABLE.search(sentence):
            return f"wrong: not a sentence to print: {sentence!r}"
        return sentence
    except Hangs:
        return f"wrong: it takes more than {LIMIT_S:g} s"
    except Exception:  # noqa: BLE001  an error of the referee, which fuzzing should find
        return f"wrong: {traceback.format_exc()}"
    return None


def is_wrong(result: str) -> bool:
    """Whether an outcome is an error of the referee."""
    return result.startswith("wrong: ")


@contextmanager
def _limited() -> Iterator[None]:
    def over(_: int, __: FrameType | None) -> None:
        raise Hangs

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, LIMIT_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# -- mutations


def mutated(kind: file_corpus.FileKind, rng: Random) -> bytes:
    """Return a file of the corpus with a few random changes."""
    data = kind.corpus[below(rng, len(kind.corpus))]
    if kind.is_packed and rng.random() < 0.5:
        return gzip.compress(_text_changed(gzip.decompress(data), rng, ()), 1)
    if kind.is_text:
        return _text_changed(data, rng, kind.corpus)
    if rng.random() < 0.3:
        return _block_changed(data, rng)
    return changed(data, rng, kind.corpus, most=6)


def _text_changed(data: bytes, rng: Random, corpus: tuple[bytes, ...]) -> bytes:
    """Change bytes, lines or values of a text."""
    draw = rng.random()
    if draw < 0.3:
        return changed(data, rng, corpus)
    if draw < 0.6:
        return _lines_changed(data, rng)
    return _value_changed(data, rng)


def _lines_changed(data: bytes, rng: Random) -> bytes:
    """Delete, double or move one or two lines."""
    lines = data.splitlines(keepends=True)
    for _ in range(1 + below(rng, 2)):
        line = lines[below(rng, len(lines))]
        if rng.random() < 0.6 and len(lines) > 1:
            lines.remove(line)
        if rng.random() < 0.5:
            lines.insert(below(rng, len(lines) + 1), line)
    return b"".join(lines)


def _value_changed(data: bytes, rng: Random) -> bytes:
    """Replace a number or a quoted text by another number or text."""
    found = list(_NUMBER.finditer(data)) if rng.random() < 0.6 else list(_TEXT.finditer(data))
    if not found:
        return changed(data, rng)
    place = found[below(rng, len(found))]
    draw = rng.random()
    if draw < 0.4:
        new = str(NUMBERS[below(rng, len(NUMBERS))]).encode()
    elif draw < 0.6:
        new = found[below(rng, len(found))][0]
    else:
        new = b'"%s"' % TEXTS[below(rng, len(TEXTS))].encode()
    return data[: place.start()] + new + data[place.end() :]


_TEXT: Final = re.compile(rb'"[^"\n]*"')


def _block_changed(data: bytes, rng: Random) -> bytes:
    """Replace a disk block by zeros, by random bytes or by another block, as a bad disk does."""
    size = 512
    at, other = (size * below(rng, max(1, len(data) // size)) for _ in range(2))
    draw = below(rng, 3)
    if draw == 0:
        new = bytes(size)
    elif draw == 1:
        new = rng.randbytes(size)
    else:
        new = data[other : other + size]
    return data[:at] + new + data[at + size :]
