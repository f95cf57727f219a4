"""A bot in Python: subclass Bot, answer decisions, call run().

    from protocol import Bot, run

    class First(Bot):
        name = "first"

        def decide(self, request):
            return request.choices[0]

    run(First())

It needs only the standard library. So that a bot starts fast, it sends `hello` before it imports
other modules; they are imported inside the functions that use them
(test_the_sdk_says_hello_before_it_loads_anything).
"""

from __future__ import annotations

import os
import sys

from . import PROTOCOL_VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from logging import Logger
    from random import Random
    from typing import Any, ClassVar

    from .answers import Answer, Function
    from .events import Event
    from .incoming import ErrorMessage
    from .messages import Detail, Encoding, StateOption
    from .request import Game, Request, Result

INTERRUPTED = 130
_OPTIONS = {
    "encoding": ("json", "msgpack"),
    "state": ("full", "none"),
    "detail": ("words", "codes"),
}


class Bot:
    """The base class of bots; override `decide`, and the other methods as needed.

    `game` and `seat` belong to the game that is being played. `random` is a `random.Random` that is
    seeded again for each game; it gives the same numbers whenever the same game is played again.
    `log` is a logger that writes to stderr.
    """

    name = ""  # shown to people; if it is empty, the name of the class
    version = ""
    author = ""
    encoding: Encoding = "json"  # or "msgpack"
    state: StateOption = (
        "full"  # or "none": no state in requests; protocol.Table keeps it from events
    )
    detail: Detail = "words"  # or "codes": choices, events and state as numbers
    # What may be set if the bot plays inside another program; bot.toml declares the same for a program.
    parameters: ClassVar[Mapping[str, Mapping[str, object]]] = {}

    game: Game
    seat: int
    random: Random
    log: Logger
    remark: str | None = None  # for the next answer; see `say`

    def start(self, game: Game) -> None:
        """Called when a game begins, with the fields of its `start` message."""

    def events(self, events: list[Event]) -> None:
        """Called before each decision and at the end, with the events since the last call."""

    def decide(self, request: Request) -> Answer | tuple[Answer, str]:
        """Return one of `request.choices` or its index.

        To add a remark to the record, return a tuple of that and the remark.
        """
        raise NotImplementedError(f"{type(self).__name__} has no decide(self, request)")

    def end(self, result: Result) -> None:
        """Called when the game is over, with its result."""

    def error(self, error: ErrorMessage) -> None:
        """Called when the referee refused the last answer and made the choice itself."""

    def say(self, remark: str) -> None:
        """Add a remark to the next answer; the referee writes it to the record."""
        self.remark = remark

    if not TYPE_CHECKING:  # to a type checker, a bot would otherwise have every attribute

        def __getattr__(self, name: str) -> Any:
            """Create `random` and `log` on first use."""
            maker = _LAZY_ATTRIBUTES.get(name)
            if maker is None:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            made = self.__dict__[name] = maker(self)
            return made


def _make_random(bot: Bot) -> Random:
    from random import Random  # noqa: PLC0415  faster start for bots that do not use it

    return Random(f"{bot.game.id} {bot.seat}")


def _make_log(bot: Bot) -> Logger:
    import logging  # noqa: PLC0415  faster start for bots that do not use it

    logging.basicConfig(
        format="%(levelname)s %(message)s"
    )  # to stderr; does nothing if the bot has set up logging
    log = logging.getLogger(_name(bot))
    if log.level == logging.NOTSET:
        log.setLevel(logging.INFO)
    return log


_LAZY_ATTRIBUTES = {"random": _make_random, "log": _make_log}


def run(bot: Bot | type[Bot] | Function, *, pipes: tuple[int, int] | None = None) -> None:
    """Talk to the referee until it sends `quit` or closes the pipe.

    `bot` is a Bot, a subclass of Bot, or a function of view and choices (see protocol/function.py).
    A class or a function gets the values of the bot's parameters as keywords (see `settings`).

    Standard input and output are reserved for the referee: print() writes to stderr instead, and
    input() reads nothing. With `pipes` (a descriptor to read from and one to write to), standard
    input and output are left alone. An exception in the bot ends the process with a traceback on
    stderr and a non-zero exit status.
    """
    incoming, outgoing = _take_pipes() if pipes is None else pipes
    try:
        _serve(_as_bot(bot), incoming, outgoing)
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


def settings(arguments: list[str] | None = None) -> dict[str, int | float]:
    """Return the values of the bot's parameters: its arguments `--set NAME=VALUE`, by name.

    The referee passes one for each parameter that bot.toml declares. A value without a point is an
    int. Other arguments are ignored; one that is not valid ends the process with a sentence.
    """
    values: dict[str, int | float] = {}
    words = iter(sys.argv[1:] if arguments is None else arguments)
    for word in words:
        if word == "--set":
            text = next(words, "")
            name, _, number = text.partition("=")
            values[name] = _number(number, text)
    return values


def _number(number: str, text: str) -> int | float:
    try:
        return int(number) if number.lstrip("-").isdecimal() else float(number)
    except ValueError:
        raise SystemExit(f"--set needs NAME=NUMBER, not {text!r}") from None


def _as_bot(bot: Bot | type[Bot] | Function) -> Bot:
    if isinstance(bot, Bot):
        return bot
    if isinstance(bot, type):
        make: Any = bot
        made: Bot = make(**settings())
        return made
    from .function import FunctionBot  # noqa: PLC0415  most bots are classes

    return FunctionBot(bot, settings())


def _take_pipes() -> tuple[int, int]:
    """Copies of standard input and output; the originals become /dev/null and stderr."""
    null = os.open(os.devnull, os.O_RDWR)
    if null == 2:  # stderr was closed; /dev/null takes its place
        null = os.dup(null)
    incoming, outgoing = os.dup(0), os.dup(1)
    os.dup2(null, 0)
    os.dup2(2, 1)
    os.close(null)
    if sys.stdout is not None:
        sys.stdout.flush()  # what was printed so far
    sys.stdout = sys.stderr
    return incoming, outgoing


def _serve(bot: Bot, incoming: int, outgoing: int) -> None:
    hello = _hello(bot)
    if bot.encoding == "msgpack":
        _need_msgpack(bot)
    try:
        os.write(outgoing, hello)
    except BrokenPipeError:
        return
    from .talk import talk  # noqa: PLC0415  after the hello

    talk(bot, incoming, outgoing)


def _name(bot: Bot) -> str:
    return bot.name or type(bot).__name__


def _hello(bot: Bot) -> bytes:
    fields = {"type": "hello", "name": _name(bot)}
    for field in ("version", "author"):
        if getattr(bot, field):
            fields[field] = str(getattr(bot, field))
    for option, allowed in _OPTIONS.items():
        value = getattr(bot, option)
        if value not in allowed:
            known = " or ".join(map(repr, allowed))
            raise SystemExit(f"{type(bot).__name__}.{option} is {value!r}; it can be {known}")
        fields[option] = value
    text = ",".join([f'"{field}":{_quoted(value)}' for field, value in fields.items()])
    return f'{{{text},"protocol":{PROTOCOL_VERSION}}}\n'.encode()


def _quoted(text: str) -> str:
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    import json  # noqa: PLC0415  not needed for plain names

    return json.dumps(text)


def _need_msgpack(bot: Bot) -> None:
    try:
        import msgpack  # noqa: F401, PLC0415  only for this encoding
    except ImportError:
        raise SystemExit(
            f"{type(bot).__name__}.encoding is 'msgpack', but the package msgpack is not"
            " installed; install it, or leave the encoding at 'json'"
        ) from None
