"""Bots by import path: `module:attr` is a function or a class of an SDK bot that a worker can import."""

from __future__ import annotations

import hashlib
import importlib
import inspect
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import protocol
from referee.bots.find import Bot
from referee.bots.parameters import Parameter, read_parameters
from referee.errors import BotRefused
from referee.match.in_process import CONTENT
from referee.text import visible

_PATH: Final = re.compile(r"(?!\d)\w+(\.(?!\d)\w+)*:(?!\d)\w+(\.(?!\d)\w+)*")


def is_import_path(text: str) -> bool:
    """Whether a text has the form `module:attr`."""
    return _PATH.fullmatch(text) is not None


def import_bot(path: str) -> object:
    """Import what `module:attr` names; BotRefused if it does not exist or is not a bot."""
    module, _, name = path.partition(":")
    try:
        found: object = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (Exception, SystemExit) as error:  # the module's own code may raise anything
        what = f"{type(error).__name__}: {visible(str(error))}"
        raise BotRefused(f"the bot {path!r} cannot be imported: {what}") from error
    if not callable(found) and not isinstance(found, protocol.Bot):
        raise BotRefused(f"{path!r} is not a bot: it is neither a function nor an SDK bot")
    return found


def path_of(bot: object) -> str:
    """Return the import path of a function or class; "" if another process could not import it.

    Lambdas, functions inside functions, objects, and what is in the main program have no path.
    """
    if not inspect.isfunction(bot) and not inspect.isclass(bot):
        return ""
    path = f"{bot.__module__}:{bot.__qualname__}"
    if not is_import_path(path) or not _is_found(bot.__module__):
        return ""
    try:
        return path if import_bot(path) is bot else ""
    except BotRefused:
        return ""


def _is_found(module: str | None) -> bool:
    """Whether an import of this module finds the file that it was loaded from."""
    if module is None or module == "__main__":
        return False
    package, _, _ = module.rpartition(".")
    file: str | None = getattr(sys.modules.get(module), "__file__", None)
    places = getattr(sys.modules.get(package), "__path__", None) if package else None
    if file is None or (package and places is None):
        return False
    for finder in sys.meta_path:
        spec = finder.find_spec(module, places)
        if spec is not None:
            return spec.origin == file
    return False


def loaded(bot: Bot) -> Bot:
    """Return a bot that has an import path with what it names.

    BotRefused if it cannot be imported, or its source code is another one now.
    """
    found = import_bot(bot.import_path)
    if content_of(found) != bot.files:
        raise BotRefused(
            f"bot {bot.name} is not the same in a worker that imports {bot.import_path}: its source or"
            " its version has changed since the program was started (with workers=1 it plays in that"
            " program)"
        )
    return replace(bot, in_process=found, parameters=declared_parameters(found, bot.name))


def declared_parameters(bot: object, name: str) -> tuple[Parameter, ...]:
    """Return what a function or class declares in its attribute `parameters`, as bot.toml does.

    An object is made already, so it cannot get values. BotRefused if the attribute is not valid.
    """
    tables = getattr(bot, "parameters", None)
    if isinstance(bot, protocol.Bot) or not isinstance(tables, Mapping):
        return ()
    return read_parameters(tables, f"bot {name}")


def content_of(bot: object) -> str:
    """Return a hash of the bot's source code and its `version`.

    What the bot imports, and what it has learnt, is not part of the hash.
    """
    source = bot if inspect.isroutine(bot) or isinstance(bot, type) else type(bot)
    try:
        text = inspect.getsource(source)
    except (OSError, TypeError):
        text = name_of(bot)
    whole = f"{getattr(bot, 'version', '')}\n{text}"
    return CONTENT + hashlib.sha256(whole.encode()).hexdigest()


def name_of(bot: object) -> str:
    """Return the name that a function, a class or an SDK bot gives itself."""
    name = getattr(bot, "name", None) or getattr(bot, "__name__", None)
    return name if isinstance(name, str) else type(bot).__name__
