"""Messages to bots as bytes, in each bot's encoding and detail, built from cached parts.

A choice is encoded once per board and an event once per game. At a decision only the state is
left to encode, and only for a bot that asks for it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from itertools import compress
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from referee.adjudication.clock import ClockRules
from referee.adjudication.faults import FaultRecord
from referee.adjudication.standings import SeatResult
from referee.engine import codes, view
from referee.engine.board import Board
from referee.engine.choice import Choice
from referee.engine.decision import Decision
from referee.engine.serialize import choice_words, event_words
from referee.engine.state import GameState
from referee.engine.terms import DECISIONS, END_REASONS, TURN

Encoding: TypeAlias = Literal["json", "msgpack"]
Detail: TypeAlias = Literal["words", "codes"]
StateOption: TypeAlias = Literal["full", "none"]
Lists: TypeAlias = tuple[object, ...]

_to_json = msgspec.json.Encoder().encode
_to_msgpack = msgspec.msgpack.Encoder().encode


class MessageFormat(NamedTuple):
    """What the hello of a bot asks for."""

    encoding: Encoding = "json"
    detail: Detail = "words"
    state: StateOption = "full"


class JsonWriter:
    """Writes JSON: one object per line."""

    value: Callable[[object], bytes] = staticmethod(_to_json)

    def array(self, items: list[bytes]) -> bytes:
        """Return a list of values that are already encoded."""
        return b"[" + b",".join(items) + b"]"

    def entry(self, key: str, value: bytes) -> bytes:
        """Return an entry of a map; its value is already encoded."""
        return b'"%s":%s' % (key.encode(), value)

    def map(self, entries: list[bytes], plain: dict[str, object]) -> bytes:
        """Return a map of encoded entries and of the values in `plain`, which are not encoded."""
        first = [_to_json(plain)[1:-1]] if plain else []
        return b"{" + b",".join(first + entries) + b"}"

    def message(self, entries: list[bytes], plain: dict[str, object]) -> bytes:
        """Return a whole message; the first key of `plain` is its type."""
        return b",".join([_to_json(plain)[:-1], *entries]) + b"}\n"


class MsgpackWriter:
    """Writes MessagePack: maps, one directly after the other."""

    value: Callable[[object], bytes] = staticmethod(_to_msgpack)

    def array(self, items: list[bytes]) -> bytes:
        """Return a list of values that are already encoded."""
        return _header(0x90, 0xDC, len(items)) + b"".join(items)

    def entry(self, key: str, value: bytes) -> bytes:
        """Return an entry of a map; its value is already encoded."""
        return _to_msgpack(key) + value

    def map(self, entries: list[bytes], plain: dict[str, object]) -> bytes:
        """Return a map of encoded entries and of the values in `plain`, which are not encoded."""
        own_header = len(_header(0x80, 0xDE, len(plain)))
        header = _header(0x80, 0xDE, len(entries) + len(plain))
        return b"".join([header, _to_msgpack(plain)[own_header:], *entries])

    def message(self, entries: list[bytes], plain: dict[str, object]) -> bytes:
        """Return a whole message; the first key of `plain` is its type."""
        return self.map(entries, plain)


Writer: TypeAlias = JsonWriter | MsgpackWriter


def writer_for(encoding: Encoding) -> Writer:
    return JsonWriter() if encoding == "json" else MsgpackWriter()


def _header(short: int, long: int, count: int) -> bytes:
    if count < 16:
        return bytes((short | count,))
    if count < 1 << 16:
        return bytes((long,)) + count.to_bytes(2, "big")
    return bytes((long + 1,)) + count.to_bytes(4, "big")


class _EncodedChoices(dict[Choice, bytes]):
    """The bytes of each choice, made at its first use; kept only if it can be offered again."""

    def __init__(self, encode: Callable[[Choice], bytes]) -> None:
        self._encode = encode

    def __missing__(self, choice: Choice) -> bytes:
        encoded = self._encode(choice)
        if choice.is_shared:
            self[choice] = encoded
        return encoded


class Format:
    """An encoding and a detail on one board, for any number of games."""

    def __init__(self, board: Board, encoding: Encoding, detail: Detail) -> None:
        self.writer = writer_for(encoding)
        self.in_codes = detail == "codes"
        self.board_bytes = self.writer.value(board.words)
        value = self.writer.value
        if self.in_codes:
            self.encoded_choices = _EncodedChoices(lambda choice: value(codes.choice_code(choice)))
        else:
            self.encoded_choices = _EncodedChoices(
                lambda choice: value(choice_words(board, choice))
            )

    def choices(self, options: list[Choice]) -> bytes:
        """Return the choices of a decision as a list."""
        return self.writer.array(list(map(self.encoded_choices.__getitem__, options)))

    def event(self, state: GameState, event: tuple[int, ...]) -> bytes:
        """Return an event of this game in the format's detail."""
        return self.writer.value(event if self.in_codes else event_words(state, event))


