"""Leaves out the tests that need PettingZoo where it cannot be installed: on Python 3.15."""

import importlib.util
import sys

NEED_PETTINGZOO = [
    "test_bench_rl.py",
    "test_environment.py",
    "test_learning.py",
    "test_learning_page.py",
    "test_single_agent.py",
]

is_missing = sys.version_info >= (3, 15) and importlib.util.find_spec("pettingzoo") is None
collect_ignore = NEED_PETTINGZOO if is_missing else []
