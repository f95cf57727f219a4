"""The objects that a bot gets: the game, requests with their choices, and the result."""

from __future__ import annotations

from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import Any, Literal, Never, TypeAlias, overload

    from .answers import Answer
    from .choices import ChoiceValue, Doing, Reward
    from .events import Event
    from .incoming import DecideMessage, EndMessage, StartMessage
    from .parts import Board, Clock, Rules, Seated, Standing
    from .words import (
        Ability,
        About,
        AboutTurn,
        Amount,
        Code,
        DecisionKind,
        EndReason,
        Favour,
        Kind,
        Marker,
        Source,
        State,
    )

    Wanted: TypeAlias = ChoiceValue | Collection[ChoiceValue] | Callable[[Never], object]


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

    def __init__(self, message: StartMessage) -> None:
        self.message = message
        self.id: str = message["game"]
        self.seat: int = message["seat"]
        self.players: list[Seated] = message["players"]
        self.rules: Rules = message["rules"]
        self.board: Board = message["board"]
        self.favours: list[Favour] = message["favours"]
        self.mission: list[str] | None = message["mission"]
        self.clock: Clock = message["clock"]


class Result:
    """The result of a game; its attributes are the fields of the `end` message.

    The types are those of the detail `words`; `message` has them for both details.
    """

    __slots__ = ("events", "message", "missions", "reason", "seat", "standings", "state")

    def __init__(self, message: EndMessage, seat: int) -> None:
        fields: Any = message
        self.message = message
        self.seat = seat
        self.events: list[Event] = fields["events"]
        self.state: State = fields["state"]
        self.missions: list[list[str] | None] = message["missions"]
        self.standings: list[Standing] = message["standings"]
        self.reason: EndReason = message["reason"]

    @property
    def mine(self) -> Standing:
        """The bot's own entry of `standings`."""
        return self.standings[self.seat]


class Choice(dict[str, "ChoiceValue"]):
    """A choice in words: a dict that also has the attribute `index`."""

    __slots__ = ("index",)
    index: int

    if TYPE_CHECKING:  # the types of the fields; which of them a choice has depends on `do`

        @overload
        def __getitem__(self, field: Literal["do"], /) -> Doing: ...
        @overload
        def __getitem__(self, field: Literal["tradesman"], /) -> Kind: ...
        @overload
        def __getitem__(self, field: Literal["from"], /) -> Source: ...
        @overload
        def __getitem__(self, field: Literal["marker", "takes"], /) -> Marker: ...
        @overload
        def __getitem__(self, field: Literal["markers"], /) -> list[Marker]: ...
        @overload
        def __getitem__(self, field: Literal["tile"], /) -> Favour: ...
        @overload
        def __getitem__(self, field: Literal["ability"], /) -> Ability: ...
        @overload
        def __getitem__(self, field: Literal["reward"], /) -> Reward | None: ...
        @overload
        def __getitem__(self, field: Literal["pay"], /) -> Amount: ...
        @overload
        def __getitem__(self, field: Literal["spaces"], /) -> list[int]: ...
        @overload
        def __getitem__(self, field: Literal["route", "city", "from_route"], /) -> str: ...
        @overload
        def __getitem__(
            self, field: Literal["point", "from_point", "owner", "traders", "merchants"], /
        ) -> int: ...
        @overload
        def __getitem__(self, field: str, /) -> ChoiceValue: ...
        def __getitem__(self, field: str, /) -> ChoiceValue: ...


class Request:
    """A decision to make; its attributes are the fields of the `decide` message.

    The types are those of the detail `words`. With the detail `codes` the same attributes are
    numbers; `codes` has the choices with that type, and `message` the other fields.
    """

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

    def __init__(self, message: DecideMessage, received: float | None = None) -> None:
        fields: Any = message
        nothing: AboutTurn = {}
        self.message = message
        self.id: int = message["id"]
        self.decision: DecisionKind = message["decision"]
        self.about: About = fields.get("about") or nothing
        self.events: list[Event] = fields["events"]
        self.state: State | None = fields.get("state")
        self.clock_ms: float | None = message["clock_ms"]
        self._received = monotonic() if received is None else received
        self._choices: list[Any] | None = None

    @property
    def choices(self) -> list[Choice]:
        """All legal choices, each a Choice (detail `words`) or a list of numbers (detail `codes`).

        You may sort or shorten this list: an index always refers to the order in the message.
        """
        return self._offered()

    @property
    def codes(self) -> list[Code]:
        """The same list as `choices`, with the type that it has with the detail `codes`.

        Raises ValueError if the choices are in words.
        """
        offered = self._offered()
        if offered and isinstance(offered[0], dict):
            raise ValueError('the choices are in words: a bot gets codes if its detail is "codes"')
        return offered

    def _offered(self) -> list[Any]:
        if self._choices is None:
            given: Any = self.message["choices"]
            in_codes = given and isinstance(given[0], list)
            self._choices = given[:] if in_codes else _numbered(given)
        return self._choices

    def find(self, **wanted: Wanted) -> list[Choice]:
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
            for choice, fields in zip(self._offered(), self._by_field(), strict=True)
            if all(name in fields and _fits(fields[name], value) for name, value in tests)
        ]

    def _by_field(self) -> list[dict[str, Any]]:
        choices = self._offered()
        if choices and isinstance(choices[0], dict):
            return choices
        from .codes import choice_fields  # noqa: PLC0415  only bots with detail `codes` need it

        return [choice_fields(code) for code in choices]

    def index(self, choice: Answer) -> int:
        """Return the index of a choice, given as the choice itself, an equal one, or an index.

        Raises ValueError if it is not a choice of this request.
        """
        choices: Any = self.message["choices"]
        if isinstance(choice, Choice) and choices[choice.index : choice.index + 1] == [choice]:
            return choice.index
        if isinstance(choice, dict | list) and choice in choices:
            found: int = choices.index(choice)
            return found
        number: Any = choice
        is_number = hasattr(choice, "__index__") and not isinstance(choice, bool)
        if is_number and 0 <= number < len(choices):
            return int(number)
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
