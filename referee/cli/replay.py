"""`referee replay`: watch a recorded game."""

from __future__ import annotations

from pathlib import Path

import click

from referee import terminal
from referee.cli.lazy import examples
from referee.errors import RecordRefused
from referee.match.recorded_request import recorded_request
from referee.replay.position import Viewpoint, viewpoint_of
from referee.replay.timeline import Timeline, open_timeline
from referee.terminal import guarded
from referee.terminal.full_screen.raw_terminal import can_be_watched
from referee.terminal.replay.plain import (
    JsonReplay,
    PlainReplay,
    follow,
    show_request,
    show_steps,
    wait_for_first_line,
)
from referee.terminal.replay.screen import watch
from referee.text import printable
from referee.web.game.page import write_page


@click.command(
    epilog=examples(
        "referee replay game.jsonl",
        "referee replay game.jsonl --turn 12",
        "referee replay game.jsonl --request 120 > request.json",
        "referee replay game.jsonl --follow",
        "referee replay game.jsonl --json --seat 2",
        "referee replay game.jsonl --html game.html",
        "referee replay game.jsonl --html game.html --seat 1",
    )
)
@click.argument("record", type=click.Path(path_type=Path), metavar="RECORD")
@click.option(
    "--html",
    "page",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the game to this file, as a web page that needs no other files.",
)
@click.option(
    "--seat", type=click.IntRange(0), metavar="N", help="Show only what this seat can see."
)
@click.option(
    "--turn",
    type=click.IntRange(1),
    metavar="N",
    help="Print only turn N, and the position after it.",
)
@click.option(
    "--until",
    type=click.IntRange(0),
    metavar="N",
    help="Print the game up to decision N, and the position after it; 0 is the set-up.",
)
@click.option(
    "--request",
    type=click.IntRange(1),
    metavar="ID",
    help="Print the exact message by which the bot was asked decision ID.",
)
@click.option(
    "--follow",
    "follows",
    is_flag=True,
    help="Print a game while it is being played, until it is over.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each decision.")
def replay(
    record: Path,
    page: Path | None,
    seat: int | None,
    turn: int | None,
    until: int | None,
    request: int | None,
    follows: bool,
    as_json: bool,
) -> None:
    """Watch a recorded game.

    In a terminal, step through the game with keys; ? lists them. Without a terminal, or with --turn,
    --until, --follow or --json, the game is printed: the log, then the board, the desks and the score.

    --request prints the bytes that the bot got, in the encoding and detail of its hello. On a
    terminal, MessagePack is shown as JSON.
    """
    given = _given_one(
        {
            "--html": page,
            "--turn": turn,
            "--until": until,
            "--request": request,
            "--follow": follows or None,
        }
    )
    if request is not None:
        if as_json or seat is not None:
            raise click.UsageError("--request prints one message: leave out --json and --seat")
        guarded(show_request)(recorded_request(record, request))
        return
    if page is not None:
        if as_json:
            raise click.UsageError("--html and --json are mutually exclusive")
        write_page(record, page, seat)
        terminal.say(f"Written: {page}")
        return
    timeline = wait_for_first_line(record) if follows else open_timeline(record)
    viewpoint = viewpoint_of(timeline, seat)
    if not given and not as_json and can_be_watched():
        guarded(watch)(timeline, viewpoint)
    else:
        guarded(_print)(timeline, viewpoint, turn, until, follows, as_json)


def _given_one(options: dict[str, object]) -> bool:
    """Whether one of these options was given; UsageError if more than one was."""
    given = [name for name, value in options.items() if value is not None]
    if len(given) > 1:
        raise click.UsageError(f"{', '.join(options)} are mutually exclusive")
    return bool(given)


def _print(
    timeline: Timeline,
    viewpoint: Viewpoint,
    turn: int | None,
    until: int | None,
    follows: bool,
    as_json: bool,
) -> None:
    output: PlainReplay | JsonReplay = PlainReplay(timeline, viewpoint)
    if as_json:
        output = JsonReplay(timeline, viewpoint)
    if follows:
        follow(timeline, output)
    elif turn is not None:
        show_steps(output, *_steps_of_turn(timeline, turn))
    else:
        show_steps(output, 0, _last_step(timeline, until))


def _steps_of_turn(timeline: Timeline, turn: int) -> tuple[int, int]:
    """The first and the last step of a turn; RecordRefused if the game has no such turn."""
    turns = timeline.turns
    if turn > len(turns):
        name = printable(str(timeline.path))
        raise RecordRefused(f"{name} has no turn {turn}: its turns are 1 to {len(turns)}")
    last = turns[turn].step if turn < len(turns) else timeline.last
    return min(turns[turn - 1].step + 1, last), last


def _last_step(timeline: Timeline, until: int | None) -> int:
    if until is not None and until > timeline.last:
        name = printable(str(timeline.path))
        raise RecordRefused(f"{name} has no decision {until}: its last decision is {timeline.last}")
    return timeline.last if until is None else until
