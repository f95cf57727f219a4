"""`referee play`: what it prints, what it refuses, and its exit status."""

import gzip
import json
import os
import re
import shlex
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.bots.reaper import REAPER, Reaper
from referee.cli import main
from referee.random_play import SEEDS
from referee.records.verify import verify
from support import forks
from support.combinations import ALL_PROMOS
from support.command_runs import trouble as bot
from support.groups import together
from support.paths import REFEREE, TROUBLE

PARTS = ("track", "abilities", "markers", "special", "cities", "network", "missions")
SHORT = ("--max-turns", "4", "--seed", "7")
TWELVE = ALL_PROMOS.removeprefix("promo_markers=")

Words = dict[str, Any]


@pytest.fixture(autouse=True)
def charges(monkeypatch: pytest.MonkeyPatch) -> list[Reaper]:
    """Record who would reap child processes: the test process has other children than bots."""
    taken: list[Reaper] = []

    def take_charge(reaper: Reaper) -> None:
        taken.append(reaper)

    monkeypatch.setattr(Reaper, "take_charge", take_charge)
    return taken


@pytest.fixture(autouse=True)
def no_litter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files, to see what is left in it."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


PLAIN = (bot("plain"), bot("plain"))


def referee(*arguments: str, stdin: str = "", columns: str = "80") -> Result:
    return CliRunner().invoke(main, arguments, input=stdin, env={"COLUMNS": columns})


def play(*arguments: str, **more: str) -> Result:
    return referee("play", *arguments, **more)


def lines(*arguments: str, status: int = 0) -> list[Words]:
    """Return the objects that --json prints."""
    result = play(*arguments, "--json")
    assert result.exit_code == status, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def played(*arguments: str) -> Words:
    """Play a game and return its result."""
    result = lines(*arguments)[-1]
    for player in result["players"]:
        del player["pondered_ms"]  # the only thing that no seed repeats
    return result


def refused(*arguments: str) -> str:
    """Return the error message of a refused command, which is one line."""
    result = play(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("referee: ")
    assert result.stderr.count("\n") == 1
    return result.stderr


# --- What it prints


def test_the_log_the_board_the_desks_and_the_final_table_are_shown() -> None:
    shown = play("random", "random", "random", "--max-turns", "9", "--seed", "7").stdout
    assert "The Hanseatic League · 3 players · bigbox" in shown
    assert "\n   2 ● random#2 " in shown
    assert "Lüneburg" in shown
    for word in ("keys", "supply", "rank", *PARTS, "countries", "total", "9 turns"):
        assert word in shown
    assert "--seed 7" in shown


def test_each_country_that_gives_prestige_has_a_row() -> None:
    shown = play(*[bot("plain")] * 4, "--board", "britannia-4-5", *SHORT).stdout
    assert "\nWales " in shown
    assert "\nScotland " in shown


def test_what_is_shown_fits_the_terminal() -> None:
    arguments = [
        *[bot("plain")] * 5,
        "--board",
        "britannia-4-5",
        "--max-turns",
        "30",
        "--seed",
        "7",
    ]
    shown = play(*arguments, columns="80").stdout
    assert max(len(line) for line in shown.splitlines()) <= 80
    assert "…" not in shown


def test_json_lines_are_the_game_its_events_and_the_result() -> None:
    printed = lines(*PLAIN, *SHORT)
    assert [printed[0]["event"], printed[-1]["event"]] == ["game", "result"]
    kinds = [line["event"] for line in printed]
    assert kinds.count("turn") == 4
    assert kinds.index("marker-placed") < kinds.index("turn") < kinds.index("game-over")


def test_the_parts_of_every_total_add_up() -> None:
    game = played(*[bot("plain")] * 3, "--missions", "--max-turns", "30", "--seed", "7")
    assert game["rules"]["missions"] is True
    assert [standing["seat"] for standing in game["standings"]] == [0, 1, 2]
    for standing in game["standings"]:
        parts = sum(standing[part] for part in PARTS) + sum(standing["countries"].values())
        assert standing["total"] == parts


def test_quiet_prints_one_line() -> None:
    shown = play(*PLAIN, *SHORT, "--quiet").stdout
    assert shown.count("\n") == 1
    assert shown.endswith("(seed 7)\n")


def test_the_board_is_drawn_after_each_turn_if_asked_for() -> None:
    shown = play(*PLAIN, *SHORT, "--board-each-turn").stdout
    assert shown.count("(trader, merchant)") == 4


def test_the_same_seed_plays_the_same_game() -> None:
    first = played(*PLAIN, *SHORT)
    assert first == played(*PLAIN, *SHORT)


def test_a_seed_that_is_not_given_is_random_and_printed() -> None:
    game = played(*PLAIN, "--max-turns", "2")
    assert 0 <= game["seed"] < SEEDS
    assert played(*PLAIN, "--max-turns", "2", "--seed", str(game["seed"])) == game


def test_shuffled_seats_depend_on_the_seed() -> None:
    words = ("a=", "b=", "c=")
    bots = [word + bot("plain").partition("=")[2] for word in words]
    names = {
        tuple(
            player["name"]
            for player in played(*bots, "--max-turns", "1", "--seed", seed, "--shuffle-seats")[
                "players"
            ]
        )
        for seed in ("1", "1", "2")
    }
    assert len(names) == 2
    assert {tuple(sorted(name)) for name in names} == {("a", "b", "c")}


@pytest.mark.parametrize(("players", "board"), [(3, "hanse-2-3"), (4, "hanse-4-5")])
def test_the_board_follows_the_number_of_players(players: int, board: str) -> None:
    game = played(*[bot("plain")] * players, "--max-turns", "1")
    assert game["rules"]["board"] == board


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        (
            ["--edition", "original", "--neutral", "2009", "--favours"],
            {"edition": "original", "neutral": "2009", "favours": True, "permits": False},
        ),
        (
            ["--board", "britannia-2-3", "--permits", "--promos", "--max-turns", "3"],
            {"favours": False, "permits": True, "promos": True, "max_turns": 3},
        ),
        (
            ["--board", "britannia-2-3", "--promos", "--promo-markers", TWELVE],
            {"promo_markers": TWELVE.split(","), "country_ties": "shared"},
        ),
        (
            [
                *("--board", "britannia-2-3", "--edition", "original"),
                *("--country-ties", "next-lower", "--permanent-markers", "must"),
            ],
            {"country_ties": "next-lower", "permanent_markers": "must"},
        ),
    ],
)
def test_every_option_reaches_the_rules(options: list[str], rules: Words) -> None:
    given = played(*PLAIN, "--max-turns", "2", *options)["rules"]
    assert {rule: given[rule] for rule in rules} == rules


