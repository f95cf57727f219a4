"""What the build of a bot in the strict sandbox can do, and what it cannot; each build tries it."""

from __future__ import annotations

import os
import shlex
import shutil
import socket
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.bots.build import build_bot
from referee.bots.content import STAMP
from referee.bots.find import find_bot
from referee.bots.sandbox import limits as limits_module
from referee.bots.sandbox.levels import put_in_sandbox
from referee.bots.sandbox.limits import Limits
from referee.errors import BotRefused
from referee.tournament.opening import bot_job
from referee.tournament.workers import bundle
from referee.tournament.workers.messages import Conditions, Job
from support.match_setup import left_running
from support.sandboxed import SMALL

pytestmark = pytest.mark.usefixtures("strict")

RunBuild = Callable[..., str]


@pytest.fixture
def run_build(tmp_path: Path) -> RunBuild:
    """Build a bot in the strict sandbox; return what its script writes to `made`."""
    folder = tmp_path / "mine"
    folder.mkdir()

    def run(script: str, program: str = "sh", hidden: Sequence[Path] = (), **words: Any) -> str:
        toml = f'name = "mine"\ncommand = "./made"\nbuild = ["{program}", "make"]\n'
        (folder / "bot.toml").write_text(toml)
        (folder / "make").write_text(textwrap.dedent(script))
        (bot,) = put_in_sandbox([find_bot(str(folder))], "strict").bots
        build_bot(replace(bot, **words), hidden=hidden)
        made = folder / "made"
        return made.read_text() if made.is_file() else ""

    return run


def refusal(run_build: RunBuild, script: str, **words: Any) -> str:
    with pytest.raises(BotRefused) as error:
        run_build(script, **words)
    return str(error.value)


# --- what it can do ------------------------------------------------------------------------


def test_it_writes_to_its_folder_and_to_its_home(run_build: RunBuild) -> None:
    script = "echo cached > $HOME/cache; mkdir -p sub; cp $HOME/cache sub/new; cat sub/new >> made"
    assert [run_build(script), run_build(script)] == ["cached\n"] * 2  # it is built once


def test_what_it_makes_does_not_change_the_hash(run_build: RunBuild, tmp_path: Path) -> None:
    script = "mkdir -p sub; echo > sub/new; echo > made"
    run_build(script)
    built = find_bot(str(tmp_path / "mine")).content
    assert (tmp_path / "mine" / STAMP).read_text() == f"{built}\nmade\nsub/new\n/\nmade\n"
    for path in (tmp_path / "mine" / STAMP, tmp_path / "mine" / "made", tmp_path / "mine/sub/new"):
        path.unlink()
    assert find_bot(str(tmp_path / "mine")).content == built


def test_what_it_makes_belongs_to_the_owner_of_the_folder(
    run_build: RunBuild, tmp_path: Path
) -> None:
    run_build("mkdir sub; echo > sub/new; ln sub/new sub/second; ln -s /usr sub/link; echo > made")
    owners = {path.lstat().st_uid for path in (tmp_path / "mine").rglob("*")}
    assert owners == {tmp_path.stat().st_uid}


