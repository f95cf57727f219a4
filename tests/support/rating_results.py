"""Invented results for tests of ratings."""

from __future__ import annotations

from collections.abc import Sequence

from referee.tournament.results import Block, BlockResult, GameResult

TABLE = "table"


def game(
    bots: Sequence[str],
    ranks: Sequence[int],
    *,
    table: str = TABLE,
    totals: Sequence[int] = (),
    faults: Sequence[int] = (),
    out: Sequence[bool] = (),
) -> GameResult:
    """Return a game, seat by seat; what is not given is zero."""
    none = (0,) * len(bots)
    return GameResult(
        table=table,
        bots=tuple(bots),
        ranks=tuple(ranks),
        totals=tuple(totals) or none,
        faults=tuple(faults) or none,
        out=tuple(out) or (False,) * len(bots),
    )


def block(number: int, *games: GameResult) -> BlockResult:
    """Return a finished block of these games."""
    first = games[0]
    return BlockResult(Block(f"b{number}", first.table, first.bots, number), tuple(games))


def rotated(number: int, bots: Sequence[str], ranks: Sequence[int]) -> BlockResult:
    """Return a block in which each bot has the same rank at every seat."""
    turns = range(len(bots))
    return block(
        number,
        *[game([*bots[turn:], *bots[:turn]], [*ranks[turn:], *ranks[:turn]]) for turn in turns],
    )
