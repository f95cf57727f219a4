"""The conversation after the hello: each message of the referee, and the bot's answer."""

from __future__ import annotations

import sys

from .request import Game, Request, Result
from .wire import Gone, Wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .bot import Bot

MOST_SAID = 500  # characters of a remark


def talk(bot: Bot, incoming: int, outgoing: int) -> None:
    """Answer until the referee sends `quit`, closes the input or is gone."""
    wire = Wire(incoming, outgoing, bot.encoding)
    try:
        while (message := wire.read()) is not None and message.get("type") != "quit":
            _hear(bot, wire, message)
    except Gone:
        return


def _hear(bot: Bot, wire: Wire, message: dict[str, Any]) -> None:
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
        print(_strike(message), file=sys.stderr)  # noqa: T201  this is where it belongs
        bot.error(message)


def _strike(error: dict[str, Any]) -> str:
    count = f"strike {error.get('strikes')} of {error.get('allowed')}"
    return f"referee: {count}: {error.get('fault')}: {error.get('message')}"


def begin(bot: Bot, game: Game) -> None:
    """Prepare the bot for a new game."""
    bot.__dict__.pop("random", None)
    bot.remark = None
    bot.game = game
    bot.seat = game.seat
    bot.start(game)


def ask(bot: Bot, request: Request) -> tuple[Any, str | None]:
    """What the bot decides, and its remark."""
    bot.events(request.events)
    answer: Any = bot.decide(request)
    if isinstance(answer, tuple):
        answer, bot.remark = answer
    remark, bot.remark = bot.remark, None
    return answer, _sayable(remark) if remark else None


def _sayable(remark: Any) -> str:
    """As text, cut; half a letter (a lone surrogate) cannot be sent, and becomes a question mark."""
    return str(remark)[:MOST_SAID].encode(errors="replace").decode()


def _answer(bot: Bot, wire: Wire, request: Request) -> None:
    try:
        answer, remark = ask(bot, request)
        index = request.index(answer)
    except Exception as error:
        error.add_note(f"in request {request.id} ({request.decision}), seat {bot.seat}")
        raise
    wire.write_choice(request.id, index, remark)
