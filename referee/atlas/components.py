"""The components of the game beside the board, read from components.toml and validated."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from referee.engine.ruleset import Components, Edition
from referee.engine.terms import COLOURS, FAVOURS, MARKERS

MOST = 1000  # of anything
TAVERNS = 3  # on every board: a marker lies at each when a game begins

Count: TypeAlias = Annotated[int, Meta(ge=0, le=MOST)]
Four: TypeAlias = Annotated[tuple[Count, ...], Meta(min_length=4, max_length=4)]
Five: TypeAlias = Annotated[tuple[Count, ...], Meta(min_length=5, max_length=5)]
Six: TypeAlias = Annotated[tuple[Count, ...], Meta(min_length=6, max_length=6)]
Several: TypeAlias = Annotated[tuple[Count, ...], Meta(min_length=1, max_length=MOST)]


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the file: every key is required, and no other is allowed."""


class _Tradesmen(_Table, frozen=True):
    traders: Count
    merchants: Count
    supply_traders: Five
    supply_merchants: Count


class _Desk(_Table, frozen=True):
    keys: Five
    actions: Six
    privilege: tuple[str, str, str, str]
    book: Four
    bank: Four


class _Prestige(_Table, frozen=True):
    track_end: Count
    ability: Count
    ability_scholar: Count
    city: Count
    city_patron: Count
    markers: Several
    mission_city: Count
    mission_all: Count


class _Edition(_Table, frozen=True):
    exchange_own: bool
    tie_breaks: bool
    promos: bool
    permanent_must: bool
    start: dict[str, Count]
    supply: dict[str, Count]


class _Editions(_Table, frozen=True):
    bigbox: _Edition
    original: _Edition


class _Promos(_Table, frozen=True):
    markers: dict[str, Count]


class _Favours(_Table, frozen=True):
    tiles: tuple[str, ...]


class _File(_Table, frozen=True):
    format: Literal[1]
    tradesmen: _Tradesmen
    desk: _Desk
    prestige: _Prestige
    editions: _Editions
    promos: _Promos
    favours: _Favours


def components_from(words: object) -> Components:
    """The components that the parsed file describes; ValueError explains what is wrong with it."""
    file = msgspec.convert(words, _File)
    editions = {
        "bigbox": _edition("bigbox", file.editions.bigbox),
        "original": _edition("original", file.editions.original),
    }
    _check_names("a colour", file.desk.privilege, COLOURS)
    _check_names("a favour", file.favours.tiles, FAVOURS)
    worth = msgspec.structs.asdict(file.prestige)
    return Components(
        **msgspec.structs.asdict(file.tradesmen),
        **msgspec.structs.asdict(file.desk),
        marker_prestige=worth.pop("markers"),
        **worth,
        editions=editions,
        promo_markers=_counts(file.promos.markers),
        favour_tiles=file.favours.tiles,
    )


def _edition(name: str, given: _Edition) -> Edition:
    if sum(given.start.values()) != TAVERNS:
        raise ValueError(
            f"an edition starts with {TAVERNS} markers, not {sum(given.start.values())}"
        )
    flags = (given.exchange_own, given.tie_breaks, given.promos, given.permanent_must)
    return Edition(name, _counts(given.start), _counts(given.supply), *flags)


def _counts(given: dict[str, int]) -> tuple[tuple[str, int], ...]:
    _check_names("a marker", given, MARKERS)
    return tuple(given.items())


def _check_names(
    what: str, given: tuple[str, ...] | dict[str, int], known: tuple[str, ...]
) -> None:
    for name in given:
        if name not in known:
            raise ValueError(f"{name!r} is not {what}; the valid names are {', '.join(known)}")
