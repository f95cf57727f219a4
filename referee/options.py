"""The options of a game with their defaults, and the board and rules that they stand for.

An option is named in three forms here, and nowhere else but in the ruleset and on the command line:
as a value with its default, as a keyword of the Python API, and as "given or not".
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias, TypedDict, Unpack, cast

import msgspec

from referee import atlas
from referee.engine.board import Board
from referee.engine.ruleset import Ruleset, make_ruleset
from referee.text import did_you_mean

LARGE_BOARD: Final = "hanse-4-5"
SMALL_BOARD: Final = "hanse-2-3"

Edition: TypeAlias = Literal["bigbox", "original"]
Neutral: TypeAlias = Literal["2009", "britannia"]
CountryTies: TypeAlias = Literal["shared", "next-lower"]
PermanentMarkers: TypeAlias = Literal["may", "must"]


class GameOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of a game apart from the number of players; the names are those of the command line."""

    board: str | None = None  # a bundled board or a map file; None is the default for the players
    edition: str = "bigbox"
    missions: bool = False
    favours: bool = False
    neutral: str | None = None  # with two players
    permits: bool = False
    promos: bool = False
    promo_markers: tuple[str, ...] | None = None  # the markers of the supply, with promos
    country_ties: str | None = None  # on boards whose countries give prestige
    permanent_markers: str | None = None  # on boards with countries, in edition original
    max_turns: Annotated[int, msgspec.Meta(ge=0)] = 1000  # 0 is no limit

    def rule_options(self) -> dict[str, str | int | tuple[str, ...] | None]:
        """All options but the board, as `make_ruleset` takes them."""
        names = [name for name in GameOptions.__struct_fields__ if name != "board"]
        return {name: getattr(self, name) for name in names}

    def load_board(self, players: int) -> Board:
        """The board for this number of players; MapRefused says what is wrong with a map file."""
        return atlas.load_board(self.board or default_board(players))

    def ruleset(self, board: Board, players: int) -> Ruleset:
        """The rules on this board; RulesRefused says which option is not possible, and why."""
        return make_ruleset(
            atlas.load_components(),
            board,
            players,
            edition=self.edition,
            missions=self.missions,
            favours=self.favours,
            neutral=self.neutral,
            permits=self.permits,
            promos=self.promos,
            promo_markers=self.promo_markers,
            country_ties=self.country_ties,
            permanent_markers=self.permanent_markers,
            max_turns=self.max_turns,
        )


DEFAULTS: Final = GameOptions()


class GameKeywords(TypedDict, total=False):
    """The options as keyword arguments of the Python API."""

    board: str | Path | None
    edition: Edition
    missions: bool
    favours: bool
    neutral: Neutral | None
    permits: bool
    promos: bool
    promo_markers: Sequence[str] | None
    country_ties: CountryTies | None
    permanent_markers: PermanentMarkers | None
    max_turns: int


class GivenOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options that a command line or a file sets; None means "not given"."""

    board: str | None = None
    edition: Edition | None = None
    missions: bool | None = None
    favours: bool | None = None
    neutral: Neutral | None = None
    permits: bool | None = None
    promos: bool | None = None
    promo_markers: tuple[str, ...] | None = None
    country_ties: CountryTies | None = None
    permanent_markers: PermanentMarkers | None = None
    max_turns: int | None = None

    def given(self) -> dict[str, Any]:
        """The options that are set, by name."""
        values = {name: getattr(self, name) for name in GameOptions.__struct_fields__}
        return {name: value for name, value in values.items() if value is not None}

    def options(self, default: GameOptions = DEFAULTS) -> GameOptions:
        """The options of a game; what was not given is taken from `default`."""
        return msgspec.structs.replace(default, **self.given())


class LoadedGame(NamedTuple):
    """A board and the rules of a game on it."""

    board: Board
    rules: Ruleset


def default_board(players: int) -> str:
    """The name of the board that is played on unless another one is given."""
    return LARGE_BOARD if players > 3 else SMALL_BOARD


def load_game(options: GameOptions, players: int) -> LoadedGame:
    """The board and the rules; MapRefused or RulesRefused if there is no such game."""
    board = options.load_board(players)
    return LoadedGame(board, options.ruleset(board, players))


def options_from(keywords: GameKeywords) -> GameOptions:
    """The options that keyword arguments stand for; TypeError for an unknown keyword."""
    known = GameOptions.__struct_fields__
    for name in keywords:
        if name not in known:
            hint = did_you_mean(name, known) or f"the options are {', '.join(known)}"
            raise TypeError(f"{name!r} is not an option of a game: {hint}")
    given = cast("dict[str, Any]", {**keywords})
    if given.get("board") is not None:
        given["board"] = os.fspath(given["board"])
    if given.get("promo_markers") is not None:
        given["promo_markers"] = tuple(given["promo_markers"])
    return GameOptions(**given)


def lay(players: int, **options: Unpack[GameKeywords]) -> LoadedGame:
    """Deprecated: use `load_game(GameOptions(...), players)`."""
    warnings.warn(
        "lay() is deprecated; use load_game(GameOptions(...), players)",
        DeprecationWarning,
        stacklevel=2,
    )
    return load_game(options_from(options), players)
