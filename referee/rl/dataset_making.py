"""Recorded games as data to learn from: observation, mask, action and outcome of each decision.

Memory is bounded, whatever the number and the length of the records: a game is replayed in pieces,
and a shard is complete when it has enough decisions or all open shards together have too many bytes.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.engine.terms import END_REASONS
from referee.errors import LineRefused, RecordRefused
from referee.records.checker import Checker
from referee.records.find import find_records
from referee.records.lines import DecisionLine
from referee.records.verify import RecordVerdict, Walk
from referee.rl.game import Kind, NumberedGame
from referee.rl.masks import masks_of
from referee.rl.recorded import Decisions, follow
from referee.rl.rewards import rewards_of_ranks
from referee.rl.shards import ARRAYS, DatasetGame, DatasetWriter, Index, Layout, Shard
from referee.text import plural

SHARD: Final = 8192  # decisions of a shard
_PIECE: Final = 256  # decisions that are turned into arrays at once
_MOST_BYTES: Final = 128 << 20  # of all open shards
_MOST_LAYOUTS: Final = 32  # open at the same time
_LARGEST_TURN: Final = np.iinfo(np.uint16).max

Report: TypeAlias = Callable[[RecordVerdict], object]
Progress: TypeAlias = Callable[[Iterator[RecordVerdict]], Iterable[RecordVerdict]]


def dataset(
    records: str | Path | Sequence[str | Path],
    *,
    decisions: int = SHARD,
    report: Report | None = None,
) -> Iterator[Shard]:
    """Yield the decisions of recorded games in shards of at most this many decisions.

    `records` are files, folders or patterns, as for `referee dataset`. Every record is verified
    first; games that are incomplete or void are left out. `report` is called with the verdict of
    each record; without it, a wrong record raises RecordRefused.
    """
    words = [records] if isinstance(records, str | Path) else list(records)
    maker = DatasetMaker(decisions)
    for path in find_records([str(word) for word in words]):
        yield from maker.add(path)
        verdict = maker.verdict
        if report is not None:
            report(verdict)
        elif verdict.verdict == "wrong":
            raise LineRefused(path, verdict.line, verdict.why or "it is wrong")
    yield from maker.rest()


def write_dataset(
    paths: Sequence[Path],
    folder: Path,
    *,
    decisions: int = SHARD,
    progress: Progress = iter,
) -> Index:
    """Write the decisions of these records as a data set into a new or empty folder.

    `progress` is called with an iterator over the verdicts of the records, and must go through it.
    Returns the index. Raises RecordRefused if no record has a complete game, and OutputRefused if
    the folder cannot be written; nothing is left then.
    """
    with DatasetWriter(folder) as writer:
        for _ in progress(_written(DatasetMaker(decisions), writer, paths)):
            pass
        if not writer.index.games:
            raise RecordRefused(f"there is no complete game in {plural(len(paths), 'record')}")
    return writer.index


def _written(
    maker: DatasetMaker, writer: DatasetWriter, paths: Sequence[Path]
) -> Iterator[RecordVerdict]:
    for path in paths:
        for full in maker.add(path):
            writer.add_shard(full)
        if maker.game is not None:
            writer.add_game(maker.game)
        yield maker.verdict
    for rest in maker.rest():
        writer.add_shard(rest)


class DatasetMaker:
    """Turns records into shards, one record after the other.

    After `add` has been iterated to its end, `verdict` is the verdict of the record, and `game`
    describes its game, or is None if the record was left out.
    """

    verdict: RecordVerdict
    game: DatasetGame | None

    def __init__(self, decisions: int = SHARD) -> None:
        if decisions < 1:
            raise RecordRefused(f"a shard must have at least 1 decision, not {decisions}")
        self._most = decisions
        self._open: dict[Layout, _OpenShard] = {}
        self._tables: dict[tuple[str, str], _Table] = {}
        self._games = 0

    def add(self, path: Path) -> Iterator[Shard]:
        """Take a record, and yield the shards that it completes."""
        walk, picks = Walk(path), array("i")
        self.game = None
        try:
            _read(walk, picks)
        except LineRefused as error:
            self.verdict = walk.refused(error)
            return
        self.verdict = walk.verdict()
        if self.verdict.verdict == "fine":
            yield from self._replay(path, walk.checker, picks)

    def rest(self) -> Iterator[Shard]:
        """Yield the shards that are not full."""
        while self._open:
            yield self._close(next(iter(self._open)))

    def _replay(self, path: Path, checker: Checker, picks: array[int]) -> Iterator[Shard]:
        table = self._table(checker)
        index, self._games = self._games, self._games + 1
        outcomes = _Outcomes.of(checker)
        table.game.begin(checker.header.seed)
        at = count = 0
        while at < len(picks):
            shard = self._shard(table.layout)
            found = Decisions()
            room = min(_PIECE, self._most - shard.count)
            at = follow(table.game, picks, at, room, found)
            shard.add(found, index, outcomes)
            count += len(found.actions)
            if shard.count >= self._most:
                yield self._close(table.layout)
            elif sum(one.size for one in self._open.values()) > _MOST_BYTES:
                yield self._close(max(self._open, key=lambda layout: self._open[layout].size))
        if len(self._open) > _MOST_LAYOUTS:
            yield self._close(next(iter(self._open)))
        self.game = _described(path, checker, index, count)

    def _table(self, checker: Checker) -> _Table:
        board, rules = checker.setup.board, checker.setup.rules
        key = (board.digest, rules.name)
        table = self._tables.pop(key, None) or _new_table(Kind(board, rules))
        self._tables[key] = table  # the last one is the one that was used last
        if len(self._tables) > _MOST_LAYOUTS:
            del self._tables[next(iter(self._tables))]
        return table

    def _shard(self, layout: Layout) -> _OpenShard:
        return self._open.setdefault(layout, _OpenShard(layout))

    def _close(self, layout: Layout) -> Shard:
        return self._open.pop(layout).closed()


def _read(walk: Walk, picks: array[int]) -> None:
    """Verify a record, and collect its choices where there were several.

    Choices of the referee, and of a game that this one continues from, are collected as `~choice`.
    """
    for batch in walk.batches():
        begins_at = walk.checker.begins_at
        picks.extend(
            line.choice if line.by == "bot" and line.id >= begins_at else ~line.choice
            for line in batch
            if type(line) is DecisionLine and line.by != "single"
        )


class _Table(NamedTuple):
    """The game that records of one layout are replayed in."""

    game: NumberedGame
    layout: Layout


def _new_table(kind: Kind) -> _Table:
    layout = Layout(
        board=kind.board.id,
        board_digest=kind.board.digest,
        ruleset=kind.rules.name,
        players=kind.rules.players,
        row=kind.row_size,
        actions=kind.numbering.size,
    )
    return _Table(NumberedGame(kind), layout)


class _Outcomes(NamedTuple):
    """How the game ended, by seat."""

    rewards: NDArray[np.float32]
    totals: NDArray[np.int16]

    @classmethod
    def of(cls, checker: Checker) -> _Outcomes:
        ranks = [standing.rank for standing in checker.standings]
        totals = [standing.total for standing in checker.standings]
        return cls(
            np.array(rewards_of_ranks(ranks), np.float32),
            np.clip(totals, np.iinfo(np.int16).min, np.iinfo(np.int16).max).astype(np.int16),
        )


def _described(path: Path, checker: Checker, index: int, decisions: int) -> DatasetGame:
    return DatasetGame(
        index=index,
        record=str(path).encode(errors="replace").decode(),
        game=checker.header.game,
        ruleset=checker.setup.rules.name,
        seed=checker.header.seed,
        players=checker.setup.names,
        ranks=[standing.rank for standing in checker.standings],
        totals=[standing.total for standing in checker.standings],
        reason=END_REASONS[checker.state.over],
        decisions=decisions,
    )


class _OpenShard:
    """The bytes of each array of a shard that is being filled."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._bytes = {name: bytearray() for name in ARRAYS}
        self.count = 0

    @property
    def size(self) -> int:
        """The bytes of its observations and masks."""
        return self.count * (self._layout.row + self._layout.mask_bytes)

    def add(self, found: Decisions, game: int, outcomes: _Outcomes) -> None:
        """Add decisions of a game."""
        count, actions = len(found.actions), self._layout.actions
        self._bytes["observation"] += b"".join(found.parts)
        masks = masks_of(found.legal, found.counts, actions)
        self._bytes["mask"] += np.packbits(masks.view(np.uint8), axis=1).tobytes()
        seats = np.array(found.seats, np.intp)
        self._append("action", found.actions)
        self._append("outcome", outcomes.rewards[seats])
        self._append("total", outcomes.totals[seats])
        self._append("game", np.full(count, game))
        self._append("seat", seats)
        self._append("turn", np.minimum(found.turns, _LARGEST_TURN))
        self._append("decision", found.ids)
        self.count += count

    def _append(self, name: str, values: Iterable[int] | NDArray[np.generic]) -> None:
        self._bytes[name] += np.asarray(values).astype(ARRAYS[name]).tobytes()

    def closed(self) -> Shard:
        """Return the arrays of the shard."""
        count = self.count
        arrays = {name: np.frombuffer(data, ARRAYS[name]) for name, data in self._bytes.items()}
        for name in ("observation", "mask"):
            arrays[name] = arrays[name].reshape(count, -1)
        return Shard(self._layout, **arrays)
