"""Everything that a bot author needs: the messages, and a base class for bots in Python.

    from protocol import Bot, run

A bot needs only the standard library. The names below are imported on first use, so that a bot can
send its hello before anything large is imported.
"""

# History: 1 the first version.
PROTOCOL_VERSION = 1

_MODULES = {
    "Bot": "bot",
    "run": "bot",
    "settings": "bot",
    "FunctionBot": "function",
    "Choice": "request",
    "Game": "request",
    "Request": "request",
    "Result": "request",
    "Codes": "codes",
    "Table": "fold",
    "Overflow": "codec",
    "Splitter": "codec",
    "WireError": "codec",
    "decode": "codec",
    "decode_reply": "codec",
    "encode": "codec",
    "Answer": "answers",
    "Function": "answers",
    "Code": "words",
    "State": "words",
    "View": "words",
    "Event": "events",
}

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .answers import Answer, Function
    from .bot import Bot, run, settings
    from .codec import Overflow, Splitter, WireError, decode, decode_reply, encode
    from .codes import Codes
    from .events import Event
    from .fold import Table
    from .function import FunctionBot
    from .request import Choice, Game, Request, Result
    from .words import Code, State, View

__all__ = [
    "PROTOCOL_VERSION",
    "Answer",
    "Bot",
    "Choice",
    "Code",
    "Codes",
    "Event",
    "Function",
    "FunctionBot",
    "Game",
    "Overflow",
    "Request",
    "Result",
    "Splitter",
    "State",
    "Table",
    "View",
    "WireError",
    "decode",
    "decode_reply",
    "encode",
    "run",
    "settings",
]


def __getattr__(name: str) -> object:
    """Import a public name from its module on first use."""
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(__import__(f"{__name__}.{module}", fromlist=[name]), name)
    globals()[name] = found
    return found
