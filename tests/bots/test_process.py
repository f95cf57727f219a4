"""One bot process: its session, its pipes, deadlines, stderr and its end."""

from __future__ import annotations

import ast
import fcntl
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

SOON = 60  # seconds; enough on any machine
Start = Callable[..., BotProcess]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start one of the small programs; it is killed after the test."""
    started: list[BotProcess] = []

    def begin(kind: str, core: int | None = None) -> BotProcess:
        bot = Bot(kind, python("small_programs.py", kind), BAD_BOTS, "")
        started.append(BotProcess(bot, tmp_path / f"{len(started)}.txt", core))
        return started[-1]

    yield begin
    for process in started:
        process.kill()
    assert left_running() == []


def soon(seconds: float = SOON) -> int:
    return monotonic_ns() + int(seconds * 1e9)


def receive(process: BotProcess) -> bytes:
    message = process.hear(soon())
    assert isinstance(message, bytes)
    return message


def receive_fault(process: BotProcess, seconds: float = SOON) -> Fault:
    fault = process.hear(soon(seconds))
    assert isinstance(fault, Fault)
    return fault


# --- a process of its own -----------------------------------------------------


def test_a_bot_leads_its_own_session(start: Start) -> None:
    process = start("describes-itself")
    pid, group, session, *_ = ast.literal_eval(receive(process).decode())
    assert process.pid == pid == group == session != os.getsid(0)


def test_a_bot_inherits_only_its_three_standard_files(start: Start) -> None:
    start("echo")
    start("echo")
    _, _, _, files, _ = ast.literal_eval(receive(start("describes-itself")).decode())
    assert files == [0, 1, 2]


def test_a_bot_starts_in_its_folder(start: Start) -> None:
    *_, folder = ast.literal_eval(receive(start("describes-itself")).decode())
    assert Path(folder) == BAD_BOTS


def test_no_descriptor_of_a_bot_stays_open(start: Start) -> None:
    start("echo").kill()  # after this, what is opened only once is open
    before = descriptors()
    for kind in ("echo", "answers-and-exits", "closes-its-input", "writes-forever"):
        process = start(kind)
        process.say(b"x" * 200_000)
        process.hear(soon(0.05))
        process.kill()
    assert descriptors() == before


def test_a_bot_can_be_pinned_to_a_core_without_us(start: Start) -> None:
    ours = os.sched_getaffinity(0)
    core = max(ours)
    process = start("echo", core)
    assert os.sched_getaffinity(process.pid) == {core}
    assert os.sched_getaffinity(0) == ours


# --- sending ------------------------------------------------------------------------------


def test_a_message_larger_than_the_pipe_arrives_whole(start: Start) -> None:
    process = start("echo")
    line = b"0123456789" * 90_000
    process.say(line + b"\n")
    assert receive(process) == line


def test_waiting_messages_are_sent_in_order(start: Start) -> None:
    process = start("echo")
    lines = [b"%d" % number * 30_000 for number in range(8)]
    for line in lines:
        process.say(line + b"\n")
    assert [receive(process) for _ in lines] == lines


def test_a_message_to_a_full_pipe_is_sent_later(start: Start) -> None:
    process = start("echo")
    os.kill(process.pid, signal.SIGSTOP)
    size = fcntl.fcntl(process._stdin, fcntl.F_GETPIPE_SZ)
    process.say(b"x" * (size - 1) + b"\n")
    process.say(b"later\n")
    os.kill(process.pid, signal.SIGCONT)
    assert [receive(process), receive(process)] == [b"x" * (size - 1), b"later"]


def test_sending_never_waits_for_a_bot_that_does_not_read(start: Start) -> None:
    process = start("writes-half-a-line")
    for _ in range(50):
        process.say(b"x" * 100_000)
    assert receive_fault(process, 0.01).fault == "timeout"


def test_a_message_to_a_closed_input_is_a_crash(start: Start) -> None:
    process = start("closes-its-input")
    assert receive(process) == b"closed"
    process.say(b"x" * 200_000)
    assert receive_fault(process) == Fault("crash", "closed its standard input")
    process.say(b"once more")
    assert receive_fault(process) == Fault("crash", "closed its standard input")


def test_an_input_that_the_bot_has_closed_can_be_closed_again(start: Start) -> None:
    process = start("closes-its-input")
    assert receive(process) == b"closed"
    process.say(b"x")
    assert receive_fault(process) == Fault("crash", "closed its standard input")
    process.close_input()
    assert process.input_closed


@pytest.mark.parametrize("wait_s", [0, 0.2])
def test_messages_of_a_bot_that_stopped_reading_are_received(start: Start, wait_s: float) -> None:
    """Whether it exits before we send, or while we do."""
    process = start("answers-and-exits")
    time.sleep(wait_s)
    process.say(b"x" * 500_000)
    assert [receive(process), receive(process)] == [b"one", b"two"]
    assert receive_fault(process) == Fault("crash", "ended with exit status 5")


# --- receiving -------------------------------------------------------------------------------


def test_messages_sent_before_an_exit_are_received(start: Start) -> None:
    process = start("answers-and-exits")
    assert [receive(process), receive(process)] == [b"one", b"two"]
    assert receive_fault(process) == Fault("crash", "ended with exit status 5")


def test_a_crash_is_reported_each_time(start: Start) -> None:
    process = start("burns")
    assert [receive_fault(process).message for _ in range(3)] == ["ended with exit status 0"] * 3


def test_without_a_deadline_hear_waits(start: Start) -> None:
    process = start("echo")
    process.say(b"hello\n")
    assert process.hear(None) == b"hello"


def test_a_deadline_in_the_past_is_a_timeout(start: Start) -> None:
    assert start("writes-half-a-line").hear(monotonic_ns() - 1) == Fault(
        "timeout", "gave no answer in time"
    )


def test_half_a_line_is_not_a_message(start: Start) -> None:
    assert receive_fault(start("writes-half-a-line"), 0.1).fault == "timeout"


def test_a_message_already_received_needs_no_time(start: Start) -> None:
    process = start("answers-and-exits")
    assert receive(process) == b"one"
    while process._splitter._at == len(process._splitter._buffer):
        process._wait(soon())
    assert process.hear(monotonic_ns() - 1) == b"two"


def test_an_exited_bot_stays_a_zombie_until_it_is_killed(start: Start) -> None:
    process = start("burns")
    receive_fault(process)
    assert Path(f"/proc/{process.pid}/stat").read_text().split(") ")[1][0] == "Z"
    process.kill()
    assert not Path(f"/proc/{process.pid}").exists()


# --- stderr --------------------------------------------------------------------------------


def test_an_excerpt_of_stderr_has_its_beginning_and_its_end(start: Start) -> None:
    process = start("writes-to-stderr")
    receive(process)
    first, left_out, last = process.stderr_excerpt().splitlines()
    assert (first, left_out) == (b"x" * 1000, b"[... 1,007 bytes left out ...]")
    assert last.endswith(b"xxthe end")


def test_an_excerpt_of_stderr_is_of_this_game_only(start: Start) -> None:
    process = start("repeats-on-stderr")
    games: list[bytes] = []
    for number in range(3):
        process.begin_game(is_first=number == 0)
        process.say(b"game %d\n" % number)
        receive(process)
        games.append(process.stderr_excerpt())
    assert games == [b"started\ngame 0\n", b"game 1\n", b"game 2\n"]


def test_an_excerpt_of_stderr_is_not_of_an_earlier_process(tmp_path: Path, start: Start) -> None:
    (tmp_path / "0.txt").write_text("of another process\n")
    process = start("hides-its-stderr")
    receive(process)
    assert process.stderr_excerpt() == b"before"


def test_stderr_is_limited_and_can_be_trimmed(start: Start) -> None:
    process = start("floods-stderr")
    process.say(b"begin\n")
    assert receive(process) == b"File too large"
    assert process.stderr.stat().st_size == MOST_STDERR
    process.begin_game(is_first=False)
    assert process.stderr.stat().st_size == 0
    process.say(b"again\n")
    assert receive(process) == b"File too large"
    assert process.stderr.stat().st_size == MOST_STDERR


def test_stderr_below_half_of_the_limit_is_not_trimmed(start: Start) -> None:
    process = start("writes-to-stderr")
    receive(process)
    process.begin_game(is_first=False)
    assert process.stderr.stat().st_size == 5007


def test_stderr_is_read_even_if_the_bot_replaces_its_file(start: Start) -> None:
    process = start("hides-its-stderr")
    receive(process)
    assert process.stderr_excerpt() == b"before"


# --- CPU -----------------------------------------------------------------------------------


def test_cpu_time_is_that_of_the_bot(start: Start) -> None:
    process = start("spins")
    receive(process)
    before = process.cpu_ms()
    while process.cpu_ms() < before + 20:
        time.sleep(0.001)


def test_cpu_time_of_an_exited_bot_does_not_decrease(start: Start) -> None:
    process = start("burns")
    receive_fault(process)
    used = process.cpu_ms()
    process.kill()
    assert process.cpu_ms() == used >= 0


def test_the_wait_for_a_core_is_a_number(start: Start) -> None:
    assert start("spins").core_wait_ms() >= 0


# --- the end -------------------------------------------------------------------------------


@pytest.fixture
def much_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot may take as long as it needs to exit."""
    monkeypatch.setattr(module, "GRACE_NS", SOON * 10**9)


