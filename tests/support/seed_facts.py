"""What `stress.hostile.guesser` may know about a block, and a digest of its seed."""

from __future__ import annotations

from referee.tournament.results import Block
from stress.hostile.guesser import digest_of


def facts_of(block: Block, public: int, number: int) -> dict[str, object]:
    """Return the facts about a round-robin block: the tournament's public seed, and its pass."""
    words = ["b", "all" if block.all_orders else "rotations", block.table, number]
    return {
        "public": public,
        "id": block.id,
        "words": "\0".join(map(str, [*words, *sorted(block.bots)])),
        "low": block.seed & 0xFFFF,
        "digest": digest_of(block.seed),
    }
