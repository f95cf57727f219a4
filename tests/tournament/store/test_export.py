"""The files of an export: every game, seat and fault without_repeats, and no formulas for a spreadsheet."""

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
    data: dict[str, Any] = json.loads((files / "tournament.json").read_text("utf-8"))
    return data


def test_every_file_has_the_right_number_of_rows(files: Path) -> None:
    assert {path.name: len(rows(path)) for path in files.glob("*.csv")} == LENGTHS


def test_the_document_has_the_same_content_as_the_tables(files: Path) -> None:
    data = document(files)
    for name in ("blocks", "games", "seats", "faults"):
        assert len(data[name]) == LENGTHS[f"{name}.csv"]
    assert len(data["ratings"]["standings"]) == 4
    ratings = [float(row["rating"]) for row in rows(files / "standings.csv")]
    assert ratings == [entry["rating"] for entry in data["ratings"]["standings"]]


def test_no_key_of_the_document_occurs_twice(files: Path) -> None:
    def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        assert len(set(names)) == len(names)
        return dict(pairs)

    json.loads((files / "tournament.json").read_text("utf-8"), object_pairs_hook=without_repeats)


def test_the_name_of_a_bot_is_not_a_formula(tmp_path: Path) -> None:
    formula = "=HYPERLINK(1)"
    folder = write_store(tmp_path / "t", [finished_block(block(0, (formula, "b")))], (formula, "b"))
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


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    folder = write_store(tmp_path / "t", [])
    (tmp_path / "taken").write_text("a file")
    with Store.read(folder) as store, pytest.raises(OutputRefused, match="taken"):
        export(store, make_standings(store, RatingOptions()), tmp_path / "taken")
