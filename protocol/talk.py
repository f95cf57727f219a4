"""The messages after the hello: reads what the referee sends, and sends the bot's answers."""

from __future__ import annotations

import sys

from .request import Game, Request, Result
from .wire import Gone, Wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .bot import Bot
    from .incoming import ErrorMessage

LONGEST_REMARK = 500  # characters of a remark


def talk(bot: Bot, incoming: int, outgoing: int) -> None:
    """Answer messages until the referee sends `quit` or closes a pipe."""
    wire = Wire(incoming, outgoing, bot.encoding)
    try:
        while (message := wire.read()) is not None and message.get("type") != "quit":
            _handle(bot, wire, message)
    except Gone:
        return


def _handle(bot: Bot, wire: Wire, message: Any) -> None:
    """Handle one message; unknown types are ignored."""
    kind = message.get("type")
    if kind == "decide":
        _answer(bot, wire, Request(message, wire.received))
    elif kind == "start":
        begin(bot, Game(message))
        wire.write_ready()
    elif kind == "end":
        bot.events(message["events"])
        bot.end(Result(message, bot.seat))
    elif kind == "error":
        print(_strike_text(message), file=sys.stderr)  # noqa: T201  for the author, on stderr
        bot.error(message)


def _strike_text(error: ErrorMessage) -> str:
    count = f"strike {error.get('strikes')} of {error.get('allowed')}"
    return f"referee: {count}: {error.get('fault')}: {error.get('message')}"


def begin(bot: Bot, game: Game) -> None:
    """Set `game` and `seat` for a new game, and call the bot's `start`."""
    bot.__dict__.pop("random", None)
    bot.remark = None
    bot.game = game
    bot.seat = game.seat
    bot.start(game)


def ask(bot: Bot, request: Request) -> tuple[Any, str | None]:
    """Pass the events to the bot and ask it. Returns its answer and its remark."""
    bot.events(request.events)
    answer: Any = bot.decide(request)
    if isinstance(answer, tuple):
        answer, bot.remark = answer
    remark, bot.remark = bot.remark, None
    return answer, _clean_remark(remark) if remark else None


def _clean_remark(remark: Any) -> str:
    """A remark as text that can be sent: shortened, and with "?" for lone surrogates."""
    return str(remark)[:LONGEST_REMARK].encode(errors="replace").decode()


def _answer(bot: Bot, wire: Wire, request: Request) -> None:
    try:
        answer, remark = ask(bot, request)
        index = request.index(answer)
    except Exception as error:
        error.add_note(f"in request {request.id} ({request.decision}), seat {bot.seat}")
        raise
    wire.write_choice(request.id, index, remark)
