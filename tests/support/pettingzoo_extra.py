"""Skips tests where PettingZoo is not installed, unless REFEREE_NEED_RL=1 demands it."""

from __future__ import annotations

import importlib.util
import os

import pytest

IS_THERE = importlib.util.find_spec("pettingzoo") is not None
if os.environ.get("REFEREE_NEED_RL") == "1" and not IS_THERE:
    raise pytest.UsageError("REFEREE_NEED_RL is set, and PettingZoo is not installed")
needs_zoo = pytest.mark.skipif(not IS_THERE, reason="PettingZoo is not installed")
