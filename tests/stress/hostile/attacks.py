"""Attacks on the referee: which processes survive, and how soon the game continues."""

from __future__ import annotations

import math
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from referee import atlas
from referee.adjudication.clock import NO_CLOCK, ClockRules
from referee.adjudication.faults import Fault
from referee.bench.common import one_core
from referee.bots.find import Bot
from referee.bots.sandbox.bubblewrap import is_root
from referee.bots.sandbox.limits import MIB, Level, Limits
from referee.encoder import Formats, SeatEncoder
from referee.engine.choice import Choice
from referee.engine.ruleset import make_ruleset
from referee.match.players import Answer, BotPlayer
from referee.match.runner import RefereedGame, Settings
from referee.system import descendants, has_process_files
from stress.hostile import bot as hostile_bot
from stress.program import StressRefused, heading

KINDS: Final = tuple(hostile_bot.KINDS)
SMALL: Final = Limits(memory=64 * MIB, processes=32, scratch=8 * MIB, file_size=4 * MIB)
MOST_LAG_MS: Final = 50.0
SILENT: Final = ("fork-bomb", "sigterm-ignorer", "stderr-flood")  # they never answer
SILENT_MS: Final = 100  # their time limit
MOVE_MS: Final = 60_000  # the limit of the others, which are at fault much earlier
MAX_TURNS: Final = 6


@dataclass(frozen=True)
class Attack:
    """The result of many attacks of one kind."""

    kind: str
    kills: int
    faults: dict[str, int]  # the number of faults of each kind
    survivors: int  # processes of attackers, after all attackers were killed
    unfinished: int  # games that did not end normally
    lag_ms: float  # median time from the fault to the next request to another bot
    p99_lag_ms: float
    most_lag_ms: float

    def is_held(self, lag_limit_ms: float = MOST_LAG_MS) -> bool:
        """Whether no process survived, and the games continued soon enough."""
        return not self.survivors and not self.unfinished and self.most_lag_ms <= lag_limit_ms


class Round(NamedTuple):
    """One game: the fault, the time from it to the next request, and whether the game ended."""

    fault: str
    lag_ms: float
    ended: bool


class Attacker:
    """The player in the first seat, with its own clock; it notes the time of its fault."""

    def __init__(self, player: BotPlayer) -> None:
        self._player = player
        self._move_ms = SILENT_MS if player.bot.name in SILENT else MOVE_MS
        self.fault: Fault | None = None
        self.fault_at = 0.0

    def __getattr__(self, name: str) -> Any:
        """Everything else is as with any bot."""
        return getattr(self._player, name)

    def start(
        self, encoder: SeatEncoder, game: str, names: list[str], clock: ClockRules
    ) -> Fault | None:
        """Start with its own time for a decision."""
        return self._player.start(encoder, game, names, replace(clock, move_ms=self._move_ms))

    def decide(self, decision_id: int, options: list[Choice]) -> Answer | Fault:
        """Note the time of its fault."""
        heard = self._player.decide(decision_id, options)
        if isinstance(heard, Fault):
            self.fault, self.fault_at = heard, time.perf_counter()
        return heard


class Neighbour:
    """A player in another seat; it reports when it is asked."""

    def __init__(self, player: BotPlayer, asked: Callable[[], None]) -> None:
        self._player = player
        self._asked = asked

    def __getattr__(self, name: str) -> Any:
        """Everything else is as with any bot."""
        return getattr(self._player, name)

    def decide(self, decision_id: int, options: list[Choice]) -> Answer | Fault:
        """Report that it is asked, then answer."""
        self._asked()
        return self._player.decide(decision_id, options)


class AttackedTable:
    """Games of two players that stay and one attacker after the other."""

    def __init__(self, level: Level, folder: Path) -> None:
        self._level, self._folder = level, folder
        board = atlas.load_board("hanse-2-3")
        self._rules = make_ruleset(atlas.load_components(), board, 3, max_turns=MAX_TURNS)
        self._formats = Formats(board)
        self._neighbours = [self._player("plain", number) for number in (1, 2)]

    def _player(self, kind: str, number: int) -> BotPlayer:
        program = Path(hostile_bot.__file__)
        command = (sys.executable, "-I", "-S", str(program), kind)
        bot = Bot(kind, command, self._folder, "bench", level=self._level, limits=SMALL)
        return BotPlayer(bot, self._folder / f"{kind}-{number}.txt")

    def attack(self, kind: str, number: int) -> Round:
        """Play one game with one attacker, which is killed afterwards."""
        player = self._player(kind, 0)
        attacker = Attacker(player)
        lags: list[float] = []

        def asked() -> None:
            if attacker.fault is not None and not lags:
                lags.append((time.perf_counter() - attacker.fault_at) * 1000)

        neighbours = [Neighbour(one, asked) for one in self._neighbours]
        settings = Settings(clock=NO_CLOCK, strikes=1)
        game = RefereedGame(
            self._formats, self._rules, number, kind, [attacker, *neighbours], settings
        )  # fmt: skip
        try:
            outcome = game.play()
        finally:
            player.dismiss()
        ended = outcome.void is None and bool(outcome.standings)
        fault = "none" if attacker.fault is None else attacker.fault.fault
        return Round(fault, lags[0] if lags else math.inf, ended)

    def close(self) -> None:
        for player in self._neighbours:
            player.close()


def attacks(level: Level) -> list[str]:
    """Return the kinds that are safe to try: only the strict level limits the processes of root."""
    return [kind for kind in KINDS if kind != "fork-bomb" or level == "strict" or not is_root()]


def measure(level: Level, kind: str, kills: int, seed: int = 0) -> Attack:
    """Make this many attacks of one kind, one after the other, and count the surviving processes."""
    if not has_process_files():
        raise StressRefused("processes are found in /proc, which this system does not have")
    before = set(descendants(os.getpid()))
    with one_core(), tempfile.TemporaryDirectory(prefix="referee-hostile-") as folder:
        table = AttackedTable(level, Path(folder))
        try:
            rounds = [table.attack(kind, seed + number) for number in range(kills)]
        finally:
            table.close()
    left = set(descendants(os.getpid())) - before
    lags = sorted(one.lag_ms for one in rounds)
    return Attack(
        kind,
        kills,
        dict(Counter(one.fault for one in rounds)),
        len(left),
        sum(not one.ended for one in rounds),
        median(lags),
        lags[math.ceil(len(lags) * 0.99) - 1],
        lags[-1],
    )


def to_dict(level: Level, found: list[Attack], lag_limit_ms: float) -> dict[str, object]:
    """Every figure, for JSON."""
    return {
        **heading("hostile"),
        "sandbox": level,
        "root": is_root(),
        "lag_limit_ms": lag_limit_ms,
        "held": all(attack.is_held(lag_limit_ms) for attack in found),
        "attacks": [asdict(attack) for attack in found],
    }
