"""`referee play`: one game with real bots, as it goes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, nullcontext
from pathlib import Path
from random import Random

import click

from referee import console, report
from referee.bots.find import Bot, find_bots
from referee.bots.reaper import REAPER
from referee.bots.sandbox.levels import put_inside
from referee.bots.sandbox.limits import parse_grants
from referee.cli import completion
from referee.cli.examples import examples
from referee.cli.options import (
    ClockGiven,
    ConductGiven,
    RulesGiven,
    SandboxGiven,
    clock_options,
    conduct_options,
    rules_options,
    sandbox_options,
    seed_option,
)
from referee.cli.tables import LaidTable, new_table, referee_settings, table_from
from referee.console_play import JsonShow, LogShow, QuietShow, Show, guarded
from referee.engine.state import GameState
from referee.errors import BotSilent, RecordRefused
from referee.match.players import Answer, BotPlayer
from referee.match.runner import Noted, Outcome, Watcher
from referee.match.session import Logs, Session, stderr_file
from referee.records.resume import Record

CLEAN, AT_FAULT, VOID = 0, 1, 2


@click.command(
    epilog=examples(
        "referee play random random random",
        "referee play random my-bot/ --board east --record game.jsonl",
        'referee play random "new=./my-bot --depth 2" --no-clock --stop-at-fault',
        "referee play human random random --missions",
        "referee play random random --like game.jsonl --json",
        "referee play random my-bot/ --from game.jsonl --at 120",
    )
)
@click.argument("bots", nargs=-1, required=True, metavar="BOT...", shell_complete=completion.bots)
@rules_options
@seed_option
@click.option("--shuffle-seats", is_flag=True, help="Seat the bots by the seed.")
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the record of the game, .jsonl or .jsonl.gz.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one event a line, then the result.")
@click.option("--quiet", is_flag=True, help="Print one line: the result.")
@click.option("--board-each-turn", is_flag=True, help="Draw the board after each turn.")
@click.option("--stop-at-fault", is_flag=True, help="Stop the game when a bot is at fault.")
@clock_options
@conduct_options
@sandbox_options
@click.option(
    "--from",
    "origin",
    type=click.Path(path_type=Path),
    metavar="RECORD",
    help="Go on from a recorded position, with the settings of its record.",
)
@click.option(
    "--at",
    type=click.IntRange(min=1),
    metavar="ID",
    help="The decision to go on from.  [default: where the record breaks off]",
)
@click.option(
    "--like",
    type=click.Path(path_type=Path),
    metavar="RECORD",
    help="Repeat the settings of a record: board, rules, seed, clock, strikes and game id.",
)
def play(
    bots: tuple[str, ...],
    rules: RulesGiven,
    clock: ClockGiven,
    conduct: ConductGiven,
    inside: SandboxGiven,
    seed: int | None,
    shuffle_seats: bool,
    record: Path | None,
    as_json: bool,
    quiet: bool,
    board_each_turn: bool,
    stop_at_fault: bool,
    origin: Path | None,
    at: int | None,
    like: Path | None,
) -> int:
    """Play one game, a BOT for each seat, in the order given.

    A BOT is a folder with bot.toml, the name of a bundled bot (random), or a command in quotes;
    `human` is a person at this terminal. NAME=BOT gives it a name.

    The exit status is 0, or 1 if a bot was at fault, 2 if something was refused.
    """
    _check_usage([as_json, quiet, board_each_turn], rules, seed, origin, at, like)
    seats = find_bots(bots)
    if as_json or quiet:
        _refuse_people(seats)
    source = _source(origin or like, len(seats))
    settings = referee_settings(source, clock, conduct, stop_at_fault=stop_at_fault)
    if source is not None and origin is not None:
        game = table_from(source, at, settings)
    else:
        game = new_table([bot.name for bot in seats], rules, seed, settings, source)
    if shuffle_seats:
        Random(f"seats {game.table.seed}").shuffle(seats)
    names = [bot.name for bot in seats]
    apart = [] if record is None else [record]
    grants = parse_grants(inside.limit)
    sandboxed = put_inside(seats, inside.sandbox, grants=grants, apart=apart)
    told = sandboxed.description
    show: Show = LogShow(game.table.board, names, boards=board_each_turn, sandbox=told)
    if as_json or quiet:
        show = JsonShow(told) if as_json else QuietShow()
    return _referee(sandboxed.bots, game, show, record, conduct)


def _check_usage(
    shows: list[bool],
    rules: RulesGiven,
    seed: int | None,
    origin: Path | None,
    at: int | None,
    like: Path | None,
) -> None:
    if sum(shows) > 1:
        raise click.UsageError("only one of --json, --quiet and --board-each-turn can be")
    if at is not None and origin is None:
        raise click.UsageError("--at needs --from")
    if origin is None:
        return
    fixed = rules.any_given() or ("--seed" if seed is not None else None)
    if like is not None:
        raise click.UsageError(
            "--from repeats the settings of its record: --like cannot be as well"
        )
    if fixed:
        raise click.UsageError(f"--from goes on with the rules of its record: {fixed} cannot be")


def _source(path: Path | None, players: int) -> Record | None:
    """The record to take settings from, if there is one; it must be of as many players."""
    if path is None:
        return None
    source = Record(path)
    seated = len(source.header.players)
    if seated != players:
        raise RecordRefused(f"{path} is a game of {seated} players, not of {players}")
    return source


def _refuse_people(seats: list[Bot]) -> None:
    if any(bot.is_human for bot in seats):
        raise click.UsageError("a person needs to see the game: --json and --quiet are for bots")


def _referee(
    seats: list[Bot], game: LaidTable, show: Show, record: Path | None, conduct: ConductGiven
) -> int:
    """Play it; the exit status."""
    REAPER.take_charge()
    logs = Logs(record)
    keep = False
    try:
        terminal = show.screen() if isinstance(show, LogShow) else None
        with Session(
            seats, logs, ponder=conduct.ponder, terminal=terminal, tell=console.note
        ) as session:
            table = game.table
            session.greet(table.settings.clock)
            # Opened after that: a bot that does not start costs no earlier record.
            written = session.record(record, table.board, game.past) if record else None
            with closing(written) if written else nullcontext():
                faults: list[report.FaultWords] = []
                outcome = session.play(
                    table,
                    record=written,
                    watcher=_watcher(show, session, game, faults),
                    state=game.state,
                )
        keep = bool(faults) or outcome.void is not None
        return _finish(show, outcome, session, faults, conduct)
    except BotSilent as error:
        keep = True
        console.complain(str(error))
        return AT_FAULT
    finally:
        logs.tidy(keep=keep)


def _watcher(
    show: Show, session: Session, game: LaidTable, faults: list[report.FaultWords]
) -> Watcher:
    """What the runner tells, on its way to the one who shows it."""
    allowed = game.table.settings.strikes

    def faulted(_: GameState, noted: Noted) -> None:
        player = session.players[noted.seat]
        stderr = stderr_file(player.stderr) if isinstance(player, BotPlayer) else None
        words = report.fault_words(noted, player.name, allowed, stderr)
        if isinstance(player, BotPlayer):  # a person who leaves is no bot at fault
            faults.append(words)
        show.faulted(words)

    def slow(state: GameState, answer: Answer) -> None:
        show.slow(state.agenda[-1].seat, answer.ms, answer.core_wait_ms)

    return Watcher(
        applied=guarded(_opening(show, game)),
        faulted=guarded(faulted),
        slow=guarded(slow),
        said=guarded(show.said),
    )


def _opening(show: Show, game: LaidTable) -> Callable[[GameState], None]:
    """`applied`, with the heading before the first time."""
    opened = False

    def applied(state: GameState) -> None:
        nonlocal opened
        if not opened:
            opened = True
            show.opened(state, game.table.seed, game.origin)
        show.applied(state)

    return applied


def _finish(
    show: Show,
    outcome: Outcome,
    session: Session,
    faults: list[report.FaultWords],
    conduct: ConductGiven,
) -> int:
    if outcome.void is not None:
        console.complain(f"the game is void, by an error of the referee: {outcome.void}")
        return VOID
    players: list[report.PlayerWords] = []
    for seat, player in enumerate(session.players):
        watched = conduct.ponder != "allow" and isinstance(player, BotPlayer)
        pondered = player.pondered_ms if isinstance(player, BotPlayer) else 0.0
        players.append(
            {
                "seat": seat,
                "name": player.name,
                "version": player.version,
                "hash": player.content,
                "pondered_ms": round(pondered, 1) if watched else None,
            }
        )
    result = report.report(outcome, players, faults)
    guarded(show.finished)(outcome.state, result)
    return AT_FAULT if faults else CLEAN
