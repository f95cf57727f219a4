"""`referee tune`: the command, and its run in the terminal."""

from referee.cli.tune.command import tune

__all__ = ["tune"]
