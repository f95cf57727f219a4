"""Options that several commands have: rules, clocks, faults and the sandbox; None means "not given"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import wraps
from typing import Any, Final, TypeVar

import click

from referee import atlas
from referee.adjudication.clock import NO_CLOCK, ClockRules
from referee.adjudication.faults import DEFAULT_STRIKES
from referee.bots.sandbox.limits import LEVELS, NAMES, Level
from referee.cli import completion
from referee.cli.help_sections import CLOCKS, GAME, SANDBOX, option
from referee.engine.board import Board
from referee.engine.ruleset import LARGEST_MAX_TURNS, Ruleset, make_ruleset
from referee.match.players import Ponder
from referee.random_play import SEEDS
from referee.records.resume import Header
from referee.usual import EDITION, MAX_TURNS, usual_board

Command = Callable[..., Any]
Group = TypeVar("Group")

A_DAY_MS: Final = 24 * 60 * 60 * 1000
OFF: Final = -1
USUAL_CLOCK: Final = ClockRules()


def _milliseconds(_: click.Context, __: click.Parameter, value: str | None) -> int | None:
    """A whole number from 1 on, OFF for `off`, None if it was not given."""
    if value is None or value == "off":
        return None if value is None else OFF
    if value.isascii() and value.isdigit() and 1 <= int(value[:20]) <= A_DAY_MS:
        return int(value)
    raise click.BadParameter(
        f"{value!r} is neither a number of milliseconds from 1 to {A_DAY_MS} nor 'off'"
    )


@dataclass(frozen=True)
class RulesGiven:
    """The options of the rules."""

    board: str | None = None
    edition: str | None = None
    missions: bool | None = None
    favours: bool | None = None
    neutral: str | None = None
    permits: bool | None = None
    promos: bool | None = None
    max_turns: int | None = None

    def any_given(self) -> str | None:
        """The name of one that was given."""
        given = [field.name for field in fields(self) if getattr(self, field.name) is not None]
        return f"--{given[0].replace('_', '-')}" if given else None

    def like(self, header: Header) -> RulesGiven:
        """What was not given is as in a record; its board has to be given along."""
        rules = header.rules
        return replace(
            self,
            edition=self.edition or rules.edition,
            missions=_first(self.missions, rules.missions),
            favours=_first(self.favours, rules.favours),
            neutral=self.neutral or rules.neutral,
            permits=_first(self.permits, rules.permits),
            promos=_first(self.promos, rules.promos),
            max_turns=_first(self.max_turns, rules.max_turns),
        )

    def load_board(self, players: int) -> Board:
        """The board that was given, or the usual one."""
        return atlas.load_board(self.board or usual_board(players))

    def ruleset(self, board: Board, players: int) -> Ruleset:
        """The rules of a game of so many; what was not given is as usual."""
        return make_ruleset(
            atlas.load_components(),
            board,
            players,
            edition=self.edition or EDITION,
            missions=bool(self.missions),
            favours=bool(self.favours),
            neutral=self.neutral,
            permits=bool(self.permits),
            promos=bool(self.promos),
            max_turns=_first(self.max_turns, MAX_TURNS),
        )


@dataclass(frozen=True)
class ClockGiven:
    """The options of the clocks."""

    start_ms: int | None = None
    bank_ms: int | None = None
    increment_ms: int | None = None
    move_ms: int | None = None
    no_clock: bool = False
    clock: str | None = None

    def rules(self, usual: ClockRules = USUAL_CLOCK) -> ClockRules:
        """The clocks; what was not given is as usual."""
        limits = (self.start_ms, self.bank_ms, self.increment_ms, self.move_ms)
        if self.no_clock:
            if any(limit is not None for limit in limits):
                raise click.UsageError(
                    "--no-clock cannot be combined with other limits of the clock"
                )
            return NO_CLOCK
        return ClockRules(
            start_ms=_limit(self.start_ms, usual.start_ms),
            bank_ms=_limit(self.bank_ms, usual.bank_ms),
            increment_ms=_first(self.increment_ms, usual.increment_ms),
            move_ms=_limit(self.move_ms, usual.move_ms),
            by_cpu=usual.by_cpu if self.clock is None else self.clock == "cpu",
        )


@dataclass(frozen=True)
class ConductGiven:
    """The options of conduct."""

    strikes: int | None = None
    ponder: Ponder = "report"


@dataclass(frozen=True)
class SandboxGiven:
    """The options of the sandbox."""

    sandbox: Level | None = None
    limit: tuple[str, ...] = ()


Value = TypeVar("Value")


def _first(given: Value | None, usual: Value) -> Value:
    return usual if given is None else given


def _limit(given: int | None, usual: int | None) -> int | None:
    if given is None:
        return usual
    return None if given == OFF else given


def _rule(name: str, text: str) -> Callable[[Command], Command]:
    return option(GAME, f"--{name}/--no-{name}", default=None, help=f"{text}  [default: off]")


def _gather(
    into: str, kind: type[Group], *options: Callable[[Command], Command]
) -> Callable[[Command], Command]:
    """Return a decorator that adds options; the command gets them as one object of this kind."""

    def decorate(command: Command) -> Command:
        @wraps(command)
        def gathered(*args: Any, **given: Any) -> Any:
            names = [field.name for field in fields(kind)]  # type: ignore[arg-type]  # a dataclass
            given[into] = kind(**{name: given.pop(name) for name in names})
            return command(*args, **given)

        decorated: Command = gathered
        for add_option in reversed(options):
            decorated = add_option(decorated)
        return decorated

    return decorate


rules_options = _gather(
    "rules",
    RulesGiven,
    option(
        GAME,
        "--board",
        metavar="NAME|FILE",
        shell_complete=completion.boards,
        help="Board to play on: the name of a bundled board, or a map file."
        "  [default: hanse-2-3 for 2 and 3 players, hanse-4-5 for 4 and 5]",
    ),
    option(
        GAME,
        "--edition",
        type=click.Choice(["bigbox", "original"]),
        help="Edition of the game.  [default: bigbox]",
    ),
    _rule("missions", "Deal a mission card to each player."),
    _rule("favours", "Play with Emperor's Favour."),
    option(
        GAME,
        "--neutral",
        type=click.Choice(["2009", "britannia"]),
        help="Rules for the neutral colour in a game of two.  [default: britannia]",
    ),
    _rule("permits", "Let players buy permits with bonus markers."),
    _rule("promos", "Shuffle in the promotional bonus markers."),
    option(
        GAME,
        "--max-turns",
        type=click.IntRange(0, LARGEST_MAX_TURNS),
        metavar="N",
        help=f"End and score the game after N turns; 0 means no limit.  [default: {MAX_TURNS}]",
    ),
)

clock_options = _gather(
    "clock",
    ClockGiven,
    option(
        CLOCKS,
        "--start-ms",
        callback=_milliseconds,
        metavar="N",
        help="Milliseconds a bot has to start, and again to get ready for a game; 'off' means no"
        f" limit.  [default: {USUAL_CLOCK.start_ms}]",
    ),
    option(
        CLOCKS,
        "--bank-ms",
        callback=_milliseconds,
        metavar="N",
        help="Milliseconds a bot has for all its answers in a game; 'off' means no limit."
        f"  [default: {USUAL_CLOCK.bank_ms}]",
    ),
    option(
        CLOCKS,
        "--increment-ms",
        type=click.IntRange(0, A_DAY_MS),
        metavar="N",
        help="Milliseconds added to a bot's bank before each decision."
        f"  [default: {USUAL_CLOCK.increment_ms}]",
    ),
    option(
        CLOCKS,
        "--move-ms",
        callback=_milliseconds,
        metavar="N",
        help="Milliseconds a bot has for one answer; 'off' means no limit."
        f"  [default: {USUAL_CLOCK.move_ms}]",
    ),
    option(CLOCKS, "--no-clock", is_flag=True, help="Turn all time limits off, for debugging."),
    option(
        CLOCKS,
        "--clock",
        type=click.Choice(["wall", "cpu"]),
        help="Count wall-clock time or the bot's CPU time.  [default: wall]",
    ),
)

conduct_options = _gather(
    "conduct",
    ConductGiven,
    option(
        CLOCKS,
        "--strikes",
        type=click.IntRange(0, 1000),
        metavar="N",
        help="Disqualify a bot after N faults; 0 means only after a fatal one (crash, flood, failed"
        f" start).  [default: {DEFAULT_STRIKES}]",
    ),
    option(
        CLOCKS,
        "--ponder",
        type=click.Choice(["report", "forbid", "allow"]),
        default="report",
        help="Report, forbid (as a fault) or allow that a bot uses CPU time while it is not asked."
        "  [default: report]",
    ),
)

sandbox_options = _gather(
    "inside",
    SandboxGiven,
    option(
        SANDBOX,
        "--sandbox",
        type=click.Choice(LEVELS),
        help="Run bots unrestricted (off), with resource limits (limits), or also without network"
        " and other files (strict).  [default: limits; in a tournament strict, if it works here]",
    ),
    option(
        SANDBOX,
        "--limit",
        multiple=True,
        metavar="[NAME:]KEY=AMOUNT",
        help="Limit what every bot may use (memory=4G), or one bot (NAME:processes=8); the keys are"
        f" {', '.join(NAMES)}. May be repeated.",
    ),
)

seed_option = option(
    GAME,
    "--seed",
    type=click.IntRange(0, SEEDS - 1),
    metavar="N",
    help="Random seed.  [default: random, printed with the result]",
)
