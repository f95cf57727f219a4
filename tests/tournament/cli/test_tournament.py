"""`referee tournament`: what it plays, prints and stores, its errors, and how it ends."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.bots.reaper import Reaper
from referee.cli import main
from referee.system import SECRET_VARIABLE
from referee.terminal.tournament.live import STOPPING
from referee.terminal.tournament.run import PlainRunDisplay
from referee.tournament.store.store import Store, exists
from support.command_runs import PLAIN, SECRET, interrupted, trouble
from support.forks import Fork
from support.git_bots import write_bot
from support.paths import REFEREE

pytestmark = pytest.mark.usefixtures("few_processes")

SHORT = ("--max-turns", "4", "--seed", "7", "--workers", "1", "--sandbox", "limits")

Words = dict[str, Any]


@pytest.fixture(autouse=True)
def work_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty work folder. The reaper is off: this process has children that are not bots."""
    monkeypatch.setattr(Reaper, "take_charge", lambda _: None)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def finished_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("finished") / "t"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Reaper, "take_charge", lambda _: None)
        patch.setenv(SECRET_VARIABLE, SECRET)
        played(*THREE_BOTS, "--blocks", 1, "--out", folder, "--quiet")
    return folder


@pytest.fixture
def finished(finished_once: Path, work_folder: Path) -> Path:
    """A tournament of THREE_BOTS with one finished block, in the folder `t`."""
    return shutil.copytree(finished_once, work_folder / "t")


THREE_BOTS = (PLAIN,) * 3
TWO_BOTS = (PLAIN,) * 2


def referee(*arguments: object) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)), env={"COLUMNS": "80"})


def played(*arguments: object, status: int = 0) -> str:
    result = referee("tournament", *arguments, *SHORT)
    assert result.exit_code == status, result.stderr
    return result.stdout


def events(*arguments: object) -> list[Words]:
    """The objects that --json prints."""
    return [json.loads(line) for line in played(*arguments, "--json").splitlines()]


