"""Options that commands share: rules, clock, faults and sandbox. None means "not given"."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, Final, Literal, TypeVar, get_args

import click

from referee.adjudication.clock import NO_CLOCK, ClockRules
from referee.adjudication.clock_rules import A_DAY_MS, OFF, GivenClock
from referee.adjudication.faults import DEFAULT_STRIKES
from referee.bots.find import Bot
from referee.bots.sandbox.levels import Sandboxed, put_in_sandbox
from referee.bots.sandbox.limits import (
    LEVELS,
    NAMES,
    Level,
    check_allowed_builds,
    parse_grants,
)
from referee.cli import completion
from referee.cli.help_sections import CLOCKS, GAME, SANDBOX, option
from referee.engine.ruleset import (
    COUNTRY_TIES,
    LARGEST_MAX_TURNS,
    NEUTRAL_MODES,
    PERMANENT_MARKER_USES,
)
from referee.match.players import Ponder
from referee.options import DEFAULTS, Edition, GivenOptions
from referee.random_play import SEEDS

Command = Callable[..., Any]
Options = TypeVar("Options")

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
    raise click.BadParameter(
        f"{value!r} is neither a number of milliseconds from 1 to {A_DAY_MS} nor 'off'"
    )


def _markers(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    """The kinds of marker in a list with commas; None if the option was not given."""
    return None if value is None else tuple([kind.strip() for kind in value.split(",")])


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
            raise click.UsageError(
                "--no-clock cannot be combined with --start-ms, --bank-ms, --increment-ms or --move-ms"
            )
        return self.no_clock


@dataclass(frozen=True)
class FaultsGiven:
    """The options for strikes and pondering."""

    strikes: int | None = None
    ponder: Ponder = "report"


@dataclass(frozen=True)
class SandboxGiven:
    """The options of the sandbox and its limits."""

    sandbox: Level | None = None
    limit: tuple[str, ...] = ()
    allow_build: tuple[str, ...] = ()

    def put(
        self, bots: Sequence[Bot], apart: Iterable[Path] = (), default: Level = "limits"
    ) -> Sandboxed:
        """Return these bots in the sandbox that was asked for; no bot may read the paths of `apart`.

        Without a request they are in the default one, if this machine can do it. Raises
        SandboxRefused or BotRefused, as `put_in_sandbox` does, and BotRefused for options that name
        other bots.
        """
        names = [bot.name for bot in bots]
        grants = parse_grants(self.limit, names)
        check_allowed_builds(self.allow_build, names)
        return put_in_sandbox(
            bots, self.sandbox, default, grants, apart, allow_build=self.allow_build
        )


def _rule(name: str, text: str) -> Callable[[Command], Command]:
    return option(GAME, f"--{name}/--no-{name}", default=None, help=f"{text}  [default: off]")


def _names(kind: type) -> list[str]:
    """Return the fields of a dataclass or of a Struct."""
    return list(inspect.signature(kind).parameters)


def gather(
    into: str, kind: type[Options], *options: Callable[[Command], Command]
) -> Callable[[Command], Command]:
    """Return a decorator that adds options; the command gets their values as one object of `kind`."""

    def decorate(command: Command) -> Command:
        @wraps(command)
        def gathered(*args: Any, **given: Any) -> Any:
            given[into] = kind(**{name: given.pop(name) for name in _names(kind)})
            return command(*args, **given)

        decorated: Command = gathered
        for add_option in reversed(options):
            decorated = add_option(decorated)
        return decorated

    return decorate


rules_options = gather(
    "rules",
    GivenOptions,
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
        type=click.Choice(get_args(Edition)),
        help=f"Edition of the game.  [default: {DEFAULTS.edition}]",
    ),
    _rule("missions", "Deal a mission card to each player."),
    _rule("favours", "Play with the Emperor's Favour expansion."),
    option(
        GAME,
        "--neutral",
        type=click.Choice(NEUTRAL_MODES),
        help="Rules for the neutral colour in a two-player game.  [default: britannia]",
    ),
    _rule("permits", "Let players buy permits with bonus markers."),
    _rule("promos", "Add the promotional bonus markers."),
    option(
        GAME,
        "--promo-markers",
        metavar="KIND,...",
        callback=_markers,
        help="With --promos: the 12 bonus markers of the supply, such as tribute,tribute,block,..."
        "  [default: 12 of the 18, at random]",
    ),
    option(
        GAME,
        "--country-ties",
        type=click.Choice(COUNTRY_TIES),
        help="On boards with countries: which places a full tie in a country shares."
        f"  [default: {COUNTRY_TIES[0]}]",
    ),
    option(
        GAME,
        "--permanent-markers",
        type=click.Choice(PERMANENT_MARKER_USES),
        help="On boards with countries, in edition original: whether permanent markers must be used."
        f"  [default: {PERMANENT_MARKER_USES[0]}]",
    ),
    option(
        GAME,
        "--max-turns",
        type=click.IntRange(0, LARGEST_MAX_TURNS),
        metavar="N",
        help="End and score the game after N turns; 0 means no limit."
        f"  [default: {DEFAULTS.max_turns}]",
    ),
)

clock_options = gather(
    "clock",
    ClockGiven,
    option(
        CLOCKS,
        "--start-ms",
        callback=_milliseconds,
        metavar="N",
        help="Milliseconds a bot has to start, and again to get ready for each game; 'off' means no"
        f" limit.  [default: {DEFAULT_CLOCK.start_ms}]",
    ),
    option(
        CLOCKS,
        "--bank-ms",
        callback=_milliseconds,
        metavar="N",
        help="Milliseconds in a bot's time bank at the start of a game; 'off' means no limit."
        f"  [default: {DEFAULT_CLOCK.bank_ms}]",
    ),
    option(
        CLOCKS,
        "--increment-ms",
        type=click.IntRange(0, A_DAY_MS),
        metavar="N",
        help="Milliseconds added to a bot's bank before each decision."
        f"  [default: {DEFAULT_CLOCK.increment_ms}]",
    ),
    option(
        CLOCKS,
        "--move-ms",
        callback=_milliseconds,
        metavar="N",
        help="Milliseconds a bot has for one answer; 'off' means no limit."
        f"  [default: {DEFAULT_CLOCK.move_ms}]",
    ),
    option(CLOCKS, "--no-clock", is_flag=True, help="Turn all time limits off, for debugging."),
    option(
        CLOCKS,
        "--clock",
        type=click.Choice(["wall", "cpu"]),
        help="Count wall-clock time or the bot's CPU time.  [default: wall]",
    ),
)

fault_options = gather(
    "fault_rules",
    FaultsGiven,
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
        help="What to do when a bot computes during other players' decisions: report it, forbid it"
        " (it is a fault), or allow it.  [default: report]",
    ),
)

sandbox_options = gather(
    "isolation",
    SandboxGiven,
    option(
        SANDBOX,
        "--sandbox",
        type=click.Choice(LEVELS),
        help="off: no restrictions; limits: resource limits; strict: also no network and no access to"
        " other files.  [default: limits; in a tournament: strict if this machine supports it]",
    ),
    option(
        SANDBOX,
        "--limit",
        multiple=True,
        metavar="[NAME:]KEY=AMOUNT",
        help="Set a limit for every bot (memory=4G) or for one bot (NAME:processes=8). The keys are"
        f" {', '.join(NAMES)}. May be repeated.",
    ),
    option(
        SANDBOX,
        "--allow-build",
        multiple=True,
        metavar="NAME",
        help="In the strict sandbox, give the build of this bot the network, if its bot.toml asks for"
        " it. May be repeated.",
    ),
)

seed_option = option(
    GAME,
    "--seed",
    type=click.IntRange(0, SEEDS - 1),
    metavar="N",
    help="Random seed of the game; bots can guess a small number."
    "  [default: random, printed with the result]",
)
