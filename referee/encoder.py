"""What the referee says: messages as bytes, in a bot's encoding and detail, from cached parts.

Choices are said once a board, events once a game; what is left to encode at a decision is the
state, and that only for a bot that wants it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from itertools import compress
from typing import Literal, TypeAlias

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
Lists: TypeAlias = tuple[object, ...]

_to_json = msgspec.json.Encoder().encode
_to_msgpack = msgspec.msgpack.Encoder().encode


class JsonForm:
    """One object a line."""

    value: Callable[[object], bytes] = staticmethod(_to_json)

    def array(self, items: list[bytes]) -> bytes:
        """A list of values that are encoded already."""
        return b"[" + b",".join(items) + b"]"

    def entry(self, key: str, value: bytes) -> bytes:
        """One entry of a map, its value encoded already."""
        return b'"%s":%s' % (key.encode(), value)

    def map(self, entries: list[bytes], plain: dict[str, object]) -> bytes:
        """A map of such entries, and of some values that are not encoded yet."""
        first = [_to_json(plain)[1:-1]] if plain else []
        return b"{" + b",".join(first + entries) + b"}"

    def message(self, entries: list[bytes], plain: dict[str, object]) -> bytes:
        """A whole message; `plain` begins with its type."""
        return b",".join([_to_json(plain)[:-1], *entries]) + b"}\n"


class MsgpackForm:
    """MessagePack maps, back to back."""

    value: Callable[[object], bytes] = staticmethod(_to_msgpack)

    def array(self, items: list[bytes]) -> bytes:
        """A list of values that are encoded already."""
        return _header(0x90, 0xDC, len(items)) + b"".join(items)

    def entry(self, key: str, value: bytes) -> bytes:
        """One entry of a map, its value encoded already."""
        return _to_msgpack(key) + value

    def map(self, entries: list[bytes], plain: dict[str, object]) -> bytes:
        """A map of such entries, and of some values that are not encoded yet."""
        own_header = len(_header(0x80, 0xDE, len(plain)))
        header = _header(0x80, 0xDE, len(entries) + len(plain))
        return b"".join([header, _to_msgpack(plain)[own_header:], *entries])

    def message(self, entries: list[bytes], plain: dict[str, object]) -> bytes:
        """A whole message; `plain` begins with its type."""
        return self.map(entries, plain)


Form: TypeAlias = JsonForm | MsgpackForm


def form_of(encoding: Encoding) -> Form:
    """How this encoding writes."""
    return JsonForm() if encoding == "json" else MsgpackForm()


def _header(short: int, long: int, count: int) -> bytes:
    if count < 16:
        return bytes((short | count,))
    if count < 1 << 16:
        return bytes((long,)) + count.to_bytes(2, "big")
    return bytes((long + 1,)) + count.to_bytes(4, "big")


class _Said(dict[Choice, bytes]):
    """Each choice's bytes, made when it is first offered; kept, if it can be offered again."""

    def __init__(self, say: Callable[[Choice], bytes]) -> None:
        self._say = say

    def __missing__(self, choice: Choice) -> bytes:
        said = self._say(choice)
        if choice.is_shared:
            self[choice] = said
        return said


class Dialect:
    """An encoding and a detail on one board; it serves many games."""

    def __init__(self, board: Board, encoding: Encoding, detail: Detail) -> None:
        self.form = form_of(encoding)
        self.in_codes = detail == "codes"
        self.board_bytes = self.form.value(board.words)
        value = self.form.value
        if self.in_codes:
            self.said = _Said(lambda choice: value(codes.choice_code(choice)))
        else:
            self.said = _Said(lambda choice: value(choice_words(board, choice)))

    def choices(self, options: list[Choice]) -> bytes:
        """A list of choices."""
        return self.form.array(list(map(self.said.__getitem__, options)))

    def event(self, state: GameState, event: tuple[int, ...]) -> bytes:
        """One event."""
        return self.form.value(event if self.in_codes else event_words(state, event))


