"""A bot that is a plain function of what its seat sees and its choices; it returns one of these."""

from __future__ import annotations

from .bot import Bot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .answers import Answer, Function
    from .request import Game, Request
    from .words import View


class FunctionBot(Bot):
    """A Bot that calls a function for each decision, with nothing kept in between.

    `values` are further arguments of the function, by name.
    """

    def __init__(self, function: Function, values: Mapping[str, int | float] | None = None) -> None:
        name = getattr(function, "name", "") or getattr(function, "__name__", "")
        self.name: str = str(name or type(function).__name__)
        self.version: str = str(getattr(function, "version", ""))
        self._function: Any = function
        self._values = dict(values or {})

    def decide(self, request: Request) -> Answer | tuple[Answer, str]:
        """Return what the function returns: a choice or its index."""
        answer: Answer | tuple[Answer, str] = self._function(
            view_of(self.game, request), request.choices, **self._values
        )
        return answer


def view_of(game: Game, request: Request) -> View:
    """Return the state of a request, together with `game`, `seat`, `id`, `decision` and `about`."""
    fields: Any = {
        **(request.state or {}),
        "game": game.id,
        "seat": game.seat,
        "id": request.id,
        "decision": request.decision,
        "about": request.about,
    }
    view: View = fields
    return view
