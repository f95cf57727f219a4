"""`referee reask`: send a bot the messages of a recorded game and compare its answers."""

from __future__ import annotations

from pathlib import Path

import click

from referee import terminal
from referee.bots.build import build_bot
from referee.bots.find import find_bot
from referee.bots.reaper import REAPER
from referee.cli import completion
from referee.cli.lazy import examples
from referee.cli.options import SandboxGiven, sandbox_options
from referee.match.reask import Reasking, ReaskPlayer, ReaskResult
from referee.match.session import Logs, stderr_file
from referee.terminal import guarded, records

SAME, DIFFERENT = 0, 1


@click.command(
    epilog=examples(
        "referee reask game.jsonl my-bot/",
        "referee reask game.jsonl random --seat 2 --json",
        'referee reask game.jsonl "./my-bot --debug" --seat 0 --no-clock',
    )
)
@click.argument("record", type=click.Path(path_type=Path), metavar="RECORD")
@click.argument("bot", metavar="BOT", shell_complete=completion.bots)
@click.option(
    "--seat",
    type=click.IntRange(min=0),
    metavar="N",
    help="Seat whose messages the bot gets.  [default: the seat with the bot's name or hash]",
)
@click.option("--no-clock", is_flag=True, help="Give the bot unlimited time, for debugging.")
@click.option(
    "--all", "show_all", is_flag=True, help="List all differences, not only the first 20."
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
@sandbox_options
def reask(
    record: Path,
    bot: str,
    seat: int | None,
    no_clock: bool,
    show_all: bool,
    as_json: bool,
    isolation: SandboxGiven,
) -> int:
    """Send a bot the messages of a recorded game, and compare its answers with the recorded ones.

    BOT gets exactly the messages that one seat of RECORD got. The game continues as recorded,
    whatever the bot answers now. A bot that uses random numbers gives the same answers only if it
    takes its random seed from the game's ID and its seat.

    The exit status is 0 if all answers are the same, 1 if one is different or the bot commits a
    fault, and 2 for any other error.
    """
    found = find_bot(bot)
    if found.is_human:
        raise click.UsageError("a person cannot be asked again: name a bot instead of human")
    sandboxed = isolation.put([found], [record])
    (found,) = sandboxed.bots
    REAPER.take_charge()
    build_bot(found, terminal.note, [record])
    logs = Logs()
    stderr = logs.file(found.name)
    player = ReaskPlayer(found, stderr, in_time=not no_clock)
    keep = False
    try:
        result = Reasking(record, player, seat).run()
        player.close()
        keep = not result.is_same
        if as_json:
            guarded(terminal.show_json)({**result.to_dict(), "sandbox": sandboxed.description})
        else:
            _show(result, show_all, stderr if keep else None)
            guarded(terminal.aside)(sandboxed.description)
    finally:
        player.dismiss()
        logs.tidy(keep=keep)
    return SAME if result.is_same else DIFFERENT


def _show(result: ReaskResult, show_all: bool, stderr: Path | None) -> None:
    where = stderr_file(stderr) if stderr is not None else None
    guarded(records.show_reasked)(result, show_all, where)
