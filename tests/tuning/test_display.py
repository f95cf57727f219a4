"""What `referee tune` shows: a screen of any size, and what to do after Ctrl-C."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

import pytest

from referee.bots.parameters import Parameter
from referee.terminal import Output
from referee.terminal.full_screen.rows import RowRenderer
from referee.terminal.tournament.live import STOPPING, Size
from referee.terminal.tuning import draw_frame, sparkline
from referee.tournament.coordinator import Progress
from referee.tournament.request import TournamentRequest
from referee.tournament.schedule import Outline
from referee.tuning.plan import TuningState
from referee.tuning.steps import Position
from referee.tuning.terms import Terms
from support.forks import Fork
from support.paths import REFEREE
from support.tuned_bot import write_tuned_bot
from support.waiting import PATIENCE_S

NAMES = [f"weight_{number}" for number in range(40)]
TERMS = Terms(
    "bot",
    TournamentRequest(seats=4),
    tuple(Parameter(name, "float", 1.0, 0.0, 2.0) for name in NAMES),
    dict.fromkeys(NAMES, 1.0),
)


def moved(iterations: int) -> TuningState:
    """A state in which the last parameter has moved furthest."""
    ways = [0.5 + 0.5 * number / iterations for number in range(iterations + 1)]
    positions: list[Position] = [(*(0.5,) * 39, way) for way in ways]
    return TuningState(TERMS, tuple(positions), (0.5, 0.75) * (iterations // 2))


@pytest.mark.parametrize("size", [Size(80, 24), Size(160, 60), Size(40, 12)])
def test_a_frame_fits_the_screen_and_shows_what_moved_furthest(size: Size) -> None:
    progress = Progress(Outline(80, 480, 1920), 0.0, 50.0, new_games=100, new_blocks=25, done=100)
    progress.stopping, progress.faults = True, 3
    renderer = RowRenderer(Output(color_system=None, width=size.columns, height=size.rows))
    rows = draw_frame(progress, moved(20), 60.0, size, renderer)
    assert len(rows) == size.rows
    text = "\n".join(rows)
    assert "iteration 20 of 80" in text
    assert "weight_39" in text
    assert ("weight_20" in text) == (size.rows > 40)
    assert STOPPING[: size.columns - 1] in text
    assert "3 faults" in text


def test_a_sparkline_has_a_bar_for_each_share() -> None:
    assert sparkline([0.0, 0.49, 0.5, 1.0]) == "▁▄▅█"


def test_ctrl_c_finishes_the_blocks_and_says_how_to_continue(tmp_path: Path) -> None:
    bot = write_tuned_bot(tmp_path / "tuned")
    command = [
        *REFEREE, "tune", str(bot), "--out", str(tmp_path / "out"), "--seats", "2", "--workers", "1",
        "--max-turns", "12", "--sandbox", "off",
    ]  # fmt: skip
    with Fork(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        end = time.monotonic() + PATIENCE_S
        while not (tmp_path / "out" / "stderr").exists() and time.monotonic() < end:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        shown, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130, errors
    assert "Stopped before all iterations were finished" in shown
    assert f"To continue it: referee tune --resume {tmp_path}/out" in shown
    assert (tmp_path / "out" / "values.toml").is_file()
