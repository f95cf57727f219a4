"""`referee analyse`, `referee hint` and `referee lesson`: what was good, and what is better."""

from referee.cli.analyse.command import analyse

__all__ = ["analyse"]