class Dialects:
    """The dialects of one board that were asked for."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._known: dict[tuple[Encoding, Detail], Dialect] = {}

    def get(self, encoding: Encoding, detail: Detail) -> Dialect:
        """The one dialect of this encoding and detail."""
        key = (encoding, detail)
        if key not in self._known:
            self._known[key] = Dialect(self.board, encoding, detail)
        return self._known[key]


class Tale:
    """What happens in one game, in one dialect: events and positions, for all who listen.

    An event is encoded once. Of a position in words only what changed is: a list of the state that
    was not replaced has not changed, and points are compared with what was said of them last.
    """

    def __init__(self, dialect: Dialect, state: GameState) -> None:
        self.dialect = dialect
        self.state = state
        self._events: list[bytes] = []
        self._men = view.men_words(state)
        self._routes = [b""] * len(state.board.routes)
        self._said_routes = b""
        self._stood: list[int] = []
        self._lay: list[int] = []
        self._said_cities = b""
        self._posts: Lists = ()
        self._said_players = b""
        self._amounts: tuple[int, ...] = ()
        self._desks: Lists = ()
        self._said_lasting: list[bytes] = []
        self._lasting: Lists = ()

    def events_since(self, heard: int) -> tuple[bytes, int]:
        """The events from this number on as a list, and how many there are by now."""
        events = self.state.events or []
        for event in events[len(self._events) :]:
            self._events.append(self.dialect.event(self.state, event))
        return self.dialect.form.array(self._events[heard:]), len(events)

    def position(self, seat: int) -> bytes:
        """The position as a seat sees it."""
        state, form = self.state, self.dialect.form
        if self.dialect.in_codes:
            return form.value(codes.state_codes(state, seat))
        entries = [
            form.entry("routes", self._routes_said()),
            form.entry("cities", self._cities_said()),
            form.entry("players", self._players_said()),
        ]
        plain = {**view.moment_words(state), **view.own_words(state, seat)}
        return form.map([*entries, *self._lasting_said()], plain)

    def _routes_said(self) -> bytes:
        state, form = self.state, self.dialect.form
        board = state.board
        changed: Iterable[int] = ()
        if state.route_markers is not self._lay:
            changed = range(len(board.routes))
        elif state.points != self._stood:
            moved = map(operator.ne, state.points, self._stood)
            changed = set(compress(board.point_route, moved))
        if changed:
            for route in changed:
                said = form.value(view.route_words(state, self._men, route))
                self._routes[route] = form.entry(board.route_ids[route], said)
            self._said_routes = form.map(self._routes, {})
            self._stood, self._lay = state.points[:], state.route_markers
        return self._said_routes

    def _cities_said(self) -> bytes:
        state = self.state
        posts = (state.posts, state.additional, state.green)
        if not _same(posts, self._posts):
            self._said_cities = self.dialect.form.value(view.cities_words(state, self._men))
            self._posts = posts
        return self._said_cities

    def _lasting_said(self) -> list[bytes]:
        state, form = self.state, self.dialect.form
        lasting = view.lasting(state)
        if not _same(lasting, self._lasting):
            words = view.lasting_words(state)
            self._said_lasting = [form.entry(key, form.value(word)) for key, word in words.items()]
            self._lasting = lasting
        return self._said_lasting

    def _players_said(self) -> bytes:
        state, form = self.state, self.dialect.form
        lists = (
            state.prestige,
            state.desk,
            state.markers,
            state.used,
            state.plates,
            state.favours,
        )
        amounts = (*state.stock, *state.supply)
        if amounts == self._amounts and _same(lists, self._desks):
            return self._said_players
        self._amounts, self._desks = amounts, lists
        self._said_players = form.array(
            [form.value(view.player_words(state, seat)) for seat in range(state.rules.players)]
        )
        return self._said_players


def _same(ones: Lists, others: Lists) -> bool:
    """Whether these are the very same lists."""
    return len(ones) == len(others) and all(map(operator.is_, ones, others))


class Speech:
    """What one bot is told in one game."""

    def __init__(self, tale: Tale, seat: int) -> None:
        self._tale = tale
        self._form = tale.dialect.form
        self._state = tale.state
        self._seat = seat
        self._heard = 0

    def start(self, game: str, names: Sequence[str], clock: ClockRules) -> bytes:
        """The game, the table and the rules."""
        shown = view.see(self._state, self._seat)
        return self._form.message(
            [self._form.entry("board", self._tale.dialect.board_bytes)],
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
        """The pending decision with its choices, and what happened since the last message."""
        state, entry = self._state, self._form.entry
        decision = state.agenda[-1]
        events, self._heard = self._tale.events_since(self._heard)
        plain: dict[str, object] = {
            "type": "decide",
            "id": state.decision_id,
            "decision": DECISIONS[decision.kind],
            "clock_ms": clock_ms,
        }
        if decision.kind != TURN:
            plain["about"] = self._about(decision)
        entries = [
            entry("choices", self._tale.dialect.choices(options)),
            entry("events", events),
        ]
        if with_state:
            entries.append(entry("state", self._tale.position(self._seat)))
        return self._form.message(entries, plain)

    def _about(self, decision: Decision) -> object:
        if self._tale.dialect.in_codes:
            return codes.about_codes(self._state, decision)
        return view.about(self._state, decision)

    def end(self, standings: Sequence[SeatResult]) -> bytes:
        """How it ended, with everything laid open."""
        state, entry = self._state, self._form.entry
        events, self._heard = self._tale.events_since(self._heard)
        entries = [entry("events", events), entry("state", self._tale.position(self._seat))]
        return self._form.message(
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
        """The message that the bot was at fault."""
        fields: dict[str, object] = {
            "type": "error",
            "id": fault.asked_id,
            "fault": fault.fault,
            "message": fault.message,
            "strikes": fault.strikes,
            "allowed": fault.allowed,
        }
        return self._form.message([], fields)


def plain(encoding: Encoding, kind: str, **fields: object) -> bytes:
    """A message that needs no game: `hello`, `quit`."""
    return form_of(encoding).message([], {"type": kind, **fields})
