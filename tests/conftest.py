"""Which build is tested is printed, and held to what was asked for."""

import os

import pytest

from referee.bench.build import build_name


def pytest_report_header() -> str:
    return f"engine: {build_name()}"


def pytest_configure(config: pytest.Config) -> None:
    wanted = os.environ.get("REFEREE_EXPECT_BUILD")
    if wanted and wanted != build_name():
        raise pytest.UsageError(f"the {wanted} engine was to be tested, but {build_name()} runs")


@pytest.fixture
def interpreted() -> None:
    """For a test that replaces a part of the code, which a compiled build does not allow."""
    if build_name() == "compiled":
        pytest.skip("a part of the code is replaced, which a compiled build does not allow")
