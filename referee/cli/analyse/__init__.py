"""`referee analyse`: the command."""

from referee.cli.analyse.command import analyse

__all__ = ["analyse"]
