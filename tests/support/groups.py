"""One test for many small cases, a group of them at a time.

As a case of its own, each would cost several milliseconds in pytest, more than most of them take.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any, Final, TypeVar

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


def together(
    names: str | tuple[str, ...], cases: Iterable[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call a test with every case, like `pytest.mark.parametrize`, but as one test.

    It is for cases that take less than a millisecond. The error of a failing one names its case.
    """
    single = isinstance(names, str)
    known = (names,) if isinstance(names, str) else names
    every = [dict(zip(known, (case,) if single else case, strict=True)) for case in cases]
    assert every

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def test_together(**arguments: Any) -> None:
            for case in every:
                try:
                    test(**arguments, **case)
                except BaseException as error:
                    error.add_note(f"The case is {case!r}.")
                    raise

        signature = inspect.signature(test)
        rest = [one for name, one in signature.parameters.items() if name not in known]
        test_together.__signature__ = signature.replace(parameters=rest)  # type: ignore[attr-defined]
        return test_together

    return decorate
