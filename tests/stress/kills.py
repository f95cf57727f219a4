"""`python -m stress.kills`: kill a whole tournament at random moments, and resume it each time."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

import click

from referee.cli.lazy import examples
from referee.terminal import explain, show_json
from referee.tournament.definition import RunOptions, make_plan, stored_definition
from referee.tournament.ratings import rate
from referee.tournament.secret import closing_of
from referee.tournament.sprt import Verdict
from referee.tournament.stopping import stored_verdict
from referee.tournament.store.store import Store
from stress import program
from stress.program import heading
from stress.tournament_runs import disturb, finish, results_of

BOTS: Final = ("random", "random", "random", "random")
WHOLE, BROKEN = "whole", "broken"  # the folders of the undisturbed and of the killed tournament


@dataclass(frozen=True)
class Kills:
    """How a tournament that was killed and resumed differs from an undisturbed one."""

    kills: int
    runs: int
    blocks: int
    lost: int  # blocks of the plan that the store does not have
    doubled: int
    different: int  # blocks whose games ended differently
    same_standings: bool
    left_running: int  # processes, after all kills together

    @property
    def is_clean(self) -> bool:
        """Whether there is no difference, and no process is left."""
        wrong = (self.lost, self.doubled, self.different, self.left_running)
        return not any(wrong) and self.same_standings


@dataclass(frozen=True)
class SprtKills:
    """How a sequential test that was killed and resumed ended, and an undisturbed one."""

    kills: int
    runs: int
    undisturbed: Verdict
    killed: Verdict
    left_running: int  # processes, after all kills together

    @property
    def is_clean(self) -> bool:
        """Whether both have the same verdict at the same block, and no process is left."""
        is_decided = self.undisturbed.decision is not None
        return is_decided and self.killed == self.undisturbed and not self.left_running


def kill_and_resume(
    folder: Path,
    kills: int,
    *,
    blocks: int,
    max_turns: int,
    seed: int,
    workers: int = 2,
    bots: Sequence[str] = BOTS,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Kills:
    """Play the same tournament twice, undisturbed and killed this many times, and compare them.

    `on_progress` is called with the number of kills after each of them.
    """
    words = [
        *bots, "--blocks", str(blocks), "--max-turns", str(max_turns), "--seed", str(seed),
        "--workers", str(workers), "--quiet",
    ]  # fmt: skip

    def is_done(store: Store) -> bool:
        return store.count() == blocks

    left = _play_twice(folder, words, kills, Random(seed), is_done, on_progress)
    so_far = Kills(kills, kills + 1, 0, 0, 0, 0, False, left)
    return _compare(folder / WHOLE, folder / BROKEN, blocks, so_far)


def kill_test(
    folder: Path,
    kills: int,
    sprt: tuple[float, float],
    *,
    max_turns: int,
    seed: int,
    workers: int = 2,
    bots: Sequence[str] = BOTS[:2],
    on_progress: Callable[[int], None] = lambda _: None,
) -> SprtKills:
    """Play the same sequential test twice, undisturbed and killed this many times."""
    words = [
        *bots, "--seats", "4", "--sprt", *map(str, sprt), "--max-turns", str(max_turns),
        "--seed", str(seed), "--workers", str(workers), "--quiet",
    ]  # fmt: skip

    def is_done(store: Store) -> bool:
        return closing_of(store) is not None

    left = _play_twice(folder, words, kills, Random(seed), is_done, on_progress)
    return SprtKills(kills, kills + 1, _verdict(folder / WHOLE), _verdict(folder / BROKEN), left)


def to_dict(found: Kills | SprtKills) -> dict[str, object]:
    """Every figure, for JSON."""
    return {
        **heading("kills"),
        **asdict(found),
        "clean": found.is_clean,
    }


def _play_twice(
    folder: Path,
    words: Sequence[str],
    kills: int,
    rng: Random,
    is_done: Callable[[Store], bool],
    on_progress: Callable[[int], None],
) -> int:
    """Play the tournament of a command undisturbed and killed; count the processes left running."""
    whole, broken = folder / WHOLE, folder / BROKEN
    took = finish([*words, "--out", str(whole)])
    left = 0
    for number in range(kills):
        left += disturb([*words, "--out", str(broken)], rng.uniform(0.05, 1.0) * took)
        on_progress(number + 1)
        if _is_done(broken, is_done):
            # The tournament ended before the kill: start again, so that every kill hits a running one.
            shutil.rmtree(broken, ignore_errors=True)
    finish([*words, "--out", str(broken)])
    return left


def _is_done(folder: Path, is_done: Callable[[Store], bool]) -> bool:
    try:
        with Store.read(folder) as store:
            return is_done(store)
    except Exception:  # noqa: BLE001  it was killed before it created the store
        return False


def _compare(whole: Path, broken: Path, blocks: int, so_far: Kills) -> Kills:
    first, second = results_of(whole), results_of(broken)
    counts = Counter(result.block.id for result in second)
    planned = _planned(whole, blocks)
    games = {result.block.id: result for result in second}
    return Kills(
        so_far.kills,
        so_far.runs,
        len(planned),
        sum(name not in counts for name in planned),
        sum(count > 1 for count in counts.values()),
        sum(games.get(result.block.id) != result for result in first),
        rate(first) == rate(second),
        so_far.left_running,
    )


def _verdict(folder: Path) -> Verdict:
    with Store.read(folder) as store:
        verdict = stored_verdict(store)
    assert verdict is not None, "the last run was a test"
    return verdict


def _planned(folder: Path, blocks: int) -> list[str]:
    with Store.read(folder) as store:
        names = [bot.name for bot in store.bots()]
        stage = make_plan(stored_definition(store), RunOptions(blocks=blocks), names).stage(
            0, (), frozenset()
        )
    assert stage is not None
    return [block.id for block in stage]


# -- the program


@click.command(
    cls=program.StressProgram,
    epilog=examples(
        "python -m stress.kills",
        "python -m stress.kills --kills 100 --seed 7 --json",
        "python -m stress.kills --kills 5 --sprt 0 60",
    ),
)
@click.option(
    "--kills",
    type=click.IntRange(min=1),
    default=30,
    show_default=True,
    help="How many times to kill it.",
)
@click.option(
    "--blocks",
    type=click.IntRange(min=1),
    default=24,
    show_default=True,
    help="How many blocks the tournament has.",
)
@click.option(
    "--max-turns",
    type=click.IntRange(min=1),
    default=60,
    show_default=True,
    help="How many turns a game has at most.",
)
@click.option(
    "--sprt",
    type=(float, float),
    metavar="LOW HIGH",
    help="Kill a sequential test of two bots instead, which plays as many blocks as it takes.",
)
@program.seed
@program.as_json
def main(
    kills: int,
    blocks: int,
    max_turns: int,
    sprt: tuple[float, float] | None,
    seed: int,
    as_json: bool,
) -> int:
    """Kill a whole tournament at random moments, and resume it each time.

    All its processes are killed at once. At the end it must be the same as an undisturbed one: every
    block once, the same games, the same standings, and no process left. A sequential test must have
    the same verdict at the same block. The exit status is 1 if there is a difference.
    """
    with (
        tempfile.TemporaryDirectory(prefix="referee-kills-") as folder,
        program.counting(kills) as on_progress,
    ):
        common: Any = {"max_turns": max_turns, "seed": seed, "on_progress": on_progress}
        found: Kills | SprtKills
        if sprt is None:
            found = kill_and_resume(Path(folder), kills, blocks=blocks, **common)
        else:
            found = kill_test(Path(folder), kills, sprt, **common)
    if as_json:
        show_json(to_dict(found))
    else:
        _show(found)
    return 0 if found.is_clean else program.FAILED


def _show(found: Kills | SprtKills) -> None:
    if isinstance(found, SprtKills):
        explain(f"Undisturbed: {found.undisturbed.sentence}.")
        explain(
            f"Killed {found.kills} times and resumed: {found.killed.sentence};"
            f" {found.left_running} processes left running."
        )
        return
    explain(
        f"Killed {found.kills} times and resumed: {found.blocks} blocks, {found.lost} lost,"
        f" {found.doubled} doubled, {found.different} that ended differently;"
        f" {found.left_running} processes left running."
    )
    same = "the same as" if found.same_standings else "different from"
    explain(f"The standings are {same} those of the undisturbed run.")


if __name__ == "__main__":
    main(prog_name="python -m stress.kills")
