"""Run a bot's build command, once for each content of its folder."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from referee.bots.build_process import run_build
from referee.bots.content import Stamp, exists, read_stamp, source_names, write_stamp
from referee.bots.find import Bot, is_bot_folder
from referee.bots.sandbox.limits import plain_name
from referee.errors import BotRefused
from referee.text import plural, visible

_NETWORK_WORDS: Final = re.compile(
    r"network|connect|socket|resol|host|lookup|download|fetch|registry|offline|proxy|https?:"
    r"|ENOTFOUND|EAI_AGAIN",
    re.IGNORECASE,
)


def build_bots(
    bots: Sequence[Bot],
    announce: Callable[[str], None] | None = None,
    hidden: Iterable[Path] = (),
) -> None:
    """Build these bots as `build_bot` does; the folders of the others are hidden from each."""
    # Bundled bots are hidden from every bot.
    own = [bot for bot in bots if not bot.is_bundled]
    folders = [bot.folder for bot in own if is_bot_folder(bot.folder)]
    for bot in bots:
        build_bot(bot, announce, [*hidden, *folders])


def build_bot(
    bot: Bot, announce: Callable[[str], None] | None = None, hidden: Iterable[Path] = ()
) -> None:
    """Build the bot, unless it has no build command or its present content is built already.

    The build runs at the level of the bot's sandbox; at `strict` it cannot read the `hidden` paths,
    which are those of other bots, records and the store. `announce` is called with a sentence before
    a build starts. BotRefused if the build fails, or wants the network and may not have it.
    """
    if not bot.build or _is_built(bot):
        return
    _refuse_network(bot)
    if announce is not None:
        network = " with the network" if bot.level == "strict" and bot.build_network else ""
        announce(f"building {bot.name}{network}: {visible(shlex.join(bot.build))}")
    made_before = read_stamp(bot.folder).made
    sources_before = source_names(bot.folder)
    _run_build(bot, [*hidden])
    made = {*made_before, *(source_names(bot.folder) - sources_before)}
    stamp = Stamp(bot.files, sorted(made), _used(bot))
    try:
        write_stamp(bot.folder, stamp)
    except OSError as error:
        raise BotRefused(f"{error.filename} cannot be written: {error.strerror}") from error


def _is_built(bot: Bot) -> bool:
    stamp = read_stamp(bot.folder)
    needed = (*stamp.made, *stamp.used)
    return stamp.content == bot.files and all(exists(bot.folder / name) for name in needed)


def _used(bot: Bot) -> list[str]:
    """What the bot's command names in its folder."""
    paths = [Path(os.path.normpath(bot.folder / word)) for word in bot.command]
    return sorted(
        path.relative_to(bot.folder).as_posix()
        for path in paths
        if path != bot.folder and path.is_relative_to(bot.folder) and exists(path)
    )


def _may_lack_network(output: str) -> bool:
    """Whether a build may have failed because it had no network; some tools say nothing then."""
    return not output.strip() or _NETWORK_WORDS.search(output) is not None


def _refuse_network(bot: Bot) -> None:
    """Raise BotRefused if a build in the strict sandbox wants the network and may not have it."""
    if bot.level == "strict" and bot.build_network and not bot.allow_network:
        name = plain_name(bot.name)
        raise BotRefused(
            f"bot {bot.name} wants the network for its build (build_network in its bot.toml), which"
            f" must be allowed: --allow-build {name}"
        )


def _run_build(bot: Bot, hidden: list[Path]) -> None:
    done = run_build(bot, hidden)
    if done.status == 0:
        return
    command, name = visible(shlex.join(bot.build)), plain_name(bot.name)
    if done.status is None:
        raise BotRefused(
            f"bot {bot.name} cannot be built: {command} took more than"
            f" {plural(bot.limits.build_seconds, 'second')}; to allow more, use --limit {name}:build_seconds=N"
        )
    lines = [visible(line) for line in done.output.strip().expandtabs().splitlines()]
    if bot.level == "strict" and not bot.build_network and _may_lack_network(done.output):
        lines.append(
            "A build in the strict sandbox has no network: if it needs one, write build_network = true"
            f" in bot.toml and use --allow-build {name}."
        )
    raise BotRefused(
        f"bot {bot.name} cannot be built: {command} ended with exit status {done.status}:\n"
        + "\n".join(lines)
    )
