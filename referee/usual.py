"""What is played when nobody says otherwise."""

from typing import Final

LARGE_BOARD: Final = "hanse-4-5"
SMALL_BOARD: Final = "hanse-2-3"
MAX_TURNS: Final = 1000
EDITION: Final = "bigbox"


def usual_board(players: int) -> str:
    """The board for so many."""
    return LARGE_BOARD if players > 3 else SMALL_BOARD
