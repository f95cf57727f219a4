"""Groups of commands that import a command only when it is used, and the examples on help pages."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import ClassVar, Final

import click

from referee.text import did_you_mean

_SHORT_HELP_LIMIT: Final = 200  # characters


def examples(*lines: str) -> str:
    """Return the end of a help page: the heading "Examples:" and one command on each line."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])  # \b: do not wrap


class CommandGroup(click.Group):
    """A group that prints its help page without arguments and suggests a command for a typo."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Print the help page when there are no arguments; click would exit with status 2."""
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help(), color=ctx.color)
            ctx.exit()
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List every command with its whole first sentence; click cuts it at the end of the line."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [
            (name, command.get_short_help_str(_SHORT_HELP_LIMIT))
            for name, command in commands
            if command
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the first word names; a typo raises a UsageError with a suggestion."""
        names = self.list_commands(ctx)
        if not ctx.resilient_parsing and args[0] not in names and not args[0].startswith("-"):
            message = [f"there is no command {args[0]!r};", did_you_mean(args[0], names)]
            raise click.UsageError(" ".join(filter(None, message)), ctx)
        return super().resolve_command(ctx, args)


class LazyGroup(CommandGroup):
    """A group whose commands are imported on first use, so that `play` does not load numpy.

    `modules` maps a command's name to its module. The command is the function of the same name,
    with `_` for `-`.
    """

    modules: ClassVar[Mapping[str, str]] = {}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's signature
        return sorted(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import the command of this name; None if there is no such command."""
        if cmd_name not in self.modules:
            return None
        module = import_module(self.modules[cmd_name])
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command
