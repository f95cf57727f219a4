"""Which build is tested is printed, and held to what was asked for."""

import os
import signal

import pytest

from referee.bench.build import build_name


def pytest_report_header() -> str:
    return f"engine: {build_name()}"


def pytest_configure(config: pytest.Config) -> None:
    # A shell has what it starts in the background ignore interrupts, and so would what we start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    wanted = os.environ.get("REFEREE_EXPECT_BUILD")
    if wanted and wanted != build_name():
        raise pytest.UsageError(f"the {wanted} engine was to be tested, but {build_name()} runs")


@pytest.fixture
def interpreted() -> None:
    """For a test that replaces a part of the code, which a compiled build does not allow."""
    if build_name() == "compiled":
        pytest.skip("a part of the code is replaced, which a compiled build does not allow")
