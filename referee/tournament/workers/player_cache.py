"""The running bots of one worker: an LRU cache, so that a process of a bot plays many games.

All games of a block have the same seed, so a process that played two of them would know in the
second what is hidden. Therefore a process plays only the first games of its blocks, or only the
second ones, and so on. A bot that plays only itself gains nothing by that knowledge: there, one
process plays all games of a block, and fewer processes start.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from referee.bots.find import Bot, with_values
from referee.bots.parameters import parse_values
from referee.match.imported import loaded
from referee.match.in_process import InProcessPlayer
from referee.match.players import BotPlayer, Ponder
from referee.system import most_open_files

MOST_IDLE: Final = 12  # bots without a seat whose processes keep running
MOST_PLAYERS: Final = 128
FILES_PER_PLAYER: Final = (
    8  # it opens at most five; the rest is for the worker and for starting bots
)

CachedPlayer: TypeAlias = BotPlayer | InProcessPlayer


class PlayerKey(NamedTuple):
    """What a player is used for again."""

    bot: str
    copy: int  # from 1: which of the seats of this bot at one table
    game: int  # the number of the game in its block; always 0 if a bot plays only itself


class PlayerCache:
    """Players by bot, copy and number of the game; the least recently used are ended first."""

    def __init__(
        self, bots: dict[str, Bot], stderr: Path, ponder: Ponder, *, is_self_play: bool = False
    ) -> None:
        self._bots = bots
        self._entered = dict(bots)  # with the values that they were entered with
        self._is_self_play = is_self_play
        self._stderr = stderr
        self._ponder = ponder
        self._players: dict[PlayerKey, CachedPlayer] = {}  # the least recently used first
        self._most = 0  # players that may run at once

    def set_values(self, settings: Sequence[tuple[str, Sequence[str]]]) -> None:
        """Give bots the values of a block; players with other values are ended.

        `settings` are those of a Block. BotRefused if a value is not valid.
        """
        for name, texts in settings:
            entered = self._entered[name]
            changed = with_values(entered, parse_values(entered.parameters, texts, name))
            if changed.content != self._bots[name].content:
                self._bots[name] = replace(changed, name=name)
                for key in [key for key in self._players if key.bot == name]:
                    _close(self._players.pop(key))

    def seat(self, seatings: Sequence[Sequence[str]], game: int) -> list[CachedPlayer]:
        """Return a player for each seat of one game of a block; `seatings` are those of the block.

        A bot that has two seats has two players. BotRefused if a bot cannot be imported.
        """
        seen: Counter[str] = Counter()
        seated: list[CachedPlayer] = []
        for name in seatings[game]:
            seen[name] += 1
            key = PlayerKey(name, seen[name], 0 if self._is_self_play else game)
            player = self._players.pop(key, None) or self._start(key)
            self._players[key] = player  # at the end: the most recently used
            seated.append(player)
        # One set of players for each game of a block: no bot starts more often than with a single set.
        wanted = len(seatings) * (len(seated) + MOST_IDLE)
        self._most = max(self._most, len(seated), min(wanted, _most_players()))
        self._end_idle()
        return seated

    def _start(self, key: PlayerKey) -> CachedPlayer:
        bot = self._bots[key.bot]
        name = key.bot if key.copy == 1 else f"{key.bot}~{key.copy}"
        if bot.import_path and bot.in_process is None:
            bot = self._bots[key.bot] = loaded(bot)
        if bot.in_process is not None:
            return InProcessPlayer(replace(bot, name=name), copy=key.copy > 1 or key.game > 0)
        # Each process of each worker has its own file.
        stderr = self._stderr / f"{name}.{os.getpid()}.{key.game}.txt"
        return BotPlayer(replace(bot, name=name), stderr, ponder=self._ponder)

    def _end_idle(self) -> None:
        for key in list(self._players)[: max(0, len(self._players) - self._most)]:
            _close(self._players.pop(key))

    def close(self) -> None:
        """Ask every player to quit, and end those that do not."""
        for player in self._players.values():
            _close(player)
        self._players.clear()


def _most_players() -> int:
    return min(MOST_PLAYERS, most_open_files() // FILES_PER_PLAYER)


def _close(player: CachedPlayer) -> None:
    """End a player, and remove its stderr file if that is empty."""
    player.close()
    if isinstance(player, BotPlayer):
        with suppress(OSError):
            if not player.stderr.stat().st_size:
                player.stderr.unlink()
