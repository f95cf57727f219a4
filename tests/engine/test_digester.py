"""Digests of one game, turn after turn: what a Digester caches is never out of date."""

from __future__ import annotations

import hashlib
import struct

from referee.engine.digest import Digester
from referee.engine.state import GameState
from support.combinations import combinations
from support.groups import each_of
from support.random_games import decisions, played


def canonical_bytes(state: GameState) -> bytes:
    """The canonical bytes, written again from the description in docs/records.md."""
    digest = state.board.digest_for(state.rules.neutral_scores)
    names = f"{digest}\n{state.rules.name}\n".encode()
    favours = [state.acted, state.forgone] if state.rules.favours else []
    numbers = [
        state.rules.version, state.decision_id, state.over, state.turn, state.active,
        state.actions_left, state.extra_actions, state.fresh, state.completed_cities,
        state.permits_spent, state.permit_bought, state.undrawn, state.display, *favours, len(state.agenda),
    ]  # fmt: skip
    for decision in state.agenda:
        numbers += decision.numbers()
    for flat in (
        state.points, state.posts, state.route_markers, state.stock, state.supply, state.desk,
        state.prestige, state.favours, state.special, state.east_west, state.markers_out,
        state.supply_order[state.drawn :], state.missions, [n for laid in state.laid for n in laid],
        by_position(state.additional), by_position(state.green), by_position(state.markers),
        by_position(state.used), by_position([tuple(sorted(plate)) for plate in state.plates]),
    ):  # fmt: skip
        numbers += [len(flat), *flat]
    return names + b"".join(struct.pack("<i", number) for number in numbers)


def by_position(lists: list[tuple[int, ...]]) -> list[int]:
    return [n for at, one in enumerate(lists) if one for n in (at, len(one), *one)]


@each_of(combinations()[::10])
def test_the_bytes_match_the_position_at_every_decision(name: str) -> None:
    walk = decisions(played(name))
    state = next(walk)
    kept = Digester(state)
    for number, same in enumerate(walk):
        assert same is state
        if number % 7 == 0 or state.is_over:
            assert kept.canonical() == canonical_bytes(state)
    assert (
        kept.digest() == state.digest() == hashlib.sha256(canonical_bytes(state)).hexdigest()[:16]
    )
