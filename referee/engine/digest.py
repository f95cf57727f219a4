"""The canonical bytes of a position, and their digest.

The board's digest and the ruleset's name, each ended by a newline, then whole numbers of four
bytes, the lowest first; a list is its length and its entries. Everything that affects later play is
there, hidden things too. What other entries determine (free points, counts, presence, choices) is
left out, and so is what an owner has seen of its plate: it changes nobody's choices.
"""

from __future__ import annotations

import hashlib
import struct
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.engine.state import GameState


class Digester:
    """The digests of one game; lists are packed again only after they were replaced."""

    __slots__ = (
        "_board",
        "_names",
        "_packed_board",
        "_packed_points",
        "_packed_rest",
        "_points",
        "_rest",
        "_state",
    )

    def __init__(self, state: GameState) -> None:
        self._state = state
        rules = state.rules
        digest = state.board.digest_for(rules.neutral_scores)
        self._names = f"{digest}\n{rules.name}\n".encode()
        self._points = state.points[:]
        self._packed_points = bytearray(_pack_small(state.points))
        self._board: list[object] = []
        self._packed_board = b""
        self._rest: list[object] = []
        self._packed_rest = b""

    def digest(self) -> str:
        """The first 16 hex digits of SHA-256 over `canonical`."""
        return hashlib.sha256(self.canonical()).digest()[:8].hex()

    def canonical(self) -> bytes:
        """The canonical bytes of the current position."""
        self._renew()
        state = self._state
        numbers = _turn_numbers(state)
        numbers.append(len(state.points))
        count = 4 * len(numbers)
        held = [len(state.stock), *state.stock, len(state.supply), *state.supply]
        packed = _pack(numbers + held)
        parts = [
            self._names,
            packed[:count],
            bytes(self._packed_points),
            self._packed_board,
            packed[count:],
            self._packed_rest,
        ]
        return b"".join(parts)

    def _renew(self) -> None:
        """Pack again whatever has changed since the last call."""
        state, known = self._state, self._points
        for point, man in enumerate(state.points):
            if man != known[point]:
                known[point] = man
                self._packed_points[4 * point] = man
        board: list[object] = [state.posts, state.route_markers]
        if not _same(board, self._board):
            self._board = board
            self._packed_board = _pack(_flat([state.posts, state.route_markers]))
        rest: list[object] = [
            state.desk,
            state.prestige,
            state.favours,
            state.special,
            state.east_west,
            state.markers_out,
            state.supply_order,
            state.drawn,
            state.missions,
            state.laid,
            state.additional,
            state.green,
            state.markers,
            state.used,
            state.plates,
        ]
        if not _same(rest, self._rest):
            self._rest = rest
            self._packed_rest = _pack(_rest(state))


def position_key(state: GameState) -> bytes:
    """Bytes that are equal for equal positions, and for no others.

    As the canonical bytes, but with what owners have seen of their plates, and without the number
    of decisions so far, so that the same position is found again over any choices.
    """
    rules = state.rules
    names = f"{state.board.digest_for(rules.neutral_scores)}\n{rules.name}\n".encode()
    numbers = _turn_numbers(state)[
        2:
    ]  # without the version, which `rules.name` implies, and the id
    numbers += (int(state.acted), int(state.forgone))
    numbers += _flat([state.points, state.posts, state.route_markers, state.stock, state.supply])
    numbers += _rest(state)
    for seen, plate in zip(state.plates_seen, state.plates, strict=True):
        numbers += (seen, *sorted(plate[:seen]))
    return names + _pack(numbers)


def _same(ones: list[object], others: list[object]) -> bool:
    """Whether all entries are identical objects or equal ints."""
    if len(ones) != len(others):
        return False
    for index, one in enumerate(ones):
        if one is not others[index] and (type(one) is not int or one != others[index]):
            return False
    return True


def _turn_numbers(state: GameState) -> list[int]:
    """What changes at every decision, and the stack of decisions."""
    numbers = [
        state.rules.version,
        state.decision_id,
        state.over,
        state.turn,
        state.active,
        state.actions_left,
        state.extra_actions,
        int(state.fresh),
        state.completed_cities,
        state.permits_spent,
        int(state.permit_bought),
        int(state.undrawn),
        state.display,
        *_favour_numbers(state),
        len(state.agenda),
    ]
    for decision in state.agenda:
        numbers += decision.numbers()
    return numbers


def _favour_numbers(state: GameState) -> list[int]:
    """What matters only where favours can be taken; other games had no such numbers from the start."""
    return [int(state.acted), int(state.forgone)] if state.rules.favours else []


def _rest(state: GameState) -> list[int]:
    """What changes now and then, except posts and the markers of routes."""
    return _flat(
        [
            state.desk,
            state.prestige,
            state.favours,
            list(state.special),
            list(state.east_west),
            list(state.markers_out),
            list(state.supply_order[state.drawn :]),
            list(state.missions),
            [number for laid in state.laid for number in laid],
            _by_place(state.additional),
            _by_place(state.green),
            _by_place(state.markers),
            _by_place(state.used),
            _by_place([tuple(sorted(plate)) for plate in state.plates]),
        ]
    )


def _flat(lists: list[list[int]]) -> list[int]:
    numbers: list[int] = []
    for entries in lists:
        numbers.append(len(entries))
        numbers += entries
    return numbers


def _by_place(lists: list[tuple[int, ...]]) -> list[int]:
    """For each list that is not empty: its index, its length, its entries."""
    numbers: list[int] = []
    for place, entries in enumerate(lists):
        if entries:
            numbers += (place, len(entries), *entries)
    return numbers


def _pack(numbers: list[int]) -> bytes:
    return _packer(len(numbers)).pack(*numbers)


@cache
def _packer(count: int) -> struct.Struct:
    return struct.Struct(f"<{count}i")


def _pack_small(numbers: list[int]) -> bytes:
    """The same for numbers from 0 to 255, but faster: UTF-32 encodes each as four bytes."""
    return bytes(numbers).decode("latin-1").encode("utf-32-le")
