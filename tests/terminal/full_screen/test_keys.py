"""Keys are decoded however their bytes arrive."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from referee.terminal.full_screen.keys import Keys
from support.groups import together


@together(
    ("data", "keys"),
    [
        (b"q", ["q"]),
        (b"abc", ["a", "b", "c"]),
        (b"\x1b[A\x1b[B\x1b[C\x1b[D", ["up", "down", "right", "left"]),
        (b"\x1bOA\x1bOD", ["up", "left"]),
        (b"\x1b[1;5C", ["right"]),
        (b"\x1b[5~\x1b[6~\x1b[H\x1b[F\x1b[1~\x1b[4~", ["page-up", "page-down", "home", "end", "home", "end"]),
        (b"\x1b[Z\t\r\n\x7f\x08\x15", ["back-tab", "tab", "enter", "enter", "backspace", "backspace", "clear"]),
        ("ü/é".encode(), ["ü", "/", "é"]),
        (b"\x1b[200~x\x1b[201~", ["x"]),
        (b"\x1b\x1b[A", ["escape", "up"]),
        (b"\x1bq", []),
        (b"\x01\x02", []),
    ],
)  # fmt: skip
def test_keys_have_names(data: bytes, keys: list[str]) -> None:
    assert Keys().feed(data) == keys
    one_by_one = Keys()
    assert [key for byte in data for key in one_by_one.feed(bytes([byte]))] == keys


def test_an_escape_is_a_key_when_nothing_follows() -> None:
    keys = Keys()
    found = [keys.feed(b"\x1b"), keys.is_waiting, keys.flush(), keys.is_waiting]
    assert found == [[], True, ["escape"], False]
    assert keys.feed(b"[A") == ["[", "A"]


@given(st.lists(st.binary(max_size=50), max_size=10))
def test_any_bytes_are_accepted(chunks: list[bytes]) -> None:
    keys = Keys()
    for chunk in chunks:
        for key in keys.feed(chunk):
            assert len(key) > 1 or key.isprintable()
    keys.flush()
    assert keys.feed(b"\x1b[C")[-1] == "right"
