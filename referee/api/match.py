"""One refereed game from Python, between bots in their own processes and bots in this process."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Unpack, cast

from protocol.parts import Standing
from protocol.words import EndReason
from referee.adjudication.clock import NO_CLOCK, ClockRules
from referee.adjudication.faults import DEFAULT_STRIKES, FaultRecord
from referee.adjudication.standings import Outcome
from referee.api.bots import Bots, find_all, sandboxed
from referee.bots.sandbox.limits import Level
from referee.engine.terms import END_REASONS
from referee.errors import MatchVoid
from referee.match.in_process import InProcessPlayer
from referee.match.runner import Settings, public_id
from referee.match.session import GameSpec, Logs, Session
from referee.options import GameKeywords, load_game, options_from
from referee.random_play import draw_seed

Clock = ClockRules
MatchFault = FaultRecord
DEFAULT_CLOCK: Final = Clock()


@dataclass(frozen=True)
class MatchResult:
    """The result of a game that `play_match` played."""

    standings: list[Standing]  # by seat
    faults: list[MatchFault]
    reason: EndReason | None  # why it ended; None if it stopped at a fault
    turns: int
    decisions: int
    seed: int
    game: str  # the public id
    ruleset: str
    record: Path | None

    @property
    def winners(self) -> list[str]:
        """The names of the bots with rank 1."""
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
    clock: ClockRules | None = DEFAULT_CLOCK,
    strikes: int = DEFAULT_STRIKES,
    stop_at_fault: bool = False,
    sandbox: Level | None = None,
    allow_build: Sequence[str] = (),
    **options: Unpack[GameKeywords],
) -> MatchResult:
    """Play one refereed game, with one bot for each seat, in the order given.

    `record` is the file to write a record to. `clock` is a `Clock`, or None for no time limits; it
    does not limit bots in this process. `strikes` is the number of faults after which a bot is
    disqualified. In the strict sandbox, the builds of the bots named in `allow_build` may use the
    network. The other options are those of `Game`.

    Faults of bots do not raise anything: they are listed in the result. With `stop_at_fault`, the
    game stops at the first fault, and if a bot in this process raised an exception, it is raised
    again. Raises RefereeError if the game cannot be played.
    """
    seats = sandboxed(find_all(bots), sandbox, allow_build)
    board, rules = load_game(options_from(options), len(seats))
    settings = Settings(clock or NO_CLOCK, strikes, stop_at_fault)
    seed = draw_seed() if seed is None else seed
    names = [bot.name for bot in seats]
    table = GameSpec(board, rules, seed, public_id(rules, names), settings)
    path = None if record is None else Path(record)
    with Logs(path) as logs, Session(seats, logs) as session:
        outcome = _play(session, table, path)
    if outcome.stopped:
        _raise_bot_error(session)
    return _result(outcome, path)


def _play(session: Session, table: GameSpec, path: Path | None) -> Outcome:
    session.greet(table.settings.clock)
    record = None if path is None else session.record(path, table.board)
    with closing(record) if record else nullcontext():
        return session.play(table, record=record)


def _raise_bot_error(session: Session) -> None:
    for player in session.players:
        if isinstance(player, InProcessPlayer) and player.error is not None:
            raise player.error


def _result(outcome: Outcome, record: Path | None) -> MatchResult:
    if outcome.void is not None:
        raise MatchVoid(f"the game is void because of an error of the referee: {outcome.void}")
    state = outcome.state
    return MatchResult(
        standings=[standing.to_dict() for standing in outcome.standings],
        faults=outcome.faults,
        reason=cast("EndReason | None", END_REASONS[state.over] or None),
        turns=state.turn,
        decisions=state.decision_id - 1,
        seed=outcome.seed,
        game=outcome.game,
        ruleset=state.rules.name,
        record=record,
    )
