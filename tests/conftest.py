"""For all tests: checks the build, fixes the examples of Hypothesis, kills what bots leave running."""

import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

import support.reaping
from referee.version import build_name
from support.match_setup import close_idle_bots

# The same examples on every machine, and no deadline that a busy machine could miss.
settings.register_profile("steady", derandomize=True, deadline=None, database=None)
settings.load_profile("steady")


def pytest_report_header() -> str:
    return f"engine: {build_name()}"


def pytest_configure(config: pytest.Config) -> None:
    # A shell makes its background jobs ignore interrupts, and our child processes would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    wanted = os.environ.get("REFEREE_EXPECT_BUILD")
    if wanted and wanted != build_name():
        raise pytest.UsageError(
            f"REFEREE_EXPECT_BUILD is {wanted}, but the engine is {build_name()}"
        )


@pytest.fixture
def interpreted() -> None:
    """Skip a test if the build is compiled, because the test replaces a part of the code."""
    if build_name() == "compiled":
        pytest.skip("the test replaces a part of the code, which a compiled build does not allow")


@pytest.fixture(scope="module", autouse=True)
def charge_ends_with_the_module() -> Iterator[None]:
    """Keep a command that ran in this process from killing child processes of other modules."""
    yield
    support.reaping.release()


@pytest.fixture(scope="module")
def in_charge() -> Iterator[None]:
    """Make this process adopt and kill the orphans of bots until the module's last test."""
    with support.reaping.in_charge():
        yield
        close_idle_bots()
