"""`python -m stress.league`: a league that is disturbed in every way, beside an undisturbed one."""

from __future__ import annotations

import signal
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Final

import click

from referee.cli.lazy import examples
from referee.terminal import explain, show_json
from referee.tournament.ratings import rate
from referee.tournament.store import Store
from stress import program
from stress.program import heading
from stress.soak import bad_bot
from stress.tournament_runs import disturb, finish, results_of

GOOD: Final = (
    "python=random", "python-2=random-python", "greedy", "c=random-c", "cpp=random-cpp",
    "go=random-go", "rust=random-rust", "javascript=random-js",
)  # fmt: skip
BAD: Final = ("crashes", "mumbles", "cheats", "floods")
DISTURBANCES: Final = (signal.SIGINT, signal.SIGKILL, signal.SIGTERM, signal.SIGKILL)


@dataclass(frozen=True)
class League:
    """How a disturbed league differs from an undisturbed one."""

    bots: int
    runs: int
    disturbances: int
    disqualified: list[str]
    blocks: int
    different: int  # blocks that only one of the two leagues has, or that ended differently
    same_standings: bool
    left_running: int  # processes, after all disturbances together

    @property
    def is_clean(self) -> bool:
        """Whether there is no difference, and no process is left."""
        return not self.different and self.same_standings and not self.left_running


def play_league(
    folder: Path,
    *,
    good: Sequence[str] = GOOD,
    disturbances: int = 2,
    max_turns: int = 24,
    seed: int = 1,
    on_progress: Callable[[int], None] = lambda _: None,
) -> League:
    """Play a season twice, undisturbed and with this many disturbances of each run.

    `on_progress` is called with the number of finished runs.
    """
    season = _season([*good, *_bad_bots(folder)], max_turns, seed)
    whole, disturbed = folder / "whole", folder / "disturbed"
    took = []
    for words in season:
        took.append(finish([*words, str(whole)]))
        on_progress(len(took))
    left, rng = 0, Random(seed)
    for number, (words, seconds) in enumerate(zip(season, took, strict=True)):
        for turn in range(disturbances):
            how = DISTURBANCES[(number + turn) % len(DISTURBANCES)]
            left += disturb([*words, str(disturbed)], rng.uniform(0.2, 1.0) * seconds, how)
        finish([*words, str(disturbed)])
        on_progress(len(took) + number + 1)
    return _compare(whole, disturbed, len(season), disturbances, left)


def _bad_bots(folder: Path) -> list[str]:
    """Write the folders of the bots that misbehave, and return them."""
    source = Path(bad_bot.__file__).read_text("utf-8")
    folders = [folder / f"bad-{kind}" for kind in BAD]
    for kind, place in zip(BAD, folders, strict=True):
        place.mkdir()
        (place / "bot.py").write_text(source, "utf-8")
        (place / "bot.toml").write_text(
            f'name = "{place.name}"\ncommand = ["python", "-I", "-S", "bot.py", "{kind}"]\n',
            "utf-8",
        )
    return [*map(str, folders)]


def _season(bots: Sequence[str], max_turns: int, seed: int) -> list[list[str]]:
    """Return the commands of an organiser in the course of a season; the folder is still missing."""
    begin = ["--max-turns", str(max_turns), "--seed", str(seed), "--blocks-per-bot", "3", "--out"]
    return [
        [*bots, *begin],
        ["--blocks-per-bot", "5", "--resume"],
        ["late=random", "--resume"],
        ["--replace", "greedy=random-python", "--resume"],
        ["--retire", "python-2", "--blocks-per-bot", "7", "--resume"],
    ]


def _compare(whole: Path, disturbed: Path, runs: int, disturbances: int, left: int) -> League:
    first, second = results_of(whole), results_of(disturbed)
    out = _disqualified(whole)
    is_same = rate(first) == rate(second) and out == _disqualified(disturbed)
    return League(
        bots=len({bot for result in first for bot in result.block.bots}),
        runs=runs,
        disturbances=runs * disturbances,
        disqualified=sorted(out),
        blocks=len(first),
        different=len(set(first) ^ set(second)),
        same_standings=is_same,
        left_running=left,
    )


def _disqualified(folder: Path) -> dict[str, str]:
    """Return the disqualified bots, and why."""
    with Store.read(folder) as store:
        return {bot.name: bot.out for bot in store.bots() if bot.out is not None}


@click.command(
    cls=program.StressProgram,
    epilog=examples("python -m stress.league", "python -m stress.league --disturbances 1 --json"),
)
@click.option(
    "--disturbances",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    metavar="N",
    help="How many times each run is interrupted or killed.",
)
@click.option(
    "--max-turns",
    type=click.IntRange(min=1),
    default=24,
    show_default=True,
    metavar="N",
    help="How many turns a game has at most.",
)
@program.seed
@program.as_json
def main(disturbances: int, max_turns: int, seed: int, as_json: bool) -> int:
    """Play a league of twelve bots in six languages, four of them bad, undisturbed and disturbed.

    In the course of the season the league gets more blocks, a new bot, a new version of a bot, and
    one bot retires. Each run is interrupted or killed at random moments and resumed. At the end both
    leagues must have the same blocks, results, disqualified bots and standings. The exit status is 1
    if there is a difference. The tools of the languages must be installed.
    """
    with (
        tempfile.TemporaryDirectory(prefix="referee-league-") as folder,
        program.counting(2 * len(_season((), 1, 1))) as on_progress,
    ):
        found = play_league(
            Path(folder),
            disturbances=disturbances,
            max_turns=max_turns,
            seed=seed,
            on_progress=on_progress,
        )
    if as_json:
        show_json({**heading("league"), **asdict(found), "clean": found.is_clean})
    else:
        _show(found)
    return 0 if found.is_clean else program.FAILED


def _show(found: League) -> None:
    explain(
        f"{found.bots} bots, {found.blocks} blocks; disqualified: {', '.join(found.disqualified)}."
    )
    explain(
        f"Disturbed {found.disturbances} times in {found.runs} runs: {found.different} blocks differ;"
        f" the standings {'are the same' if found.same_standings else 'DIFFER'};"
        f" {found.left_running} processes left running."
    )


if __name__ == "__main__":
    main(prog_name="python -m stress.league")
