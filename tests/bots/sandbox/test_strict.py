"""What a bot in the strict sandbox can never do, each promise by a bot that tries."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.bots.find import BUNDLED
from referee.bots.process import BotProcess
from referee.bots.sandbox import bubblewrap
from referee.bots.sandbox.seccomp import is_known
from support.sandboxed import BOTS, SMALL, attempt, trying

pytestmark = pytest.mark.usefixtures("strict")

Tries = Callable[..., Any]
filtered = pytest.mark.skipif(not is_known(), reason="there is no filter for this processor")
GONE = "refused: No such file or directory"
NOT_ITS_OWN = "refused: Permission denied"
READ_ONLY = "refused: Read-only file system"


# --- reading -------------------------------------------------------------------------------


def test_it_reads_its_own_folder(tries: Tries, tmp_path: Path) -> None:
    assert tries("reads", BOTS / "tries.py").startswith('"""A bot that tries')


def test_it_cannot_read_what_else_this_user_has(tries: Tries, tmp_path: Path) -> None:
    """The records, the store, another bot's folder: all of them are files beside its own."""
    secret = tmp_path / "game.jsonl"
    secret.write_text("the seed")
    assert tries("reads", secret) == GONE
    assert tries("reads", tmp_path) == GONE
    assert tries("reads", BOTS.parent) == ["bots"]
    assert tries("reads", BOTS) == ["tries.py"]


def test_it_cannot_read_another_bundled_bot(tries: Tries) -> None:
    assert tries("reads", BUNDLED / "random" / "bot.py") == GONE


def test_it_cannot_read_what_only_root_may(tries: Tries) -> None:
    assert tries("reads", "/etc/shadow") == GONE


