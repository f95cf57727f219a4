"""Encoding and decoding: what is accepted, what is refused, and how a stream is split."""

import json
from itertools import pairwise
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import PROTOCOL_VERSION, Overflow, Splitter, WireError, decode, decode_reply, encode
from protocol.messages import BotHello, Choose, Encoding, Error, Hello, Quit, Ready
from support.groups import together
from support.strategies import CHARACTERS

ENCODINGS: tuple[Encoding, ...] = ("json", "msgpack")
CHOOSE = {"type": "choose", "id": 12, "choice": 3}

both = pytest.mark.parametrize("encoding", ENCODINGS)


def packed(words: object, encoding: Encoding) -> bytes:
    return json.dumps(words).encode() if encoding == "json" else bytes(msgpack.packb(words))


# --- Messages of bots ----------------------------------------------------------------------


@both
@together(
    "reply",
    [
        BotHello("a bot"),
        BotHello("b", "1.2", "me", 1, "msgpack", "none", "codes"),
        Ready(),
        Choose(1, 0),
        Choose(77, 5, "a remark: ü, \U0001f600"),
    ],
)
def test_a_bot_message_decodes_to_what_was_encoded(reply: Any, encoding: Encoding) -> None:
    assert decode_reply(encode(reply, encoding), encoding) == reply


@both
@pytest.mark.parametrize("message", [Hello(1, "0.1", "g", ["json"]), Quit()], ids=repr)
def test_a_referee_message_decodes_to_what_was_encoded(message: Any, encoding: Encoding) -> None:
    assert decode(encode(message, encoding), encoding) == message


@both
def test_an_error_without_an_id_is_valid(encoding: Encoding) -> None:
    error = Error(None, "start", "no hello", 1, 3)
    assert decode(encode(error, encoding), encoding) == error


@both
def test_unknown_fields_are_ignored(encoding: Encoding) -> None:
    data = packed({**CHOOSE, "mood": {"fine": [1, 2.5, None]}, "think_ms": 3}, encoding)
    assert decode_reply(data, encoding) == Choose(12, 3)


def test_missing_fields_of_a_hello_have_defaults() -> None:
    hello = decode_reply(b'{"type":"hello","name":"x"}')
    assert hello == BotHello("x", None, None, PROTOCOL_VERSION, "json", "full", "words")


@together("choice", [1.0, 1.5, "1", True, None, [1], {}, 2**64, -(2**70), 10**400])
def test_a_choice_that_is_not_an_integer_is_refused(choice: object) -> None:
    with pytest.raises(WireError, match="not a message"):
        decode_reply(json.dumps({**CHOOSE, "choice": choice}).encode())


@pytest.mark.parametrize("choice", [1.0, True, "1", None, b"1", 2**64 - 1])
def test_a_choice_that_is_not_an_integer_is_refused_in_messagepack(choice: object) -> None:
    with pytest.raises(WireError, match="not a message"):
        decode_reply(msgpack.packb({**CHOOSE, "choice": choice}), "msgpack")


@pytest.mark.parametrize("choice", [-1, 999, 2**63 - 1, -(2**63)])
def test_an_integer_out_of_range_is_a_valid_message(choice: int) -> None:
    data = json.dumps({**CHOOSE, "choice": choice}).encode()
    assert decode_reply(data) == Choose(12, choice)


@together(
    ("data", "why"),
    [
        (b"", "not readable"),
        (b"hello?", "not readable"),
        (b"[1, 2]", "not a message"),
        (b"7", "not a message"),
        (b"null", "not a message"),
        (b"{}", "not a message"),
        (b'{"type":7}', "not a message: unknown type 7, it must be hello, ready or choose"),
        (b'{"type":"decide"}', "not a message: unknown type 'decide', it must be hello, ready"),
        (b"\x81\xa4type\xa5ready", "this is MessagePack, and messages are JSON unless"),
        (b'{"type":"choose","choice":1}', "not a message"),
        (b'{"type":"choose","id":1}', "not a message"),
        (b'{"type":"choose","id":1.5,"choice":1}', "not a message"),
        (b'{"type":"choose","id":1,"choice":NaN}', "not readable"),
        (b'{"type":"choose","id":1,"choice":1,"x":NaN}', "not readable"),
        (b'{"type":"choose","id":1,"choice":1', "not readable"),
        (b'{"type":"choose","id":1,"choice":1}{}', "not readable"),
        (b'{"type":"choose","id":1,"choice":1}\n{"type":"ready"}', "not readable"),
        (b'{"type":"choose","id":1,"choice":1,"say":"\xff"}', "not UTF-8"),
        (b'{"type":"choose","id":1,"choice":1,"mood":"\xff"}', "not UTF-8"),
        (b'{"type":"choose","id":1,"choice":1,"say":7}', "not a message"),
        (b'{"type":"choose","id":1,"choice":1,"x":' + b"[" * 900_000, "nested too deeply"),
        (b'{"type":"hello"}', "not a message"),
        (b'{"type":"hello","name":"x","encoding":"xml"}', "not a message"),
        (b'{"type":"hello","name":"x","detail":"more"}', "not a message"),
        (b'{"type":"hello","name":"x","state":"some"}', "not a message"),
        (b'{"type":"hello","name":"x","protocol":2}', "protocol 2"),
        (b"\xef\xbb\xbf{}", "not readable"),
    ],
)
def test_invalid_bytes_are_refused_with_one_sentence(data: bytes, why: str) -> None:
    with pytest.raises(WireError, match=why) as refused:
        decode_reply(data)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400


