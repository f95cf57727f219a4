"""Goals: what ends a tournament before its plan does."""

from __future__ import annotations

from typing import Final

from referee.tournament.conductor import Ending
from referee.tournament.ratings import rate
from referee.tournament.store import Store
from referee.tournament.terms import Block, BlockResult

SURE: Final = 0.975  # how likely the first must be stronger than the second
FEWEST_PASSES: Final = 4


class Settled:
    """The first of the table is stronger than the second, beyond reasonable doubt."""

    ending: Ending = "settled"

    def __init__(self, store: Store) -> None:
        self._store = store
        self._passes = 0

    def scheduled(self, block: Block) -> None:
        """It is looked at after whole passes only."""

    def finished(self, result: BlockResult) -> None:
        """It is looked at after whole passes only."""

    def is_reached(self, *, at_stage_end: bool) -> bool:
        """Whether the top is settled; every pass is a stage."""
        if not at_stage_end:
            return False
        self._passes += 1
        if self._passes < FEWEST_PASSES:
            return False
        entries = rate(self._store.results()).entries
        sure = entries[0].superiority_over_next
        return sure is not None and sure >= SURE
