"""Editions and options as data: what differs between two games on one board is a field here (SET-1 to SET-4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Final, TypeAlias

from referee.engine.board import Board
from referee.engine.errors import RulesRefused
from referee.engine.terms import (
    BLOCK,
    FAVOURS,
    MARKERS,
    MOVE_2_ANY,
    NONE,
    PLACE_2_ABROAD,
    TRIBUTE,
)

# History: 1 the first. 2 FAV-1, TWO-1, TWO-6, DIS-4, BRI-9 and BON-9 corrected; `version_of` says which games that changed.
RULES_VERSION: Final = 2

NEUTRAL_MODES: Final = ("2009", "britannia")
DEFAULT_NEUTRAL: Final = "britannia"
COUNTRY_TIES: Final = ("shared", "next-lower")
PERMANENT_MARKER_USES: Final = ("may", "must")
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
    permanent_must: bool  # whether the option permanent_markers belongs to it

    def __reduce__(self) -> tuple[object, ...]:
        """For pickle: compiled classes have no default for it."""
        return Edition, tuple([getattr(self, field.name) for field in fields(self)])


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

    def __reduce__(self) -> tuple[object, ...]:
        """For pickle: compiled classes have no default for it."""
        return Components, tuple([getattr(self, field.name) for field in fields(self)])


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
    promo_markers: tuple[str, ...] | None
    country_ties: str | None
    permanent_markers: str | None
    max_turns: int
    name: str
    # Derived from the options:
    version: int  # the rules version that last changed games with these options
    components: Components
    values: tuple[tuple[int, ...], ...]  # by ability: what each step is worth; bank 0 is all
    start_markers: tuple[int, ...]
    supply_markers: tuple[int, ...]  # all that may be in the supply
    supply_size: int
    favour_tiles: tuple[int, ...]
    exchange_own: bool
    tie_breaks: bool
    neutral_scores: bool  # the neutral colour has a score marker and takes part (TWO-6)
    tied_places: int  # how many places seats that tie in a country share at most (BRI-8)
    permanent_first: bool  # permanent markers must be used, before the reward (EAST-5)

    @property
    def colours(self) -> int:
        """How many colours of tradesmen are on the board: the seats, and the neutral one."""
        return self.players + (self.neutral is not None)

    def __reduce__(self) -> tuple[object, ...]:
        """For pickle: compiled classes have no default for it."""
        return Ruleset, tuple([getattr(self, field.name) for field in fields(self)])

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
            "promo_markers": self.promo_markers,
            "country_ties": self.country_ties,
            "permanent_markers": self.permanent_markers,
            "max_turns": self.max_turns,
            "rules_version": self.version,
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
    promo_markers: Sequence[str] | None = None,
    country_ties: str | None = None,
    permanent_markers: str | None = None,
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
    ties = _country_ties(board, country_ties)
    permanent = _permanent_markers(board, printing, permanent_markers)
    regular = _expand(printing.supply, board.replaces)
    promo = _expand(components.promo_markers, board.replaces) if promos else ()
    chosen = _chosen_markers(promo_markers, regular, promo)
    supply = regular + promo if chosen is None else tuple(map(MARKERS.index, chosen))
    start = _expand(printing.start, board.replaces)
    flags = {"missions": missions, "favours": favours, "permits": permits, "promos": promos}
    values = {
        "neutral": mode,
        "promo_markers": None if chosen is None else ",".join(chosen),
        "country_ties": ties if ties != COUNTRY_TIES[0] else None,
        "permanent_markers": permanent if permanent != PERMANENT_MARKER_USES[0] else None,
        "max_turns": str(max_turns) if max_turns else None,
    }
    return Ruleset(
        board=board.id,
        players=players,
        edition=edition,
        missions=missions,
        favours=favours,
        neutral=mode,
        permits=permits,
        promos=promos,
        promo_markers=chosen,
        country_ties=ties,
        permanent_markers=permanent,
        max_turns=max_turns,
        name=_name(board.id, players, edition, flags, values),
        version=version_of(board, start + supply, flags, mode),
        components=components,
        values=_desk_values(components),
        start_markers=start,
        supply_markers=supply,
        supply_size=len(regular),
        favour_tiles=tuple(FAVOURS.index(tile) for tile in components.favour_tiles),
        exchange_own=printing.exchange_own,
        tie_breaks=printing.tie_breaks,
        neutral_scores=mode == "britannia",
        tied_places=2 if ties == "next-lower" else players + 1,
        permanent_first=permanent == "must",
    )


def version_of(
    board: Board, markers: Sequence[int], flags: Mapping[str, bool], neutral: str | None
) -> int:
    """The rules version that last changed games with these options.

    A game of an earlier version can be replayed if this is not above that version.
    `markers` are all bonus markers that may be in the game.
    """
    changed_by_2 = (
        flags["favours"]  # FAV-1
        or flags["promos"]  # BON-9; a map may also replace other markers by these
        or TRIBUTE in markers
        or BLOCK in markers
        or flags["permits"]  # BRI-9
        or board.abroad != 0  # DIS-4 with BRI-3; TWO-1 with `2009`
        or (neutral == "britannia" and board.has_more_special_cities)  # TWO-1, TWO-6
    )
    return 2 if changed_by_2 else 1


OptionValue: TypeAlias = str | int | bool | tuple[str, ...]


def parse_name(text: str) -> dict[str, OptionValue]:
    """The board and the options of a ruleset's name, as arguments for `make_ruleset`."""
    parts = text.split(":")
    if len(parts) != 3 or not parts[1].isdecimal():
        raise RulesRefused(
            f"{text!r} is not a valid ruleset name; an example is 'NAME:4:bigbox+missions'"
        )
    edition, *extras = parts[2].split("+")
    options: dict[str, OptionValue] = {
        "board": parts[0],
        "players": int(parts[1]),
        "edition": edition,
    }
    for extra in extras:
        key, equals, value = extra.partition("=")
        options[key] = _option_value(text, key, value) if equals else _flag(text, key)
    return options


