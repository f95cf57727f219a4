"""What a run would play, and how long that takes: finished and remaining games, by bot and table."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import msgspec

from referee.system import core_count
from referee.tournament.coordinator import Budget
from referee.tournament.definition import DEFINITION_KEY, RunOptions
from referee.tournament.field import Finder, Report, find_bot_on_disk
from referee.tournament.opening import OpenTournament, PlannedRun, build_in_sandbox, plan_run
from referee.tournament.results import Block, BlockResult
from referee.tournament.run import run_tournament
from referee.tournament.schedule import Outline, Stage
from referee.tournament.sprt import SprtState
from referee.tournament.stopping import FEWEST_PASSES, LeaderIsClear, SprtDecided
from referee.tournament.store import Store

MOST_BLOCKS: Final = 25_000  # that are looked at; they have about 100,000 games
FIRST_OF_ENDLESS: Final = 1000  # blocks
TRIAL_GAMES: Final = 24  # at most


class GameCount(NamedTuple):
    """The finished and the remaining games of one bot at one table; None if there is no fixed end."""

    bot: str
    table: str
    finished: int
    remaining: int | None


@dataclass
class Forecast:
    """What a run would play, after what is finished.

    `size` says what the remaining blocks and games are: all of them, the fewest or the most that are
    possible, or unknown because the run has no fixed end (then they are None).
    """

    size: Literal["exact", "at least", "at most", "open"] = "exact"
    finished_blocks: int = 0  # of this plan
    finished_games: int = 0
    remaining_blocks: int | None = 0
    remaining_games: int | None = 0
    # Empty if there are too many blocks. If `size` is "at most", only the next stage is counted.
    counts: list[GameCount] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)  # the next ones, in the order of the plan
    out: dict[str, str] = field(default_factory=dict)  # the disqualified bots, and why
    lack: str | None = None  # why no game is possible
    test: SprtState | None = None
    seconds: float | None = None  # an estimate
    measured_games: int = 0  # that the estimate was made from

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for `--json`."""
        return {
            "finished": {"blocks": self.finished_blocks, "games": self.finished_games},
            "remaining": {
                "size": self.size,
                "blocks": self.remaining_blocks,
                "games": self.remaining_games,
            },
            "by_bot": [count._asdict() for count in self.counts],
            "out": self.out,
            "lack": self.lack,
            "test": msgspec.to_builtins(self.test),
            "seconds": None if self.seconds is None else round(self.seconds, 1),
        }


def make_forecast(planned: PlannedRun, store: Store | None) -> Forecast:
    """Return what a run would play; `store` is None for a new tournament."""
    walk = _Walk(planned, store)
    forecast = walk.forecast()
    if store is not None:
        forecast.test = walk.test
        estimate_time(forecast, planned, store)
    return forecast


def estimate_time(forecast: Forecast, planned: PlannedRun, measured: Store) -> None:
    """Estimate the time for the remaining games from the games of a store, if it has such games."""
    per_game = measured.seconds_per_game()
    at_tables = Counter[str]()
    for block in forecast.blocks:
        at_tables[block.table] += games_in(block)
    games, listed = forecast.remaining_games, sum(at_tables.values())
    if games is None or not at_tables.keys() <= per_game.keys():
        return
    seconds = sum(count * per_game[table] for table, count in at_tables.items())
    workers = planned.request.workers or core_count()
    forecast.seconds = seconds * (games / listed if listed else 0) / workers
    forecast.measured_games = measured.count("games")
    if planned.request.hours is not None:
        forecast.seconds = min(forecast.seconds, 3600 * planned.request.hours)


def play_trial(planned: PlannedRun, forecast: Forecast, report: Report) -> None:
    """Play a few games of all bots in a temporary folder, and estimate the time from them.

    Raises RefereeError if a bot cannot be built or started.
    """
    finder = Finder(find_bot_on_disk)
    bots = [finder.find_again(bot) for bot in planned.playing]
    request = msgspec.structs.replace(planned.request, games=TRIAL_GAMES, hours=None)
    options = RunOptions(blocks_per_bot=1)
    trial = plan_run(request, planned.definition, [bot.name for bot in bots], options)
    with (
        tempfile.TemporaryDirectory(prefix="referee-trial-") as folder,
        Store.create(Path(folder) / "trial") as store,
    ):
        build_in_sandbox(bots, request, store.folder, report)
        store.begin({DEFINITION_KEY: planned.definition}, planned.playing)
        run_tournament(OpenTournament(store, bots, trial), records=False)
        estimate_time(forecast, planned, store)


def games_in(block: Block) -> int:
    """Return the number of games of a block."""
    return len(block.seatings()) if block.all_orders else len(block.bots)