@pytest.mark.usefixtures("much_time")
def test_a_polite_bot_exits_at_the_end_of_its_input(start: Start) -> None:
    process = start("exits-politely")
    process.stop(b"quit\n")
    assert process.stderr.read_bytes() == b"bye\n"


@pytest.mark.usefixtures("much_time")
def test_a_bot_gets_all_messages_before_its_input_ends(start: Start) -> None:
    process = start("counts-its-input")
    process.say(b"x" * 300_000)
    process.stop(b"quit\n")
    assert process.stderr.read_bytes() == b"300005"


@pytest.mark.parametrize(
    "kind", ["writes-half-a-line", "writes-forever", "closes-its-input", "spins"]
)
def test_a_bot_that_does_not_exit_is_killed(
    start: Start, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "GRACE_NS", 20_000_000)
    process = start(kind)
    process.say(b"x" * 200_000)
    process.stop(b"quit\n")
    assert not Path(f"/proc/{process.pid}").exists()


def test_a_bot_has_half_a_second_to_exit(start: Start) -> None:
    process = start("spins")
    receive(process)
    begun = time.monotonic()
    process.stop(b"quit\n")
    assert time.monotonic() - begun >= 0.5


@pytest.mark.usefixtures("much_time")
def test_stopping_an_exited_bot_takes_no_time(start: Start) -> None:
    process = start("burns")
    receive_fault(process)
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
echo = Bot("echo", (sys.executable, "-I", "-S", sys.argv[2], "spins"), Path.cwd(), "")
bot = process.BotProcess(echo, Path(sys.argv[3]))
bot.hear(None)
print(bot.pid, flush=True)
time.sleep(3600)
"""


@pytest.mark.parametrize("setpriv", ["with", "without"])
def test_a_bot_dies_with_a_killed_referee(setpriv: str, tmp_path: Path) -> None:
    words = [setpriv, str(BAD_BOTS / "small_programs.py"), str(tmp_path / "stderr.txt")]
    with subprocess.Popen([sys.executable, "-c", PARENT, *words], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        bot = int(parent.stdout.readline())
        parent.kill()
    give_up = time.monotonic() + SOON
    while _runs(bot) and time.monotonic() < give_up:
        time.sleep(0.002)
    assert not _runs(bot)


def _runs(pid: int) -> bool:
    """Whether the process exists; if it is our zombie child, reap it."""
    process = Path(f"/proc/{pid}")
    if process.exists():
        with suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
    return process.exists()


# --- errors at the start ----------------------------------------------------------------


def refused(tmp_path: Path, **parts: object) -> str:
    words: dict[str, object] = {"name": "x", "command": ("cat",), "folder": tmp_path, "content": ""}
    stderr = parts.pop("stderr", tmp_path / "stderr.txt")
    assert isinstance(stderr, Path)
    before = descriptors()
    with pytest.raises(BotRefused) as error:
        BotProcess(Bot(**{**words, **parts}), stderr)  # type: ignore[arg-type]
    assert descriptors() == before
    return str(error.value)


def test_a_missing_program_is_refused(tmp_path: Path) -> None:
    sentence = refused(tmp_path, command=("no-such-program",))
    assert sentence == "bot x cannot be started: there is no program 'no-such-program' on the path"


def test_a_program_that_is_not_executable_is_refused(tmp_path: Path) -> None:
    program = tmp_path / "bot"
    program.touch(0o644)
    assert "is not executable: use chmod +x" in refused(tmp_path, command=(str(program),))
    program.unlink()
    assert f"there is no program {str(program)!r}" in refused(tmp_path, command=(str(program),))


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    sentence = refused(tmp_path, folder=tmp_path / "gone")
    assert sentence == f"bot x cannot be started: No such file or directory: {tmp_path / 'gone'}"


def test_a_stderr_file_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    sentence = refused(tmp_path, stderr=tmp_path)
    assert "for its stderr: Is a directory" in sentence


# --- without setpriv -----------------------------------------------------------------------


@pytest.fixture
def path_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Set a PATH on which `setpriv` is this script; an empty script means no setpriv."""
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
def test_a_bot_starts_without_setpriv_and_with_an_old_one(
    start: Start, path_with: Callable[[str], None], script: str
) -> None:
    path_with(script)
    process = start("describes-itself")
    pid, *_, files, _ = ast.literal_eval(receive(process).decode())
    assert (pid, files) == (process.pid, [0, 1, 2])
    assert starting.death_launcher() == ()


