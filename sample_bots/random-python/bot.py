"""A bot for Hansa Teutonica: it picks a random kind of choice, then a random choice of that kind."""

import sys

from protocol import Bot, Choice, Game, Request, Result, run


class MyBot(Bot):
    """Plays one seat, game after game. `self.seat` is yours, `self.log` writes to stderr.

    The parameters that bot.toml declares are keywords of `__init__`, if you write one.
    """

    name = "random-python"
    state = "none"  # "full" if you want request.state, the position

    def start(self, game: Game) -> None:
        """A game begins: `game` has the board and the rules. Prepare what you need."""

    def decide(self, request: Request) -> Choice:
        """One of `request.choices`, all of which are legal.

        YOUR OWN THINKING GOES HERE. So far: a random kind of choice, then a random one of that kind.
        """
        # self.random has the same seed in the same game, so the bot plays it the same way again.
        kind = self.random.choice(sorted({choice["do"] for choice in request.choices}))
        return self.random.choice(request.find(do=kind))

    def end(self, result: Result) -> None:
        """A game is over: `result.mine` is your result."""


if __name__ == "__main__":
    MyBot.encoding = "msgpack" if "--msgpack" in sys.argv[1:] else "json"
    run(MyBot)