_FLAGS: Final = ("missions", "favours", "permits", "promos")
_WORDS: Final = ("neutral", "country_ties", "permanent_markers")  # options whose value is a word


def _flag(text: str, key: str) -> bool:
    if key not in _FLAGS:
        raise RulesRefused(
            f"{key!r} in {text!r} is not a valid option; the options are {', '.join(_FLAGS)}"
        )
    return True


def _option_value(text: str, key: str, value: str) -> OptionValue:
    if key in _WORDS:
        return value
    if key == "promo_markers":
        return tuple(value.split(","))
    if key == "max_turns" and value.isdecimal():
        return int(value)
    raise RulesRefused(
        f"{key + '=' + value!r} in {text!r} is not valid; the options with a value are {', '.join(_WORDS)}, promo_markers and max_turns"
    )


def _name(
    board: str,
    players: int,
    edition: str,
    flags: Mapping[str, bool],
    values: Mapping[str, str | None],
) -> str:
    extras = [flag for flag in _FLAGS if flags[flag]]
    extras += [f"{key}={value}" for key, value in values.items() if value is not None]
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
    _check_word("neutral", neutral, NEUTRAL_MODES)
    if players != 2:
        if neutral is not None:
            raise RulesRefused(f"neutral is only for games of 2 players, not {players}")
        return None
    return neutral or DEFAULT_NEUTRAL


def _country_ties(board: Board, ties: str | None) -> str | None:
    """How ties in a country are shared; None on a board where no country gives prestige (BRI-8)."""
    _check_word("country_ties", ties, COUNTRY_TIES)
    if board.scoring_countries:
        return ties or COUNTRY_TIES[0]
    if ties is not None:
        raise RulesRefused(
            f"country_ties cannot be set on {board.id}: none of its countries gives prestige"
        )
    return None


def _permanent_markers(board: Board, edition: Edition, use: str | None) -> str | None:
    """Whether permanent markers may or must be used; None where that is not an option (EAST-5)."""
    _check_word("permanent_markers", use, PERMANENT_MARKER_USES)
    kinds = {marker for marker in board.permanent if marker != NONE}
    if edition.permanent_must and board.abroad and kinds and kinds <= {MOVE_2_ANY, PLACE_2_ABROAD}:
        return use or PERMANENT_MARKER_USES[0]
    if use is not None:
        raise RulesRefused(
            f"permanent_markers cannot be set on {board.id} in edition {edition.name!r}: it is an"
            " option of boards with countries in edition 'original'"
        )
    return None


def _check_word(option: str, given: str | None, allowed: tuple[str, ...]) -> None:
    if given is not None and given not in allowed:
        raise RulesRefused(f"{option} {given!r} is not valid; the values are {', '.join(allowed)}")


def _chosen_markers(
    names: Sequence[str] | None, regular: tuple[int, ...], promo: tuple[int, ...]
) -> tuple[str, ...] | None:
    """The markers of the supply that the players chose, sorted; None if they did not (BON-9)."""
    if names is None:
        return None
    if not promo:
        raise RulesRefused("promo_markers can only be set in games with promos")
    size, left = len(regular), Counter([MARKERS[marker] for marker in regular + promo])
    for name, count in Counter(names).items():
        if name not in left:
            raise RulesRefused(
                f"promo_markers: {name!r} is not a marker of this supply; the markers are"
                f" {', '.join(sorted(left))}"
            )
        if count > left[name]:
            raise RulesRefused(
                f"promo_markers: {name} is there {left[name]} times at most, not {count} times"
            )
    if len(names) != size:
        raise RulesRefused(
            f"promo_markers must name exactly {size} markers of the supply, not {len(names)}"
        )
    return tuple(sorted(names, key=MARKERS.index))


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
