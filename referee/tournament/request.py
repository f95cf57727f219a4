"""What an organiser asks for, on the command line or in a file; None is "not said"."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import msgspec

from referee.adjudication.clock import ClockRules
from referee.adjudication.clock_rules import GivenClock
from referee.adjudication.faults import DEFAULT_STRIKES
from referee.bots.find import is_bot_folder
from referee.bots.sandbox.limits import Level, merge_grants, read_grants
from referee.options import GivenOptions, load_game
from referee.random_play import SEEDS
from referee.text import did_you_mean
from referee.tournament.definition import (
    SETTLED,
    USUAL_BLOCKS,
    Charter,
    Format,
    Programme,
    SprtTerms,
    TournamentRefused,
)
from referee.tournament.sprt import Sprt
from referee.tournament.workers.messages import Conditions, TableJob

_UNKNOWN = re.compile(r"Object contains unknown field `(\w+)`(?: - at `\$(.*)`)?")
USUAL_SEATS = 4

_Count: TypeAlias = Annotated[int, msgspec.Meta(ge=1)]


class TableWish(GivenOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of table; what it leaves open is as in the rest of the wishes."""

    seats: int | None = None


if TYPE_CHECKING:

    class _TableAndClock(TableWish, GivenClock, frozen=True, kw_only=True):
        """The fields of both."""

else:
    # A Struct can inherit fields from one class only.
    _TableAndClock = msgspec.defstruct(
        "_TableAndClock",
        [(one.name, one.type, one.default) for one in msgspec.structs.fields(GivenClock)],
        bases=(TableWish,),
        namespace={"rules": GivenClock.rules},
        frozen=True,
        kw_only=True,
    )


