"""What an analysis says in the end: about a game in one sentence, about a bot in tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from referee.analysis.lines import GameAnalysis, TurnAnalysis
from referee.text import shell_word, visible

if TYPE_CHECKING:  # a page that shows an analysis need not load what makes one
    from referee.analysis.run import RecordResult

DECIDED: Final = 0.5  # the chance to come first above which a seat must stay
MOST_WORST: Final = 10


# -- one game


def describe_game(game: GameAnalysis) -> str:
    """When and how the game was decided, in one sentence; "" if no turn is analysed."""
    if not game.turns:
        return ""
    if not game.winners:
        return _describe_last(game)
    if len(game.winners) > 1:
        return f"{_and([_name(game, seat) for seat in game.winners])} share the victory."
    if not game.is_complete:
        return f"{_name(game, game.winners[0])} won."
    return _describe_decision(game, game.winners[0])


def _describe_last(game: GameAnalysis) -> str:
    last = game.turns[-1]
    best = max(range(game.seats), key=last.chances_after.__getitem__)
    chance = _percent(last.chances_after[best])
    return (
        f"After turn {last.turn}, {_name(game, best)} has the best chance to come first, {chance}."
    )


def _describe_decision(game: GameAnalysis, winner: int) -> str:
    name, turn = _name(game, winner), deciding_turn(game, winner)
    if turn is None:
        return f"{name} was ahead from the first turn to the last."
    after = _chance_after(game, game.turns.index(turn), winner)
    chances = f"from {_percent(turn.chances[winner])} to {_percent(after)}"
    rose = f"its chance to come first rose {chances}"
    if turn.seat != winner:
        rose = f"the chance of {name} to come first rose {chances}"
    did = f"{_name(game, turn.seat)} {turn.played}"
    return f"Decided in turn {turn.turn}, when {did}: {rose} and stayed above {_percent(DECIDED)}."


def deciding_turn(game: GameAnalysis, winner: int) -> TurnAnalysis | None:
    """The last turn in which the winner's chance rose above one half and stayed there.

    None if it was above from the beginning. All turns must be analysed.
    """
    for at in reversed(range(len(game.turns))):
        if game.turns[at].chances[winner] <= DECIDED:
            return game.turns[at]
    return None


def _chance_after(game: GameAnalysis, at: int, seat: int) -> float:
    """The chance of a seat after a turn: as the next seat to play sees it, if there is one."""
    if at + 1 < len(game.turns):
        return game.turns[at + 1].chances[seat]
    return game.turns[at].chances_after[seat]


def _name(game: GameAnalysis, seat: int) -> str:
    return visible(game.names[seat])


def _and(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


# -- many games of one bot


@dataclass(frozen=True)
class Losses:
    """The turns of one kind: how many there are, and what they lose."""

    name: str
    turns: int
    mean_loss: float
    mistakes: int


@dataclass(frozen=True)
class Moment:
    """A turn that lost much, and the command that shows it."""

    record: str
    turn: TurnAnalysis
    command: str


@dataclass(frozen=True)
class BotSummary:
    """Where a bot loses its chances, over all analysed turns."""

    games: int
    all: Losses
    kinds: list[Losses]
    phases: list[Losses]
    boards: list[Losses]
    worst: list[Moment]


def summarise(results: Iterable[RecordResult]) -> BotSummary:
    """The summary of all analysed turns of these records, which are not kept."""
    games, every = 0, _Group()
    kinds, phases, boards = (defaultdict[str, _Group](_Group) for _ in range(3))
    worst: list[Moment] = []
    for result in results:
        game = result.analysis
        if game is None or not game.turns:
            continue
        games += 1
        for turn in game.turns:
            for group in (every, kinds[turn.kind], phases[turn.phase], boards[game.board]):
                group.add(turn)
        worst = _worst([*worst, *_moments(result.record, game)])
    every_loss = every.losses("all")
    return BotSummary(games, every_loss, _sorted(kinds), _sorted(phases), _sorted(boards), worst)


class _Group:
    """Turns that are counted together."""

    def __init__(self) -> None:
        self.turns, self.lost, self.mistakes = 0, 0.0, 0

    def add(self, turn: TurnAnalysis) -> None:
        """Count one more turn, with its loss."""
        self.turns, self.lost = self.turns + 1, self.lost + turn.loss
        self.mistakes += turn.is_mistake

    def losses(self, name: str) -> Losses:
        """The counts, with the mean loss."""
        return Losses(name, self.turns, round(self.lost / max(1, self.turns), 4), self.mistakes)


def _moments(record: str, game: GameAnalysis) -> list[Moment]:
    return [Moment(record, turn, show(record, turn)) for turn in game.turns if turn.loss > 0]


def _worst(moments: list[Moment]) -> list[Moment]:
    return sorted(moments, key=lambda one: (-one.turn.loss, one.record, one.turn.turn))[:MOST_WORST]


def _sorted(groups: Mapping[str, _Group]) -> list[Losses]:
    """The groups, that which loses most in all first."""
    found = [group.losses(name) for name, group in groups.items()]
    return sorted(found, key=lambda one: (-one.turns * one.mean_loss, one.name))


def show(record: str, turn: TurnAnalysis) -> str:
    """The command that shows a turn."""
    return f"referee replay {shell_word(Path(record))} --turn {turn.turn}"