def test_its_environment_says_nothing_of_ours(
    tries: Tries, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_SECRET", "of the organiser")
    found = tries("itself")["environment"]
    allowed = {"PATH", "HOME", "TMPDIR", "LANG", "USER", "PYTHONPATH", "PWD", "LC_CTYPE"}
    assert set(found) <= allowed
    assert (found["HOME"], found["TMPDIR"]) == ("/tmp", "/tmp")
    assert "of the organiser" not in tries("reads", "/proc/1/environ")  # of bubblewrap


def test_it_has_its_three_files_and_no_other(tries: Tries) -> None:
    assert tries("itself")["files"] == [0, 1, 2]


def test_it_is_never_root_and_cannot_become_it(tries: Tries) -> None:
    about = tries("itself")
    assert about["uid"] != 0
    assert 0 not in about["groups"]
    rights = {about["status"][f"Cap{kind}"].strip() for kind in ("Inh", "Prm", "Eff", "Amb")}
    assert rights == {"0" * 16}
    assert about["status"]["NoNewPrivs"].strip() == "1"
    assert tries("becomes", 0).startswith("refused: ")


# --- writing -------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", ["/", "/usr", "/etc", "/dev", BOTS, BOTS.parent])
def test_it_cannot_write_to(tries: Tries, folder: str | Path) -> None:
    """Where the project itself lies in /tmp, the folders around the bot are scratch."""
    came = tries("writes", Path(folder, "note.txt")), tries("creates", folder)
    is_scratch = Path(folder).is_relative_to(bubblewrap.SCRATCH)
    assert is_scratch or set(came) <= {READ_ONLY, NOT_ITS_OWN}
    assert not Path(folder, "note.txt").exists()
    assert not Path(folder, "made-by-a-bot").exists()


@pytest.mark.parametrize("folder", ["/tmp", "/dev/shm"])
def test_scratch_is_its_own_and_gone_afterwards(tries: Tries, tmp_path: Path, folder: str) -> None:
    name = f"scratch-{secrets.token_hex(8)}"
    assert tries("writes", f"{folder}/{name}") == 8
    assert not Path(folder, name).exists()
    assert tries("reads", f"{folder}/{name}") == GONE


def test_scratch_has_a_size_however_many_files_there_are(tries: Tries) -> None:
    assert 4 <= tries("fills", "/tmp", limits=SMALL) <= 8


def test_what_is_shared_by_memory_counts_as_scratch(tries: Tries) -> None:
    assert 4 <= tries("fills", "/dev/shm", limits=SMALL) <= 8


# --- the network ---------------------------------------------------------------------------


def test_it_cannot_reach_a_port_of_this_machine(tries: Tries) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        assert tries("connects", "127.0.0.1", port, level="limits") == "connected"
        assert tries("connects", "127.0.0.1", port) == "refused: Connection refused"


def test_it_cannot_reach_a_socket_without_a_file(tries: Tries) -> None:
    name = f"referee-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"\0{name}")
        listener.listen()
        assert tries("connects_locally", name, level="limits") == "connected"
        assert tries("connects_locally", name) == "refused: Connection refused"


@filtered
@pytest.mark.parametrize("family", [40, 38], ids=["vsock", "alg"])
def test_it_gets_no_socket_of_a_kind_that_all_namespaces_share(tries: Tries, family: int) -> None:
    """By AF_VSOCK a virtual machine reaches its host, and its own ports, past all networks."""
    assert tries("opens_socket", family).startswith("refused: Address family not supported")


@pytest.mark.parametrize("family", [socket.AF_UNIX, socket.AF_INET])
def test_it_gets_sockets_for_its_own_processes(tries: Tries, family: int) -> None:
    assert tries("opens_socket", int(family)) == int(family)


@filtered
def test_it_gets_no_ring_by_which_calls_go_past_the_filter(tries: Tries) -> None:
    assert tries("makes_ring") == "refused: Function not implemented"


def test_it_has_no_interface_but_its_own_loopback(tries: Tries) -> None:
    assert tries("interfaces") == ["lo"]


# --- other processes -----------------------------------------------------------------------


def test_it_sees_its_own_processes_only(tries: Tries) -> None:
    mine = f"sleep-{os.getpid()}"
    with subprocess.Popen([sys.executable, "-c", "input()", mine], stdin=subprocess.PIPE) as other:
        assert any(mine in command for command in tries("processes", level="limits"))
        seen = tries("processes")
        other.kill()
    assert not any(mine in command for command in seen)
    assert len(seen) <= 4


@pytest.mark.parametrize("what", ["signals", "traces", "reads_memory"])
def test_it_cannot_touch_the_referee_or_another_bot(
    tries: Tries, tmp_path: Path, what: str
) -> None:
    """They have no number inside; so we try the numbers that they have outside."""
    other = BotProcess(trying(), tmp_path / "other.txt")
    try:
        attempt(other, "itself")
        other.cpu_ms()
        for pid in (os.getpid(), other.pid, other._bot_pid):
            assert tries(what, pid).startswith("refused: No such")
    finally:
        other.kill()


def test_its_commands_say_nothing_of_the_machine(tries: Tries, tmp_path: Path) -> None:
    """What bubblewrap was told can be read inside, and names nothing but what is there anyway."""
    assert not any(str(tmp_path) in command for command in tries("processes"))


@pytest.mark.parametrize("kind", ["ipc", "mnt", "net", "pid", "uts"])
def test_it_shares_no_namespace_with_us(tries: Tries, kind: str) -> None:
    """Queues of messages, names of hosts: what else there is in them is not ours."""
    assert tries("namespaces")[kind] != str(Path(f"/proc/self/ns/{kind}").readlink())


@pytest.mark.parametrize("way", ["makes_namespace", "clones_into_namespace"])
def test_it_cannot_make_a_namespace_to_get_around_all_this(tries: Tries, way: str) -> None:
    assert tries(way).startswith("refused: ")


@filtered
def test_it_cannot_reach_the_keys_of_the_organiser(tries: Tries) -> None:
    assert tries("reads_keys") == "refused: Operation not permitted"


# --- using too much ------------------------------------------------------------------------


def test_it_gets_so_much_memory_and_no_more(tries: Tries) -> None:
    assert 16 < tries("takes_memory", "its own", limits=SMALL) <= 64


@filtered
@pytest.mark.parametrize("way", ["shared", "a stack"])
def test_it_gets_no_memory_that_is_not_counted(tries: Tries, way: str) -> None:
    assert tries("takes_memory", way, limits=SMALL) == 0


@filtered
@pytest.mark.parametrize("way", ["memfd_create", "memfd_secret", "shmget", "semget", "msgget"])
def test_it_makes_no_memory_that_is_not_counted(tries: Tries, way: str) -> None:
    assert tries("makes_memory", way) == "refused: Function not implemented"


def test_no_device_gives_unlimited_memory(tries: Tries) -> None:
    """What is shared of /dev/zero is counted for nobody."""
    assert tries("reads", "/dev") == ["fd", "null", "random", "shm", "urandom"]


def test_it_gets_so_many_processes_and_no_more(tries: Tries) -> None:
    assert 8 <= tries("forks", limits=SMALL) < 16


def test_processes_of_one_bot_are_not_counted_for_another(tries: Tries) -> None:
    assert tries("forks", limits=SMALL) == tries("forks", limits=SMALL)


def test_it_gets_so_many_open_files_and_no_more(tries: Tries) -> None:
    assert 50 < tries("opens", limits=SMALL) <= 64


def test_a_file_that_is_full_is_an_error_and_no_death(tries: Tries) -> None:
    size, error = tries("grows", "/tmp/large", limits=SMALL)
    assert (size, error) == (SMALL.file_size, "File too large")


def test_a_daemon_ends_with_its_bot(tmp_path: Path) -> None:
    process = BotProcess(trying(), tmp_path / "stderr.txt")
    attempt(process, "leaves_daemon")
    process.cpu_ms()
    first = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()[0]
    inside = Path(f"/proc/{first}/task/{first}/children").read_text().split()
    assert len(inside) == 2  # the bot, and its daemon, which is now a child of the first one there
    process.kill()
    assert not any(Path(f"/proc/{pid}").exists() for pid in inside)
