"""A tournament on disk with invented results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from referee.adjudication.faults import Fault, FaultRecord
from referee.tournament.definition import DEFINITION_KEY
from referee.tournament.request import TournamentRequest, make_definition
from referee.tournament.store.store import Store, StoredBot
from referee.tournament.workers.messages import Played
from support.blocks import block, fault, finished_block

BOTS = ("a", "b", "c", "d")
HOSTILE_TEXT = "\x1b[2J[bold red]=1+1"  # an escape sequence, markup, and a spreadsheet formula


def write_store(folder: Path, blocks: Iterable[Played], bots: Sequence[str] = BOTS) -> Path:
    """Write a store with these finished blocks, and return its folder."""
    with Store.create(folder) as store:
        store.put(
            DEFINITION_KEY, make_definition(TournamentRequest(bots=tuple(bots)), len(bots), 1)
        )
        store.enter(StoredBot(bot, "random", "0", str(folder)) for bot in bots)
        for one in blocks:
            store.finish(one)
    return folder


def plain_blocks(count: int = 6) -> list[Played]:
    """Return finished blocks that all have the same results."""
    return [finished_block(block(number)) for number in range(count)]


def blocks_with_faults(count: int = 3) -> list[Played]:
    """Return finished blocks; the first game of the first block has two faults."""
    first, *others = plain_blocks(count)
    return [finished_block(first.block, [fault(1), hostile_fault()]), *others]


def hostile_fault() -> FaultRecord:
    """Return a fault with text that could do harm in a terminal, in markup or in a spreadsheet."""
    return FaultRecord(
        seat=2,
        name="c",
        decision_id=9,
        cause=Fault("malformed", f"said {HOSTILE_TEXT}", HOSTILE_TEXT.encode() + b"\xff"),
        strikes=1,
        allowed=3,
        disqualified=False,
        stderr_excerpt=HOSTILE_TEXT.encode(),
    )
