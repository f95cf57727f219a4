"""A finished game as one object, and in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypedDict, cast

from referee import __version__
from referee.engine import view
from referee.engine.board import Board
from referee.engine.ruleset import Ruleset
from referee.engine.terms import END_REASONS
from referee.match.runner import Noted, Outcome

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


class FaultWords(TypedDict):
    """What a bot did wrong, where, and what it cost."""

    seat: int
    name: str
    id: int | None  # of the decision; null before the first
    fault: str
    message: str
    strikes: int
    allowed: int
    disqualified: bool
    stderr: str | None


class PlayerWords(TypedDict):
    """Who sat where, and the CPU time that it used while others were asked."""

    seat: int
    name: str
    version: str | None
    hash: str
    pondered_ms: float | None


class Result(TypedDict):
    """A finished game; `reason` is null, and the standings are those of the moment, if it was stopped."""

    referee: str
    ruleset: str
    rules: dict[str, object]
    board_title: str
    board_digest: str
    seed: int
    game: str
    players: list[PlayerWords]
    reason: str | None
    turns: int
    decisions: int
    digest: str
    countries: list[str]
    missions: list[list[str] | None]
    faults: list[FaultWords]
    standings: list[StandingWords]


def report(
    outcome: Outcome, players: Sequence[PlayerWords], faults: Sequence[FaultWords]
) -> Result:
    """All there is to say about a game that has been played."""
    state = outcome.state
    board, rules = state.board, state.rules
    return {
        "referee": __version__,
        "ruleset": rules.name,
        "rules": rules.to_dict(),
        "board_title": board.title,
        "board_digest": board.digest,
        "seed": outcome.seed,
        "game": outcome.game,
        "players": list(players),
        "reason": END_REASONS[state.over] or None,
        "turns": state.turn,
        "decisions": state.decision_id - 1,
        "digest": state.digest(),
        "countries": [
            name for name, country in board.words["countries"].items() if country["prestige"]
        ],
        "missions": [view.mission_words(state, seat) for seat in range(rules.players)],
        "faults": list(faults),
        "standings": cast("list[StandingWords]", outcome.standings),
    }


def fault_words(noted: Noted, name: str, allowed: int, stderr: str | None) -> FaultWords:
    """A fault for programs."""
    return {
        "seat": noted.seat,
        "name": name,
        "id": noted.decision_id,
        "fault": noted.fault.fault,
        "message": noted.fault.message,
        "strikes": noted.strikes,
        "allowed": allowed,
        "disqualified": noted.disqualified,
        "stderr": stderr,
    }


def fault_sentence(fault: FaultWords) -> str:
    """What a bot did wrong and what became of it, without its name."""
    where = "" if fault["id"] is None else f", decision {fault['id']}"
    said = f"{fault['message']} ({fault['fault']}{where})"
    if fault["disqualified"]:
        return f"{said}: disqualified"
    of = f" of {fault['allowed']}" if fault["allowed"] else ""
    return f"{said}: strike {fault['strikes']}{of}, the referee chose in its place"


def occasion(board: Board, rules: Ruleset) -> str:
    """What is played: the board, the players and the options."""
    words: Mapping[str, object] = rules.to_dict()
    options = [name for name in ("missions", "favours", "permits", "promos") if words[name]]
    neutral = [f"neutral {rules.neutral}"] if rules.neutral else []
    players = f"{rules.players} players"
    return " · ".join([board.title, players, rules.edition, *options, *neutral])


def ending(result: Result) -> str:
    """Why and when it was over."""
    counts = f"{result['turns']} turns, {result['decisions']} decisions"
    if result["reason"] is None:
        return f"The game was stopped at a fault ({counts}); the table is that of the moment."
    return f"The game ended because {_ENDINGS[result['reason']]} ({counts})."


def one_line(result: Result) -> str:
    """The ranking, in one line."""
    ranked = sorted(result["standings"], key=lambda standing: standing["rank"])
    places = [f"{place['rank']}. {place['name']} {place['total']}{_out(place)}" for place in ranked]
    return f"{', '.join(places)} (seed {result['seed']})"


def _out(place: StandingWords) -> str:
    return f" [{place['disqualified']}]" if place["disqualified"] else ""
