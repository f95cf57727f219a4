"""A process inside bubblewrap: its CPU time, its exit and its folder are those of the bot."""

from __future__ import annotations

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
from referee.bots import process as module
from referee.bots.find import Bot
from referee.bots.process import BotProcess, monotonic_ns
from referee.bots.sandbox import bubblewrap
from support.groups import together
from support.match_setup import descriptors, left_running, python
from support.paths import BAD_BOTS

pytestmark = pytest.mark.usefixtures("strict")

SOON_S = 100
Start = Callable[[str], BotProcess]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start one of the small programs; it is killed after the test."""
    started: list[BotProcess] = []

    def begin(kind: str) -> BotProcess:
        bot = Bot(kind, python("small_programs.py", kind), BAD_BOTS, "", level="strict")
        started.append(BotProcess(bot, tmp_path / f"{len(started)}.txt"))
        return started[-1]

    yield begin
    for process in started:
        process.kill()
    assert left_running() == []


def hear(process: BotProcess) -> bytes | Fault:
    return process.hear(monotonic_ns() + SOON_S * 10**9)


def test_cpu_time_is_that_of_the_bot(start: Start) -> None:
    process = start("spins")
    hear(process)
    before = process.cpu_ms()
    give_up = time.monotonic() + SOON_S
    while process.cpu_ms() < before + 20 and time.monotonic() < give_up:
        time.sleep(0.001)
    assert process.cpu_ms() >= before + 20
    assert process._bot_pid != process.pid


def test_the_wait_for_a_core_is_that_of_the_bot(start: Start) -> None:
    process = start("spins")
    hear(process)
    process.cpu_ms()
    command = Path(f"/proc/{process._bot_pid}/cmdline").read_bytes()
    assert b"small_programs.py" in command
    assert b"bwrap" not in command
    assert process.core_wait_ms() >= 0


def test_cpu_time_of_a_missing_process_is_not_an_error(start: Start) -> None:
    process = start("burns")
    process.exit_status(SOON_S)
    assert process.cpu_ms() >= 0


def test_an_exit_status_is_that_of_the_bot(start: Start) -> None:
    process = start("answers-and-exits")
    assert [hear(process), hear(process)] == [b"one", b"two"]
    assert process.exit_status(SOON_S) == 5
    assert hear(process) == Fault("crash", "ended with exit status 5")


def test_a_signal_that_ends_the_bot_is_named(start: Start) -> None:
    process = start("spins")
    hear(process)
    process.cpu_ms()
    os.kill(process._bot_pid, 11)
    assert process.exit_status(SOON_S) == -11
    assert hear(process) == Fault("crash", "was ended by SIGSEGV")


@together("status", [0, 1, 126, 127, 128, 129, 137, 192, 193, 254, 255])
def test_no_exit_status_is_mistaken_for_a_signal(start: Start, status: int) -> None:
    process = start("ends-as-asked")
    assert hear(process) == b"waiting"
    process.greeted("json")
    process.say(b"exit %d\n" % status)
    assert hear(process) == Fault("crash", f"ended with exit status {status}")


@pytest.mark.parametrize("name", ["SIGHUP", "SIGABRT", "SIGKILL", "SIGSEGV", "SIGTERM"])
def test_no_signal_is_mistaken_for_an_exit_status(start: Start, name: str) -> None:
    process = start("ends-as-asked")
    assert hear(process) == b"waiting"
    process.greeted("json")
    process.say(b"signal %d\n" % signal.Signals[name])
    assert hear(process) == Fault("crash", f"was ended by {name}")


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(
    ("order", "message"),
    [
        (b"exit 200\n", "ended with exit status 200"),
        (b"exit 139\n", "ended with exit status 139, as after SIGSEGV"),
        (b"signal 11\n", "ended with exit status 139, as after SIGSEGV"),
    ],
)
def test_where_the_kernel_does_not_say_it_both_are_named(
    start: Start, monkeypatch: pytest.MonkeyPatch, order: bytes, message: str
) -> None:
    monkeypatch.setattr(module, "exit_code_of", lambda _: None)
    process = start("ends-as-asked")
    assert hear(process) == b"waiting"
    process.greeted("json")
    process.say(order)
    assert hear(process) == Fault("crash", message)


def test_it_exits_at_the_end_of_its_input(start: Start) -> None:
    process = start("exits-politely")
    process.stop(b"quit\n")
    assert process.stderr.read_bytes() == b"bye\n"


def test_its_stderr_is_a_file_of_its_own(start: Start) -> None:
    process = start("writes-to-stderr")
    assert hear(process) == b"done"
    assert process.stderr_excerpt().endswith(b"xxthe end")


def test_no_descriptor_stays_open(start: Start) -> None:
    start("echo").kill()
    before = descriptors()
    process = start("echo")
    process.say(b"hello\n")
    hear(process)
    process.kill()
    assert descriptors() == before


PARENT = """
import sys, time
from pathlib import Path
from referee.bots.find import Bot
from referee.bots.process import BotProcess
command = (sys.executable, "-I", "-S", sys.argv[1], "spins")
bot = BotProcess(Bot("spins", command, Path.cwd(), "", level="strict"), Path(sys.argv[2]))
bot.hear(None)
bot.cpu_ms()
print(bot.pid, bot._bot_pid, flush=True)
time.sleep(3600)
"""


def test_it_dies_with_a_killed_referee(tmp_path: Path) -> None:
    words = [
        sys.executable,
        "-c",
        PARENT,
        str(BAD_BOTS / "small_programs.py"),
        str(tmp_path / "err.txt"),
    ]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        pids = [int(word) for word in parent.stdout.readline().split()]
        parent.kill()
    give_up = time.monotonic() + SOON_S
    while any(map(_runs, pids)) and time.monotonic() < give_up:
        time.sleep(0.002)
    assert not any(map(_runs, pids))
    while True:
        with suppress(ChildProcessError):
            os.waitpid(-1, 0)
            continue
        break


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def can_all_read(path: Path) -> bool:
    """Whether every user can read the folders that lead to a file."""
    return all(folder.stat().st_mode & 0o005 == 0o005 for folder in path.parents)


def test_without_root_the_bot_gets_a_user_namespace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run as a user without rights; only root can become one."""
    monkeypatch.setattr(bubblewrap, "is_root", lambda: False)
    bot = Bot("who", ("/bin/sh", "-c", "id -u; unshare -U true"), BAD_BOTS, "")
    if not all(can_all_read(path) for path in [BAD_BOTS, *bubblewrap.readable(bot)]):
        pytest.skip("other users cannot read these tests or the referee")
    words = bubblewrap.wrap(bot, bubblewrap.new_user(), [])
    assert "setpriv" not in "".join(words)
    without_rights = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    before = without_rights if os.geteuid() == 0 else []
    done = subprocess.run(
        [*before, *words], env=bubblewrap.environment(bot), capture_output=True, check=False
    )
    uid = "65534" if os.geteuid() == 0 else str(os.geteuid())
    assert done.stdout.decode() == f"{uid}\n"
    assert b"unshare failed" in done.stderr


AS_ANOTHER_USER = """
import os, sys, tempfile
from pathlib import Path
from referee.bots.find import Bot
from referee.bots.launch import start
from referee.bots.sandbox.limits import Limits
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
folder = Path(sys.argv[1])
script = "cd /tmp; n=0; while echo -n > $n; do n=$((n + 1)); done 2>/dev/null; echo $n"
bot = Bot("makes", ("/bin/sh", "-c", script), folder, "", level="strict", limits=Limits(scratch_files=50))
with tempfile.TemporaryFile() as log:
    started = start(bot, log.fileno(), None)
    print(started.child.communicate()[0].decode())
"""


def test_without_root_the_number_of_files_is_limited_too() -> None:
    paths = (BAD_BOTS, Path(sys.executable), Path(bubblewrap.__file__))
    if not all(can_all_read(path) for path in paths):
        pytest.skip("other users cannot read these tests or the referee")
    words = [sys.executable, "-c", AS_ANOTHER_USER, str(BAD_BOTS)]
    done = subprocess.run(words, capture_output=True, check=False)
    assert done.stdout.split() == [b"50"], done.stderr
