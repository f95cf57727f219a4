"""Help pages with the options under headings.

Create options with `option(HEADING, "--name", ...)` and the command with `cls=SectionedCommand`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import click

BOTS: Final = "Bots and seats"
GAME: Final = "Game"
SCHEDULE: Final = "Schedule"
WORKERS: Final = "Workers"
CLOCKS: Final = "Clocks and faults"
SANDBOX: Final = "Sandbox"
RESUME: Final = "Resume"
BROWSER: Final = "Browser"
OUTPUT: Final = "Output"
# In this order.
HEADINGS: Final = (BOTS, GAME, SCHEDULE, WORKERS, CLOCKS, SANDBOX, RESUME, BROWSER, OUTPUT)

_WIDEST_NAME: Final = 30  # characters; click puts the help of a longer option on the next line


class SectionedOption(click.Option):
    """An option that knows its heading; in an ordinary command it is an ordinary option."""

    def __init__(self, *arguments: Any, heading: str, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.heading = heading

    def get_help_extra(self, ctx: click.Context) -> Any:  # click 8.1 has neither method nor type
        """Leave out click's note on the range, such as [0<=x<=1000]; the help text says what matters."""
        extra = super().get_help_extra(ctx)
        extra.pop("range", None)
        return extra


def option(
    heading: str, *names: str, **settings: Any
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Like click.option, with the heading (one of HEADINGS) under which help pages show it."""
    return click.option(*names, cls=SectionedOption, heading=heading, **settings)


class SectionedCommand(click.Command):
    """A command whose help page shows every option under its heading."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections in the order of HEADINGS; --help is the last option of the last one."""
        sections: dict[str, list[tuple[str, str]]] = {heading: [] for heading in HEADINGS}
        for parameter in self.get_params(ctx):
            row = parameter.get_help_record(ctx)
            if row is not None and isinstance(parameter, click.Option):
                sections[getattr(parameter, "heading", OUTPUT)].append(row)
        names = [name for rows in sections.values() for name, _ in rows]
        width = min(max(map(len, names)), _WIDEST_NAME)
        for heading, rows in sections.items():
            if rows:
                with formatter.section(heading):
                    # Padded, so that the help texts of all sections begin in the same column.
                    formatter.write_dl([(name.ljust(width), text) for name, text in rows])