@together(
    "data",
    [b"", b"\xc1", b"\x80", b"\x93\x01\x02\x03", b"\x81\xa4type", b"\x01", b"\x81\x01\x02", b"{}"],
)
def test_invalid_bytes_are_refused_in_messagepack(data: bytes) -> None:
    with pytest.raises(WireError):
        decode_reply(data, "msgpack")


def test_an_error_contains_the_start_of_the_bytes() -> None:
    with pytest.raises(WireError) as refused:
        decode_reply(b"\x1b[31m" + b"x" * 5000)
    assert refused.value.data == b"\x1b[31m" + b"x" * 1019
    assert "\x1b" not in str(refused.value)
    assert "(5005 bytes)" in str(refused.value)


def test_a_remark_is_shortened_to_500_characters() -> None:
    reply = decode_reply(json.dumps({**CHOOSE, "say": "ü" * 600}).encode())
    assert isinstance(reply, Choose)
    assert reply.say == "ü" * 500


def test_name_version_and_author_are_shortened() -> None:
    words = {"type": "hello", "name": "n" * 200, "version": "v" * 200, "author": "a" * 200}
    hello = decode_reply(json.dumps(words).encode())
    assert hello == BotHello("n" * 100, "v" * 100, "a" * 100)


@both
@given(data=st.binary(max_size=200))
def test_any_bytes_are_a_message_or_are_refused(encoding: Encoding, data: bytes) -> None:
    try:
        reply = decode_reply(data, encoding)
    except WireError:
        return
    assert isinstance(reply, BotHello | Ready | Choose)


@both
@given(
    words=st.dictionaries(
        st.sampled_from(["type", "id", "choice", "say", "name", "state", "x"]),
        st.sampled_from(["choose", "hello", "ready", "full"]) | st.none() | st.integers(-9, 9)
        | st.floats(allow_nan=False, allow_infinity=False) | st.booleans() | st.lists(st.none()),
    )
)  # fmt: skip
def test_a_choose_is_accepted_only_with_two_integers(
    encoding: Encoding, words: dict[str, Any]
) -> None:
    try:
        reply = decode_reply(packed(words, encoding), encoding)
    except WireError:
        return
    assert reply.__struct_config__.tag == words["type"]
    if isinstance(reply, Choose):
        assert type(words["id"]) is int
        assert type(words["choice"]) is int


# --- A stream in pieces --------------------------------------------------------------------


def split(splitter: Splitter, pieces: list[bytes]) -> list[bytes]:
    found = []
    for piece in pieces:
        splitter.feed(piece)
        found += list(splitter)
    return found


def in_pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    at = sorted({0, len(data), *[min(cut, len(data)) for cut in cuts]})
    return [data[begin:end] for begin, end in pairwise(at)]


@given(
    lines=st.lists(
        st.sampled_from([b"{}", b'{"a":1}', b"", b" ", b"\t{}\t", b"x" * 30]), max_size=9
    ),
    ends=st.lists(st.sampled_from([b"\n", b"\r\n", b" \r\n", b"\n\n"]), min_size=9, max_size=9),
    cuts=st.lists(st.integers(0, 200), max_size=20),
)
def test_lines_are_split_however_they_arrive(
    lines: list[bytes], ends: list[bytes], cuts: list[int]
) -> None:
    data = b"".join(line + end for line, end in zip(lines, ends, strict=False))
    wanted = [line.strip() for line in lines if line.strip()]
    assert split(Splitter("json"), in_pieces(data, cuts)) == wanted


