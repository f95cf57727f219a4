"""Sequential tests whose games are not played: the results of a block follow from its id."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace as renamed
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from referee.bots.find import Bot, find_bot
from referee.tournament.opening import OpenTournament, open_tournament
from referee.tournament.request import TournamentRequest
from referee.tournament.results import Block
from referee.tournament.run import RunResult, play
from referee.tournament.workers.messages import GameReport, Played
from referee.tournament.workers.pool import WorkerEvent
from support.blocks import finished_block
from support.two_workers import TwoWorkers

SECRET = "5a" * 16
HERO = "new"


def draw_results(block: Block, advantage: float = 0.15) -> Played:
    """Return a finished block with random ranks, in which the hero has an advantage."""
    rng = Random(block.id)

    def ranked(game: GameReport) -> GameReport:
        order = sorted(game.seats, key=lambda seat: rng.random() - advantage * (seat.bot == HERO))
        places = {id(seat): place for place, seat in enumerate(order, start=1)}
        return replace(
            game, seats=tuple(replace(seat, rank=places[id(seat)]) for seat in game.seats)
        )

    return Played(block, tuple(map(ranked, finished_block(block).games)))


class MortalWorkers(TwoWorkers):
    """Workers that are interrupted when they have finished this many blocks."""

    def __init__(self, blocks: int, play: Callable[[Block], WorkerEvent] = draw_results) -> None:
        super().__init__(play)
        self.left = blocks

    def wait(self, seconds: float) -> list[WorkerEvent]:
        if self.left == 0:
            raise KeyboardInterrupt
        self.left -= 1
        return super().wait(seconds)


@cache
def _bot(name: str) -> Bot:
    return renamed(find_bot("random"), name=name, content=name)


def open_test(
    folder: Path, bots: tuple[str, ...] = (HERO, "old"), **options: Any
) -> OpenTournament:
    """Open a sequential test that always plays the same games."""
    settings = {"seats": 4, "seed": 7, "sprt": (0.0, 100.0), **options}
    request = TournamentRequest(bots=bots, **settings)
    return open_tournament(folder, request, find=_bot, secret=SECRET)


def run_test(
    folder: Path,
    workers: TwoWorkers | None = None,
    bots: tuple[str, ...] = (HERO, "old"),
    **options: Any,
) -> RunResult:
    """Begin or continue a sequential test with these workers."""
    opened = open_test(folder, bots, **options)
    with opened.store:
        return play(opened, lambda: workers or TwoWorkers(draw_results))
