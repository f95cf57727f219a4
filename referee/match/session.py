"""A session: bots are opened, play one game or more, and are ended. It prints nothing."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, TypeAlias

from referee.adjudication.clock import ClockRules
from referee.adjudication.faults import Fault
from referee.adjudication.standings import Outcome
from referee.bots.build import build_bot
from referee.bots.find import Bot
from referee.encoder import Dialects
from referee.engine import game
from referee.engine.board import Board
from referee.engine.ruleset import Ruleset
from referee.engine.state import GameState
from referee.errors import BotSilent, RecordRefused
from referee.match.human import HumanPlayer, Terminal
from referee.match.in_process import InProcessPlayer
from referee.match.players import BotPlayer, Player, Ponder
from referee.match.runner import Game, GameListener, Settings
from referee.records.writer import Past, RecordWriter
from referee.system import can_pin, current_core, pinned, usable_cores
from referee.text import visible

Tell: TypeAlias = Callable[[str], None]
Seated: TypeAlias = BotPlayer | HumanPlayer | InProcessPlayer

TAIL_LINES: Final = 8


@dataclass(frozen=True)
class Table:
    """What is played: the board and the rules, the chance, and how it is refereed."""

    board: Board
    rules: Ruleset
    seed: int
    game: str  # the public id
    settings: Settings


class Logs:
    """Where the bots' stderr goes: a folder beside the record, else a temporary one."""

    def __init__(self, record: Path | None = None) -> None:
        # A device such as /dev/null has no room beside it.
        beside = record is not None and (not record.exists() or record.is_file())
        self.is_temporary = not beside
        if record is not None and beside:
            self.folder = Path(f"{record}.stderr")
        else:
            self.folder = Path(tempfile.mkdtemp(prefix="referee-stderr-"))

    def file(self, name: str) -> Path:
        """The file of one bot; what an earlier game left in it is gone."""
        path = self.folder / f"{name}.txt"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
        except OSError as error:
            raise RecordRefused(
                f"cannot write beside the record, to {self.folder}: {error.strerror}"
            ) from error
        return path

    def tidy(self, *, keep: bool) -> None:
        """Empty files go; a temporary folder goes unless it is kept."""
        if self.is_temporary and not keep:
            shutil.rmtree(self.folder, ignore_errors=True)
            return
        try:
            for path in self.folder.glob("*.txt"):
                if not path.stat().st_size:
                    path.unlink()
            self.folder.rmdir()  # if nothing is in it
        except OSError:
            pass


def stderr_file(path: Path) -> str | None:
    """The path of a bot's stderr, if there is anything in it."""
    try:
        return str(path) if path.stat().st_size else None
    except OSError:
        return None


class Session:
    """Bots at a table, from their start to their certain end; used by `with`."""

    def __init__(
        self,
        bots: Sequence[Bot],
        logs: Logs,
        *,
        ponder: Ponder = "report",
        terminal: Terminal | None = None,
        tell: Tell | None = None,
    ) -> None:
        self._bots = bots
        self._logs = logs
        self._ponder = ponder
        self._terminal = terminal
        self._tell = tell
        self._dialects: dict[str, Dialects] = {}
        self._pinning = ExitStack()
        self.players: list[Seated] = []

    def __enter__(self) -> Session:
        for bot in self._bots:
            build_bot(bot, self._tell)
        mine, theirs = self._share_cores()
        self.players = [self._seat(bot, core) for bot, core in zip(self._bots, theirs, strict=True)]
        self._pinning.enter_context(pinned(mine))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # After an error nobody waits for a farewell.
        try:
            for player in self._bot_players():
                if kind is None:
                    player.close()
        finally:
            for player in self._bot_players():
                player.dismiss()
            self._pinning.close()

    def _share_cores(self) -> tuple[int | None, list[int | None]]:
        """As is best for speed; but who answers in this process may need all that it has."""
        if any(bot.in_process is not None for bot in self._bots):
            return None, [None] * len(self._bots)
        return share_cores(len(self._bots), self._ponder)

    def _bot_players(self) -> list[BotPlayer]:
        return [player for player in self.players if isinstance(player, BotPlayer)]

    def _seat(self, bot: Bot, core: int | None) -> Seated:
        if bot.in_process is not None:
            return InProcessPlayer(bot, copy="#" in bot.name)  # it sits here already
        if not bot.is_human:
            return BotPlayer(bot, self._logs.file(bot.name), core=core, ponder=self._ponder)
        assert self._terminal is not None, "a person needs a terminal"
        return HumanPlayer(bot.name, self._terminal)

    def greet(self, clock: ClockRules) -> None:
        """Start every bot and hear its hello; BotSilent if one does not say it."""
        for player in self._bot_players():
            fault = player.open(clock)
            if fault is not None:
                raise BotSilent(_silence(player, fault))

    def record(self, path: Path, board: Board, past: Past | None = None) -> RecordWriter:
        """A record to be written; RecordRefused if it cannot be."""
        return RecordWriter(path, self._dialects_of(board).get("json", "words"), past)

    def play(
        self,
        table: Table,
        *,
        record: RecordWriter | None = None,
        listener: GameListener | None = None,
        state: GameState | None = None,
    ) -> Outcome:
        """One game to its end, or from a position on."""
        state = state or game.new_game(table.board, table.rules, table.seed)
        listener = listener or GameListener()
        for seat, player in enumerate(self.players):
            if isinstance(player, HumanPlayer):
                player.sit(state, seat)
        players: Sequence[Player] = self.players
        listener.applied(state)
        outcome = Game(
            self._dialects_of(table.board),
            table.rules,
            table.seed,
            table.game,
            players,
            table.settings,
            record,
            listener,
            state,
        ).play()
        listener.applied(state)
        return outcome

    def _dialects_of(self, board: Board) -> Dialects:
        if board.digest not in self._dialects:
            self._dialects[board.digest] = Dialects(board)
        return self._dialects[board.digest]


def _silence(player: BotPlayer, fault: Fault) -> str:
    """Which bot does not start, why, and the last lines of its stderr."""
    tail = player.stderr_tail().decode(errors="replace").strip().splitlines()[-TAIL_LINES:]
    said = "\n  ".join(visible(line) for line in tail)
    heard = f"; its stderr ({player.stderr}) ends with\n  {said}" if said else ""
    return f"bot {player.name} {fault.message}{heard}"


def share_cores(bots: int, ponder: Ponder) -> tuple[int | None, list[int | None]]:
    """The referee's core and those of its bots: one for all, which makes the way between them short.

    Where pondering is allowed every bot has a core of its own, if there are enough of them. None
    leaves it to the system.
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
