"""`referee new-bot`: write a starter kit for a new bot."""

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
    help="Programming language of the bot.",
)
@click.option("--name", help="Name of the bot.  [default: the name of the folder]")
def new_bot(folder: Path, language: str, name: str | None) -> None:
    """Create a new bot in the folder DIR.

    The new bot is complete and plays at random. It has a marked place for your own code, tests for
    the standard test tool of its language, a README, and AGENTS.md, a page with the essentials for
    coding assistants. DIR is created; if it exists, it must be empty.
    """
    name = make_bot(folder, language, name)
    kit, place = LANGUAGES[language], shlex.quote(str(folder))
    terminal.say(f"Created {name}, a bot in {kit.title}.")
    if missing := lacking(language):
        terminal.say(f"It needs {' and '.join(missing)}, which this machine does not have.")
    terminal.say(f"Write your own code in {folder / kit.think}. Then:")
    terminal.say(f"  referee check {place}")
    terminal.say(f"  referee play {place} random random")
    terminal.say(f"  cd {place} && {kit.test}")
