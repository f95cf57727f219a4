"""Learn to beat random play in a minute: a linear policy, self-play and policy gradients.

The policy has two weights for each kind of choice (to place a trader, to create a route for a post,
...): one for the kind itself, one for the share of the route that the seat holds already. All seats
play with the same weights. After each game the weights are changed so that the choices of successful
seats become more likely, and those of the other seats less likely.

    python examples/learn.py
"""

from __future__ import annotations

import time
from typing import Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from referee import BotLike, GameKeywords, Tournament
from referee.rl import Kind, PolicyBot, raw_env

GAMES: Final = 300
RATE: Final = 0.1
PLAYERS: Final = 3
TABLE: Final[GameKeywords] = {"board": "hanse-2-3", "max_turns": 90}
DETAILS: Final = {"create": ("reward", "ability"), "use": ("marker",), "place": ("kind",)}

Numbers = NDArray[np.int64]
Floats = NDArray[np.float64]


class LinearPolicy:
    """The probability of a choice, from the weight of its kind and of its share of a route."""

    def __init__(self, kind: Kind) -> None:
        every = [kind.numbering.words(number) for number in range(kind.numbering.size)]
        names = [" ".join(map(str, _details(words))) for words in every]
        self.kinds = sorted(set(names))
        self.weights = np.zeros((2, len(self.kinds)))
        self._kind = np.array([self.kinds.index(name) for name in names])
        self._route = np.array([_route(kind, words) for words in every])
        self._share = np.zeros((len(kind.board.ship), len(kind.board.routes) + 1))
        for route, points in enumerate(kind.board.routes):
            self._share[points, route] = 1 / len(points)

    def features(self, row: NDArray[np.uint8], legal: Numbers) -> tuple[Numbers, Floats]:
        """Return the kind of each legal choice, and which share of its route the seat holds."""
        points = len(self._share)
        own = row[:points] + row[points : 2 * points]  # the points with the seat's own tradesmen
        return self._kind[legal], (own @ self._share)[self._route[legal]]

    def chances(self, kinds: Numbers, shares: Floats) -> Floats:
        """Return the probability of each choice."""
        base, slope = self.weights[:, kinds]
        likely = np.exp(np.clip(base + slope * shares, -30, 30))
        chances: Floats = likely / likely.sum()
        return chances

    def draw(self, row: NDArray[np.uint8], mask: NDArray[np.int8]) -> int:
        """Draw a choice by its probability; the same observation gives the same choice."""
        legal, drawn = np.flatnonzero(mask), np.random.default_rng(crc32(row.tobytes())).random()
        chances = self.chances(*self.features(row, legal))
        return int(legal[(chances.cumsum() > drawn).argmax()])


def _details(words: dict[str, int | str]) -> list[int | str]:
    do = str(words["do"])
    return [do, *(words[name] for name in DETAILS.get(do, ()))]


def _route(kind: Kind, words: dict[str, int | str]) -> int:
    """Return the route of a choice; the number after the last route means none."""
    if "point" in words:
        return kind.board.point_route[int(words["point"])]
    route = int(words.get("route", -1))
    return route if route >= 0 else len(kind.board.routes)


def learn(games: int, seed: int = 0) -> tuple[Kind, LinearPolicy]:
    """Learn from this number of games of self-play."""
    table = raw_env(PLAYERS, **TABLE, reward="prestige")
    policy, chance = LinearPolicy(table.kind), np.random.default_rng(seed)
    for game in range(games):
        gradients, rewards = play(table, policy, chance, seed + game)
        gradient = np.tensordot(rewards, gradients, axes=1)
        policy.weights += RATE * gradient / (np.abs(gradient).max() + 1e-9)
    return table.kind, policy


def play(
    table: raw_env, policy: LinearPolicy, chance: np.random.Generator, seed: int
) -> tuple[Floats, list[float]]:
    """Play one game; return the gradient of each seat, and its reward."""
    gradients = np.zeros((PLAYERS, *policy.weights.shape))
    table.reset(seed=seed)
    while not any(table.terminations.values()):
        seen = table.observe(table.agent_selection)
        legal = np.flatnonzero(seen["action_mask"])
        kinds, shares = policy.features(seen["observation"], legal)
        chances = policy.chances(kinds, shares)
        chosen = int((chances.cumsum() > chance.random()).argmax())
        step = -chances
        step[chosen] += 1
        own = gradients[table.possible_agents.index(table.agent_selection)]
        np.add.at(own[0], kinds, step)
        np.add.at(own[1], kinds, step * shares)
        table.step(legal[chosen])
    return gradients, list(table.rewards.values())


def main() -> None:
    """Learn, and play a tournament against the bundled random bot."""
    began = time.monotonic()
    kind, policy = learn(GAMES)
    print(f"{GAMES} games in {time.monotonic() - began:.0f} s")
    bots: dict[str, BotLike] = {
        "learnt": PolicyBot(kind, policy.draw),
        "a": "random",
        "b": "random",
    }
    print(Tournament(bots, seats=PLAYERS, blocks=20, seed=1, **TABLE).run())


if __name__ == "__main__":
    main()
