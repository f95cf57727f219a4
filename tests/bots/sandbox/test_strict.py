"""What a bot in the strict sandbox cannot do; in each test a bot tries it."""

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
from referee.bots.sandbox.limits import DEFAULT_LIMITS
from referee.bots.sandbox.seccomp import is_known
from support.sandboxed import BOTS, SMALL, attempt, trying

pytestmark = pytest.mark.usefixtures("strict")

Tries = Callable[..., Any]
filtered = pytest.mark.skipif(not is_known(), reason="there is no filter for this architecture")
GONE = "refused: No such file or directory"
NOT_ITS_OWN = "refused: Permission denied"
READ_ONLY = "refused: Read-only file system"


# --- reading -------------------------------------------------------------------------------


def test_it_reads_its_own_folder(tries: Tries, tmp_path: Path) -> None:
    assert tries("reads", BOTS / "tries.py").startswith('"""A bot that tries')


def test_it_cannot_read_other_files_of_this_user(tries: Tries, tmp_path: Path) -> None:
    """Such as the records, the store and the folders of other bots."""
    secret = tmp_path / "game.jsonl"
    secret.write_text("the seed")
    assert tries("reads", secret) == GONE
    assert tries("reads", tmp_path) == GONE
    assert tries("reads", BOTS.parent) == ["bots"]
    assert tries("reads", BOTS) == ["tries.py"]


def test_it_cannot_read_another_bundled_bot(tries: Tries) -> None:
    assert tries("reads", BUNDLED / "random" / "bot.py") == GONE


def test_it_cannot_read_files_that_only_root_can_read(tries: Tries) -> None:
    assert tries("reads", "/etc/shadow") == GONE


