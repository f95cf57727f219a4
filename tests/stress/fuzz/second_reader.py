"""A second reader of replies, with the standard library and msgpack, to compare with the first."""

from __future__ import annotations

import json
import re
from typing import Any, Final

import msgpack

from stress.fuzz.replies import Encoding

# Where readers of JSON may differ: escapes, text that is not ASCII, floats that are not JSON.
_ODD: Final = re.compile(rb"\\|[^ -~]|[0-9.][eE]|NaN|Infinity")


def is_legal(raw: bytes, encoding: Encoding, decision_id: int, count: int) -> bool | None:
    """Whether the bytes are a legal answer to this request; None if good readers may differ."""
    try:
        words = _decode(raw, encoding)
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


def _decode(raw: bytes, encoding: Encoding) -> Any:
    if encoding == "msgpack":
        return msgpack.unpackb(raw, strict_map_key=False, object_pairs_hook=_with_keys_once)
    if _ODD.search(raw):
        raise _Doubtful
    return json.loads(raw, object_pairs_hook=_with_keys_once)


def _with_keys_once(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    """Return the pairs as a dict; equal keys are doubtful, because readers treat them differently."""
    words = dict(pairs)
    if len(words) < len(pairs):
        raise _Doubtful
    return words
