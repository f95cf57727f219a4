"""The pages of games on a site: which games get one, and the work of making them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

from referee.errors import RecordRefused
from referee.records.verify import in_parallel
from referee.system import core_count
from referee.web.game.page import write_page
from referee.web.site.paths import SiteFolder, game_page
from referee.web.site.snapshot import OneGame, Source

DEFAULT_PAGES: Final = 200

Wanted: TypeAlias = Literal["default", "all", "faults", "none"] | int
Tried: TypeAlias = tuple[Path, str | None]  # a page, and why it could not be made
Watched: TypeAlias = Callable[[Iterator[Tried], int, str], Iterator[Tried]]


@dataclass
class GamePages:
    """The games that have a page, and how they came by it."""

    pages: dict[tuple[str, int], str] = field(default_factory=dict)
    made: int = 0
    kept: int = 0  # from an earlier site, and still up to date
    without: list[str] = field(default_factory=list)  # wanted, but without a valid record


def wanted_games(games: Sequence[OneGame], wanted: Wanted) -> list[OneGame]:
    """The games that should have a page, of those with a record, in the order of finishing."""
    games = [game for game in games if game.record is not None]
    if wanted == "default":
        at_fault = [game for game in games if game.faults][-DEFAULT_PAGES:]
        kept = {game.place for game in at_fault}
        others = [game for game in games if game.place not in kept]
        kept |= {game.place for game in _newest(others, DEFAULT_PAGES - len(at_fault))}
        return [game for game in games if game.place in kept]
    if wanted == "faults":
        return [game for game in games if game.faults]
    if wanted == "none":
        return []
    return list(games) if wanted == "all" else _newest(games, wanted)


def _newest(games: Sequence[OneGame], count: int) -> list[OneGame]:
    return list(games[-count:]) if count else []


class _Order(NamedTuple):
    """A page that has to be made."""

    game: OneGame
    record: Path
    name: str


def make_games(source: Source, folder: SiteFolder, wanted: Wanted, watched: Watched) -> GamePages:
    """Make the pages, over all cores; one that is younger than its record stays as it is."""
    found = GamePages()
    orders: list[_Order] = []
    for game in wanted_games(source.games, wanted):
        name, record = game_page(*game.place), game.record_in(source.folder)
        if record is None or not record.is_file():
            found.without.append(f"{name}: its record is gone")
        elif folder.is_of_this_referee and _is_younger(folder.path / name, record):
            folder.expect(name)
            found.kept += 1
            found.pages[game.place] = name
        else:
            orders.append(_Order(game, record, name))
    _make(folder, orders, watched, found)
    return found


def _make(folder: SiteFolder, orders: Sequence[_Order], watched: Watched, found: GamePages) -> None:
    targets = {folder.path / order.name: order for order in orders}
    maker = _Maker({target: order.record for target, order in targets.items()})
    tried: Iterator[Tried] = in_parallel(maker, list(targets), core_count())
    for target, why in watched(tried, len(orders), "pages of games"):
        order = targets[target]
        if why is None:
            folder.expect(order.name)
            found.made += 1
            found.pages[order.game.place] = order.name
        else:
            found.without.append(f"{order.name}: {why}")


@dataclass(frozen=True)
class _Maker:
    """Makes pages of records; it goes to other processes."""

    records: dict[Path, Path]  # by the page

    def __call__(self, target: Path) -> Tried:
        try:
            write_page(self.records[target], target)
        except RecordRefused as error:
            return target, str(error)
        return target, None


def _is_younger(page: Path, record: Path) -> bool:
    try:
        return page.stat().st_mtime > record.stat().st_mtime
    except OSError:
        return False
