"""Luggage: bots that are packed here can be started there, and what cannot is refused."""

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
    """A job with these bots, built here as `enter` does."""
    bots = [find_bot(word) for word in words]
    for bot in bots:
        build_bot(bot)
    return Job((), tuple(map(bot_job, bots)), Conditions(), None, "stderr")


def travel(job: Job) -> JobBundle:
    """As it comes out at the other end."""
    return decode(encode(pack(job)))


def make_bot(folder: Path, more: str = "") -> Path:
    shutil.copytree(BUNDLED / "random", folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "bot.toml").write_text(f'name = "made"\ncommand = ["python", "bot.py"]\n{more}')
    return folder


def unpacked(bundle: JobBundle, cache: Path) -> BotJob:
    (bot,) = unpack(bundle, cache).bots
    return bot


def test_a_folder_that_is_not_there_is_unpacked_under_its_content(tmp_path: Path) -> None:
    bot = make_bot(tmp_path / "bot")
    (bot / "book").mkdir()
    (bot / "book" / "moves.txt").write_text("first")
    (bot / "run").write_text("#!/bin/sh\n")
    (bot / "run").chmod(0o755)
    (bot / ".secret").write_text("stays at home")
    away = travel(job(f"mine={bot}"))
    shutil.rmtree(bot)
    found = unpacked(away, tmp_path / "cache")
    folder = tmp_path / "cache" / found.content
    assert found.name == "mine"
    assert found.folder == str(folder)
    assert found.command == (sys.executable, "bot.py")
    assert "PYTHONPATH" in found.environment
    assert (folder / "book" / "moves.txt").read_text() == "first"
    assert (folder / "run").stat().st_mode & 0o111
    assert not (folder / ".secret").exists()
    assert find_bot(str(folder)).content == found.content


def test_the_same_folder_at_the_same_path_is_used_as_it_is(tmp_path: Path) -> None:
    bot = make_bot(tmp_path / "bot")
    assert unpacked(travel(job(str(bot))), tmp_path / "cache").folder == str(bot)
    assert [path.suffix for path in (tmp_path / "cache").iterdir()] == [".lock"]


def test_a_bundled_bot_is_the_one_that_comes_with_the_referee_there(tmp_path: Path) -> None:
    """It needs what bundled bots share, which is not packed; its content is a hash of that too."""
    away = travel(job("greedy"))
    (packed_bot,) = away.bots
    bot = msgspec.structs.replace(packed_bot.bot, folder="/another/place/greedy")
    moved = msgspec.structs.replace(away, bots=(msgspec.structs.replace(packed_bot, bot=bot),))
    assert unpacked(moved, tmp_path / "cache").folder == str(BUNDLED / "greedy")
    other = msgspec.structs.replace(packed_bot, bot=msgspec.structs.replace(bot, content="0" * 64))
    with pytest.raises(
        BotRefused, match="bot greedy is not sent, because it comes with the referee"
    ):
        unpack(msgspec.structs.replace(away, bots=(other,)), tmp_path / "cache")


def test_what_a_link_out_of_a_folder_leads_to_stays_at_home(tmp_path: Path) -> None:
    bot = make_bot(tmp_path / "bot")
    (tmp_path / "secret.txt").write_text("a plan")
    (bot / "book.txt").symlink_to(tmp_path / "secret.txt")
    away = travel(job(str(bot)))
    shutil.rmtree(bot)
    assert not Path(unpacked(away, tmp_path / "cache").folder, "book.txt").exists()


def test_another_folder_at_the_same_path_is_left_alone(tmp_path: Path) -> None:
    bot = make_bot(tmp_path / "bot")
    away = travel(job(str(bot)))
    (bot / "bot.py").write_text("another")
    found = unpacked(away, tmp_path / "cache")
    assert Path(found.folder).parent == tmp_path / "cache"
    assert (bot / "bot.py").read_text() == "another"


def test_a_bot_is_built_once_where_it_is_unpacked(tmp_path: Path) -> None:
    bot = make_bot(tmp_path / "bot", BUILD)
    away = travel(job(str(bot)))
    assert (bot / "built").read_text() == "x"
    shutil.rmtree(bot)
    for _ in range(2):
        folder = Path(unpacked(away, tmp_path / "cache").folder)
        assert (folder / "built").read_text() == "x"
        (folder / "log.txt").write_text("what the bot writes is no change of it")


def test_what_was_lost_in_the_cache_is_unpacked_again(tmp_path: Path) -> None:
    bot = make_bot(tmp_path / "bot")
    away = travel(job(str(bot)))
    shutil.rmtree(bot)
    program = Path(unpacked(away, tmp_path / "cache").folder, "bot.py")
    program.write_text("")
    unpacked(away, tmp_path / "cache")
    assert program.stat().st_size > 0


def test_a_build_that_fails_there_is_a_sentence(tmp_path: Path) -> None:
    here = """build = ["python", "-c", "import os; exit('cache' in os.getcwd())"]\n"""
    bot = make_bot(tmp_path / "bot", here)
    away = travel(job(str(bot)))
    shutil.rmtree(bot)
    with pytest.raises(BotRefused, match=r"bot made cannot be built: .* exit status 1"):
        unpack(away, tmp_path / "cache")


def test_a_folder_that_is_too_large_must_be_there_already(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle, "MOST_SENT", 1 << 20)
    bot = make_bot(tmp_path / "bot")
    (bot / "weights.bin").write_bytes(bytes((1 << 20) + 1))
    away = travel(job(str(bot)))
    assert len(encode(away)) < 10_000
    assert unpacked(away, tmp_path / "cache").folder == str(bot)
    (bot / "weights.bin").unlink()
    with pytest.raises(BotRefused) as refused:
        unpack(away, tmp_path / "cache")
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
    away = travel(job("python mine.py --depth 2"))
    assert away.bots[0].bot.command == ("python", "mine.py", "--depth", "2")
    found = unpacked(away, tmp_path / "cache")
    assert found.command == (sys.executable, "mine.py", "--depth", "2")
    assert found.folder == str(tmp_path)
    program.write_text("second")
    with pytest.raises(BotRefused, match=r"bot 2 is a command, and \S+mine.py is not the same on"):
        unpack(away, tmp_path / "cache")


def test_a_command_without_its_program_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = travel(job("sh -c x"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BotRefused, match="bot x is a command, and there is no program 'sh' on"):
        unpack(away, tmp_path / "cache")


def test_a_cache_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BotRefused, match=r"cannot unpack bots to .* on .*: Not a directory"):
        unpack(travel(job("random")), tmp_path / "file" / "cache")


@pytest.mark.parametrize(
    ("name", "kind"),
    [("../elsewhere", tarfile.REGTYPE), ("bot.toml", tarfile.SYMTYPE), ("d", tarfile.DIRTYPE)],
)
def test_nothing_is_unpacked_but_files_below_the_folder(
    tmp_path: Path, name: str, kind: bytes
) -> None:
    bot = make_bot(tmp_path / "bot")
    away = travel(job(str(bot)))
    shutil.rmtree(bot)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind, "elsewhere"
        tar.addfile(member)
    (packed_bot,) = away.bots
    forged = msgspec.structs.replace(packed_bot, packed=packed.getvalue())
    with pytest.raises(BotRefused, match="is not a file of a bot"):
        unpack(msgspec.structs.replace(away, bots=(forged,)), tmp_path / "cache")
    assert not (tmp_path / "cache" / "elsewhere").exists()
