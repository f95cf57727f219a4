"""Types of what a bot answers, and of a bot that is a function."""

from collections.abc import Callable, Mapping
from typing import SupportsIndex, TypeAlias

from .request import Choice
from .words import Code, View

Answer: TypeAlias = SupportsIndex | Mapping[str, object] | Code
"""One of the choices, or its index."""

Function: TypeAlias = Callable[[View, list[Choice]], Answer | tuple[Answer, str]]
"""A function of what its seat sees and its choices; it may add a remark to its answer."""