def test_it_runs_a_compiler_that_is_on_the_path(
    run_build: RunBuild, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = tmp_path / "tools" / "bin" / "my-compiler"
    tool.parent.mkdir(parents=True)
    tool.write_text("#!/bin/sh\ncat ${0%/*}/../lib/text\n")
    tool.chmod(0o755)
    (tmp_path / "tools" / "lib").mkdir()
    (tmp_path / "tools" / "lib" / "text").write_text("compiled")
    monkeypatch.setenv("PATH", f"{tool.parent}{os.pathsep}.{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("GOROOT", str(tmp_path / "missing"))
    assert run_build("my-compiler > made") == "compiled"
    assert "my-compiler" in refusal(
        run_build, "my-compiler > made # 2", hidden=[tmp_path / "tools"]
    )


# --- what it cannot do ---------------------------------------------------------------------


def test_it_cannot_write_elsewhere(run_build: RunBuild, tmp_path: Path) -> None:
    places = ["..", "/", "/usr", "/etc", str(Path.home())]
    words = shlex.join(f"{place}/note.txt" for place in places)
    run_build(f"for place in {words}; do echo > $place && echo $place >> made; done; true")
    assert not any(Path(tmp_path, "mine", place, "note.txt").exists() for place in places)


def test_it_cannot_read_the_tournament_or_other_bots(run_build: RunBuild, tmp_path: Path) -> None:
    (tmp_path / "league").mkdir()
    (tmp_path / "league" / "store.db").write_text("the secret")
    (tmp_path / "yours").mkdir()
    made = run_build("cat ../league/store.db >> made; ls .. >> made; ls -d ~root/.* >> made; true")
    assert made.split() == ["mine"]


def test_its_environment_has_nothing_of_ours(
    run_build: RunBuild, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_SECRET", "5" * 32)
    monkeypatch.setenv("A_TOKEN", "5" * 32)
    assert "5" * 32 not in run_build("cat /proc/*/environ > made; env >> made")


CONNECT = """
    import socket
    with socket.create_connection(("127.0.0.1", {port}), timeout=5):
        open("made", "w").write("connected")
"""


def test_it_has_no_network_unless_it_asks_and_is_allowed(run_build: RunBuild) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        script = CONNECT.format(port=listener.getsockname()[1])
        said = refusal(run_build, script, program="python")
        assert said.endswith(
            "ConnectionRefusedError: [Errno 111] Connection refused\n"
            "A build in the strict sandbox has no network: if it needs one, write build_network = true"
            " in bot.toml and use --allow-build mine."
        )
        assert "refused" in refusal(run_build, script, program="python", allow_network=True)
        allowed = {"build_network": True, "allow_network": True}
        assert run_build(script, program="python", **allowed) == "connected"


def test_an_error_without_a_word_about_the_network_is_shown_as_it_is(run_build: RunBuild) -> None:
    said = refusal(run_build, "echo 'main.c:7: error'; exit 3")
    assert said == "bot mine cannot be built: sh make ended with exit status 3:\nmain.c:7: error"


def test_a_build_that_runs_forever_is_ended(run_build: RunBuild) -> None:
    said = refusal(run_build, "sleep 3600", limits=Limits(build_seconds=1))
    assert "took more than 1 second;" in said
    assert left_running() == []


def test_a_fork_bomb_meets_its_limit(run_build: RunBuild, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits_module, "BUILD_LIMITS", SMALL)
    bomb = """
        import os, signal
        count = 0
        try:
            while count < 100:
                if os.fork() == 0:
                    signal.pause()
                count += 1
        except OSError:
            open("made", "w").write(str(count))
    """
    assert 8 <= int(run_build(bomb, program="python", limits=SMALL)) < SMALL.processes
    assert left_running() == []


def test_scratch_is_limited(run_build: RunBuild, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits_module, "BUILD_LIMITS", SMALL)
    script = "n=0; while echo -n > $HOME/$n; do n=$((n + 1)); done; echo $n > made"
    assert run_build(script, limits=SMALL) == f"{SMALL.scratch_files}\n"


def test_a_daemon_ends_with_its_build(run_build: RunBuild) -> None:
    run_build("env -i setsid sleep 3600.25 > /dev/null 2>&1 &")
    assert not [path for path in Path("/proc").glob("[0-9]*/cmdline") if b"3600.25" in _read(path)]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_what_git_runs_for_the_organiser_cannot_be_changed(
    run_build: RunBuild, tmp_path: Path
) -> None:
    hooks = tmp_path / "mine" / ".git" / "hooks"
    hooks.mkdir(parents=True)
    run_build("echo evil > .git/hooks/post-checkout; rm -r .git; mv .git away; true")
    assert [path.name for path in (tmp_path / "mine" / ".git").rglob("*")] == ["hooks"]


def test_a_link_in_the_place_of_its_git_folder_shows_nothing(
    run_build: RunBuild, tmp_path: Path
) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key").write_text("private")
    (tmp_path / "mine" / ".git").symlink_to(tmp_path / "secret")
    assert run_build("cat .git/key > made; true") == ""


def test_another_machine_builds_in_the_same_sandbox(tmp_path: Path) -> None:
    """There the other bots are beside it, in the cache."""
    folder = tmp_path / "mine"
    folder.mkdir()
    toml = 'name = "mine"\ncommand = "./built"\nbuild = ["sh", "-c", "ls .. > built"]\nbuild_network = true\n'
    (folder / "bot.toml").write_text(toml)
    (bot,) = put_in_sandbox([find_bot(str(folder))], "strict", allow_build=["mine"]).bots
    job = Job((), (bot_job(bot),), Conditions(), None, "stderr")
    sent = bundle.encode(bundle.pack(job))
    shutil.rmtree(folder)
    (there,) = bundle.unpack(bundle.decode(sent), tmp_path / "cache").bots
    assert len(list((tmp_path / "cache").iterdir())) == 2
    assert Path(there.folder, "built").read_text().split() == [bot.content]


def test_without_permission_a_stranger_cannot_have_the_network(run_build: RunBuild) -> None:
    assert "--allow-build mine" in refusal(run_build, "true", build_network=True)
