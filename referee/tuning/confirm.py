"""The confirmation of a tuning: a comparison of the tuned values with the start, on fresh seeds."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import Final

import msgspec

from referee.bots.find import Bot, with_values
from referee.bots.parameters import Values, join_settings, settings_of
from referee.tournament.compare import DEFAULT_SPRT, Comparison, Entrant
from referee.tournament.request import TournamentRequest
from referee.tuning.opening import OpenTuning, with_game

FOLDER: Final = "confirmation"  # in the folder of the tuning
TUNED, START = "tuned", "start"


def confirmation_of(
    tuning: OpenTuning, request: TournamentRequest, limits: tuple[float, float] = DEFAULT_SPRT
) -> Comparison | None:
    """Return the comparison of the present values with the start; None if they are the same.

    `limits` are those of the sequential test, in Elo. The comparison is in the folder of the tuning.
    """
    terms = tuning.terms
    new = _entrant(TUNED, tuning.bot, terms.word, tuning.state.values)
    old = _entrant(START, tuning.bot, terms.word, terms.start)
    if new.bot.content == old.bot.content:
        return None
    request = msgspec.structs.replace(
        with_game(request, terms), seed=terms.seed, format="gauntlet", hero=TUNED, sprt=limits
    )
    return Comparison(tuning.folder / FOLDER, new, old, request)


def secret_of(tuning: OpenTuning) -> str:
    """Return the secret of the confirmation: the same tuning plays the same games in it.

    No seed of a game follows from the seeds of the tuning.
    """
    return sha256(f"confirmation of {tuning.terms.seed}".encode()).hexdigest()


def _entrant(name: str, bot: Bot, word: str, values: Values) -> Entrant:
    found = replace(with_values(bot, values), name=name)
    return Entrant(join_settings(word, settings_of(found.values)), found)
