"""All tests share the built bots, and no bot leaves a process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import support.reaping
from support.language_bots import BotBuilder


def pytest_itemcollected(item: pytest.Item) -> None:
    """Put the tests of a language into one group, so that with xdist only one process builds it."""
    values = item.callspec.params if hasattr(item, "callspec") else {}
    if "language" in values or "words" in values:
        language = values.get("language") or values["words"][0]
        item.add_marker(pytest.mark.xdist_group(language))


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
