"""Records, tournament folders and map files of version 0.1.0.

It played rules version 1. Games that later versions of the rules did not change still verify,
replay and resume; the others are refused in one sentence.
"""

import gzip
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee import atlas
from referee.cli import main
from support.command_runs import PLAIN
from support.paths import TESTS

FIXTURES = TESTS / "fixtures" / "version-0.1.0"
BOT = FIXTURES / "bots" / "first"
UNCHANGED = ("hanse-2-3.jsonl", "east.jsonl.gz", "island.jsonl")
CHANGED = ("hanse-4-5.jsonl.gz", "britannia-2-3.jsonl", "britannia-4-5.jsonl.gz")
REFUSAL = "uses rules version 1, and version 2 changed games with these options"
unchanged = pytest.mark.parametrize("record", [FIXTURES / "records" / name for name in UNCHANGED])
changed = pytest.mark.parametrize("record", [FIXTURES / "records" / name for name in CHANGED])


def run(*words: object) -> str:
    done = CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def refusal(*words: object) -> str:
    """Run a command that must fail, and return what it prints."""
    done = CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)
    assert done.exit_code in (1, 2), done.output
    return " ".join(done.output.split())


def header(record: Path) -> dict[str, Any]:
    data = record.read_bytes()
    text = gzip.decompress(data) if record.suffix == ".gz" else data
    found: dict[str, Any] = json.loads(text.partition(b"\n")[0])
    return found


def folder_of(name: str, to: Path) -> Path:
    """Copy a tournament folder and its bots, and make the copy use the copied bots."""
    folder = to / name
    to.mkdir(exist_ok=True)
    shutil.copytree(FIXTURES / name, folder)
    shutil.copytree(FIXTURES / "bots", to / "bots")
    with closing(sqlite3.connect(folder / "tournament.sqlite")) as store, store:
        for column in ("word", "folder"):
            store.execute(
                f"UPDATE bots SET {column} = replace({column}, 'BOTS', ?)", [f"{to}/bots"]
            )
    store.close()
    return folder


def results(folder: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(folder / "tournament.sqlite")) as store, store:
        found = store.execute(
            "SELECT id, blocks.seed, game, reason, turns, decisions, seat, name, rank, total"
            " FROM blocks JOIN games ON games.block = blocks.number JOIN seats"
            " ON seats.block = games.block AND seats.number = games.number"
            " ORDER BY id, games.number, seat"
        ).fetchall()
    store.close()
    return found


def test_the_records_are_all_of_the_fixtures() -> None:
    assert sorted((*UNCHANGED, *CHANGED)) == sorted(
        path.name for path in (FIXTURES / "records").iterdir()
    )


# -- records


@unchanged
def test_records_of_unchanged_games_verify_replay_and_continue(
    record: Path, tmp_path: Path
) -> None:
    assert "1 fine" in run("verify", record)
    assert len(run("replay", record, "--json").splitlines()) > 100
    run("replay", record, "--html", tmp_path / "game.html")
    assert (tmp_path / "game.html").stat().st_size > 100_000
    assert "1 game" in run("stats", record)
    bots = [BOT, *[PLAIN] * (len(header(record)["players"]) - 1)]
    for source in (("--from", record, "--at", 9), ("--like", record, "--max-turns", 3)):
        written = tmp_path / f"{source[0]}.jsonl"
        run("play", *bots, *source, "--record", written, "--quiet")
        assert "1 fine" in run("verify", written)


@unchanged
def test_boards_in_records_load_unchanged(record: Path) -> None:
    first = header(record)
    board = atlas.board_from_words(first["board"])
    assert (board.digest, board.words) == (first["board_digest"], first["board"])
    assert board.digest_for(True) == board.digest_for(False) == board.digest


def test_a_map_file_loads_unchanged() -> None:
    board = atlas.load_board(str(FIXTURES / "island.toml"))
    first = header(FIXTURES / "records" / "island.jsonl")
    assert (board.digest, board.words) == (first["board_digest"], first["board"])
    assert first["rules"]["neutral"] == "britannia"


@changed
def test_records_of_changed_games_are_refused_in_one_sentence(record: Path, tmp_path: Path) -> None:
    bots = [BOT] * len(header(record)["players"])
    for command in (
        ("verify", record),
        ("replay", record, "--json"),
        ("replay", record, "--html", tmp_path / "game.html"),
        ("stats", record),
        ("reask", record, BOT, "--seat", 0),
        ("play", *bots, "--from", record, "--at", 9, "--quiet"),
        ("play", *bots, "--like", record, "--quiet"),
    ):
        assert REFUSAL in refusal(*command), command


def test_two_players_with_britannia_are_refused_on_hanse_2_3() -> None:
    record = next((FIXTURES / "finished" / "records").glob("*/0.jsonl.gz"))
    assert header(record)["ruleset"].startswith("hanse-2-3:2:bigbox+neutral=britannia")
    assert REFUSAL in refusal("verify", record)


# -- tournaments


def test_standings_of_an_earlier_tournament_are_the_same(tmp_path: Path) -> None:
    kept = json.loads((FIXTURES / "standings.json").read_text("utf-8"))
    shown = json.loads(run("standings", folder_of("finished", tmp_path), "--json"))
    assert {key: shown[key] for key in kept} == kept


def test_an_earlier_tournament_resumes_as_if_never_interrupted(tmp_path: Path) -> None:
    folder = folder_of("interrupted-2009", tmp_path)
    assert len(results(folder)) == 2 * 2 * 2
    more = ("--blocks", 4, "--workers", 1, "--quiet", "--seats", 2, "--neutral", "2009")
    run("tournament", "--resume", folder, *more, "--max-turns", 20)
    assert results(folder) == results(FIXTURES / "finished-2009")


def test_a_tournament_of_changed_games_does_not_resume(tmp_path: Path) -> None:
    folder = folder_of("interrupted", tmp_path)
    before = results(folder)
    found = refusal("tournament", "--resume", folder, "--blocks", 4, "--workers", 1, "--quiet")
    assert "version 2 changed the games of table hanse-2-3:2:bigbox+neutral=britannia" in found
    assert results(folder) == before


def test_an_earlier_tournament_has_no_secret_and_says_so_once(tmp_path: Path) -> None:
    folder = folder_of("finished", tmp_path)
    words = ["tournament", "--resume", str(folder), "--workers", "1"]
    done = CliRunner().invoke(main, [*words, "--quiet"])
    assert done.stderr.count("has no secret") == 1
    refused = CliRunner().invoke(main, words, env={"REFEREE_SECRET": "5a" * 16})
    assert "began without a secret and cannot get one" in refused.stderr
    closed = json.loads(run("tournament", "--close", folder, "--json"))
    assert (closed["secret"], len(closed["seeds"])) == (None, 4)


def test_an_earlier_tournament_becomes_a_site(tmp_path: Path) -> None:
    """Of changed games too; only the pages of the games themselves are missing."""
    for name, pages in (("finished", 0), ("finished-2009", 8)):
        site = tmp_path / name / "site"
        run("report", folder_of(name, tmp_path / name), "--out", site)
        assert (site / "index.html").exists()
        assert len(list((site / "games").glob("*.html"))) == pages
