"""Stress tests start bots that misbehave: this process takes charge of what they leave."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import charge
from inside import need_strict
from match_table import send_home


@pytest.fixture(scope="module", autouse=True)
def in_charge() -> Iterator[None]:
    """Orphans of bots become children of this process, and are killed with them."""
    with charge.in_charge():
        yield
        send_home()


@pytest.fixture
def strict() -> None:
    """For tests of the strict sandbox."""
    need_strict()
