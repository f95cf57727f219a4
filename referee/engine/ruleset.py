"""Editions and options as data: what differs between two games on one board is a field here (SET-1 to SET-4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from referee.engine.board import Board
from referee.engine.errors import RulesRefused
from referee.engine.terms import FAVOURS, MARKERS

# History: 1 the first.
RULES_VERSION: Final = 1

NEUTRAL_MODES: Final = ("2009", "britannia")
DEFAULT_NEUTRAL: Final = "britannia"
LARGEST_MAX_TURNS: Final = 1_000_000


@dataclass(frozen=True)
class Edition:
    """One edition of the game: its bonus markers, and where its rules differ."""

    name: str
    start: tuple[tuple[str, int], ...]
    supply: tuple[tuple[str, int], ...]
    exchange_own: bool
    tie_breaks: bool
    promos: bool


@dataclass(frozen=True)
class Components:
    """Everything in the box except the board."""

    traders: int
    merchants: int
    supply_traders: tuple[int, ...]
    supply_merchants: int
    keys: tuple[int, ...]
    actions: tuple[int, ...]
    privilege: tuple[str, ...]
    book: tuple[int, ...]
    bank: tuple[int, ...]
    track_end: int
    ability: int
    ability_scholar: int
    city: int
    city_patron: int
    marker_prestige: tuple[int, ...]
    mission_city: int
    mission_all: int
    editions: dict[str, Edition]
    promo_markers: tuple[tuple[str, int], ...]
    favour_tiles: tuple[str, ...]


@dataclass(frozen=True)
class Ruleset:
    """Every number and every flag that the rules of one game depend on."""

    board: str
    players: int
    edition: str
    missions: bool
    favours: bool
    neutral: str | None
    permits: bool
    promos: bool
    max_turns: int
    name: str
    # Derived from the options:
    components: Components
    values: tuple[tuple[int, ...], ...]  # by ability: what each step is worth; bank 0 is all
    start_markers: tuple[int, ...]
    supply_markers: tuple[int, ...]  # all that may be in the supply
    supply_size: int
    favour_tiles: tuple[int, ...]
    exchange_own: bool
    tie_breaks: bool
    neutral_scores: bool  # the neutral colour has a score marker and takes part (TWO-6)

    @property
    def colours(self) -> int:
        """How many colours of tradesmen are on the board: the seats, and the neutral one."""
        return self.players + (self.neutral is not None)

    def to_dict(self) -> dict[str, object]:
        """The options, as messages and records spell them."""
        return {
            "edition": self.edition,
            "board": self.board,
            "players": self.players,
            "missions": self.missions,
            "favours": self.favours,
            "neutral": self.neutral,
            "permits": self.permits,
            "promos": self.promos,
            "max_turns": self.max_turns,
            "rules_version": RULES_VERSION,
        }


def make_ruleset(
    components: Components,
    board: Board,
    players: int,
    *,
    edition: str = "bigbox",
    missions: bool = False,
    favours: bool = False,
    neutral: str | None = None,
    permits: bool = False,
    promos: bool = False,
    max_turns: int = 0,
) -> Ruleset:
    """The rules of one game; RulesRefused says which option is not possible, and why."""
    printing = _edition(components, edition)
    _check_players(board, players)
    _check_options(
        board, printing, missions=missions, favours=favours, permits=permits, promos=promos
    )
    mode = _neutral_mode(players, neutral)
    _check_max_turns(max_turns)
    supply = _expand(printing.supply, board.replaces)
    promo_markers = _expand(components.promo_markers, board.replaces) if promos else ()
    flags = {"missions": missions, "favours": favours, "permits": permits, "promos": promos}
    return Ruleset(
        board=board.id,
        players=players,
        edition=edition,
        missions=missions,
        favours=favours,
        neutral=mode,
        permits=permits,
        promos=promos,
        max_turns=max_turns,
        name=_name(board.id, players, edition, flags, mode, max_turns),
        components=components,
        values=_desk_values(components),
        start_markers=_expand(printing.start, board.replaces),
        supply_markers=supply + promo_markers,
        supply_size=len(supply),
        favour_tiles=tuple(FAVOURS.index(tile) for tile in components.favour_tiles),
        exchange_own=printing.exchange_own,
        tie_breaks=printing.tie_breaks,
        neutral_scores=mode == "britannia",
    )


def parse_name(text: str) -> dict[str, str | int | bool]:
    """The board and the options of a ruleset's name, as arguments for `make_ruleset`."""
    parts = text.split(":")
    if len(parts) != 3 or not parts[1].isdecimal():
        raise RulesRefused(
            f"{text!r} is not a valid ruleset name; an example is 'NAME:4:bigbox+missions'"
        )
    edition, *extras = parts[2].split("+")
    options: dict[str, str | int | bool] = {
        "board": parts[0],
        "players": int(parts[1]),
        "edition": edition,
    }
    for extra in extras:
        key, equals, value = extra.partition("=")
        options[key] = _option_value(text, key, value) if equals else _flag(text, key)
    return options


