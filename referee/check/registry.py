"""The table of all checks: the name of each, what it checks, and how to fix what it finds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from referee import atlas
from referee.check import checks_output, checks_play, checks_robustness
from referee.check.conversation import EXIT_MS, Subject
from referee.check.verdict import Verdict

HANDSHAKE: Final = ("handshake",)
PLAYS: Final = ("handshake", "answer")
PLAYS_ON: Final = (*PLAYS, "games")


@dataclass(frozen=True)
class Check:
    """One check; it is skipped if one of the checks it needs has failed."""

    name: str
    claim: str
    run: Callable[[Subject], Verdict]
    needs: tuple[str, ...] = ()
    remedy: str | None = None  # how to fix what it finds; None: as for the fault
    is_unusual: bool = False  # whether it does what does not happen in every game


_UNKNOWN_FIELD = (
    "Ignore fields that you do not know: read the ones that you need by name, and do not reject"
    " the rest. Later versions of the referee may add fields."
)
_UNKNOWN_MESSAGE = (
    "Look at the type of each message, and ignore those that you do not know: no answer, no error."
)
_LARGE = (
    "Read until the newline, or until the MessagePack map is complete, however long it is: no fixed"
    " buffer, and no limit of your reader (asyncio's readline stops at 64 KiB by default)."
)
_PIECES = (
    "A read may return a part of a message, or more than one. Keep what is left over, and continue"
    " when the newline, or the end of the MessagePack map, has arrived."
)
_ERROR = (
    "Do not answer an error: note it and wait for the next message. The referee has chosen in your"
    " place; take what happened from events or state, not from your own choice."
)
_NO_CLOCK = (
    "Every limit in clock, and clock_ms, may be null: then there is no limit. Set one of your own."
)
_GAMES = (
    "After end the same process gets the next start: forget the old game then (ids begin at 1 again,"
    " the board and your seat may differ), and do not exit."
)
_END_OF_INPUT = (
    f"Exit within {EXIT_MS} ms when reading gives the end of the file, also in the middle of a game;"
    " end threads and child processes."
)
_QUIT = f"Exit within {EXIT_MS} ms when a quit comes; end threads and child processes."
_STDOUT = (
    "Print to stderr, not to standard output, also from libraries (the Python SDK does this for you);"
    " and answer each request once."
)
_START_TIME = (
    "Send hello first, and load what is large (tables, networks) afterwards: start has its own time"
    " limit. Or play with a larger --start-ms."
)
_ANSWER_TIME = "Look at clock_ms of the request, and answer before it has passed. Or play with a larger --move-ms."
_DECISION = (
    "Any index of choices is a legal answer: look up the kind of decision, and answer any index"
    " where you do not know it. Between two requests the referee may have played your seat."
)

_PARAMETERS = (
    "Read the arguments --set NAME=VALUE, one for each parameter, and play with every value from low to"
    " high. Or narrow the range in bot.toml."
)

CHECKS: Final[tuple[Check, ...]] = (
    Check("handshake", "says hello and is ready for a game", checks_play.handshake),
    Check(
        "answer",
        "answers decisions in the format that its hello asks for",
        checks_play.answer,
        HANDSHAKE,
    ),
    Check("game", "plays a whole game", checks_play.whole_game, PLAYS),
    Check("encodings", "knows every encoding that it asks for", checks_play.encodings, PLAYS),
    Check("games", "plays several games in one process", checks_play.several_games, PLAYS, _GAMES),
    Check("seats", "plays with two to five seats", checks_play.every_seat_count, PLAYS_ON),
    Check(
        "parameters",
        "plays with the extreme values of its parameters",
        checks_play.every_parameter,
        PLAYS,
        _PARAMETERS,
    ),
    *[
        Check(
            f"decisions-{board}",
            f"answers every kind of decision on {board}",
            partial(checks_play.every_decision, board=board),
            PLAYS_ON,
            _DECISION,
        )
        for board in atlas.board_names()
    ],
    Check(
        "unknown-fields",
        "ignores fields that it does not know",
        checks_robustness.unknown_fields,
        PLAYS,
        _UNKNOWN_FIELD,
        is_unusual=True,
    ),
    Check(
        "unknown-messages",
        "ignores messages that it does not know",
        checks_robustness.unknown_messages,
        PLAYS,
        _UNKNOWN_MESSAGE,
        is_unusual=True,
    ),
    Check(
        "large-messages",
        "reads large messages",
        checks_robustness.large_messages,
        PLAYS,
        _LARGE,
        is_unusual=True,
    ),
    Check(
        "pieces",
        "reads messages in pieces, and two at once",
        checks_robustness.in_pieces,
        PLAYS_ON,
        _PIECES,
        is_unusual=True,
    ),
    Check(
        "errors",
        "continues after an error",
        checks_robustness.errors,
        PLAYS,
        _ERROR,
        is_unusual=True,
    ),
    Check(
        "no-clock",
        "plays without a clock",
        checks_robustness.no_clock,
        PLAYS,
        _NO_CLOCK,
        is_unusual=True,
    ),
    Check(
        "end-of-input",
        "exits when its input ends",
        checks_robustness.end_of_input,
        PLAYS,
        _END_OF_INPUT,
    ),
    Check("quit", "exits at a quit message", checks_robustness.quits, PLAYS, _QUIT),
    Check("repeatable", "makes the same choices in the same game", checks_play.repeatable, PLAYS),
    Check("stdout", "writes only messages to stdout", checks_output.only_messages, PLAYS, _STDOUT),
    Check("stderr", "does not flood stderr", checks_output.quiet_stderr, PLAYS),
    Check("start-time", "says hello in time", checks_output.start_time, HANDSHAKE, _START_TIME),
    Check("answer-time", "answers in time", checks_output.answer_time, PLAYS, _ANSWER_TIME),
)
NAMES: Final = tuple(check.name for check in CHECKS)
