"""Sandbox levels: which one is in force, its description, and what is refused."""

from __future__ import annotations

import json
import shutil
import socket
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.bots.find import Bot, find_bot
from referee.bots.reaper import Reaper
from referee.bots.sandbox import bubblewrap, levels, seccomp
from referee.bots.sandbox.levels import choose_level, missing_for_strict, put_in_sandbox
from referee.bots.sandbox.limits import GIB, Level
from referee.cli import main
from referee.errors import BotRefused, SandboxRefused
from referee.system import SECRET_VARIABLE
from referee.tournament.opening import bot_job, put_bots_in_sandbox
from referee.tournament.request import TournamentRequest, merge
from referee.tournament.workers import bundle
from referee.tournament.workers.messages import Conditions, Job, decode_job, encode
from support.command_runs import PLAIN
from support.match_setup import left_running
from support.sandboxed import BOTS, SMALL, need_strict

SHORT = ("--max-turns", "4", "--seed", "7")
MISSING = "bubblewrap is not installed: apt install bubblewrap (or dnf, pacman, zypper)"


@pytest.fixture
def works(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which the strict sandbox works."""
    monkeypatch.setattr(levels, "missing_for_strict", lambda: None)


@pytest.fixture
def lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without bubblewrap."""
    monkeypatch.setattr(levels, "missing_for_strict", lambda: MISSING)
    monkeypatch.setattr(bundle, "missing_for_strict", lambda: MISSING)


def make_bot(folder: Path, name: str = "mine") -> Bot:
    folder.mkdir(parents=True)
    (folder / "bot.toml").write_text(f'name = "{name}"\ncommand = ["cat"]\n')
    return find_bot(str(folder))


# --- the level in force ----------------------------------------------------------------------


@pytest.mark.usefixtures("works")
def test_the_requested_level_is_in_force_else_the_default() -> None:
    assert choose_level((), None, "strict") == ("strict", None)
    assert choose_level((), None, "limits") == ("limits", None)
    assert choose_level((), "off", "strict") == ("off", None)
    assert choose_level((), "strict", "limits") == ("strict", None)


@pytest.mark.usefixtures("lacks")
def test_an_unavailable_default_is_replaced_and_says_why() -> None:
    description = put_in_sandbox([], None, "strict").description
    assert description == f"sandbox: limits; memory for each process; not strict: {MISSING}"


@pytest.mark.usefixtures("lacks")
def test_an_unavailable_level_that_was_requested_is_refused() -> None:
    with pytest.raises(
        SandboxRefused, match="the strict sandbox is not available: bubblewrap is not"
    ):
        put_in_sandbox([], "strict")


@pytest.mark.usefixtures("works")
def test_every_level_is_described_in_one_line() -> None:
    lines = [put_in_sandbox([], level).description for level in ("off", "limits", "strict")]
    assert [line.split(";")[0] for line in lines] == [
        "sandbox: off",
        "sandbox: limits",
        "sandbox: strict",
    ]
    assert all(len(line) < 80 for line in lines)


def test_the_description_says_that_root_has_no_process_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bubblewrap, "is_root", lambda: True)
    assert "processes are not limited for root" in put_in_sandbox([], "limits").description
    monkeypatch.setattr(bubblewrap, "is_root", lambda: False)
    assert "root" not in put_in_sandbox([], "limits").description


def test_the_description_says_that_a_cgroup_limits_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "delegated", lambda: Path("somewhere"))
    assert "memory by cgroup" in put_in_sandbox([], "limits").description


@pytest.mark.usefixtures("works")
def test_bots_get_their_level_and_their_limits(tmp_path: Path) -> None:
    bot = make_bot(tmp_path / "mine")
    (inside,) = put_in_sandbox([bot], "strict", grants={"memory": GIB}).bots
    assert (inside.level, inside.limits.memory) == ("strict", GIB)


# --- what this machine can do --------------------------------------------------------------


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Callable[..., str | None]:
    """What is missing on a machine without these programs, if the trial ends with this error."""

    def found(*without: str, trial: str | None = None, platform: str = "linux") -> str | None:
        which = shutil.which
        monkeypatch.setattr(sys, "platform", platform)
        monkeypatch.setattr(shutil, "which", lambda name: None if name in without else which(name))
        monkeypatch.setattr(levels, "_trial", lambda: trial)
        return missing_for_strict.__wrapped__()

    return found


def test_a_missing_program_is_named_with_how_to_get_it(machine: Callable[..., str | None]) -> None:
    assert machine("bwrap") == MISSING
    assert machine(platform="darwin") == "it needs Linux"


