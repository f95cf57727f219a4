"""A worker plays blocks, game by game, on one core with its bots; `main` runs it as a process."""

from __future__ import annotations

import gc
import gzip
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from referee.adjudication.faults import FaultRecord
from referee.adjudication.standings import Outcome
from referee.bots.find import Bot
from referee.bots.launch import die_with_parent
from referee.bots.reaper import REAPER
from referee.encoder import Formats
from referee.engine.board import Board
from referee.engine.ruleset import Ruleset
from referee.engine.terms import END_REASONS
from referee.errors import RecordRefused, RefereeError
from referee.match.players import BotPlayer
from referee.match.runner import RefereedGame, Settings
from referee.records.writer import RecordWriter
from referee.system import pin
from referee.tournament.results import Block
from referee.tournament.schedule import game_id
from referee.tournament.workers import messages
from referee.tournament.workers.messages import (
    BlockFailed,
    GameReport,
    Job,
    Played,
    Playing,
    SeatReport,
    WorkerMessage,
    record_name,
)
from referee.tournament.workers.player_cache import CachedPlayer, PlayerCache

COMPRESSION = 1  # of gzip: the fastest level, and still a tenth of the size


class Worker:
    """Plays the blocks of one job; `in_process` are the bots that exist only in this process."""

    def __init__(self, job: Job, in_process: Iterable[Bot] = ()) -> None:
        self._conditions = job.conditions
        self._settings = Settings(clock=job.conditions.clock(), strikes=job.conditions.strikes)
        self._records = None if job.records is None else Path(job.records)
        bots = {bot.name: bot for bot in (*[bot.bot() for bot in job.bots], *in_process)}
        self._players = PlayerCache(
            bots, Path(job.stderr), job.conditions.ponder, is_self_play=job.is_self_play
        )
        self._jobs = {table.name: table for table in job.tables}
        self._tables: dict[str, tuple[Board, Ruleset, Formats]] = {}
        self._begun: set[str] = set()

    def play(self, block: Block, send: Callable[[WorkerMessage], None]) -> Played:
        """Play all games of a block; `send` is called when each begins.

        Raises RefereeError if a record cannot be written or a table cannot be loaded.
        """
        folder = self._folder(block)
        if block.id in self._begun:  # a cluster may send a block twice: its bots know the seed
            self._players.close()
        self._begun.add(block.id)
        self._players.set_values(block.settings)
        games: list[GameReport] = []
        seatings = block.seatings()
        for number, seating in enumerate(seatings):
            send(Playing(block.id, number, seating))
            games.append(self._game(block, number, seatings, folder))
            if self._conditions.fresh:
                self._players.close()
        return Played(block, tuple(games))

    def close(self) -> None:
        """End all bots; no more blocks can be played."""
        self._players.close()

    def _folder(self, block: Block) -> Path | None:
        """Make an empty folder for the records; files of an aborted run are removed."""
        if self._records is None:
            return None
        folder = self._records / block.id
        try:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
        except OSError as error:
            raise RecordRefused(f"cannot write records to {folder}: {error.strerror}") from error
        return folder

    def _table(self, name: str) -> tuple[Board, Ruleset, Formats]:
        if name not in self._tables:
            board, rules = self._jobs[name].load()
            self._tables[name] = (board, rules, Formats(board))
        return self._tables[name]

    def _game(
        self, block: Block, number: int, seatings: list[tuple[str, ...]], folder: Path | None
    ) -> GameReport:
        _, rules, formats = self._table(block.table)
        players = self._players.seat(seatings, number)
        path = None if folder is None else folder.parent / record_name(block.id, number)
        record = None if path is None else RecordWriter(path, formats.get("json", "words"))
        began = time.monotonic()
        with closing(record) if record else nullcontext():
            outcome = RefereedGame(
                formats, rules, block.seed, game_id(block, number), players, self._settings, record
            ).play()
        return GameReport(
            number=number,
            game=outcome.game,
            seats=() if outcome.void else _seats(outcome, seatings[number]),
            faults=tuple(_with_file(fault, players[fault.seat]) for fault in outcome.faults),
            reason=END_REASONS[outcome.state.over],
            turns=outcome.state.turn,
            decisions=outcome.state.decision_id - 1,
            seconds=round(time.monotonic() - began, 4),
            record=None if path is None else _pack(path),
            void=outcome.void,
        )


def _seats(outcome: Outcome, seating: Iterable[str]) -> tuple[SeatReport, ...]:
    faults = [0] * len(outcome.standings)
    for fault in outcome.faults:
        faults[fault.seat] += 1
    return tuple(
        SeatReport(bot, seat.name, seat.rank, seat.total, count, seat.disqualified)
        for bot, seat, count in zip(seating, outcome.standings, faults, strict=True)
    )


def _with_file(fault: FaultRecord, player: CachedPlayer) -> FaultRecord:
    """The fault with the name of the file that the bot writes its stderr to."""
    if not isinstance(player, BotPlayer):
        return fault
    return replace(fault, stderr_file=player.stderr.name)


def _pack(path: Path) -> str:
    """Compress a finished record, and return the name of its file."""
    packed = path.with_name(f"{path.name}.gz")
    try:
        packed.write_bytes(gzip.compress(path.read_bytes(), COMPRESSION, mtime=0))
        path.unlink()
    except OSError as error:
        raise RecordRefused(f"cannot write the record {packed}: {error.strerror}") from error
    return packed.name


def serve(job: Job, blocks: Iterable[bytes], out: BinaryIO) -> None:
    """Play each block that comes in, and write a message for each game and each result."""

    def send(message: WorkerMessage) -> None:
        out.write(messages.encode(message) + b"\n")
        out.flush()

    worker = Worker(job)
    try:
        for line in blocks:
            block = messages.decode_block(line)
            try:
                send(worker.play(block, send))
            except RefereeError as error:
                send(BlockFailed(block.id, str(error)))
    finally:
        worker.close()


def main() -> None:
    """Run a worker process.

    Its argument is the number of its core; standard input gives the job, and then blocks.
    """
    die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process decides when to stop
    if len(sys.argv) > 1:
        pin(int(sys.argv[1]))
    REAPER.take_charge()
    lines = sys.stdin.buffer
    with os.fdopen(os.dup(1), "wb") as out:
        os.dup2(2, 1)  # text that is printed by mistake must not be read as a message
        job = messages.decode_job(lines.readline())
        # After our own, so that no module of a bot takes the place of one of ours.
        sys.path += [path for path in job.import_from if path not in sys.path]
        gc.freeze()
        serve(job, lines, out)


if __name__ == "__main__":
    main()
