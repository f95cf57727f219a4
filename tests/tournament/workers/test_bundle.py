"""Job bundles: bots that are packed on one machine can be started on another, or are refused."""

from __future__ import annotations

import io
import shutil
import socket
import sys
import tarfile
from pathlib import Path

import msgspec
import pytest

from referee.bots.build import build_bot
from referee.bots.find import BUNDLED, find_bot
from referee.errors import BotRefused
from referee.tournament.opening import bot_job
from referee.tournament.workers import bundle
from referee.tournament.workers.bundle import JobBundle, decode, encode, pack, unpack
from referee.tournament.workers.messages import BotJob, Conditions, Job

BUILD = """build = ["python", "-c", "open('built', 'a').write('x')"]\n"""


def job(*words: str) -> Job:
    """A job with these bots, which are built."""
    bots = [find_bot(word) for word in words]
    for bot in bots:
        build_bot(bot)
    return Job((), tuple(map(bot_job, bots)), Conditions(), None, "stderr")


def send(job: Job) -> JobBundle:
    """The bundle as the other machine receives it."""
    return decode(encode(pack(job)))


def make_bot(folder: Path, more: str = "") -> Path:
    shutil.copytree(BUNDLED / "random", folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "bot.toml").write_text(f'name = "made"\ncommand = ["python", "bot.py"]\n{more}')
    return folder


def unpacked(bundle: JobBundle, cache: Path) -> BotJob:
    (bot,) = unpack(bundle, cache).bots
    return bot


def test_a_missing_folder_is_unpacked_to_the_cache(tmp_path: Path) -> None:
    bot = make_bot(tmp_path / "bot")
    (bot / "book").mkdir()
    (bot / "book" / "moves.txt").write_text("first")
    (bot / "run").write_text("#!/bin/sh\n")
    (bot / "run").chmod(0o755)
    (bot / ".secret").write_text("must not be sent")
    sent = send(job(f"mine={bot}"))
    shutil.rmtree(bot)
    found = unpacked(sent, tmp_path / "cache")
    folder = tmp_path / "cache" / found.content
    assert found.name == "mine"
    assert found.folder == str(folder)
    assert found.command == (sys.executable, "bot.py")
    assert "PYTHONPATH" in found.environment
    assert (folder / "book" / "moves.txt").read_text() == "first"
    assert (folder / "run").stat().st_mode & 0o111
    assert not (folder / ".secret").exists()
    assert find_bot(str(folder)).content == found.content


def test_variants_of_a_bot_share_its_folder_in_the_cache(tmp_path: Path) -> None:
    parameter = 'parameters = { post = { type = "int", default = 1, low = 1, high = 3 } }\n'
    bot = make_bot(tmp_path / "bot", parameter)
    sent = send(job(f"{bot} --set post=2", f"{bot} --set post=3", "merchant --set post=2"))
    shutil.rmtree(bot)
    two, three, bundled_bot = unpack(sent, tmp_path / "cache").bots
    assert (two.command[2:], three.command[2:]) == (("--set", "post=2"), ("--set", "post=3"))
    assert two.folder == three.folder
    assert (two.name, two.content) == ("made-post-2", f"{Path(two.folder).name}+post=2")
    assert "post=2.0" in bundled_bot.command


def test_the_same_folder_at_the_same_path_is_used_as_it_is(tmp_path: Path) -> None:
    bot = make_bot(tmp_path / "bot")
    assert unpacked(send(job(str(bot))), tmp_path / "cache").folder == str(bot)
    assert [path.suffix for path in (tmp_path / "cache").iterdir()] == [".lock"]


def test_a_bundled_bot_is_taken_from_the_referee_there(tmp_path: Path) -> None:
    """It needs the shared code of bundled bots, which is not packed but is part of its hash."""
    sent = send(job("greedy"))
    (packed_bot,) = sent.bots
    bot = msgspec.structs.replace(packed_bot.bot, folder="/another/place/greedy")
    moved = msgspec.structs.replace(sent, bots=(msgspec.structs.replace(packed_bot, bot=bot),))
    assert unpacked(moved, tmp_path / "cache").folder == str(BUNDLED / "greedy")
    other = msgspec.structs.replace(packed_bot, bot=msgspec.structs.replace(bot, content="0" * 64))
    with pytest.raises(
        BotRefused, match="bot greedy is not sent, because it comes with the referee"
    ):
        unpack(msgspec.structs.replace(sent, bots=(other,)), tmp_path / "cache")


