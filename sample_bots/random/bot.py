"""A bot that picks a random kind of choice, then a random choice of that kind, so it also creates routes."""

from __future__ import annotations

import sys

from protocol import Bot, run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from protocol import Code, Request


class Random(Bot):
    """Every kind of choice is equally likely, however many there are of it."""

    name = "random"
    encoding = "msgpack" if "--msgpack" in sys.argv[1:] else "json"
    state = "none"
    detail = "codes"

    def decide(self, request: Request) -> Code:
        """A random choice; in codes, the first number of a choice is its kind."""
        kind = self.random.choice(sorted({choice[0] for choice in request.codes}))
        return self.random.choice([choice for choice in request.codes if choice[0] == kind])


if __name__ == "__main__":
    run(Random())
