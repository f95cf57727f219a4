"""Programs that a user could write with the Python API; mypy --strict accepts them.

Each `type: ignore` is a mistake that mypy must find: it reports those that are not needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from protocol import Bot, Choice, Request, View
from referee import (
    BotLike,
    Clock,
    Game,
    GameKeywords,
    MatchResult,
    Progress,
    RefereeError,
    Tournament,
    TournamentOptions,
    chance,
    play_match,
)
from referee.errors import ChoiceRefused
from referee.options import GameOptions, load_game
from referee.rl import Batch, Kind, PolicyBot, pick_uniformly, raw_env

TABLE: GameKeywords = {"board": "east", "promos": True, "max_turns": 30}


class Last(Bot):
    """Takes the last choice that is offered."""

    def decide(self, request: Request) -> Choice:
        return request.choices[-1]


def any_one(view: View, choices: list[Choice]) -> Choice:
    """Take a random choice, preferably a route."""
    routes = [choice for choice in choices if choice["do"] == "create"]
    return chance(view).choice(routes or choices)


def play_step_by_step(seed: int) -> dict[str, int]:
    """Play a game, try choices in copies, and return the totals."""
    game = Game(3, seed=seed, **TABLE)
    while not game.over:
        tried = game.copy()
        tried.play(0)
        game.play(any_one(game.view(), game.choices))
    try:
        game.play({"do": "end-turn"})
    except ChoiceRefused as refused:
        print(refused)
    lengths = {route["id"]: len(route["points"]) for route in game.board["routes"]}
    taken = [event["marker"] for event in game.events() if event["event"] == "marker-taken"]
    print(lengths, taken, game.rules["edition"], game.reason)
    return {place["name"]: place["total"] for place in game.standings}


def play_refereed(record: Path) -> MatchResult:
    """Play a refereed game with bots of every kind."""
    bots: list[BotLike] = [any_one, Last, "random"]
    result = play_match(bots, record=record, clock=Clock(bank_ms=5000), **TABLE)
    for fault in result.faults:
        print(fault.seat, fault.fault, fault.message)
    return result


def show(progress: Progress) -> None:
    """Print how many games are finished."""
    print(progress.games, progress.seconds_left(0.0))


def play_tournament(bots: Mapping[str, BotLike]) -> float:
    """Play a tournament; return the rating of the best bot."""
    options: TournamentOptions = {"seats": 3, "blocks": 2, "seed": 1, "max_turns": 30}
    tournament = Tournament(bots, look=show, **options)
    result = tournament.run()
    best = result.standings[0]
    return best.rating if best.low is None else best.low


def learn() -> BotLike:
    """Play games as numbers; return a policy as a bot."""
    kind = Kind(*load_game(GameOptions(max_turns=30), 3))
    batch, rng = Batch(kind, 4), np.random.default_rng(1)
    rewards = [game.rewards for game in batch.step(pick_uniformly(batch.masks(), rng))]
    table = raw_env(3, reward="prestige", **TABLE)
    table.reset(seed=1)
    seen = table.observe("seat_0")
    print(rewards, seen["observation"].sum(), seen["action_mask"].sum())

    def policy(row: NDArray[np.uint8], mask: NDArray[np.int8]) -> int:
        return int(mask.argmax()) if row.any() else 0

    return PolicyBot(kind, policy)


def mistaken() -> None:
    """Make mistakes that a type checker finds."""
    game = Game(3, mission=True)  # type: ignore[call-arg]
    game.play("end-turn")  # type: ignore[arg-type]
    print(game.view()["playrs"])  # type: ignore[typeddict-item]
    play_match([any_one, 7])  # type: ignore[list-item]
    Tournament(["random", "random"], sandbox="strong")  # type: ignore[arg-type]


def main() -> None:
    """Run everything; an error of the referee is one sentence."""
    try:
        print(play_step_by_step(7), play_refereed(Path("game.jsonl")).winners)
        print(play_tournament({"one": any_one, "last": Last, "learnt": learn()}))
    except RefereeError as error:
        print(error)
