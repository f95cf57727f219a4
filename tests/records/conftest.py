"""Tests with bots: this process takes charge of what they leave, for as long as a test takes."""

from collections.abc import Iterator

import pytest

import support.reaping


@pytest.fixture
def in_charge() -> Iterator[None]:
    """Orphans of bots become children of this process, and are ended with them."""
    with support.reaping.in_charge():
        yield
