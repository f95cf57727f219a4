"""What the store of a tournament contains at one moment; the tournament may still be running."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from referee.engine.board import Board
from referee.engine.ruleset import Ruleset
from referee.errors import ScheduleRefused, StoreRefused, TournamentRefused
from referee.narration.result import game_title
from referee.tournament.about import About, stored_about
from referee.tournament.definition import (
    Definition,
    RunOptions,
    stored_definition,
    stored_run_options,
)
from referee.tournament.forecast import Forecast, make_forecast
from referee.tournament.opening import plan_run
from referee.tournament.request import request_from_options
from referee.tournament.results import BlockResult
from referee.tournament.secret import Closing, closing_of
from referee.tournament.sprt import Verdict
from referee.tournament.stopping import stored_verdict
from referee.tournament.store.games import StoredGame, stored_games
from referee.tournament.store.store import Store, StoredBot, StoredFault


@dataclass(frozen=True)
class Snapshot:
    """All data that a site is made from."""

    folder: Path
    definition: Definition
    options: RunOptions | None  # of the last run; None before the first one
    bots: list[StoredBot]
    results: list[BlockResult]  # those that count, in the order in which they were finished
    games: list[StoredGame]  # in the same order, with those that do not count
    faults: list[StoredFault]  # in the same order
    retired: list[str]  # bots that play no more
    about: About
    forecast: Forecast | None  # what is still to be played; None if nobody can tell
    closing: Closing | None = None  # with the secret; None while the tournament may continue
    verdict: Verdict | None = None  # of a sequential test
    is_public: bool = False  # whether seeds, secrets and what bots wrote are left out

    def for_spectators(self) -> Snapshot:
        """The same without what spectators may not see; the pages leave out seeds and data files, too."""
        faults = [
            fault._replace(message="", data=b"", stderr=b"", stderr_file="")
            for fault in self.faults
        ]
        games = [game._replace(void=game.void and "an error of the referee") for game in self.games]
        return replace(self, faults=faults, games=games, is_public=True)

    @property
    def names(self) -> list[str]:
        return [bot.name for bot in self.bots]

    @property
    def tables(self) -> list[str]:
        return [table.name for table in self.definition.tables]

    @property
    def may_continue(self) -> bool:
        """Whether more blocks are to be played, or may be."""
        return self.closing is None and (
            self.forecast is None or self.forecast.remaining_blocks != 0
        )

    @cached_property
    def table_labels(self) -> dict[str, str]:
        """What people call each table: the name that the organiser gave it, or what is played there."""
        labels = {
            table.name: game_title(board, rules) if table.name == rules.name else table.name
            for table, (board, rules) in zip(self.definition.tables, self.setups, strict=True)
        }
        are_different = len(set(labels.values())) == len(labels)
        return labels if are_different else {name: name for name in labels}

    @cached_property
    def setups(self) -> list[tuple[Board, Ruleset]]:
        """The board and the rules of each table; loading a board takes long."""
        return [table.load() for table in self.definition.tables]


def read_snapshot(folder: Path) -> Snapshot:
    """Read what is finished so far in the tournament of a folder; StoreRefused if that fails."""
    with open_snapshot(folder) as store:
        return snapshot_of(store)


@contextmanager
def open_snapshot(folder: Path) -> Iterator[Store]:
    """Open the store of a folder; what is written meanwhile is not seen. StoreRefused if it cannot be read."""
    try:
        with Store.read(folder) as store, store.snapshot():
            yield store
    except sqlite3.Error as error:
        raise StoreRefused(f"the store in {folder} cannot be read: {error}") from error


def snapshot_of(store: Store) -> Snapshot:
    """Read a whole store; it must come from `open_snapshot`, so that all parts agree."""
    definition, options = stored_definition(store), stored_run_options(store)
    bots, retired = store.bots(), store.retired()
    playing = [bot for bot in bots if bot.name not in retired]
    return Snapshot(
        folder=store.folder,
        definition=definition,
        options=options,
        bots=bots,
        results=list(store.results()),
        games=list(stored_games(store)),
        faults=list(store.faults()),
        retired=retired,
        about=stored_about(store),
        forecast=None if options is None else _forecast(store, definition, options, playing),
        closing=closing_of(store),
        verdict=stored_verdict(store),
    )


def _forecast(
    store: Store, definition: Definition, options: RunOptions, playing: list[StoredBot]
) -> Forecast | None:
    """What a run with the last options would still play; None if it is not possible."""
    names = [bot.name for bot in playing]
    try:
        planned = plan_run(request_from_options(options), definition, names, options)
        return make_forecast(replace(planned, playing=playing), store)
    except (TournamentRefused, ScheduleRefused):
        return None  # such as a gauntlet whose hero is retired