def test_its_environment_has_nothing_of_ours(tries: Tries, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_it_cannot_write_outside_its_scratch(tries: Tries, folder: str | Path) -> None:
    """If the project itself is in /tmp, the folders above the bot are scratch."""
    results = tries("writes", Path(folder, "note.txt")), tries("creates", folder)
    is_scratch = Path(folder).is_relative_to(bubblewrap.SCRATCH)
    assert is_scratch or set(results) <= {READ_ONLY, NOT_ITS_OWN}
    assert not Path(folder, "note.txt").exists()
    assert not Path(folder, "made-by-a-bot").exists()


@pytest.mark.parametrize("folder", ["/tmp", "/dev/shm"])
def test_scratch_is_private_and_temporary(tries: Tries, tmp_path: Path, folder: str) -> None:
    name = f"scratch-{secrets.token_hex(8)}"
    assert tries("writes", f"{folder}/{name}") == 8
    assert not Path(folder, name).exists()
    assert tries("reads", f"{folder}/{name}") == GONE


def test_scratch_has_a_limit_for_all_files_together(tries: Tries) -> None:
    assert 4 <= tries("fills", "/tmp", limits=SMALL) <= 8


def test_shared_memory_counts_as_scratch(tries: Tries) -> None:
    assert 4 <= tries("fills", "/dev/shm", limits=SMALL) <= 8


@pytest.mark.parametrize("folder", ["/tmp", "/dev/shm"])
@pytest.mark.parametrize("kind", ["files", "folders", "links"])
def test_the_number_of_files_in_scratch_is_limited(tries: Tries, folder: str, kind: str) -> None:
    """An empty file needs no scratch space, but memory of the kernel."""
    assert tries("makes_files", folder, kind, limits=SMALL) == [200, "No space left on device"]


def test_empty_files_cost_the_kernel_little_memory(tries: Tries) -> None:
    """334,000 of them took more than 300 MiB."""
    before = kernel_mib()
    made, error = tries("makes_files", "/tmp", "files")
    assert (made, error) == (DEFAULT_LIMITS.scratch_files, "No space left on device")
    assert kernel_mib() - before < 100


def kernel_mib() -> float:
    words = Path("/proc/meminfo").read_text().replace(":", "").split()
    return int(words[words.index("Slab") + 1]) / 1024


def test_no_other_place_has_room_for_files(tries: Tries) -> None:
    """All that is mounted, except for scratch, is read-only or takes no files."""
    mounts = [line.split() for line in tries("reads", "/proc/mounts").splitlines()]
    writable = {where for _, where, kind, options, *_ in mounts if "rw" in options.split(",")}
    assert writable == {"/tmp", "/proc", "/dev/null", "/dev/urandom"}
    assert tries("creates", "/proc").startswith("refused: ")


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
def test_it_gets_no_socket_of_a_family_without_namespaces(tries: Tries, family: int) -> None:
    """With AF_VSOCK a virtual machine reaches its host without any network."""
    assert tries("opens_socket", family).startswith("refused: Address family not supported")


@pytest.mark.parametrize("family", [socket.AF_UNIX, socket.AF_INET])
def test_it_gets_sockets_for_its_own_processes(tries: Tries, family: int) -> None:
    assert tries("opens_socket", int(family)) == int(family)


@filtered
def test_it_cannot_bypass_the_filter_with_io_uring(tries: Tries) -> None:
    assert tries("makes_ring") == "refused: Function not implemented"


def test_it_has_only_its_own_loopback_interface(tries: Tries) -> None:
    assert tries("interfaces") == ["lo"]


# --- other processes -----------------------------------------------------------------------


def test_it_sees_only_its_own_processes(tries: Tries) -> None:
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
    """They have no process ids inside, so we try those that they have outside."""
    other = BotProcess(trying(), tmp_path / "other.txt")
    try:
        attempt(other, "itself")
        other.cpu_ms()
        for pid in (os.getpid(), other.pid, other._bot_pid):
            assert tries(what, pid).startswith("refused: No such")
    finally:
        other.kill()


def test_visible_commands_name_no_file_of_the_machine(tries: Tries, tmp_path: Path) -> None:
    """The options of bubblewrap can be read inside; they name only what is there anyway."""
    assert not any(str(tmp_path) in command for command in tries("processes"))


@pytest.mark.parametrize("kind", ["ipc", "mnt", "net", "pid", "uts"])
def test_it_shares_no_namespace_with_us(tries: Tries, kind: str) -> None:
    """So it has its own message queues, host name and so on."""
    assert tries("namespaces")[kind] != str(Path(f"/proc/self/ns/{kind}").readlink())


@pytest.mark.parametrize("way", ["makes_namespace", "clones_into_namespace"])
def test_it_cannot_make_a_namespace(tries: Tries, way: str) -> None:
    assert tries(way).startswith("refused: ")


@filtered
def test_it_cannot_read_the_keyring_of_the_organiser(tries: Tries) -> None:
    assert tries("reads_keys") == "refused: Operation not permitted"


# --- using too much ------------------------------------------------------------------------


def test_memory_is_limited(tries: Tries) -> None:
    assert 16 < tries("takes_memory", "its own", limits=SMALL) <= 64


@filtered
@pytest.mark.parametrize("way", ["shared", "a stack"])
def test_it_cannot_map_memory_that_is_not_counted(tries: Tries, way: str) -> None:
    assert tries("takes_memory", way, limits=SMALL) == 0


@filtered
@pytest.mark.parametrize("way", ["memfd_create", "memfd_secret", "shmget", "semget", "msgget"])
def test_it_cannot_make_memory_that_is_not_counted(tries: Tries, way: str) -> None:
    assert tries("makes_memory", way) == "refused: Function not implemented"


def test_no_device_gives_unlimited_memory(tries: Tries) -> None:
    """Shared mappings of /dev/zero are not counted, so it is missing."""
    assert tries("reads", "/dev") == ["fd", "null", "random", "shm", "urandom"]


def test_processes_are_limited(tries: Tries) -> None:
    assert 8 <= tries("forks", limits=SMALL) < 16


def test_processes_are_counted_for_each_bot_alone(tries: Tries) -> None:
    assert tries("forks", limits=SMALL) == tries("forks", limits=SMALL)


def test_open_files_are_limited(tries: Tries) -> None:
    assert 50 < tries("opens", limits=SMALL) <= 64


def test_a_file_at_its_limit_is_an_error_and_does_not_kill(tries: Tries) -> None:
    size, error = tries("grows", "/tmp/large", limits=SMALL)
    assert (size, error) == (SMALL.file_size, "File too large")


def test_a_daemon_ends_with_its_bot(tmp_path: Path) -> None:
    process = BotProcess(trying(), tmp_path / "stderr.txt")
    attempt(process, "leaves_daemon")
    process.cpu_ms()
    first = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()[0]
    inside = Path(f"/proc/{first}/task/{first}/children").read_text().split()
    assert len(inside) == 2  # the bot and its daemon, which is now a child of the first process
    process.kill()
    assert not any(Path(f"/proc/{pid}").exists() for pid in inside)
