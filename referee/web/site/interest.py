"""Which games are worth watching: first meetings, upsets, close games, faults, and the newest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, zip_longest
from typing import Final, NamedTuple

from referee.text import plural
from referee.tournament.store.games import StoredGame, StoredSeat

_SMALLEST_UPSET: Final = 50.0  # Elo
_LARGEST_LEAD: Final = 5  # prestige, in a close game


class Highlight(NamedTuple):
    """A game, and what is interesting about it."""

    game: StoredGame
    reason: str


def most_interesting(
    games: Sequence[StoredGame], ratings: Mapping[str, float], count: int
) -> list[StoredGame]:
    """The `count` most interesting games; each kind of interest has about the same share of them."""
    kinds = (first_meetings(games), upsets(games, ratings), close_games(games), _faulted(games))
    newest = (Highlight(game, "newest") for game in reversed(games))
    chosen: dict[tuple[str, int], StoredGame] = {}
    for highlights in zip_longest(*kinds, newest):
        for highlight in filter(None, highlights):
            if len(chosen) == count:
                return list(chosen.values())
            chosen[highlight.game.key] = highlight.game
    return list(chosen.values())


def first_meetings(games: Sequence[StoredGame]) -> Iterator[Highlight]:
    """The first game of every two bots, oldest first."""
    met: set[tuple[str, str]] = set()
    for game in games:
        pairs = set(combinations(sorted({seat.bot for seat in game.seats}), 2))
        if not pairs <= met:
            met |= pairs
            yield Highlight(game, "first meeting")


def upsets(games: Sequence[StoredGame], ratings: Mapping[str, float]) -> list[Highlight]:
    """Games that a bot won against one with a much higher rating, the greatest surprise first."""
    found: list[tuple[float, Highlight]] = []
    for game, first, others in _decided(games):
        if any(seat.bot not in ratings for seat in game.seats):
            continue
        best = max(others, key=lambda seat: ratings[seat.bot])
        gap = ratings[best.bot] - ratings[first.bot]
        if gap >= _SMALLEST_UPSET:
            reason = f"{first.bot} won against {best.bot}, which is rated {gap:.0f} higher"
            found.append((gap, Highlight(game, reason)))
    return [highlight for _, highlight in sorted(found, key=lambda pair: -pair[0])]


def close_games(games: Sequence[StoredGame]) -> list[Highlight]:
    """Games in which the first was hardly ahead of the second, the closest first."""
    found: list[tuple[int, Highlight]] = []
    for game, first, others in _decided(games):
        second = min(others, key=lambda seat: seat.rank)
        gap = first.total - second.total
        by = "on a tie-break" if gap == 0 else f"by {gap} prestige"
        if gap <= _LARGEST_LEAD:
            found.append((gap, Highlight(game, f"{first.bot} won {by} ahead of {second.bot}")))
    return [highlight for _, highlight in sorted(found, key=lambda pair: pair[0])]


def _faulted(games: Sequence[StoredGame]) -> Iterator[Highlight]:
    """Games with faults, the newest first."""
    for game in reversed(games):
        if game.faults:
            yield Highlight(game, plural(game.faults, "fault"))


def _decided(
    games: Sequence[StoredGame],
) -> Iterator[tuple[StoredGame, StoredSeat, list[StoredSeat]]]:
    """Games that count, without faults, that one bot won alone: with its seat and the others."""
    for game in games:
        first = [seat for seat in game.seats if seat.rank == 1]
        others = [seat for seat in game.seats if seat.rank != 1]
        if game.void is None and not game.faults and len(first) == 1 and others:
            yield game, first[0], others
