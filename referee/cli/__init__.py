"""The command `referee`: one module a command; they parse, call and print."""

from referee.cli.group import main

__all__ = ["main"]
