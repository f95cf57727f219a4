"""Masks of legal choices, for many decisions at once."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def masks_of(legal: Sequence[int], counts: Sequence[int], size: int) -> NDArray[np.int8]:
    """Return a row for each decision, with 1 for each legal number and 0 for all others.

    `legal` has the legal numbers of one decision after the other, and `counts` how many each has.
    """
    rows = len(counts)
    masks = np.zeros(rows * size, np.int8)
    places = np.repeat(size * np.arange(rows, dtype=np.int64), counts)
    places += np.frombuffer(struct.pack(f"{len(legal)}q", *legal), np.int64)  # faster than np.array
    masks[places] = 1
    return masks.reshape(rows, size)
