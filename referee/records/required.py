"""A decorator for the types of a record's lines: every field must be present."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeVar, cast

import msgspec

Line = TypeVar("Line", bound=msgspec.Struct)


def all_required(*, but: Collection[str] = ()) -> Callable[[type[Line]], type[Line]]:
    """Return a decorator that removes the defaults of all fields `but` some.

    A record states every value, so that later defaults do not change what it means. The exceptions
    are fields that earlier versions did not write.
    """

    def decorate(kind: type[Line]) -> type[Line]:
        fields = [
            (field.name, field.type)
            for field in msgspec.structs.fields(kind)
            if field.name not in but
        ]
        made = msgspec.defstruct(
            kind.__name__, fields, bases=(kind,), kw_only=True, module=kind.__module__
        )
        made.__doc__ = kind.__doc__
        return cast("type[Line]", made)

    return decorate
