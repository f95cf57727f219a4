"""The house bots in this process: each gets the messages that the referee would send."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeAlias

import pytest

from protocol.request import Game, Request
from referee.engine import game
from referee.engine.state import GameState
from referee.engine.view import mission_words
from support.house_bots import load_bot
from support.random_games import message

Load: TypeAlias = Callable[[str], ModuleType]
Answer: TypeAlias = Callable[[GameState], int]
Seated: TypeAlias = Callable[..., Answer]

CLASSES = {
    "trader": "Trader",
    "greedy": "Greedy",
    "merchant": "Merchant",
    "navigator": "Navigator",
    "navigator-1": "Navigator1",
}


@pytest.fixture(scope="session")
def load() -> Load:
    """A function that imports a bundled bot."""
    return load_bot


def seat_bot(name: str, state: GameState, seat: int, **options: Any) -> Answer:
    """A bot in a game, as a function from a position to the index of its choice."""
    bot = getattr(load_bot(name), CLASSES[name])(**options)
    bot.game, bot.seat = Game(_start(state, seat)), seat
    bot.start(bot.game)

    def answer(position: GameState) -> int:
        sent: Any = {**message(position), "events": [], "clock_ms": None}
        request = Request(json.loads(json.dumps(sent)))
        return request.index(bot.decide(request))

    return answer


def _start(state: GameState, seat: int) -> Any:
    clock = {"start_ms": None, "bank_ms": None, "increment_ms": 0, "move_ms": None}
    return {
        "game": "a game",
        "seat": seat,
        "players": [{"seat": number, "name": str(number)} for number in range(state.rules.players)],
        "rules": state.rules.to_dict(),
        "board": json.loads(json.dumps(state.board.words)),
        "favours": [],
        "mission": mission_words(state, seat),
        "clock": clock,
    }


@pytest.fixture
def seated() -> Seated:
    """`seat_bot`: from a bot's name, a position, a seat and the bot's options to its answers."""
    return seat_bot


@pytest.fixture
def play_on() -> Callable[[GameState, dict[int, Answer], int], list[int]]:
    """A function that plays at most `most` decisions with bots at all seats, and returns the indices."""

    def played(state: GameState, answers: dict[int, Answer], most: int) -> list[int]:
        indices: list[int] = []
        while not state.is_over and len(indices) < most:
            decision = game.pending(state)
            assert decision is not None
            single = len(game.choices(state)) == 1
            indices.append(0 if single else answers[decision.seat](state))
            game.apply(state, indices[-1])
        return indices

    return played
