"""How long the terminal viewer takes to open a long record, and to jump to a step in it.

Opening means reading and checking the whole record and drawing the first screen; the command also
includes the start of the program. A jump goes to a random step and draws its screen. The times are
CPU time, so that a busy machine changes them little.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from statistics import median
from typing import Final, TypeAlias

from referee.bench.common import cpu_time, heading
from referee.bench.verify import write_record
from referee.engine.board import Board
from referee.engine.ruleset import Components, make_ruleset
from referee.errors import BenchRefused
from referee.random_play import Playout, play_game
from referee.replay.controller import ReplayController
from referee.replay.timeline import open_timeline

DECISIONS: Final = 2000
OPENINGS: Final = 5
JUMPS: Final = 100
SIZES: Final = ((80, 24), (160, 50))
TURNS: Final = (300, 400, 500, 700, 1000)

Frame: TypeAlias = Callable[[tuple[int, int]], object]


@dataclass(frozen=True, slots=True)
class ReplaySpeed:
    """The times of one board: seconds to open, milliseconds of a jump for each screen size."""

    board: str
    decisions: int
    command_s: float
    open_s: float
    jump_ms: tuple[float, ...]  # the median, by size
    slowest_jump_ms: tuple[float, ...]


def measure_board(
    components: Components,
    board: Board,
    seats: int,
    folder: Path,
    screen: Callable[[ReplayController], Frame],
) -> ReplaySpeed:
    """Write the record of a long game, open it and jump to random steps; `screen` draws a step."""
    path = write_record(folder / f"{board.id}.jsonl", _long_game(components, board, seats))
    opened = [cpu_time(lambda: _open(path, screen)) for _ in range(OPENINGS)]
    viewer = ReplayController(open_timeline(path))
    gc.freeze()  # as the viewer does
    jumps = [_jumps(viewer, screen(viewer), size) for size in SIZES]
    gc.unfreeze()
    return ReplaySpeed(
        board=board.id,
        decisions=viewer.timeline.last,
        command_s=median(_command(path) for _ in range(OPENINGS)),
        open_s=median(opened),
        jump_ms=tuple(median(times) * 1000 for times in jumps),
        slowest_jump_ms=tuple(max(times) * 1000 for times in jumps),
    )


def to_dict(speeds: Sequence[ReplaySpeed]) -> dict[str, object]:
    """Every figure, for JSON: a list of boards."""
    return {
        **heading("replay"),
        "sizes": SIZES,
        "boards": [asdict(speed) for speed in speeds],
    }


def _long_game(components: Components, board: Board, seats: int) -> Playout:
    for turns in TURNS:
        played = play_game(board, make_ruleset(components, board, seats, max_turns=turns), 0)
        if played.state.decision_id > DECISIONS:
            return played
    raise BenchRefused(f"no game on {board.id} has {DECISIONS} decisions")


def _open(path: Path, screen: Callable[[ReplayController], Frame]) -> None:
    screen(ReplayController(open_timeline(path)))(SIZES[0])


def _command(path: Path) -> float:
    """Return the CPU time of the whole command, up to the first position."""
    words = [
        sys.executable,
        "-P",
        "-m",
        "referee",
        "replay",
        os.fspath(path),
        "--until",
        "0",
        "--json",
    ]
    before = _cpu_time_of_children()
    subprocess.run(words, stdout=subprocess.DEVNULL, check=True)  # noqa: S603  our own command
    return _cpu_time_of_children() - before


def _cpu_time_of_children() -> float:
    used = os.times()
    return used.children_user + used.children_system


def _jumps(viewer: ReplayController, frame: Frame, size: tuple[int, int]) -> list[float]:
    rng = Random(0)
    frame(size)

    def jump() -> None:
        viewer.go(rng.randrange(len(viewer.timeline.steps)))
        frame(size)

    return [cpu_time(jump) for _ in range(JUMPS)]
