"""A figure that grows steadily is a leak; one that only goes up and down is not."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from stress.soak.leaks import Trend, folder_mib, trend


def trend_of(values: list[float]) -> Trend:
    return trend("memory", values, share=0.05, least=1.0)


def test_a_figure_that_goes_up_and_down_is_flat() -> None:
    rng = Random(1)
    assert trend_of([100 + rng.uniform(-5, 5) for _ in range(200)]).is_flat


def test_a_figure_that_grows_only_in_the_warm_up_is_flat() -> None:
    assert trend_of([min(100.0, 10.0 * step) for step in range(200)]).is_flat


def test_a_figure_that_grows_steadily_is_not_flat() -> None:
    rng = Random(1)
    found = trend_of([100 + 0.1 * step + rng.uniform(-5, 5) for step in range(200)])
    assert not found.is_flat
    assert found.growth == pytest.approx(10, abs=2)


def test_a_shrinking_figure_is_flat_and_one_measurement_has_no_growth() -> None:
    assert trend_of([200.0 - step for step in range(100)]).is_flat
    assert trend_of([7.0]).growth == 0


def test_a_small_figure_may_grow_a_little() -> None:
    assert trend_of([0.0, 0.0, 0.5, 0.5]).is_flat


def test_a_folder_is_measured_without_the_excluded_names(tmp_path: Path) -> None:
    for name, size in {"records/a/1": 1, "store.sqlite-wal": 2, "stderr/x": 3}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(bytes(size << 20))
    assert folder_mib(tmp_path) == 6
    assert folder_mib(tmp_path, ("records", "store.sqlite")) == 3
