"""`referee new-bot`: a starter kit for a bot of one's own."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from referee import terminal
from referee.bots.starter_kits import LANGUAGES, lacking, make_bot
from referee.cli.lazy import examples


@click.command(
    "new-bot",
    epilog=examples(
        "referee new-bot my-bot --language python",
        "referee new-bot ~/bots/fast --language rust --name Fast.1",
        "referee check my-bot",
    ),
)
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--language",
    type=click.Choice(tuple(LANGUAGES)),
    required=True,
    help="What to write it in.",
)
@click.option("--name", help="What the bot is called.  [default: as the folder]")
def new_bot(folder: Path, language: str, name: str | None) -> None:
    """Make a bot of your own to begin with, in DIR.

    It is a whole bot that plays at random, with a place for your own thinking, tests in the usual
    way of its language, and a README. DIR is made; if it is there, it must be empty.
    """
    name = make_bot(folder, language, name)
    kit, place = LANGUAGES[language], shlex.quote(str(folder))
    terminal.say(f"{name} is made, a bot in {kit.title}.")
    if missing := lacking(language):
        terminal.say(f"It needs {' and '.join(missing)}, not found on this machine.")
    terminal.say(f"  {folder / kit.think} is the place for your own thinking")
    terminal.say(f"  referee check {place}")
    terminal.say(f"  referee play {place} random random")
    terminal.say(f"  cd {place} && {kit.test}")
