"""Options that commands share: rules, clock, faults and sandbox. None means "not given"."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final, Literal, TypeVar, get_args

import click

from referee.adjudication.clock import NO_CLOCK, ClockRules
from referee.adjudication.clock_rules import A_DAY_MS, OFF, GivenClock
from referee.adjudication.faults import DEFAULT_STRIKES
from referee.bots.sandbox.limits import LEVELS, NAMES, Level
from referee.cli import completion
from referee.engine.ruleset import LARGEST_MAX_TURNS, NEUTRAL_MODES
from referee.match.players import Ponder
from referee.options import DEFAULTS, Edition, GivenOptions
from referee.random_play import SEEDS

Command = Callable[..., Any]
Group = TypeVar("Group")

DEFAULT_CLOCK: Final = ClockRules()


def _milliseconds(
    _: click.Context, __: click.Parameter, value: str | None
) -> int | Literal["off"] | None:
    """A whole number of at least 1, or "off"; None if the option was not given."""
    if value is None:
        return None
    if value == OFF:
        return OFF
    if value.isascii() and value.isdigit() and 1 <= int(value[:20]) <= A_DAY_MS:
        return int(value)
    raise click.BadParameter(f"{value!r} is neither milliseconds from 1 to {A_DAY_MS} nor 'off'")


class ClockGiven(GivenClock, frozen=True, kw_only=True):
    """The options of the clock."""

    no_clock: bool = False

    def rules(self, default: ClockRules = DEFAULT_CLOCK) -> ClockRules:
        """The clock of a game; what was not given is taken from `default`."""
        return NO_CLOCK if self._is_off() else super().rules(default)

    def given(self) -> GivenClock:
        """The limits that are set; `--no-clock` sets all of them."""
        if self._is_off():
            return GivenClock(
                start_ms="off", bank_ms="off", increment_ms=0, move_ms="off", clock=self.clock
            )
        return GivenClock(**{name: getattr(self, name) for name in GivenClock.__struct_fields__})

    def _is_off(self) -> bool:
        """Whether there is no clock; UsageError if limits were given as well."""
        limits = (self.start_ms, self.bank_ms, self.increment_ms, self.move_ms)
        if self.no_clock and any(limit is not None for limit in limits):
            raise click.UsageError("--no-clock cannot be combined with other limits of the clock")
        return self.no_clock


@dataclass(frozen=True)
class ConductGiven:
    """The options of strikes and pondering."""

    strikes: int | None = None
    ponder: Ponder = "report"


@dataclass(frozen=True)
class SandboxGiven:
    """The options of the sandbox."""

    sandbox: Level | None = None
    limit: tuple[str, ...] = ()


def _flag(name: str, text: str) -> Callable[[Command], Command]:
    return click.option(f"--{name}/--no-{name}", default=None, help=text)


def _names(kind: type) -> list[str]:
    """The fields of a dataclass or of a Struct."""
    return list(inspect.signature(kind).parameters)


def _gather(
    into: str, kind: type[Group], *options: Callable[[Command], Command]
) -> Callable[[Command], Command]:
    """A decorator that passes the options to the command as one object."""

    def decorate(command: Command) -> Command:
        @wraps(command)
        def gathered(*args: Any, **given: Any) -> Any:
            given[into] = kind(**{name: given.pop(name) for name in _names(kind)})
            return command(*args, **given)

        decorated: Command = gathered
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate


rules_options = _gather(
    "rules",
    GivenOptions,
    click.option(
        "--board",
        metavar="NAME|FILE",
        shell_complete=completion.boards,
        help="A bundled board or a map file.  [default: hanse-2-3 for 2 and 3, else hanse-4-5]",
    ),
    click.option(
        "--edition",
        type=click.Choice(get_args(Edition)),
        help=f"Which printing of the game.  [default: {DEFAULTS.edition}]",
    ),
    _flag("missions", "Deal a mission card to each player."),
    _flag("favours", "Play with Emperor's Favour."),
    click.option(
        "--neutral",
        type=click.Choice(NEUTRAL_MODES),
        help="The two-player variant.  [default with two: britannia]",
    ),
    _flag("permits", "Permits can be bought for a bonus marker."),
    _flag("promos", "Shuffle the promo markers in."),
    click.option(
        "--max-turns",
        type=click.IntRange(0, LARGEST_MAX_TURNS),
        metavar="N",
        help="Score the game as it stands after N turns; 0 means no limit."
        f"  [default: {DEFAULTS.max_turns}]",
    ),
)

clock_options = _gather(
    "clock",
    ClockGiven,
    click.option(
        "--start-ms",
        callback=_milliseconds,
        metavar="N",
        help="Time for a bot to start, and again to be ready; 'off' for no limit."
        f"  [default: {DEFAULT_CLOCK.start_ms}]",
    ),
    click.option(
        "--bank-ms",
        callback=_milliseconds,
        metavar="N",
        help=f"Time for all answers of a game; 'off' for no limit.  [default: {DEFAULT_CLOCK.bank_ms}]",
    ),
    click.option(
        "--increment-ms",
        type=click.IntRange(0, A_DAY_MS),
        metavar="N",
        help=f"Time added to the bank before each request.  [default: {DEFAULT_CLOCK.increment_ms}]",
    ),
    click.option(
        "--move-ms",
        callback=_milliseconds,
        metavar="N",
        help=f"Time for one answer at most; 'off' for no limit.  [default: {DEFAULT_CLOCK.move_ms}]",
    ),
    click.option("--no-clock", is_flag=True, help="No time limits at all, for debugging."),
    click.option(
        "--clock",
        type=click.Choice(["wall", "cpu"]),
        help="Charge wall time, or the bot's CPU time.  [default: wall]",
    ),
)

conduct_options = _gather(
    "conduct",
    ConductGiven,
    click.option(
        "--strikes",
        type=click.IntRange(0, 1000),
        metavar="N",
        help="Disqualify a bot after N faults; 0 means only after a fatal one (crash, flood, failed start)."
        f"  [default: {DEFAULT_STRIKES}]",
    ),
    click.option(
        "--ponder",
        type=click.Choice(["report", "forbid", "allow"]),
        default="report",
        show_default=True,
        help="What to do about CPU time that a bot uses while others are asked.",
    ),
)

sandbox_options = _gather(
    "inside",
    SandboxGiven,
    click.option(
        "--sandbox",
        type=click.Choice(LEVELS),
        help="How strictly bots are confined.  [default: limits; in a tournament strict, where it works]",
    ),
    click.option(
        "--limit",
        multiple=True,
        metavar="[NAME:]KEY=AMOUNT",
        help="What bots may use, such as memory=4G for all or NAME:processes=8 for one; the keys are"
        f" {', '.join(NAMES)}. May be given again.",
    ),
)

seed_option = click.option(
    "--seed",
    type=click.IntRange(0, SEEDS - 1),
    metavar="N",
    help="Random seed.  [default: random, and printed]",
)
