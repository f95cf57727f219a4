"""The box: what lies beside the board, as components.toml says it, or why it cannot be so."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from referee.engine.ruleset import Components, Edition
from referee.engine.terms import COLOURS, FAVOURS, MARKERS

MOST = 1000  # of anything in a box
TAVERNS = 3  # on every board: a marker lies at each when a game begins

Count: TypeAlias = Annotated[int, Meta(ge=0, le=MOST)]
Four: TypeAlias = Annotated[tuple[Count, ...], Meta(min_length=4, max_length=4)]
Five: TypeAlias = Annotated[tuple[Count, ...], Meta(min_length=5, max_length=5)]
Six: TypeAlias = Annotated[tuple[Count, ...], Meta(min_length=6, max_length=6)]
Several: TypeAlias = Annotated[tuple[Count, ...], Meta(min_length=1, max_length=MOST)]


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the file: no key may be missing, and none too many."""


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
    start: dict[str, Count]
    supply: dict[str, Count]


class _Editions(_Table, frozen=True):
    bigbox: _Edition
    original: _Edition


class _Promos(_Table, frozen=True):
    markers: dict[str, Count]


class _Favours(_Table, frozen=True):
    tiles: tuple[str, ...]


class _Box(_Table, frozen=True):
    format: Literal[1]
    tradesmen: _Tradesmen
    desk: _Desk
    prestige: _Prestige
    editions: _Editions
    promos: _Promos
    favours: _Favours


def components_from(words: object) -> Components:
    """The components that a file's words are; ValueError with a sentence if they are none."""
    box = msgspec.convert(words, _Box)
    editions = {
        "bigbox": _edition("bigbox", box.editions.bigbox),
        "original": _edition("original", box.editions.original),
    }
    _check_names("a colour", box.desk.privilege, COLOURS)
    _check_names("a favour", box.favours.tiles, FAVOURS)
    worth = msgspec.structs.asdict(box.prestige)
    return Components(
        **msgspec.structs.asdict(box.tradesmen),
        **msgspec.structs.asdict(box.desk),
        marker_prestige=worth.pop("markers"),
        **worth,
        editions=editions,
        promo_markers=_counts(box.promos.markers),
        favour_tiles=box.favours.tiles,
    )


def _edition(name: str, said: _Edition) -> Edition:
    if sum(said.start.values()) != TAVERNS:
        raise ValueError(
            f"an edition starts with {TAVERNS} markers, not {sum(said.start.values())}"
        )
    flags = (said.exchange_own, said.tie_breaks, said.promos)
    return Edition(name, _counts(said.start), _counts(said.supply), *flags)


def _counts(said: dict[str, int]) -> tuple[tuple[str, int], ...]:
    _check_names("a marker", said, MARKERS)
    return tuple(said.items())


def _check_names(what: str, said: tuple[str, ...] | dict[str, int], known: tuple[str, ...]) -> None:
    for name in said:
        if name not in known:
            raise ValueError(f"{name!r} is not {what}; there are {', '.join(known)}")
