"""A finished game as one object, and in sentences."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

from referee.adjudication.standings import Outcome, SeatResult
from referee.engine import view
from referee.engine.board import Board
from referee.engine.ruleset import Ruleset
from referee.engine.state import GameState
from referee.engine.terms import END_REASONS
from referee.text import plural
from referee.version import __version__

_REASONS: Final = {
    "prestige": "prestige reached the end of the track",
    "markers": "there was no bonus marker left to draw",
    "cities": "enough cities were completed",
    "max-turns": "the turn limit was reached",
    "abandoned": "nobody was left to play",
}


@dataclass(frozen=True)
class PlayerSummary:
    """The player of a seat, and the CPU time that it used while others decided."""

    seat: int
    name: str
    version: str | None
    hash: str
    pondered_ms: float | None  # None if it was not measured


@dataclass(frozen=True)
class GameSummary:
    """A finished game, or one that was stopped: that has no reason, and the standings at that moment."""

    outcome: Outcome
    players: list[PlayerSummary]
    missions: list[list[str] | None]  # by seat: the cities of the card, None if it is not shown

    @property
    def state(self) -> GameState:
        """The position at the end of the game."""
        return self.outcome.state

    @property
    def standings(self) -> list[SeatResult]:
        return self.outcome.standings

    @property
    def reason(self) -> str | None:
        """Why the game ended; None if it was stopped."""
        return END_REASONS[self.state.over] or None

    def to_dict(self) -> dict[str, object]:
        """The game as `--json` prints it."""
        outcome, state = self.outcome, self.state
        return {
            "referee": __version__,
            "ruleset": state.rules.name,
            "rules": state.rules.to_dict(),
            "board_title": state.board.title,
            "board_digest": state.board.digest,
            "seed": outcome.seed,
            "game": outcome.game,
            "players": [asdict(player) for player in self.players],
            "reason": self.reason,
            "turns": state.turn,
            "decisions": state.decision_id - 1,
            "digest": state.digest(),
            "countries": state.board.scoring_countries,
            "missions": self.missions,
            "faults": [fault.to_dict() for fault in outcome.faults],
            "standings": [standing.to_dict() for standing in self.standings],
        }


def missions_of(state: GameState) -> list[list[str] | None]:
    """The mission card of every seat; None in a game without missions."""
    return [view.mission_words(state, seat) for seat in range(state.rules.players)]


def game_title(board: Board, rules: Ruleset) -> str:
    """What is played, in one line: the board, the number of players, the edition and the options."""
    options = [name for name, value in rules.to_dict().items() if value is True]
    neutral = [f"neutral {rules.neutral}"] if rules.neutral else []
    players = f"{rules.players} players"
    return " · ".join([board.title, players, rules.edition, *options, *neutral])


def describe_ending(state: GameState) -> str:
    """Why the game ended, and after how many turns and decisions."""
    counts = f"{plural(state.turn, 'turn')}, {plural(state.decision_id - 1, 'decision')}"
    reason = END_REASONS[state.over]
    if not reason:
        return f"The game was stopped at a fault ({counts}); the table shows the scores at that moment."
    return f"The game ended because {_REASONS[reason]} ({counts})."


def describe_outcome(outcome: Outcome) -> str:
    """All seats by rank with their prestige, and the seed, in one line."""
    ranked = sorted(outcome.standings, key=lambda standing: standing.rank)
    results = [f"{seat.rank}. {seat.name} {seat.total}{_out(seat)}" for seat in ranked]
    return f"{', '.join(results)} (seed {outcome.seed})"


def _out(standing: SeatResult) -> str:
    return f" [{standing.disqualified}]" if standing.disqualified else ""
