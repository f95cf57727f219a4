"""The sandbox of bots: which level is in force, why, and what this machine can do."""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import protocol
from referee.bots.find import BUNDLED, Bot, environment, is_bot_folder
from referee.bots.launch import start
from referee.bots.reaper import REAPER
from referee.bots.sandbox import bubblewrap, seccomp
from referee.bots.sandbox.cgroup import delegated
from referee.bots.sandbox.limits import Grants, Level, limits_of
from referee.errors import BotRefused, RefereeError
from referee.text import visible

INSTALL: Final = "apt install bubblewrap (or dnf, pacman, zypper)"
_NO_GRANTS: Final[Mapping[str, Any]] = {}
_TRIAL_S: Final = 60.0


class SandboxRefused(RefereeError):
    """A sandbox that was asked for and cannot be had."""


class Sandboxed(NamedTuple):
    """Bots with their sandbox, and what is in force, in one line."""

    bots: list[Bot]
    level: Level
    told: str


def put_inside(
    bots: Sequence[Bot],
    asked: Level | None,
    usual: Level = "limits",
    grants: Grants = _NO_GRANTS,
    apart: Iterable[Path] = (),
) -> Sandboxed:
    """The bots in the sandbox that was asked for, else in the usual one as far as it can be had.

    `apart` are places that no bot may read: records and the store.
    """
    level, lacks = settle(bots, asked, usual, list(apart))
    inside = [
        replace(bot, level=level, limits=limits_of(bot.name, bot.asks, grants)) for bot in bots
    ]
    return Sandboxed(inside, level, _told(level, lacks))


def settle(
    bots: Sequence[Bot], asked: Level | None, usual: Level, apart: Sequence[Path] = ()
) -> tuple[Level, str | None]:
    """The level that is in force, and why it is not strict where that would be usual."""
    if (asked or usual) != "strict":
        return asked or usual, None
    lacks = strict_lacks() or _seen_by_others(bots, apart)
    if lacks is None:
        return "strict", None
    if asked == "strict":
        raise SandboxRefused(f"the strict sandbox cannot be had: {lacks}")
    return "limits", lacks


def _told(level: Level, lacks: str | None) -> str:
    if level == "off":
        return "sandbox: off; bots can do whatever this user can"
    memory = "memory by cgroup" if delegated() else "memory for each process"
    if level == "strict":
        return f"sandbox: strict; no network, no files but their own; {memory}"
    if lacks is not None:
        return f"sandbox: limits; {memory}; not strict: {lacks}"
    rest = "; processes are not limited for root" if bubblewrap.is_root() else ""
    return f"sandbox: limits; {memory}{rest}"


# -- what this machine can do


@functools.cache
def strict_lacks() -> str | None:
    """What is missing for the strict sandbox, and how to get it; None if it works. Tried once."""
    if sys.platform != "linux":
        return "it is for Linux"
    if shutil.which("bwrap") is None:
        return f"bubblewrap is not installed: {INSTALL}"
    if bubblewrap.is_root() and not seccomp.is_known():
        return "root can have it on x86_64 and aarch64 only: start the referee as another user"
    if bubblewrap.is_root() and shutil.which("setpriv") is None:
        return "setpriv is not installed: apt install util-linux"
    said = _trial()
    if said is None:
        return None
    return (
        f"bubblewrap cannot make one here ({said}): it needs version 0.8 and user namespaces; see"
        " sysctl kernel.unprivileged_userns_clone and kernel.apparmor_restrict_unprivileged_userns,"
        " and in a container its seccomp profile"
    )


def _trial() -> str | None:
    """Start our own Python inside; what was said if that fails."""
    bot = Bot(
        "trial",
        (sys.executable, "-c", "import protocol"),
        Path(protocol.__file__).resolve().parent,
        "",
        environment=environment(),
        level="strict",
    )
    with tempfile.TemporaryFile() as log:
        try:
            status = _run(bot, log.fileno())
        except (BotRefused, subprocess.TimeoutExpired) as error:
            return visible(str(error))
        log.seek(0)
        lines = log.read().decode(errors="replace").strip().splitlines()
    if status == 0:
        return None
    return visible(lines[-1]) if lines else f"exit status {status}"


def _run(bot: Bot, log: int) -> int:
    """Start it, and wait for its end."""
    started = start(bot, log, None)
    with started.child as child:
        try:
            return child.wait(_TRIAL_S)
        finally:
            child.kill()
            child.wait()
            REAPER.sweep()  # what was inside may be ours to wait for
            if started.group is not None:
                started.group.remove()


# -- what must not be seen


def _seen_by_others(bots: Sequence[Bot], apart: Sequence[Path]) -> str | None:
    """Why these bots cannot be kept from each other and from these places, if so."""
    places = [("the records", path.resolve()) for path in apart]
    homes = [(f"bot {bot.name}", bot.folder) for bot in bots if is_bot_folder(bot.folder)]
    for bot in bots:
        if not bot.command:
            continue  # a person, or a bot in this process
        if bubblewrap.is_root() and not _is_open(bot.folder):
            return (
                f"bot {bot.name} is started as a user without rights, who cannot read its folder:"
                f" chmod -R o+rX {bot.folder}"
            )
        if not bubblewrap.can_run(bot):
            program = visible(bot.command[0])
            return f"bot {bot.name} runs {program}, neither in its folder nor on the path"
        seen = (*bubblewrap.system_paths(), *bubblewrap.readable(bot))
        inside = [path for path in seen if path.is_dir()]
        for what, place in (*places, *homes):
            # The bundled bots are hidden wherever they would be inside.
            if place == bot.folder or place.parent == BUNDLED:
                continue
            if any(place.is_relative_to(path) for path in inside):
                return f"bot {bot.name} could read {what} in {place}: keep them apart"
    return None


def _is_open(folder: Path) -> bool:
    return not is_bot_folder(folder) or folder.stat().st_mode & 0o005 == 0o005
