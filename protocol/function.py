"""A bot that is a plain function: it gets what its seat sees and the choices, and returns one."""

from __future__ import annotations

from .bot import Bot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .request import Game, Request

    Function = Callable[[dict[str, Any], list[Any]], Any]


class FunctionBot(Bot):
    """Calls the function for each decision, and stores nothing between decisions."""

    def __init__(self, function: Function) -> None:
        name = getattr(function, "name", "") or getattr(function, "__name__", "")
        self.name = str(name or type(function).__name__)
        self.version = str(getattr(function, "version", ""))
        self._function = function

    def decide(self, request: Request) -> Any:
        """What the function returns: a choice or its index."""
        return self._function(view_of(self.game, request), request.choices)


def view_of(game: Game, request: Request) -> dict[str, Any]:
    """The state of a request, with `game`, `seat`, `id`, `decision` and `about` added."""
    return {
        **(request.state or {}),
        "game": game.id,
        "seat": game.seat,
        "id": request.id,
        "decision": request.decision,
        "about": request.about,
    }
