"""Tournaments with invented results: stores for the site, with records of some blocks."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, islice
from pathlib import Path
from random import Random

from referee.adjudication.faults import Fault, FaultRecord
from referee.bots.profile import NO_PROFILE, Profile
from referee.random_play import play_game
from referee.tournament.about import store_about
from referee.tournament.definition import (
    DEFINITION_KEY,
    RUN_OPTIONS_KEY,
    Definition,
    RunOptions,
    make_plan,
)
from referee.tournament.request import TableRequest, TournamentRequest, make_definition
from referee.tournament.results import Block
from referee.tournament.schedule import Plan
from referee.tournament.store.store import RECORDS, Store, StoredBot
from referee.tournament.workers.messages import GameReport, Played, SeatReport, TableJob
from support.board_records import write_record
from support.random_games import Game

SEED = 7
TURNS = 6  # a game this short is played quickly
STRENGTH = {"anna": 8.0, "bert": 4.0, "carl": 2.0, "dora": 1.0}
ONE_TABLE = (TableRequest(seats=3, max_turns=TURNS),)
TWO_TABLES = (*ONE_TABLE, TableRequest(board="east", seats=2, neutral="2009", max_turns=TURNS))


def fault(
    seat: int = 0, decision: int = 4, *, kind: str = "timeout", message: str = "no answer in 60 ms",
    data: bytes = b"", stderr: bytes = b"",
) -> FaultRecord:  # fmt: skip
    return FaultRecord(seat, "bot", decision, Fault(kind, message, data), 1, 3, False, stderr)


def write_tournament(
    folder: Path,
    *,
    strength: Mapping[str, float] = STRENGTH,
    tables: Sequence[TableRequest] = ONE_TABLE,
    blocks: int = 4,
    most: int | None = None,
    faults: Mapping[int, Sequence[FaultRecord]] | None = None,
    records: Iterable[int] = (),
    void: int | None = None,
    out: Mapping[str, str] | None = None,
    options: RunOptions | None = None,
    about: TournamentRequest | None = None,
    profiles: Mapping[str, Profile] | None = None,
) -> Path:
    """Write the store of a tournament with `blocks` blocks for each set of bots; return its folder.

    With `options`, it has the blocks of their plan instead. `most` limits the finished blocks.
    `about` has the title and the introduction.
    `faults`, `records` and `void` are by the number of the block; faults are in its first game.
    """
    definition = make_definition(TournamentRequest(tables=tuple(tables)), len(strength), SEED)
    wanted = set(records)
    with Store.create(folder) as store:
        store.begin(
            {DEFINITION_KEY: definition, RUN_OPTIONS_KEY: options or RunOptions(blocks=blocks)},
            [
                StoredBot(bot, bot, "0" * 64, "/", (out or {}).get(bot), said)
                for bot in strength
                for said in [(profiles or {}).get(bot, NO_PROFILE)]
            ],
        )
        store_about(store, about or TournamentRequest())
        bots = sorted(strength)
        plan = (
            _blocks(definition, bots, blocks)
            if options is None
            else _planned(make_plan(definition, options, bots), store)
        )
        for number, block in enumerate(islice(plan, most)):
            job = next(job for job in definition.tables if job.name == block.table)
            if number in wanted:
                _write_records(folder, block, job)
            why = "a bug" if number == void else None
            committed = tuple((faults or {}).get(number, ()))
            store.finish(_played(block, strength, committed, number in wanted, why))
    return folder


def _blocks(definition: Definition, bots: Sequence[str], blocks: int) -> Iterable[Block]:
    count = 0
    for number in range(blocks):
        for table in definition.tables:
            for some in combinations(bots, table.seats):
                order = Random(f"{number} {some}").sample(some, len(some))
                yield Block(f"b{count:04}", table.name, tuple(order), SEED + number)
                count += 1


def _planned(plan: Plan, store: Store) -> Iterable[Block]:
    """The blocks of a plan; each stage follows from the results of those before."""
    for number in range(plan.stages):
        yield from plan.stage(number, list(store.results()), frozenset()) or ()


def _played(
    block: Block,
    strength: Mapping[str, float],
    faults: tuple[FaultRecord, ...],
    recorded: bool,
    void: str | None,
) -> Played:
    rng = Random(block.id)
    games = [
        GameReport(
            number=number,
            game=f"game-{block.id}-{number}",
            seats=_seats(seating, strength, faults if number == 0 else (), rng),
            faults=faults if number == 0 else (),
            reason="max-turns",
            turns=TURNS,
            decisions=20 + number,
            seconds=0.5,
            record=f"{number}.jsonl.gz" if recorded else None,
        )
        for number, seating in enumerate(block.seatings())
    ]
    if void is not None:
        games[-1] = GameReport(
            len(games) - 1, f"game-{block.id}-void", (), (), "", 0, 0, 0.1, None, void
        )
    return Played(block, tuple(games))


def _seats(
    seating: Sequence[str],
    strength: Mapping[str, float],
    faults: Sequence[FaultRecord],
    rng: Random,
) -> tuple[SeatReport, ...]:
    """Draw ranks by strength; a better rank has more prestige."""
    luck = [rng.expovariate(strength[bot]) for bot in seating]
    ranks = [1 + sum(other < own for other in luck) for own in luck]
    counts = [sum(fault.seat == seat for fault in faults) for seat in range(len(seating))]
    return tuple(
        SeatReport(bot, bot, rank, 40 - 5 * rank + rng.randrange(4), count, None)
        for bot, rank, count in zip(seating, ranks, counts, strict=True)
    )


def _write_records(folder: Path, block: Block, job: TableJob) -> None:
    """Write the records of a block: the same game for each seating, with other names."""
    place = folder / RECORDS / block.id
    place.mkdir(parents=True)
    board, rules = job.load()
    one = Game(board, rules, block.seed, tuple(play_game(board, rules, block.seed).tally.indices))
    for number, seating in enumerate(block.seatings()):
        plain = write_record(place / f"{number}.jsonl", one, names=seating)
        (place / f"{number}.jsonl.gz").write_bytes(gzip.compress(plain.read_bytes(), 1, mtime=0))
        plain.unlink()