class Formats:
    """The formats of one board, each made when it is first asked for."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._formats: dict[tuple[Encoding, Detail], Format] = {}

    def get(self, encoding: Encoding, detail: Detail) -> Format:
        """Return the format with this encoding and detail, always the same object."""
        key = (encoding, detail)
        if key not in self._formats:
            self._formats[key] = Format(self.board, encoding, detail)
        return self._formats[key]


class GameEncoder:
    """The events and positions of one game in one format, for all seats that use it.

    Each event is encoded once. Of a position in words only the changed parts are encoded again:
    a list of the state that was not replaced has not changed, and the points are compared with
    those that were encoded last.
    """

    def __init__(self, message_format: Format, state: GameState) -> None:
        self.message_format = message_format
        self.state = state
        self._events: list[bytes] = []
        self._men = view.men_words(state)
        self._routes = [b""] * len(state.board.routes)
        # The parts of the position as bytes, each followed by the values that it was made of.
        self._routes_bytes = b""
        self._encoded_points: list[int] = []
        self._encoded_markers: list[int] = []
        self._cities_bytes = b""
        self._encoded_posts: Lists = ()
        self._players_bytes = b""
        self._encoded_amounts: tuple[int, ...] = ()
        self._encoded_desks: Lists = ()
        self._lasting_bytes: list[bytes] = []
        self._encoded_lasting: Lists = ()

    def events_since(self, first: int) -> tuple[bytes, int]:
        """Return the events from number `first` on as a list, and the number of all events."""
        events = self.state.events or []
        for event in events[len(self._events) :]:
            self._events.append(self.message_format.event(self.state, event))
        return self.message_format.writer.array(self._events[first:]), len(events)

    def position(self, seat: int) -> bytes:
        """Return the position as this seat sees it."""
        state, writer = self.state, self.message_format.writer
        if self.message_format.in_codes:
            return writer.value(codes.state_codes(state, seat))
        entries = [
            writer.entry("routes", self._encode_routes()),
            writer.entry("cities", self._encode_cities()),
            writer.entry("players", self._encode_players()),
        ]
        plain = {**view.moment_words(state), **view.own_words(state, seat)}
        return writer.map([*entries, *self._encode_lasting()], plain)

    def _encode_routes(self) -> bytes:
        state, writer = self.state, self.message_format.writer
        board = state.board
        changed: Iterable[int] = ()
        if state.route_markers is not self._encoded_markers:
            changed = range(len(board.routes))
        elif state.points != self._encoded_points:
            moved = map(operator.ne, state.points, self._encoded_points)
            changed = set(compress(board.point_route, moved))
        if changed:
            for route in changed:
                encoded = writer.value(view.route_words(state, self._men, route))
                self._routes[route] = writer.entry(board.route_ids[route], encoded)
            self._routes_bytes = writer.map(self._routes, {})
            self._encoded_points, self._encoded_markers = state.points[:], state.route_markers
        return self._routes_bytes

    def _encode_cities(self) -> bytes:
        state = self.state
        posts = (state.posts, state.additional, state.green)
        if not _same(self._encoded_posts, posts):
            self._cities_bytes = self.message_format.writer.value(
                view.cities_words(state, self._men)
            )
            self._encoded_posts = posts
        return self._cities_bytes

    def _encode_lasting(self) -> list[bytes]:
        state, writer = self.state, self.message_format.writer
        lasting = view.lasting(state)
        if not _same(self._encoded_lasting, lasting):
            words = view.lasting_words(state)
            self._lasting_bytes = [
                writer.entry(key, writer.value(word)) for key, word in words.items()
            ]
            self._encoded_lasting = lasting
        return self._lasting_bytes

    def _encode_players(self) -> bytes:
        state, writer = self.state, self.message_format.writer
        lists = (
            state.prestige,
            state.desk,
            state.markers,
            state.used,
            state.plates,
            state.favours,
        )
        amounts = (*state.stock, *state.supply)
        if amounts == self._encoded_amounts and _same(self._encoded_desks, lists):
            return self._players_bytes
        self._encoded_amounts, self._encoded_desks = amounts, lists
        self._players_bytes = writer.array(
            [writer.value(view.player_words(state, seat)) for seat in range(state.rules.players)]
        )
        return self._players_bytes


def _same(before: Lists, now: Lists) -> bool:
    """Whether both contain the same list objects."""
    return len(before) == len(now) and all(map(operator.is_, before, now))


class SeatEncoder:
    """The messages to one seat in one game."""

    def __init__(self, game_encoder: GameEncoder, seat: int) -> None:
        self._game_encoder = game_encoder
        self._writer = game_encoder.message_format.writer
        self._state = game_encoder.state
        self._seat = seat
        self._events_sent = 0

    def start(self, game: str, names: Sequence[str], clock: ClockRules) -> bytes:
        """Return `start`: the board, the rules, the players and what only this seat knows."""
        shown = view.see(self._state, self._seat)
        return self._writer.message(
            [self._writer.entry("board", self._game_encoder.message_format.board_bytes)],
            {
                "type": "start",
                "game": game,
                "seat": self._seat,
                "players": [{"seat": seat, "name": name} for seat, name in enumerate(names)],
                "rules": self._state.rules.to_dict(),
                "favours": shown["favours"],
                "mission": shown["mission"],
                "clock": clock.message_dict(),
            },
        )

    def decide(self, options: list[Choice], clock_ms: int | None, *, with_state: bool) -> bytes:
        """Return `decide`: the pending decision, its choices, and the events since the last message."""
        state, entry = self._state, self._writer.entry
        decision = state.agenda[-1]
        events, self._events_sent = self._game_encoder.events_since(self._events_sent)
        plain: dict[str, object] = {
            "type": "decide",
            "id": state.decision_id,
            "decision": DECISIONS[decision.kind],
            "clock_ms": clock_ms,
        }
        if decision.kind != TURN:
            plain["about"] = self._about(decision)
        entries = [
            entry("choices", self._game_encoder.message_format.choices(options)),
            entry("events", events),
        ]
        if with_state:
            entries.append(entry("state", self._game_encoder.position(self._seat)))
        return self._writer.message(entries, plain)

    def _about(self, decision: Decision) -> object:
        if self._game_encoder.message_format.in_codes:
            return codes.about_codes(self._state, decision)
        return view.about(self._state, decision)

    def end(self, standings: Sequence[SeatResult]) -> bytes:
        """Return `end`: the final position, the standings and all missions."""
        state, entry = self._state, self._writer.entry
        events, self._events_sent = self._game_encoder.events_since(self._events_sent)
        entries = [entry("events", events), entry("state", self._game_encoder.position(self._seat))]
        return self._writer.message(
            entries,
            {
                "type": "end",
                "missions": [
                    view.mission_words(state, seat) for seat in range(state.rules.players)
                ],
                "standings": [standing.to_dict() for standing in standings],
                "reason": END_REASONS[state.over],
            },
        )

    def error(self, fault: FaultRecord) -> bytes:
        """Return `error`: a fault of the bot and its number of strikes."""
        fields: dict[str, object] = {
            "type": "error",
            "id": fault.asked_id,
            "fault": fault.fault,
            "message": fault.message,
            "strikes": fault.strikes,
            "allowed": fault.allowed,
        }
        return self._writer.message([], fields)


def plain_message(encoding: Encoding, kind: str, **fields: object) -> bytes:
    """Return a message that belongs to no game, such as `hello` or `quit`."""
    return writer_for(encoding).message([], {"type": kind, **fields})