_FLAGS: Final = ("missions", "favours", "permits", "promos")


def _flag(text: str, key: str) -> bool:
    if key not in _FLAGS:
        raise RulesRefused(
            f"{key!r} in {text!r} is not a valid option; the options are {', '.join(_FLAGS)}"
        )
    return True


def _option_value(text: str, key: str, value: str) -> str | int:
    if key == "neutral":
        return value
    if key == "max_turns" and value.isdecimal():
        return int(value)
    raise RulesRefused(
        f"{key + '=' + value!r} in {text!r} is not valid; the options with a value are neutral=MODE and max_turns=NUMBER"
    )


def _name(
    board: str,
    players: int,
    edition: str,
    flags: Mapping[str, bool],
    neutral: str | None,
    max_turns: int,
) -> str:
    extras = [flag for flag in _FLAGS if flags[flag]]
    if neutral is not None:
        extras.append(f"neutral={neutral}")
    if max_turns:
        extras.append(f"max_turns={max_turns}")
    return ":".join((board, str(players), "+".join((edition, *extras))))


def _edition(components: Components, edition: str) -> Edition:
    if edition not in components.editions:
        raise RulesRefused(
            f"there is no edition {edition!r}; the editions are {', '.join(components.editions)}"
        )
    return components.editions[edition]


def _check_players(board: Board, players: int) -> None:
    fewest, most = board.players
    if type(players) is not int or not fewest <= players <= most:
        allowed = str(fewest) if fewest == most else f"{fewest} to {most}"
        raise RulesRefused(f"board {board.id} takes {allowed} players, not {players}")


def _check_options(
    board: Board, edition: Edition, *, missions: bool, favours: bool, permits: bool, promos: bool
) -> None:
    if missions and not board.missions:
        raise RulesRefused(f"missions cannot be played on {board.id}: it has no mission cards")
    if favours and not board.favours:
        raise RulesRefused(f"Emperor's Favour cannot be played on {board.id}")
    if permits and not board.permits:
        raise RulesRefused(f"permits cannot be bought on {board.id}: none of its cities has one")
    if promos and not edition.promos:
        raise RulesRefused(f"the promo markers do not belong to edition {edition.name!r}")


def _neutral_mode(players: int, neutral: str | None) -> str | None:
    if neutral is not None and neutral not in NEUTRAL_MODES:
        raise RulesRefused(
            f"neutral {neutral!r} is not valid; the values are {', '.join(NEUTRAL_MODES)}"
        )
    if players != 2:
        if neutral is not None:
            raise RulesRefused(f"neutral is only for games of 2 players, not {players}")
        return None
    return neutral or DEFAULT_NEUTRAL


def _check_max_turns(max_turns: int) -> None:
    if type(max_turns) is not int or not 0 <= max_turns <= LARGEST_MAX_TURNS:
        raise RulesRefused(
            f"max_turns {max_turns!r} is not a whole number from 0 (no limit) to {LARGEST_MAX_TURNS}"
        )


def _expand(counts: Iterable[tuple[str, int]], replaces: Mapping[str, str]) -> tuple[int, ...]:
    """Every single marker, replaced where this board has another one (SET-4)."""
    return tuple(
        MARKERS.index(replaces.get(name, name)) for name, count in counts for _ in range(count)
    )


def _desk_values(components: Components) -> tuple[tuple[int, ...], ...]:
    colours = tuple(range(len(components.privilege)))
    return (components.keys, components.actions, colours, components.book, components.bank)
