"""For all tests of commands: a command that runs in the test process does not reap its children."""

from collections.abc import Iterator

import pytest

from referee.bots.reaper import Reaper


@pytest.fixture(scope="module", autouse=True)
def other_children() -> Iterator[None]:
    """Commands that start bots reap every child process, but the test process has others too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Reaper, "take_charge", lambda _: None)
        yield
