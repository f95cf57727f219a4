"""The canonical bytes of a position, and the digest of them, turn after turn of one game.

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

from referee.engine.ruleset import RULES_VERSION

if TYPE_CHECKING:
    from referee.engine.state import GameState


class Digester:
    """The digests of one game: lists that are replaced when they change are packed when they did."""

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
        self._names = f"{state.board.digest}\n{state.rules.name}\n".encode()
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
        """The position as it is now."""
        self._renew()
        state = self._state
        moment = _moment(state)
        moment.append(len(state.points))
        count = 4 * len(moment)
        held = [len(state.stock), *state.stock, len(state.supply), *state.supply]
        packed = _pack(moment + held)
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
        """Pack again what is no longer what it was."""
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


def _same(ones: list[object], others: list[object]) -> bool:
    """Whether these are the very same things; the same number is the same thing in any case."""
    if len(ones) != len(others):
        return False
    for index, one in enumerate(ones):
        if one is not others[index] and (type(one) is not int or one != others[index]):
            return False
    return True


def _moment(state: GameState) -> list[int]:
    """What changes at every decision, and the agenda."""
    numbers = [
        RULES_VERSION,
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
        len(state.agenda),
    ]
    for decision in state.agenda:
        numbers += decision.numbers()
    return numbers


def _rest(state: GameState) -> list[int]:
    """What changes now and then, beside posts and the markers of routes."""
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
    """Those that are not empty: place, length, entries."""
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
    """The same for numbers from 0 to 255, but fast: four bytes each is what UTF-32 makes of them."""
    return bytes(numbers).decode("latin-1").encode("utf-32-le")
