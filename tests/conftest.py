"""Every run is the same: the build that was asked for, and what Hypothesis draws."""

import os
import signal

import pytest
from hypothesis import settings

from referee.version import build_name

# The same examples on every machine, and a busy one is no failure.
settings.register_profile("steady", derandomize=True, deadline=None, database=None)
settings.load_profile("steady")


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
