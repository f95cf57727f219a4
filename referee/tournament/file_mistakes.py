"""Mistakes in a configuration file in plain words: where they are, and what is allowed there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import inspect

from referee.text import did_you_mean

_UNKNOWN: Final = re.compile(
    r"Object contains unknown field `(.*?)`(?: - at `\$(.*)`)?$", re.DOTALL
)
_PLACE: Final = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")
_LARGE: Final = 10**6  # a limit that nobody needs to know before it is passed


def plain_mistake(
    text: str, data: Mapping[str, Any], file: type[msgspec.Struct], table: type[msgspec.Struct]
) -> str:
    """Return an error message of msgspec in the words of a configuration file.

    `data` is the content of the file, `file` describes it, and `table` one of its `[[tables]]`.
    """
    unknown = _UNKNOWN.match(text)
    if unknown is not None:
        return _unknown_key(unknown[1], unknown[2] or "", file, table)
    what, _, place = text.partition(" - at ")
    steps = _steps(place)
    if steps == ["tables"] and isinstance(data["tables"], Mapping):
        return "a table begins with [[tables]], in two pairs of brackets, not with [tables]"
    if not steps:
        return f"{what[:1].lower()}{what[1:]}".replace("`", "")
    return f"{_where(steps)} must be {_allowed(steps, data, file)}"


def _unknown_key(
    key: str, place: str, file: type[msgspec.Struct], table: type[msgspec.Struct]
) -> str:
    steps = _steps(place)
    own, other = (table, file) if steps else (file, table)
    place_of_other = "above the tables" if steps else "in a table: [[tables]]"
    if key in other.__struct_fields__:
        where = f"it belongs {place_of_other}"
    else:
        where = did_you_mean(key, own.__struct_fields__) or did_you_mean(
            key, other.__struct_fields__, lambda name: f"{name!r}, {place_of_other}"
        )
    prefix = f"{_where(steps)}: " if steps else ""
    return prefix + "; ".join(filter(None, [f"unknown key {key!r}", where]))


def _steps(place: str) -> list[str | int]:
    """Return the keys and indices of a place such as `$.tables[0].seats`."""
    return [name or int(index) for name, index in _PLACE.findall(place.strip("`"))]


def _where(steps: Sequence[str | int]) -> str:
    """Return a place such as `blocks`, `[[tables]] 1: seats` or `bots, item 3`; people count from 1."""
    words = [f"{step + 1}" if isinstance(step, int) else step for step in steps]
    if words[0] != "tables":
        return ", item ".join(words)
    table = " ".join(["[[tables]]", *words[1:2]])
    return ": ".join([table, *words[2:]])


def _allowed(steps: Sequence[str | int], data: Any, file: type[msgspec.Struct]) -> str:
    """Return what is allowed at a place of the file, and what is there."""
    kind, value = inspect.type_info(file), data
    for step in steps:
        kind = _kind_at(_without_none(kind), step)
        value = value[step]
    return f"{_described(_without_none(kind), value)}, not {_shown(value)}"


def _kind_at(kind: inspect.Type, step: str | int) -> inspect.Type:
    if isinstance(kind, inspect.StructType):
        return next(field.type for field in kind.fields if field.encode_name == step)
    if isinstance(kind, inspect.VarTupleType):
        return kind.item_type
    assert isinstance(kind, inspect.TupleType)
    assert isinstance(step, int)
    return kind.item_types[step]


def _without_none(kind: inspect.Type) -> inspect.Type:
    if not isinstance(kind, inspect.UnionType):
        return kind
    kinds = [one for one in kind.types if not isinstance(one, inspect.NoneType)]
    return kinds[0] if len(kinds) == 1 else inspect.UnionType(tuple(kinds))


def _described(kind: inspect.Type, value: object) -> str:
    """Describe the values that a key may have; `value` is the wrong one."""
    match kind:
        case inspect.UnionType():
            return ", or ".join(_described(one, value) for one in kind.types)
        case inspect.LiteralType():
            *first, last = (f'"{one}"' for one in kind.values)
            return " or ".join(filter(None, [", ".join(first), last]))
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return _range(
                "a whole number", kind.ge, kind.le if kind.lt is None else kind.lt - 1, value
            )
        case inspect.FloatType():
            return (
                "a number"
                + ("" if kind.gt is None else f" above {kind.gt}")
                + ("" if kind.le is None or kind.le >= _LARGE else f" and at most {kind.le}")
                + ("" if kind.lt is None else f" and below {kind.lt}")
            )
        case inspect.StrType():
            length = f" of {kind.min_length} to {kind.max_length} characters"
            return "a text in quotes" + (length if kind.max_length is not None else "")
        case inspect.VarTupleType():
            return "a list, in brackets"
        case inspect.TupleType():
            return f"a list of {len(kind.item_types)} numbers, in brackets"
        case _:
            return "a table of keys and values"


def _range(noun: str, least: int | None, most: int | None, value: object) -> str:
    """Describe a range of numbers; a very large limit matters only to a larger value."""
    is_too_large = isinstance(value, int) and most is not None and value > most
    if least is None or most is None or (most >= _LARGE and not is_too_large):
        return noun if least is None else f"{noun} of {least} or more"
    return f"{noun} from {least} to {most}"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
