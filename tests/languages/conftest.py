"""One workshop for all tests, and nobody left behind by a bot."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import support.reaping
from support.language_bots import Workshop


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    with pytest.MonkeyPatch.context() as patch:
        # What a bot does is tested here, and not how fast: quicker builds will do.
        patch.setenv("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        yield Workshop(tmp_path_factory.mktemp("languages"))


@pytest.fixture(autouse=True)
def in_charge() -> Iterator[None]:
    """This process ends what bots leave, for as long as a test takes."""
    with support.reaping.in_charge():
        yield
