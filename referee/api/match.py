"""One refereed game from Python: bots in processes and bots in this one at the same table."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Unpack, cast

from referee.adjudication.clock import NO_CLOCK, ClockRules
from referee.adjudication.faults import DEFAULT_STRIKES
from referee.api.bots import Bots, find_all, sandboxed
from referee.bots.sandbox.limits import Level
from referee.engine.terms import END_REASONS
from referee.errors import MatchVoid
from referee.match.in_process import InProcessPlayer
from referee.match.runner import Noted, Outcome, Settings, public_id
from referee.match.session import Logs, Session, Table
from referee.narration.result import StandingWords
from referee.options import GameOptions, lay
from referee.random_play import draw_seed

Clock = ClockRules
USUAL_CLOCK: Final = Clock()


@dataclass(frozen=True)
class MatchFault:
    """What a bot did wrong, where, and what it cost."""

    seat: int
    name: str
    decision_id: int
    fault: str  # crash, illegal, timeout, ...
    message: str
    strikes: int
    disqualified: bool
    stderr: str  # the end of what the bot said there; the traceback of a bot in this process


@dataclass(frozen=True)
class MatchResult:
    """A finished game."""

    standings: list[StandingWords]  # by seat
    faults: list[MatchFault]
    reason: str | None  # why it ended; None if it was stopped at a fault
    turns: int
    decisions: int
    seed: int
    game: str  # the public id
    ruleset: str
    record: Path | None

    @property
    def winners(self) -> list[str]:
        """The names of those in the first place."""
        return [place["name"] for place in self.standings if place["rank"] == 1]

    def __str__(self) -> str:
        ranked = sorted(self.standings, key=lambda place: place["rank"])
        places = [f"{place['rank']}. {place['name']} {place['total']}" for place in ranked]
        return f"{', '.join(places)} (seed {self.seed})"


def play_match(
    bots: Bots,
    *,
    seed: int | None = None,
    record: str | Path | None = None,
    clock: ClockRules | None = USUAL_CLOCK,
    strikes: int = DEFAULT_STRIKES,
    stop_at_fault: bool = False,
    sandbox: Level | None = None,
    **options: Unpack[GameOptions],
) -> MatchResult:
    """Play one game, a bot for each seat in the order given.

    A fault of a bot is in the result, and costs it what it costs everywhere. With `stop_at_fault`
    the game ends there, and what a bot in this process raised is raised again.
    """
    seats = sandboxed(find_all(bots), sandbox)
    board, rules = lay(len(seats), **options)
    settings = Settings(clock or NO_CLOCK, strikes, stop_at_fault)
    seed = draw_seed() if seed is None else seed
    names = [bot.name for bot in seats]
    table = Table(board, rules, seed, public_id(rules, names), settings)
    path = None if record is None else Path(record)
    logs = Logs(path)
    try:
        with Session(seats, logs) as session:
            outcome = _play(session, table, path)
    finally:
        logs.tidy(keep=False)
    if outcome.stopped:
        _raise_again(session)
    return _result(outcome, names, path)


def _play(session: Session, table: Table, path: Path | None) -> Outcome:
    session.greet(table.settings.clock)
    record = None if path is None else session.record(path, table.board)
    with closing(record) if record else nullcontext():
        return session.play(table, record=record)


def _raise_again(session: Session) -> None:
    for player in session.players:
        if isinstance(player, InProcessPlayer) and player.error is not None:
            raise player.error


def _result(outcome: Outcome, names: Sequence[str], record: Path | None) -> MatchResult:
    if outcome.void is not None:
        raise MatchVoid(f"the game is void, by an error of the referee: {outcome.void}")
    state = outcome.state
    return MatchResult(
        standings=cast("list[StandingWords]", outcome.standings),
        faults=[_fault(noted, names[noted.seat]) for noted in outcome.faults],
        reason=END_REASONS[state.over] or None,
        turns=state.turn,
        decisions=state.decision_id - 1,
        seed=outcome.seed,
        game=outcome.game,
        ruleset=state.rules.name,
        record=record,
    )


def _fault(noted: Noted, name: str) -> MatchFault:
    return MatchFault(
        seat=noted.seat,
        name=name,
        decision_id=noted.decision_id,
        fault=noted.fault.fault,
        message=noted.fault.message,
        strikes=noted.strikes,
        disqualified=noted.disqualified,
        stderr=noted.stderr.decode(errors="replace"),
    )
