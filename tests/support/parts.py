"""Tests that need more than Python run only where an environment of tox asks for them.

So the time of the other tests does not depend on what else is installed. Each of these variables is
set to 1 by its environment: REFEREE_NEED_BROWSER, REFEREE_NEED_DOCS, REFEREE_NEED_LANGUAGES and
REFEREE_NEED_SANDBOX. There the tests fail if what they need is missing.
"""

from __future__ import annotations

import os

import pytest

ENVIRONMENTS = {
    "browser": "a browser",
    "docs": "time",
    "languages": "the tools of other languages",
    "sandbox": "the strict sandbox",
}


def is_wanted(part: str) -> bool:
    """Return whether the tests of this part run now."""
    assert part in ENVIRONMENTS
    return os.environ.get(f"REFEREE_NEED_{part.upper()}") == "1"


def reason(part: str) -> str:
    """Return why a test of this part is skipped, and how to run it."""
    environment = "hostile" if part == "sandbox" else part
    return f"it needs {ENVIRONMENTS[part]}; `tox -e {environment}` runs it"


def only_in(part: str) -> pytest.MarkDecorator:
    """Return the mark that skips a test unless its part is wanted."""
    return pytest.mark.skipif(not is_wanted(part), reason=reason(part))
