"""Types of a record's lines in which every field must be present."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import msgspec

Line = TypeVar("Line", bound=msgspec.Struct)


def all_required(*, but: str = "") -> Callable[[type[Line]], type[Line]]:
    """A decorator that removes the defaults of all fields `but` one: a record states every value."""

    def decorate(kind: type[Line]) -> type[Line]:
        fields = [(one.name, one.type) for one in msgspec.structs.fields(kind) if one.name != but]
        made = msgspec.defstruct(
            kind.__name__, fields, bases=(kind,), kw_only=True, module=kind.__module__
        )
        made.__doc__ = kind.__doc__
        return cast("type[Line]", made)

    return decorate
