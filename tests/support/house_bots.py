"""The bundled bots as modules, to play in this process."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from referee.bots.find import BUNDLED

_LOADED: dict[str, ModuleType] = {}


def load_bot(name: str) -> ModuleType:
    """The module `bot` of a bundled bot; it imports other modules from its own folder."""
    if name not in _LOADED:
        folder = BUNDLED / name
        sys.path.insert(0, str(folder))
        try:
            _LOADED[name] = _import(f"{name}_bot", folder / "bot.py")
        finally:
            sys.path.remove(str(folder))
    return _LOADED[name]


def _import(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
