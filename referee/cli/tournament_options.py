"""The options of `referee tournament`, and the request that they make. None is "not given"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isfinite
from pathlib import Path
from typing import Any, Literal

import click
import msgspec

from referee.bots.sandbox.limits import parse_grants
from referee.cli.options import ClockGiven, ConductGiven, SandboxGiven
from referee.options import GivenOptions
from referee.random_play import SEEDS
from referee.tournament.definition import SETTLED, Format
from referee.tournament.request import TournamentRequest

Command = Callable[..., Any]


@dataclass(frozen=True)
class Given:
    """The options that are a tournament's own."""

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
        """Refuse what contradicts itself."""
        if self.as_json and self.quiet:
            raise click.UsageError("--json and --quiet are mutually exclusive")
        if self.out is not None and self.resume is not None:
            raise click.UsageError("--resume names the folder: leave out --out")
        if self.cluster is not None and self.workers is not None:
            raise click.UsageError("a cluster has its own workers: leave out --workers")

    def request(
        self,
        bots: tuple[str, ...],
        rules: GivenOptions,
        clock: ClockGiven,
        conduct: ConductGiven,
        inside: SandboxGiven,
        *,
        ponder_given: bool,
    ) -> TournamentRequest:
        """All that was asked for on the command line."""
        return TournamentRequest(
            **msgspec.structs.asdict(rules),
            **msgspec.structs.asdict(clock.given()),
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


def _blocks(
    _: click.Context, __: click.Parameter, value: str | None
) -> int | Literal["settled"] | None:
    if value is None or value == SETTLED:
        return None if value is None else "settled"
    if value.isascii() and value.isdigit() and 1 <= int(value[:20]) <= 10**9:
        return int(value)
    raise click.BadParameter(f"{value!r} is neither a number from 1 on nor {SETTLED!r}")


def _points(_: click.Context, __: click.Parameter, value: str | None) -> tuple[float, ...] | None:
    if value is None:
        return None
    try:
        points = tuple(float(part) for part in value.split(","))
    except ValueError:
        points = (inf,)
    if not all(map(isfinite, points)):
        raise click.BadParameter(f"{value!r} are no points; say them as 5,3,1")
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
        help="Where to keep it; goes on if it is there already.  [default: tournament-1, -2, ...]",
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
        help="Blocks for each set of bots, or until the first place is beyond doubt."
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
        help="A gauntlet that ends as soon as it is known which fits better: the hero is LOW or"
        " HIGH Elo above the field.",
    ),
    click.option(
        "--alpha", type=float, metavar="P", help="How often a LOW hero may pass.  [default: 0.05]"
    ),
    click.option(
        "--beta", type=float, metavar="P", help="How often a HIGH hero may fail.  [default: 0.05]"
    ),
    click.option(
        "--disqualify-at",
        type=float,
        metavar="SHARE",
        help="A bot at fault in this share of its games is out.  [default: 0.5]",
    ),
    click.option(
        "--disqualify-after",
        type=click.IntRange(min=1),
        metavar="GAMES",
        help="But not before so many games.  [default: 12]",
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
        help="Of the whole tournament.  [default: drawn]",
    ),
    click.option(
        "--workers",
        type=click.IntRange(1, 1024),
        metavar="N",
        help="Games at once.  [default: one a core]",
    ),
    click.option(
        "--fresh/--no-fresh", default=None, help="Start every bot anew for each game."
    ),
    click.option(
        "--cluster", metavar="ADDRESS", help="Have it played by the workers of a Dask scheduler."
    ),
    click.option("--no-records", is_flag=True, help="Keep results only, no records of games."),
    click.option("--fail-on-fault", is_flag=True, help="Exit with 1 if any bot was at fault."),
    click.option("--dry-run", is_flag=True, help="Print what would be played; write nothing."),
    click.option("--json", "as_json", is_flag=True, help="Print one object a line as it goes."),
    click.option("--quiet", is_flag=True, help="Print one line: the result."),
    points_option,
    anchor_option,
)  # fmt: skip


def tournament_options(command: Command) -> Command:
    """All options that are a tournament's own."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
