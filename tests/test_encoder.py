"""The encoder: messages have the same content in every encoding and detail.

Whole games are sent to every seat in all four formats at once. Messages in words are compared with
the engine's own view, and all others with the messages in words.
"""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

import msgpack
import pytest

from protocol.codes import Codes
from protocol.fold import Table
from referee.adjudication.clock import ClockRules
from referee.adjudication.faults import Fault, FaultRecord, Strikes
from referee.adjudication.standings import SeatResult, final_standings
from referee.encoder import (
    Detail,
    Encoding,
    Formats,
    GameEncoder,
    SeatEncoder,
    plain_message,
    writer_for,
)
from referee.engine import game, view
from referee.engine.choice import Choice
from referee.engine.codes import ABOUT_FIELDS, STATE_FIELDS
from referee.engine.serialize import event_words
from referee.engine.state import GameState
from referee.engine.terms import FROM_POINT
from support.combinations import named
from support.dialogue import in_words
from support.groups import together
from support.match_setup import PLAIN, BotMatch
from support.random_games import decisions, kind_of, played, seat_of

Words: TypeAlias = Any  # a message
Way = tuple[Encoding, Detail]

WAYS: tuple[Way, ...] = (
    ("json", "words"),
    ("msgpack", "words"),
    ("json", "codes"),
    ("msgpack", "codes"),
)
COMPARED_EVERY = 7  # decisions; the messages between two of these have nothing that is new
CLOCK = ClockRules(start_ms=1, bank_ms=None, increment_ms=2, move_ms=3)


NAMES = (  # every board, every number of players, every option, both editions
    "hanse-4-5:5:bigbox+missions+favours+promos",
    "hanse-2-3:2:original+missions+favours+neutral=britannia",
    "east:2:bigbox+promos+neutral=2009",
    "britannia-4-5:4:bigbox+permits+promos",
    "britannia-2-3:3:bigbox+permits+promos",
)


def read(data: bytes, encoding: Encoding) -> Words:
    """Decode a message with other libraries than those that encoded it."""
    if encoding == "json":
        assert data.count(b"\n") == 1
        assert data.endswith(b"\n")
        words: Words = json.loads(data)
    else:
        words = msgpack.unpackb(data)
    return words


@dataclass
class Listener:
    """One seat that gets every message in the four formats, with and without the state."""

    seat: int
    ways: dict[Way, SeatEncoder]
    without: dict[Way, SeatEncoder]

    def start(self) -> dict[Way, Words]:
        names = ["Älva", "b", "c", "d", "e"]
        for encoder in self.without.values():
            encoder.start("id", names, CLOCK)
        return {
            way: read(encoder.start("id", names, CLOCK), way[0])
            for way, encoder in self.ways.items()
        }

    def decide(self, options: list[game.Choice]) -> dict[Way, Words]:
        return {
            way: read(encoder.decide(options, 77, with_state=True), way[0])
            for way, encoder in self.ways.items()
        }

    def decide_without_state(self, options: list[game.Choice]) -> dict[Way, Words]:
        return {
            way: read(encoder.decide(options, 77, with_state=False), way[0])
            for way, encoder in self.without.items()
        }

    def end(self, standings: list[SeatResult]) -> dict[Way, Words]:
        return {way: read(encoder.end(standings), way[0]) for way, encoder in self.ways.items()}


def listeners(state: GameState) -> list[Listener]:
    formats = Formats(state.board)
    game_encoders = {way: GameEncoder(formats.get(*way), state) for way in WAYS}
    return [
        Listener(
            seat,
            {way: SeatEncoder(shared, seat) for way, shared in game_encoders.items()},
            {way: SeatEncoder(shared, seat) for way, shared in game_encoders.items()},
        )
        for seat in range(state.rules.players)
    ]


def play(name: str) -> Iterator[tuple[GameState, list[Listener]]]:
    """Yield the state of a game at each decision, with a listener for each seat."""
    states = decisions(played(name))
    state = next(states)
    seats = listeners(state)
    yield state, seats
    for same in states:
        assert same is state
        yield state, seats


