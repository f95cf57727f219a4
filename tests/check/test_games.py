"""The games that checks play, and the changed messages that they send."""

from __future__ import annotations

import json

import msgspec
import pytest

from referee import atlas
from referee.check import transport
from referee.check.games import GameSetup, board_for, game_setups
from referee.check.registry import CHECKS, NAMES
from referee.check.verdict import readable, stderr_text
from referee.encoder import Encoding, plain_message

BOARDS = atlas.board_names()
ENCODINGS: tuple[Encoding, ...] = ("json", "msgpack")


def read(encoding: Encoding, data: bytes) -> dict[str, object]:
    codec = msgspec.json if encoding == "json" else msgspec.msgpack
    return dict(codec.decode(data))


# --- setups --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOARDS)
def test_setups_have_all_seats_editions_and_options_of_a_board(name: str) -> None:
    board = atlas.load_board(name)
    rules = [setup.rules for setup in game_setups(board)]
    fewest, most = board.players
    assert {one.players for one in rules} == set(range(fewest, most + 1))
    assert {one.edition for one in rules} == {"bigbox", "original"}
    assert {one.missions for one in rules} == {False, bool(board.missions)}
    assert {one.favours for one in rules} == {False, board.favours}
    assert {one.permits for one in rules} == {False, bool(board.permits)}
    assert {one.promos for one in rules} == {False, True}
    assert {one.promo_markers is None for one in rules} == {False, True}
    ties, uses = {one.country_ties for one in rules}, {one.permanent_markers for one in rules}
    assert ("next-lower" in ties, "must" in uses) == (board.abroad != 0, board.abroad != 0)
    neutral = {one.neutral for one in rules if one.players == 2}
    assert neutral == ({"2009", "britannia"} if fewest == 2 else set())


@pytest.mark.parametrize("name", BOARDS)
def test_the_bot_has_a_seat_in_every_game(name: str) -> None:
    assert all(setup.seat < setup.rules.players for setup in game_setups(atlas.load_board(name)))


def test_the_public_id_depends_on_the_game_and_not_on_the_seat() -> None:
    setup = game_setups(board_for(4))[0]
    other = GameSetup(setup.board, setup.rules, seat=3, seed=setup.seed)
    assert setup.id == other.id != GameSetup(setup.board, setup.rules, seed=7).id


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_there_is_a_board_for_every_number_of_seats(players: int) -> None:
    fewest, most = board_for(players).players
    assert fewest <= players <= most


# --- transport -----------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_pieces_together_are_the_message(encoding: Encoding) -> None:
    for data in (b"", b"1", b"12", plain_message(encoding, "quit"), b"x" * 1000):
        assert b"".join(transport.in_pieces(encoding, data)) == data


def test_the_first_and_the_last_byte_come_alone() -> None:
    pieces = transport.in_pieces("json", b'{"type":"quit"}\n')
    assert (pieces[0], pieces[-1]) == (b"{", b"\n")


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_unknown_fields_leave_all_others_as_they_are(encoding: Encoding) -> None:
    data = plain_message(
        encoding, "decide", id=3, choices=[{"do": "stop"}, [1, 2]], state={"turn": 1}
    )
    (sent,) = transport.unknown_fields(encoding, data)
    message = read(encoding, sent)
    more = message.pop("x_unknown")
    assert message == {
        "type": "decide",
        "id": 3,
        "choices": [{"do": "stop", "x_unknown": more}, [1, 2]],
        "state": {"turn": 1, "x_unknown": more},
    }


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_padding_makes_a_message_large(encoding: Encoding) -> None:
    (sent,) = transport.padded(encoding, plain_message(encoding, "quit"))
    assert len(sent) > transport.PADDING
    assert read(encoding, sent)["type"] == "quit"


def test_an_unknown_message_comes_before_the_real_one() -> None:
    first, second = transport.unknown_messages("json", plain_message("json", "quit"))
    assert json.loads(first)["type"] == "x-unknown"
    assert json.loads(second) == {"type": "quit"}


# --- what is shown -------------------------------------------------------------------------


def test_control_characters_in_bytes_are_made_visible() -> None:
    assert readable(b'{"a":"\x1b[31m\xff"}\n', "json") == '{"a":"\\u001b[31m\\xff"}'


def test_messagepack_is_shown_as_json_or_byte_by_byte() -> None:
    assert readable(plain_message("msgpack", "quit"), "msgpack") == 'MessagePack of {"type":"quit"}'
    assert readable(b"\xc1", "msgpack") == "b'\\xc1'"


def test_long_bytes_are_cut_in_the_middle() -> None:
    shown = readable(b"a" * 5000 + b"z\n", "json")
    assert shown.startswith("aaa")
    assert shown.endswith("aaaz (5,002 bytes)")
    assert len(shown) < 700


def test_stderr_is_shown_with_tabs_and_without_control_characters() -> None:
    assert stderr_text(b"\n") is None
    assert stderr_text(b"\tone\x1b\ntwo\n") == "\tone\\u001b\ntwo"


# --- the table -----------------------------------------------------------------------------


def test_names_are_different_and_needs_come_first() -> None:
    assert len(set(NAMES)) == len(NAMES)
    for number, check in enumerate(CHECKS):
        assert set(check.needs) <= set(NAMES[:number])
