"""A job with the files of its bots, packed on one machine and unpacked on another."""

from __future__ import annotations

import fcntl
import hashlib
import io
import os
import shutil
import socket
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec

from referee.bots.build import build_bot
from referee.bots.content import sources
from referee.bots.find import BUNDLED, Bot, environment, find_bot, resolve, with_values
from referee.bots.parameters import Values, files_of
from referee.bots.sandbox.levels import missing_for_strict
from referee.errors import BotRefused
from referee.text import reason_of
from referee.tournament.workers.messages import BotJob, Job

MOST_SENT: Final = 64 << 20  # bytes of one bot, before they are packed
_COMPRESSION: Final = 1  # of gzip: sources are small, and the network is fast


class BundledBot(msgspec.Struct, frozen=True):
    """One bot. Its folder is packed, unless it is too large or comes with the referee.

    If the bot is a command, only the names and hashes of its files are sent.
    """

    bot: BotJob  # its command says "python", not the path of this machine's Python
    is_folder: bool
    packed: bytes | None = None
    files: dict[str, str] = {}  # the words of a command that are files, with their hashes


class JobBundle(msgspec.Struct, frozen=True):
    """Everything that another machine needs to play blocks of a job."""

    job: Job  # without its bots
    bots: tuple[BundledBot, ...]


encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(JobBundle).decode


# -- on the machine that sends


def pack(job: Job) -> JobBundle:
    """Pack a job with all its bots."""
    bots = tuple(_pack_bot(bot) for bot in job.bots)
    return JobBundle(msgspec.structs.replace(job, bots=()), bots)


def _pack_bot(bot: BotJob) -> BundledBot:
    found = _bot_in(Path(bot.folder), bot.values)
    if found is not None and found.content == bot.content:
        return BundledBot(bot, is_folder=True, packed=_pack_folder(found))
    first, *rest = bot.command
    command = ("python" if first == sys.executable else first, *rest)
    files = {word: _digest(Path(bot.folder, word)) for word in command if _is_file(bot, word)}
    return BundledBot(msgspec.structs.replace(bot, command=command), is_folder=False, files=files)


def _pack_folder(bot: Bot) -> bytes | None:
    """Pack the files that its hash covers; None if they are too large or come with the referee."""
    if bot.folder.parent == BUNDLED and not bot.build:
        return None
    files = sorted(sources(bot.folder, is_built=bool(bot.build)))
    if sum(path.stat().st_size for path in files) > MOST_SENT:
        return None
    packed = io.BytesIO()
    with tarfile.open(
        fileobj=packed, mode="w:gz", compresslevel=_COMPRESSION, dereference=True
    ) as tar:
        for path in files:
            tar.add(path, path.relative_to(bot.folder).as_posix(), filter=_without_owner)
    return packed.getvalue()