class Wishes(_TableAndClock, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that can be asked for; the keys of a configuration file."""

    bots: tuple[str, ...] | None = None
    tables: tuple[TableWish, ...] | None = None
    seed: Annotated[int, msgspec.Meta(ge=0, lt=SEEDS)] | None = None
    format: Format | None = None
    blocks: Annotated[int, msgspec.Meta(le=10**9)] | Literal["settled"] | None = None
    rounds: _Count | None = None
    hero: str | None = None
    permutations: Literal["rotations", "all"] | None = None
    sprt: tuple[float, float] | None = None
    alpha: float | None = None
    beta: float | None = None
    disqualify_at: float | None = None
    disqualify_after: _Count | None = None
    strikes: Annotated[int, msgspec.Meta(ge=0, le=1000)] | None = None
    ponder: Literal["report", "forbid", "allow"] | None = None
    fresh: bool | None = None
    workers: Annotated[int, msgspec.Meta(le=1024)] | None = None
    sandbox: Level | None = None
    limits: dict[str, Any] | None = None


def read_wishes(path: Path) -> Wishes:
    """The wishes in a TOML file; bots that are folders lie beside it."""
    try:
        words = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise TournamentRefused(f"cannot read {path}: {error.strerror}") from error
    except RecursionError as error:
        raise TournamentRefused(f"{path} is no TOML: it is nested too deeply") from error
    except ValueError as error:  # a number of too many digits is no error of TOML
        raise TournamentRefused(f"{path} is no TOML: {error}") from error
    wishes = wishes_of_words(words, str(path))
    bots = None if wishes.bots is None else tuple(_beside(path, word) for word in wishes.bots)
    limits = None if wishes.limits is None else read_grants(wishes.limits, f"{path}: limits")
    return msgspec.structs.replace(wishes, bots=bots, limits=limits)


def wishes_of_words(words: dict[str, Any], where: str) -> Wishes:
    """The wishes that plain words say; `where` they stand is told with what is wrong."""
    try:
        return msgspec.convert(words, Wishes)
    except msgspec.ValidationError as error:
        raise TournamentRefused(f"{where}: {_complaint(str(error))}") from error


def _beside(path: Path, word: str) -> str:
    """A word that names a folder beside the file; any other as it is."""
    name, equals, rest = word.rpartition("=")
    folder = path.parent / rest
    return f"{name}{equals}{folder}" if rest and is_bot_folder(folder) else word


def _complaint(text: str) -> str:
    unknown = _UNKNOWN.match(text)
    if unknown is None:
        what, _, place = text.partition(" - at ")
        plain = (what[0].lower() + what[1:]).replace(" | null", "").replace("`", "")
        return f"{place.strip('`$.') or 'it'}: {plain}"
    keys = msgspec.structs.fields(TableWish if unknown[2] else Wishes)
    hint = did_you_mean(unknown[1], [key.name for key in keys])
    return "; ".join(filter(None, [f"unknown key {unknown[1]!r}", hint]))


def merge(first: Wishes, second: Wishes) -> Wishes:
    """The first wins wherever it says something."""
    said = {key: value for key, value in msgspec.structs.asdict(first).items() if value is not None}
    if first.limits and second.limits:
        said["limits"] = merge_grants(first.limits, second.limits)
    return msgspec.structs.replace(second, **said)


def charter_of(wishes: Wishes, bots: int, seed: int) -> Charter:
    """What the games have in common, as it was asked for."""
    tables = wishes.tables or (TableWish(),)
    made = tuple(_table(table, wishes, bots) for table in tables)
    names = [table.name for table in made]
    if len(set(names)) < len(names):
        raise TournamentRefused("two of the tables are the same")
    return Charter(seed, made, _conditions(wishes))


def _table(wish: TableWish, wishes: Wishes, bots: int) -> TableJob:
    seats = wish.seats or wishes.seats or min(bots, USUAL_SEATS)
    options = wish.options(default=wishes.options())
    board, rules = load_game(options, seats)
    return TableJob(rules.name, seats, dict(board.words), options.rule_options())


def _conditions(wishes: Wishes) -> Conditions:
    clock = wishes.rules(default=ClockRules())
    return Conditions(
        **clock.to_dict(),
        strikes=DEFAULT_STRIKES if wishes.strikes is None else wishes.strikes,
        ponder=wishes.ponder or "report",
        fresh=bool(wishes.fresh),
    )


def programme_of(wishes: Wishes, bots: Sequence[str]) -> Programme:
    """What this run plays, as it was asked for."""
    kind = wishes.format or "round-robin"
    hero = wishes.hero
    if hero is None and kind in ("gauntlet", "ladder") and bots:
        hero = bots[0]
    _check_programme(wishes, kind)
    usual = Programme()
    blocks = USUAL_BLOCKS if wishes.blocks is None else wishes.blocks
    if kind in ("swiss", "ladder") and wishes.blocks is None:
        blocks = SETTLED  # as many as the format has by itself
    return Programme(
        format=kind,
        blocks=None if blocks == SETTLED else blocks,
        rounds=wishes.rounds,
        hero=hero,
        all_orders=wishes.permutations == "all",
        sprt=_sprt(wishes),
        out_at=usual.out_at if wishes.disqualify_at is None else wishes.disqualify_at,
        out_after=usual.out_after if wishes.disqualify_after is None else wishes.disqualify_after,
    )


def _check_programme(wishes: Wishes, kind: Format) -> None:
    """The first of these that is so is told."""
    tested, blocks, share = wishes.sprt is not None, wishes.blocks, wishes.disqualify_at
    for is_so, sentence in (
        (
            tested and kind != "gauntlet",
            "a sequential test is made in a gauntlet: --format gauntlet",
        ),
        (
            tested and isinstance(blocks, int),
            "a sequential test plays as many blocks as it takes: no --blocks",
        ),
        (
            not tested and (wishes.alpha, wishes.beta) != (None, None),
            "alpha and beta are those of a sequential test: --sprt LOW HIGH",
        ),
        (
            wishes.rounds is not None and kind != "swiss",
            "rounds are those of a Swiss tournament: --format swiss",
        ),
        (
            wishes.hero is not None and kind not in ("gauntlet", "ladder"),
            "a hero is for a gauntlet or a ladder: --format gauntlet",
        ),
        (
            isinstance(blocks, int) and blocks < 1,
            f"the number of blocks must be 1 or more, not {blocks}",
        ),
        (
            not tested and blocks == SETTLED and kind == "gauntlet",
            f"blocks until the top is {SETTLED} are those of a round-robin; a gauntlet has --sprt",
        ),
        (
            share is not None and not 0 < share <= 1,
            "a bot is disqualified at a share of games: above 0, at most 1",
        ),
    ):
        if is_so:
            raise TournamentRefused(sentence)


def _sprt(wishes: Wishes) -> SprtTerms | None:
    if wishes.sprt is None:
        return None
    low, high = wishes.sprt
    alpha = 0.05 if wishes.alpha is None else wishes.alpha
    beta = 0.05 if wishes.beta is None else wishes.beta
    if not low < high:
        raise TournamentRefused(f"the test needs LOW below HIGH, not {low} and {high}")
    if not (0 < alpha < 0.5 and 0 < beta < 0.5):
        raise TournamentRefused("alpha and beta are error rates: above 0 and below 0.5")
    Sprt(low, high, alpha, beta)  # refuses what is too far off
    return SprtTerms(low, high, alpha, beta)
