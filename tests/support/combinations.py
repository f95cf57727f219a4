"""All rulesets of the bundled boards: board x players x edition x options.

The table comes from the rulebook, not from the engine: the engine must refuse all others.
"""

from __future__ import annotations

import itertools
import os
from functools import cache
from itertools import product
from typing import NamedTuple

from referee import atlas
from referee.engine.board import Board
from referee.engine.ruleset import Ruleset, make_ruleset, parse_name

PLAYERS = {
    "hanse-4-5": (4, 5),
    "hanse-2-3": (2, 3),
    "east": (2, 3, 4, 5),
    "britannia-4-5": (4, 5),
    "britannia-2-3": (2, 3),
}
BOARDS = tuple(PLAYERS)
EDITIONS = ("bigbox", "original")
NEUTRAL = ("2009", "britannia")
OFF_ON = (False, True)
_PROMOS = "swap-marker,swap-marker,tribute,tribute,block,block"
_SIX = "additional-post,additional-post,exchange-posts,plus-3-actions,plus-4-actions,move-3"
_SIX_OTHERS = (
    "additional-post,additional-post,exchange-posts,develop-ability,plus-4-actions,plus-4-actions"
)
ALL_PROMOS = f"promo_markers={_SIX},{_PROMOS}"
# Rulesets with options that have a value; each value is in one of them. Chosen by trial, so that
# their random games have every kind of decision.
WITH_VALUES = (
    f"hanse-4-5:4:bigbox+favours+promos+{ALL_PROMOS}",
    f"east:3:bigbox+promos+promo_markers={_SIX_OTHERS},{_PROMOS}",
    f"britannia-2-3:3:bigbox+permits+promos+{ALL_PROMOS}+country_ties=next-lower",
    "britannia-2-3:2:original+neutral=britannia+country_ties=next-lower+permanent_markers=must",
    "britannia-4-5:4:original+permits+permanent_markers=must",
)
WITH_LEVY = "hanse-4-5:4:bigbox+favours"


class Options(NamedTuple):
    """The options of a ruleset, without its board."""

    players: int
    edition: str
    missions: bool
    favours: bool
    neutral: str | None
    permits: bool
    promos: bool


def every_way(players: tuple[int, ...] = (2, 3, 4, 5)) -> list[Options]:
    """Return all combinations of options, also those that no board allows."""
    ways = product(players, EDITIONS, OFF_ON, OFF_ON, (None, *NEUTRAL), OFF_ON, OFF_ON)
    return [Options(*way) for way in ways]


def is_allowed(board: str, options: Options) -> bool:
    """Return whether a board allows these options; two players always have a neutral colour."""
    hanse, britannia = board.startswith("hanse"), board.startswith("britannia")
    return (
        options.players in PLAYERS[board]
        and (hanse or not (options.missions or options.favours))
        and (britannia or not options.permits)
        and (options.edition == "bigbox" or not options.promos)
        and (options.players == 2 or options.neutral is None)
    )


def allowed(board: str) -> list[Options]:
    """Return the options that a board allows, each once: `neutral` is set for two players."""
    return [
        options
        for options in every_way(PLAYERS[board])
        if is_allowed(board, options) and (options.neutral is None) == (options.players > 2)
    ]


def combinations() -> list[str]:
    """Return the names of all rulesets of the bundled boards, and of some with further options."""
    plain = [ruleset(board, options).name for board in BOARDS for options in allowed(board)]
    return [*plain, *WITH_VALUES]


def representative() -> list[str]:
    """Return rulesets in which any two values of options that a board allows occur together.

    To these it adds the rulesets with further options, and one whose random game has a levy.

    With REFEREE_EVERY_DECISION=1 it returns all combinations.
    """
    if os.environ.get("REFEREE_EVERY_DECISION") == "1":
        return combinations()
    pairs = [ruleset(board, options).name for board in BOARDS for options in _pairwise(board)]
    return [*dict.fromkeys((*pairs, *WITH_VALUES, WITH_LEVY))]


@cache
def _pairwise(board: str) -> list[Options]:
    """Return few of a board's options that contain all pairs of values.

    Each step adds the options with the most new pairs, and of these the one with most switched on.
    """
    pairs = {options: _pairs(options) for options in allowed(board)}
    left = set().union(*pairs.values())
    chosen: list[Options] = []
    while left:
        chosen.append(max(pairs, key=lambda one: (len(pairs[one] & left), one.count(True))))
        left -= pairs[chosen[-1]]
    return chosen


def _pairs(options: Options) -> set[tuple[object, ...]]:
    return set(itertools.combinations(options._asdict().items(), 2))


@cache
def ruleset(board: str, options: Options, max_turns: int = 0) -> Ruleset:
    """Return the rules of a game; no test may change them."""
    box, place = atlas.load_components(), atlas.load_board(board)
    return make_ruleset(box, place, **options._asdict(), max_turns=max_turns)


def named(name: str) -> tuple[Board, Ruleset]:
    """Return the board and the ruleset of a ruleset's name."""
    options = parse_name(name)
    board = atlas.load_board(str(options.pop("board")))
    rules: Ruleset = make_ruleset(atlas.load_components(), board, **options)  # type: ignore[arg-type]
    return board, rules
