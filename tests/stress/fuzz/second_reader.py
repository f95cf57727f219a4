"""A second reader of replies, by the standard library and msgpack, to hold the first one against."""

from __future__ import annotations

import json
import re
from typing import Any, Final

import msgpack

from stress.fuzz.replies import Encoding

# What readers of JSON may well differ in: escapes, text beyond ASCII, floats that are none.
_ODD: Final = re.compile(rb"\\|[^ -~]|[0-9.][eE]|NaN|Infinity")


def is_legal(raw: bytes, encoding: Encoding, decision_id: int, count: int) -> bool | None:
    """Whether it is the answer to this request; None where good readers may well differ."""
    try:
        words = _read_otherwise(raw, encoding)
    except _Doubtful:
        return None
    except (ValueError, RecursionError, TypeError):
        return False if encoding == "json" else None
    if not isinstance(words, dict):
        return False
    number, choice, remark = words.get("id"), words.get("choice"), words.get("say")
    if type(number) is not int or type(choice) is not int or not isinstance(remark, str | None):
        return False
    return words.get("type") == "choose" and number == decision_id and 0 <= choice < count


class _Doubtful(Exception):
    """A message that good readers may read in more than one way."""


def _read_otherwise(raw: bytes, encoding: Encoding) -> Any:
    if encoding == "msgpack":
        return msgpack.unpackb(raw, strict_map_key=False, object_pairs_hook=_with_keys_once)
    if _ODD.search(raw):
        raise _Doubtful
    return json.loads(raw, object_pairs_hook=_with_keys_once)


def _with_keys_once(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    """Whether the first of two equal keys must be right as well is for each reader to say."""
    words = dict(pairs)
    if len(words) < len(pairs):
        raise _Doubtful
    return words
