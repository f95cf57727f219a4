"""Groups of commands: they know a mistyped one, and may import theirs only when they are used."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import ClassVar, Final

import click

from referee.text import did_you_mean

_LONGEST: Final = 200  # of what one command does


class Group(click.Group):
    """A group that says what it has, and which command a mistyped one may have meant."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Nothing at all asks for help; it is no mistake."""
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help(), color=ctx.color)
            ctx.exit()
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Every command with its whole first sentence; click would cut it at the end of the line."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, one.get_short_help_str(_LONGEST)) for name, one in commands if one]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names."""
        names = self.list_commands(ctx)
        if not ctx.resilient_parsing and args[0] not in names and not args[0].startswith("-"):
            said = [f"there is no command {args[0]!r};", did_you_mean(args[0], names)]
            raise click.UsageError(" ".join(filter(None, said)), ctx)
        return super().resolve_command(ctx, args)


class LazyGroup(Group):
    """A command is the function of its name in its module; a dash in the one is a _ in the other.

    Who plays a game need not load the statistics.
    """

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
