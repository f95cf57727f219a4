"""One bot process: its own session and pipes, heard by a deadline, ended for certain."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from referee.adjudication.faults import Fault
from referee.bots import launch as starting
from referee.bots import process as module
from referee.bots.find import Bot
from referee.bots.process import MOST_STDERR, BotProcess, monotonic_ns
from referee.errors import BotRefused
from support.match_setup import descriptors, left_running, python
from support.paths import BAD_BOTS

pytestmark = pytest.mark.usefixtures("in_charge")

SOON = 60  # seconds that are plenty on any machine
Start = Callable[..., BotProcess]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts one of the scraps; whatever still runs is ended after the test."""
    started: list[BotProcess] = []

    def begin(kind: str, core: int | None = None) -> BotProcess:
        one = Bot(kind, python("scraps.py", kind), BAD_BOTS, "")
        started.append(BotProcess(one, tmp_path / f"{len(started)}.txt", core))
        return started[-1]

    yield begin
    for process in started:
        process.kill()
    assert left_running() == []


def soon(seconds: float = SOON) -> int:
    return monotonic_ns() + int(seconds * 1e9)


def heard(process: BotProcess) -> bytes:
    message = process.hear(soon())
    assert isinstance(message, bytes)
    return message


def missed(process: BotProcess, seconds: float = SOON) -> Fault:
    fault = process.hear(soon(seconds))
    assert isinstance(fault, Fault)
    return fault


# --- apart from us and from each other -----------------------------------------------------


def test_a_bot_leads_its_own_session_away_from_the_keyboard(
    start: Start,
) -> None:
    process = start("tells-of-itself")
    pid, group, session, *_ = ast.literal_eval(heard(process).decode())
    assert process.pid == pid == group == session != os.getsid(0)


def test_a_bot_inherits_only_its_three_standard_files(start: Start) -> None:
    start("echo")
    start("echo")
    _, _, _, files, _ = ast.literal_eval(heard(start("tells-of-itself")).decode())
    assert files == [0, 1, 2]


def test_its_folder_is_where_it_works(start: Start) -> None:
    *_, folder = ast.literal_eval(heard(start("tells-of-itself")).decode())
    assert Path(folder) == BAD_BOTS


def test_nothing_of_a_bot_stays_open(start: Start) -> None:
    start("echo").kill()  # what is opened once and for all is open now
    before = descriptors()
    for kind in ("echo", "answers-and-exits", "closes-its-input", "talks-on"):
        process = start(kind)
        process.say(b"x" * 200_000)
        process.hear(soon(0.05))
        process.kill()
    assert descriptors() == before


def test_a_bot_can_be_bound_to_a_core_and_we_are_not(start: Start) -> None:
    ours = os.sched_getaffinity(0)
    core = max(ours)
    process = start("echo", core)
    assert os.sched_getaffinity(process.pid) == {core}
    assert os.sched_getaffinity(0) == ours


# --- speaking ------------------------------------------------------------------------------


def test_a_message_larger_than_the_pipe_arrives_whole(start: Start) -> None:
    process = start("echo")
    line = b"0123456789" * 90_000
    process.say(line + b"\n")
    assert heard(process) == line


def test_messages_that_wait_are_sent_in_their_order(start: Start) -> None:
    process = start("echo")
    lines = [b"%d" % number * 30_000 for number in range(8)]
    for line in lines:
        process.say(line + b"\n")
    assert [heard(process) for _ in lines] == lines


def test_to_speak_never_waits_for_a_bot_that_does_not_read(start: Start) -> None:
    process = start("says-half")
    for _ in range(50):
        process.say(b"x" * 100_000)
    assert missed(process, 0.01).fault == "timeout"


def test_who_closed_its_input_and_gets_more_is_found_out(start: Start) -> None:
    process = start("closes-its-input")
    assert heard(process) == b"closed"
    process.say(b"x" * 200_000)
    assert missed(process) == Fault("crash", "closed its standard input")
    process.say(b"once more")
    assert missed(process) == Fault("crash", "closed its standard input")


@pytest.mark.parametrize("wait_s", [0, 0.2])
def test_what_a_bot_said_is_heard_though_it_takes_nothing_more(start: Start, wait_s: float) -> None:
    """Whether it was gone before it was spoken to, or in the midst of it."""
    process = start("answers-and-exits")
    time.sleep(wait_s)
    process.say(b"x" * 500_000)
    assert [heard(process), heard(process)] == [b"one", b"two"]
    assert missed(process) == Fault("crash", "ended with exit status 5")


# --- hearing -------------------------------------------------------------------------------


