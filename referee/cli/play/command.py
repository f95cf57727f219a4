"""`referee play`: play one game and show it."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import replace
from pathlib import Path
from random import Random

import click

from referee import terminal
from referee.adjudication.faults import FaultRecord
from referee.adjudication.standings import Outcome
from referee.bots.find import Bot, find_bots
from referee.bots.reaper import REAPER
from referee.cli import completion
from referee.cli.help_sections import BOTS, CLOCKS, OUTPUT, RESUME, SectionedCommand, option
from referee.cli.lazy import examples
from referee.cli.options import (
    ClockGiven,
    FaultsGiven,
    SandboxGiven,
    clock_options,
    fault_options,
    rules_options,
    sandbox_options,
    seed_option,
)
from referee.cli.play.browser import BrowserGame, BrowserGiven, browser_options, served_game
from referee.cli.play.setup import PlaySetup, continued_game, new_game, referee_settings
from referee.engine.state import GameState
from referee.errors import BotSilent, RecordRefused
from referee.match.hints import Adviser
from referee.match.players import Answer, BotPlayer
from referee.match.runner import GameListener
from referee.match.session import Logs, Session
from referee.narration.result import GameSummary, PlayerSummary, missions_of
from referee.options import GivenOptions
from referee.records.resume import Record
from referee.terminal import guarded
from referee.terminal.game.play import (
    GameDisplay,
    JsonGameDisplay,
    LogGameDisplay,
    QuietGameDisplay,
)
from referee.terminal.game.stderr import StderrPrinter
from referee.text import no_such_bot, shell_word

CLEAN, AT_FAULT, VOID = 0, 1, 2
HINT_MS = 1500.0  # of CPU time, for a person who waits


@click.command(
    cls=SectionedCommand,
    epilog=examples(
        "referee play random random random",
        "referee play random my-bot/ --board east --record game.jsonl",
        'referee play random "new=./my-bot --depth 2" --no-clock --stop-at-fault',
        "referee play human random random --missions",
        "referee play human navigator merchant --hints",
        "referee play human navigator merchant greedy --browser",
        "referee play random random --like game.jsonl --json",
        "referee play random my-bot/ --from game.jsonl --at 120",
        "referee play my-bot/ random --stderr my-bot",
    ),
)
@click.argument("bots", nargs=-1, required=True, metavar="BOT...", shell_complete=completion.bots)
@rules_options
@seed_option
@option(
    BOTS,
    "--shuffle-seats",
    is_flag=True,
    help="Seat the bots in a random order, which depends on the seed.",
)
@option(
    BOTS,
    "--hints",
    is_flag=True,
    help="Each `human` may ask for hints (key h); the record says when.",
)
@option(
    OUTPUT,
    "--record",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the record of the game to this file, .jsonl or .jsonl.gz.",
)
@option(
    OUTPUT,
    "--json",
    "as_json",
    is_flag=True,
    help="Print one JSON object per line: the events, then the result.",
)
@option(OUTPUT, "--quiet", is_flag=True, help="Print only the result, on one line.")
@option(OUTPUT, "--board-each-turn", is_flag=True, help="Draw the board after each turn.")
@option(
    OUTPUT,
    "--stderr",
    "followed",
    multiple=True,
    metavar="NAME",
    help="Print what this bot writes to stderr, as it comes, on stderr; may be repeated.",
)
@browser_options
@clock_options
@fault_options
@option(CLOCKS, "--stop-at-fault", is_flag=True, help="Stop the game when a bot commits a fault.")
@sandbox_options
@option(
    RESUME,
    "--from",
    "origin",
    type=click.Path(path_type=Path),
    metavar="RECORD",
    help="Continue the game in this record, with its rules, seed, clock and strike limit.",
)
@option(
    RESUME,
    "--at",
    type=click.IntRange(min=1),
    metavar="ID",
    help="With --from: the first decision to play.  [default: the end of the record]",
)
@option(
    RESUME,
    "--like",
    type=click.Path(path_type=Path),
    metavar="RECORD",
    help="Play a new game with this record's board, rules, seed, clock, strike limit and game id.",
)
def play(
    bots: tuple[str, ...],
    rules: GivenOptions,
    pages: BrowserGiven,
    clock: ClockGiven,
    fault_rules: FaultsGiven,
    isolation: SandboxGiven,
    seed: int | None,
    shuffle_seats: bool,
    hints: bool,
    record: Path | None,
    as_json: bool,
    quiet: bool,
    board_each_turn: bool,
    followed: tuple[str, ...],
    stop_at_fault: bool,
    origin: Path | None,
    at: int | None,
    like: Path | None,
) -> int:
    """Play one game, with one BOT for each seat.

    The first BOT has seat 0. A BOT is a folder with bot.toml, the name of a bundled bot (such as
    random), a command in quotes, or `human` for a person at this terminal or in a browser; NAME=BOT
    gives it a name, and 'BOT --set PARAMETER=VALUE' another value of a parameter of its bot.toml.

    The exit status is 0 when the game was played without faults, 1 when a bot committed a fault,
    and 2 when the game could not be played.
    """
    _check_usage([as_json, quiet, board_each_turn], rules, seed, origin, at, like)
    pages.check(record)
    seats = find_bots(bots)
    if hints and not any(bot.is_human for bot in seats):
        raise click.UsageError("--hints needs a human player")
    if (as_json or quiet) and not pages.is_wanted:
        _refuse_people(seats)
    source = _source(origin or like, len(seats))
    settings = referee_settings(source, clock, fault_rules, stop_at_fault=stop_at_fault)
    if source is not None and origin is not None:
        game = continued_game(source, at, settings)
    else:
        game = new_game([bot.name for bot in seats], rules, seed, settings, source)
    given = list(zip(seats, bots, strict=True))
    if shuffle_seats:
        Random(f"seats {game.table.seed}").shuffle(given)
    seats = [bot for bot, _ in given]
    names = [bot.name for bot in seats]
    _check_followed(followed, seats)
    apart = [] if record is None else [record]
    has_people = pages.is_wanted and any(bot.is_human for bot in seats)
    sandboxed = isolation.put(seats, apart, "strict" if has_people else "limits")
    sandbox = sandboxed.description
    display: GameDisplay = LogGameDisplay(
        game.table.board, names, boards=board_each_turn, sandbox=sandbox
    )
    if as_json or quiet:
        display = JsonGameDisplay(sandbox) if as_json else QuietGameDisplay()
    served: AbstractContextManager[BrowserGame | None] = nullcontext()
    if pages.is_wanted:
        served = served_game(record, sandboxed, pages, hints=hints)
    try:
        with served as shown:
            adviser = _adviser() if hints else None
            return _referee(
                sandboxed.bots, game, display, record, fault_rules, followed, shown, adviser
            )
    except KeyboardInterrupt:
        if record is not None:
            words = [*(word for _, word in given), *pages.words(), *["--hints"] * hints]
            _note_continuation(words, record, isolation)
        raise


def _adviser() -> Adviser:
    """What gives hints: a process for each."""
    from referee.analysis.hint_process import HintProcess  # noqa: PLC0415  few games need it
    from referee.analysis.lines import Settings  # noqa: PLC0415  the same

    return lambda state, names: HintProcess(state, names, Settings(HINT_MS))


def _note_continuation(words: list[str], record: Path, isolation: SandboxGiven) -> None:
    """Say with which command an interrupted game is continued, if its record allows it."""
    try:
        _, past = Record(record).position(None)
    except RecordRefused:
        return  # it has not begun, or it is over
    file = shell_word(record)
    sandbox = [] if isolation.sandbox is None else ["--sandbox", isolation.sandbox]
    limits = [word for limit in isolation.limit for word in ("--limit", limit)]
    builds = [word for name in isolation.allow_build for word in ("--allow-build", name)]
    options = shlex.join([*words, *sandbox, *limits, *builds])
    terminal.note(
        "\nTo continue this game:"
        f" referee play {options} --from {file} --at {past.at} --record {file}"
    )


def _check_usage(
    shows: list[bool],
    rules: GivenOptions,
    seed: int | None,
    origin: Path | None,
    at: int | None,
    like: Path | None,
) -> None:
    if sum(shows) > 1:
        raise click.UsageError("--json, --quiet and --board-each-turn are mutually exclusive")
    if at is not None and origin is None:
        raise click.UsageError("--at needs --from")
    if origin is None:
        return
    names = [*rules.given(), *(["seed"] if seed is not None else [])]
    if like is not None:
        raise click.UsageError("--from and --like are mutually exclusive")
    if names:
        name = names[0].replace("_", "-")
        raise click.UsageError(f"--from uses the rules of its record: leave out --{name}")


def _source(path: Path | None, players: int) -> Record | None:
    """The record to take settings from, if one is given; it must have as many players."""
    if path is None:
        return None
    source = Record(path)
    seated = len(source.header.players)
    if seated != players:
        raise RecordRefused(
            f"{path} is a game of {seated} players: name {seated} bots, not {players}"
        )
    return source


def _refuse_people(seats: list[Bot]) -> None:
    if any(bot.is_human for bot in seats):
        raise click.UsageError("a human player must see the game: leave out --json and --quiet")


def _check_followed(followed: tuple[str, ...], seats: list[Bot]) -> None:
    names = [bot.name for bot in seats if not bot.is_human]
    for name in followed:
        if name not in names:
            raise click.UsageError(f"--stderr: {no_such_bot(name, names)}")


def _referee(
    seats: list[Bot],
    game: PlaySetup,
    display: GameDisplay,
    record: Path | None,
    fault_rules: FaultsGiven,
    followed: tuple[str, ...],
    pages: BrowserGame | None = None,
    adviser: Adviser | None = None,
) -> int:
    """Play the game and return the exit status."""
    REAPER.take_charge()
    try:
        screen = display.screen() if isinstance(display, LogGameDisplay) else None
        with (
            Logs(record) as logs,
            StderrPrinter() as printer,
            Session(
                seats,
                logs,
                ponder=fault_rules.ponder,
                terminal=screen,
                remote=None if pages is None else pages.seats,
                adviser=adviser,
                notify=terminal.note,
            ) as session,
        ):
            _follow(printer, session, followed)
            table = game.table
            session.greet(table.settings.clock)
            # Opened only now, so that a bot that does not start does not overwrite an earlier record.
            path = record if pages is None else pages.record
            written = session.record(path, table.board, game.past) if path else None
            if pages is not None:
                pages.begin()
            with closing(written) if written else nullcontext():
                faults: list[FaultRecord] = []
                outcome = session.play(
                    table,
                    record=written,
                    listener=_listener(display, session, game, faults, logs),
                    state=game.state,
                )
        status = _finish(display, outcome, session, faults, fault_rules)
    except BotSilent as error:
        terminal.complain(str(error))
        return AT_FAULT
    if pages is not None:
        pages.wait_until_closed()
    return status


def _follow(printer: StderrPrinter, session: Session, names: tuple[str, ...]) -> None:
    for player in session.players:
        if isinstance(player, BotPlayer) and player.name in names:
            printer.follow(player.name, player.stderr)


def _listener(
    display: GameDisplay, session: Session, game: PlaySetup, faults: list[FaultRecord], logs: Logs
) -> GameListener:
    """Callbacks that pass on to `display` what happens in the game."""

    def faulted(_: GameState, fault: FaultRecord) -> None:
        player = session.players[fault.seat]
        if isinstance(player, BotPlayer):  # a person who leaves is not a bot at fault
            fault = replace(fault, stderr_file=logs.kept_file(player.stderr))
            faults.append(fault)
        display.faulted(fault)

    def slow(state: GameState, answer: Answer) -> None:
        display.slow(state.agenda[-1].seat, answer.ms, answer.core_wait_ms)

    return GameListener(
        applied=guarded(_opening(display, game)),
        faulted=guarded(faulted),
        slow=guarded(slow),
        remarked=guarded(display.remarked),
    )


def _opening(display: GameDisplay, game: PlaySetup) -> Callable[[GameState], None]:
    """The callback `applied`, which shows the heading when it is first called."""
    opened = False

    def applied(state: GameState) -> None:
        nonlocal opened
        if not opened:
            opened = True
            display.opened(state, game.table.seed, game.origin)
        display.applied(state)

    return applied


def _finish(
    display: GameDisplay,
    outcome: Outcome,
    session: Session,
    faults: list[FaultRecord],
    fault_rules: FaultsGiven,
) -> int:
    if outcome.void is not None:
        terminal.complain(f"the game is void because the referee failed: {outcome.void}")
        return VOID
    players: list[PlayerSummary] = []
    for seat, player in enumerate(session.players):
        watched = fault_rules.ponder != "allow" and isinstance(player, BotPlayer)
        pondered = player.pondered_ms if isinstance(player, BotPlayer) else 0.0
        players.append(
            PlayerSummary(
                seat=seat,
                name=player.name,
                version=player.version,
                hash=player.content,
                pondered_ms=round(pondered, 1) if watched else None,
            )
        )
    state = outcome.state
    summary = GameSummary(replace(outcome, faults=faults), players, missions_of(state))
    guarded(display.finished)(state, summary)
    return AT_FAULT if faults else CLEAN
