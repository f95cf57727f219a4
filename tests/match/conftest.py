"""Tests with bots: this process takes charge of what they leave, for as long as a module takes."""

from collections.abc import Iterator

import pytest

import support.reaping
from support.match_setup import send_home


@pytest.fixture(scope="module")
def in_charge() -> Iterator[None]:
    """Orphans of bots become children of this process, and are ended with them."""
    with support.reaping.in_charge():
        yield
        send_home()
