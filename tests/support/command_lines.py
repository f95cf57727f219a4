"""Command lines of the referee, parsed but not run."""

from __future__ import annotations

import shlex

import click

from public_api import commands
from referee.cli import main

COMMANDS = dict(commands())


def command_of(text: str) -> tuple[click.Command, list[str]]:
    """Return the command of a command line, and its arguments."""
    words = shlex.split(text.partition(" > ")[0])
    name, rest = words[0], words[1:]
    while rest and f"{name} {rest[0]}" in COMMANDS:
        name, rest = f"{name} {rest[0]}", rest[1:]
    return COMMANDS[name], rest


def parse_command_line(text: str) -> None:
    """Parse a command line without running it; raises click's exceptions if it is wrong."""
    command, words = command_of(text)
    if "--help" not in words:
        # click keeps the help option of the first context: it must be that of all commands.
        command.make_context(command.name, words, **main.context_settings)
