"""A bot in this very process: a function of view and choices, or a bot of the SDK, without a pipe.

It is asked what a bot in a process of its own is asked, by the same bytes. It has no clock: nobody can
interrupt it.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from copy import copy as copied
from typing import Any, Final, TypeAlias

import msgspec

import protocol
from protocol.request import Choice as Offer
from protocol.request import Game, Request, Result
from protocol.talk import ask, begin
from referee.engine.choice import Choice
from referee.match.bots import Bot
from referee.match.clock import NO_CLOCK, ClockRules
from referee.match.conduct import Fault
from referee.match.players import Answer
from referee.speech import Detail, Encoding, Speech

View: TypeAlias = dict[str, Any]
Function: TypeAlias = Callable[[View, list[Offer]], int | Offer]

MARK: Final = "@in-process"  # at the end of its name, wherever that is shown
CONTENT: Final = "in-process:"  # at the beginning of its hash, so that a record says so as well
MOST_SAID: Final = 4096
_read = msgspec.json.Decoder().decode


def bot_of(given: object) -> protocol.Bot:
    """The bot that answers for this: one of the SDK, a new one of its class, or a function as one."""
    if isinstance(given, protocol.Bot):
        return given
    if isinstance(given, type) and issubclass(given, protocol.Bot):
        return given()
    assert callable(given), "a bot in this process is a function or a bot of the SDK"
    return protocol.FunctionBot(given)


class InProcessPlayer:
    """A seat that is answered for in this process; whatever it raises is its fault."""

    def __init__(self, bot: Bot, *, copy: bool = False) -> None:
        self.bot = bot
        self._copy = copy  # a bot of the SDK knows its seat: one object cannot have two
        self.name = bot.name
        self.version = str(getattr(bot.in_process, "version", "")) or None
        self.content = bot.content
        self.error: BaseException | None = None  # the last one
        self._answering: protocol.Bot | None = None

    @property
    def dialect(self) -> tuple[Encoding, Detail]:
        """How it wants to be spoken to."""
        return "json", "codes" if self._playing.detail == "codes" else "words"

    @property
    def _playing(self) -> protocol.Bot:
        assert self._answering is not None, "it was not opened"
        return self._answering

    def open(self, clock: ClockRules) -> Fault | None:
        """Be there; a class becomes a bot now."""
        if self._answering is not None:
            return None
        try:
            given = self.bot.in_process
            self._answering = bot_of(copied(given) if self._copy else given)
        except (Exception, SystemExit) as error:  # noqa: BLE001  a stranger's code
            return self._raised("start", error)
        return None

    def start(self, speech: Speech, game: str, names: list[str], clock: ClockRules) -> Fault | None:
        """A game begins."""
        self._speech = speech
        self.error = None
        begun = Game(_read(speech.start(game, names, NO_CLOCK.words())))
        self._seat = begun.seat
        try:
            begin(self._playing, begun)
        except (Exception, SystemExit) as error:  # noqa: BLE001  a stranger's code
            return self._raised("start", error)
        return None

    def decide(self, decision_id: int, options: list[Choice]) -> Answer | Fault:
        """Ask, and judge what comes back."""
        bot = self._playing
        said = self._speech.decide(options, None, with_state=bot.state != "none")
        request = Request(_read(said))
        asked_ns = time.monotonic_ns()
        try:
            answer, remark = ask(bot, request)
        except (Exception, SystemExit) as error:  # noqa: BLE001  a stranger's code
            return self._raised("crash", error)
        read_ns = time.monotonic_ns()
        try:
            index = request.index(answer)
        except ValueError as error:
            return self._refused(answer, len(options), error)
        return Answer(index, (read_ns - asked_ns) / 1e6, asked_ns, read_ns, say=remark)

    def _raised(self, fault: str, error: BaseException) -> Fault:
        self.error = error
        return Fault(fault, f"raised {type(error).__name__}: {error}")

    def _refused(self, answer: object, count: int, error: ValueError) -> Fault:
        self.error = error
        if hasattr(answer, "__index__") and not isinstance(answer, bool):
            return Fault("illegal", f"chose {answer}, which is none of 0 to {count - 1}")
        return Fault("garbage", f"chose {answer!r:.200}, which is neither an index nor a choice")

    def refuse(self, decision_id: int | None, fault: Fault, strikes: int, allowed: int) -> None:
        """It has been told by its own exception, or by the result."""

    def dismiss(self) -> None:
        """The seat is disqualified; in its next game a class begins anew."""
        self._answering = None

    def end(self, standings: list[dict[str, object]]) -> None:
        """The game is over; what it raises now costs it nothing any more."""
        if self._answering is None:
            return
        result = Result(_read(self._speech.end(standings)), self._seat)
        try:
            self._answering.events(result.events)
            self._answering.end(result)
        except (Exception, SystemExit) as error:  # noqa: BLE001  a stranger's code
            self.error = error

    def close(self) -> None:
        """No more games."""
        self._answering = None

    def stderr_tail(self) -> bytes:
        """The traceback of what it raised last."""
        if self.error is None:
            return b""
        said = "".join(traceback.format_exception(self.error))
        return said.encode(errors="replace")[-MOST_SAID:]
