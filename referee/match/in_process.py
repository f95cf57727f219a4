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
from referee.adjudication.clock import NO_CLOCK, ClockRules
from referee.adjudication.faults import Fault, FaultRecord
from referee.adjudication.standings import SeatResult
from referee.bots.find import Bot
from referee.encoder import Detail, Encoding, Speech
from referee.engine.choice import Choice
from referee.match.players import Answer

View: TypeAlias = dict[str, Any]
Function: TypeAlias = Callable[[View, list[Offer]], int | Offer]

MARK: Final = "@in-process"  # at the end of its name, wherever that is shown
CONTENT: Final = "in-process:"  # at the beginning of its hash, so that a record says so as well
MOST_SAID: Final = 4096
MOST_SHOWN: Final = 200
_read = msgspec.json.Decoder().decode


def bot_of(given: object) -> protocol.Bot:
    """The bot that answers for this: one of the SDK, a new one of its class, or a function as one."""
    if isinstance(given, protocol.Bot):
        return given
    if isinstance(given, type) and issubclass(given, protocol.Bot):
        return given()
    assert callable(given), "a bot in this process is a function or a bot of the SDK"
    return protocol.FunctionBot(given)


def _said(how: Callable[[object], str], thing: object) -> str:
    """What a stranger's object says of itself, as far as it can be written down."""
    try:
        return how(thing).encode(errors="replace").decode()
    except Exception:  # noqa: BLE001  a stranger's code
        return f"<{type(thing).__name__} without words>"


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
        self._detail: Detail = "words"
        self._with_state = True

    @property
    def dialect(self) -> tuple[Encoding, Detail]:
        """How it wants to be spoken to."""
        return "json", self._detail

    @property
    def _playing(self) -> protocol.Bot:
        assert self._answering is not None, "it was not opened"
        return self._answering

    def open(self, clock: ClockRules) -> Fault | None:
        """Be there; a class becomes a bot now, and what it wishes now holds for all its games."""
        if self._answering is not None:
            return None
        try:
            given = self.bot.in_process
            bot = self._answering = bot_of(copied(given) if self._copy else given)
            self._detail = "codes" if bot.detail == "codes" else "words"
            self._with_state = bot.state != "none"
        except (Exception, SystemExit) as error:  # noqa: BLE001  a stranger's code
            return self._raised("start", error)
        return None

    def start(self, speech: Speech, game: str, names: list[str], clock: ClockRules) -> Fault | None:
        """A game begins."""
        self._speech = speech
        self.error = None
        begun = Game(_read(speech.start(game, names, NO_CLOCK)))
        self._seat = begun.seat
        try:
            begin(self._playing, begun)
        except (Exception, SystemExit) as error:  # noqa: BLE001  a stranger's code
            return self._raised("start", error)
        return None

    def decide(self, decision_id: int, options: list[Choice]) -> Answer | Fault:
        """Ask, and judge what comes back."""
        bot = self._playing
        said = self._speech.decide(options, None, with_state=self._with_state)
        request = Request(_read(said))
        asked_ns = time.monotonic_ns()
        try:
            answer, remark = ask(bot, request)
        except (Exception, SystemExit) as error:  # noqa: BLE001  a stranger's code
            return self._raised("crash", error)
        read_ns = time.monotonic_ns()
        try:
            index = request.index(answer)
            options[index]  # the request is the bot's own by now, and it may have added to it
        except Exception as error:  # noqa: BLE001  a stranger's answer may raise when it is looked at
            return self._refused(answer, len(options), error)
        return Answer(index, (read_ns - asked_ns) / 1e6, asked_ns, read_ns, say=remark)

    def _raised(self, fault: str, error: BaseException) -> Fault:
        self.error = error
        return Fault(fault, f"raised {type(error).__name__}: {_said(str, error)}")

    def _refused(self, answer: object, count: int, error: Exception) -> Fault:
        self.error = error
        if hasattr(answer, "__index__") and not isinstance(answer, bool):
            chose = f"chose {_said(str, answer):.{MOST_SHOWN}}"
            return Fault("illegal", f"{chose}, which is none of 0 to {count - 1}")
        chose = f"chose {_said(repr, answer):.{MOST_SHOWN}}"
        return Fault("garbage", f"{chose}, which is neither an index nor a choice")

    def refuse(self, fault: FaultRecord) -> None:
        """It has been told by its own exception, or by the result."""

    def dismiss(self) -> None:
        """The seat is disqualified; in its next game a class begins anew."""
        self._answering = None

    def end(self, standings: list[SeatResult]) -> None:
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