@pytest.mark.usefixtures("strict")
def test_a_missing_tool_or_right_is_named(
    machine: Callable[..., str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert machine() is None
    assert "version 0.8 and user namespaces" in str(machine(trial="bwrap: No permissions"))
    monkeypatch.setattr(bubblewrap, "is_root", lambda: True)
    assert machine("setpriv") == "setpriv is not installed: apt install util-linux"
    monkeypatch.setattr(seccomp, "is_known", lambda: False)
    assert "start the referee as another user" in str(machine())


def test_a_failing_bubblewrap_is_quoted_by_its_last_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho first >&2\nprintf 'no \\033[31mrights\\n' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setattr(bubblewrap, "bubblewrap", lambda: str(fake))
    assert levels._trial() == "no \\u001b[31mrights"
    monkeypatch.setattr(bubblewrap, "bubblewrap", lambda: str(tmp_path / "gone"))
    assert "No such file" in str(levels._trial())


@pytest.mark.usefixtures("strict")
def test_the_trial_leaves_no_process() -> None:
    assert levels._trial() is None
    assert left_running() == []


# --- what bots must not read --------------------------------------------------------------------


@pytest.mark.usefixtures("works")
def test_records_in_the_folder_of_a_bot_are_refused(tmp_path: Path) -> None:
    bot = make_bot(tmp_path / "mine")
    record = bot.folder / "games" / "game.jsonl"
    with pytest.raises(SandboxRefused, match=r"bot mine could read the records in .*: move one"):
        put_in_sandbox([bot], "strict", apart=[record])
    assert put_in_sandbox([bot], None, "strict", apart=[record]).level == "limits"
    assert put_in_sandbox([bot], "strict", apart=[tmp_path / "game.jsonl"]).level == "strict"


@pytest.mark.usefixtures("works")
def test_a_bot_in_the_folder_of_another_is_refused(tmp_path: Path) -> None:
    outer = make_bot(tmp_path / "outer", "outer")
    inner = make_bot(tmp_path / "outer" / "inner", "inner")
    with pytest.raises(SandboxRefused, match="bot outer could read bot inner in"):
        put_in_sandbox([outer, inner], "strict")
    assert put_in_sandbox([outer, replace(outer, name="outer#2")], "strict").level == "strict"


@pytest.mark.usefixtures("works")
def test_records_and_bots_in_a_system_folder_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bubblewrap, "system_paths", lambda: (tmp_path / "usr",))
    bot, other = make_bot(tmp_path / "mine"), make_bot(tmp_path / "usr" / "other", "other")
    with pytest.raises(SandboxRefused, match="bot mine could read bot other in"):
        put_in_sandbox([bot, other], "strict")
    with pytest.raises(SandboxRefused, match="bot mine could read the records in"):
        put_in_sandbox([bot], "strict", apart=[tmp_path / "usr" / "league"])


@pytest.mark.usefixtures("works")
def test_root_refuses_a_folder_that_only_root_can_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = make_bot(tmp_path / "mine")
    bot.folder.chmod(0o700)
    monkeypatch.setattr(bubblewrap, "is_root", lambda: True)
    with pytest.raises(SandboxRefused, match=r"chmod -R o\+rX .*mine"):
        put_in_sandbox([bot], "strict")
    monkeypatch.setattr(bubblewrap, "is_root", lambda: False)
    assert put_in_sandbox([bot], "strict").level == "strict"


@pytest.mark.usefixtures("works")
def test_a_program_that_is_not_on_the_path_is_refused(tmp_path: Path) -> None:
    bot = make_bot(tmp_path / "mine")
    program = tmp_path / "tool"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    with pytest.raises(
        SandboxRefused, match=r"bot mine runs .*/tool, which is neither in its folder nor on"
    ):
        put_in_sandbox([replace(bot, command=(str(program),))], "strict")


@pytest.mark.usefixtures("works")
def test_a_command_with_control_characters_is_shown_escaped(tmp_path: Path) -> None:
    bot = replace(make_bot(tmp_path / "mine"), command=("\x1b]0;x\x07\u202e",))
    with pytest.raises(SandboxRefused) as error:
        put_in_sandbox([bot], "strict")
    assert str(error.value).isprintable()


@pytest.mark.usefixtures("works")
def test_a_person_needs_no_sandbox() -> None:
    assert put_in_sandbox([find_bot("human")], "strict").level == "strict"


def test_a_command_can_read_only_the_files_that_it_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("bot.sh", "book.txt", "other.txt"):
        (tmp_path / name).write_text("")
    found = bubblewrap.readable(find_bot(f"sh bot.sh --book {tmp_path / 'book.txt'} {'x' * 5000}"))
    mine = {path.name for path in found if path.is_relative_to(tmp_path)}
    assert mine == {"bot.sh", "book.txt"}


# --- the command line ----------------------------------------------------------------------


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder; this process has other children, so its reaper is not in charge."""
    monkeypatch.setattr(Reaper, "take_charge", lambda _: None)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def referee(*words: object) -> Result:
    return CliRunner().invoke(main, list(map(str, words)), env={"COLUMNS": "200"})


@pytest.mark.usefixtures("here")
def test_play_shows_the_level_in_force() -> None:
    assert "sandbox: limits; memory" in referee("play", PLAIN, PLAIN, *SHORT).stdout
    shown = referee("play", PLAIN, PLAIN, "--sandbox", "off", *SHORT).stdout
    assert "sandbox: off; bots can do whatever this user can" in shown


@pytest.mark.usefixtures("here", "lacks")
@pytest.mark.parametrize(
    "words",
    [("play", "random", "random"), ("check", "random"), ("tournament", "random", "random")],
)
def test_an_unavailable_strict_sandbox_is_one_sentence(here: Path, words: tuple[str, ...]) -> None:
    result = referee(*words, "--sandbox", "strict")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == f"referee: the strict sandbox is not available: {MISSING}\n"
    assert list(here.iterdir()) == []


@pytest.mark.usefixtures("here", "strict")
def test_a_tournament_is_strict_by_default() -> None:
    words = ("tournament", "random", "random", "--blocks", 1, "--workers", 1, *SHORT)
    assert "sandbox: strict; no network" in referee(*words, "--out", "a").stdout
    first = referee(*words, "--out", "b", "--sandbox", "limits", "--json").stdout.splitlines()[0]
    assert json.loads(first)["sandbox"].startswith("sandbox: limits; memory")


@pytest.fixture
def wants_network(here: Path, works: None) -> Bot:
    """A bot of a stranger, whose build wants the network, on a machine with the strict sandbox."""
    bot = make_bot(here / "mine")
    with (bot.folder / "bot.toml").open("a") as toml:
        toml.write('build = ["sh", "-c", "echo > built"]\nbuild_network = true\n')
    return find_bot("mine")


@pytest.mark.usefixtures("wants_network")
@pytest.mark.parametrize(
    "words",
    [
        ("play", "mine", "random", "--sandbox", "strict"),
        ("check", "mine", "--sandbox", "strict"),
        ("tournament", "mine", "random", "--out", "league"),
    ],
)
def test_the_network_of_a_build_must_be_allowed(here: Path, words: tuple[str, ...]) -> None:
    result = referee(*words, "--allow-build", "mien")
    assert result.exit_code == 2
    assert "no bot 'mien' whose build could be allowed: did you mean 'mine'?" in result.stderr
    result = referee(*words)
    assert result.exit_code == 2
    assert result.stderr == (
        "referee: bot mine wants the network for its build (build_network in its bot.toml), which must"
        " be allowed: --allow-build mine\n"
    )
    assert [path.name for path in here.iterdir()] == ["mine"]
    assert not (here / "mine" / "built").exists()


@pytest.mark.usefixtures("here")
def test_the_author_of_a_bot_needs_no_permission(wants_network: Bot) -> None:
    """By default, `play`, `check` and `reask` trust the bots that they are given."""
    assert "building mine" in referee("check", "mine", "--only", "pieces").stderr
    assert (wants_network.folder / "built").exists()


def test_a_file_and_the_command_line_allow_builds_together(wants_network: Bot) -> None:
    file, line = (TournamentRequest(allow_build=(name,)) for name in ("mine", "x"))
    request = merge(line, file)
    found = put_bots_in_sandbox([wants_network, find_bot("x=cat")], request, Path("league"))
    assert [bot.allow_network for bot in found.bots] == [True, True]


def test_the_referee_never_imports_a_bots_folder(here: Path) -> None:
    """Authors choose the names of the folders, and these are in the current folder."""
    bot = make_bot(here / "msgspec")
    (bot.folder / "__init__.py").write_text("open('run', 'w')")
    words = ("msgspec", PLAIN, "--blocks", 1, "--workers", 1, "--out", "a", "--quiet")
    result = referee("tournament", *words, *SHORT, "--start-ms", 500)
    assert result.exit_code == 0, result.stderr
    assert not (here / "run").exists()


@pytest.mark.usefixtures("here")
def test_a_tournament_continues_at_another_level_or_limit() -> None:
    """These may change, as the machine may change."""
    words = (PLAIN, PLAIN, "--workers", 1, "--out", "a", "--quiet")
    first = referee("tournament", *words, *SHORT, "--blocks", 1, "--sandbox", "off")
    assert first.exit_code == 0, first.stderr
    more = ("--blocks", 2, "--sandbox", "limits", "--limit", "memory=1G")
    again = referee("tournament", *words, *more)
    assert again.exit_code == 0, again.stderr
    assert again.stdout.startswith("done: 2 blocks")


def test_a_configuration_file_sets_the_sandbox_and_the_limits(here: Path) -> None:
    Path("league.toml").write_text(
        f'bots = {json.dumps([PLAIN] * 2)}\nsandbox = "limits"\nblocks = 1\nmax_turns = 4\n'
        '[limits]\nmemory = "1 GiB"\n[limits.plain]\nprocesses = 0\n'
    )
    refused = referee("tournament", "--config", "league.toml", "--out", "a")
    assert refused.exit_code == 2
    assert (
        "league.toml: limits of plain: processes must be an amount of at least 1" in refused.stderr
    )
    text = Path("league.toml").read_text().replace("processes = 0", "processes = 64")
    Path("league.toml").write_text(text)
    done = referee("tournament", "--config", "league.toml", "--out", "a", "--workers", 1)
    assert done.exit_code == 0, done.stderr
    assert "sandbox: limits" in done.stdout


@pytest.mark.usefixtures("here")
def test_a_limit_reaches_the_bot() -> None:
    bot = BOTS / "snoop"
    result = referee("play", bot, PLAIN, *SHORT, "--limit", "snoop:memory=4K", "--quiet")
    assert result.exit_code == 1
    assert "bot snoop did not send hello" in result.stderr


# --- on workers and other machines -----------------------------------------------------------------------------


def job_of(bot: Bot, **more: Any) -> Job:
    return Job((), (bot_job(bot),), Conditions(), None, "stderr", **more)


def test_a_worker_receives_the_level_and_the_limits() -> None:
    bot = replace(find_bot("random"), level="strict", limits=SMALL)
    (received,) = decode_job(encode(job_of(bot))).bots
    assert (received.bot().level, received.bot().limits) == ("strict", SMALL)


def arrives(job: Job, tmp_path: Path) -> Bot:
    """Bundle a job as for another machine, and return its bot there."""
    packed = bundle.decode(bundle.encode(bundle.pack(job)))
    return bundle.unpack(packed, tmp_path / "cache").bots[0].bot()


@pytest.mark.parametrize("word", ["random", "cat"])
def test_a_bundled_bot_keeps_its_level_and_limits(
    word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle, "missing_for_strict", lambda: None)
    bot = replace(find_bot(word), level="strict", limits=SMALL)
    arrived = arrives(job_of(bot), tmp_path)
    assert (arrived.level, arrived.limits) == ("strict", SMALL)


def test_the_build_on_another_machine_follows_the_same_rule(
    wants_network: Bot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle, "missing_for_strict", lambda: None)
    with pytest.raises(BotRefused, match="--allow-build mine"):
        arrives(job_of(replace(wants_network, level="strict")), tmp_path)


@pytest.mark.usefixtures("lacks")
def test_a_machine_without_strict_uses_limits_or_refuses(tmp_path: Path) -> None:
    bot = replace(find_bot("random"), level="strict")
    assert arrives(job_of(bot), tmp_path).level == "limits"
    host = socket.gethostname()
    with pytest.raises(BotRefused, match=f"the strict sandbox does not work on {host}: bubblewrap"):
        arrives(job_of(bot, must_be_strict=True), tmp_path)


# --- the secret of a tournament --------------------------------------------------------------


@pytest.mark.parametrize("level", ["off", "limits", "strict"])
def test_a_bot_never_has_the_secret_in_its_environment(
    level: Level, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither in a single game nor in a tournament, where a worker starts the bots.

    A worker starts bots in the same way at every level; the lowest level is tested in a game alone.
    """
    if level == "strict":
        need_strict()
    monkeypatch.setenv(SECRET_VARIABLE, "5ec4e7" * 8)
    monkeypatch.setenv("HARMLESS", "yes")
    monkeypatch.setattr(Reaper, "take_charge", lambda _: None)
    words = [*[str(BOTS / "snoop")] * 2, "--sandbox", level, "--max-turns", "1", "--quiet"]
    game, league = tmp_path / "game.jsonl", tmp_path / "league"
    runs = [["play", *words, "--record", str(game)]]
    if level != "off":
        runs.append(["tournament", *words, "--blocks", "1", "--workers", "1", "--out", str(league)])
    for command in runs:
        done = CliRunner().invoke(main, command)
        assert done.exit_code == 0, done.output
    logs = [*Path(f"{game}.stderr").iterdir(), *league.glob("stderr/*")]
    own = [json.loads(log.read_text("utf-8").splitlines()[0])["environment"] for log in logs]
    assert len(own) == (2 if level == "off" else 2 + 4)
    assert all(SECRET_VARIABLE not in found for found in own)
    assert all(("HARMLESS" in found) == (level != "strict") for found in own)
