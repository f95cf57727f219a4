"""Groups whose commands are imported when they are used: who plays a game need not load the statistics."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import ClassVar

import click


class LazyGroup(click.Group):
    """A command is the function of its name in its module; a dash in the one is a _ in the other."""

    modules: ClassVar[Mapping[str, str]] = {}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's signature
        """All names, sorted."""
        return sorted(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of a name, imported now."""
        if cmd_name not in self.modules:
            return None
        module = import_module(self.modules[cmd_name])
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command
