"""A bot for Hansa Teutonica: it picks a kind of choice, then one of that kind."""

import sys

from protocol import Bot, Choice, Game, Request, Result, run


class MyBot(Bot):
    """One seat, game after game. `self.seat` is yours, `self.log` writes to stderr."""

    name = "random-python"
    state = "none"  # "full" if you want request.state, the position

    def start(self, game: Game) -> None:
        """A game begins: `game` has the board and the rules. Prepare what you need."""

    def decide(self, request: Request) -> Choice:
        """One of `request.choices`, all of which are legal.

        YOUR OWN THINKING GOES HERE. So far it is this: a kind of choice, then one of that kind.
        """
        # self.random is the same in the same game, so that it is played the same way again.
        kind = self.random.choice(sorted({choice["do"] for choice in request.choices}))
        return self.random.choice(request.find(do=kind))

    def end(self, result: Result) -> None:
        """A game is over: `result.mine` is your standing."""


if __name__ == "__main__":
    MyBot.encoding = "msgpack" if "--msgpack" in sys.argv[1:] else "json"
    run(MyBot())
