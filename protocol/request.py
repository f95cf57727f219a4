"""The objects that a bot gets: the game, requests with their choices, and the result."""

from __future__ import annotations

from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Game:
    """A game that begins; its attributes are the fields of the `start` message."""

    __slots__ = (
        "board",
        "clock",
        "favours",
        "id",
        "message",
        "mission",
        "players",
        "rules",
        "seat",
    )

    def __init__(self, message: dict[str, Any]) -> None:
        self.message = message
        self.id: str = message["game"]
        self.seat: int = message["seat"]
        self.players: list[dict[str, Any]] = message["players"]
        self.rules: dict[str, Any] = message["rules"]
        self.board: dict[str, Any] = message["board"]
        self.favours: list[str] = message["favours"]
        self.mission: list[str] | None = message["mission"]
        self.clock: dict[str, int | None] = message["clock"]


class Result:
    """The result of a game; its attributes are the fields of the `end` message."""

    __slots__ = ("events", "message", "missions", "reason", "seat", "standings", "state")

    def __init__(self, message: dict[str, Any], seat: int) -> None:
        self.message = message
        self.seat = seat
        self.events: list[Any] = message["events"]
        self.state: dict[str, Any] = message["state"]
        self.missions: list[list[str] | None] = message["missions"]
        self.standings: list[dict[str, Any]] = message["standings"]
        self.reason: str = message["reason"]

    @property
    def mine(self) -> dict[str, Any]:
        """The bot's own entry of `standings`."""
        return self.standings[self.seat]


class Choice(dict):  # type: ignore[type-arg]  # a dict of the words of a message
    """A choice in words: a dict that also has the attribute `index`."""

    __slots__ = ("index",)
    index: int


class Request:
    """A decision to make; its attributes are the fields of the `decide` message."""

    __slots__ = (
        "_choices",
        "_received",
        "about",
        "clock_ms",
        "decision",
        "events",
        "id",
        "message",
        "state",
    )

    def __init__(self, message: dict[str, Any], received: float | None = None) -> None:
        self.message = message
        self.id: int = message["id"]
        self.decision: str = message["decision"]
        self.about: dict[str, Any] = message.get("about") or {}
        self.events: list[Any] = message["events"]
        self.state: dict[str, Any] | None = message.get("state")
        self.clock_ms: float | None = message["clock_ms"]
        self._received = monotonic() if received is None else received
        self._choices: list[Any] | None = None

    @property
    def choices(self) -> list[Any]:
        """All legal choices, each a Choice (detail `words`) or a list of numbers (detail `codes`).

        You may sort or shorten this list: an index always refers to the order in the message.
        """
        if self._choices is None:
            given = self.message["choices"]
            in_codes = given and isinstance(given[0], list)
            self._choices = given[:] if in_codes else _numbered(given)
        return self._choices

    def find(self, **wanted: Any) -> list[Any]:
        """Return the choices whose fields have the wanted values.

            request.find(do="place", tradesman="trader")
            request.find(do=("place", "displace"), route="bremen--osnabrueck")
            request.find(do="create", reward=lambda reward: reward and "post" in reward)

        A tuple or set means any of its values; a function is called with the value of the field.
        Write `from_` for the field `from`. With the detail `codes`, fields have the names and
        numbers that docs/protocol.md lists under "Codes"; only `do` is still a word.
        """
        tests = [(name.removesuffix("_"), value) for name, value in wanted.items()]
        return [
            choice
            for choice, fields in zip(self.choices, self._by_field(), strict=True)
            if all(name in fields and _fits(fields[name], value) for name, value in tests)
        ]

    def _by_field(self) -> list[dict[str, Any]]:
        choices = self.choices
        if choices and isinstance(choices[0], dict):
            return choices
        from .codes import choice_fields  # noqa: PLC0415  only bots with detail `codes` need it

        return [choice_fields(code) for code in choices]

    def index(self, choice: Any) -> int:
        """Return the index of a choice, given as the choice itself, an equal one, or an index.

        Raises ValueError if it is not a choice of this request.
        """
        choices: list[Any] = self.message["choices"]
        if isinstance(choice, Choice) and choices[choice.index : choice.index + 1] == [choice]:
            return choice.index
        if isinstance(choice, dict | list) and choice in choices:
            return choices.index(choice)
        is_number = hasattr(choice, "__index__") and not isinstance(choice, bool)
        if is_number and 0 <= choice < len(choices):
            return int(choice)
        raise ValueError(
            f"{choice!r} is not a choice of request {self.id} ({self.decision}),"
            f" nor an index from 0 to {len(choices) - 1}"
        )

    def time_left(self) -> float | None:
        """Return the milliseconds left for this answer, or None if there is no clock."""
        if self.clock_ms is None:
            return None
        return max(0.0, self.clock_ms - 1000 * (monotonic() - self._received))


def _numbered(given: list[dict[str, Any]]) -> list[Choice]:
    choices = [Choice(words) for words in given]
    for index, choice in enumerate(choices):
        choice.index = index
    return choices


def _fits(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, tuple | set | frozenset):
        return found in wanted
    return bool(wanted(found)) if callable(wanted) else bool(found == wanted)