def test_all_that_a_bot_said_before_it_left_is_heard(start: Start) -> None:
    process = start("answers-and-exits")
    assert [heard(process), heard(process)] == [b"one", b"two"]
    assert missed(process) == Fault("crash", "ended with exit status 5")


def test_a_crash_is_reported_each_time_that_it_is_asked_for(start: Start) -> None:
    process = start("burns")
    assert [missed(process).message for _ in range(3)] == ["ended with exit status 0"] * 3


def test_without_a_deadline_it_waits(start: Start) -> None:
    process = start("echo")
    process.say(b"hello\n")
    assert process.hear(None) == b"hello"


def test_a_deadline_in_the_past_is_a_time_out(start: Start) -> None:
    assert start("says-half").hear(monotonic_ns() - 1) == Fault("timeout", "gave no answer in time")


def test_half_a_line_is_none(start: Start) -> None:
    assert missed(start("says-half"), 0.1).fault == "timeout"


def test_what_was_heard_already_needs_no_time(start: Start) -> None:
    process = start("answers-and-exits")
    assert heard(process) == b"one"
    while process._splitter._at == len(process._splitter._buffer):
        process._wait(soon())
    assert process.hear(monotonic_ns() - 1) == b"two"


def test_a_bot_that_has_ended_keeps_its_number_until_it_is_ended(start: Start) -> None:
    process = start("burns")
    missed(process)
    assert Path(f"/proc/{process.pid}/stat").read_text().split(") ")[1][0] == "Z"
    process.kill()
    assert not Path(f"/proc/{process.pid}").exists()


# --- stderr --------------------------------------------------------------------------------


def test_the_end_of_stderr_is_kept_at_hand(start: Start) -> None:
    process = start("speaks-on-stderr")
    heard(process)
    tail = process.stderr_tail()
    assert len(tail) == 4096
    assert tail.endswith(b"xxthe end")


def test_stderr_is_refused_beyond_the_cap_and_has_room_again_after_a_game(start: Start) -> None:
    process = start("floods-stderr")
    process.say(b"begin\n")
    assert heard(process) == b"File too large"
    assert process.stderr.stat().st_size == MOST_STDERR
    process.trim_stderr()
    assert process.stderr.stat().st_size == 0
    process.say(b"again\n")
    assert heard(process) == b"File too large"
    assert process.stderr.stat().st_size == MOST_STDERR


def test_what_is_less_than_half_of_the_cap_stays(start: Start) -> None:
    process = start("speaks-on-stderr")
    heard(process)
    process.trim_stderr()
    assert process.stderr.stat().st_size == 5007


def test_stderr_is_read_whatever_the_bot_puts_in_its_place(start: Start) -> None:
    process = start("hides-its-stderr")
    heard(process)
    assert process.stderr_tail() == b"before"


# --- CPU -----------------------------------------------------------------------------------


def test_cpu_time_is_that_of_the_bot(start: Start) -> None:
    process = start("spins")
    heard(process)
    before = process.cpu_ms()
    while process.cpu_ms() < before + 20:
        time.sleep(0.001)


def test_cpu_time_of_a_bot_that_has_ended_does_not_go_back(start: Start) -> None:
    process = start("burns")
    missed(process)
    used = process.cpu_ms()
    process.kill()
    assert process.cpu_ms() == used >= 0


def test_waiting_for_a_core_is_a_number(start: Start) -> None:
    assert start("spins").core_wait_ms() >= 0


# --- the end -------------------------------------------------------------------------------


@pytest.fixture
def no_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    """As much time to leave as it takes."""
    monkeypatch.setattr(module, "GRACE_NS", SOON * 10**9)


@pytest.mark.usefixtures("no_haste")
def test_a_polite_bot_leaves_at_the_end_of_its_input(start: Start) -> None:
    process = start("leaves-politely")
    process.stop(b"quit\n")
    assert process.stderr.read_bytes() == b"bye\n"


@pytest.mark.usefixtures("no_haste")
def test_a_bot_gets_all_that_was_said_before_its_input_ends(start: Start) -> None:
    process = start("counts-its-input")
    process.say(b"x" * 300_000)
    process.stop(b"quit\n")
    assert process.stderr.read_bytes() == b"300005"


@pytest.mark.parametrize("kind", ["says-half", "talks-on", "closes-its-input", "spins"])
def test_who_does_not_leave_is_killed(
    start: Start, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "GRACE_NS", 20_000_000)
    process = start(kind)
    process.say(b"x" * 200_000)
    process.stop(b"quit\n")
    assert not Path(f"/proc/{process.pid}").exists()


