"""`referee tune`: the same values however it is run, its files, its output, and what it refuses."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.bots.find import find_bot
from referee.bots.reaper import Reaper
from referee.bots.values_file import read_values
from referee.cli import main
from referee.terminal.tournament.run import PlainRunDisplay
from referee.terminal.tuning import PlainTuningDisplay
from referee.tournament.results import BlockResult
from referee.tournament.store import Store
from referee.tournament.store.store import StoreRefused
from support.command_runs import interrupted
from support.forks import Fork
from support.paths import REFEREE
from support.tuned_bot import write_tuned_bot
from support.waiting import PATIENCE_S

QUICK = (
    "--seats", "3", "--max-turns", "12", "--iterations", "3", "--blocks", "2", "--workers", "1",
    "--sandbox", "off", "--clock", "cpu",
)  # fmt: skip
UNCONFIRMED = (*QUICK, "--no-confirm")
RESUMED = ("--workers", "1", "--sandbox", "off", "--no-confirm")


@pytest.fixture(autouse=True)
def work_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the bot `tuned`. The reaper is off."""
    monkeypatch.setattr(Reaper, "take_charge", lambda _: None)
    monkeypatch.chdir(tmp_path)
    write_tuned_bot(tmp_path / "tuned")
    return tmp_path


def tune(*words: object) -> Result:
    """Run the command in this process."""
    result = CliRunner().invoke(main, ["tune", *map(str, words)], env={"COLUMNS": "100"})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def refused(*words: object) -> str:
    """Return the error message, which must be one line."""
    result = tune(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("referee: ").strip()


def objects(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def results_in(folder: str | Path) -> list[BlockResult]:
    with Store.read(Path(folder)) as store:
        return sorted(store.results())


# -- the result


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tuning that one worker played at once."""
    folder = tmp_path_factory.mktemp("undisturbed")
    bot = write_tuned_bot(folder / "tuned")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Reaper, "take_charge", lambda _: None)
        assert tune(bot, *UNCONFIRMED, "--out", folder / "out").exit_code == 0
    assert read_values(folder / "out/values.toml") != {"salt": 3, "pepper": 2.0}
    return folder / "out"


@pytest.fixture
def finished(undisturbed: Path, work_folder: Path) -> Path:
    """A copy of that folder, which a test may change."""
    return Path(shutil.copytree(undisturbed, work_folder / "copy"))


def test_the_bot_takes_the_file_of_the_values(undisturbed: Path) -> None:
    values = read_values(undisturbed / "values.toml")
    assert values.keys() == {"salt", "pepper"}
    assert find_bot(f"tuned --set @{undisturbed}/values.toml").all_values == values
    text = (undisturbed / "values.toml").read_text()
    assert "3 of 3 iterations, 27 games, seed 1." in text
    assert "# Tuned: salt, pepper.\n" in text


def test_two_workers_find_the_same_values_and_json_has_each_iteration(undisturbed: Path) -> None:
    found = objects(tune("tuned", *UNCONFIRMED, "--workers", 2, "--json"))
    assert results_in(found[-1]["folder"]) == results_in(undisturbed)
    assert read_values(Path(found[-1]["file"])) == read_values(undisturbed / "values.toml")
    assert [one["event"] for one in found][0::4] == ["begin-tuning", "end-tuning"]
    assert found[0]["start"] == {"salt": 3, "pepper": 2.0}
    assert [one["iteration"] for one in found[1:]] == [0, 1, 2, 3]
    assert found[-1]["values"] == read_values(undisturbed / "values.toml")


def test_a_killed_tuning_finds_the_same_values(undisturbed: Path) -> None:
    command = [*REFEREE, "tune", "tuned", *UNCONFIRMED, "--quiet", "--out", "out"]
    for kills in (1, 4, 6):
        _kill_after(command, blocks=kills)
    assert tune("--resume", "out", *RESUMED).exit_code == 0
    assert results_in("out") == results_in(undisturbed)
    assert read_values(Path("out/values.toml")) == read_values(undisturbed / "values.toml")


def _kill_after(command: list[str], blocks: int) -> None:
    """Run a command until so many blocks are stored, and kill it; its workers end with it."""
    with Fork(command, stdout=subprocess.DEVNULL) as process:
        end = time.monotonic() + PATIENCE_S
        while _stored_blocks() < blocks and process.poll() is None:
            assert time.monotonic() < end
            time.sleep(0.005)
        process.kill()
        process.wait()


def _stored_blocks() -> int:
    try:
        with Store.read(Path("out")) as store:
            return store.count()
    except StoreRefused:  # it is being made
        return 0


def test_a_finished_tuning_plays_nothing_new_and_shows_its_table(finished: Path) -> None:
    assert "27 games, 0 of them new; iteration 3 of 3; gain not measured yet;" in (
        tune("--resume", finished, *RESUMED, "--quiet").stdout
    )
    shown = tune("--resume", finished, *RESUMED).stdout
    (row,) = [line.split() for line in shown.splitlines() if line.startswith((" pepper", "pepper"))]
    assert (row[1], len(row[3])) == ("2", 4)
    assert row[2] == f"{read_values(finished / 'values.toml')['pepper']:g}"
    assert "All iterations are finished: 27 games" in shown


def test_only_the_named_parameters_move() -> None:
    words = ("tuned --set salt=7", *UNCONFIRMED, "--only", "pepper", "--iterations", 1, "--quiet")
    assert tune(*words, "--out", "out").exit_code == 0
    values = read_values(Path("out/values.toml"))
    assert values["salt"] == 7
    assert values["pepper"] != 2.0


def test_a_confirmation_follows_on_other_seeds_and_is_noted_in_the_file(finished: Path) -> None:
    words = (
        "--resume",
        finished,
        "--workers",
        1,
        "--sandbox",
        "off",
        "--confirm",
        0,
        900,
        "--quiet",
    )
    first = tune(*words)
    assert first.exit_code in (0, 1)
    assert "'tuned' is closer to" in first.stdout.splitlines()[-1]
    assert "'tuned' is closer to" in (finished / "values.toml").read_text()
    with Store.read(finished) as played, Store.read(finished / "confirmation") as tested:
        assert not set(played.seeds().values()) & set(tested.seeds().values())
    again = tune(*words)
    assert again.exit_code == first.exit_code
    assert again.stdout.splitlines()[-1] == first.stdout.splitlines()[-1]


def test_values_that_did_not_move_need_no_confirmation() -> None:
    words = ("tuned", *QUICK, "--only", "salt", "--iterations", 1, "--out", "out")
    result = tune(*words)
    assert read_values(Path("out/values.toml")) == {"salt": 3, "pepper": 2.0}
    assert result.exit_code == 1
    assert "so there is nothing to confirm" in result.stderr
    assert not Path("out/confirmation").exists()


# -- runs that do not end


def test_an_interrupted_tuning_keeps_what_is_finished(
    undisturbed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with interrupted(monkeypatch, PlainTuningDisplay):
        stopped = tune("tuned", *UNCONFIRMED, "--out", "out")
    assert stopped.exit_code == 130
    assert set(results_in("out")) < set(results_in(undisturbed))
    assert "To continue it: referee tune --resume out" in stopped.stdout


def test_an_interrupted_confirmation_is_not_a_verdict(
    finished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (finished / "values.toml").read_text()
    words = ("--resume", finished, "--workers", 1, "--sandbox", "off", "--confirm", 0, 1)
    with interrupted(monkeypatch, PlainRunDisplay):
        assert tune(*words).exit_code == 130
    assert (finished / "values.toml").read_text() == before


def test_a_tuning_that_cannot_go_on_says_how_to_continue_it(work_folder: Path) -> None:
    (work_folder / "tuned" / "bot.py").write_text("import os; os.kill(os.getppid(), 9)")
    result = tune("tuned", *UNCONFIRMED, "--out", "out")
    assert result.exit_code == 2
    assert "To continue it: referee tune --resume out\n" in result.stderr
    assert "was started 3 times" in result.stderr.splitlines()[-1]


# -- what is refused


def test_wrong_commands_are_refused_in_one_sentence() -> None:
    needs = "name a BOT to tune, or a folder to continue with --resume; see"
    assert refused().startswith(needs)
    assert refused("tuned", "--resume", "out").startswith(needs)
    assert refused("random").startswith("bot random declares no parameters, so there is nothing to")
    assert refused("tuned", "--only", "sallt").endswith("'sallt': did you mean 'salt'?")
    assert refused("tuned --set salt=10").endswith("must be a whole number from 1 to 9, not 10")
    assert refused("--resume", "none") == "there is no tuning in none to continue"
    assert refused("--resume", "none", "--blocks", 3).startswith("--blocks cannot change: leave it")
    assert refused("tuned", "--no-confirm", "--confirm", 0, 9).startswith(
        "--confirm and --no-confirm are mutually exclusive"
    )
    assert refused("tuned", "--out", "tuned/out").startswith(
        "the results cannot be inside the folder"
    )
    assert not Path("out").exists()


def test_a_folder_belongs_to_one_tuning(finished: Path, undisturbed: Path) -> None:
    bot = undisturbed.parent / "tuned"
    another = refused(bot, *UNCONFIRMED, "--seed", 5, "--out", "copy")
    assert another.startswith("copy holds another tuning: choose another folder with --out")
    changed = refused("--resume", finished, "--seats", 4)
    assert changed.startswith("the rules, the seats and the clock of a tuning cannot change")
    tournament = CliRunner().invoke(main, ["tournament", "--resume", "copy"])
    assert "copy holds a tuning, not a tournament; to continue it" in tournament.stderr


def test_a_bot_that_has_changed_is_refused(finished: Path, undisturbed: Path) -> None:
    program = undisturbed.parent / "tuned" / "bot.py"
    before = program.read_text()
    program.write_text("another program")
    try:
        assert refused("--resume", finished).startswith("bot tuned has changed since its tuning in")
    finally:
        program.write_text(before)


def test_a_tournament_is_not_a_tuning() -> None:
    Store.create(Path("other")).close()
    assert refused("--resume", "other").startswith("other holds a tournament, not a tuning")


def test_a_bot_that_crashes_ends_the_tuning_with_the_reason(work_folder: Path) -> None:
    (work_folder / "tuned" / "bot.py").write_text("raise SystemExit('broken')")
    result = tune("tuned", *UNCONFIRMED, "--iterations", 9, "--out", "out")
    assert result.exit_code == 3
    assert "Nothing more can be played: the bot is disqualified as" in result.stdout
    assert "referee faults out" in result.stdout
