"""Fuzzed files: each is read, or refused in one sentence. `tox -e fuzz` tries a hundred thousand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from referee.errors import RefereeError
from stress.fuzz import file_corpus
from stress.fuzz import files as fuzz_files
from stress.fuzz.file_corpus import FileKind, kinds

CORPUS = Path(__file__).resolve().parent / "corpus" / "files"
KINDS = (
    "map", "components", "config", "bot", "record", "packed record", "store",
)  # fmt: skip


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> dict[str, FileKind]:
    return {kind.name: kind for kind in kinds(tmp_path_factory.mktemp("files"))}


def test_the_corpus_has_every_kind_of_file(known: dict[str, FileKind]) -> None:
    assert tuple(known) == KINDS


@pytest.mark.parametrize("name", KINDS)
def test_a_good_file_is_read(known: dict[str, FileKind], name: str) -> None:
    for data in known[name].corpus:
        assert fuzz_files.outcome(known[name], data) is None


@pytest.mark.parametrize("name", KINDS)
def test_a_fuzzed_file_is_read_or_refused_in_one_sentence(
    known: dict[str, FileKind], name: str
) -> None:
    rng, refused = Random(f"5 {name}"), 0
    for _ in range(25):
        result = fuzz_files.outcome(known[name], fuzz_files.mutated(known[name], rng))
        assert result is None or not fuzz_files.is_wrong(result), result
        refused += result is not None
    assert refused > 0


@pytest.mark.parametrize("path", sorted(CORPUS.iterdir()), ids=lambda path: str(path.name))
def test_a_file_that_once_broke_a_reader_no_longer_does(
    known: dict[str, FileKind], path: Path
) -> None:
    kind = known[path.name.partition("-")[0].replace("_", " ")]
    result = fuzz_files.outcome(kind, path.read_bytes())
    assert result is None or not fuzz_files.is_wrong(result), result


# --- Errors of the referee are found


def failing(kind: FileKind, error: BaseException) -> str | None:
    def read() -> None:
        raise error

    return fuzz_files.outcome(replace(kind, read=read), b"x")


def test_an_error_a_hang_and_unprintable_text_are_found(
    known: dict[str, FileKind], monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = known["bot"]
    assert "LookupError: a bug" in str(failing(kind, LookupError("a bug")))
    assert "not a sentence to print" in str(failing(kind, RefereeError("\x1b[2J")))
    assert failing(kind, RefereeError("it is refused")) == "it is refused"
    monkeypatch.setattr(fuzz_files, "LIMIT_S", 0.05)

    def hangs() -> None:
        while True:
            pass

    assert "takes more than" in str(fuzz_files.outcome(replace(kind, read=hangs), b"x"))


def test_a_file_that_shows_an_error_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: Path) -> tuple[FileKind, ...]:
        return (FileKind("bot", (b"x = 1\n",), tmp_path / "bot.toml", lambda: 1 // 0),)

    monkeypatch.setattr(file_corpus, "kinds", broken)
    found = fuzz_files.fuzz_files(tmp_path, 3, seed=1, keep=tmp_path / "kept")
    assert len(found.wrong) == 3
    assert not found.is_clean
    assert len(list((tmp_path / "kept").iterdir())) == 3
