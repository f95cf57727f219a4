"""What the referee says: messages as bytes, in a bot's encoding and detail, from cached parts.

Choices are said once a board, events once a game; what is left to encode at a decision is the
state, and that only for a bot that wants it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

import msgspec

from referee.engine import codes, view
from referee.engine.board import Board
from referee.engine.choice import Choice
from referee.engine.state import GameState
from referee.engine.terms import DECISIONS, END_REASONS
from referee.engine.words import choice_words, event_words

Encoding: TypeAlias = Literal["json", "msgpack"]
Detail: TypeAlias = Literal["words", "codes"]
Field: TypeAlias = tuple[str, bytes]

_to_json = msgspec.json.Encoder().encode
_to_msgpack = msgspec.msgpack.Encoder().encode


class JsonForm:
    """One object a line."""

    value: Callable[[object], bytes] = staticmethod(_to_json)

    def array(self, items: list[bytes]) -> bytes:
        """A list of values that are encoded already."""
        return b"[" + b",".join(items) + b"]"

    def message(self, kind: str, fields: Sequence[Field]) -> bytes:
        """A whole message of values that are encoded already."""
        body = b"".join([b',"%s":%s' % (key.encode(), value) for key, value in fields])
        return b'{"type":"%s"%s}\n' % (kind.encode(), body)


class MsgpackForm:
    """MessagePack maps, back to back."""

    value: Callable[[object], bytes] = staticmethod(_to_msgpack)

    def array(self, items: list[bytes]) -> bytes:
        """A list of values that are encoded already."""
        return _header(0x90, 0xDC, len(items)) + b"".join(items)

    def message(self, kind: str, fields: Sequence[Field]) -> bytes:
        """A whole message of values that are encoded already."""
        parts = [_header(0x80, 0xDE, len(fields) + 1), _to_msgpack("type"), _to_msgpack(kind)]
        for key, value in fields:
            parts += (_to_msgpack(key), value)
        return b"".join(parts)


def _header(short: int, long: int, count: int) -> bytes:
    if count < 16:
        return bytes((short | count,))
    if count < 1 << 16:
        return bytes((long,)) + count.to_bytes(2, "big")
    return bytes((long + 1,)) + count.to_bytes(4, "big")


class _Said(dict[Choice, bytes]):
    """Each choice's bytes, made when it is first offered."""

    def __init__(self, say: Callable[[Choice], bytes]) -> None:
        self._say = say

    def __missing__(self, choice: Choice) -> bytes:
        said = self[choice] = self._say(choice)
        return said


class Dialect:
    """An encoding and a detail on one board; it serves many games."""

    def __init__(self, board: Board, encoding: Encoding, detail: Detail) -> None:
        self.form: JsonForm | MsgpackForm = JsonForm() if encoding == "json" else MsgpackForm()
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

    def state(self, state: GameState, seat: int) -> bytes:
        """The position as a seat sees it."""
        seen = codes.state_codes(state, seat) if self.in_codes else view.see(state, seat)
        return self.form.value(seen)


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


class EventLog:
    """The events of one game in one dialect, each encoded once for all who listen."""

    def __init__(self, dialect: Dialect, state: GameState) -> None:
        self._dialect = dialect
        self._state = state
        self._said: list[bytes] = []

    def since(self, heard: int) -> tuple[bytes, int]:
        """The events from this number on as a list, and how many there are by now."""
        events = self._state.events or []
        for event in events[len(self._said) :]:
            self._said.append(self._dialect.event(self._state, event))
        return self._dialect.form.array(self._said[heard:]), len(events)


class Speech:
    """What one bot is told in one game."""

    def __init__(self, dialect: Dialect, log: EventLog, state: GameState, seat: int) -> None:
        self._dialect = dialect
        self._form = dialect.form
        self._log = log
        self._state = state
        self._seat = seat
        self._heard = 0

    def start(self, game: str, names: Sequence[str], clock: dict[str, int | None]) -> bytes:
        """The game, the table and the rules."""
        state, value = self._state, self._form.value
        shown = view.see(state, self._seat)
        players = [{"seat": seat, "name": name} for seat, name in enumerate(names)]
        return self._form.message(
            "start",
            [
                ("game", value(game)),
                ("seat", value(self._seat)),
                ("players", value(players)),
                ("rules", value(state.rules.words())),
                ("board", self._dialect.board_bytes),
                ("favours", value(shown["favours"])),
                ("mission", value(shown["mission"])),
                ("clock", value(clock)),
            ],
        )

    def decide(self, options: list[Choice], clock_ms: int | None, *, with_state: bool) -> bytes:
        """The pending decision with its choices, and what happened since the last message."""
        state, form = self._state, self._form
        decision = state.agenda[-1]
        events, self._heard = self._log.since(self._heard)
        fields = [
            ("id", form.value(state.decision_id)),
            ("decision", form.value(DECISIONS[decision.kind])),
            ("choices", self._dialect.choices(options)),
            ("events", events),
            ("clock_ms", form.value(clock_ms)),
        ]
        concerns = self._about()
        if concerns is not None:
            fields.append(("about", form.value(concerns)))
        if with_state:
            fields.append(("state", self._dialect.state(state, self._seat)))
        return form.message("decide", fields)

    def _about(self) -> object:
        decision = self._state.agenda[-1]
        if self._dialect.in_codes:
            return codes.about_codes(self._state, decision)
        return view.about(self._state, decision)

    def end(self, standings: list[dict[str, object]]) -> bytes:
        """How it ended, with everything laid open."""
        state, value = self._state, self._form.value
        events, self._heard = self._log.since(self._heard)
        missions = [view.mission_words(state, seat) for seat in range(state.rules.players)]
        return self._form.message(
            "end",
            [
                ("events", events),
                ("state", self._dialect.state(state, self._seat)),
                ("missions", value(missions)),
                ("standings", value(standings)),
                ("reason", value(END_REASONS[state.over])),
            ],
        )

    def error(
        self, number: int | None, fault: str, message: str, strikes: int, allowed: int
    ) -> bytes:
        """The last answer was refused."""
        fields = {
            "id": number,
            "fault": fault,
            "message": message,
            "strikes": strikes,
            "allowed": allowed,
        }
        return self._form.message("error", [(k, self._form.value(v)) for k, v in fields.items()])


def plain(encoding: Encoding, kind: str, **fields: object) -> bytes:
    """A message that needs no game: `hello`, `quit`."""
    form: JsonForm | MsgpackForm = JsonForm() if encoding == "json" else MsgpackForm()
    return form.message(kind, [(key, form.value(value)) for key, value in fields.items()])
