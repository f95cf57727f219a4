"""`referee replay`: a recorded game, to be watched."""

from __future__ import annotations

from pathlib import Path

import click

from referee import terminal
from referee.cli.lazy import examples
from referee.errors import RecordRefused
from referee.records.lines import printable
from referee.replay.timeline import Timeline, open_timeline
from referee.terminal.game.play import guarded
from referee.terminal.replay.plain import (
    JsonShow,
    PlainShow,
    can_be_watched,
    follow,
    show_steps,
    wait_for_the_first_line,
)
from referee.terminal.replay.screen import watch
from referee.web.game.page import write_page


@click.command(
    epilog=examples(
        "referee replay game.jsonl",
        "referee replay game.jsonl --turn 12",
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
    help="Write the game as one web page that needs nothing else.",
)
@click.option(
    "--seat", type=click.IntRange(0), metavar="N", help="Show only what this seat could see."
)
@click.option(
    "--turn", type=click.IntRange(1), metavar="N", help="Print a turn, and the position after it."
)
@click.option(
    "--until",
    type=click.IntRange(0),
    metavar="N",
    help="Print the game up to decision N, and the position after it; 0 is the set-up.",
)
@click.option(
    "--follow", "follows", is_flag=True, help="Print a game while it is written, until it is over."
)
@click.option("--json", "as_json", is_flag=True, help="Print one object a decision.")
def replay(
    record: Path,
    page: Path | None,
    seat: int | None,
    turn: int | None,
    until: int | None,
    follows: bool,
    as_json: bool,
) -> None:
    """Watch a recorded game.

    On a terminal it is gone through with keys; ? lists them. Elsewhere, and with --turn, --until,
    --follow or --json, it is printed: the log, then board, desks and score.
    """
    given = _only_one(
        {"--html": page, "--turn": turn, "--until": until, "--follow": follows or None}
    )
    if page is not None:
        if as_json:
            raise click.UsageError("--html writes a page: --json cannot be as well")
        write_page(record, page, seat)
        terminal.say(f"Written: {page}")
        return
    timeline = wait_for_the_first_line(record) if follows else open_timeline(record)
    _check_seat(timeline, seat)
    if not given and not as_json and can_be_watched():
        guarded(watch)(timeline, seat)
    else:
        guarded(_print)(timeline, seat, turn, until, follows, as_json)


def _only_one(options: dict[str, object]) -> bool:
    """Whether one of these was given; more than one cannot be."""
    given = [name for name, value in options.items() if value is not None]
    if len(given) > 1:
        raise click.UsageError(f"only one of {', '.join(options)} can be")
    return bool(given)


def _check_seat(timeline: Timeline, seat: int | None) -> None:
    if seat is not None and seat >= timeline.rules.players:
        most, name = timeline.rules.players - 1, printable(str(timeline.path))
        raise RecordRefused(f"{name} has no seat {seat}: they go from 0 to {most}")


def _print(
    timeline: Timeline,
    seat: int | None,
    turn: int | None,
    until: int | None,
    follows: bool,
    as_json: bool,
) -> None:
    show: PlainShow | JsonShow = PlainShow(timeline, seat)
    if as_json:
        show = JsonShow(timeline, seat)
    if follows:
        follow(timeline, show)
    elif turn is not None:
        show_steps(show, *_steps_of_turn(timeline, turn))
    else:
        show_steps(show, 0, _last_step(timeline, until))


def _steps_of_turn(timeline: Timeline, turn: int) -> tuple[int, int]:
    """The first and the last decision of a turn."""
    turns = timeline.turns
    if turn > len(turns):
        name = printable(str(timeline.path))
        raise RecordRefused(f"{name} has no turn {turn}: they go from 1 to {len(turns)}")
    last = turns[turn].step if turn < len(turns) else timeline.last
    return min(turns[turn - 1].step + 1, last), last


def _last_step(timeline: Timeline, until: int | None) -> int:
    if until is not None and until > timeline.last:
        name = printable(str(timeline.path))
        raise RecordRefused(f"{name} has no decision {until}: they go up to {timeline.last}")
    return timeline.last if until is None else until
