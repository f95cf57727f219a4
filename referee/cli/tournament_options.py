"""The options of `referee tournament`; None means "not given"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from pathlib import Path
from typing import Any, Final, Literal

import click
import msgspec

from referee.bots.sandbox.limits import parse_grants
from referee.cli import completion
from referee.cli.help_sections import (
    BOTS,
    BROWSER,
    CLOCKS,
    OUTPUT,
    RESUME,
    SCHEDULE,
    WORKERS,
    option,
)
from referee.cli.options import ClockGiven, FaultsGiven, SandboxGiven
from referee.cli.serving import allow_host_option, delay_option, place_option
from referee.options import GivenOptions
from referee.random_play import SEEDS
from referee.tournament.definition import DEFAULT_BLOCKS_PER_BOT, SETTLED, Format
from referee.tournament.field import BotChanges
from referee.tournament.request import LARGEST_COUNT, MOST_VARIANTS, TournamentRequest
from referee.tournament.sweep import DEFAULT_SEED, DEFAULT_VARIANTS
from referee.web.live.requirements import check_installed

Command = Callable[..., Any]
MANY_GAMES: Final = 100_000


@dataclass(frozen=True)
class Given:
    """The values of the options of `tournament`, some of which `compare` and `tune` have too."""

    sweep: tuple[str, ...] = ()
    variants: int | None = None
    sweep_seed: int | None = None
    config: Path | None = None
    out: Path | None = None
    resume: Path | None = None
    format: Format | None = None
    blocks: int | Literal["settled"] | None = None
    blocks_per_bot: int | None = None
    games: int | None = None
    hours: float | None = None
    yes: bool = False
    rounds: int | None = None
    hero: str | None = None
    seats: int | None = None
    permutations: Literal["rotations", "all"] | None = None
    sprt: tuple[float, float] | None = None
    alpha: float | None = None
    beta: float | None = None
    disqualify_at: float | None = None
    disqualify_after: int | None = None
    replay_changed: bool = False
    retire: tuple[str, ...] = ()
    replace: tuple[str, ...] = ()
    close: Path | None = None
    seed: int | None = None
    secret_file: Path | None = None
    workers: int | None = None
    fresh: bool | None = None
    cluster: str | None = None
    no_records: bool = False
    fail_on_fault: bool = False
    dry_run: bool = False
    trial: bool = False
    as_json: bool = False
    quiet: bool = False
    points: tuple[float, ...] | None = None
    anchor: str | None = None
    browser: bool = False
    place: tuple[str, int] | None = None
    delay: int = 0
    allowed_hosts: tuple[str, ...] = ()

    @property
    def serves(self) -> bool:
        """Whether a server shows the tournament."""
        return self.browser or self.place is not None

    def check(self) -> None:
        """Raise UsageError for options that exclude each other."""
        if self.as_json and self.quiet:
            raise click.UsageError("--json and --quiet are mutually exclusive")
        if self.out is not None and self.resume is not None:
            raise click.UsageError("--out and --resume are mutually exclusive")
        if self.cluster is not None and self.workers is not None:
            raise click.UsageError(
                "--cluster and --workers are mutually exclusive: a cluster has its own workers"
            )
        if self.blocks is not None and self.blocks_per_bot is not None:
            raise click.UsageError("--blocks and --blocks-per-bot are mutually exclusive")
        if self.trial and not self.dry_run:
            raise click.UsageError("--trial belongs to --dry-run")
        if (self.delay or self.allowed_hosts) and not self.serves:
            raise click.UsageError("--delay and --allow-host belong to --browser or --serve")
        if self.serves:
            check_installed()

    def changes(self) -> BotChanges:
        """Return what happens to bots that are in the tournament already."""
        return BotChanges(self.replay_changed, self.retire, self.replace)

    def request(
        self,
        bots: tuple[str, ...],
        rules: GivenOptions,
        clock: ClockGiven,
        fault_rules: FaultsGiven,
        isolation: SandboxGiven,
        *,
        ponder_given: bool,
    ) -> TournamentRequest:
        """Return everything that the command line asks for."""
        return TournamentRequest(
            **msgspec.structs.asdict(rules),
            **msgspec.structs.asdict(clock.given()),
            bots=bots or None,
            sweep=self.sweep or None,
            variants=self.variants,
            sweep_seed=self.sweep_seed,
            seed=self.seed,
            format=self.format,
            blocks=self.blocks,
            blocks_per_bot=self.blocks_per_bot,
            games=self.games,
            hours=self.hours,
            rounds=self.rounds,
            hero=self.hero,
            seats=self.seats,
            permutations=self.permutations,
            sprt=self.sprt,
            alpha=self.alpha,
            beta=self.beta,
            disqualify_at=self.disqualify_at,
            disqualify_after=self.disqualify_after,
            strikes=fault_rules.strikes,
            ponder=fault_rules.ponder if ponder_given else None,
            fresh=self.fresh,
            workers=self.workers,
            sandbox=isolation.sandbox,
            limits=parse_grants(isolation.limit) or None,
            allow_build=isolation.allow_build or None,
            points=self.points,
            anchor=self.anchor,
            records=False if self.no_records else None,
        )


def _blocks(
    _: click.Context, __: click.Parameter, value: str | None
) -> int | Literal["settled"] | None:
    if value is None or value == SETTLED:
        return None if value is None else "settled"
    if value.isascii() and value.isdigit() and 1 <= int(value[:20]) <= 10**9:
        return int(value)
    raise click.BadParameter(
        f"{value!r} is neither a whole number from 1 to 1000000000 nor {SETTLED!r}"
    )


def _points(_: click.Context, __: click.Parameter, value: str | None) -> tuple[float, ...] | None:
    if value is None:
        return None
    try:
        points = tuple(float(part) for part in value.split(","))
    except ValueError:
        points = (inf,)
    if not all(map(isfinite, points)):
        raise click.BadParameter(f"{value!r} is not a valid list of points such as 5,3,1")
    return points


folder_argument = click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
points_option = option(
    OUTPUT,
    "--points",
    callback=_points,
    metavar="P,P,...",
    help="Also count points for places, such as 5,3,1 for first, second and third.",
)
anchor_option = option(
    OUTPUT,
    "--anchor",
    metavar="NAME",
    help="Fix the rating of this bot at 1500.  [default: the mean of all bots is 1500]",
)

_OPTIONS: Final = {  # by name, in the order of the help
    "--config": option(
        BOTS,
        "--config",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Read bots and options from this TOML file; options on the command line override it.",
    ),
    "--sweep": option(
        BOTS,
        "--sweep",
        multiple=True,
        metavar="BOT",
        shell_complete=completion.bots,
        help="Enter BOT and variants of it with other values of its parameters. 'BOT --set P=1,2,3'"
        " lists values, 'BOT --set P=1..3' draws them, and BOT alone draws all. May be repeated.",
    ),
    "--variants": option(
        BOTS,
        "--variants",
        type=click.IntRange(1, MOST_VARIANTS),
        metavar="N",
        help=f"Drawn variants of each --sweep.  [default: {DEFAULT_VARIANTS}]",
    ),
    "--sweep-seed": option(
        BOTS,
        "--sweep-seed",
        type=click.IntRange(0, SEEDS - 1),
        metavar="N",
        help=f"Random seed of the variants.  [default: {DEFAULT_SEED}]",
    ),
    "--seats": option(
        BOTS,
        "--seats",
        type=click.IntRange(2, 5),
        metavar="K",
        help="Seats in each game, 2 to 5.  [default: 4, or the number of bots if there are fewer]",
    ),
    "--format": option(
        SCHEDULE,
        "--format",
        type=click.Choice(["round-robin", "gauntlet", "swiss", "ladder"]),
        help="Which bots play each other.  [default: round-robin]",
    ),
    "--blocks-per-bot": option(
        SCHEDULE,
        "--blocks-per-bot",
        type=click.IntRange(1, LARGEST_COUNT),
        metavar="N",
        help="Blocks for each bot at each table; a few bots may play one more."
        f"  [default: {DEFAULT_BLOCKS_PER_BOT}; Swiss and ladder tournaments end by themselves]",
    ),
    "--blocks": option(
        SCHEDULE,
        "--blocks",
        callback=_blocks,
        metavar="N|settled",
        help="Blocks for each set of bots, however many sets there are, or 'settled': play until the"
        " winner is nearly certain.",
    ),
    "--games": option(
        SCHEDULE,
        "--games",
        type=click.IntRange(1, LARGEST_COUNT),
        metavar="N",
        help="Play only the first N games of the schedule, in whole blocks; a larger number later"
        " continues it.",
    ),
    "--hours": option(
        SCHEDULE,
        "--hours",
        type=click.FloatRange(min=0, min_open=True),
        metavar="H",
        help="Start no more blocks after H hours; a later run continues the schedule.",
    ),
    "--yes": option(
        SCHEDULE,
        "--yes",
        is_flag=True,
        help=f"Do not ask before more than {MANY_GAMES:,} games are played.",
    ),
    "--rounds": option(
        SCHEDULE,
        "--rounds",
        type=click.IntRange(min=1),
        metavar="N",
        help="Rounds of a Swiss tournament.  [default: the rounds until only one bot can have won all"
        " its tables, and 2 more: 4 for 16 bots at 4 seats, 5 for 64]",
    ),
    "--hero": option(
        SCHEDULE,
        "--hero",
        metavar="NAME",
        help="Bot that plays against all others in a gauntlet or ladder.  [default: the first BOT]",
    ),
    "--permutations": option(
        SCHEDULE,
        "--permutations",
        type=click.Choice(["rotations", "all"]),
        help="Seat orders in each block: all rotations of the bots, or every possible order."
        "  [default: rotations]",
    ),
    "--sprt": option(
        SCHEDULE,
        "--sprt",
        type=(float, float),
        metavar="LOW HIGH",
        help="Play a gauntlet until a sequential test (SPRT) decides whether the hero is closer to"
        " LOW or to HIGH Elo above the others.",
    ),
    "--alpha": option(
        SCHEDULE,
        "--alpha",
        type=float,
        metavar="P",
        help="Probability that --sprt accepts a hero that is only LOW Elo stronger.  [default: 0.05]",
    ),
    "--beta": option(
        SCHEDULE,
        "--beta",
        type=float,
        metavar="P",
        help="Probability that --sprt rejects a hero that is HIGH Elo stronger.  [default: 0.05]",
    ),
    "--seed": option(
        SCHEDULE,
        "--seed",
        type=click.IntRange(0, SEEDS - 1),
        metavar="N",
        help="Public seed: it determines the schedule, but not the games.  [default: random]",
    ),
    "--secret-file": option(
        SCHEDULE,
        "--secret-file",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Secret that determines the games: 32 or more hexadecimal digits in a file of mode 600."
        " With the same seed and secret, a new tournament plays the same games."
        "  [default: the variable REFEREE_SECRET, else random]",
    ),
    "--workers": option(
        WORKERS,
        "--workers",
        type=click.IntRange(1, 1024),
        metavar="N",
        help="Games played at the same time.  [default: one for each CPU core]",
    ),
    "--cluster": option(
        WORKERS,
        "--cluster",
        metavar="ADDRESS",
        help="Play on the workers of the Dask scheduler at this address.",
    ),
    "--fresh": option(
        WORKERS,
        "--fresh/--no-fresh",
        default=None,
        help="Restart every bot for each game.  [default: off]",
    ),
    "--disqualify-at": option(
        CLOCKS,
        "--disqualify-at",
        type=float,
        metavar="SHARE",
        help="Disqualify a bot from the tournament when it commits faults in at least this share of its games."
        "  [default: 0.5]",
    ),
    "--disqualify-after": option(
        CLOCKS,
        "--disqualify-after",
        type=click.IntRange(min=1),
        metavar="GAMES",
        help="Never disqualify a bot before it has played this many games.  [default: 12]",
    ),
    "--fail-on-fault": option(
        CLOCKS,
        "--fail-on-fault",
        is_flag=True,
        help="Exit with status 1 if any bot committed a fault.",
    ),
    "--resume": option(
        RESUME,
        "--resume",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="Continue the tournament in this folder; name bots or --blocks-per-bot to extend it.",
    ),
    "--retire": option(
        RESUME,
        "--retire",
        multiple=True,
        metavar="NAME",
        help="This bot plays no more; its games stay, and its folder may be gone. May be repeated.",
    ),
    "--replace": option(
        RESUME,
        "--replace",
        multiple=True,
        metavar="NAME=BOT",
        help="Replace a bot by a new version, which is rated apart as NAME@2; the games of the old"
        " version stay. May be repeated.",
    ),
    "--replay-changed": option(
        RESUME,
        "--replay-changed",
        is_flag=True,
        help="Play all blocks of bots whose files have changed again.",
    ),
    "--close": option(
        RESUME,
        "--close",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="End the tournament in this folder, without playing, and publish its secret and seeds."
        " It takes no more blocks or bots.",
    ),
    "--out": option(
        OUTPUT,
        "--out",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="Folder for the results; a tournament that is already there continues."
        "  [default: tournament-1, tournament-2, ...]",
    ),
    "--no-records": option(
        OUTPUT,
        "--no-records",
        is_flag=True,
        help="Do not write a record of each game, only the results.",
    ),
    "--points": points_option,
    "--anchor": anchor_option,
    "--dry-run": option(
        OUTPUT,
        "--dry-run",
        is_flag=True,
        help="Print what the run would play and how long it takes, but play and write nothing.",
    ),
    "--trial": option(
        OUTPUT,
        "--trial",
        is_flag=True,
        help="With --dry-run: play a few games first, to estimate the time.",
    ),
    "--json": option(
        OUTPUT,
        "--json",
        "as_json",
        is_flag=True,
        help="Print JSON objects, one per line, while the tournament runs.",
    ),
    "--quiet": option(OUTPUT, "--quiet", is_flag=True, help="Print only the result, on one line."),
    "--browser": option(
        BROWSER,
        "--browser",
        is_flag=True,
        help="Open a page that shows the standings and the running games live.",
    ),
    "--serve": place_option(
        "--serve", "Where the page is served; port 0 is any free one.", BROWSER
    ),
    "--delay": delay_option(BROWSER),
    "--allow-host": allow_host_option(BROWSER),
}


# What `compare` has in common with `tournament`; its other options have other defaults.
_COMMON: Final = (
    "--games", "--hours", "--permutations", "--alpha", "--beta", "--seed", "--secret-file",
    "--workers", "--cluster", "--fresh", "--disqualify-at", "--disqualify-after", "--no-records",
    "--json", "--quiet",
)  # fmt: skip
_COMPARISON: Final = (
    option(
        BOTS,
        "--seats",
        type=click.IntRange(2, 5),
        metavar="K",
        help="Seats in each game, 2 to 5, shared evenly by the two bots.  [default: 4]",
    ),
    option(
        SCHEDULE,
        "--sprt",
        type=(float, float),
        metavar="LOW HIGH",
        help="Decide whether NEW is closer to LOW or to HIGH Elo above OLD.  [default: 0 50]",
    ),
    *(_OPTIONS[name] for name in _COMMON),
    option(
        OUTPUT,
        "--out",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="Folder for the results; the same comparison continues there."
        "  [default: a name for these bots and settings, such as compare-my-bot-1a2b3c4d]",
    ),
)


# What `tune` has in common with both.
_TUNING: Final = (
    option(
        BOTS,
        "--seats",
        type=click.IntRange(2, 5),
        metavar="K",
        help="Seats in each game, 2 to 5, shared evenly by the two variants.  [default: 4]",
    ),
    *(_OPTIONS[name] for name in ("--hours", "--workers", "--cluster", "--json", "--quiet")),
)


def tournament_options(command: Command) -> Command:
    """Add the options that only a tournament has."""
    return _with_options(command, tuple(_OPTIONS.values()))


def comparison_options(command: Command) -> Command:
    """Add the options that a tournament and a comparison of two bots have."""
    return _with_options(command, _COMPARISON)


def tuning_options(command: Command) -> Command:
    """Add the options that a tournament and a tuning have."""
    return _with_options(command, _TUNING)


def _with_options(command: Command, options: Sequence[Callable[[Command], Command]]) -> Command:
    for add_option in reversed(options):
        command = add_option(command)
    return command
