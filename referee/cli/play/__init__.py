"""`referee play`: the command, the game that it plays, and its pages in the browser."""

from referee.cli.play.command import play

__all__ = ["play"]
