"""One refereed game: ask, judge, record and apply until the game is over."""

from __future__ import annotations

import errno
import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from protocol.messages import PROTOCOL_VERSION
from referee.adjudication.clock import ClockRules
from referee.adjudication.faults import (
    DEFAULT_STRIKES,
    MOST_BYTES,
    Fault,
    FaultRecord,
    Strikes,
    default_choice,
)
from referee.adjudication.standings import Outcome, SeatResult, final_standings
from referee.encoder import Format, Formats, GameEncoder, SeatEncoder
from referee.engine import game
from referee.engine.digest import Digester
from referee.engine.ruleset import Ruleset
from referee.engine.state import GameState
from referee.errors import BotRefused, RefereeError
from referee.match.players import Answer, Player
from referee.records.writer import RecordWriter
from referee.version import __version__

BY_BOT, BY_SINGLE, BY_REFEREE = "bot", "single", "referee"
# This machine has run out of files, memory, processes or disk space: not a fault of the bot.
_OUR_ERRORS = frozenset(
    {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.ENOSPC, errno.EROFS}
)


@dataclass(frozen=True)
class Settings:
    """The clock and the strikes of a game, and whether it stops at a fault."""

    clock: ClockRules = field(default_factory=ClockRules)
    strikes: int = DEFAULT_STRIKES
    stop_at_fault: bool = False


@dataclass
class GameListener:
    """Callbacks for a running game; each defaults to a no-op."""

    applied: Callable[[GameState], None] = lambda _: None
    faulted: Callable[[GameState, FaultRecord], None] = lambda _, __: None
    slow: Callable[[GameState, Answer], None] = lambda _, __: None
    remarked: Callable[[GameState, str], None] = lambda _, __: None


