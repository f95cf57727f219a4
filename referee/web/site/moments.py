"""The worst moments of each bot, from the analyses beside the records of a tournament."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from referee.analysis.cache import read_analysis
from referee.analysis.lines import TurnAnalysis
from referee.tournament.store.games import StoredGame
from referee.web.site.html import Child, Html, percent, sortable, tag
from referee.web.site.paths import Links
from referee.web.site.snapshot import Snapshot

MOST_MOMENTS: Final = 10
ABOUT: Final = (
    "The turns that lost most, in the games that were analysed: how much higher the chance to come"
    " first would be after the best other turn that was found. The page of the game shows it."
)


class Moment(NamedTuple):
    """A mistake of a bot, and the game that it was made in."""

    game: tuple[str, int]  # the key of the game
    turn: TurnAnalysis


Moments: TypeAlias = Mapping[str, Sequence[Moment]]  # by bot, the worst one first


def worst_moments(snapshot: Snapshot, keys: Collection[tuple[str, int]]) -> Moments:
    """The worst mistakes of each bot, in those of these games that are analysed."""
    found: dict[str, list[Moment]] = defaultdict(list)
    for game in snapshot.games:
        if game.key in keys:
            for turn in _mistakes(snapshot, game):
                found[game.seats[turn.seat].bot].append(Moment(game.key, turn))
    return {bot: _worst(moments) for bot, moments in found.items()}


def _mistakes(snapshot: Snapshot, game: StoredGame) -> Iterable[TurnAnalysis]:
    record = game.record_in(snapshot.folder)
    analysis = None if record is None else read_analysis(record)
    turns = [] if analysis is None else analysis.turns
    return (turn for turn in turns if turn.is_mistake and 0 <= turn.seat < len(game.seats))


def _worst(moments: Iterable[Moment]) -> list[Moment]:
    order = sorted(moments, key=lambda one: (-one.turn.loss, one.game, one.turn.turn))
    return order[:MOST_MOMENTS]


def moments_table(moments: Iterable[Moment], links: Links) -> Html:
    """The moments as a table, each with a link to its step."""
    head: list[Child] = ["moment", "loses", "played", "why another turn is better"]
    return sortable(head, [_row(moment, links) for moment in moments])


def _row(moment: Moment, links: Links) -> list[Child]:
    block, number = moment.game
    turn = moment.turn
    label = f"{block}-{number}, turn {turn.turn}"
    address = links.game(moment.game, turn.first_step)
    name = label if address is None else tag("a", label, href=address)
    return [name, percent(turn.loss), turn.played, turn.why]
