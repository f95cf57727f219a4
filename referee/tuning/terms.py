"""The terms of a tuning: everything that its values depend on, except the results of its games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from referee.bots.find import Bot
from referee.bots.parameters import Parameter, Value, find_parameter
from referee.errors import BotRefused
from referee.tournament.request import DEFAULT_SEATS, DEFINITION_KEYS, TournamentRequest

DEFAULT_ITERATIONS: Final = 80
DEFAULT_BLOCKS: Final = 5  # and one that measures the gain: 6 are shared evenly by 2 or 3 cores
DEFAULT_SEED: Final = 1  # fixed, so that the same command tunes in the same way again

# `tox -e tuning` shows what these do; tests/stress/tuning.py models the noise of blocks.
FIRST_REACH: Final = 0.2
LAST_REACH: Final = 0.1
STEP: Final = 0.5


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is tuned, from which values, and how; a tuning never changes its terms."""

    word: str  # of the bot, without a name and values
    game: TournamentRequest  # only what decides the games: rules, seats and clocks
    tuned: tuple[Parameter, ...]
    start: dict[str, Value]  # of every parameter of the bot, tuned or not
    seed: int = DEFAULT_SEED
    iterations: int = DEFAULT_ITERATIONS
    blocks: int = DEFAULT_BLOCKS  # of each iteration, between the two variants
    # How far the variants are from the middle, as a share of each parameter's range.
    first_reach: float = FIRST_REACH
    last_reach: float = LAST_REACH
    step: float = STEP  # the first step, if one variant beats the other in every game


def make_terms(
    bot: Bot,
    word: str,
    request: TournamentRequest,
    only: Sequence[str] = (),
    *,
    seed: int = DEFAULT_SEED,
    iterations: int = DEFAULT_ITERATIONS,
    blocks: int = DEFAULT_BLOCKS,
) -> Terms:
    """Return the terms for a bot that starts with its present values; `only` names what is tuned.

    BotRefused if the bot declares no parameters, or not these.
    """
    if not bot.parameters:
        raise BotRefused(
            f"bot {bot.name} declares no parameters, so there is nothing to tune: declare them in"
            " bot.toml as [parameters.NAME]"
        )
    names = {find_parameter(bot.parameters, name, bot.name).name for name in only}
    tuned = tuple(one for one in bot.parameters if not names or one.name in names)
    game = game_of(request)
    if game.seats is None:
        game = msgspec.structs.replace(game, seats=DEFAULT_SEATS)
    return Terms(word, game, tuned, dict(bot.all_values), seed, iterations, blocks)


def game_of(request: TournamentRequest) -> TournamentRequest:
    """Return the part of a request that decides the games."""
    return TournamentRequest(**{key: getattr(request, key) for key in DEFINITION_KEYS})
