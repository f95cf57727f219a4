"""The options of commands that start a server, and what they print about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import click

from referee import terminal
from referee.cli.help_sections import OUTPUT, option
from referee.web.live.page_opener import open_page
from referee.web.live.process import DEFAULT_HOST, Address

DEFAULT_PORT: Final = 8642
MOST_DELAY: Final = 10_000

Command = Callable[..., Any]


def place_of(text: str) -> tuple[str, int]:
    """The host and the port of `[HOST:]PORT`; BadParameter if it is something else."""
    host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdigit() and int(port[:6]) < 1 << 16):
        raise click.BadParameter(f"{text!r} is not [HOST:]PORT, such as 8000 or 0.0.0.0:8000")
    return host.strip("[]") or DEFAULT_HOST, int(port)


def _place(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, int] | None:
    return None if value is None else place_of(value)


def place_option(name: str, text: str, heading: str = OUTPUT) -> Callable[[Command], Command]:
    """The option that says where a server listens; its value is called `place`."""
    return option(heading, name, "place", callback=_place, metavar="[HOST:]PORT", help=text)


def allow_host_option(heading: str = OUTPUT) -> Callable[[Command], Command]:
    """The option for more names of the server."""
    return option(
        heading,
        "--allow-host",
        "allowed_hosts",
        multiple=True,
        metavar="NAME",
        help="Answer requests to this name, too; loopback names and the server's own address are"
        " allowed. May be repeated.",
    )


def delay_option(heading: str = OUTPUT) -> Callable[[Command], Command]:
    """The option that holds back what spectators see."""
    return option(
        heading,
        "--delay",
        type=click.IntRange(0, MOST_DELAY),
        default=0,
        metavar="N",
        help="Show each running game N decisions late.",
    )


def announce(address: Address, *, opens: bool) -> None:
    """Say where the server is, and who can reach it; open a browser if that was asked for."""
    terminal.note(f"In the browser: {address.url}")
    if not address.is_loopback:
        terminal.note(
            "Other machines can reach this server. The traffic is not encrypted: use it only in a"
            " network that you trust."
        )
    if opens:
        open_page(address.url)
