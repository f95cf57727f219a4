"""The table of all checks: their names, what each claims, and how to mend what it finds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from referee import atlas
from referee.check import checks_output, checks_play, checks_robustness
from referee.check.conversation import LEAVE_MS, Subject
from referee.check.verdict import Verdict

SHAKEN: Final = ("handshake",)
PLAYS: Final = ("handshake", "answer")
PLAYS_ON: Final = (*PLAYS, "games")


@dataclass(frozen=True)
class Check:
    """One check; it is skipped if one that it needs has failed."""

    name: str
    claim: str
    find: Callable[[Subject], Verdict]
    needs: tuple[str, ...] = ()
    mend: str | None = None  # else what helps against the fault


_UNKNOWN_FIELD = (
    "Ignore fields that you do not know: read the ones that you need by name, and do not refuse"
    " the rest. Later versions of the referee may add fields."
)
_UNKNOWN_MESSAGE = (
    "Look at the type of each message, and ignore one that you do not know: no answer, no error."
)
_LARGE = (
    "Read until the newline, or until the MessagePack map is complete, however long it is: no fixed"
    " buffer, and no limit of your reader (asyncio's readline stops at 64 KiB unless told)."
)
_PIECES = (
    "A read may give a part of a message, or more than one. Keep what is left over, and go on when"
    " the newline, or the end of the MessagePack map, has come."
)
_ERROR = (
    "An error is only told: note it and wait for the next message, no answer. The referee has chosen"
    " in your place; take what happened from events or state, not from your own choice."
)
_NO_CLOCK = (
    "Every limit in clock, and clock_ms, may be null: then there is none. Take a limit of your own."
)
_GAMES = (
    "After end the same process gets the next start: forget the old game then (ids begin at 1 again,"
    " the board and your seat may differ), and do not exit."
)
_END_OF_INPUT = (
    f"Exit within {LEAVE_MS} ms when reading gives the end of the file, also in mid-game;"
    " end threads and child processes."
)
_QUIT = f"Exit within {LEAVE_MS} ms when a quit comes; end threads and child processes."
_STDOUT = (
    "Print to stderr, not to standard output, also from libraries (in Python the SDK sees to it);"
    " and answer each request once."
)
_START_TIME = (
    "Say hello first, and load what is large (tables, networks) afterwards: start has a limit of its"
    " own. Or play with a larger --start-ms."
)
_ANSWER_TIME = "Look at clock_ms of the request, and answer before it has passed. Or play with a larger --move-ms."
_DECISION = (
    "Any index of choices is a legal answer: look up the kind of decision, and fall back on an index"
    " where you do not know it. Between two requests the referee may have played your seat."
)

CHECKS: Final[tuple[Check, ...]] = (
    Check("handshake", "says hello and is ready for a game", checks_play.handshake),
    Check(
        "answer", "answers decisions as its hello asks to be spoken to", checks_play.answer, SHAKEN
    ),
    Check("game", "plays a whole game", checks_play.whole_game, PLAYS),
    Check("encodings", "speaks every encoding that it asks for", checks_play.encodings, PLAYS),
    Check("games", "plays several games in one process", checks_play.several_games, PLAYS, _GAMES),
    Check("seats", "plays with two to five seats", checks_play.every_seat_count, PLAYS_ON),
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
    ),
    Check(
        "unknown-messages",
        "ignores messages that it does not know",
        checks_robustness.unknown_messages,
        PLAYS,
        _UNKNOWN_MESSAGE,
    ),
    Check(
        "large-messages", "reads large messages", checks_robustness.large_messages, PLAYS, _LARGE
    ),
    Check(
        "pieces",
        "reads messages in pieces, and two at once",
        checks_robustness.in_pieces,
        PLAYS_ON,
        _PIECES,
    ),
    Check("errors", "goes on after an error", checks_robustness.errors, PLAYS, _ERROR),
    Check("no-clock", "plays without a clock", checks_robustness.no_clock, PLAYS, _NO_CLOCK),
    Check(
        "end-of-input",
        "leaves when its input ends",
        checks_robustness.end_of_input,
        PLAYS,
        _END_OF_INPUT,
    ),
    Check("quit", "leaves when it is told to", checks_robustness.quits, PLAYS, _QUIT),
    Check("repeatable", "plays the same game the same way again", checks_play.repeatable, PLAYS),
    Check("stdout", "writes only messages to stdout", checks_output.only_messages, PLAYS, _STDOUT),
    Check("stderr", "does not flood stderr", checks_output.quiet_stderr, PLAYS),
    Check("start-time", "says hello in time", checks_output.start_time, SHAKEN, _START_TIME),
    Check("answer-time", "answers in time", checks_output.answer_time, PLAYS, _ANSWER_TIME),
)
NAMES: Final = tuple(check.name for check in CHECKS)
