"""A position from the messages that a seat received: the thin layer between `Game` and `engine.restore`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from referee.atlas import board_from_words, load_components
from referee.engine import game
from referee.engine.board import Board
from referee.engine.errors import ViewRefused
from referee.engine.restore import restore
from referee.engine.ruleset import Ruleset, make_ruleset

if TYPE_CHECKING:  # a bot starts faster without types that it does not need
    from protocol.incoming import DecideMessage, StartMessage
    from protocol.parts import Board as BoardWords
    from protocol.parts import Rules
    from protocol.words import AboutCodes, State, StateCodes
    from referee.engine.state import GameState

_MOST_KEPT: Final = 8


class StartedGame(NamedTuple):
    """A `start` message, with its board and rules as engine objects."""

    message: StartMessage
    board: Board
    rules: Ruleset


_kept: list[StartedGame] = []  # the latest ones


def read_start(message: StartMessage) -> StartedGame:
    """The board and the rules of a `start` message; the latest ones are kept.

    Raises RefereeError if it does not describe a game that this referee can play.
    """
    for started in _kept:
        if started.message is message:
            return started
    try:
        board = _read_board(message["board"])
        started = StartedGame(message, board, _read_rules(board, message["rules"]))
    except (KeyError, TypeError) as mistake:
        raise ViewRefused(f"this is not a valid message `start`: {mistake!r}") from mistake
    _kept.append(started)
    del _kept[:-_MOST_KEPT]
    return started


def _read_board(words: BoardWords) -> Board:
    """The board in words; to read one takes long, so it is the same object as in an earlier game."""
    for earlier, board, _ in _kept:
        if earlier["board"] == words:
            return board
    return board_from_words(words)


def _read_rules(board: Board, words: Rules) -> Ruleset:
    rules = make_ruleset(
        load_components(),
        board,
        words["players"],
        edition=words["edition"],
        missions=words["missions"],
        favours=words["favours"],
        neutral=words["neutral"],
        permits=words["permits"],
        promos=words["promos"],
        promo_markers=words["promo_markers"],
        country_ties=words["country_ties"],
        permanent_markers=words["permanent_markers"],
        max_turns=words["max_turns"],
    )
    if words["rules_version"] != rules.version:
        raise ViewRefused(
            f"this game has rules version {words['rules_version']}, and this referee plays"
            f" version {rules.version}"
        )
    return rules


def position_of(
    message: StartMessage, request: DecideMessage, seed: int, state: State | None = None
) -> GameState:
    """The position that a request asks about; what its seat cannot know is drawn from the seed.

    `state` replaces the state of the request, which has none if the bot asked for none.
    Raises ViewRefused if the request does not belong to the game of the `start` message.
    """
    started = read_start(message)
    try:
        asked = _in_words(message, request, state)
    except (KeyError, IndexError, TypeError, ValueError) as mistake:
        raise ViewRefused(f"this is not a valid message `decide`: {mistake!r}") from mistake
    position = restore(started.board, started.rules, message["seat"], asked, seed)
    offered, restored = len(request["choices"]), len(game.choices(position))
    if offered != restored:
        raise ViewRefused(
            f"request {request['id']} offers {offered} choices, but its state {restored}:"
            " pass the state of this request"
        )
    return position


def _in_words(
    message: StartMessage, request: DecideMessage, state: State | None
) -> Mapping[str, object]:
    """The request with a state, and without codes."""
    seen = request.get("state") if state is None else state
    if seen is None:
        raise ViewRefused(
            f"request {request['id']} has no state: pass `state`, which `protocol.Table` keeps"
        )
    about = request.get("about")
    if not isinstance(request["choices"][0], dict):
        from protocol.codes import Codes  # noqa: PLC0415  only for bots with the detail `codes`

        codes = Codes(message)
        if about is not None:
            about = codes.about(request["decision"], cast("AboutCodes", about))
        if "now" in seen:
            seen = codes.state(cast("StateCodes", seen))
    return {**request, "state": seen, "about": about}
