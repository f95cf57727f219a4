"""Old module names that the documentation once showed: they still import, with a DeprecationWarning.

To move a documented module, add a line to MOVED. `import referee` installs the finder.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Final

MOVED: Final = {  # old module: new module
    "referee.tournament.terms": "referee.tournament.results",
}


class _OldNameLoader:
    """Puts the new module in the place of the old one."""

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:  # noqa: ARG002  importlib's signature
        """Let importlib make an empty module, which `exec_module` replaces."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Import the new module under the old name; importlib takes it from `sys.modules`."""
        old = module.__name__
        warnings.warn(
            f"{old} is now {MOVED[old]}; the old name will be removed",
            DeprecationWarning,
            stacklevel=2,
        )
        sys.modules[old] = import_module(MOVED[old])


class _OldNameFinder:
    """Finds the old names, after every other finder has failed."""

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,  # noqa: ARG002  importlib's signature
        target: ModuleType | None = None,  # noqa: ARG002  the same
    ) -> ModuleSpec | None:
        """Return a spec for an old name, and None for every other name."""
        return ModuleSpec(name, _OldNameLoader()) if name in MOVED else None  # type: ignore[arg-type]


def install() -> None:
    """Make the old names importable; a second call changes nothing."""
    if not any(isinstance(finder, _OldNameFinder) for finder in sys.meta_path):
        sys.meta_path.append(_OldNameFinder())
