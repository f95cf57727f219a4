"""Run a bot's build command, once for each content of its folder."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

from referee.bots.content import STAMP, Stamp, exists, read_stamp, source_names
from referee.bots.find import Bot
from referee.errors import BotRefused
from referee.system import child_environment
from referee.text import visible

_SHOWN_OUTPUT = 2000  # bytes at the end of what a failed build printed


def build_bot(bot: Bot, announce: Callable[[str], None] | None = None) -> None:
    """Build the bot, unless it has no build command or its present content is built already.

    `announce` is called with a sentence before a build starts. BotRefused if the build fails.
    """
    if not bot.build or _is_built(bot):
        return
    if announce is not None:
        announce(f"building {bot.name}: {visible(shlex.join(bot.build))}")
    made_before = read_stamp(bot.folder).made
    sources_before = source_names(bot.folder)
    _run_build(bot)
    made = {*made_before, *(source_names(bot.folder) - sources_before)}
    stamp = Stamp(bot.content, sorted(made), _used(bot))
    try:
        (bot.folder / STAMP).write_text(stamp.to_text(), "utf-8", "surrogateescape")
    except OSError as error:
        raise BotRefused(f"{error.filename} cannot be written: {error.strerror}") from error


def _is_built(bot: Bot) -> bool:
    stamp = read_stamp(bot.folder)
    needed = (*stamp.made, *stamp.used)
    return stamp.content == bot.content and all(exists(bot.folder / name) for name in needed)


def _used(bot: Bot) -> list[str]:
    """What the bot's command names in its folder."""
    paths = [Path(os.path.normpath(bot.folder / word)) for word in bot.command]
    return sorted(
        path.relative_to(bot.folder).as_posix()
        for path in paths
        if path != bot.folder and path.is_relative_to(bot.folder) and exists(path)
    )


def _run_build(bot: Bot) -> None:
    try:
        done = subprocess.run(
            bot.build,
            cwd=bot.folder,
            env=child_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
    except OSError as error:
        program = visible(bot.build[0])
        raise BotRefused(f"bot {bot.name} cannot be built: {error.strerror}: {program}") from error
    if done.returncode:
        output = done.stdout[-_SHOWN_OUTPUT:].decode(errors="replace").strip()
        lines = "\n".join(map(visible, output.expandtabs().splitlines()))
        raise BotRefused(
            f"bot {bot.name} cannot be built: {visible(shlex.join(bot.build))} ended with exit"
            f" status {done.returncode}:\n{lines}"
        )