def test_a_bot_works_on_a_system_without_pidfd(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(*_: int) -> int:
        raise OSError

    monkeypatch.setattr(os, "pidfd_open", refuses)
    process = start("answers-and-exits")
    assert [receive(process), receive(process)] == [b"one", b"two"]
    assert receive_fault(process) == Fault("crash", "ended with exit status 5")
    process = start("echo")
    assert process.exit_status(0.0) is None
    process.stop(b"quit\n")


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (5, "ended with exit status 5"),
        (139, "ended with exit status 139, as after SIGSEGV"),
        (255, "ended with exit status 255"),
    ],
)
def test_an_exit_status_of_bubblewrap_may_stand_for_a_signal(
    start: Start, status: int, message: str
) -> None:
    """Where the kernel does not say how the bot inside ended."""
    process = start("ends-as-asked")
    assert receive(process) == b"waiting"
    process._is_wrapped = True
    process.say(b"exit %d\n" % status)
    assert receive_fault(process) == Fault("crash", message)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has pidfds")
def test_the_kernel_says_how_the_bot_inside_bubblewrap_ended(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = start("ends-as-asked")
    assert receive(process) == b"waiting"
    process._is_wrapped, process._bot_ended = True, os.dup(process._stdout)
    monkeypatch.setattr(module, "exit_code_of", lambda _: -signal.SIGSEGV)
    process.say(b"exit 139\n")
    assert receive_fault(process) == Fault("crash", "was ended by SIGSEGV")


def test_a_bot_is_killed_by_a_signal_that_it_cannot_ignore(start: Start) -> None:
    process = start("echo")
    os.kill(process.pid, signal.SIGKILL)
    assert receive_fault(process) == Fault("crash", "was ended by SIGKILL")
    process.kill()
    assert process.core_wait_ms() == 0.0