class _Walk:
    """Walks through a plan as a run does, without playing."""

    def __init__(self, planned: PlannedRun, store: Store | None) -> None:
        self._planned = planned
        self._store = store
        self._results = [] if store is None else list(store.results())
        self._finished = {result.block.id for result in self._results}
        if store is not None:
            self._finished |= store.void_blocks()
        stored = [] if store is None else store.bots()
        playing = {bot.name for bot in planned.playing}
        self._out = {bot.name: bot.out for bot in stored if bot.out and bot.name in playing}
        self._games_left = planned.request.games
        self._counts: tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]] = (
            Counter(),
            Counter(),
        )
        self._forecast = Forecast(out=self._out)
        self._sprt = self._make_sprt()

    @property
    def test(self) -> SprtState | None:
        """The state of the sequential test, if there is one."""
        return None if self._sprt is None else self._sprt.verdict.state

    def forecast(self) -> Forecast:
        """Return what a run would play."""
        forecast, plan = self._forecast, self._planned.plan
        forecast.lack = plan.lacks_bots(frozenset(self._out))
        if self._planned.options.format == "round-robin" and self._planned.options.is_open:
            self._walk_passes()
        else:
            self._walk_stages()
        self._list_counts()
        return forecast

    # -- the parts of a plan

    def _walk_stages(self) -> None:
        """Walk to the first stage that is not finished."""
        number, plan = 0, self._planned.plan
        while (stage := self._stage(number)) is not None:
            self._walk(stage)
            if self._forecast.remaining_blocks != 0 or self._is_spent:
                self._add_later_stages(plan.stages - number - 1, stage)
                return
            number += 1

    def _add_later_stages(self, stages: int, stage: Stage) -> None:
        """Add the stages after the current one; nobody knows yet whether all of them are needed."""
        forecast = self._forecast
        if stages <= 0 or self._is_spent or forecast.remaining_blocks is None:
            return
        assert forecast.remaining_games is not None
        forecast.size = "at most"
        forecast.remaining_blocks += stages * len(stage)
        forecast.remaining_games += stages * (stage.games or 0)
        if self._games_left is not None:
            forecast.remaining_games = min(
                forecast.remaining_games, self._games_left + sum(map(games_in, forecast.blocks))
            )

    def _walk_passes(self) -> None:
        """Walk through the finished passes, and then to the next check of the leader."""
        clear = None if self._store is None else LeaderIsClear(self._store)
        number, last = 0, FEWEST_PASSES
        while number < last and (stage := self._stage(number)) is not None and not self._is_spent:
            self._walk(stage)
            number += 1
            if clear is not None and not self._forecast.remaining_blocks:
                if clear.is_reached(at_stage_end=True):
                    return
                last = clear.next_check
        self._forecast.size = "exact" if self._is_spent else "at least"

    def _stage(self, number: int) -> Stage | None:
        return self._planned.plan.stage(number, self._results, frozenset(self._out))

    # -- the blocks of a stage

    def _walk(self, stage: Stage) -> None:
        """Count the blocks of a stage; those that would be played count as finished afterwards."""
        is_endless = stage.length is None and self._planned.request.games is None
        most = FIRST_OF_ENDLESS if is_endless else MOST_BLOCKS
        found = len(self._forecast.blocks)
        for block in self._affordable(stage):
            if block.id in self._finished:
                self._note_finished(block)
            else:
                self._note_remaining(block)
            if len(self._forecast.blocks) - found == most:
                self._leave_open(stage)
                break
        self._results += [BlockResult(block, ()) for block in self._forecast.blocks[found:]]

    def _affordable(self, stage: Stage) -> Iterator[Block]:
        """Yield the blocks within the budget."""
        for block in stage:
            if self._sprt is not None:
                self._sprt.scheduled(block)
                if self._sprt.is_reached(at_stage_end=False):
                    return
            if self._games_left is not None:
                if games_in(block) > self._games_left:
                    self._games_left = 0
                    return
                self._games_left -= games_in(block)
            yield block

    @property
    def _is_spent(self) -> bool:
        return self._games_left == 0

    def _note_finished(self, block: Block) -> None:
        self._forecast.finished_blocks += 1
        self._forecast.finished_games += games_in(block)
        self._count(0, block)

    def _note_remaining(self, block: Block) -> None:
        forecast = self._forecast
        assert forecast.remaining_blocks is not None
        assert forecast.remaining_games is not None
        forecast.blocks.append(block)
        forecast.remaining_blocks += 1
        forecast.remaining_games += games_in(block)
        self._count(1, block)

    def _count(self, which: int, block: Block) -> None:
        for bot in set(block.bots):
            self._counts[which][bot, block.table] += games_in(block)

    def _leave_open(self, stage: Stage) -> None:
        """Stop counting blocks: there are too many, or they never end."""
        forecast = self._forecast
        self._counts[1].clear()
        if stage.length is None or stage.games is None:
            forecast.size, forecast.remaining_blocks, forecast.remaining_games = "open", None, None
            return
        budget = Budget(self._planned.request.games)
        _, blocks, games = budget.outline(Outline(1, stage.length, stage.games))
        forecast.remaining_blocks = (blocks or 0) - forecast.finished_blocks
        forecast.remaining_games = (games or 0) - forecast.finished_games

    def _list_counts(self) -> None:
        forecast = self._forecast
        if (forecast.remaining_blocks or 0) > len(forecast.blocks) and forecast.size == "exact":
            return  # too many blocks: the counts would be wrong
        finished, remaining = self._counts
        names: Sequence[str] = self._planned.names
        tables = [table.name for table in self._planned.definition.tables]
        forecast.counts = [
            GameCount(
                bot,
                table,
                finished[bot, table],
                None if forecast.size == "open" else remaining[bot, table],
            )
            for bot in names
            for table in tables
        ]

    def _make_sprt(self) -> SprtDecided | None:
        options = self._planned.options
        if self._store is None or options.sprt is None or options.hero is None:
            return None
        return SprtDecided(self._store, options.hero, options.sprt)
