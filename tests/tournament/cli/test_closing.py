"""`--close`, `--secret-file` and REFEREE_SECRET, and commands that use the seed of a record."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.bots.reaper import Reaper
from referee.cli import main
from referee.records.verify import verify
from referee.system import SECRET_VARIABLE
from referee.tournament.secret import game_seed
from referee.tournament.store import Store
from support.command_runs import PLAIN, SECRET

SHORT = (PLAIN, PLAIN, "--blocks", "1", "--max-turns", "4", "--seed", "7", "--workers", "1")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished tournament with a known secret; tests change only a copy of it."""
    folder = tmp_path_factory.mktemp("played") / "t"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Reaper, "take_charge", lambda _: None)
        done = referee(
            "tournament", *SHORT, "--out", folder, "--json", env={SECRET_VARIABLE: SECRET}
        )
    assert done.exit_code == 0, done.stderr
    assert SECRET not in done.stdout + done.stderr
    return folder


@pytest.fixture
def league(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "t"))


@pytest.fixture
def record(played: Path) -> Path:
    return min((played / "records").rglob("*.gz"))


def referee(*arguments: object, env: dict[str, str] | None = None) -> Result:
    given = {"COLUMNS": "80", SECRET_VARIABLE: None, **(env or {})}
    return CliRunner().invoke(main, list(map(str, arguments)), env=given)


def refused(*arguments: object, env: dict[str, str] | None = None) -> str:
    """Return the error message, which must be one line."""
    result = referee(*arguments, env=env)
    assert result.exit_code == 2, result.output
    assert (result.stdout, result.stderr.count("\n")) == ("", 1)
    return result.stderr.removeprefix("referee: ")


def objects(*arguments: object) -> list[dict[str, Any]]:
    done = referee(*arguments, "--json")
    assert done.exit_code == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


# -- closing


def test_closing_prints_the_secret_and_where_the_seeds_are(league: Path) -> None:
    shown = referee("tournament", "--close", league)
    assert shown.exit_code == 0
    assert "after 1 block." in shown.stdout
    assert f"Its secret: {SECRET}" in shown.stdout
    assert f"referee standings {league} --export files" in shown.stdout.replace("\n", " ")
    (closed,) = objects("tournament", "--close", league)  # again: it stays closed
    assert closed["secret"] == SECRET
    assert closed["seeds"] == {block: game_seed(SECRET, block) for block in closed["seeds"]}
    assert f"Its secret: {SECRET}" in referee("standings", league).stdout
    (standings,) = objects("standings", league)
    assert standings["closed"] == {"at": closed["at"], "secret": SECRET}


def test_a_closed_tournament_is_not_continued(league: Path) -> None:
    referee("tournament", "--close", league)
    for words in (["--resume", league, "--blocks", 2], [PLAIN, "--out", league], ["--dry-run", "--out", league]):  # fmt: skip
        assert "so it takes no more blocks or bots; begin a new one" in refused(
            "tournament", *words
        )


def test_close_is_used_alone(league: Path) -> None:
    for words in (["--blocks", 2], [PLAIN], ["--quiet"], ["--out", league], ["--dry-run"]):
        message = refused("tournament", "--close", league, *words)
        assert "--close ends a tournament: use it alone or with --json" in message
    assert "is not the folder of a tournament" in refused("tournament", "--close", league / "x")


def test_a_running_tournament_is_not_closed(league: Path) -> None:
    with Store.resume(league):
        assert "is in use by another process" in refused("tournament", "--close", league)


def test_a_dry_run_shows_no_seeds_of_games(played: Path) -> None:
    _, *blocks = objects("tournament", "--resume", played, "--blocks", 3, "--dry-run")
    assert len(blocks) == 2  # those that remain
    assert not any("seed" in block for block in blocks)


def test_the_end_of_a_run_names_the_command_that_closes_it(league: Path) -> None:
    shown = referee("tournament", "--resume", league, "--workers", 1).stdout
    assert f"referee tournament --close {league}" in shown
    assert SECRET not in shown


# -- secrets that are given


def test_the_secret_of_a_tournament_cannot_change(league: Path, tmp_path: Path) -> None:
    other = {SECRET_VARIABLE: "5a" * 16}
    assert "the secret of a tournament cannot change" in refused(
        "tournament", "--resume", league, env=other
    )
    file = tmp_path / "secret.txt"
    file.write_text(SECRET)
    file.chmod(0o600)
    words = ("tournament", "--resume", league, "--secret-file", file, "--quiet")
    assert referee(*words, env=other).exit_code == 0  # the file takes precedence


def test_a_secret_that_is_not_valid_is_refused_and_not_shown(tmp_path: Path) -> None:
    file = tmp_path / "secret.txt"
    file.write_text(SECRET)
    file.chmod(0o644)
    words = ("tournament", *SHORT, "--out", tmp_path / "t")
    message = refused(*words, "--secret-file", file)
    assert (
        message == f"the secret file {file} has mode 644, so others may use it: chmod 600 {file}\n"
    )
    message = refused(*words, env={SECRET_VARIABLE: "letmein"})
    assert "the variable REFEREE_SECRET must be a secret of hexadecimal digits" in message
    assert "letmein" not in message
    assert not (tmp_path / "t").exists()


# -- commands that use the seed of a record


def seed_of(record: Path) -> int:
    data = record.read_bytes()
    text = gzip.decompress(data) if record.suffix == ".gz" else data
    seed = json.loads(text.partition(b"\n")[0])["seed"]
    assert isinstance(seed, int)
    return seed


def test_verify_needs_no_secret(record: Path) -> None:
    assert seed_of(record) == game_seed(SECRET, record.parent.name)
    assert verify(record).verdict == "fine"


def test_reask_needs_no_secret(record: Path) -> None:
    words = json.loads(referee("reask", record, PLAIN, "--seat", 1, "--json").stdout)
    assert words["same_throughout"]


def test_like_plays_the_seed_of_the_record(record: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.jsonl"
    done = referee("play", PLAIN, PLAIN, "--like", record, "--record", again, "--quiet")
    assert done.exit_code == 0, done.stderr
    assert seed_of(again) == seed_of(record)


def test_from_continues_with_the_seed_of_the_record(record: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.jsonl"
    words = ("--from", record, "--at", 5, "--record", again, "--quiet")
    assert referee("play", PLAIN, PLAIN, *words).exit_code == 0
    assert seed_of(again) == seed_of(record)
    assert verify(again).verdict == "fine"
