"""A session starts bots, plays one or more games with them, and ends them. It prints nothing."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TypeAlias

from referee.adjudication.clock import ClockRules
from referee.adjudication.faults import Fault
from referee.adjudication.standings import Outcome
from referee.bots.build import build_bots
from referee.bots.find import Bot
from referee.encoder import Formats
from referee.engine import game
from referee.engine.board import Board
from referee.engine.ruleset import Ruleset
from referee.engine.state import GameState
from referee.errors import BotSilent, RecordRefused
from referee.match.hints import Adviser, Hints
from referee.match.human import HumanPlayer, HumanTerminal
from referee.match.in_process import InProcessPlayer
from referee.match.players import BotPlayer, Player, Ponder
from referee.match.remote_player import RemotePlayer, RemoteSeats
from referee.match.runner import GameListener, RefereedGame, Settings
from referee.records.writer import Past, RecordWriter
from referee.system import can_pin, current_core, pinned, usable_cores
from referee.text import indented

Notify: TypeAlias = Callable[[str], None]
SeatPlayer: TypeAlias = BotPlayer | HumanPlayer | RemotePlayer | InProcessPlayer


@dataclass(frozen=True)
class GameSpec:
    """A game to play: its board, rules, seed, public id and settings."""

    board: Board
    rules: Ruleset
    seed: int
    game: str  # the public id
    settings: Settings


class Logs:
    """Where the bots' stderr goes: a folder beside the record, which stays, else a temporary one.

    As a context manager it tidies up at the end, whatever happens.
    """

    def __init__(self, record: Path | None = None) -> None:
        # Nothing can be created beside a device such as /dev/null.
        beside = record is not None and (not record.exists() or record.is_file())
        self.is_temporary = not beside
        self.folder = Path(f"{record}.stderr") if beside else None  # None: not yet made

    def __enter__(self) -> Logs:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.tidy()

    def file(self, name: str) -> Path:
        """The stderr file of one bot; one that an earlier game left is deleted."""
        if self.folder is None:
            self.folder = Path(tempfile.mkdtemp(prefix="referee-stderr-"))
        path = self.folder / f"{name}.txt"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
        except OSError as error:
            raise RecordRefused(
                f"cannot write bots' stderr to {self.folder}: {error.strerror}"
            ) from error
        return path

    def kept_file(self, path: Path) -> str:
        """The path of a bot's stderr if it can be read after the game; empty if not."""
        with suppress(OSError):
            if not self.is_temporary and path.stat().st_size:
                return str(path)
        return ""

    def tidy(self) -> None:
        """Delete a temporary folder; of one beside a record, delete empty files."""
        if self.folder is None:
            return
        if self.is_temporary:
            shutil.rmtree(self.folder, ignore_errors=True)
            return
        with suppress(OSError):
            for path in self.folder.glob("*.txt"):
                if not path.stat().st_size:
                    path.unlink()
            self.folder.rmdir()  # if it is empty


class Session:
    """The players of a game, as a context manager that starts and ends the bots."""

    def __init__(
        self,
        bots: Sequence[Bot],
        logs: Logs,
        *,
        ponder: Ponder = "report",
        terminal: HumanTerminal | None = None,
        remote: RemoteSeats | None = None,
        adviser: Adviser | None = None,
        notify: Notify | None = None,
    ) -> None:
        self._bots = bots
        self._logs = logs
        self._ponder = ponder
        self._terminal = terminal
        self._remote = remote
        self._adviser = adviser
        self._notify = notify
        self._formats: dict[str, Formats] = {}
        self._pinning = ExitStack()
        self.players: list[SeatPlayer] = []

    def __enter__(self) -> Session:
        build_bots(self._bots, self._notify)
        own_core, bot_cores = self._share_cores()
        self.players = [
            self._seat(bot, core) for bot, core in zip(self._bots, bot_cores, strict=True)
        ]
        self._pinning.enter_context(pinned(own_core))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # After an error bots are killed without waiting for them to quit.
        try:
            for player in self._bot_players():
                if kind is None:
                    player.close()
        finally:
            for player in self._bot_players():
                player.dismiss()
            self._pinning.close()

    def _share_cores(self) -> tuple[int | None, list[int | None]]:
        """The fastest placement; a bot in this process may need every core."""
        if any(bot.in_process is not None for bot in self._bots):
            return None, [None] * len(self._bots)
        return share_cores(len(self._bots), self._ponder)

    def _bot_players(self) -> list[BotPlayer]:
        return [player for player in self.players if isinstance(player, BotPlayer)]

    def _seat(self, bot: Bot, core: int | None) -> SeatPlayer:
        if bot.in_process is not None:
            return InProcessPlayer(bot, copy="#" in bot.name)
        if not bot.is_human:
            return BotPlayer(bot, self._logs.file(bot.name), core=core, ponder=self._ponder)
        if self._remote is not None:
            return RemotePlayer(bot.name, self._remote)
        assert self._terminal is not None, "a person needs a terminal"
        return HumanPlayer(bot.name, self._terminal)

    def greet(self, clock: ClockRules) -> None:
        """Start every bot and wait for its `hello`; BotSilent if one does not send it."""
        for player in self._bot_players():
            fault = player.open(clock)
            if fault is not None:
                raise BotSilent(self._silence(player, fault))

    def _silence(self, player: BotPlayer, fault: Fault) -> str:
        """The sentence about a bot that does not start, with an excerpt of its stderr."""
        written = indented(player.stderr_excerpt().decode(errors="replace"))
        file = self._logs.kept_file(player.stderr)
        where = f" ({file})" if file else ""
        stderr = f"; its stderr{where} says:{written}" if written else ""
        return f"bot {player.name} {fault.message}{stderr}"

    def record(self, path: Path, board: Board, past: Past | None = None) -> RecordWriter:
        """Open a record to write; RecordRefused if it cannot be written."""
        message_format = self._formats_of(board).get("json", "words")
        return RecordWriter(path, message_format, past, hints=self._adviser is not None)

    def play(
        self,
        spec: GameSpec,
        *,
        record: RecordWriter | None = None,
        listener: GameListener | None = None,
        state: GameState | None = None,
    ) -> Outcome:
        """Play one game to its end, from its beginning or from `state`."""
        state = state or game.new_game(spec.board, spec.rules, spec.seed)
        listener = listener or GameListener()
        hints = None if self._adviser is None else Hints(self._adviser, record)
        for seat, player in enumerate(self.players):
            if isinstance(player, HumanPlayer | RemotePlayer):
                player.sit(state, seat, hints)
        players: Sequence[Player] = self.players
        listener.applied(state)
        outcome = RefereedGame(
            self._formats_of(spec.board),
            spec.rules,
            spec.seed,
            spec.game,
            players,
            spec.settings,
            record,
            listener,
            state,
        ).play()
        listener.applied(state)
        return outcome

    def _formats_of(self, board: Board) -> Formats:
        if board.digest not in self._formats:
            self._formats[board.digest] = Formats(board)
        return self._formats[board.digest]


def share_cores(bots: int, ponder: Ponder) -> tuple[int | None, list[int | None]]:
    """The cores for the referee and for its bots: the same one, which makes messages fast.

    Where pondering is allowed, every bot gets its own core if there are enough. None means that
    the system decides.
    """
    nowhere: list[int | None] = [None] * bots
    if not can_pin():
        return None, nowhere
    if ponder != "allow":
        return current_core(), nowhere  # a child inherits it
    cores = usable_cores()
    if len(cores) <= bots:
        return None, nowhere
    return cores[0], list(cores[1 : bots + 1])
