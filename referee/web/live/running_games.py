"""Which games of a tournament are running: those whose records are written on this machine, and not packed yet."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from referee.errors import RefereeError
from referee.records.lines import GameLine
from referee.records.reader import RecordReader
from referee.tournament.store.store import RECORDS
from referee.web.site.paths import file_name

FORGOTTEN: Final = 3600.0  # seconds after which a record that does not grow is not shown any more
_SUFFIX: Final = ".jsonl"


class RunningGame(NamedTuple):
    """A game that is being played, or that was interrupted."""

    block: str
    number: int
    names: tuple[str, ...]
    quiet: int  # seconds since its record has grown, rounded down to half a minute

    @property
    def key(self) -> str:
        return game_key(self.block, self.number)


def game_key(block: str, number: int) -> str:
    """The key of a game in addresses."""
    return f"{file_name(block)}-{number}"


class RunningGames:
    """Finds the running games in the folder of a tournament."""

    def __init__(self, folder: Path) -> None:
        self._records = folder / RECORDS
        self._names: dict[tuple[Path, int], tuple[str, ...]] = {}  # by record and file number

    def find(self, finished: Iterable[str]) -> list[RunningGame]:
        """The running games, oldest first; `finished` are blocks that are in the store."""
        found = list(self._find(set(finished)))
        self._names = {
            place: names for place, names in self._names.items() if place[0] in self._seen
        }
        return found

    def _find(self, finished: set[str]) -> Iterator[RunningGame]:
        self._seen: set[Path] = set()
        now = time.time()
        for block in _names_in(self._records):
            if block in finished:
                continue
            for name in _names_in(self._records / block):
                number = name.removesuffix(_SUFFIX)
                if not name.endswith(_SUFFIX) or not (number.isascii() and number.isdigit()):
                    continue
                game = self._game(self._records / block / name, block, int(number), now)
                if game is not None:
                    yield game

    def _game(self, path: Path, block: str, number: int, now: float) -> RunningGame | None:
        try:
            status = path.stat()
        except OSError:
            return None  # packed meanwhile
        quiet = now - status.st_mtime
        place = path, status.st_ino
        if place not in self._names:
            self._names[place] = _players(path)
        self._seen.add(path)
        if quiet > FORGOTTEN or not self._names[place]:
            self._names.pop(place)
            return None
        return RunningGame(block, number, self._names[place], int(max(quiet, 0) // 30) * 30)


def _names_in(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208  no paths are needed
    except OSError:
        return []


def _players(path: Path) -> tuple[str, ...]:
    """The names of the players; empty if the first line is not there yet."""
    try:
        first = next(RecordReader(path).lines(), None)
    except RefereeError:
        return ()
    return tuple(player.name for player in first.players) if isinstance(first, GameLine) else ()
