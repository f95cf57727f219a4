"""The options of a game as keywords of Python: a board and its rules, laid out."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple, TypedDict, Unpack

from referee import atlas
from referee.engine.board import Board
from referee.engine.ruleset import Ruleset, make_ruleset
from referee.text import did_you_mean
from referee.usual import EDITION, MAX_TURNS, usual_board


class GameOptions(TypedDict, total=False):
    """What can be said of a game; the names are those of the command line."""

    board: str | Path | None  # a bundled board or a map file; None is the usual one
    edition: Literal["bigbox", "original"]
    missions: bool
    favours: bool
    neutral: Literal["2009", "britannia"] | None  # with two players
    permits: bool
    promos: bool
    max_turns: int  # 0 is no limit


class Laid(NamedTuple):
    """A board and its rules."""

    board: Board
    rules: Ruleset


def lay(players: int, **options: Unpack[GameOptions]) -> Laid:
    """The board and the rules for so many; what is not said is as usual."""
    _check_names(options)
    said = {key: value for key, value in options.items() if key != "board"}
    board = atlas.load_board(options.get("board") or usual_board(players))
    usual = {"edition": EDITION, "max_turns": MAX_TURNS}
    rules = make_ruleset(atlas.load_components(), board, players, **{**usual, **said})  # type: ignore[arg-type]
    return Laid(board, rules)


def _check_names(options: GameOptions) -> None:
    """An unknown keyword is refused as Python refuses one, with the name that it may be meant for."""
    known = GameOptions.__annotations__
    for name in options:
        if name not in known:
            hint = did_you_mean(name, known) or f"there are {', '.join(known)}"
            raise TypeError(f"{name!r} is no option of a game: {hint}")