def test_a_bot_has_half_a_second_to_leave(start: Start) -> None:
    process = start("spins")
    heard(process)
    begun = time.monotonic()
    process.stop(b"quit\n")
    assert time.monotonic() - begun >= 0.5


@pytest.mark.usefixtures("no_haste")
def test_to_stop_one_that_has_ended_takes_no_time(start: Start) -> None:
    process = start("burns")
    missed(process)
    begun = time.monotonic()
    process.stop(b"quit\n")
    assert time.monotonic() - begun < SOON / 2


def test_kill_is_idempotent(start: Start) -> None:
    process = start("echo")
    process.kill()
    process.kill()


PARENT = """
import os, sys, time
from pathlib import Path
from referee.bots import launch
from referee.bots import process
from referee.bots.find import Bot
if sys.argv[1] == "without":
    launch.death_launcher = lambda: ()
one = Bot("echo", (sys.executable, "-I", "-S", sys.argv[2], "spins"), Path.cwd(), "")
bot = process.BotProcess(one, Path(sys.argv[3]))
bot.hear(None)
print(bot.pid, flush=True)
time.sleep(3600)
"""


@pytest.mark.parametrize("setpriv", ["with", "without"])
def test_a_bot_dies_with_a_killed_referee(setpriv: str, tmp_path: Path) -> None:
    words = [setpriv, str(BAD_BOTS / "scraps.py"), str(tmp_path / "stderr.txt")]
    with subprocess.Popen([sys.executable, "-c", PARENT, *words], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        bot = int(parent.stdout.readline())
        parent.kill()
    give_up = time.monotonic() + SOON
    while _runs(bot) and time.monotonic() < give_up:
        time.sleep(0.002)
    assert not _runs(bot)


def _runs(pid: int) -> bool:
    """Whether it does; one that is dead and was left to us is waited for."""
    with_us = Path(f"/proc/{pid}")
    if with_us.exists():
        with suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
    return with_us.exists()


# --- what cannot be started ----------------------------------------------------------------


def refused(tmp_path: Path, **parts: object) -> str:
    words: dict[str, object] = {"name": "x", "command": ("cat",), "folder": tmp_path, "content": ""}
    stderr = parts.pop("stderr", tmp_path / "stderr.txt")
    assert isinstance(stderr, Path)
    before = descriptors()
    with pytest.raises(BotRefused) as error:
        BotProcess(Bot(**{**words, **parts}), stderr)  # type: ignore[arg-type]
    assert descriptors() == before
    return str(error.value)


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    sentence = refused(tmp_path, command=("no-such-program",))
    assert sentence == "bot x cannot be started: 'no-such-program' is not a program"


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    sentence = refused(tmp_path, folder=tmp_path / "gone")
    assert sentence == f"bot x cannot be started: No such file or directory: {tmp_path / 'gone'}"


def test_a_stderr_that_cannot_be_written(tmp_path: Path) -> None:
    sentence = refused(tmp_path, stderr=tmp_path)
    assert "no file for its stderr: Is a directory" in sentence


# --- without setpriv -----------------------------------------------------------------------


@pytest.fixture
def path_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """A path on which `setpriv` is this script, or is not."""
    folder = tmp_path / "bin"
    folder.mkdir()

    def use(script: str) -> None:
        if script:
            (folder / "setpriv").write_text(f"#!/bin/sh\n{script}\n")
            (folder / "setpriv").chmod(0o755)
        (folder / "true").symlink_to("/bin/true")
        monkeypatch.setenv("PATH", str(folder))
        starting.death_launcher.cache_clear()

    yield use
    starting.death_launcher.cache_clear()


@pytest.mark.parametrize("script", ["", "echo unrecognized option >&2; exit 1"])
def test_a_bot_starts_where_there_is_no_setpriv_or_an_old_one(
    start: Start, path_with: Callable[[str], None], script: str
) -> None:
    path_with(script)
    process = start("tells-of-itself")
    pid, *_, files, _ = ast.literal_eval(heard(process).decode())
    assert (pid, files) == (process.pid, [0, 1, 2])
    assert starting.death_launcher() == ()


def test_a_bot_works_on_a_system_without_pidfd(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(pid: int) -> int:
        raise OSError

    monkeypatch.setattr(os, "pidfd_open", refuses)
    process = start("answers-and-exits")
    assert [heard(process), heard(process)] == [b"one", b"two"]
    assert missed(process) == Fault("crash", "ended with exit status 5")
    start("echo").stop(b"quit\n")


def test_a_bot_is_killed_by_a_signal_that_it_cannot_ignore(start: Start) -> None:
    process = start("echo")
    os.kill(process.pid, signal.SIGKILL)
    assert missed(process) == Fault("crash", "was ended by SIGKILL")