def _without_owner(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


def _is_file(bot: BotJob, word: str) -> bool:
    return word != "python" and Path(bot.folder, word).is_file()


# -- on the machine that plays


def unpack(bundle: JobBundle, cache: Path) -> Job:
    """Return the job with bots that this machine can start.

    A bot that is not found here is unpacked to the cache and built. Raises BotRefused if a bot is not
    available on this machine.
    """
    bots = (_with_available_sandbox(packed_bot, bundle.job) for packed_bot in bundle.bots)
    return msgspec.structs.replace(bundle.job, bots=tuple(_unpack_bot(bot, cache) for bot in bots))


def _with_available_sandbox(packed_bot: BundledBot, job: Job) -> BundledBot:
    """Fall back to limits where the strict sandbox does not work, unless it is required."""
    lacks = missing_for_strict() if packed_bot.bot.level == "strict" else None
    if lacks is None:
        return packed_bot
    if job.must_be_strict:
        raise BotRefused(f"the strict sandbox does not work on {_host()}: {lacks}")
    bot = msgspec.structs.replace(packed_bot.bot, level="limits")
    return msgspec.structs.replace(packed_bot, bot=bot)


def _unpack_bot(packed_bot: BundledBot, cache: Path) -> BotJob:
    if not packed_bot.is_folder:
        return _unpack_command(packed_bot, cache)
    with _locked(cache, files_of(packed_bot.bot.content)):
        found = _find_same(packed_bot) or _unpack_folder(packed_bot, cache)
        # A bot that has written to its folder need not be built again.
        sent = packed_bot.bot
        bot = replace(
            found,
            name=sent.name,
            content=sent.content,
            level=sent.level,
            limits=sent.limits,
            allow_network=sent.allow_network,
        )
        build_bot(bot, hidden=[cache])
    return msgspec.structs.replace(
        packed_bot.bot, command=bot.command, folder=str(bot.folder), environment=bot.environment
    )


def _find_same(packed_bot: BundledBot) -> Bot | None:
    """Find the same bot at the same path, or among the bots that come with the referee."""
    sent, values = Path(packed_bot.bot.folder), packed_bot.bot.values
    found = (_bot_in(folder, values) for folder in (sent, BUNDLED / sent.name))
    return next((bot for bot in found if bot and bot.content == packed_bot.bot.content), None)


def _unpack_folder(packed_bot: BundledBot, cache: Path) -> Bot:
    """Unpack the bot to the cache, unless it is there already and unchanged."""
    if packed_bot.packed is None:
        raise BotRefused(
            f"bot {packed_bot.bot.name} is not sent, because it comes with the referee or is larger"
            f" than {MOST_SENT >> 20} MiB: put the same folder at {packed_bot.bot.folder} on {_host()}"
        )
    folder = cache / files_of(packed_bot.bot.content)
    try:
        with tarfile.open(fileobj=io.BytesIO(packed_bot.packed)) as tar:
            if not _is_complete(tar, folder):
                _extract(tar, folder)
    except (OSError, tarfile.TarError) as error:
        raise BotRefused(
            f"bot {packed_bot.bot.name} cannot be unpacked on {_host()}: {reason_of(error)}"
        ) from error
    found = _bot_in(folder, packed_bot.bot.values)
    if found is None:
        raise BotRefused(f"bot {packed_bot.bot.name} cannot be read on {_host()}: {folder}")
    return found


def _is_complete(tar: tarfile.TarFile, folder: Path) -> bool:
    """Return whether every packed file is in the folder and unchanged; other files are ignored."""
    return all(
        path.is_file() and path.read_bytes() == data for path, _, data in _packed_files(tar, folder)
    )


def _extract(tar: tarfile.TarFile, folder: Path) -> None:
    """Unpack to a temporary folder and rename it, so that no process finds an incomplete bot."""
    temporary = Path(tempfile.mkdtemp(dir=folder.parent))
    temporary.chmod(0o755)  # bots may run as a user without rights
    for path, mode, data in _packed_files(tar, temporary):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(mode)
    shutil.rmtree(folder, ignore_errors=True)
    temporary.rename(folder)


def _packed_files(tar: tarfile.TarFile, folder: Path) -> Iterator[tuple[Path, int, bytes]]:
    """Yield path, mode and content of each file; TarError for anything but a plain file inside.

    The first releases of Python 3.11 have no safe `extractall`.
    """
    for member in tar:
        path = Path(os.path.normpath(folder / member.name))
        packed = tar.extractfile(member) if member.isreg() else None
        if packed is None or not path.is_relative_to(folder):
            raise tarfile.TarError(f"{member.name!r} is not a file of a bot")
        yield path, 0o755 if member.mode & 0o100 else 0o644, packed.read()


def _unpack_command(packed_bot: BundledBot, cache: Path) -> BotJob:
    """Return a bot that is a command; BotRefused if its program or files are not the same here."""
    bot = packed_bot.bot
    for word, digest in packed_bot.files.items():
        path = Path(bot.folder, word)
        if not path.is_file() or _digest(path) != digest:
            raise BotRefused(
                f"bot {bot.name} is a command, so its files are not sent:"
                f" {path} is missing or different on {_host()}"
            )
    folder = Path(bot.folder) if Path(bot.folder).is_dir() else cache
    command = resolve(bot.command, folder)
    if shutil.which(command[0]) is None:
        raise BotRefused(
            f"bot {bot.name} is a command, but {command[0]!r} is not installed on {_host()}"
        )
    return msgspec.structs.replace(
        bot, command=command, folder=str(folder), environment=environment()
    )


@contextmanager
def _locked(cache: Path, content: str) -> Iterator[None]:
    """Let only one process of this machine at a time unpack and build a bot."""
    try:
        cache.mkdir(parents=True, exist_ok=True)
        lock = os.open(cache / f"{content}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise BotRefused(f"cannot unpack bots to {cache} on {_host()}: {error.strerror}") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


# -- on both


def _bot_in(folder: Path, values: Values) -> Bot | None:
    """Return the bot in a folder with these values of its parameters; None if there is none."""
    if not (folder / "bot.toml").is_file():
        return None
    try:
        return with_values(find_bot(str(folder)), values)
    except BotRefused:
        return None


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _host() -> str:
    return socket.gethostname()
