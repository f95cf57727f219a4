"""Stress tests start bots that misbehave: this process kills what they leave running."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import support.reaping
from support.match_setup import close_idle_bots
from support.sandboxed import need_strict


@pytest.fixture(scope="module", autouse=True)
def in_charge() -> Iterator[None]:
    """Make orphans of bots children of this process, which kills them."""
    with support.reaping.in_charge():
        yield
        close_idle_bots()


@pytest.fixture
def strict() -> None:
    """Skip a test if the strict sandbox does not work here."""
    need_strict()
