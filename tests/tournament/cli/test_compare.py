"""`referee compare`: its folder, its verdict and exit status, and what it refuses."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.bots.reaper import Reaper
from referee.cli import main
from referee.terminal.tournament.live import STOPPING
from referee.terminal.tournament.run import PlainRunDisplay
from referee.tournament.compare import find_comparison
from referee.tournament.request import TournamentRequest
from referee.tournament.secret import close_tournament, closing_of
from referee.tournament.store.store import Store
from support.command_runs import interrupted
from support.forks import Fork
from support.git_bots import git, needs_git, write_bot, write_repository
from support.paths import REFEREE, TROUBLE

pytestmark = pytest.mark.usefixtures("few_processes")

QUICK = ("--seats", "2", "--max-turns", "4", "--workers", "1", "--sandbox", "off")
# Both bots play in the same way. So the test soon finds that their distance is nearer to 0.
NOT_BETTER = (*QUICK, "--sprt", "0", "600")
NOT_WORSE = (*QUICK, "--sprt", "-600", "0")


@pytest.fixture(autouse=True)
def work_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the bots `new` and `old`, both named my-bot. The reaper is off."""
    monkeypatch.setattr(Reaper, "take_charge", lambda _: None)
    monkeypatch.chdir(tmp_path)
    write_bot(tmp_path / "new", 2)
    write_bot(tmp_path / "old", 1)
    return tmp_path


