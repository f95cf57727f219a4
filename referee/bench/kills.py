"""Does a tournament survive its own death: the whole tree is killed at random moments, and resumed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Final

from referee.bench.common import heading
from referee.errors import BenchRefused
from referee.tournament.definition import RunOptions, make_plan, stored_definition
from referee.tournament.ratings import rate
from referee.tournament.results import BlockResult
from referee.tournament.store import Store

BOTS: Final = ("random", "random", "random", "random")
MOST_SECONDS: Final = 600.0


@dataclass(frozen=True)
class Kills:
    """What became of a tournament that was killed and resumed, against one that was not."""

    kills: int
    runs: int
    blocks: int
    lost: int  # blocks of the plan that the store does not have
    doubled: int
    different: int  # blocks whose games ended otherwise
    same_standings: bool
    left_running: int  # processes, after all kills together

    @property
    def is_clean(self) -> bool:
        """Whether nothing at all went wrong."""
        wrong = (self.lost, self.doubled, self.different, self.left_running)
        return not any(wrong) and self.same_standings


def kill_and_resume(
    folder: Path, kills: int, *, blocks: int, max_turns: int, seed: int, workers: int = 2
) -> Kills:
    """Play the same tournament twice: undisturbed, and killed so many times."""
    if not Path("/proc/self/task").is_dir():
        raise BenchRefused("processes are found in /proc, which this system does not have")
    common = [
        *BOTS, "--blocks", str(blocks), "--max-turns", str(max_turns), "--seed", str(seed),
        "--workers", str(workers), "--quiet",
    ]  # fmt: skip
    whole, broken = folder / "whole", folder / "broken"
    began = time.monotonic()
    _finish([*common, "--out", str(whole)])
    took = time.monotonic() - began
    runs = left = 0
    lots = Random(seed)
    for _ in range(kills):
        left += _kill_at([*common, "--out", str(broken)], lots.uniform(0.05, 1.0) * took)
        runs += 1
        if _is_done(broken, blocks):
            # It was faster than the kill: begin anew, so that every kill hits a running one.
            shutil.rmtree(broken, ignore_errors=True)
    _finish([*common, "--out", str(broken)])
    return _compare(whole, broken, blocks, Kills(kills, runs + 1, 0, 0, 0, 0, False, left))


def as_words(found: Kills) -> dict[str, object]:
    """One object with every figure."""
    return {
        **heading("kills"),
        **asdict(found),
        "clean": found.is_clean,
    }


def _command(words: Sequence[str]) -> list[str]:
    return [sys.executable, "-P", "-m", "referee", "tournament", *words]


def _finish(words: Sequence[str]) -> None:
    done = subprocess.run(  # noqa: S603  our own command
        _command(words),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
        timeout=MOST_SECONDS,
    )
    if done.returncode:
        raise BenchRefused(f"a tournament could not be played: {done.stderr.decode().strip()}")


def _kill_at(words: Sequence[str], seconds: float) -> int:
    """Begin or resume it, kill all of it after so long; how many processes are left a moment later."""
    child = subprocess.Popen(  # noqa: S603  our own command
        _command(words),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    with suppress(subprocess.TimeoutExpired):
        child.wait(seconds)
    tree = [child.pid, *descendants(child.pid)]
    for pid in tree:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    child.wait()
    return sum(_outlives(pid) for pid in tree[1:])


def descendants(pid: int) -> list[int]:
    """All processes that come from this one, as far as their parents live."""
    found: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for word in (task / "children").read_text().split():
                found += [int(word), *descendants(int(word))]
    return found


def _outlives(pid: int, seconds: float = 2.0) -> bool:
    """Whether a killed process is still there after a moment; one that nobody waited for is dead."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return False
        if state == "Z":
            return False
        time.sleep(0.01)
    return True


def _is_done(folder: Path, blocks: int) -> bool:
    try:
        with Store.read(folder) as store:
            return store.count() == blocks
    except Exception:  # noqa: BLE001  killed before there was a store
        return False


def _compare(whole: Path, broken: Path, blocks: int, so_far: Kills) -> Kills:
    first, second = _results(whole), _results(broken)
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


def _results(folder: Path) -> list[BlockResult]:
    with Store.read(folder) as store:
        return list(store.results())


def _planned(folder: Path, blocks: int) -> list[str]:
    with Store.read(folder) as store:
        names = [bot.name for bot in store.bots()]
        stage = make_plan(stored_definition(store), RunOptions(blocks=blocks), names).stage(
            0, (), frozenset()
        )
    assert stage is not None
    return [block.id for block in stage]
