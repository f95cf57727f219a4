"""The bots of one worker: processes that go on from game to game, and no more of them than fit."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeAlias

from referee.bots.find import Bot
from referee.match.in_process import InProcessPlayer
from referee.match.players import BotPlayer, Ponder

MOST_IDLE: Final = 12

Hired: TypeAlias = BotPlayer | InProcessPlayer


class PlayerCache:
    """Players by bot and copy; those that were idle longest leave first."""

    def __init__(self, bots: dict[str, Bot], stderr: Path, ponder: Ponder) -> None:
        self._bots = bots
        self._stderr = stderr
        self._ponder = ponder
        self._players: dict[tuple[str, int], Hired] = {}  # the longest idle first

    def seat(self, seating: Sequence[str]) -> list[Hired]:
        """A player for each seat; a bot that is there twice has two."""
        seen: Counter[str] = Counter()
        seated: list[Hired] = []
        for name in seating:
            seen[name] += 1
            key = (name, seen[name])
            player = self._players.pop(key, None) or self._hire(name, seen[name])
            self._players[key] = player  # at the end: it was here last
            seated.append(player)
        self._dismiss_idle(len(seated))
        return seated

    def _hire(self, name: str, copy: int) -> Hired:
        bot = self._bots[name]
        called = name if copy == 1 else f"{name}~{copy}"
        if bot.in_process is not None:
            return InProcessPlayer(replace(bot, name=called), copy=copy > 1)
        stderr = self._stderr / f"{called}.{os.getpid()}.txt"  # other workers have others
        return BotPlayer(replace(bot, name=called), stderr, ponder=self._ponder)

    def _dismiss_idle(self, at_table: int) -> None:
        for key in list(self._players)[: max(0, len(self._players) - at_table - MOST_IDLE)]:
            _close(self._players.pop(key))

    def close(self) -> None:
        """End all of them, in good order."""
        for player in self._players.values():
            _close(player)
        self._players.clear()


def _close(player: Hired) -> None:
    """End it; a stderr file that nothing was said to goes as well."""
    player.close()
    if isinstance(player, BotPlayer):
        with suppress(OSError):
            if not player.stderr.stat().st_size:
                player.stderr.unlink()
