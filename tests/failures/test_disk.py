"""Full, read-only and slow disks: finished blocks are safe, and the run can be continued."""

from __future__ import annotations

import os
import resource
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.records.verify import verify
from referee.records.writer import RecordWriter
from referee.tournament.results import BlockResult
from support.command_runs import (
    BLOCKS,
    error_sentence,
    referee,
    referee_here,
    results,
    tournament_arguments,
)
from support.match_setup import FORMATS, PLAIN, BotMatch

pytestmark = pytest.mark.usefixtures("few_processes")

SMALL = 300 << 10


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a small disk; skips the test without the right to mount."""
    place = tmp_path / "disk"
    place.mkdir()
    if os.geteuid() or _mount("-t", "tmpfs", "-o", f"size={SMALL}", "tmpfs", place):
        pytest.skip("no disk can be mounted here")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def _mount(*options: object) -> int:
    try:
        return subprocess.run(["mount", *map(str, options)], check=False).returncode
    except OSError:
        return 1


def test_a_full_disk_loses_no_finished_block_and_the_run_continues(
    disk: Path, undisturbed: list[BlockResult]
) -> None:
    folder = disk / "t"
    message = error_sentence(referee_here(*tournament_arguments(folder, "--blocks", 4 * BLOCKS)))
    assert "no space left" in message or "No space left" in message or "disk is full" in message
    kept = results(folder)
    assert 0 < len(kept) < 4 * BLOCKS
    assert _mount("-o", "remount,size=50m", disk) == 0
    assert referee_here(*tournament_arguments(folder)).returncode == 0
    assert set(kept) <= set(results(folder))
    assert set(undisturbed) <= set(results(folder))
    assert all(verify(path).verdict == "fine" for path in folder.rglob("*.gz"))


def test_a_read_only_disk_is_refused_but_can_be_read(disk: Path) -> None:
    folder = disk / "t"
    assert referee_here(*tournament_arguments(folder, "--blocks", 1)).returncode == 0
    assert _mount("-o", "remount,ro", disk) == 0
    message = error_sentence(referee_here(*tournament_arguments(folder, "--blocks", 2)))
    assert message == f"cannot write to {folder}: Read-only file system"
    assert referee_here("standings", folder).returncode == 0
    assert len(results(folder)) == 1


def test_a_file_size_limit_is_treated_as_a_full_disk(tmp_path: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL // 2, SMALL // 2))

    folder = tmp_path / "t"
    message = error_sentence(
        referee(*tournament_arguments(folder, "--blocks", 20 * BLOCKS), limit=limit)
    )
    assert str(folder) in message
    kept = results(folder)
    assert referee_here(*tournament_arguments(folder)).returncode == 0
    assert set(kept) <= set(results(folder))


def test_a_slow_disk_costs_a_bot_no_time() -> None:
    with BotMatch([PLAIN, PLAIN], max_turns=2) as match:
        record = RecordWriter(match.path / "r.jsonl", FORMATS.get("json", "words"))
        whole = record._file

        class Slow:
            def write(self, line: bytes) -> int:
                time.sleep(0.05)
                return whole.write(line)

            def close(self) -> None:
                whole.close()

        record._file = Slow()  # type: ignore[assignment]
        outcome = match.game(record).play()
        record.close()
        lags = _figures(match.path / "r.jsonl", "lag_ms")
        times = _figures(match.path / "r.jsonl", "ms")
    assert outcome.faults == []
    assert min(lags[1:]) >= 50
    assert min(times) < 50


def _figures(path: Path, key: str) -> list[float]:
    lines = [line for line in path.read_text().splitlines() if '"by":"bot"' in line]
    return [float(line.partition(f'"{key}":')[2].split(",")[0].rstrip("}")) for line in lines]
