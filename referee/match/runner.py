"""One refereed game: ask, judge, record, apply, until it is over."""

from __future__ import annotations

import errno
import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from protocol.messages import PROTOCOL_VERSION
from referee import __version__
from referee.adjudication.clock import ClockRules
from referee.adjudication.faults import DEFAULT_STRIKES, Conduct, Fault, stand_in
from referee.adjudication.standings import final_standings
from referee.encoder import Dialect, Dialects, Speech, Tale
from referee.engine import game, view
from referee.engine.digest import Digester
from referee.engine.ruleset import RULES_VERSION, Ruleset
from referee.engine.state import GameState
from referee.errors import BotRefused, RefereeError
from referee.match.players import Answer, Player
from referee.records.writer import RecordWriter

BY_BOT, BY_SINGLE, BY_REFEREE = "bot", "single", "referee"
# Files, memory, processes and room on the disk: whose turn it is to start is not at fault.
_LACKS = frozenset(
    {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.ENOSPC, errno.EROFS}
)


@dataclass(frozen=True)
class Settings:
    """How a game is refereed, beside its rules."""

    clock: ClockRules = field(default_factory=ClockRules)
    strikes: int = DEFAULT_STRIKES
    stop_at_fault: bool = False


@dataclass(frozen=True)
class Noted:
    """A fault, where and whose."""

    seat: int
    decision_id: int
    fault: Fault
    strikes: int
    disqualified: bool
    stderr: bytes = b""  # the end of what the bot had said there


@dataclass
class Outcome:
    """How a game ended; `void` says why it does not count, if it does not."""

    game: str
    seed: int
    state: GameState
    standings: list[dict[str, object]]
    faults: list[Noted]
    void: str | None = None
    stopped: bool = False  # at a fault, as was asked for


@dataclass
class Watcher:
    """Who looks on: called as things happen; does nothing unless told."""

    applied: Callable[[GameState], None] = lambda _: None
    faulted: Callable[[GameState, Noted], None] = lambda _, __: None
    slow: Callable[[GameState, Answer], None] = lambda _, __: None
    said: Callable[[GameState, str], None] = lambda _, __: None


