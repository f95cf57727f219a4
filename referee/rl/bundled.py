"""The bundled bots that are written in Python, as objects that can play in this process."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Final

import protocol
from referee.bots.find import BUNDLED, bundled_names
from referee.errors import BotRefused
from referee.text import did_you_mean, join_hint

PROGRAM: Final = "bot.py"
_loaded: dict[str, type[protocol.Bot]] = {}


def house_bots() -> list[str]:
    """Return the names of the bundled bots that can play in this process."""
    return [name for name in bundled_names() if (BUNDLED / name / PROGRAM).is_file()]


def house_bot(name: str) -> protocol.Bot:
    """Return a new bot of this name; BotRefused if no bundled bot in Python has it."""
    known = house_bots()
    if name not in known:
        hint = join_hint(did_you_mean(name, known), f"these are {', '.join(known)}")
        raise BotRefused(f"{name!r} is not a bundled bot in Python: {hint}")
    if name not in _loaded:
        _loaded[name] = _bot_class(BUNDLED / name)
    return _loaded[name]()


def _bot_class(folder: Path) -> type[protocol.Bot]:
    """Return the class of the bot that the program in this folder runs."""
    with _modules_of(folder):
        module = _load(folder / PROGRAM)
    (found,) = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, protocol.Bot)
        and value.__module__ == module.__name__
    ]
    return found


@contextmanager
def _modules_of(folder: Path) -> Iterator[None]:
    """Let the bot import the modules of its own folder; no other program gets these by their names."""
    own = {path.stem for path in folder.glob("*.py")}
    others = {name: sys.modules.pop(name) for name in own if name in sys.modules}
    path = sys.path[:]
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path[:] = path
        for name in own:
            sys.modules.pop(name, None)
        sys.modules.update(others)


def _load(program: Path) -> ModuleType:
    name = f"referee_house_bot_{program.parent.name.replace('-', '_')}"
    spec = importlib.util.spec_from_file_location(name, program)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