values = st.recursive(
    st.none()
    | st.integers(-(2**40), 2**40)
    | st.text(CHARACTERS, max_size=9)
    | st.floats()
    | st.binary(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(CHARACTERS, max_size=3), inner, max_size=3)
    ),
    max_leaves=9,
)


@settings(max_examples=30)  # they take long to draw
@given(
    maps=st.lists(st.dictionaries(st.text(CHARACTERS, max_size=5), values, max_size=3), max_size=6),
    cuts=st.lists(st.integers(0, 300), max_size=20),
)
def test_maps_are_split_however_they_arrive(maps: list[Any], cuts: list[int]) -> None:
    wanted = [msgpack.packb(item) for item in maps]
    assert split(Splitter("msgpack"), in_pieces(b"".join(wanted), cuts)) == wanted


@both
@given(data=st.binary(max_size=120), cuts=st.lists(st.integers(0, 120), max_size=12))
def test_any_bytes_are_split_the_same_however_they_arrive(
    encoding: Encoding, data: bytes, cuts: list[int]
) -> None:
    def results(pieces: list[bytes]) -> list[object]:
        splitter = Splitter(encoding, limit=40)
        found: list[object] = []
        try:
            for piece in pieces:
                splitter.feed(piece)
                while (message := splitter.next()) is not None:
                    found.append(message)
        except WireError as error:
            found.append(type(error))
        return found

    assert results([data]) == results(in_pieces(data, cuts))


def test_bytes_after_the_hello_are_kept_when_the_encoding_changes() -> None:
    splitter = Splitter("json")
    rest = msgpack.packb({"type": "ready"})
    splitter.feed(b'{"type":"hello","name":"x"}\r\n' + rest[:3])
    assert splitter.next() == b'{"type":"hello","name":"x"}'
    splitter.switch("msgpack")
    assert splitter.next() is None
    splitter.feed(rest[3:] + rest)
    assert list(splitter) == [rest, rest]


@both
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_a_message_without_an_end_overflows(encoding: Encoding, size: int) -> None:
    begin = b"" if encoding == "json" else b"\xc6\xff\xff\xff\xff"
    splitter = Splitter(encoding, limit=100)
    with pytest.raises(Overflow, match="100 bytes without a complete message") as flood:
        split(splitter, in_pieces(begin + b"x" * 1000, list(range(0, 1000, size))))
    assert flood.value.data.startswith(begin + b"x")


@both
def test_a_message_may_be_as_long_as_the_limit_and_no_longer(encoding: Encoding) -> None:
    def message(length: int) -> bytes:
        if encoding == "json":
            return b"x" * (length - 1) + b"\n"
        return bytes(msgpack.packb("x" * (length - 2)))

    splitter = Splitter(encoding, limit=100)
    splitter.feed(message(100) * 3)
    assert len(list(splitter)) == 3
    splitter.feed(message(101))
    with pytest.raises(Overflow):
        splitter.next()


def test_endless_blank_lines_overflow() -> None:
    splitter = Splitter("json", limit=100)
    with pytest.raises(Overflow):
        split(splitter, [b"\n \n"] * 50)


def test_blank_lines_between_messages_do_not_add_up() -> None:
    splitter = Splitter("json", limit=20)
    assert split(splitter, [b"\n\n{}\n"] * 50) == [b"{}"] * 50


def test_a_stream_continues_after_unreadable_bytes() -> None:
    splitter = Splitter("msgpack")
    splitter.feed(b"\xc1junk")
    with pytest.raises(WireError, match="not MessagePack"):
        splitter.next()
    assert splitter.next() is None
    splitter.feed(msgpack.packb(CHOOSE))
    assert splitter.next() == msgpack.packb(CHOOSE)


def test_messagepack_that_is_nested_too_deeply_is_refused() -> None:
    splitter = Splitter("msgpack")
    splitter.feed(b"\x91" * 5000)
    with pytest.raises(WireError, match="nested too deeply"):
        splitter.next()


def test_a_flood_larger_than_a_read_is_noticed_at_once() -> None:
    splitter = Splitter("msgpack")
    splitter.feed(b"\xc6\xff\xff\xff\xff" + b"x" * (3 << 20))
    with pytest.raises(Overflow):
        splitter.next()
    assert splitter.next() is None
