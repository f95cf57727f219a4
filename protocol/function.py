"""A bot that is a plain function of what its seat sees and its choices; it returns one of these."""

from __future__ import annotations

from .bot import Bot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .request import Game, Request

    Function = Callable[[dict[str, Any], list[Any]], Any]


class FunctionBot(Bot):
    """A Bot that calls a function for each decision, with nothing kept in between."""

    def __init__(self, function: Function) -> None:
        name = getattr(function, "name", "") or getattr(function, "__name__", "")
        self.name = str(name or type(function).__name__)
        self.version = str(getattr(function, "version", ""))
        self._function = function

    def decide(self, request: Request) -> Any:
        """Return what the function returns: a choice or its index."""
        return self._function(view_of(self.game, request), request.choices)


def view_of(game: Game, request: Request) -> dict[str, Any]:
    """Return the state of a request, together with `game`, `seat`, `id`, `decision` and `about`."""
    return {
        **(request.state or {}),
        "game": game.id,
        "seat": game.seat,
        "id": request.id,
        "decision": request.decision,
        "about": request.about,
    }
