"""`referee reask`: send a bot the messages of a recorded game and compare its answers."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from referee import terminal
from referee.bots.build import build_bot
from referee.bots.find import find_bot
from referee.bots.reaper import REAPER
from referee.cli import completion
from referee.cli.lazy import examples
from referee.cli.options import SandboxGiven, sandbox_options
from referee.errors import RecordRefused
from referee.match.reask import Reasking, ReaskPlayer, ReaskResult, asked_seat
from referee.terminal import guarded, records
from referee.terminal.game.stderr import StderrPrinter

SAME, DIFFERENT = 0, 1


@click.command(
    epilog=examples(
        "referee reask game.jsonl my-bot/",
        "referee reask game.jsonl random --seat 2 --json",
        "referee reask game.jsonl my-bot/ --at 120",
        'referee reask game.jsonl "./my-bot --debug" --seat 0 --no-clock --stderr',
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
@click.option(
    "--at",
    type=click.IntRange(min=1),
    metavar="ID",
    help="Compare only the answer to this decision, the last one that is asked.",
)
@click.option("--no-clock", is_flag=True, help="Give the bot unlimited time, for debugging.")
@click.option(
    "--stderr",
    "prints_stderr",
    is_flag=True,
    help="Print what the bot writes to stderr, as it comes, on stderr.",
)
@click.option(
    "--all", "show_all", is_flag=True, help="List all differences, not only the first 20."
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
@sandbox_options
def reask(
    record: Path,
    bot: str,
    seat: int | None,
    at: int | None,
    no_clock: bool,
    prints_stderr: bool,
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
    if at is not None:
        seat = _seat_at(record, at, seat)
    player = partial(ReaskPlayer, found, in_time=not no_clock)
    result = _reask(record, player, seat, at, prints_stderr=prints_stderr)
    if as_json:
        guarded(terminal.show_json)({**result.to_dict(), "sandbox": sandboxed.description})
    else:
        guarded(records.show_reasked)(result, show_all)
        guarded(terminal.aside)(sandboxed.description)
    return SAME if result.is_same else DIFFERENT


def _seat_at(record: Path, at: int, seat: int | None) -> int:
    asked = asked_seat(record, at)
    if seat not in (None, asked):
        raise RecordRefused(f"decision {at} was asked of seat {asked}: leave out --seat {seat}")
    return asked


def _reask(
    record: Path,
    make_player: Callable[[Path], ReaskPlayer],
    seat: int | None,
    at: int | None,
    *,
    prints_stderr: bool,
) -> ReaskResult:
    with tempfile.TemporaryDirectory(prefix="referee-stderr-") as folder:
        stderr = Path(folder, "stderr.txt")
        player = make_player(stderr)
        with StderrPrinter() as printer:
            if prints_stderr:
                printer.follow(player.name, stderr)
            try:
                result = Reasking(record, player, seat, at).run()
                player.close()
            finally:
                player.dismiss()
    return result
