"""Stress tests start bots that misbehave: this process takes charge of what they leave."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import support.reaping
from support.match_setup import close_idle_bots
from support.sandboxed import need_strict


@pytest.fixture(scope="module", autouse=True)
def in_charge() -> Iterator[None]:
    """Orphans of bots become children of this process, and are killed with them."""
    with support.reaping.in_charge():
        yield
        close_idle_bots()


@pytest.fixture
def strict() -> None:
    """For tests of the strict sandbox."""
    need_strict()
