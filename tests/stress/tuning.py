"""`python -m stress.tuning`: a model of tuning, and `referee tune` on a spoilt bot that is killed on the way."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Final

import click

from referee import Tournament
from referee.bots.find import find_bot
from referee.bots.parameters import Parameter, Value, join_settings, settings_of
from referee.bots.values_file import read_values
from referee.cli.lazy import examples
from referee.system import core_count
from referee.terminal import explain, show_json
from referee.tuning.terms import DEFAULT_BLOCKS, DEFAULT_ITERATIONS
from stress import program
from stress.program import heading
from stress.tournament_runs import disturb, finish
from stress.tuning_model import by_evolution, by_steps, model_terms, regained

BOT: Final = "merchant"
# Weights that matter in every game; with only the first twelve spoilt, the loss was 94 Elo (seed 1).
WEIGHTS: Final = (
    "post", "control", "chain", "marker", "action_turn", "privilege", "nearly_full", "supply",
    "to_come", "horizon", "action_now", "others", "growth_turn", "control_turn",
    "marker_prestige", "privilege_turn", "step_trader", "merchant", "blocked", "stolen",
)  # fmt: skip
LEAST_FACTOR, MOST_FACTOR = 2.0, 4.0
LEAST_LOSS: Final = 150.0  # Elo
LEAST_REGAINED: Final = 0.8
BLOCKS: Final = 60  # of a measurement: 240 games of four seats
# Neither the speed of the machine nor other programs on it decide a game.
STEADY: Final = ("--clock", "cpu", "--start-ms", "off")
MOST_SECONDS: Final = 150 * 60.0
BETWEEN_KILLS: Final = (5.0, 40.0)  # seconds


@dataclass(frozen=True)
class Spoilt:
    """A bot whose weights were spoilt, and what its tuning regained."""

    seed: int
    loss: float  # Elo of the spoilt bot below the good one
    left: float  # Elo of the tuned bot below the good one
    kills: int
    left_running: int  # processes, after all kills together
    start: dict[str, Value]
    tuned: dict[str, Value]
    same_values: bool | None  # as without kills; None if that was not tried

    @property
    def regained(self) -> float:
        """The share of the loss that the tuning regained; 0 if nothing was lost."""
        return 1 - self.left / self.loss if self.loss > 0 else 0.0

    @property
    def is_clean(self) -> bool:
        """Whether there was a loss, the tuning regained it, and the kills changed nothing."""
        is_same = self.same_values is not False and not self.left_running
        return self.loss >= LEAST_LOSS and self.regained >= LEAST_REGAINED and is_same


def spoil(parameters: Sequence[Parameter], seed: int) -> dict[str, Value]:
    """Return values that are the defaults times or divided by 2 to 4, within the ranges."""
    rng = Random(seed)
    values: dict[str, Value] = {}
    for one in parameters:
        factor, is_more = rng.uniform(LEAST_FACTOR, MOST_FACTOR), rng.random() < 0.5
        more, less = one.default * factor, one.default / factor
        value = more if is_more and more <= one.high else less
        values[one.name] = float(f"{value:.4g}")
    return values


def tune_spoilt(
    folder: Path,
    seed: int,
    *,
    kills: int,
    iterations: int,
    blocks: int,
    workers: int,
    undisturbed: bool,
) -> Spoilt:
    """Spoil the bot, tune it with kills, and measure it before and after against the good one.

    The undisturbed tuning has another number of workers. What is already in the folder is not repeated.
    """
    declared = {one.name: one for one in find_bot(BOT).parameters}
    start = spoil([declared[name] for name in WEIGHTS], seed)
    words = [
        join_settings(BOT, settings_of(start)), "--only", ",".join(WEIGHTS), *STEADY, "--quiet",
        "--iterations", str(iterations), "--no-confirm", "--seed", str(seed),
    ]  # fmt: skip
    at_all = ["--workers", str(workers)]
    killed, left_running = tune_with_kills([*words, *at_all], folder / "killed", kills, seed)
    same = None
    if undisturbed:
        others = ["--workers", str(workers - 1 or 2)]
        finish([*words, *others, "--out", str(folder / "whole")], "tune", MOST_SECONDS)
        same = _values(folder / "whole") == killed
    tuned = {name: value for name, value in killed.items() if name in WEIGHTS}
    loss, left = (
        _below_good(values, folder / name, blocks, seed, workers)
        for name, values in (("loss", start), ("left", tuned))
    )
    return Spoilt(seed, loss, left, kills, left_running, start, tuned, same)


def tune_with_kills(
    words: Sequence[str], folder: Path, kills: int, seed: int
) -> tuple[dict[str, Value], int]:
    """Tune, killed again and again after some more blocks; return the values and the processes left."""
    command = [*words, "--out", str(folder)]
    killed = folder.with_name(
        "kills.txt"
    )  # a line for each: the number of processes that were left
    while len(_lines(killed)) < kills:
        seconds = Random(f"{seed} {len(_lines(killed))}").uniform(*BETWEEN_KILLS)
        left = disturb(command, seconds, command="tune")
        with killed.open("a", encoding="ascii") as file:
            file.write(f"{left}\n")
    finish(command, "tune", MOST_SECONDS)
    return _values(folder), sum(map(int, _lines(killed)))


def _lines(path: Path) -> list[str]:
    return path.read_text("ascii").splitlines() if path.exists() else []


def _values(folder: Path) -> dict[str, Value]:
    values = read_values(folder / "values.toml")
    return {name: value for name, value in values.items() if isinstance(value, int | float)}


def _below_good(
    values: Mapping[str, Value], folder: Path, blocks: int, seed: int, workers: int
) -> float:
    """Return how many Elo a bot with these values is below the good one, in new games."""
    bots = [f"other={join_settings(BOT, settings_of(values))}", f"good={BOT}"]
    result = Tournament(
        bots, out=folder, format="gauntlet", hero="other", seats=4, blocks_per_bot=blocks,
        seed=1000 + seed, secret=f"{seed:032x}", clock="cpu", start_ms="off", workers=workers,
    ).run()  # fmt: skip
    return result["good"].rating - result["other"].rating


# -- the program


@click.group(
    cls=program.StressPrograms,
    epilog=examples(
        "python -m stress.tuning model",
        "python -m stress.tuning spoilt --seed 1 --kills 10",
        "python -m stress.tuning spoilt --seed 1 --iterations 10 --blocks 8 --json",
        "python -m stress.tuning spoilt --seed 1 --out spoilt-1    # the same again goes on after a kill",
    ),
)
def main() -> None:
    """How well `referee tune` tunes."""


@main.command()
@click.option(
    "--trials", type=click.IntRange(min=2), default=20, show_default=True, help="Bowls to tune in."
)
@program.seed
@program.as_json
def model(trials: int, seed: int, as_json: bool) -> int:
    """Compare the steps of `referee tune` with an evolution strategy, on modelled games.

    The exit status is 1 if the steps regain less than 80 % of the loss with 12 parameters.
    """
    rows = []
    for parameters, loss in ((12, 200.0), (42, 100.0)):
        terms = model_terms(DEFAULT_ITERATIONS, DEFAULT_BLOCKS)
        for name, search in (("steps", by_steps), ("evolution", by_evolution)):
            found = regained(search, parameters, loss, terms=terms, trials=trials, seed=seed)
            rows.append({"search": name, "parameters": parameters, "loss": loss, **asdict(found)})
            if not as_json:
                explain(
                    f"{name}: {parameters} parameters, {loss:.0f} Elo lost: {found.mean:.0%} regained"
                    f" on average, {found.most:.0%} or more in nine of ten trials"
                )
    if as_json:
        show_json({**heading("tuning-model"), "trials": trials, "seed": seed, "rows": rows})
    is_good = any(row["search"] == "steps" and row["mean"] >= LEAST_REGAINED for row in rows)
    return 0 if is_good else program.FAILED


@main.command()
@click.option(
    "--kills", type=click.IntRange(min=0), default=10, show_default=True, help="Kills on the way."
)
@click.option(
    "--iterations",
    type=click.IntRange(min=1),
    default=DEFAULT_ITERATIONS,
    show_default=True,
    help="Iterations of the tuning.",
)
@click.option(
    "--blocks",
    type=click.IntRange(min=1),
    default=BLOCKS,
    show_default=True,
    help="Blocks of each measurement.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=core_count(),
    help="Games played at the same time.  [default: one for each CPU core]",
)
@click.option(
    "--undisturbed",
    is_flag=True,
    help="Also tune without kills and with another number of workers, and compare the values.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Keep everything in this folder; with the same options, a later run goes on there.",
)
@program.seed
@program.as_json
def spoilt(
    kills: int,
    iterations: int,
    blocks: int,
    workers: int,
    undisturbed: bool,
    out: Path | None,
    seed: int,
    as_json: bool,
) -> int:
    """Spoil twenty weights of `merchant` by factors of 2 to 4, tune them, and measure what is regained.

    The exit status is 1 if the loss was below 150 Elo, less than 80 % of it is regained, or the values
    are others than without kills.
    """
    kept = nullcontext(out) if out else tempfile.TemporaryDirectory(prefix="referee-tuning-")
    with kept as folder:
        found = tune_spoilt(
            Path(folder), seed, kills=kills, iterations=iterations, blocks=blocks,
            workers=workers, undisturbed=undisturbed,
        )  # fmt: skip
    if as_json:
        figures = {"regained": found.regained, "clean": found.is_clean}
        show_json({**heading("tuning"), **asdict(found), **figures})
    else:
        explain(
            f"seed {found.seed}: {found.loss:.0f} Elo lost, {found.left:.0f} left after the tuning:"
            f" {found.regained:.0%} regained; {found.kills} kills, {found.left_running} processes left"
            f" running, same values: {found.same_values}"
        )
    return 0 if found.is_clean else program.FAILED


if __name__ == "__main__":
    main()
