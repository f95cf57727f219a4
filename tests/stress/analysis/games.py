"""Recorded games to judge the analysis by: of mixed bots, and of a strong bot that blunders on purpose.

A game is one file, and so is what was found in it. What exists is not made again, so a stopped run
goes on where it was.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import protocol
from protocol import Request
from referee import play_match
from referee.engine.board import Board
from referee.engine.terms import TURN
from referee.records.verify import in_parallel
from referee.system import core_count
from referee.thinking.judges import Judge, LearntJudge
from referee.thinking.learnt_value import learnt_value
from referee.thinking.search.bot import SearchBot
from stress import program
from support.house_bots import load_bot

PLAYERS: Final = {
    "hanse-2-3": (3, 2),
    "hanse-4-5": (4, 5),
    "britannia-2-3": (3, 2),
    "britannia-4-5": (4, 5),
    "east": (4, 3),
}
BOARDS: Final = tuple(PLAYERS)
NODES: Final = 12  # rounds of the search, for each turn of navigator in a mixed game
STRONG_NODES: Final = 60  # the same in a game with blunders: as many as without a clock
EVERY: Final = 10  # turns: one of them is a blunder


class GameFile(NamedTuple):
    """A game that is played, or will be."""

    path: Path
    board: str
    number: int

    @property
    def players(self) -> int:
        """The number of players: the first one of the board in two of three games."""
        often, seldom = PLAYERS[self.board]
        return seldom if self.number % 3 == 2 else often


def is_planted(turn: int, number: int) -> bool:
    """Whether the turn of a game with this number is a blunder on purpose."""
    return (turn + number) % EVERY == 0


class Blunderer(SearchBot):
    """Plays as navigator with the first weights, but in some turns at random."""

    name = "blunderer"
    most_ms = 0.0  # it plays without a clock

    def __init__(self, number: int) -> None:
        super().__init__(STRONG_NODES)
        self.number = number

    def judge_of(self, board: Board) -> Judge:
        return LearntJudge(learnt_value(board))

    def decide(self, request: Request) -> int:
        """A choice at random in a blunder; but the turn ends only if nothing else is possible."""
        state = self.position(request)
        if state.active != self.seat or not is_planted(state.turn, self.number):
            return super().decide(request)
        count = len(request.choices)
        is_turn = state.agenda[-1].kind == TURN
        return self.random.randrange(max(1, count - 1) if is_turn else count)


_MIXED: Final[tuple[Callable[[], protocol.Bot], ...]] = (
    lambda: load_bot("merchant").Merchant(),
    lambda: load_bot("rusher").Rusher(),
    lambda: load_bot("builder").Builder(),
    lambda: load_bot("blocker").Blocker(),
    lambda: load_bot("greedy").Greedy(),
    lambda: load_bot("navigator").Navigator(nodes=NODES),
)


def play_mixed(game: GameFile) -> None:
    """Play a game of house bots that are drawn at random."""
    rng = Random(f"{game.board} {game.number}")
    _play(game, [rng.choice(_MIXED)() for _ in range(game.players)])


def play_with_blunders(game: GameFile) -> None:
    """Play a game of `Blunderer` with itself."""
    _play(game, [Blunderer(game.number) for _ in range(game.players)])


def _play(game: GameFile, bots: Sequence[protocol.Bot]) -> None:
    unfinished = game.path.with_suffix(f".{os.getpid()}")
    play_match(bots, seed=game.number, record=unfinished, clock=None, board=game.board)
    unfinished.replace(game.path)


def kept(game: GameFile, name: str, make: Callable[[], object]) -> Any:
    """What `make` returns, from a file beside the record if it was made before; it must fit into JSON."""
    path = game.path.with_suffix(f".{name}.json")
    if not path.exists():
        unfinished = path.with_suffix(f".{os.getpid()}")
        unfinished.write_text(json.dumps(make()), "utf-8")
        unfinished.replace(path)
    return json.loads(path.read_text("utf-8"))


def recorded(
    folder: Path, kind: str, count: int, play: Callable[[GameFile], None], workers: int | None
) -> list[GameFile]:
    """Play the games of each board that are not in the folder yet; return all of them."""
    folder.mkdir(parents=True, exist_ok=True)
    games = [
        GameFile(folder / f"{kind}-{board}-{number:04}.jsonl", board, number)
        for number in range(count)
        for board in BOARDS
    ]
    missing = [game for game in games if not game.path.exists()]
    with program.counting(len(missing)) as progress:
        for done, _ in enumerate(in_parallel(play, missing, workers or core_count(), at_once=1), 1):
            progress(done)
    return games
