"""`python -m stress.analysis`: whether the chances, the preferences and the mistakes of an analysis are true."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar

import click

from referee.analysis.alternatives import MISTAKE
from referee.cli.lazy import examples
from referee.cli.verify import workers_option
from referee.records.verify import in_parallel
from referee.system import core_count
from referee.terminal import bench, explain, show_json
from referee.terminal.bench import BenchTable, Column
from stress import program
from stress.analysis.blunders import Judged, judged_turns
from stress.analysis.blunders import summed_up as blunders_found
from stress.analysis.calibration import Bin, Losses, bins, losses, predictions
from stress.analysis.games import BOARDS, GameFile, play_mixed, play_with_blunders, recorded
from stress.analysis.honesty import Preference, first_preference
from stress.analysis.honesty import summed_up as honesty_of

Result = TypeVar("Result")

TITLE: Final = "Engine: {build}, Python {python}"
LOSSES: Final = BenchTable[Losses](
    (
        Column("part", lambda one: one.part, is_text=True),
        Column("games", lambda one: f"{one.games:,}"),
        Column("turns", lambda one: f"{one.positions:,}"),
        Column("log loss", lambda one: f"{one.learnt:.3f}"),
        Column("by score", lambda one: f"{one.by_score:.3f}"),
        Column("uniform", lambda one: f"{one.uniform:.3f}"),
        Column("gain on score", lambda one: f"{one.gain_low:+.3f} to {one.gain_high:+.3f}"),
    ),
    title=TITLE,
)
BIN_TABLE: Final = BenchTable[Bin](
    (
        Column("part", lambda one: one.part, is_text=True),
        Column("chances", lambda one: f"{one.chances:,}"),
        Column("predicted %", lambda one: f"{100 * one.predicted:.1f}"),
        Column("came true %", lambda one: f"{100 * one.came_true:.1f}"),
        Column("95 %", lambda one: f"{100 * one.low:.1f} to {100 * one.high:.1f}"),
    ),
    title=TITLE,
)

folder = click.argument("folder", type=click.Path(path_type=Path, file_okay=False))


def playouts(default: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option for the number of games after each turn."""
    return click.option(
        "--playouts", type=click.IntRange(min=2), default=default, show_default=True, metavar="N",
        help="Games to play after each of the two turns.",
    )  # fmt: skip


def games(default: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option for the number of games of each board."""
    return click.option(
        "--games", type=click.IntRange(min=1), default=default, show_default=True, metavar="N",
        help="Games of each board; those in FOLDER are not played again.",
    )  # fmt: skip


@click.group(
    cls=program.StressPrograms,
    epilog=examples(
        "python -m stress.analysis calibration records/",
        "python -m stress.analysis honesty records/",
        "python -m stress.analysis blunders records/",
    ),
)
def main() -> None:
    """Judge the analysis by recorded games, and by games that continue them.

    FOLDER contains the recorded games. A stopped run goes on where it was.
    """


def _of_all(
    work: Callable[[GameFile], Result], played: Sequence[GameFile], workers: int | None
) -> list[Result]:
    """The result of each game, with a progress bar."""
    found: list[Result] = []
    with program.counting(len(played)) as progress:
        for result in in_parallel(work, played, workers or core_count(), at_once=1):
            found.append(result)
            progress(len(found))
    return found


@main.command(epilog=examples("python -m stress.analysis calibration records/ --games 200"))
@folder
@games(200)
@workers_option
@program.as_json
def calibration(folder: Path, games: int, workers: int | None, as_json: bool) -> None:
    """Compare the chances at every turn of games of mixed bots with how the games ended."""
    played = recorded(folder, "mixed", games, play_mixed, workers)
    found = [one for some in _of_all(predictions, played, workers) for one in some]
    lost, made = losses(found), bins(found)
    figures = {
        **program.heading("calibration"),
        "games": len(played),
        "losses": [asdict(one) for one in lost],
        "bins": [asdict(one) for one in made],
    }
    bench.show(figures, LOSSES, lost, as_json=as_json)
    if not as_json:
        bench.show(figures, BIN_TABLE, made, as_json=False)


@main.command(epilog=examples("python -m stress.analysis honesty records/ --positions 20"))
@folder
@games(200)
@click.option("--positions", type=click.IntRange(min=1), default=20, show_default=True, metavar="N",
              help="Positions of each board with a clear preference.")  # fmt: skip
@playouts(100)
@workers_option
@program.as_json
def honesty(
    folder: Path, games: int, positions: int, playouts: int, workers: int | None, as_json: bool
) -> None:
    """Play many games after turns that are clearly preferred, and after those that were played."""
    played = recorded(folder, "mixed", games, play_mixed, workers)
    found: list[Preference] = []
    for board in BOARDS:
        those = [one for one in played if one.board == board]
        results = in_parallel(
            partial(first_preference, playouts=playouts),
            those[: 2 * positions],
            workers or core_count(),
            at_once=1,
        )
        found += islice((one for one in results if one is not None), positions)
    figure = honesty_of(found)
    if as_json:
        rows = [asdict(one) for one in found]
        show_json({**program.heading("honesty"), **asdict(figure), "preferences": rows})
        return
    explain(
        f"{figure.positions} positions: the preferred turn did better in {figure.better:.0%}"
        f" ({figure.low:.0%} to {figure.high:.0%}). It was promised {100 * figure.promised:.1f}"
        f" points of winning chance more, and won {100 * figure.gain:.1f} points more often"
        f" ({100 * figure.gain_low:.1f} to {100 * figure.gain_high:.1f})."
    )


@main.command(epilog=examples("python -m stress.analysis blunders records/ --games 4"))
@folder
@games(4)
@playouts(400)
@workers_option
@program.as_json
def blunders(folder: Path, games: int, playouts: int, workers: int | None, as_json: bool) -> None:
    """Look for turns that a strong bot played at random, on purpose."""
    played = recorded(folder, "blunders", games, play_with_blunders, workers)
    work = partial(judged_turns, playouts=playouts)
    turns: list[Judged] = [one for some in _of_all(work, played, workers) for one in some]
    found = blunders_found(turns)
    if as_json:
        rows = [asdict(one) for one in turns]
        show_json({**program.heading("blunders"), **asdict(found), "turns": rows})
        return
    explain(
        f"{found.planted} planted blunders, of which {found.costly} cost at least {100 * MISTAKE:.0f} points:"
        f" {found.marked:.0%} of these are marked. Of {found.others} other turns,"
        f" {found.falsely_marked:.0%} are marked."
    )


if __name__ == "__main__":
    main(prog_name="python -m stress.analysis")