@pytest.mark.parametrize("name", NAMES)
def test_every_format_has_the_same_content(name: str) -> None:
    events_sent: dict[int, int] = {}
    codes: dict[int, Codes] = {}
    met: Counter[str] = Counter()
    for state, seats in play(name):
        if not codes:
            codes = {listener.seat: Codes(_the_same(listener.start())) for listener in seats}
        if state.is_over:
            _check_end(state, seats, codes)
            return
        met[kind_of(state)] += 1
        if met[kind_of(state)] % 12 and met[kind_of(state)] > 4:
            continue  # the next message has these events, too
        options, seat = game.choices(state), seat_of(state)
        events = (state.events or [])[events_sent.get(seat, 0) :]
        events_sent[seat] = len(state.events or [])
        messages = seats[seat].decide(options)
        expected = {
            "type": "decide",
            **view.request(state),
            "events": [event_words(state, event) for event in events],
            "clock_ms": 77,
            "state": view.see(state, seat),
        }
        assert messages["json", "words"] == expected
        assert messages["msgpack", "words"] == expected
        assert messages["msgpack", "codes"] == messages["json", "codes"]
        _check_fields(state, messages["json", "codes"])
        assert in_words(codes[seat], messages["json", "codes"]) == expected


def _check_fields(state: GameState, message: Words) -> None:
    """A message in codes has its fields in the order of the tables."""
    assert list(message["state"]) == [name for name, _ in STATE_FIELDS]
    if "about" in message:
        assert tuple(message["about"]) == ABOUT_FIELDS[state.agenda[-1].kind]


def _the_same(messages: dict[Way, Words]) -> Words:
    """Return a message that must be the same in every format."""
    first, *rest = messages.values()
    assert all(message == first for message in rest)
    return first


def _check_end(state: GameState, seats: list[Listener], codes: dict[int, Codes]) -> None:
    players = state.rules.players
    standings = final_standings(state, Strikes(players), ["bot"] * players)
    for listener in seats:
        messages = listener.end(standings)
        words = messages["json", "words"]
        assert words["state"] == view.see(state, listener.seat)
        assert words["standings"] == [result.to_dict() for result in standings]
        assert words["events"][-1] == event_words(state, (state.events or [])[-1])
        assert words["missions"] == [
            view.mission_words(state, seat) for seat in range(state.rules.players)
        ]
        assert messages["msgpack", "words"] == words
        assert messages["msgpack", "codes"] == messages["json", "codes"]
        assert in_words(codes[listener.seat], messages["json", "codes"]) == words


def test_events_alone_rebuild_the_state_of_every_seat() -> None:
    """All seats share an encoder; `bot_protocol/test_fold.py` has more games, of one seat each."""
    tables: dict[tuple[Way, int], Table] = {}
    ways: tuple[Way, ...] = (("json", "words"), ("json", "codes"))
    for state, seats in play(NAMES[0]):
        if not tables:
            starts = {listener.seat: listener.start() for listener in seats}
            tables = {
                (way, seat): Table(start[way]) for way in ways for seat, start in starts.items()
            }
        if state.is_over:
            _check_last(state, seats, tables)
            return
        seat, options = seat_of(state), game.choices(state)
        for way in ways:
            message = seats[seat].ways[way].decide(options, None, with_state=False)
            tables[way, seat].hear(read(message, "json"))
        if state.decision_id % COMPARED_EVERY == 0:
            seen = view.see(state, seat)
            assert [tables[way, seat].state for way in ways] == [seen, seen]


def _check_last(
    state: GameState, seats: list[Listener], tables: dict[tuple[Way, int], Table]
) -> None:
    for (way, seat), table in tables.items():
        table.hear(read(seats[seat].ways[way].end([]), "json"))
        assert table.state == view.see(state, seat)


def test_a_seat_without_the_state_gets_everything_else() -> None:
    for state, seats in play("britannia-2-3:3:bigbox+permits+promos"):
        if state.is_over:
            return
        if state.decision_id % COMPARED_EVERY:
            continue
        listener, options = seats[seat_of(state)], game.choices(state)
        full, none = listener.decide(options), listener.decide_without_state(options)
        for way in WAYS:
            assert "state" not in none[way]
            assert {**none[way], "state": full[way]["state"]} == full[way]


