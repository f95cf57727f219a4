"""What a bot can learn from its tournament: where it loses, and three positions to look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from referee.analysis.lines import GameAnalysis, TurnAnalysis
from referee.analysis.run import RecordResult
from referee.analysis.sentences import as_said
from referee.analysis.summary import BotSummary, summarise
from referee.errors import TournamentRefused
from referee.text import no_such_bot, printable, shell_word
from referee.tournament.live_ratings import RatingOptions
from referee.tournament.ratings.meetings import meetings
from referee.tournament.ratings.types import Entry, Ratings
from referee.tournament.standings import StandingsReport, make_standings
from referee.tournament.store.games import StoredGame, StoredSeat, stored_games
from referee.tournament.store.store import Store

POSITIONS: Final = 3
DEFAULT_CPU_S: Final = 240.0  # two minutes on two cores
_OVERHEAD_MS: Final = 400.0  # of a turn, in addition to its time


# -- the games


@dataclass(frozen=True)
class BotGames:
    """The games of one bot in a tournament, and what the tournament says about it."""

    folder: Path
    bot: str
    report: StandingsReport
    shares: dict[str, tuple[int, float]]  # by opponent: games, and the share finished ahead of it
    faults: Counter[str]  # by kind
    games: list[StoredGame]  # that count and have a record
    without_record: int

    def path(self, game: StoredGame) -> Path:
        """Where the record of one of the games is."""
        path = game.record_in(self.folder)
        assert path is not None
        return path


def read_games(folder: Path, bot: str) -> BotGames:
    """Read the games of a bot; TournamentRefused if the bot is unknown, or if no game has a record."""
    with Store.read(folder) as store, store.snapshot():
        names = [known.name for known in store.bots()]
        if bot not in names:
            raise TournamentRefused(no_such_bot(printable(bot), names))
        own = [game for game in stored_games(store) if _seats(game, bot) and game.void is None]
        report = make_standings(store, RatingOptions())
        met = meetings(list(store.results()))
        faults = Counter(fault.fault for fault in store.faults() if fault.bot == bot)
    recorded = [game for game in own if _has_record(folder, game)]
    if not recorded:
        raise TournamentRefused(
            f"no game of {printable(bot)} in {printable(str(folder))} has a record: play a tournament"
            " without --no-records, and keep its folder records"
        )
    shares = {other: (one.games, one.share) for (who, other), one in met.items() if who == bot}
    return BotGames(folder, bot, report, shares, faults, recorded, len(own) - len(recorded))


def _seats(game: StoredGame, bot: str) -> list[StoredSeat]:
    return [seat for seat in game.seats if seat.bot == bot]


def _has_record(folder: Path, game: StoredGame) -> bool:
    path = game.record_in(folder)
    return path is not None and path.is_file()


def choose_games(found: BotGames, most: int | None, time_ms: float) -> list[StoredGame]:
    """The games to analyse, the most instructive first: `most`, or as many as the default time allows.

    Lost games come before games that were won, and the tables take turns.
    """
    tables: Counter[str] = Counter()
    ranked: list[tuple[bool, int, str, StoredGame]] = []
    for game in sorted(found.games, key=lambda game: (-_rank(game, found.bot), *game.key)):
        tables[game.table] += 1
        ranked.append((_rank(game, found.bot) == 1, tables[game.table], game.table, game))
    ranked.sort(key=lambda one: one[:3])
    games = [game for *_, game in ranked]
    return games[:most] if most is not None else list(_affordable(games, found.bot, time_ms))


def _rank(game: StoredGame, bot: str) -> int:
    """The best rank of the bot; a game that one of its copies won is not lost."""
    return min(seat.rank for seat in _seats(game, bot))


def _affordable(games: Sequence[StoredGame], bot: str, time_ms: float) -> Iterator[StoredGame]:
    """The first games, until they need DEFAULT_CPU_S in all; at least one."""
    needed_s = 0.0
    for game in games:
        turns = game.turns * len(_seats(game, bot)) / len(game.seats)
        needed_s += turns * (time_ms + _OVERHEAD_MS) / 1000
        if needed_s > DEFAULT_CPU_S and game is not games[0]:
            return
        yield game


# -- the lesson


@dataclass(frozen=True)
class Position:
    """A turn that lost much; its command is for the folder of the tournament."""

    record: str  # in the folder
    turn: int
    decision: int  # the first of the turn
    board: str
    kind: str
    phase: str
    loss: float
    played: str
    better: str
    why: str
    replay: str  # the command


@dataclass(frozen=True)
class Share:
    """What a group of turns loses: percentage points of the chance to come first, in a game."""

    name: str
    loss: float  # a game
    share: float  # of everything that is lost
    turns: int
    mistakes: int


@dataclass(frozen=True)
class Place:
    """The rating of the bot at one table, or its difference to an opponent; bounds are at 95 %."""

    name: str
    games: int
    elo: float
    low: float | None
    high: float | None
    ahead: float | None = None  # the share of games in which it finished ahead of the opponent


@dataclass(frozen=True)
class Lesson:
    """What a bot can learn from its games."""

    bot: str
    folder: str
    place: int  # from 1
    of: int  # how many bots
    rating: Place
    rating_without_faults: float | None  # None if there were no faults
    faults: dict[str, int]  # by kind
    disqualified: int
    tables: list[Place]  # the worst first
    opponents: list[Place]  # the strongest first
    analysed: int  # games
    left_out: int  # games with a record that were not analysed
    without_record: int
    loss: float  # in a game, as a fraction of the chance to come first
    kinds: list[Share]  # the costliest first
    phases: list[Share]
    positions: list[Position]

    def to_dict(self) -> dict[str, object]:
        """Plain data for `--json`."""
        return asdict(self)


def make_lesson(found: BotGames, results: Iterable[RecordResult]) -> Lesson:
    """The lesson of a bot from its results and the analyses of some of its games."""
    kept = [result for result in results if result.analysis is not None]
    summary = summarise(kept)
    ratings = found.report.ratings
    entry = _entry(ratings, found.bot)
    clean = found.report.without_faults
    return Lesson(
        bot=found.bot,
        folder=str(found.folder),
        place=1 + [one.bot for one in ratings.entries].index(found.bot),
        of=len(ratings.entries),
        rating=Place("all", entry.games, entry.rating, entry.low, entry.high),
        rating_without_faults=None if clean is None else _entry(clean, found.bot).rating,
        faults=dict(found.faults.most_common()),
        disqualified=entry.disqualified,
        tables=_tables(found),
        opponents=_opponents(found),
        analysed=summary.games,
        left_out=len(found.games) - summary.games,
        without_record=found.without_record,
        loss=round(_lost(summary) / max(1, summary.games), 4),
        kinds=_shares(summary, "kinds"),
        phases=_shares(summary, "phases"),
        positions=list(_positions(kept, found)),
    )


def _entry(ratings: Ratings, bot: str) -> Entry:
    return next(entry for entry in ratings.entries if entry.bot == bot)


def _tables(found: BotGames) -> list[Place]:
    """The bot at each table where it played, the lowest rating first."""
    rated = [(name, _entry_or_none(one, found.bot)) for name, one in found.report.by_table.items()]
    places = [
        Place(name, entry.games, entry.rating, entry.low, entry.high)
        for name, entry in rated
        if entry is not None and entry.games
    ]
    return sorted(places, key=lambda place: (place.elo, place.name))


def _entry_or_none(ratings: Ratings, bot: str) -> Entry | None:
    return next((entry for entry in ratings.entries if entry.bot == bot), None)


def _opponents(found: BotGames) -> list[Place]:
    ratings, places = found.report.ratings, []
    for other, (games, ahead) in found.shares.items():
        gap = ratings.difference(found.bot, other)
        places.append(Place(other, games, gap.elo, gap.low, gap.high, round(ahead, 4)))
    return sorted(places, key=lambda place: (place.elo, place.name))


def _lost(summary: BotSummary) -> float:
    return summary.all.turns * summary.all.mean_loss


def _shares(summary: BotSummary, groups: str) -> list[Share]:
    lost, games = max(_lost(summary), 1e-9), max(1, summary.games)
    found: list[Share] = []
    for one in summary.kinds if groups == "kinds" else summary.phases:
        of_group = one.turns * one.mean_loss
        found.append(
            Share(
                one.name,
                round(of_group / games, 4),
                round(of_group / lost, 4),
                one.turns,
                one.mistakes,
            )
        )
    return found


# -- the positions


def _positions(results: Sequence[RecordResult], found: BotGames) -> Iterator[Position]:
    """The worst turns, of different kinds and from different games as far as possible."""
    moments = [
        (result.record, result.analysis, turn)
        for result in results
        if result.analysis is not None
        for turn in result.analysis.turns
        if turn.best is not None
    ]
    moments.sort(key=lambda one: (not one[2].is_mistake, -one[2].loss, one[0], one[2].turn))
    kinds: set[str] = set()
    records: set[str] = set()
    for _ in range(min(POSITIONS, len(moments))):
        new = min(moments, key=lambda one: (one[2].kind in kinds, one[0] in records))
        moments.remove(new)
        kinds.add(new[2].kind)
        records.add(new[0])
        yield _position(*new, found)


def _position(record: str, game: GameAnalysis, turn: TurnAnalysis, found: BotGames) -> Position:
    assert turn.best is not None
    name = game.names[turn.seat]
    place = Path(record).relative_to(found.folder)
    return Position(
        record=str(place),
        turn=turn.turn,
        decision=turn.first_step + 1,
        board=game.board,
        kind=turn.kind,
        phase=turn.phase,
        loss=turn.loss,
        played=as_said(turn.text, name),
        better=as_said(turn.best.text, name),
        why=turn.why,
        replay=f"referee replay {shell_word(place)} --turn {turn.turn}",
    )
