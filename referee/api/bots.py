"""What Python code can pass as a bot, and how it becomes a `Bot`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final, TypeAlias

import protocol
from protocol.answers import Function
from protocol.words import View
from referee.bots.find import (
    Bot,
    find_bot,
    split_name,
    split_place,
    with_unique_names,
    with_values,
)
from referee.bots.parameters import LONGEST_NAME, name_with, parse_values
from referee.bots.sandbox.levels import put_in_sandbox
from referee.bots.sandbox.limits import Level, check_allowed_builds
from referee.errors import BotRefused
from referee.match.imported import (
    content_of,
    declared_parameters,
    import_bot,
    is_import_path,
    name_of,
    path_of,
)
from referee.match.in_process import MARK

BotLike: TypeAlias = str | Path | Function | protocol.Bot | type[protocol.Bot]
"""What you can pass as a bot: a name, folder or command as on the command line, an import path
(`module:attr`), a function of view and choices, a `protocol.Bot`, or a subclass of it."""

Bots: TypeAlias = Sequence[BotLike] | Mapping[str, BotLike]
"""A list of bots, or a mapping from names to bots."""

NAMING_HINT: Final = "give them names with a dict: {name: bot}"


def find_all(bots: Bots) -> list[Bot]:
    """Return the bots with unique names (the second copy is `name#2`); BotRefused as in `find`."""
    return with_unique_names([find(bot, name) for name, bot in named(bots)], NAMING_HINT)


def named(bots: Bots) -> list[tuple[str | None, BotLike]]:
    """Return each bot with the name that was given for it, or with None."""
    if isinstance(bots, str | Path):
        raise BotRefused(f"bots must be a list, and {str(bots)!r} is a single string")
    if isinstance(bots, Mapping):
        return [(plain_name(name), bot) for name, bot in bots.items()]
    return [(None, bot) for bot in bots]


def find(bot: BotLike, name: str | None = None) -> Bot:
    """Return the bot for any BotLike, under this name if one is given.

    Raises BotRefused if it is not a bot or cannot be found.
    """
    if isinstance(bot, str | Path):
        return _find_text(str(bot), name)
    if not callable(bot) and not isinstance(bot, protocol.Bot):
        raise BotRefused(
            f"{bot!r:.80} is not a bot: it must be a name, a folder, a command, an import path, a"
            " function that takes view and choices, or an SDK bot"
        )
    return _in_process(bot, path_of(bot), (), name)


def _find_text(text: str, name: str | None) -> Bot:
    """Return the bot for a word of the command line, or for an import path."""
    given, path, settings = split_import_path(text)
    if path is not None:
        return _in_process(import_bot(path), path, settings, name or given)
    found = find_bot(text)
    _refuse_person(found)
    return found if name is None else replace(found, name=name)


def split_import_path(text: str) -> tuple[str | None, str | None, Sequence[str]]:
    """Split `NAME=module:attr --set P=V`: name, import path, settings; the path is None without one."""
    given, rest = split_name(text)
    place, settings = split_place(rest)
    return given, place if is_import_path(place) else None, settings


def _in_process(bot: object, path: str, settings: Sequence[str], name: str | None) -> Bot:
    """Return a function or an SDK bot in this process, with these values of its parameters."""
    longest = LONGEST_NAME - len(MARK)
    short_name = plain_name(name or name_of(bot))[:longest]
    parameters = declared_parameters(bot, short_name)
    plain = Bot(
        short_name,
        (),
        Path.cwd(),
        content_of(bot),
        in_process=bot,
        import_path=path,
        parameters=parameters,
    )
    found = with_values(plain, parse_values(parameters, settings, short_name))
    named = short_name if name else name_with(short_name, found.values, longest)
    return replace(found, name=f"{named}{MARK}")


def chance(view: View) -> Random:
    """Return a random generator for this one decision.

    It gives the same numbers whenever the same game is played again.
    """
    return Random(f"{view['game']} {view['seat']} {view['id']}")


def _refuse_person(bot: Bot) -> None:
    if bot.is_human:
        raise BotRefused("a person can only play in a terminal: referee play human")


def plain_name(name: str) -> str:
    """Return the name with `-` in place of all characters except letters, digits, `.`, `_` and `-`."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-")[:LONGEST_NAME] or "bot"


def sandboxed(
    bots: Sequence[Bot], level: Level | None, allow_build: Sequence[str] = ()
) -> list[Bot]:
    """Return the bots with this sandbox level, by default with limits; bots in this process have none.

    The builds of the bots in `allow_build` may use the network. Raises SandboxRefused if the level is
    not available, BotRefused if a bot requests too much or `allow_build` names another bot.
    """
    check_allowed_builds(allow_build, [bot.name for bot in bots])
    in_processes = [bot for bot in bots if bot.in_process is None]
    inside = put_in_sandbox(in_processes, level, allow_build=allow_build).bots
    by_name = {bot.name: bot for bot in inside}
    return [by_name.get(bot.name, bot) for bot in bots]
