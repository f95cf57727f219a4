"""Options of all commands that can show what they do in a browser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import click

from referee.cli.help_sections import BROWSER, option
from referee.cli.options import gather
from referee.web.live.process import DEFAULT_HOST

_LAST_PORT: Final = 65535


@dataclass(frozen=True)
class ServeGiven:
    """Whether pages are served, where, and for which names of this machine."""

    browser: bool = False
    serve: tuple[str, int] | None = None  # host and port
    allow_host: tuple[str, ...] = ()

    @property
    def is_wanted(self) -> bool:
        """Whether pages are served."""
        return self.browser or self.serve is not None

    @property
    def place(self) -> tuple[str, int]:
        """The host and the port, which is 0 for any free one."""
        return self.serve or (DEFAULT_HOST, 0)

    def check(self) -> None:
        """UsageError for options that need another one."""
        if self.allow_host and not self.is_wanted:
            raise click.UsageError("--allow-host needs --browser or --serve")


def _place(
    _: click.Context, __: click.Parameter, value: str | None
) -> tuple[str, int] | None:
    """The host and port of [HOST:]PORT; None if the option was not given."""
    if value is None:
        return None
    host, _, port = value.rpartition(":")
    if not (port.isascii() and port.isdigit() and int(port[:6]) <= _LAST_PORT):
        raise click.BadParameter(
            f"{value!r} is not a port, or a host and a port: 8000, 0.0.0.0:8000, [::]:8000"
        )
    return host.strip("[]") or DEFAULT_HOST, int(port)


serve_options = gather(
    "serving",
    ServeGiven,
    option(
        BROWSER,
        "--browser",
        is_flag=True,
        help="Show the game in a browser: opens a page, and prints its address.",
    ),
    option(
        BROWSER,
        "--serve",
        callback=_place,
        metavar="[HOST:]PORT",
        help="Serve the pages at this address, and open no browser unless --browser is given. A host"
        f" that other machines can reach must be named.  [default: {DEFAULT_HOST}, any free port]",
    ),
    option(
        BROWSER,
        "--allow-host",
        multiple=True,
        metavar="NAME",
        help="Answer also requests for this name of the machine. May be repeated.",
    ),
)
