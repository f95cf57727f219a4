"""A bot that runs in this process: a function of view and choices, or a bot of the SDK.

It gets the same messages as a bot in its own process. It has no clock, because nothing can
interrupt it.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from copy import copy as copied
from typing import Final

import msgspec

import protocol
from protocol.request import Game, Request, Result
from protocol.talk import ask, begin
from referee.adjudication.clock import NO_CLOCK, ClockRules
from referee.adjudication.faults import Fault, FaultRecord
from referee.adjudication.standings import SeatResult
from referee.bots.find import Bot
from referee.bots.parameters import Values
from referee.encoder import Detail, MessageFormat, SeatEncoder
from referee.engine.choice import Choice
from referee.match.players import Answer
from referee.text import excerpt

MARK: Final = "@in-process"  # the end of the name of such a bot
CONTENT: Final = "in-process:"  # the beginning of its hash in a record
MOST_SHOWN: Final = 200
_read = msgspec.json.Decoder().decode


def bot_of(given: object, values: Values) -> protocol.Bot:
    """Return the SDK bot for a bot (itself), a class (a new instance) or a function.

    A class or a function gets the values of its parameters as keywords.
    """
    if isinstance(given, protocol.Bot):
        return given
    if isinstance(given, type) and issubclass(given, protocol.Bot):
        return given(**values)
    assert callable(given), "a bot in this process is a function or a bot of the SDK"
    return protocol.FunctionBot(given, values)


def _text_of(convert: Callable[[object], str], value: object) -> str:
    """The text of a bot's object by `str` or `repr`, even if the bot's code raises."""
    try:
        return convert(value).encode(errors="replace").decode()
    except Exception:  # noqa: BLE001  the bot's code
        return f"<{type(value).__name__} without text>"


class InProcessPlayer:
    """A seat that a bot in this process plays; an exception is a fault."""

    def __init__(self, bot: Bot, *, copy: bool = False) -> None:
        self.bot = bot
        self._copy = copy  # an SDK bot knows its seat, so one object cannot play two seats
        self.name = bot.name
        self.version = str(getattr(bot.in_process, "version", "")) or None
        self.content = bot.content
        self.error: BaseException | None = None  # the last exception of the bot
        self._answering: protocol.Bot | None = None
        self._detail: Detail = "words"
        self._with_state = True

    @property
    def message_format(self) -> MessageFormat:
        """What its messages are like: encoding, detail, and whether they have the state."""
        return MessageFormat("json", self._detail, "full" if self._with_state else "none")

    @property
    def _playing(self) -> protocol.Bot:
        assert self._answering is not None, "the bot was not opened"
        return self._answering

    def open(self, clock: ClockRules) -> Fault | None:
        """Make the bot, if a class was given; its settings hold for all its games."""
        if self._answering is not None:
            return None
        try:
            given = self.bot.in_process
            given = copied(given) if self._copy else given
            bot = self._answering = bot_of(given, self.bot.all_values)
            self._detail = "codes" if bot.detail == "codes" else "words"
            self._with_state = bot.state != "none"
        except (Exception, SystemExit) as error:  # noqa: BLE001  the bot's code
            return self._raised("start", error)
        return None

    def start(
        self, encoder: SeatEncoder, game: str, names: list[str], clock: ClockRules
    ) -> Fault | None:
        """Begin a game; returns a fault if the bot raises."""
        self._encoder = encoder
        self.error = None
        begun = Game(_read(encoder.start(game, names, NO_CLOCK)))
        self._seat = begun.seat
        try:
            begin(self._playing, begun)
        except (Exception, SystemExit) as error:  # noqa: BLE001  the bot's code
            return self._raised("start", error)
        return None

    def decide(self, decision_id: int, options: list[Choice]) -> Answer | Fault:
        """Call the bot, and judge its answer."""
        bot = self._playing
        message = self._encoder.decide(options, None, with_state=self._with_state)
        request = Request(_read(message))
        asked_ns = time.monotonic_ns()
        try:
            answer, remark = ask(bot, request)
        except (Exception, SystemExit) as error:  # noqa: BLE001  the bot's code
            return self._raised("crash", error)
        read_ns = time.monotonic_ns()
        try:
            index = request.index(answer)
            options[index]  # the bot may have added choices to its request
        except Exception as error:  # noqa: BLE001  an answer may raise when it is used
            return self._refused(answer, len(options), error)
        return Answer(index, (read_ns - asked_ns) / 1e6, asked_ns, read_ns, say=remark)

    def _raised(self, fault: str, error: BaseException) -> Fault:
        self.error = error
        return Fault(fault, f"raised {type(error).__name__}: {_text_of(str, error)}")

    def _refused(self, answer: object, count: int, error: Exception) -> Fault:
        self.error = error
        if hasattr(answer, "__index__") and not isinstance(answer, bool):
            chose = f"chose {_text_of(str, answer):.{MOST_SHOWN}}"
            return Fault("illegal", f"{chose}, which is not one of 0 to {count - 1}")
        chose = f"chose {_text_of(repr, answer):.{MOST_SHOWN}}"
        return Fault(
            "garbage",
            f"{chose}, which is neither the index of an offered choice nor one of the choices",
        )

    def refuse(self, fault: FaultRecord) -> None:
        """Do nothing: the bot's own exception or the result shows the fault."""

    def dismiss(self) -> None:
        """Drop the bot; a class is instantiated again for the next game."""
        self._answering = None

    def end(self, standings: list[SeatResult]) -> None:
        """Call the bot with the result; an exception is no longer a fault."""
        if self._answering is None:
            return
        result = Result(_read(self._encoder.end(standings)), self._seat)
        try:
            self._answering.events(result.events)
            self._answering.end(result)
        except (Exception, SystemExit) as error:  # noqa: BLE001  the bot's code
            self.error = error

    def close(self) -> None:
        """Drop the bot: there are no more games."""
        self._answering = None

    def stderr_excerpt(self) -> bytes:
        """The traceback of its last exception."""
        if self.error is None:
            return b""
        data = "".join(traceback.format_exception(self.error)).encode(errors="replace")
        return excerpt(len(data), lambda at, count: data[at : at + count])
