"""A bot with a few rules of thumb, which needs nothing but the messages of the referee.

python bot.py                       always follows its rules
python bot.py --set mistakes=0.2    takes one choice in five at random, so that it is a weaker opponent
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocol import Bot, Choice, Request, run

if TYPE_CHECKING:
    from protocol.words import RouteState


class Trader(Bot):
    """Creates a route as soon as it can, and otherwise fills the route that needs least."""

    name = "trader"

    def __init__(self, mistakes: float = 0.0) -> None:
        self.mistakes = mistakes

    def decide(self, request: Request) -> Choice:
        """The first of its rules that applies; at random if none does, or by mistake."""
        if self.random.random() < self.mistakes:
            return self.random.choice(request.choices)
        for rule in (self.create, self.fill_begun_route, self.begin_route, self.take_income):
            choices = rule(request)
            if choices:
                return self.random.choice(choices)
        return self.random.choice(request.choices)

    def create(self, request: Request) -> list[Choice]:
        """Create a route, with a reward if there is one."""
        routes = request.find(do="create")
        return [choice for choice in routes if choice["reward"]] or routes

    def fill_begun_route(self, request: Request) -> list[Choice]:
        """Place on a route that it has begun: on one with the fewest points left."""
        return self._place_on(request, self.begun_routes(request))

    def begin_route(self, request: Request) -> list[Choice]:
        """Place on a route where nobody is: on one of the shortest."""
        return self._place_on(request, self.empty_routes(request))

    def take_income(self, request: Request) -> list[Choice]:
        """Take income, since it has nothing to place, or no place for it."""
        return request.find(do="income")[-1:]

    def begun_routes(self, request: Request) -> dict[str, int]:
        """The routes where it has tradesmen, and how many points it does not hold there yet."""
        own = {f"{self.seat}t", f"{self.seat}m"}  # its traders and merchants in the position
        missing = {
            name: [point for point in route["points"] if point not in own]
            for name, route in routes_in(request).items()
            if own.intersection(route["points"])
        }
        return {name: len(points) for name, points in missing.items()}

    def empty_routes(self, request: Request) -> dict[str, int]:
        """The routes without tradesmen, and how many points they have."""
        routes = routes_in(request).items()
        return {name: len(route["points"]) for name, route in routes if not any(route["points"])}

    def _place_on(self, request: Request, routes: dict[str, int]) -> list[Choice]:
        """The choices to place a tradesman on those of the routes that need least; a trader if possible."""
        places = request.find(do="place", route=set(routes))
        least = min((routes[choice["route"]] for choice in places), default=0)
        nearest = [choice for choice in places if routes[choice["route"]] == least]
        return [choice for choice in nearest if choice["tradesman"] == "trader"] or nearest


def routes_in(request: Request) -> dict[str, RouteState]:
    """All routes of the position, by name."""
    assert request.state is not None  # a bot gets it unless it says that it needs none
    return request.state["routes"]


if __name__ == "__main__":
    run(Trader)
