"""The folders of the project, of its tests and of their bots."""

from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).resolve().parent.parent
ROOT: Final = TESTS.parent
BAD_BOTS: Final = TESTS / "bad_bots"
TROUBLE: Final = BAD_BOTS / "trouble.py"  # misbehaves in the way that its argument names
