"""The rows of many games as one array.

Where the tradesmen stand is most of a row. For many games at once, one comparison of arrays finds it,
which is faster than the bytes of `observation` one by one; the rows are the same.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.rl.game import Kind


class RowBuilder:
    """Makes the rows of games of one kind from what `many.joined_rows` returns."""

    def __init__(self, kind: Kind) -> None:
        first = {part.name: part.first for part in kind.parts}
        self._men = np.array(kind.men, np.uint8)[:, :, np.newaxis]  # by seat, in its order
        self._points = len(kind.board.ship)
        self._begin = first["posts"]  # after the points
        self._now = first["now"]
        self._end = first["in_hand"]  # after `now`, `stock` and `supply`
        self._size = kind.row_size
        self._counted = self._points + self._end - self._now
        self._apart = self._begin + self._end - self._now  # bytes that do not come from `parts`

    def rows(self, numbers: bytearray, parts: bytearray, seats: list[int]) -> NDArray[np.uint8]:
        """Return one row for each game, as its seat sees it."""
        games = len(seats)
        rows = np.empty((games, self._size), np.uint8)
        counted = np.frombuffer(numbers, np.uint8).reshape(games, self._counted)
        others = np.frombuffer(parts, np.uint8).reshape(games, self._size - self._apart)
        self._mark_points(counted[:, : self._points], seats, rows[:, : self._begin])
        rows[:, self._begin : self._now] = others[:, : self._now - self._begin]
        rows[:, self._now : self._end] = counted[:, self._points :]
        rows[:, self._end :] = others[:, self._now - self._begin :]
        return rows

    def _mark_points(
        self, points: NDArray[np.uint8], seats: list[int], marked: NDArray[np.uint8]
    ) -> None:
        """Write for each tradesman of each game 1 for each point where one stands, else 0."""
        men = self._men[seats]
        planes = marked.view(np.bool_).reshape(len(seats), men.shape[1], self._points)
        np.equal(points[:, np.newaxis, :], men, out=planes)
