"""Decodes the bytes that a terminal sends into keys: a letter is itself, other keys have names."""

from __future__ import annotations

import codecs
import re
from typing import Final

_ESCAPE: Final = "\x1b"
_PLAIN: Final = {
    "\r": "enter", "\n": "enter", "\t": "tab", "\x7f": "backspace", "\x08": "backspace",
    "\x15": "clear",
}  # fmt: skip
_FINAL: Final = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end", "Z": "back-tab"}  # fmt: skip
_TILDE: Final = {"1": "home", "7": "home", "4": "end", "8": "end", "5": "page-up", "6": "page-down", "3": "delete"}  # fmt: skip
# ESC [ or ESC O, numbers, and a letter or ~; an unknown sequence is still one key.
_SEQUENCE: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[ -~]|[^\[O\x1b])", re.DOTALL)
_BEGINNING: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|O)?\Z")
LONGEST_SEQUENCE: Final = 32


class Keys:
    """Takes bytes in pieces of any size, and returns the keys that are complete."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    @property
    def is_waiting(self) -> bool:
        """Whether the last bytes may be the beginning of a key."""
        return bool(self._rest)

    def feed(self, data: bytes) -> list[str]:
        """Take more bytes; return the keys that are complete now."""
        text, self._rest = self._rest + self._decoder.decode(data), ""
        keys: list[str] = []
        at = 0
        while at < len(text):
            found = _SEQUENCE.match(text, at) if text[at] == _ESCAPE else None
            if text[at] == _ESCAPE and found is None and self._keeps(text[at:]):
                break
            key = _name(found[0] if found else text[at])
            keys += [key] if key else []
            at = found.end() if found else at + 1
        return keys

    def _keeps(self, rest: str) -> bool:
        if len(rest) < LONGEST_SEQUENCE and _BEGINNING.match(rest):
            self._rest = rest
            return True
        return False

    def flush(self) -> list[str]:
        """Return the escape key if an escape waits: nothing followed it, so it was the key itself."""
        waited, self._rest = self._rest, ""
        return ["escape"] if waited else []


def _name(sign: str) -> str | None:
    """The name of a key; None if this program does not use it."""
    if sign == _ESCAPE:
        return "escape"
    if sign[0] == _ESCAPE:
        return _sequence(sign[1:])
    return _PLAIN.get(sign, sign if sign.isprintable() else None)


def _sequence(rest: str) -> str | None:
    if len(rest) < 2 or rest[0] not in "[O":
        return None  # a letter together with Alt
    first = rest[1:-1].partition(";")[0]
    return _TILDE.get(first) if rest[-1] == "~" else _FINAL.get(rest[-1])