class Game:
    """One game in progress."""

    def __init__(
        self,
        dialects: Dialects,
        rules: Ruleset,
        seed: int,
        game_id: str,
        players: Sequence[Player],
        settings: Settings,
        record: RecordWriter | None = None,
        watcher: Watcher | None = None,
        state: GameState | None = None,
    ) -> None:
        self.state = state or game.new_game(dialects.board, rules, seed)
        self.seed = seed
        self.id = game_id
        self.players = players
        self.settings = settings
        self.conduct = Conduct(len(players), settings.strikes)
        self.faults: list[Noted] = []
        self.stopped = False
        self._dialects = dialects
        self._record = record
        self._watcher = watcher or Watcher()
        self._free_ns = time.monotonic_ns()
        self._digester = Digester(self.state)

    def play(self) -> Outcome:
        """To the end. An error of the referee makes the game void; no bot is blamed for it."""
        try:
            self._start()
            while not self.state.is_over and not self.stopped:
                self._decide()
            standings = self._standings()
            self._finish(standings)
        except (RefereeError, KeyboardInterrupt):
            raise
        except Exception as error:  # noqa: BLE001  our own bugs must not be a bot's loss
            return self._void(f"{type(error).__name__}: {error}")
        return Outcome(self.id, self.seed, self.state, standings, self.faults, stopped=self.stopped)

    def _start(self) -> None:
        names = [player.name for player in self.players]
        tales: dict[Dialect, Tale] = {}
        faults: list[tuple[int, Fault]] = []
        for seat, player in enumerate(self.players):
            # How it wants to be spoken to is known once it has said hello.
            fault = self._open(player)
            if fault is None:
                dialect = self._dialects.get(*player.dialect)
                tale = tales.setdefault(dialect, Tale(dialect, self.state))
                speech = Speech(tale, seat)
                fault = player.start(speech, self.id, names, self.settings.clock)
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
            if _is_our_lack(error):
                raise
            return Fault("start", str(error))

    def _write_header(self, names: list[str]) -> None:
        if self._record is None:
            return
        players: list[dict[str, object]] = [
            {"seat": seat, "name": name, "version": player.version, "hash": player.content}
            for seat, (name, player) in enumerate(zip(names, self.players, strict=True))
        ]
        settings = self.settings
        self._record.header(
            header_words(self.state, self.seed, self.id, players, settings.clock, settings.strikes)
        )

    def _decide(self) -> None:
        """One decision: its one choice, the bot's answer, or what stands in for it."""
        state = self.state
        options = game.choices(state)
        seat = state.agenda[-1].seat
        if len(options) == 1:
            self._apply(0, BY_SINGLE)
        elif not self.conduct.answers(seat):
            self._apply(stand_in(options), BY_REFEREE)
        else:
            answer = self.players[seat].decide(state.decision_id, options)
            if isinstance(answer, Fault):
                self._free_ns = time.monotonic_ns()  # until now it was the bot that took its time
                self._note(seat, answer)
                if not (self.stopped or state.is_over):
                    self._apply(stand_in(options), BY_REFEREE)
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
            self._watcher.slow(state, answer)
        if answer is not None and answer.say:
            self._watcher.said(state, answer.say)
        turn = state.turn
        game.apply(state, index)
        if self._record is not None and (state.turn != turn or state.is_over):
            self._record.turn(turn, self._digester.digest())
        self._watcher.applied(state)

    def _note(self, seat: int, fault: Fault) -> None:
        """A fault: told to the bot, written down, and judged."""
        state, player = self.state, self.players[seat]
        number = state.decision_id
        asked = None if fault.fault == "start" else number  # nothing was asked yet
        out = self.conduct.strike(seat, fault, number)
        stderr = player.stderr_tail()
        noted = Noted(seat, number, fault, self.conduct.strikes[seat], out, stderr)
        self.faults.append(noted)
        player.refuse(asked, fault, noted.strikes, self.conduct.allowed)
        if out:
            player.dismiss()
            game.emit_disqualified(state, seat, fault.fault, number)
        if self._record is not None:
            self._record.fault(
                seat,
                asked,
                fault.fault,
                fault.message,
                fault.data,
                stderr,
                noted.strikes,
                fault.ms,
            )
        self._watcher.faulted(state, noted)
        self.stopped = self.settings.stop_at_fault
        if self.conduct.nobody_answers():
            game.abandon(state)

    def _standings(self) -> list[dict[str, object]]:
        names = [player.name for player in self.players]
        return final_standings(self.state, self.conduct, names)

    def _finish(self, standings: list[dict[str, object]]) -> None:
        if not self.state.is_over:
            return
        for player in self.players:
            player.end(standings)
        if self._record is not None:
            seats = range(len(self.players))
            missions = [view.mission_words(self.state, seat) for seat in seats]
            self._record.end(self.state, standings, missions)

    def _void(self, reason: str) -> Outcome:
        for player in self.players:
            player.dismiss()  # they are in mid-game, and there is no end to tell
        if self._record is not None:
            self._record.void(reason)
        return Outcome(self.id, self.seed, self.state, [], self.faults, void=reason)


def header_words(
    state: GameState,
    seed: int,
    game_id: str,
    players: Sequence[dict[str, object]],
    clock: ClockRules,
    strikes: int,
) -> dict[str, object]:
    """The first line of a record: all that a game is played by."""
    return {
        "rules_version": RULES_VERSION,
        "protocol": PROTOCOL_VERSION,
        "referee": __version__,
        "rules": state.rules.to_dict(),
        "ruleset": state.rules.name,
        "board_digest": state.board.digest,
        "seed": seed,
        "game": game_id,
        "players": players,
        "clock": {**clock.words(), "by_cpu": clock.by_cpu},
        "strikes": strikes,
    }


def _is_our_lack(error: BotRefused) -> bool:
    """Whether a bot cannot be started because we lack something that every bot needs."""
    cause = error.__cause__
    return isinstance(cause, OSError) and cause.errno in _LACKS


def public_id(rules: Ruleset, names: Sequence[str]) -> str:
    """The id of a single game: of the rules and the names alone, so that it tells nothing of the seed."""
    text = "\n".join((rules.name, *names))
    return "play-" + hashlib.sha256(text.encode()).hexdigest()[:12]