def test_files_outside_of_the_folder_are_not_sent(tmp_path: Path) -> None:
    bot = make_bot(tmp_path / "bot")
    (tmp_path / "secret.txt").write_text("a plan")
    (bot / "book.txt").symlink_to(tmp_path / "secret.txt")
    sent = send(job(str(bot)))
    shutil.rmtree(bot)
    assert not Path(unpacked(sent, tmp_path / "cache").folder, "book.txt").exists()


def test_another_folder_at_the_same_path_is_not_changed(tmp_path: Path) -> None:
    bot = make_bot(tmp_path / "bot")
    sent = send(job(str(bot)))
    (bot / "bot.py").write_text("another")
    found = unpacked(sent, tmp_path / "cache")
    assert Path(found.folder).parent == tmp_path / "cache"
    assert (bot / "bot.py").read_text() == "another"


def test_a_bot_is_built_once_where_it_is_unpacked(tmp_path: Path) -> None:
    bot = make_bot(tmp_path / "bot", BUILD)
    sent = send(job(str(bot)))
    assert (bot / "built").read_text() == "x"
    shutil.rmtree(bot)
    for _ in range(2):
        folder = Path(unpacked(sent, tmp_path / "cache").folder)
        assert (folder / "built").read_text() == "x"
        (folder / "log.txt").write_text("files that the bot writes do not change it")


def test_a_damaged_bot_in_the_cache_is_unpacked_again(tmp_path: Path) -> None:
    bot = make_bot(tmp_path / "bot")
    sent = send(job(str(bot)))
    shutil.rmtree(bot)
    program = Path(unpacked(sent, tmp_path / "cache").folder, "bot.py")
    program.write_text("")
    unpacked(sent, tmp_path / "cache")
    assert program.stat().st_size > 0


def test_a_build_that_fails_there_is_refused(tmp_path: Path) -> None:
    here = """build = ["python", "-c", "import os; exit('cache' in os.getcwd())"]\n"""
    bot = make_bot(tmp_path / "bot", here)
    sent = send(job(str(bot)))
    shutil.rmtree(bot)
    with pytest.raises(BotRefused, match=r"bot made cannot be built: .* exit status 1"):
        unpack(sent, tmp_path / "cache")


def test_a_folder_that_is_too_large_is_not_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle, "MOST_SENT", 1 << 20)
    bot = make_bot(tmp_path / "bot")
    (bot / "weights.bin").write_bytes(bytes((1 << 20) + 1))
    sent = send(job(str(bot)))
    assert len(encode(sent)) < 10_000
    assert unpacked(sent, tmp_path / "cache").folder == str(bot)
    (bot / "weights.bin").unlink()
    with pytest.raises(BotRefused) as refused:
        unpack(sent, tmp_path / "cache")
    assert str(refused.value) == (
        "bot made is not sent, because it comes with the referee or is larger than 1 MiB:"
        f" put the same folder at {bot} on {socket.gethostname()}"
    )


def test_a_command_is_not_sent_and_its_files_must_be_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    program = tmp_path / "mine.py"
    program.write_text("first")
    sent = send(job("python mine.py --depth 2"))
    assert sent.bots[0].bot.command == ("python", "mine.py", "--depth", "2")
    found = unpacked(sent, tmp_path / "cache")
    assert found.command == (sys.executable, "mine.py", "--depth", "2")
    assert found.folder == str(tmp_path)
    program.write_text("second")
    with pytest.raises(
        BotRefused,
        match=r"bot 2 is a command, so its files are not sent: \S+mine.py is missing or different on",
    ):
        unpack(sent, tmp_path / "cache")


def test_a_command_without_its_program_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = send(job("sh -c x"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BotRefused, match="bot x is a command, but 'sh' is not installed on"):
        unpack(sent, tmp_path / "cache")


def test_a_cache_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BotRefused, match=r"cannot unpack bots to .* on .*: Not a directory"):
        unpack(send(job("random")), tmp_path / "file" / "cache")


@pytest.mark.parametrize(
    ("name", "kind"),
    [("../elsewhere", tarfile.REGTYPE), ("bot.toml", tarfile.SYMTYPE), ("d", tarfile.DIRTYPE)],
)
def test_only_files_below_the_folder_are_unpacked(tmp_path: Path, name: str, kind: bytes) -> None:
    bot = make_bot(tmp_path / "bot")
    sent = send(job(str(bot)))
    shutil.rmtree(bot)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind, "elsewhere"
        tar.addfile(member)
    (packed_bot,) = sent.bots
    forged = msgspec.structs.replace(packed_bot, packed=packed.getvalue())
    with pytest.raises(BotRefused, match="is not a file of a bot"):
        unpack(msgspec.structs.replace(sent, bots=(forged,)), tmp_path / "cache")
    assert not (tmp_path / "cache" / "elsewhere").exists()
