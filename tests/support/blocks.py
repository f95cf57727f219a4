"""Finished blocks of a tournament with invented results."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from msgspec.structs import replace

from referee.adjudication.faults import Fault, FaultRecord
from referee.tournament.results import Block
from referee.tournament.workers.messages import GameReport, Played, SeatReport

TABLE = "hanse-4-5:4:bigbox"


def block(number: int = 0, bots: Sequence[str] = ("a", "b", "c", "d"), stage: int = 0) -> Block:
    return Block(f"b-{number:04}", TABLE, tuple(bots), 1000 + number, stage)


def fault(seat: int = 0, *, disqualified: bool = False) -> FaultRecord:
    return FaultRecord(
        seat, "bot", 7, Fault("illegal", "chose 99", b"\xff{}"), 1, 3, disqualified, b"oops\n"
    )


def finished_block(
    of: Block | None = None, faults: Sequence[FaultRecord] = (), void: str | None = None
) -> Played:
    """Return a finished block in which seat 0 wins, then seat 1, ...; its first game has the faults."""
    of = of or block()
    games = [
        GameReport(
            number=number,
            game=f"g-{of.id}-{number}",
            seats=() if void else _seats(seating, faults if number == 0 else ()),
            faults=tuple(faults) if number == 0 else (),
            reason="prestige",
            turns=40,
            decisions=200,
            seconds=0.5,
            record=f"{number}.jsonl.gz",
            void=void,
        )
        for number, seating in enumerate(of.seatings())
    ]
    return Played(of, tuple(games))


def at_fault(
    *bots: str, play: Callable[[Block], Played] = finished_block
) -> Callable[[Block], Played]:
    """Return a function that plays a block in which these bots are at fault in every game."""
    return lambda of: Played(of, tuple(_blamed(game, bots) for game in play(of).games))


def _blamed(game: GameReport, bots: Collection[str]) -> GameReport:
    seats = tuple(replace(seat, faults=int(seat.bot in bots)) for seat in game.seats)
    faults = tuple(fault(number) for number, seat in enumerate(seats) if seat.faults)
    return replace(game, seats=seats, faults=faults)


def _seats(seating: Sequence[str], faults: Sequence[FaultRecord]) -> tuple[SeatReport, ...]:
    return tuple(
        SeatReport(
            bot=bot,
            name=bot,
            rank=seat + 1,
            total=40 - seat,
            faults=sum(fault.seat == seat for fault in faults),
            out="illegal" if any(f.seat == seat and f.disqualified for f in faults) else None,
        )
        for seat, bot in enumerate(seating)
    )
