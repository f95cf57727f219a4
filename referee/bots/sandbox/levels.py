"""Which sandbox level is in force, why, and what this machine can do."""

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
from referee.bots.sandbox.limits import Grants, Level, limits_of, plain_name
from referee.errors import BotRefused, SandboxRefused
from referee.text import visible

INSTALL: Final = "apt install bubblewrap (or dnf, pacman, zypper)"
_NO_GRANTS: Final[Mapping[str, Any]] = {}
_TRIAL_S: Final = 60.0


class Sandboxed(NamedTuple):
    """Bots with their sandbox, its level, and a line that describes it."""

    bots: list[Bot]
    level: Level
    description: str


def put_in_sandbox(
    bots: Sequence[Bot],
    asked: Level | None,
    default: Level = "limits",
    grants: Grants = _NO_GRANTS,
    apart: Iterable[Path] = (),
    allow_build: Iterable[str] = (),
) -> Sandboxed:
    """The bots in the requested sandbox, else in the default one if this machine can do it.

    No bot may read the paths of `apart`: records and the store. The builds of the bots with the names
    in `allow_build` may use the network. SandboxRefused if the requested level is not available,
    BotRefused if a bot requests more than it was granted.
    """
    level, lacks = choose_level(bots, asked, default, list(apart))
    allowed = set(allow_build)
    inside = [
        replace(
            bot,
            level=level,
            limits=limits_of(bot.name, bot.asks, grants),
            allow_network=bot.is_bundled or plain_name(bot.name) in allowed,
        )
        for bot in bots
    ]
    return Sandboxed(inside, level, _describe(level, lacks))


def choose_level(
    bots: Sequence[Bot], asked: Level | None, default: Level, apart: Sequence[Path] = ()
) -> tuple[Level, str | None]:
    """The level in force, and why it is not strict where strict is the default."""
    if (asked or default) != "strict":
        return asked or default, None
    lacks = missing_for_strict() or _unwanted_access(bots, apart)
    if lacks is None:
        return "strict", None
    if asked == "strict":
        raise SandboxRefused(f"the strict sandbox is not available: {lacks}")
    return "limits", lacks


def _describe(level: Level, lacks: str | None) -> str:
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
def missing_for_strict() -> str | None:
    """What is missing for the strict sandbox, and how to get it; None if it works. Cached."""
    if sys.platform != "linux":
        return "it needs Linux"
    if shutil.which("bwrap") is None:
        return f"bubblewrap is not installed: {INSTALL}"
    if bubblewrap.is_root() and not seccomp.is_known():
        return "root can use it on x86_64 and aarch64 only: start the referee as another user"
    if bubblewrap.is_root() and shutil.which("setpriv") is None:
        return "setpriv is not installed: apt install util-linux"
    error = _trial()
    if error is None:
        return None
    return (
        f"bubblewrap fails here ({error}): it needs version 0.8 and user namespaces; see"
        " sysctl kernel.unprivileged_userns_clone and kernel.apparmor_restrict_unprivileged_userns,"
        " and in a container its seccomp profile"
    )


def _trial() -> str | None:
    """Start our own Python in a strict sandbox; returns the error, or None if it works."""
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
    """Start it, wait until it ends, and return its exit status."""
    started = start(bot, log, None)
    with started.child as child:
        try:
            return child.wait(_TRIAL_S)
        finally:
            child.kill()
            child.wait()
            REAPER.sweep()  # processes from inside may have become our children
            if started.group is not None:
                started.group.remove()


# -- what bots must not read


def _unwanted_access(bots: Sequence[Bot], apart: Sequence[Path]) -> str | None:
    """Why one of these bots could read another bot or one of these paths; None if it cannot."""
    places = [("the records", path.resolve()) for path in apart]
    folders = [(f"bot {bot.name}", bot.folder) for bot in bots if is_bot_folder(bot.folder)]
    for bot in bots:
        if not bot.command:
            continue  # a person, or a bot in this process
        if bubblewrap.is_root() and not _is_open(bot.folder):
            return (
                f"bot {bot.name} is started as an unprivileged user, who cannot read its folder:"
                f" chmod -R o+rX {bot.folder}"
            )
        if not bubblewrap.can_run(bot):
            program = visible(bot.command[0])
            return f"bot {bot.name} runs {program}, which is neither in its folder nor on the path"
        seen = (*bubblewrap.system_paths(), *bubblewrap.readable(bot))
        inside = [path for path in seen if path.is_dir()]
        for what, place in (*places, *folders):
            # Bundled bots are hidden from each other in any case.
            if place == bot.folder or place.parent == BUNDLED:
                continue
            if any(place.is_relative_to(path) for path in inside):
                return f"bot {bot.name} could read {what} in {place}: move one of them"
    return None


def _is_open(folder: Path) -> bool:
    return not is_bot_folder(folder) or folder.stat().st_mode & 0o005 == 0o005
