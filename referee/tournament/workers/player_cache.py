"""The running bots of one worker: an LRU cache, so that a bot plays many games in one process."""

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

CachedPlayer: TypeAlias = BotPlayer | InProcessPlayer


class PlayerCache:
    """Players by bot and copy; the least recently used are ended first."""

    def __init__(self, bots: dict[str, Bot], stderr: Path, ponder: Ponder) -> None:
        self._bots = bots
        self._stderr = stderr
        self._ponder = ponder
        self._players: dict[tuple[str, int], CachedPlayer] = {}  # the least recently used first

    def seat(self, seating: Sequence[str]) -> list[CachedPlayer]:
        """Return a player for each seat; a bot that has two seats has two players."""
        seen: Counter[str] = Counter()
        seated: list[CachedPlayer] = []
        for name in seating:
            seen[name] += 1
            key = (name, seen[name])
            player = self._players.pop(key, None) or self._start(name, seen[name])
            self._players[key] = player  # at the end: the most recently used
            seated.append(player)
        self._end_idle(len(seated))
        return seated

    def _start(self, name: str, copy: int) -> CachedPlayer:
        bot = self._bots[name]
        player_name = name if copy == 1 else f"{name}~{copy}"
        if bot.in_process is not None:
            return InProcessPlayer(replace(bot, name=player_name), copy=copy > 1)
        stderr = self._stderr / f"{player_name}.{os.getpid()}.txt"  # each worker has its own
        return BotPlayer(replace(bot, name=player_name), stderr, ponder=self._ponder)

    def _end_idle(self, at_table: int) -> None:
        for key in list(self._players)[: max(0, len(self._players) - at_table - MOST_IDLE)]:
            _close(self._players.pop(key))

    def close(self) -> None:
        """Ask every player to quit, and end those that do not."""
        for player in self._players.values():
            _close(player)
        self._players.clear()


def _close(player: CachedPlayer) -> None:
    """End a player, and remove its stderr file if that is empty."""
    player.close()
    if isinstance(player, BotPlayer):
        with suppress(OSError):
            if not player.stderr.stat().st_size:
                player.stderr.unlink()
