"""Fixtures for games of real bots."""

from __future__ import annotations

import pytest


@pytest.fixture
def short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait long for the end of a bot that never ends by itself."""
    monkeypatch.setattr("referee.bots.process.GRACE_NS", 100_000_000)
