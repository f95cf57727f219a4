"""Records and tournament folders that version 0.1.0 wrote still verify, replay and resume."""

import json
import shutil
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import main
from support.paths import TESTS

FIXTURES = TESTS / "fixtures" / "version-0.1.0"
RECORDS = sorted((FIXTURES / "records").iterdir())


def run(*words: object) -> str:
    done = CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def folder_of(name: str, to: Path) -> Path:
    """Copy a tournament folder and its bots, and make the copy use the copied bots."""
    folder = to / name
    shutil.copytree(FIXTURES / name, folder)
    shutil.copytree(FIXTURES / "bots", to / "bots")
    with sqlite3.connect(folder / "tournament.sqlite") as store:
        for column in ("word", "folder"):
            store.execute(
                f"UPDATE bots SET {column} = replace({column}, 'BOTS', ?)", [f"{to}/bots"]
            )
    store.close()
    return folder


def results(folder: Path) -> list[tuple[object, ...]]:
    with sqlite3.connect(folder / "tournament.sqlite") as store:
        found = store.execute(
            "SELECT id, blocks.seed, game, reason, turns, decisions, seat, name, rank, total"
            " FROM blocks JOIN games ON games.block = blocks.number JOIN seats"
            " ON seats.block = games.block AND seats.number = games.number"
            " ORDER BY id, games.number, seat"
        ).fetchall()
    store.close()
    return found


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.name)
def test_earlier_records_verify(record: Path) -> None:
    assert "1 fine" in run("verify", record)


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.name)
def test_earlier_records_replay_in_the_terminal_and_as_a_page(record: Path, tmp_path: Path) -> None:
    lines = run("replay", record, "--json").splitlines()
    assert len(lines) > 100
    run("replay", record, "--html", tmp_path / "game.html")
    assert (tmp_path / "game.html").stat().st_size > 100_000


def test_standings_of_an_earlier_tournament_are_the_same(tmp_path: Path) -> None:
    kept = json.loads((FIXTURES / "standings.json").read_text("utf-8"))
    shown = json.loads(run("standings", folder_of("finished", tmp_path), "--json"))
    assert {key: shown[key] for key in kept} == kept


def test_an_earlier_tournament_resumes_as_if_never_interrupted(tmp_path: Path) -> None:
    folder = folder_of("interrupted", tmp_path)
    assert len(results(folder)) == 2 * 2 * 2
    run("tournament", "--resume", folder, "--blocks", 4, "--workers", 1, "--quiet")
    assert results(folder) == results(FIXTURES / "finished")


def test_an_earlier_tournament_becomes_a_site(tmp_path: Path) -> None:
    run("report", folder_of("finished", tmp_path), "--out", tmp_path / "site")
    assert (tmp_path / "site" / "index.html").exists()