def test_a_game_is_scored_as_it_stands_after_max_turns() -> None:
    game = played(*PLAIN, *SHORT)
    assert (game["reason"], game["turns"]) == ("max-turns", 4)


# --- Bots at fault


def test_a_fault_is_in_the_log_and_sets_the_exit_status() -> None:
    result = play(bot("plain"), bot("crashes"), *SHORT)
    assert result.exit_code == 1
    assert "✗ ended with exit status 1 (crash, decision" in result.stdout


def test_the_log_has_the_traceback_of_a_bot_that_crashes() -> None:
    result = play(bot("plain"), bot("crashes"), *SHORT)
    shown = [line.strip() for line in result.stdout.splitlines()]
    assert shown[shown.index("its stderr:") + 1] == "about to divide"
    assert "ZeroDivisionError: division by zero" in shown


def test_the_stderr_of_a_bot_at_fault_is_kept_beside_the_record(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    options = [*SHORT, "--record", str(record)]
    (fault,) = lines(bot("plain"), bot("crashes"), *options, status=1)[-1]["faults"]
    assert fault["stderr"] == f"{record}.stderr/crashes.txt"
    assert Path(fault["stderr"]).read_text() == fault["stderr_excerpt"] != ""


@pytest.mark.parametrize("second", ["plain", "crashes", "crashes-at-once"])
def test_a_game_without_a_record_leaves_no_files(no_litter: Path, second: str) -> None:
    assert play(bot("plain"), bot(second), *SHORT).exit_code == (second != "plain")
    assert list(no_litter.iterdir()) == []


def test_the_stderr_of_a_bot_is_printed_as_it_comes() -> None:
    result = play(bot("plain"), bot("crashes"), *SHORT, "--quiet", "--stderr", "crashes")
    assert "crashes | Traceback (most recent call last):\n" in result.stderr
    assert "crashes | ZeroDivisionError: division by zero\n" in result.stderr


def test_the_stderr_of_a_bot_that_does_not_play_is_refused() -> None:
    result = play(*PLAIN, *SHORT, "--stderr", "plane")
    assert result.exit_code == 2
    assert "--stderr: no bot has the name 'plane': did you mean 'plain'?" in result.stderr


@pytest.mark.parametrize(("strikes", "out"), [("1", True), ("2", False)])
def test_each_fault_is_a_json_line(strikes: str, out: bool) -> None:
    printed = lines(bot("plain"), bot("out-of-range"), *SHORT, "--strikes", strikes, status=1)
    (fault,) = [line for line in printed if line["event"] == "fault"]
    assert (fault["fault"], fault["name"]) == ("illegal", "out-of-range")
    assert fault["disqualified"] is out
    assert printed[-1]["standings"][1]["disqualified"] == ("illegal" if out else None)


def test_quiet_prints_faults_on_stderr() -> None:
    result = play(bot("plain"), bot("crashes"), *SHORT, "--quiet")
    assert result.stdout.count("\n") == 1
    assert result.stderr.startswith("referee: crashes ended with exit status 1")


def test_a_bot_without_hello_stops_the_command_before_the_game() -> None:
    result = play(bot("plain"), bot("crashes-at-once"), *SHORT)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("referee: bot crashes-at-once did not send hello: ")


def test_a_bot_without_hello_does_not_overwrite_a_record(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    record.write_text("precious")
    assert play(bot("crashes-at-once"), bot("plain"), "--record", str(record)).exit_code == 1
    assert record.read_text() == "precious"


def test_a_game_can_be_stopped_at_a_fault() -> None:
    result = lines(bot("plain"), bot("crashes"), *SHORT, "--stop-at-fault", status=1)[-1]
    assert result["reason"] is None
    assert result["turns"] < 4


def test_time_can_be_limited_and_the_limit_lifted() -> None:
    bots = (bot("plain"), bot("silent"))
    (fault,) = lines(*bots, *SHORT, "--move-ms", "60", "--strikes", "1", status=1)[-1]["faults"]
    assert fault["fault"] == "timeout"
    assert play(*PLAIN, *SHORT, "--no-clock", "--quiet").exit_code == 0


@pytest.mark.parametrize(
    "options",
    [["--ponder", "allow"], ["--ponder", "forbid", "--clock", "cpu", "--increment-ms", "0"]],
    ids=" ".join,
)
def test_well_behaved_bots_play_with_any_clock(options: list[str]) -> None:
    result = lines(*PLAIN, *SHORT, *options)[-1]
    measured = [player["pondered_ms"] is not None for player in result["players"]]
    assert measured == ["allow" not in options] * 2


def test_a_bot_that_cannot_be_built_is_refused(tmp_path: Path) -> None:
    toml = 'name = "broken"\ncommand = ["python", "bot.py"]\nbuild = ["false"]\n'
    (tmp_path / "bot.toml").write_text(toml)
    result = play(bot("plain"), str(tmp_path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "bot broken cannot be built" in result.stderr


# --- Records


def recorded(path: Path, *arguments: str) -> Words:
    return played(*arguments, "--record", str(path))


def test_the_record_is_written_and_stderr_beside_it_only_if_there_is_any(tmp_path: Path) -> None:
    record = tmp_path / "games" / "game.jsonl"
    recorded(record, *PLAIN, *SHORT)
    kinds = [json.loads(line)["line"] for line in record.read_text().splitlines()]
    assert (kinds[0], kinds[-1]) == ("game", "end")
    assert list(record.parent.iterdir()) == [record]
    assert play(bot("plain"), bot("crashes"), *SHORT, "--record", str(record)).exit_code == 1
    assert (record.parent / "game.jsonl.stderr" / "crashes.txt").stat().st_size > 0


def test_a_packed_record_can_be_read_again(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl.gz"
    game = recorded(record, *PLAIN, *SHORT)
    assert gzip.decompress(record.read_bytes()).startswith(b'{"line":"game"')
    assert played(*PLAIN, "--like", str(record)) == game


def test_like_uses_all_settings_of_the_record(tmp_path: Path) -> None:
    record, again = tmp_path / "game.jsonl", tmp_path / "again.jsonl"
    options = ("--missions", "--promos", "--move-ms", "7000", "--bank-ms", "off", "--strikes", "9")
    game = recorded(record, *PLAIN, *SHORT, *options, "--clock", "cpu")
    assert recorded(again, *PLAIN, "--like", str(record)) == game
    old, new = (json.loads(path.read_text().splitlines()[0]) for path in (record, again))
    assert old == new
    assert (new["clock"]["bank_ms"], new["clock"]["by_cpu"], new["strikes"]) == (None, True, 9)


def test_given_options_override_those_of_the_record(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    recorded(record, *PLAIN, *SHORT, "--missions")
    game = played(*PLAIN, "--like", str(record), "--no-missions", "--seed", "8")
    assert (game["rules"]["missions"], game["seed"]) == (False, 8)
    assert game["rules"]["max_turns"] == 4


def test_a_game_continues_from_a_position_with_a_whole_record(tmp_path: Path) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    game = recorded(first, *PLAIN, *SHORT)
    printed = lines(*PLAIN, "--from", str(first), "--at", "6", "--record", str(second))
    assert printed[0]["from"] == f"decision 6 of {first}"
    assert printed[-1]["digest"] == game["digest"]
    assert [line["event"] for line in printed].count("turn") < 4
    assert lines(*PLAIN, "--from", str(second), "--at", "9")[-1]["digest"] == game["digest"]


def test_a_stopped_game_continues_where_it_ended(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    stopped = ("--stop-at-fault", "--record", str(record))
    assert play(bot("plain"), bot("crashes"), *SHORT, *stopped).exit_code == 1
    shown = play(*PLAIN, "--from", str(record))
    assert shown.exit_code == 0
    assert "Continues from decision" in shown.stdout
    assert "lies at" not in shown.stdout


# --- People


def test_a_person_takes_a_seat_and_leaves_at_the_end_of_input() -> None:
    result = play("human", bot("plain"), *SHORT, stdin="?\nend\n1\n")
    assert result.exit_code == 0
    assert "Your turn" in result.stdout
    assert "left the game (crash, decision" in result.stdout
    assert "2 left" in result.stdout


def test_a_person_gets_a_hint_and_the_record_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.cli.play.command.HINT_MS", 1.0)
    record = tmp_path / "game.jsonl"
    words = ("human", bot("plain"), *SHORT, "--hints", "--record", str(record))
    result = play(*words, stdin="h\nend\n1\n")
    assert "Best: " in result.stdout
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    hints = [line for line in lines if line["line"] == "hint"]
    assert (lines[0]["format"], hints) == (2, [{"line": "hint", "id": 1, "seat": 0}])
    assert verify(record).verdict == "fine"


def test_ctrl_c_says_how_to_continue_and_that_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "my game.jsonl"
    typed = iter(["end", "1", "end", "1"])

    def type_then_interrupt(_: object = None) -> str:
        try:
            return next(typed)
        except StopIteration:
            raise KeyboardInterrupt from None

    with monkeypatch.context() as patched:
        patched.setattr("builtins.input", type_then_interrupt)
        stopped = play("human", "me=human", *SHORT, "--shuffle-seats", "--record", str(record))
    assert stopped.exit_code == 130
    (hint,) = re.findall(r"To continue this game: referee (.*)", stopped.stderr)
    assert f"play me=human human --from '{record}' --at 4 --record '{record}'" in hint
    done = referee(*shlex.split(hint), stdin="end\n1\n" * 20, columns="200")
    assert done.exit_code == 0
    assert f"Continues from decision 4 of {record}." in done.stdout
    assert referee("verify", str(record)).exit_code == 0


def test_two_people_can_play() -> None:
    result = play("human", "human", *SHORT, stdin="end\n1\n" * 20)
    assert result.exit_code == 0
    assert "● human#2  Your turn" in result.stdout
    assert "4 turns" in result.stdout


# --- What it refuses


@together(
    ("arguments", "reason"),
    [
        (["random", "clever"], "'clever' is not a valid bot"),
        (["random", "./my-bot"], "there is no folder or program './my-bot'"),
        (["random"], "takes 2 to 3 players, not 1"),
        (["random"] * 6, "takes 4 to 5 players, not 6"),
        (["random"] * 3 + ["--board", "hanse-4-5"], "takes 4 to 5 players, not 3"),
        (["random"] * 4 + ["--board", "atlantis"], "no board"),
        (["random"] * 2 + ["--permits"], "permits"),
        (["random"] * 3 + ["--neutral", "2009"], "only for games of 2 players"),
        (["random"] * 2 + ["--edition", "original", "--promos"], "promo"),
        (["random"] * 2 + ["--promos", "--promo-markers", "block"], "exactly 12 markers"),
        (["random"] * 2 + ["--country-ties", "shared"], "country_ties cannot be set on"),
        (["random"] * 2 + ["--permanent-markers", "must"], "permanent_markers cannot be set on"),
        (["random"] * 2 + ["--seed", "-1"], "--seed"),
        (["random"] * 2 + ["--seed", str(SEEDS)], "--seed"),
        (["random"] * 2 + ["--max-turns", "1000001"], "--max-turns"),
        (["random"] * 2 + ["--json", "--quiet"], "mutually exclusive"),
        (["random"] * 2 + ["--board", "nowhere.toml"], "nowhere.toml"),
        (["random"] * 2 + ["--move-ms", "soon"], "--move-ms"),
        (["random"] * 2 + ["--move-ms", "0"], "--move-ms"),
        (["random"] * 2 + ["--no-clock", "--move-ms", "5"], "--no-clock"),
        (["random"] * 2 + ["--at", "5"], "--at needs --from"),
        (["random"] * 2 + ["--from", "x", "--like", "x"], "--like"),
        (["random"] * 2 + ["--from", "x", "--missions"], "--missions"),
        (["random"] * 2 + ["--from", "x", "--seed", "5"], "--seed"),
        (["random"] * 2 + ["--from", "nowhere.jsonl"], "nowhere.jsonl"),
        (["random"] * 2 + ["--like", str(TROUBLE)], "trouble.py, line 1"),
        (["random"] * 2 + ["--record", "/"], "/"),
        (["random", "random", "--hints"], "--hints needs a human player"),
        (["human", "random", "--quiet"], "a human player"),
        (["human", "random", "--json"], "a human player"),
        ([], "BOT"),
        (["random", "--frobnicate"], "--frobnicate"),
    ],
)
def test_a_refusal_is_one_sentence_and_status_2(arguments: list[str], reason: str) -> None:
    assert reason in refused(*arguments)


def test_a_record_of_another_number_of_players_is_refused(tmp_path: Path) -> None:
    recorded(tmp_path / "game.jsonl", *PLAIN, *SHORT)
    message = refused(*["random"] * 3, "--like", str(tmp_path / "game.jsonl"))
    assert "a game of 2 players: name 2 bots, not 3" in message


def test_a_record_that_cannot_be_written_is_refused_before_the_game(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file" / "game.jsonl", tmp_path):
        assert "cannot write" in refused(*PLAIN, "--record", str(path))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_reported_in_one_sentence() -> None:
    result = play(*PLAIN, *SHORT, "--quiet", "--record", "/dev/full")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "referee: cannot continue the record /dev/full: No space left on device\n"
    )


# --- How it leaves


def command(*arguments: str) -> list[str]:
    return [*REFEREE, "play", *arguments]


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_the_command_reaps_bots_and_restores_its_cores(charges: list[Reaper]) -> None:
    before = os.sched_getaffinity(0)
    assert play(*PLAIN, *SHORT, "--quiet").exit_code == 0
    assert charges == [REAPER]
    assert os.sched_getaffinity(0) == before


def test_the_module_runs_as_the_command() -> None:
    done = subprocess.run(
        command(*PLAIN, *SHORT, "--quiet"), capture_output=True, text=True, check=True
    )
    assert done.stdout == play(*PLAIN, *SHORT, "--quiet").stdout


def test_an_interrupted_command_ends_its_bots_and_exits_with_130(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    arguments = (bot("plain"), bot("silent"), "--no-clock", "--record", str(record))
    with forks.Fork(
        command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        until = time.monotonic() + 30
        while not (record.exists() and b'"decision"' in record.read_bytes()):
            assert time.monotonic() < until
            time.sleep(0.02)
        bots = children(process.pid)
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=30)
    hint, sentence = complaint.strip().split("\n\n")
    assert (process.returncode, sentence) == (130, "referee: interrupted")
    assert hint.startswith("To continue this game: referee play ")
    assert len(bots) == 2
    assert not any(Path(f"/proc/{pid}").exists() for pid in bots)


@pytest.mark.parametrize("show", [[], ["--json"]])
def test_a_closed_pipe_ends_the_game_without_a_message(show: list[str]) -> None:
    with forks.Fork(
        command(*PLAIN, *show), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(timeout=60) == 141
        assert process.stderr is not None
        assert process.stderr.read() == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("show", [[], ["--json"], ["--quiet"]])
def test_a_full_output_is_reported_in_one_sentence(show: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = forks.run(command(*PLAIN, *SHORT, *show), stdout=full)
    assert done.returncode == 2
    assert done.stderr == "referee: cannot write to standard output: No space left on device\n"


# --- The command beside it


def test_an_unknown_command_is_a_usage_error() -> None:
    result = referee("frobnicate")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1


def test_the_version_names_the_build() -> None:
    result = referee("--version")
    assert result.exit_code == 0
    assert "engine)" in result.stdout
