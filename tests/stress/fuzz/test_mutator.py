"""The mutator makes the same bytes for the same seed, and values of every type."""

from __future__ import annotations

import json
from random import Random

import msgpack

from stress.fuzz import mutator
from stress.fuzz.replies import Encoding, Replies
from support.groups import together

ENCODINGS: tuple[Encoding, ...] = ("json", "msgpack")


@together("encoding", ENCODINGS)
def test_the_replies_depend_only_on_the_seed(encoding: Encoding) -> None:
    def made(seed: str) -> list[bytes]:
        replies = Replies(seed, encoding)
        return [replies.next(number, 5) for number in range(300)]

    assert made("1") == made("1") != made("2")


@together("encoding", ENCODINGS)
def test_a_plain_reply_is_the_right_answer(encoding: Encoding) -> None:
    raw = Replies("1", encoding).plain(70, 3)
    read = json.loads if encoding == "json" else msgpack.unpackb
    assert read(raw) == {"type": "choose", "id": 70, "choice": 3}


@together("change", mutator.CHANGES)
def test_every_change_changes_something(change: mutator.Change) -> None:
    rng, data = Random(1), b'{"type":"choose","id":7}'
    assert sum(change(data, rng) != data for _ in range(100)) > 80


def test_values_are_of_every_type_and_can_be_written() -> None:
    rng = Random(1)
    made = [mutator.value(rng) for _ in range(500)]
    assert {type(one) for one in made} == {type(None), bool, int, float, str, list, dict}
    for one in made:
        assert mutator.as_json(one).endswith(b"\n")
        msgpack.unpackb(mutator.as_msgpack(mutator.packable(one)), strict_map_key=False)
