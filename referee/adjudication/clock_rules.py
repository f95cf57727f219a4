"""The time limits of a game as one value, and the limits that somebody has set explicitly."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias, TypedDict

import msgspec

A_DAY_MS: Final = 24 * 60 * 60 * 1000
OFF: Final = "off"

Natural: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]
Limit: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=A_DAY_MS)] | Literal["off"]


class ClockRules(msgspec.Struct, frozen=True):
    """Time limits in milliseconds; None means that there is no limit.

    `start_ms` is for the process to say `hello`, and again for `ready` after `start`. `bank_ms` is
    for all answers of a game, `increment_ms` is added to it before each request, and `move_ms` is
    the most that one answer may take.
    """

    start_ms: Natural | None = 10_000
    bank_ms: Natural | None = 60_000
    increment_ms: Natural = 100
    move_ms: Natural | None = 15_000
    by_cpu: bool = False  # charge the bot's CPU time instead of wall time

    def plain(self) -> ClockRules:
        """These limits without what a subclass adds."""
        return ClockRules(*[getattr(self, name) for name in ClockRules.__struct_fields__])

    def to_dict(self) -> dict[str, int | bool | None]:
        """The limits as a record has them."""
        return msgspec.structs.asdict(self)

    def message_dict(self) -> dict[str, int | None]:
        """The limits as the message `start` has them, which does not say by which clock."""
        limits: dict[str, int | None] = msgspec.structs.asdict(self)
        del limits["by_cpu"]
        return limits


NO_CLOCK: Final = ClockRules(start_ms=None, bank_ms=None, increment_ms=0, move_ms=None)


class ClockKeywords(TypedDict, total=False):
    """The limits as keyword arguments of a tournament in the Python API."""

    start_ms: int | Literal["off"]
    bank_ms: int | Literal["off"]
    increment_ms: int
    move_ms: int | Literal["off"]
    clock: Literal["wall", "cpu"]


class GivenClock(msgspec.Struct, frozen=True, kw_only=True):
    """The limits that a command line or a file sets; None means "not given", "off" no limit."""

    start_ms: Limit | None = None
    bank_ms: Limit | None = None
    increment_ms: Annotated[int, msgspec.Meta(ge=0, le=A_DAY_MS)] | None = None
    move_ms: Limit | None = None
    clock: Literal["wall", "cpu"] | None = None

    def rules(self, default: ClockRules) -> ClockRules:
        """The clock of a game; what was not given is taken from `default`."""
        given: dict[str, int | bool | None] = {}
        for name in ClockRules.__struct_fields__:
            limit: int | str | None = getattr(self, name, None)
            if limit is not None:
                given[name] = limit if isinstance(limit, int) else None
        if self.clock is not None:
            given["by_cpu"] = self.clock == "cpu"
        return msgspec.structs.replace(default, **given)