def events_of(*arguments: object) -> list[Words]:
    """The objects that a command without the short options prints."""
    result = referee("tournament", *arguments)
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def refused(*arguments: object) -> str:
    """The error message, which must be one line."""
    result = referee("tournament", *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr
    return result.stderr.removeprefix("referee: ")


# --- Games and output


def test_a_tournament_ends_with_a_table_and_the_next_commands(work_folder: Path) -> None:
    shown = played(*THREE_BOTS, "--blocks", 2)
    assert "tournament-1: round-robin of 3 bots" in shown
    assert "2 blocks, 6 games" in shown
    assert "All blocks are finished: 6 games in " in shown
    for name in ("plain", "plain#2", "plain#3"):
        assert any(name in line.split() for line in shown.splitlines())
    assert "referee standings tournament-1" in shown
    with Store.read(work_folder / "tournament-1") as store:
        assert (store.count("blocks"), store.count("games")) == (2, 6)


def test_commands_to_copy_are_never_wrapped(work_folder: Path, finished: Path) -> None:
    folder = finished.rename(work_folder / ("a-long-name-" * 10))
    shown = played(*THREE_BOTS, "--blocks", 1, "--out", folder)
    assert f"  referee standings {folder} --matrix" in shown
    assert f"Results are in {folder}\n" in shown


def test_quiet_is_one_line_and_each_new_tournament_has_its_own_folder(work_folder: Path) -> None:
    (work_folder / "tournament-1").mkdir()
    shown = played(*TWO_BOTS, "--blocks", 1, "--quiet")
    assert shown.startswith("done: 1 block, 2 games, 0 faults; first: plain")
    assert shown.endswith("; tournament-2\n")
    assert shown.count("\n") == 1


def test_json_is_an_object_per_line_with_standings_in_the_last() -> None:
    first, *blocks, last = events(*TWO_BOTS, "--blocks", 2, "--out", "t")
    assert (first["event"], first["folder"], first["blocks"]) == ("begin", "t", 2)
    assert [block["event"] for block in blocks] == ["block", "block"]
    assert [len(block["games"]) for block in blocks] == [2, 2]
    assert (last["event"], last["ending"], last["games"]) == ("end", "done", 4)
    assert {entry["bot"] for entry in last["standings"]} == {"plain", "plain#2"}


def test_the_same_seed_and_secret_give_the_same_games(
    finished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def games(folder: Path) -> list[Any]:
        with Store.read(folder) as store:
            return sorted(store.results())

    def played_with(secret: str, folder: str) -> list[Any]:
        monkeypatch.setenv(SECRET_VARIABLE, secret)
        played(*THREE_BOTS, "--blocks", 1, "--no-records", "--quiet", "--out", folder)
        return games(Path(folder))

    assert played_with(SECRET, "u") == games(finished)
    assert len(list((finished / "records").rglob("*.jsonl.gz"))) == 3
    assert not list(Path("u").rglob("*.jsonl*"))
    assert played_with("5a" * 16, "v") != games(finished)


def test_the_command_line_overrides_the_configuration_file(work_folder: Path) -> None:
    bots = json.dumps(TWO_BOTS)
    (work_folder / "league.toml").write_text(f'bots = {bots}\nblocks = 5\nneutral = "2009"\n')
    first, *_, last = events("--config", "league.toml", "--blocks", 1)
    assert first["blocks"] == 1
    assert "neutral=2009" in first["tables"][0]
    assert last["games"] == 2


def test_without_arguments_the_bundled_bots_play() -> None:
    shown = referee("tournament", "--dry-run").stdout
    assert "greedy" in shown
    assert "random" in shown
    assert "4 blocks, 16 games" in shown


def test_a_file_can_say_how_results_are_rated_and_kept(work_folder: Path) -> None:
    (work_folder / "league.toml").write_text(
        f"bots = {json.dumps(TWO_BOTS)}\n"
        "blocks_per_bot = 1\nmax_turns = 4\npoints = [5, 1]\n"
        'anchor = "plain#2"\nrecords = false\n[[tables]]\nname = "small"\n'
    )
    first, block, last = events_of("--config", "league.toml", "--out", "t", "--json")
    assert (first["tables"], block["table"]) == (["small"], "small")
    assert sum(entry["points"] for entry in last["standings"]) == 2 * (5 + 1)
    assert last["anchor"] == "plain#2"
    assert not (work_folder / "t" / "records").exists()


# --- Continuing


def test_a_tournament_can_continue_with_more_blocks(finished: Path) -> None:
    result = referee("tournament", "--resume", "t", "--blocks", "2", "--json")
    first, *blocks, last = map(json.loads, result.stdout.splitlines())
    assert (first["blocks_before"], len(blocks), last["games"]) == (1, 1, 6)
    assert "max_turns=4" in first["tables"][0]


def test_the_same_command_again_plays_nothing_twice(finished: Path) -> None:
    command = (*THREE_BOTS, "--blocks", 1, "--out", "t")
    assert "Continues the tournament; 1 block (3 games) finished before." in played(*command)
    assert [one["event"] for one in events(*command)] == ["begin", "end"]


def test_another_bot_can_join(finished: Path) -> None:
    new = PLAIN.replace("plain=", "new=")
    result = referee("tournament", *THREE_BOTS, new, "--resume", "t", "--workers", 1, "--json")
    assert result.exit_code == 0, result.stderr
    last = json.loads(result.stdout.splitlines()[-1])
    assert len(last["standings"]) == 4
    assert all(entry["games"] for entry in last["standings"])


def test_a_run_continues_in_its_format() -> None:
    played(*TWO_BOTS, "--format", "gauntlet", "--hero", "plain#2", "--out", "t", "--blocks", 1)
    options = json.loads(
        referee("tournament", "--resume", "t", "--dry-run", "--json").stdout.splitlines()[0]
    )["programme"]
    assert (options["format"], options["hero"], options["blocks"]) == (
        "gauntlet",
        "plain#2",
        1,
    )


ADVICE = re.compile(r"\((--[^()]*)\)")


@pytest.fixture(scope="module")
def finished_with_mine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the bot `my bot` and its finished tournament `t`."""
    folder = tmp_path_factory.mktemp("changed")
    bot = write_bot(folder / "my bot", 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Reaper, "take_charge", lambda _: None)
        played(bot, *TWO_BOTS, "--blocks-per-bot", 1, "--out", folder / "t", "--quiet")
    return folder


@pytest.fixture
def changed(finished_with_mine: Path, work_folder: Path) -> Path:
    """A bot that has changed since the tournament in the folder `t` began."""
    shutil.copytree(finished_with_mine / "t", work_folder / "t")
    return write_bot(finished_with_mine / "my bot", 2)


@pytest.mark.parametrize("number", range(3))
def test_the_advice_for_a_changed_bot_works_when_it_is_typed(changed: Path, number: int) -> None:
    message = refused("--resume", "t")
    advice = ADVICE.findall(message)
    assert [one.split()[0] for one in advice] == ["--replace", "--replay-changed", "--retire"]
    assert message.rstrip() in referee("tournament", "--resume", "t", "--dry-run").stdout
    result = referee("tournament", "--resume", "t", *shlex.split(advice[number]), "--json")
    assert result.exit_code == 0, result.stderr
    bots = {
        one["bot"]: one["games"] for one in json.loads(result.stdout.splitlines()[-1])["standings"]
    }
    assert bots["my-bot"] == 3
    assert ("my-bot@2" in bots) == (number == 0)
    assert referee("tournament", "--resume", "t", "--quiet").exit_code == 0


def test_a_new_version_is_rated_apart(changed: Path) -> None:
    command = ("--resume", "t", "--replace", f"my-bot={changed}", "--blocks-per-bot", 2, "--json")
    *_, last = events_of(*command)
    games = {entry["bot"]: entry["games"] for entry in last["standings"]}
    assert (games["my-bot"], games["my-bot@2"]) == (3, 6)
    assert "my-bot is retired" in referee("standings", "t").stdout
    assert [one["event"] for one in events_of(*command)] == ["begin", "end"]


def test_a_bot_that_is_removed_from_the_file_is_reported(work_folder: Path, finished: Path) -> None:
    file = work_folder / "league.toml"
    file.write_text(f"bots = {json.dumps(TWO_BOTS)}\nblocks_per_bot = 1\n")
    command = ("tournament", "--config", file, "--out", finished, "--dry-run")
    report = (
        "bot plain#3 is not in the configuration file any more, but still plays; to retire it:"
        " --retire plain#3"
    )
    assert report in referee(*command).stderr
    result = referee(*command, "--retire", "plain#3")
    assert result.stderr == ""
    assert "plain#3 is retired" in result.stdout


def test_a_budget_ends_a_run_and_the_next_one_continues() -> None:
    shown = played(*TWO_BOTS, "--games", 5, "--out", "t")
    assert "The budget of this run is used up: 4 games" in shown
    assert "  referee tournament --resume t  # play the rest of the schedule" in shown
    *_, last = events_of("--resume", "t", "--games", 6, "--json")
    assert (last["ending"], last["games"]) == ("budget", 6)


# --- Sequential tests


TEST = (*TWO_BOTS, "--seats", 2, "--sprt", 0, 600, "--out", "t")


def test_a_sequential_test_says_its_verdict_and_resumes_after_a_budget() -> None:
    first = played(*TEST, "--games", 4, "--quiet")
    assert first == (
        "budget: 2 blocks, 4 games, 0 faults; Undecided: 'plain' may be closer to +0 or to +600 Elo"
        " (measured +0, 2 blocks); t\n"
    )
    *_, end = events_of("--resume", "t", "--json")
    assert end["ending"] == "tested"
    assert end["verdict"]["decision"] == end["test"]["verdict"] == "fail"
    sentence = end["verdict"]["sentence"]
    assert sentence.startswith(
        "Not better: 'plain' is closer to +0 than to +600 Elo (measured +0, "
    )
    assert "was closed at" in refused(*TEST, *SHORT)


def next_commands(shown: str) -> list[list[str]]:
    lines = shown.partition("\nNext:\n")[2].splitlines()
    return [shlex.split(line, comments=True)[1:] for line in lines if line.strip()]


def test_every_next_command_of_a_sequential_test_works() -> None:
    commands = next_commands(played(*TEST, "--games", 4))
    done: list[list[str]] = []
    while commands:
        result = referee(*commands[0])
        assert result.exit_code == 0, (commands[0], result.stderr)
        done.append(commands.pop(0))
        if done[-1][:2] == ["tournament", "--resume"]:  # to the verdict, which closes it
            commands = next_commands(result.stdout)
    names = [" ".join(words[:2]) for words in done]
    assert names == ["standings t", "report t", "tournament --resume", "standings t", "report t"]


# --- Dry runs


def test_a_dry_run_writes_nothing(work_folder: Path) -> None:
    shown = referee("tournament", *THREE_BOTS, "--dry-run", "--blocks", "3").stdout
    assert "remaining: 3 blocks, 9 games" in shown
    assert ["plain", "0", "9"] in [line.split() for line in shown.splitlines()]
    assert "each pair of bots meets in 9 games" in shown
    assert "Nothing was written." in shown
    assert list(work_folder.iterdir()) == []


def test_a_dry_run_of_an_earlier_tournament_shows_finished_blocks(finished: Path) -> None:
    shown = referee("tournament", "--resume", "t", "--blocks", "2", "--dry-run").stdout
    assert "finished: 1 block, 3 games" in shown
    assert "remaining: 1 block, 3 games" in shown
    assert re.search(r"time: about \d+:\d\d \(estimated from 3 games\)", shown)


def test_a_trial_estimates_the_time(work_folder: Path) -> None:
    command = ("tournament", *THREE_BOTS, "--dry-run", "--max-turns", "4")
    assert "time: unknown; --trial plays a few games to estimate it" in referee(*command).stdout
    plan = json.loads(referee(*command, "--trial", "--json").stdout.splitlines()[0])
    assert plan["seconds"] > 0
    assert plan["remaining"] == {"size": "exact", "blocks": 30, "games": 90}
    assert list(work_folder.iterdir()) == []


def test_very_many_games_must_be_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.tournament.forecast.MOST_BLOCKS", 100)
    command = ("random",) * 40 + ("--blocks", "1")
    assert refused(*command) == (
        "this run plays 365,560 games: confirm it with --yes, or play fewer with --blocks-per-bot,"
        " --games or --hours\n"
    )
    result = referee("tournament", *command, "--dry-run", "--json")
    assert result.exit_code == 2
    assert len(json.loads(result.stdout.splitlines()[0])["refusals"]) == 1
    monkeypatch.setattr("referee.cli.tournament._can_ask", lambda: True)
    asked = CliRunner().invoke(main, ["tournament", *command], input="n\n")
    assert "This run plays 365,560 games. Play them all? [y/N]" in asked.stderr
    assert asked.stderr.endswith("the games were not confirmed, so none was played\n")
    assert asked.exit_code == 2
    for more in ("--yes", "--games=100000"):
        assert referee("tournament", *command, more, "--dry-run", "--json").exit_code == 0


def test_a_dry_run_as_json_has_every_block() -> None:
    shown = referee("tournament", *THREE_BOTS, "--dry-run", "--json", "--blocks", "20").stdout
    first, *blocks = map(json.loads, shown.splitlines())
    assert first["event"] == "plan"
    assert len({block["block"] for block in blocks}) == first["blocks"] == 20


def test_a_dry_run_of_a_sequential_test_ends() -> None:
    shown = referee(
        "tournament",
        *THREE_BOTS,
        "--format",
        "gauntlet",
        "--sprt",
        "0",
        "30",
        "--dry-run",
        "--json",
    ).stdout
    assert json.loads(shown.splitlines()[0])["blocks"] is None
    assert len(shown.splitlines()) == 1001


# --- Faults


def test_a_fault_is_printed_with_its_replay_command_and_may_disqualify() -> None:
    shown = played(
        trouble("garbage"), *TWO_BOTS, "--seats", 2, "--blocks", 1, "--disqualify-after", 2,
        "--out", "t",
    )  # fmt: skip
    assert "garbage is disqualified: at fault in" in shown
    assert "referee faults t" in shown
    printed_lines = referee("faults", "t").stdout
    command = next(line for line in printed_lines.splitlines() if "referee replay" in line)
    words = shlex.split(command.split("watch", 1)[1])
    replayed = CliRunner().invoke(main, words[1:], env={"COLUMNS": "400"})
    assert replayed.exit_code == 0, replayed.stderr
    fault = json.loads(referee("faults", "t", "--json").stdout.splitlines()[0])
    assert fault["message"] in replayed.stdout
    assert fault["asked"]["choices"] > 1


def test_faults_fail_the_run_only_with_fail_on_fault(finished: Path) -> None:
    bots = (trouble("garbage"), PLAIN, "--blocks", 1, "--quiet", "--out", "u")
    played(*bots)
    played(*bots, "--fail-on-fault", status=1)
    played(*THREE_BOTS, "--blocks", 1, "--quiet", "--fail-on-fault", "--out", "t")


def test_a_plan_that_is_cut_short_is_not_called_done() -> None:
    bots = (trouble("garbage"), PLAIN, "--blocks-per-bot", 9, "--disqualify-after", 2)
    shown = played(*bots, "--out", "t", status=1)
    assert "The plan was cut short" in shown
    assert "Nothing more can be played: 1 bot can still play, and a game needs 2." in shown
    assert "finished" not in shown.partition("Nothing more")[2]
    quiet = played("--resume", "t", "--quiet", status=1)
    assert quiet.startswith("too-few-bots: ")
    assert "nothing can be played: 1 bot can still play" in played("--resume", "t", "--dry-run")


# --- Errors


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--resume", "nowhere"], "there is no tournament in nowhere to continue"),
        (["--resume", "x" * 300], "File name too long"),
        (["random", "random", "--out", "x" * 300], "File name too long"),
        (["random"], "a tournament needs two bots or more, not 1"),
        (["human", "random"], "a tournament is for bots"),
        (["no-such-bot", "random"], "is not a valid bot"),
        (
            ["random", "greedy", "--format", "gauntlet", "--hero", "zeus"],
            "--hero: no bot has the name 'zeus': the bots are random, greedy",
        ),
        (["random", "random=python x.py"], "two different bots have the name 'random'"),
        (["random", "random", "--seats", "5", "--board", "hanse-2-3"], "hanse-2-3"),
        (["random", "random", "--board", "atlantis"], "atlantis"),
        (["random", "random", "--json", "--quiet"], "--json and --quiet are mutually exclusive"),
        (["random", "random", "--out", "a", "--resume", "b"], "mutually exclusive"),
        (["random", "random", "--anchor", "nobody"], "the anchor 'nobody' is not one of the bots"),
        (["random", "random", "--blocks", "2", "--blocks-per-bot", "2"], "mutually exclusive"),
        (["random", "random", "--retire", "random"], "for a tournament that has begun"),
        (["random", "random", "--trial"], "--trial belongs to --dry-run"),
        (["random", "random", "--limit", "x:memory=1G"], "there is no bot 'x' whose limits"),
        (["random", "random", "--out", "."], "not empty and not the folder of a tournament"),
        (["random", "random", "--blocks", "0"], "neither a whole number from 1 to 1000000000 nor"),
        (
            ["random", "random", "--sprt", "0", "30", "--format", "ladder"],
            "a sequential test is a gauntlet: leave out --format ladder",
        ),
        (["random", "random", "--hero", "random"], "a hero is for a gauntlet or a ladder"),
        (["random", "random", "--format", "gauntlet", "--hero", "x"], "--hero"),
        (["random", "random", "--no-clock", "--bank-ms", "5"], "--no-clock cannot be combined"),
        (["--config", "nowhere.toml"], "cannot read nowhere.toml"),
        (["random", "random", "--out", "taken"], "cannot make the folder taken"),
    ],
)
def test_arguments_that_are_not_valid_are_refused(
    work_folder: Path, arguments: list[str], message: str
) -> None:
    (work_folder / "x.py").write_text("")
    (work_folder / "taken").write_text("a file")
    assert message in refused(*arguments)
    assert not exists(work_folder / "tournament-1")


def test_an_unknown_key_of_a_configuration_file_is_refused(work_folder: Path) -> None:
    (work_folder / "league.toml").write_text("blcks = 3\n")
    assert refused("--config", "league.toml") == (
        "league.toml: unknown key 'blcks'; did you mean 'blocks'?\n"
    )


def test_a_configuration_file_without_workers_is_refused(work_folder: Path) -> None:
    (work_folder / "league.toml").write_text('bots = ["random", "random"]\nworkers = -1\n')
    assert refused("--config", "league.toml") == (
        "league.toml: workers must be a whole number from 1 to 1024, not -1\n"
    )


def test_a_configuration_file_without_bots_is_refused(work_folder: Path) -> None:
    (work_folder / "league.toml").write_text("blocks = 3\n")
    assert "two bots or more, not 0" in refused("--config", "league.toml")


def test_the_rules_of_a_tournament_cannot_change(finished: Path) -> None:
    assert "cannot change (--max-turns)" in refused("--resume", "t", "--max-turns", "5")
    assert "the seed of a tournament cannot change" in refused("--resume", "t", "--seed", "8")


def test_a_tournament_in_use_is_refused(finished: Path) -> None:
    with Store.resume(Path("t")):
        assert "in use by another process" in refused("--resume", "t", "--blocks", "2")


# --- How it ends


def start_run(*arguments: object, workers: int = 1) -> subprocess.Popen[str]:
    """Start a run in its own process, with far too many blocks to finish."""
    return Fork(
        [*REFEREE, "tournament", *map(str, arguments), "--blocks", "5000",
         "--workers", str(workers), "--max-turns", "4", "--json", "--out", "t"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip


def read_until(process: subprocess.Popen[str], event: str) -> None:
    assert process.stdout is not None
    while json.loads(process.stdout.readline())["event"] != event:
        pass


def wait_for_a_game(folder: Path) -> None:
    while not list(folder.glob("records/*/0.jsonl")):
        time.sleep(0.02)


def processes_in(folder: Path) -> list[str]:
    """The other processes whose working directory is this folder."""
    links = [process / "cwd" for process in Path("/proc").glob("[0-9]*")]
    return [
        str(link)
        for link in links
        if link.parent.name != str(os.getpid()) and _target(link) == folder
    ]


def _target(link: Path) -> Path | None:
    try:
        return link.readlink()
    except OSError:  # the process has ended, or belongs to another user
        return None


def test_an_interrupt_shows_the_standings_and_how_to_continue(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with interrupted(monkeypatch, PlainRunDisplay):
        stopped = referee("tournament", *TWO_BOTS, *SHORT, "--blocks", "50", "--out", "t")
    assert stopped.exit_code == 130
    assert STOPPING in stopped.stdout
    assert "Stopped before all blocks were finished" in stopped.stdout
    assert "referee tournament --resume t" in stopped.stdout


def test_the_first_interrupt_lets_running_blocks_finish(work_folder: Path) -> None:
    process = start_run(*TWO_BOTS, workers=2)
    read_until(process, "block")
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    printed_lines = [json.loads(line) for line in output.splitlines()]
    assert process.returncode == 130
    assert errors == ""
    assert "stopping" in [event["event"] for event in printed_lines]
    assert (printed_lines[-1]["event"], printed_lines[-1]["ending"]) == ("end", "stopped")
    with Store.read(work_folder / "t") as store:
        assert store.count("blocks") == printed_lines[-1]["blocks"]
        assert store.count("games") == 2 * store.count("blocks")
    assert processes_in(work_folder) == []


def test_the_second_interrupt_ends_the_run_at_once(work_folder: Path) -> None:
    process = start_run(trouble("silent"), PLAIN, "--no-clock")
    wait_for_a_game(work_folder / "t")
    process.send_signal(signal.SIGINT)
    read_until(process, "stopping")
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    last = json.loads(output.splitlines()[-1])
    assert process.returncode == 130
    assert errors == ""
    assert (last["ending"], last["games"]) == ("stopped", 0)
    assert processes_in(work_folder) == []
    assert referee("tournament", "--resume", "t", "--dry-run").exit_code == 0


def test_a_closed_output_ends_the_run(work_folder: Path) -> None:
    process = start_run(*TWO_BOTS)
    read_until(process, "block")
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait(timeout=60) == 141
    assert process.stderr is not None
    assert "Traceback" not in process.stderr.read()
    process.stderr.close()
    assert processes_in(work_folder) == []


def test_help_fits_the_terminal() -> None:
    result = CliRunner().invoke(main, ["tournament", "--help"], env={"COLUMNS": "80"})
    assert max(map(len, result.stdout.splitlines())) <= 80
