"""All tests share the built bots, and no bot leaves a process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import support.reaping
from support.language_bots import BotBuilder


@pytest.fixture(scope="session")
def builder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BotBuilder]:
    with pytest.MonkeyPatch.context() as patch:
        # The speed of bots is not tested here, so an unoptimized build is enough.
        patch.setenv("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        yield BotBuilder(tmp_path_factory.mktemp("languages"))


@pytest.fixture(autouse=True)
def in_charge() -> Iterator[None]:
    """This process kills the orphans of bots during each test."""
    with support.reaping.in_charge():
        yield
