"""A bot that asks for the state and also computes it from events: it crashes if the two differ."""

import sys

from protocol import Bot, Table, run


class Follows(Bot):
    """Asks for the encoding and the detail on its command line."""

    name = "follows"
    encoding, detail = sys.argv[1:]

    def start(self, game):
        self.table = Table(game)

    def decide(self, request):
        self.table.hear(request)
        if self.detail == "words":
            for key, value in self.table.state.items():
                assert request.state[key] == value, key
        return request.id % len(request.choices)


run(Follows())