class RefereedGame:
    """One game: asks the players, judges their answers, writes the record."""

    def __init__(
        self,
        formats: Formats,
        rules: Ruleset,
        seed: int,
        game_id: str,
        players: Sequence[Player],
        settings: Settings,
        record: RecordWriter | None = None,
        listener: GameListener | None = None,
        state: GameState | None = None,
    ) -> None:
        self.state = state or game.new_game(formats.board, rules, seed)
        self.seed = seed
        self.id = game_id
        self.players = players
        self.settings = settings
        self.strikes = Strikes(len(players), settings.strikes)
        self.faults: list[FaultRecord] = []
        self.stopped = False
        self._formats = formats
        self._record = record
        self._listener = listener or GameListener()
        self._free_ns = time.monotonic_ns()
        self._digester = Digester(self.state)

    def play(self) -> Outcome:
        """Play to the end. An error of the referee makes the game void; no bot is blamed for it."""
        try:
            self._start()
            while not self.state.is_over and not self.stopped:
                self._decide()
            standings = self._standings()
            self._finish(standings)
        except (RefereeError, KeyboardInterrupt):
            raise
        except Exception as error:  # noqa: BLE001  our own bugs must not cost a bot the game
            return self._void(f"{type(error).__name__}: {error}")
        return Outcome(self.id, self.seed, self.state, standings, self.faults, stopped=self.stopped)

    def _start(self) -> None:
        names = [player.name for player in self.players]
        game_encoders: dict[Format, GameEncoder] = {}
        faults: list[tuple[int, Fault]] = []
        for seat, player in enumerate(self.players):
            # Encoding and detail are known once the bot has said hello.
            fault = self._open(player)
            if fault is None:
                encoding, detail, _ = player.message_format
                message_format = self._formats.get(encoding, detail)
                game_encoder = game_encoders.setdefault(
                    message_format, GameEncoder(message_format, self.state)
                )
                encoder = SeatEncoder(game_encoder, seat)
                fault = player.start(encoder, self.id, names, self.settings.clock)
            if fault is not None:
                faults.append((seat, fault))
        self._write_header(names)
        for seat, fault in faults:
            self._note(seat, fault)
        self._free_ns = time.monotonic_ns()

    def _open(self, player: Player) -> Fault | None:
        try:
            return player.open(self.settings.clock)
        except BotRefused as error:
            if _is_our_error(error):
                raise
            return Fault("start", str(error))

    def _write_header(self, names: list[str]) -> None:
        if self._record is None:
            return
        players: list[dict[str, object]] = [
            {
                "seat": seat,
                "name": name,
                "version": player.version,
                "hash": player.content,
                **player.message_format._asdict(),
            }
            for seat, (name, player) in enumerate(zip(names, self.players, strict=True))
        ]
        settings = self.settings
        self._record.header(
            header_dict(self.state, self.seed, self.id, players, settings.clock, settings.strikes)
        )

    def _decide(self) -> None:
        """One decision: its only choice, the bot's answer, or the default choice."""
        state = self.state
        options = game.choices(state)
        seat = state.agenda[-1].seat
        if len(options) == 1:
            self._apply(0, BY_SINGLE)
        elif not self.strikes.answers(seat):
            self._apply(default_choice(options), BY_REFEREE)
        else:
            answer = self.players[seat].decide(state.decision_id, options)
            if isinstance(answer, Fault):
                self._free_ns = time.monotonic_ns()  # until now the bot took the time
                self._note(seat, answer)
                if not (self.stopped or state.is_over):
                    self._apply(default_choice(options), BY_REFEREE)
            else:
                self._apply(answer.index, BY_BOT, answer)

    def _apply(self, index: int, by: str, answer: Answer | None = None) -> None:
        state = self.state
        if self._record is not None:
            ms = lag_ms = 0.0
            if answer is not None:
                ms, lag_ms = answer.ms, (answer.asked_ns - self._free_ns) / 1e6
                self._free_ns = answer.read_ns
            self._record.decision(state, index, by, ms, lag_ms, answer.say if answer else None)
        if answer is not None and answer.core_wait_ms:
            self._listener.slow(state, answer)
        if answer is not None and answer.say:
            self._listener.remarked(state, answer.say)
        turn = state.turn
        game.apply(state, index)
        if self._record is not None and (state.turn != turn or state.is_over):
            self._record.turn(turn, self._digester.digest())
        self._listener.applied(state)

    def _note(self, seat: int, cause: Fault) -> None:
        """Tell the bot of its fault, write it to the record, and disqualify the seat if need be."""
        state, player = self.state, self.players[seat]
        decision_id = state.decision_id
        is_out = self.strikes.add(seat, cause.fault, decision_id)
        fault = FaultRecord(
            seat=seat,
            name=player.name,
            decision_id=decision_id,
            cause=replace(cause, data=cause.data[:MOST_BYTES]),
            strikes=self.strikes.counts[seat],
            allowed=self.strikes.allowed,
            disqualified=is_out,
            stderr_excerpt=player.stderr_excerpt(),
        )
        self.faults.append(fault)
        player.refuse(fault)
        if is_out:
            player.dismiss()
            game.emit_disqualified(state, seat, cause.fault, decision_id)
        if self._record is not None:
            self._record.fault(fault)
        self._listener.faulted(state, fault)
        self.stopped = self.settings.stop_at_fault
        if self.strikes.nobody_answers():
            game.abandon(state)

    def _standings(self) -> list[SeatResult]:
        names = [player.name for player in self.players]
        return final_standings(self.state, self.strikes, names)

    def _finish(self, standings: list[SeatResult]) -> None:
        if not self.state.is_over:
            return
        for player in self.players:
            player.end(standings)
        if self._record is not None:
            self._record.end(self.state, standings)

    def _void(self, reason: str) -> Outcome:
        for player in self.players:
            player.dismiss()  # the game has no end that could be sent
        if self._record is not None:
            self._record.void(reason)
        return Outcome(self.id, self.seed, self.state, [], self.faults, void=reason)


def header_dict(
    state: GameState,
    seed: int,
    game_id: str,
    players: Sequence[dict[str, object]],
    clock: ClockRules,
    strikes: int,
) -> dict[str, object]:
    """The first line of a record: the rules, the players and the settings of a game."""
    return {
        "rules_version": state.rules.version,
        "protocol": PROTOCOL_VERSION,
        "referee": __version__,
        "rules": state.rules.to_dict(),
        "ruleset": state.rules.name,
        "board_digest": state.board.digest,
        "seed": seed,
        "game": game_id,
        "players": players,
        "clock": clock.to_dict(),
        "strikes": strikes,
    }


def _is_our_error(error: BotRefused) -> bool:
    """Whether a bot cannot start because this machine lacks something that every bot needs."""
    cause = error.__cause__
    return isinstance(cause, OSError) and cause.errno in _OUR_ERRORS


def public_id(rules: Ruleset, names: Sequence[str]) -> str:
    """The id of a single game, made of the rules and the names only, so that it hides the seed."""
    text = "\n".join((rules.name, *names))
    return "play-" + hashlib.sha256(text.encode()).hexdigest()[:12]
