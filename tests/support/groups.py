"""One test for many small cases, a group of them at a time.

As a case of its own, each would cost several milliseconds in pytest, more than most of them take.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Final, TypeVar

import pytest

GROUPS: Final = 6  # so that several workers can share the cases

T = TypeVar("T")


def each_of(cases: Sequence[T]) -> Callable[[Callable[[T], None]], Callable[[int], None]]:
    """Call a test with each of these cases; the error of a failing one names its case."""
    assert cases
    size = -(-len(cases) // GROUPS)
    begins = range(0, len(cases), size)

    def decorate(test: Callable[[T], None]) -> Callable[[int], None]:
        @pytest.mark.parametrize("begin", begins)
        @wraps(test)
        def test_group(begin: int) -> None:
            for case in cases[begin : begin + size]:
                try:
                    test(case)
                except BaseException as error:
                    error.add_note(f"The case is {case!r}.")
                    raise

        del test_group.__wrapped__  # pytest would look for its argument
        return test_group

    return decorate
