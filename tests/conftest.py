"""For all tests: the expected build, the same examples of Hypothesis, and no process left by a bot."""

import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

import support.reaping
from referee.version import build_name
from support.match_setup import close_idle_bots

# The same examples on every machine, and no failure on a busy one.
settings.register_profile("steady", derandomize=True, deadline=None, database=None)
settings.load_profile("steady")


def pytest_report_header() -> str:
    return f"engine: {build_name()}"


def pytest_configure(config: pytest.Config) -> None:
    # A shell lets its background jobs ignore interrupts, and our child processes would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    wanted = os.environ.get("REFEREE_EXPECT_BUILD")
    if wanted and wanted != build_name():
        raise pytest.UsageError(
            f"REFEREE_EXPECT_BUILD is {wanted}, but the engine is {build_name()}"
        )


@pytest.fixture
def interpreted() -> None:
    """Skips a test that replaces a part of the code where the build is compiled."""
    if build_name() == "compiled":
        pytest.skip("a part of the code is replaced, which a compiled build does not allow")


@pytest.fixture(scope="module")
def in_charge() -> Iterator[None]:
    """This process adopts and kills the orphans of bots until the module's last test."""
    with support.reaping.in_charge():
        yield
        close_idle_bots()
