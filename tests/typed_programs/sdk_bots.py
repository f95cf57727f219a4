"""Bots that an author could write with type annotations; mypy --strict accepts them.

Each `type: ignore` is a mistake that mypy must find: it reports those that are not needed.
"""

from __future__ import annotations

from protocol import Bot, Choice, Code, Codes, Event, Game, Request, Result, Table, View, run


class Words(Bot):
    """Uses the fields of choices, events and the state in words."""

    name = "words"
    encoding = "msgpack"

    def start(self, game: Game) -> None:
        self.longest = max(len(route["points"]) for route in game.board["routes"])
        self.markers = 0
        self.table = Table(game)

    def events(self, events: list[Event]) -> None:
        for event in events:
            if event["event"] == "marker-taken":
                self.markers += event["seat"] == self.seat

    def decide(self, request: Request) -> Choice | tuple[Choice, str]:
        self.table.hear(request)
        supply = self.table.state["players"][self.seat]["supply"]["traders"]
        if request.decision == "relocate" and "owner" in request.about:
            self.log.info("%s is displaced", request.about["owner"])
        for choice in request.find(do="create", reward=lambda reward: reward):
            reward = choice["reward"]
            if reward is not None and "post" in reward:
                return choice, f"a post in {reward['post']}"
        places = request.find(do=("place", "displace"), tradesman="trader")
        return self.random.choice(places if supply > 2 and places else request.choices)

    def end(self, result: Result) -> None:
        self.log.info("%d points, %s", result.mine["total"], result.reason)


class Numbers(Bot):
    """Uses choices in codes, and translates them."""

    state = "none"
    detail = "codes"

    def start(self, game: Game) -> None:
        self.translation = Codes(game)

    def decide(self, request: Request) -> Code:
        best = max(request.codes, key=lambda code: code[0])
        self.say(self.translation.choice(best)["do"])
        return best


def first(view: View, choices: list[Choice]) -> int:
    """Is a function instead of a class."""
    return view["players"][view["seat"]]["prestige"] % len(choices)


class Mistaken(Bot):
    """Makes mistakes that a type checker finds."""

    detail = "numbers"  # type: ignore[assignment]

    def decide(self, request: Request) -> int:
        choice = request.choices[0]
        is_place = choice["do"] == "plaace"  # type: ignore[comparison-overlap]
        if is_place and self.sate:  # type: ignore[attr-defined]
            return choice["point"]
        return choice["route"]  # type: ignore[return-value]


def main() -> None:
    """Run each kind of bot, one after the other."""
    run(Words())
    run(Numbers)
    run(first)
    run(print)  # type: ignore[arg-type]