def test_events_of_real_bots_rebuild_the_state_in_their_messages() -> None:
    with BotMatch(["diary", "diary", PLAIN], max_turns=30) as match:
        match.play()
        for seat in (0, 1):
            diary: list[Any] = match.diary(seat)
            _, start, *messages = diary
            table = Table(copy.deepcopy(start))
            for message in messages:
                table.hear(message)
                assert table.state == message["state"]


# --- writers ---------------------------------------------------------------------------------


@together(
    ("encoding", "count"),
    [
        *[("json", count) for count in (0, 1, 2)],
        *[("msgpack", count) for count in (0, 1, 15, 16, 255, 256, 65_535, 65_536)],
    ],
)
def test_lists_and_maps_of_any_length_are_well_formed(encoding: Encoding, count: int) -> None:
    writer = writer_for(encoding)
    items = [writer.value(number) for number in range(count)]
    entries = [writer.entry(f"k{number}", item) for number, item in enumerate(items)]
    rest: dict[str, object] = {"a": [1, "ü"], "b": None}
    decode = json.loads if encoding == "json" else msgpack.unpackb
    assert decode(writer.array(items)) == list(range(count))
    keyed = {f"k{number}": number for number in range(count)}
    assert decode(writer.map(entries, {})) == keyed
    assert decode(writer.map(entries, rest)) == {**rest, **keyed}


@pytest.mark.parametrize("encoding", ["json", "msgpack"])
def test_a_message_without_a_game_is_its_type_and_its_fields(encoding: Encoding) -> None:
    assert read(plain_message(encoding, "quit"), encoding) == {"type": "quit"}
    hello = read(plain_message(encoding, "hello", protocol=1, encodings=["json"]), encoding)
    assert hello == {"type": "hello", "protocol": 1, "encodings": ["json"]}


@pytest.mark.parametrize("way", WAYS)
def test_an_error_is_the_same_in_every_format(way: Way) -> None:
    state = game.new_game(*_small())
    encoder = SeatEncoder(GameEncoder(Formats(state.board).get(*way), state), 0)
    fault = FaultRecord(0, "bot", 1, Fault("start", 'no "hello"\n'), 1, 3, disqualified=True)
    assert read(encoder.error(fault), way[0]) == {
        "type": "error",
        "id": None,
        "fault": "start",
        "message": 'no "hello"\n',
        "strikes": 1,
        "allowed": 3,
    }


def _small() -> tuple[Any, Any, int]:
    small = played("hanse-2-3:3:bigbox")
    return small.board, small.rules, small.seed


def test_a_format_serves_many_games() -> None:
    formats = Formats(_small()[0])
    first = formats.get("json", "words")
    assert formats.get("json", "words") is first
    assert formats.get("json", "codes") is not first


def test_no_message_before_the_end_has_another_mission_card() -> None:
    name = next(name for name in NAMES if "missions" in name)
    for state, seats in play(name):
        if state.is_over:
            return
        seat = seat_of(state)
        encoder = seats[seat].ways["json", "words"]
        message = read(encoder.decide(game.choices(state), None, with_state=True), "json")
        assert message["state"]["mission"] == view.mission_words(state, seat)
        assert "missions" not in message


def test_rare_choices_are_not_cached() -> None:
    """There are too many choices that take a tradesman from a point."""
    board, rules = named("hanse-2-3:3:bigbox+max_turns=80")
    encoded = Formats(board).get("json", "codes").encoded_choices
    state, rng = game.new_game(board, rules, 33), Random(33)
    offered: list[Choice] = []
    while not state.is_over:
        options = game.choices(state)
        assert len({encoded[choice] for choice in options}) == len(options)
        offered += options
        game.apply(state, rng.randrange(len(options)))
    assert any(choice.source == FROM_POINT for choice in offered)
    assert encoded.keys() == {choice for choice in offered if choice.source != FROM_POINT}
