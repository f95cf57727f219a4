"""What the methods of a bot receive: the game, a request with its choices, the result."""

from __future__ import annotations

from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Game:
    """A game at its start: the fields of the `start` message."""

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
    """How a game ended: the fields of the `end` message."""

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


class Choice(dict):  # type: ignore[type-arg]  # a choice in words, as in the message
    """A choice in words, with its index."""

    __slots__ = ("index",)
    index: int


class Request:
    """A decision to make: the fields of the `decide` message, and methods to search its choices."""

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
        """Every legal choice: a `Choice` in words, or a list of numbers in codes.

        The bot may sort and shorten this list; `message` keeps the order that indices refer to.
        """
        if self._choices is None:
            given = self.message["choices"]
            in_codes = given and isinstance(given[0], list)
            self._choices = given[:] if in_codes else _numbered(given)
        return self._choices

    def find(self, **wanted: Any) -> list[Any]:
        """The choices whose fields have the given values.

            request.find(do="place", tradesman="trader")
            request.find(do=("place", "displace"), route="bremen--osnabrueck")
            request.find(do="create", reward=lambda reward: reward and "post" in reward)

        A tuple or set means any of its values; a function gets the value and returns whether it
        matches. The field `from` is written `from_`. In codes, the fields are numbers, as in the
        tables of codes; only `do` is a word.
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
        """The index of a choice: one of `choices`, a dict or list equal to one, or an index.

        Raises ValueError if it is none of these.
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
        """Milliseconds left for this answer, by the bot's own clock; None without a clock."""
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