def compare(*words: object, columns: int = 80) -> Result:
    """Run the command in this process."""
    arguments = ["compare", *map(str, words)]
    result = CliRunner().invoke(main, arguments, env={"COLUMNS": str(columns)})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def refused(*words: object) -> str:
    """Return the error message, which must be one line."""
    result = compare(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("referee: ").strip()


def last_object(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.stdout.splitlines()[-1])
    return found


def folders(place: Path) -> list[str]:
    return sorted(path.name for path in place.glob("compare-*"))


# --- Verdicts


def test_the_same_command_shows_the_verdict_of_a_comparison_again(
    work_folder: Path,
) -> None:
    first = compare("new", "old", *NOT_BETTER, columns=200)
    assert first.exit_code == 1, first.stderr
    (folder,) = folders(work_folder)
    assert first.stdout.startswith(f"{folder}: my-bot against my-bot-old at ")
    assert "Not better: 'my-bot' is closer to +0 than to +600 Elo (measured +0, " in first.stdout
    assert "--resume" not in first.stdout
    with Store.read(work_folder / folder) as store:
        assert closing_of(store) is not None
        blocks = store.count("blocks")
    again = compare("new", "old", *NOT_BETTER, "--quiet")
    assert again.exit_code == 1
    assert again.stdout.startswith(f"tested: {blocks} blocks")
    assert "Not better: 'my-bot'" in again.stdout
    shown = compare("new", "old", *NOT_BETTER, "--json")
    assert (shown.exit_code, last_object(shown)["verdict"]["decision"]) == (1, "fail")
    assert last_object(shown)["new_games"] == 0
    assert folders(work_folder) == [folder]


def test_a_bot_that_is_not_worse_passes() -> None:
    result = compare("new", "old", *NOT_WORSE, "--json", "--out", "t")
    assert (result.exit_code, last_object(result)["verdict"]["decision"]) == (0, "pass")
    assert last_object(result)["verdict"]["sentence"].startswith("Not worse: 'my-bot'")


def test_the_same_command_continues_a_comparison_after_a_budget(
    work_folder: Path,
) -> None:
    first = compare("new", "old", *NOT_BETTER, "--games", "4", "--quiet")
    assert first.exit_code == 3, first.stderr
    assert "Undecided: 'my-bot' may be closer to +0 or to +600 Elo" in first.stdout
    assert first.stderr == (
        "The same command again continues the comparison; if its --games are used up, give a larger"
        " number.\n"
    )
    whole = compare("new", "old", *NOT_BETTER, "--json")
    assert whole.exit_code == 1
    begin = json.loads(whole.stdout.splitlines()[0])
    assert (begin["event"], begin["games_before"]) == ("begin", 4)
    assert len(folders(work_folder)) == 1


def test_an_interrupted_comparison_says_how_to_go_on(work_folder: Path) -> None:
    words = ["new", "old", *QUICK, "--sprt", "0", "1", "--json"]
    process = Fork(
        [*REFEREE, "compare", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    while json.loads(process.stdout.readline())["event"] != "block":
        pass
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors == "The same command again continues the comparison.\n"


def test_an_interrupted_comparison_shows_its_standings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with interrupted(monkeypatch, PlainRunDisplay):
        stopped = compare("new", "old", *QUICK, "--sprt", "0", "1")
    assert stopped.exit_code == 130
    assert STOPPING in stopped.stdout
    assert stopped.stderr.endswith("The same command again continues the comparison.\n")


def test_a_disqualified_bot_leaves_a_comparison_undecided(work_folder: Path) -> None:
    toml = work_folder / "old" / "bot.toml"
    toml.write_text(toml.read_text().replace('"bot.py"', f'"{TROUBLE}", "garbage"'))
    result = compare("new", "old", *NOT_BETTER, "--disqualify-after", "2", "--quiet")
    assert result.exit_code == 3
    assert "Undecided: 'my-bot'" in result.stdout
    assert "cannot go on" in result.stderr


def test_a_closed_comparison_without_a_verdict_is_undecided() -> None:
    compare("new", "old", *NOT_BETTER, "--games", "4", "--out", "t")
    with Store.resume(Path("t")) as store:
        close_tournament(store)
    result = compare("new", "old", *NOT_BETTER, "--out", "t", "--quiet")
    assert (result.exit_code, result.stdout.partition(":")[0]) == (3, "stopped")


# --- Seats


def test_the_default_is_two_of_each_at_four_seats(work_folder: Path) -> None:
    words = ("--max-turns", "2", "--workers", "1", "--sandbox", "off", "--games", "4", "--json")
    result = compare("new", "old", *words)
    begin, block = map(json.loads, result.stdout.splitlines()[:2])
    assert begin["tables"] == ["hanse-4-5:4:bigbox+max_turns=2"]
    assert begin["programme"]["sprt"] == {"low": 0, "high": 50, "alpha": 0.05, "beta": 0.05}
    assert sorted(block["bots"]) == ["my-bot", "my-bot", "my-bot-old", "my-bot-old"]


# --- Folders


def test_another_bot_or_setting_is_another_comparison(work_folder: Path) -> None:
    def folder(**options: Any) -> Path:
        return find_comparison("new", "old", TournamentRequest(**options)).folder

    first = folder()
    assert folder(games=8, workers=1) == folder(seats=4) == first
    others = [folder(missions=True), folder(sprt=(0.0, 20.0)), folder(seats=3), folder(seed=3)]
    write_bot(work_folder / "new", 3)
    others.append(folder())
    assert len({first, *others}) == 6


def test_a_changed_bot_does_not_continue_a_comparison(work_folder: Path) -> None:
    compare("new", "old", *NOT_BETTER, "--games", "2", "--out", "t")
    write_bot(work_folder / "new", 3)
    assert refused("new", "old", *NOT_BETTER, "--out", "t") == (
        "my-bot has changed since the comparison in t began: undo the change, or compare in another"
        " folder with --out"
    )


def test_results_are_never_inside_the_folder_of_a_bot(
    work_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir("new")
    compare(".", "../old", *NOT_BETTER, "--games", "2")
    assert folders(work_folder)
    assert not folders(work_folder / "new")
    assert "cannot be inside the folder of a bot" in refused(".", "../old", *QUICK, "--out", "x")


def test_a_comparison_that_cannot_begin_leaves_no_folder(work_folder: Path) -> None:
    (work_folder / "old" / "bot.toml").write_text(
        'name = "my-bot"\ncommand = ["python", "bot.py"]\nbuild = ["false"]\n'
    )
    result = compare("new", "old", *QUICK)
    assert result.exit_code == 2
    assert "cannot be built" in result.stderr
    assert folders(work_folder) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["new", "new"], "'new' and 'new' are the same bot, so there is nothing to compare"),
        (["new", "nobody"], "'nobody' is not a valid bot"),
        (["new", "human"], "people play in `referee play`"),
        (["new"], "missing argument 'OLD'"),
        (["new", "old", "--sprt", "9", "1"], "sprt needs LOW to be less than HIGH"),
        (["new", "old", "--out", "."], ". is not empty and not the folder of a tournament"),
        (["new", "old", "--json", "--quiet"], "--json and --quiet are mutually exclusive"),
        (["new", "old", "--games", "1"], "--games 1 is too few"),
    ],
)
def test_a_comparison_that_is_not_possible_is_refused(
    work_folder: Path, words: list[str], message: str
) -> None:
    assert refused(*words).startswith(message)
    assert folders(work_folder) == []


def test_a_folder_with_another_tournament_is_refused() -> None:
    compare("new", "old", *NOT_BETTER, "--games", "2", "--out", "t")
    assert refused("new", "x=old", *NOT_BETTER, "--out", "t").startswith(
        "t holds another tournament than my-bot against x"
    )
    assert "the test of the comparison in t cannot change" in refused(
        "new", "old", *NOT_WORSE, "--out", "t"
    )
    assert "rules and clocks of a tournament cannot change" in refused(
        "new", "old", *NOT_BETTER, "--out", "t", "--missions"
    )


# --- Revisions


@needs_git
def test_a_revision_is_exported_and_built_beside_the_results(
    work_folder: Path,
) -> None:
    bot = write_repository(work_folder / "repository", build="mkdir out")
    write_bot(bot, 3)
    words = (bot, f"{bot}@v1", *NOT_BETTER, "--json", "--out", "t")
    first = compare(*words, "--games", "4")
    assert (first.exit_code, last_object(first)["games"]) == (3, 4), first.stderr
    assert "building my-bot-v1: mkdir out" in first.stderr
    exported = work_folder / "t" / "bots" / "my-bot-v1"
    assert (exported / "bot.py").read_text().endswith("# version 1\n")
    assert (exported / "out").is_dir()
    whole = compare(*words)
    assert (whole.exit_code, last_object(whole)["verdict"]["hero"]) == (1, "my-bot"), whole.stderr
    assert "building" not in whole.stderr


@needs_git
def test_two_revisions_can_be_compared(work_folder: Path) -> None:
    bot = write_repository(work_folder / "repository")
    found = find_comparison(f"{bot}@v2", f"was={bot}@v1", TournamentRequest())
    assert found.names == ["my-bot-v2", "was"]
    assert "are the same bot" in refused(bot, f"{bot}@v2", *QUICK)


@needs_git
def test_values_of_parameters_can_be_compared_also_those_of_a_revision(work_folder: Path) -> None:
    bot = write_repository(work_folder / "repository")
    with (bot / "bot.toml").open("a") as toml:
        toml.write('\n[parameters.post]\ntype = "int"\ndefault = 1\nlow = 1\nhigh = 3\n')
    git(bot, "commit", "--quiet", "--all", "--message", "a parameter")
    request = TournamentRequest(sandbox="off", seats=2)
    found = find_comparison(f"{bot} --set post=3", f"{bot}@HEAD --set post=2", request)
    assert found.names == ["my-bot-post-3", "my-bot-post-2-HEAD"]
    for _ in range(2):  # it begins, and continues
        opened = found.open(None, report=lambda _: None)
        opened.store.close()
        assert [bot.command[-1] for bot in opened.bots] == ["post=3", "post=2"]
    assert "are the same bot" in refused(bot, f"{bot} --set post=1", *QUICK)
