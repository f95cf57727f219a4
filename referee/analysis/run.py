"""Analyses records, in parallel by turns or by records; what is finished stays in the cache."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Literal, TypeAlias

from referee.adjudication.standings import final_standings
from referee.analysis.cache import AnalysisCache, record_digest
from referee.analysis.lines import FORMAT, CacheHeader, GameAnalysis, Settings, TurnAnalysis
from referee.analysis.turns import TurnSteps, finished_turns, judge, made_by
from referee.errors import OutputRefused, RecordRefused
from referee.records.stats import bot_name
from referee.records.verify import in_parallel
from referee.replay.timeline import Timeline, open_timeline
from referee.text import printable, reason_of

Verdict: TypeAlias = Literal["fine", "incomplete", "void", "wrong"]


@dataclass(frozen=True)
class Wanted:
    """What to analyse, and how."""

    settings: Settings = field(default_factory=Settings)
    seat: int | None = None  # only its turns
    bot: str | None = None  # only the turns of seats with this bot
    cache: bool = True

    def seats(self, names: Sequence[str]) -> list[int]:
        """The seats whose turns are analysed in a game of these players."""
        return [
            seat
            for seat, name in enumerate(names)
            if self.seat in (None, seat) and self.bot in (None, name, bot_name(name))
        ]


@dataclass(frozen=True)
class RecordResult:
    """The analysis of one record; None if the record is wrong or void."""

    record: str
    verdict: Verdict
    analysis: GameAnalysis | None = None
    why: str | None = None  # what is wrong, or where the record breaks off
    note: str | None = None  # why the result is not kept


class OpenRecord:
    """A record whose turns are being analysed.

    Raises RecordRefused if the record cannot be read at all. `missing` are the turns that are wanted
    and not in the cache; `judged` yields them. Use it in a `with` statement, which closes the cache.
    """

    def __init__(self, path: Path, wanted: Wanted) -> None:
        self.path, self.wanted = path, wanted
        self.digest = _digest(path)
        self.timeline = _timeline(path, self.digest)
        self.turns = finished_turns(self.timeline)
        self.note: str | None = None
        self.cache = AnalysisCache(path, self._header())
        self.seats = wanted.seats([player.name for player in self.timeline.header.players])
        self.missing: list[TurnSteps] = []
        if self.verdict in ("fine", "incomplete"):
            self._open_cache()
            self.missing = [turn for turn in self._wanted() if turn.turn not in self.cache.turns]

    def _header(self) -> CacheHeader:
        timeline = self.timeline
        return CacheHeader(
            format=FORMAT,
            record=self.digest,
            made_by=made_by(timeline.board),
            board=timeline.board.id,
            names=timeline.names,
            turn_count=len(self.turns),
            winners=_winners(timeline),
            settings=self.wanted.settings,
        )

    def _open_cache(self) -> None:
        if self.wanted.cache:
            with self._noted():
                self.cache.open()

    @contextmanager
    def _noted(self) -> Iterator[None]:
        """Go on without the file of the cache if it cannot be written, and note why."""
        try:
            yield
        except OutputRefused as error:
            self.note = f"{error}; the analysis is not kept"

    def _wanted(self) -> list[TurnSteps]:
        return [turn for turn in self.turns if turn.seat in self.seats]

    @property
    def verdict(self) -> Verdict:
        if self.timeline.wrong is not None:
            return "wrong"
        if self.timeline.void is not None:
            return "void"
        return "fine" if self.timeline.is_complete else "incomplete"

    def judged(self, workers: int) -> Iterator[TurnAnalysis]:
        """Judge the missing turns, by this number of processes; each one is kept at once."""
        work = partial(_judge, self.path, self.digest, self.wanted.settings)
        for turn in in_parallel(work, self.missing, workers, at_once=1):
            with self._noted():
                self.cache.add(turn)
            yield turn

    def result(self) -> RecordResult:
        """The analysis of the wanted turns as far as they are judged."""
        record, verdict = str(self.path), self.verdict
        if verdict == "wrong":
            return RecordResult(record, verdict, why=self.timeline.wrong)
        if verdict == "void":
            void = f"the game is void: {printable(self.timeline.void or '')}"
            return RecordResult(record, verdict, why=void)
        why = "the record ends before the game does" if verdict == "incomplete" else None
        known = self.cache.turns
        turns = [known[turn.turn] for turn in self._wanted() if turn.turn in known]
        return RecordResult(record, verdict, self.cache.header.analysis(turns), why, self.note)

    def __enter__(self) -> OpenRecord:
        return self

    def __exit__(self, *_: object) -> None:
        self.cache.close()


def analyse_record(path: Path, wanted: Wanted) -> RecordResult:
    """Analyse one record in this process; a record that cannot be read is wrong."""
    try:
        with OpenRecord(path, wanted) as opened:
            for _ in opened.judged(1):
                pass
            return opened.result()
    except RecordRefused as error:
        return RecordResult(str(path), "wrong", why=str(error))


def analyse_records(paths: Sequence[Path], wanted: Wanted, workers: int) -> Iterator[RecordResult]:
    """Analyse many records, each in one of `workers` processes; yield the results in their order."""
    return in_parallel(partial(analyse_record, wanted=wanted), paths, workers, at_once=1)


@lru_cache(maxsize=1)
def _timeline(path: Path, _: str) -> Timeline:
    """The timeline of a record with this digest; all turns of a record need the same."""
    return open_timeline(path)


def _judge(path: Path, digest: str, settings: Settings, turn: TurnSteps) -> TurnAnalysis:
    return judge(_timeline(path, digest), turn, settings)


def _digest(path: Path) -> str:
    try:
        return record_digest(path)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise RecordRefused(f"{printable(str(path))}: {reason_of(error)}") from error


def _winners(timeline: Timeline) -> list[int]:
    """The seats that came first; none if the record does not reach the end of the game."""
    if not timeline.is_complete:
        return []
    standings = final_standings(timeline.newest_state, timeline.newest_strikes, timeline.names)
    return [standing.seat for standing in standings if standing.rank == 1]
