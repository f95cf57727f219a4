"""Leaks are found where there are some, and not where figures only go up and down."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from stress.soak.leaks import Trend, folder_mib, trend


def of(values: list[float]) -> Trend:
    return trend("memory", values, share=0.05, least=1.0)


def test_what_goes_up_and_down_is_flat() -> None:
    rng = Random(1)
    assert of([100 + rng.uniform(-5, 5) for _ in range(200)]).is_flat


def test_what_fills_up_in_the_beginning_is_flat() -> None:
    assert of([min(100.0, 10.0 * step) for step in range(200)]).is_flat


def test_what_grows_steadily_is_not() -> None:
    rng = Random(1)
    found = of([100 + 0.1 * step + rng.uniform(-5, 5) for step in range(200)])
    assert not found.is_flat
    assert found.growth == pytest.approx(10, abs=2)


def test_what_gets_less_is_flat_and_one_look_is_no_trend() -> None:
    assert of([200.0 - step for step in range(100)]).is_flat
    assert of([7.0]).growth == 0


def test_a_little_is_allowed_where_there_is_little() -> None:
    assert of([0.0, 0.0, 0.5, 0.5]).is_flat


def test_a_folder_is_measured_without_what_is_left_out(tmp_path: Path) -> None:
    for name, size in {"records/a/1": 1, "store.sqlite-wal": 2, "stderr/x": 3}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(bytes(size << 20))
    assert folder_mib(tmp_path) == 6
    assert folder_mib(tmp_path, ("records", "store.sqlite")) == 3
