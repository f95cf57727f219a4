"""The folders of the project, of its tests and of their bots, and the command `referee`."""

import sys
from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).resolve().parent.parent
ROOT: Final = TESTS.parent
BAD_BOTS: Final = TESTS / "bad_bots"
# -P: the installed package, as in the test process, and not the sources in the current folder.
REFEREE: Final = (sys.executable, "-P", "-m", "referee")
PLAIN: Final = BAD_BOTS / "plain.py"  # plays well and starts fast
TROUBLE: Final = BAD_BOTS / "trouble.py"  # misbehaves in the way that its argument names
