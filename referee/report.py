"""A finished game as one object, and in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypedDict, cast

from referee import __version__
from referee.engine import game, view
from referee.engine.terms import END_REASONS
from referee.random_play import Played

PARTS: Final = ("track", "abilities", "markers", "special", "cities", "network", "missions")

_ENDINGS: Final = {
    "prestige": "prestige reached the end of the track",
    "markers": "there was no bonus marker left to draw",
    "cities": "enough cities were completed",
    "max-turns": "the limit of turns was reached",
    "abandoned": "nobody was left to play",
}


class StandingWords(TypedDict):
    """One seat's place and every part of its total."""

    seat: int
    name: str
    rank: int
    total: int
    track: int
    abilities: int
    markers: int
    special: int
    cities: int
    network: int
    missions: int
    countries: dict[str, int]
    disqualified: str | None


class Result(TypedDict):
    """A finished game."""

    referee: str
    ruleset: str
    rules: dict[str, object]
    board_title: str
    board_digest: str
    seed: int
    reason: str
    turns: int
    decisions: int
    open_decisions: int
    digest: str
    countries: list[str]
    missions: list[list[str] | None]
    standings: list[StandingWords]


def report(played: Played, names: Sequence[str]) -> Result:
    """All there is to say about a finished game."""
    state = played.state
    board = state.board
    return {
        "referee": __version__,
        "ruleset": played.ruleset.name,
        "rules": played.ruleset.words(),
        "board_title": board.title,
        "board_digest": board.digest,
        "seed": played.seed,
        "reason": END_REASONS[state.over],
        "turns": state.turn,
        "decisions": len(played.tally.indices),
        "open_decisions": played.tally.open_decisions,
        "digest": state.digest(),
        "countries": [
            name for name, country in board.words["countries"].items() if country["prestige"]
        ],
        "missions": [view.mission_words(state, seat) for seat in range(len(names))],
        "standings": [
            _standing(names[place.seat], view.standing_words(state, place))
            for place in game.standings(state)
        ],
    }


def _standing(name: str, words: Mapping[str, object]) -> StandingWords:
    said = {"seat": words["seat"], "name": name, **words, "disqualified": None}
    return cast("StandingWords", said)


def occasion(result: Result) -> str:
    """What was played: the board, the players and the options."""
    rules = result["rules"]
    options = [name for name in ("missions", "favours", "permits", "promos") if rules[name]]
    neutral = [f"neutral {rules['neutral']}"] if rules["neutral"] else []
    players = f"{rules['players']} players"
    return " · ".join([result["board_title"], players, str(rules["edition"]), *options, *neutral])


def ending(result: Result) -> str:
    """Why and when it was over."""
    why = _ENDINGS[result["reason"]]
    counts = f"{result['turns']} turns, {result['decisions']} decisions"
    return f"The game ended because {why} ({counts}, {result['open_decisions']} with a choice)."


def one_line(result: Result) -> str:
    """The ranking, in one line."""
    ranked = sorted(result["standings"], key=lambda standing: standing["rank"])
    places = [f"{place['rank']}. {place['name']} {place['total']}" for place in ranked]
    return f"{', '.join(places)} (seed {result['seed']})"
