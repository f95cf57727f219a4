"""The options of `referee tournament`, and the request that they make. None is "not given"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import inf, isfinite
from pathlib import Path
from typing import Any, Literal

import click

from referee.cli.options import OFF, ClockGiven, ConductGiven, RulesGiven, SandboxGiven
from referee.match.limits import parse_grants
from referee.random_play import SEEDS
from referee.tournament.definition import SETTLED, Format
from referee.tournament.request import TournamentRequest

Command = Callable[..., Any]


@dataclass(frozen=True)
class Given:
    """The values of the options that only `tournament` has."""

    config: Path | None
    out: Path | None
    resume: Path | None
    format: Format | None
    blocks: int | Literal["settled"] | None
    rounds: int | None
    hero: str | None
    seats: int | None
    permutations: Literal["rotations", "all"] | None
    sprt: tuple[float, float] | None
    alpha: float | None
    beta: float | None
    disqualify_at: float | None
    disqualify_after: int | None
    replay_changed: bool
    seed: int | None
    workers: int | None
    fresh: bool | None
    cluster: str | None
    no_records: bool
    fail_on_fault: bool
    dry_run: bool
    as_json: bool
    quiet: bool
    points: tuple[float, ...] | None
    anchor: str | None

    def check(self) -> None:
        """Raise UsageError for options that exclude each other."""
        if self.as_json and self.quiet:
            raise click.UsageError("--json and --quiet are mutually exclusive")
        if self.out is not None and self.resume is not None:
            raise click.UsageError("--resume names the folder: leave out --out")
        if self.cluster is not None and self.workers is not None:
            raise click.UsageError("a cluster has its own workers: leave out --workers")

    def request(
        self,
        bots: tuple[str, ...],
        rules: RulesGiven,
        clock: ClockGiven,
        conduct: ConductGiven,
        inside: SandboxGiven,
        *,
        ponder_given: bool,
    ) -> TournamentRequest:
        """Return all that was asked for on the command line."""
        return TournamentRequest(
            **asdict(rules),
            **_clock_request(clock),
            bots=bots or None,
            seed=self.seed,
            format=self.format,
            blocks=self.blocks,
            rounds=self.rounds,
            hero=self.hero,
            seats=self.seats,
            permutations=self.permutations,
            sprt=self.sprt,
            alpha=self.alpha,
            beta=self.beta,
            disqualify_at=self.disqualify_at,
            disqualify_after=self.disqualify_after,
            strikes=conduct.strikes,
            ponder=conduct.ponder if ponder_given else None,
            fresh=self.fresh,
            workers=self.workers,
            sandbox=inside.sandbox,
            limits=parse_grants(inside.limit) or None,
        )


def _clock_request(clock: ClockGiven) -> dict[str, Any]:
    clock.rules()  # refuses options that contradict each other
    if clock.no_clock:
        off = dict.fromkeys(("start_ms", "bank_ms", "move_ms"), "off")
        return {**off, "increment_ms": 0, "clock": clock.clock}
    limits = {"start_ms": clock.start_ms, "bank_ms": clock.bank_ms, "move_ms": clock.move_ms}
    said = {name: "off" if limit == OFF else limit for name, limit in limits.items()}
    return {**said, "increment_ms": clock.increment_ms, "clock": clock.clock}


def _blocks(
    _: click.Context, __: click.Parameter, value: str | None
) -> int | Literal["settled"] | None:
    if value is None or value == SETTLED:
        return None if value is None else "settled"
    if value.isascii() and value.isdigit() and 1 <= int(value[:20]) <= 10**9:
        return int(value)
    raise click.BadParameter(f"{value!r} is neither a number of 1 or more nor {SETTLED!r}")


def _points(_: click.Context, __: click.Parameter, value: str | None) -> tuple[float, ...] | None:
    if value is None:
        return None
    try:
        points = tuple(float(part) for part in value.split(","))
    except ValueError:
        points = (inf,)
    if not all(map(isfinite, points)):
        raise click.BadParameter(f"{value!r} is not a valid list of points, such as 5,3,1")
    return points


folder_argument = click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
points_option = click.option(
    "--points",
    callback=_points,
    metavar="P,P,...",
    help="Give points by place, from the first on, such as 5,3,1.",
)
anchor_option = click.option(
    "--anchor", metavar="NAME", help="Rate this bot 1500, instead of the mean of the field."
)

_OPTIONS = (
    click.option(
        "--config",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="A TOML file with bots and any of these options; the command line wins.",
    ),
    click.option(
        "--out",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="Folder of the tournament; an existing one goes on.  [default: tournament-1, -2, ...]",
    ),
    click.option(
        "--resume",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="Go on with an earlier tournament, perhaps with more bots or more blocks.",
    ),
    click.option(
        "--format",
        type=click.Choice(["round-robin", "gauntlet", "swiss", "ladder"]),
        help="Who plays with whom.  [default: round-robin]",
    ),
    click.option(
        "--blocks",
        callback=_blocks,
        metavar="N|settled",
        help="Blocks for each set of bots, or until the first place is clear."
        "  [default: 10; a Swiss round or a stage of a ladder has its own]",
    ),
    click.option(
        "--rounds", type=click.IntRange(min=1), metavar="N", help="Rounds of a Swiss tournament."
    ),
    click.option(
        "--hero",
        metavar="NAME",
        help="The one against the field in a gauntlet or ladder.  [default: the first BOT]",
    ),
    click.option(
        "--seats",
        type=click.IntRange(2, 5),
        metavar="K",
        help="Seats at a table.  [default: 4, or as many as there are bots]",
    ),
    click.option(
        "--permutations",
        type=click.Choice(["rotations", "all"]),
        help="The games of a block: its bots in all rotations, or in every order."
        "  [default: rotations]",
    ),
    click.option(
        "--sprt",
        type=(float, float),
        metavar="LOW HIGH",
        help="A gauntlet that ends as soon as a sequential test decides: is the hero LOW or HIGH"
        " Elo above the field?",
    ),
    click.option(
        "--alpha", type=float, metavar="P", help="Chance that a LOW hero passes.  [default: 0.05]"
    ),
    click.option(
        "--beta", type=float, metavar="P", help="Chance that a HIGH hero fails.  [default: 0.05]"
    ),
    click.option(
        "--disqualify-at",
        type=float,
        metavar="SHARE",
        help="Disqualify a bot with faults in this share of its games.  [default: 0.5]",
    ),
    click.option(
        "--disqualify-after",
        type=click.IntRange(min=1),
        metavar="GAMES",
        help="But not before it has played this many games.  [default: 12]",
    ),
    click.option(
        "--replay-changed",
        is_flag=True,
        help="Play the blocks of bots that have changed again.",
    ),
    click.option(
        "--seed",
        type=click.IntRange(0, SEEDS - 1),
        metavar="N",
        help="Random seed of the whole tournament.  [default: random]",
    ),
    click.option(
        "--workers",
        type=click.IntRange(1, 1024),
        metavar="N",
        help="Games at once.  [default: one a core]",
    ),
    click.option(
        "--fresh/--no-fresh", default=None, help="Start every bot again for each game."
    ),
    click.option(
        "--cluster", metavar="ADDRESS", help="Play on the workers of a Dask scheduler."
    ),
    click.option("--no-records", is_flag=True, help="Keep only results, no records of games."),
    click.option("--fail-on-fault", is_flag=True, help="Exit with 1 if any bot was at fault."),
    click.option("--dry-run", is_flag=True, help="Print what would be played; write nothing."),
    click.option("--json", "as_json", is_flag=True, help="Print JSON, one object a line."),
    click.option("--quiet", is_flag=True, help="Print one line: the result."),
    points_option,
    anchor_option,
)  # fmt: skip


def tournament_options(command: Command) -> Command:
    """Add the options that only `tournament` has."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
