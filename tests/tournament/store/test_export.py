"""The files of an export: every game, seat and fault once, and nothing that a spreadsheet would run."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.errors import OutputRefused
from referee.tournament.live_ratings import RatingOptions
from referee.tournament.standings import make_standings
from referee.tournament.store.export import export
from referee.tournament.store.store import Store
from support.blocks import block, finished_block
from support.sample_store import blocks_with_faults, write_store

LENGTHS = {
    "standings.csv": 4,
    "seat_effects.csv": 4,
    "superiority.csv": 4,
    "blocks.csv": 3,
    "games.csv": 12,
    "seats.csv": 48,
    "faults.csv": 2,
}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = write_store(tmp_path / "t", blocks_with_faults())
    result = CliRunner().invoke(
        main, ["standings", str(folder), "--export", str(tmp_path / "files")]
    )
    assert result.exit_code == 0, result.stderr
    return tmp_path / "files"


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def document(files: Path) -> dict[str, Any]:
    words: dict[str, Any] = json.loads((files / "tournament.json").read_text("utf-8"))
    return words


def test_every_file_has_a_row_for_each_of_its_kind(files: Path) -> None:
    assert {path.name: len(rows(path)) for path in files.glob("*.csv")} == LENGTHS


def test_the_document_holds_the_same_as_the_tables(files: Path) -> None:
    words = document(files)
    for name in ("blocks", "games", "seats", "faults"):
        assert len(words[name]) == LENGTHS[f"{name}.csv"]
    assert len(words["ratings"]["standings"]) == 4
    ratings = [float(row["rating"]) for row in rows(files / "standings.csv")]
    assert ratings == [entry["rating"] for entry in words["ratings"]["standings"]]


def test_no_key_of_the_document_comes_twice(files: Path) -> None:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        assert len(set(names)) == len(names)
        return dict(pairs)

    json.loads((files / "tournament.json").read_text("utf-8"), object_pairs_hook=once)


def test_a_bot_has_no_word_in_a_spreadsheet_but_as_text(tmp_path: Path) -> None:
    crafty = "=HYPERLINK(1)"
    folder = write_store(tmp_path / "t", [finished_block(block(0, (crafty, "b")))], (crafty, "b"))
    with Store.read(folder) as store:
        export(store, make_standings(store, RatingOptions()), tmp_path / "files")
    for path in (tmp_path / "files").glob("*.csv"):
        cells = [cell for row in csv.reader(io.StringIO(path.read_text("utf-8"))) for cell in row]
        assert not any(cell.startswith("=") for cell in cells)


def test_control_characters_stay_out_of_every_file(files: Path) -> None:
    for path in files.iterdir():
        assert "\x1b" not in path.read_text("utf-8")


def test_an_empty_tournament_is_exported_as_empty_tables(tmp_path: Path) -> None:
    folder = write_store(tmp_path / "t", [])
    with Store.read(folder) as store:
        export(store, make_standings(store, RatingOptions()), tmp_path / "files")
    assert rows(tmp_path / "files" / "games.csv") == []
    assert document(tmp_path / "files")["games"] == []


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    folder = write_store(tmp_path / "t", [])
    (tmp_path / "taken").write_text("a file")
    with Store.read(folder) as store, pytest.raises(OutputRefused, match="taken"):
        export(store, make_standings(store, RatingOptions()), tmp_path / "taken")
