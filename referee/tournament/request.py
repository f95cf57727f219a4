"""The request for a tournament, from the command line, a TOML file or Python; None means "not given"."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias

import msgspec

from referee.adjudication.clock import ClockRules
from referee.adjudication.clock_rules import GivenClock
from referee.adjudication.faults import DEFAULT_STRIKES
from referee.bots.find import is_bot_folder, with_place
from referee.bots.sandbox.limits import Level, merge_grants, read_grants
from referee.errors import RefereeError, TournamentRefused
from referee.options import GivenOptions, load_game
from referee.random_play import SEEDS
from referee.tournament.definition import (
    DEFAULT_BLOCKS_PER_BOT,
    SETTLED,
    Definition,
    Format,
    RunOptions,
    SprtTerms,
)
from referee.tournament.file_mistakes import plain_mistake
from referee.tournament.sprt import Sprt
from referee.tournament.workers.messages import Conditions, TableJob

DEFAULT_SEATS = 4
LARGEST_COUNT: Final = 10**9
MOST_VARIANTS: Final = 1000  # of one sweep
LONGEST_TITLE: Final = 120  # characters
LONGEST_INTRODUCTION: Final = 20_000

_Count: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=LARGEST_COUNT)]
_Number: TypeAlias = Annotated[float, msgspec.Meta(ge=-LARGEST_COUNT, le=LARGEST_COUNT)]  # finite
_ErrorRate: TypeAlias = Annotated[float, msgspec.Meta(gt=0, lt=0.5)]


class _GameRequest(GivenOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules of a game and its number of seats."""

    seats: Annotated[int, msgspec.Meta(ge=2, le=5)] | None = None


class TableRequest(_GameRequest, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of table; options that are not given come from the rest of the request."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=60)] | None = None
    weight: Annotated[float, msgspec.Meta(gt=0, le=1000)] | None = None  # its share of the blocks


if TYPE_CHECKING:

    class _TableAndClock(_GameRequest, GivenClock, frozen=True, kw_only=True): ...

else:
    # A Struct can inherit fields from one class only.
    _TableAndClock = msgspec.defstruct(
        "_TableAndClock",
        [(field.name, field.type, field.default) for field in msgspec.structs.fields(GivenClock)],
        bases=(_GameRequest,),
        namespace={"rules": GivenClock.rules},
        frozen=True,
        kw_only=True,
    )


# The keys that make up a definition; if none is given, a tournament continues as it was.
DEFINITION_KEYS: Final = (
    *_GameRequest.__struct_fields__,
    "tables",
    *GivenClock.__struct_fields__,
    "strikes",
    "ponder",
    "fresh",
)


class TournamentRequest(_TableAndClock, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All options of a tournament; the fields are the keys of a configuration file."""

    title: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_TITLE)] | None = None
    # Markdown; in a file, the path of an .md file stands for what is in it.
    introduction: (
        Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_INTRODUCTION)] | None
    ) = None
    bots: tuple[str, ...] | None = None
    sweep: tuple[str, ...] | None = None  # bots that enter with several values (see sweep.py)
    variants: Annotated[int, msgspec.Meta(ge=1, le=MOST_VARIANTS)] | None = (
        None  # drawn, of a sweep
    )
    sweep_seed: Annotated[int, msgspec.Meta(ge=0, lt=SEEDS)] | None = None
    tables: tuple[TableRequest, ...] | None = None
    seed: Annotated[int, msgspec.Meta(ge=0, lt=SEEDS)] | None = None
    format: Format | None = None
    blocks: _Count | Literal["settled"] | None = None
    blocks_per_bot: _Count | None = None
    games: _Count | None = None  # the budget of a run
    hours: Annotated[float, msgspec.Meta(gt=0, le=LARGEST_COUNT)] | None = None
    rounds: _Count | None = None
    hero: str | None = None
    permutations: Literal["rotations", "all"] | None = None
    sprt: tuple[_Number, _Number] | None = None
    alpha: _ErrorRate | None = None
    beta: _ErrorRate | None = None
    disqualify_at: Annotated[float, msgspec.Meta(gt=0, le=1)] | None = None
    disqualify_after: _Count | None = None
    strikes: Annotated[int, msgspec.Meta(ge=0, le=1000)] | None = None
    ponder: Literal["report", "forbid", "allow"] | None = None
    fresh: bool | None = None
    workers: Annotated[int, msgspec.Meta(ge=1, le=1024)] | None = None
    sandbox: Level | None = None
    limits: dict[str, Any] | None = None
    allow_build: tuple[str, ...] | None = None  # bots whose builds may use the network
    points: tuple[_Number, ...] | None = None
    anchor: str | None = None
    records: bool | None = None


def read_request(path: Path) -> TournamentRequest:
    """Read a request from a TOML file; folders of bots and the introduction are relative to the file.

    Raises TournamentRefused if it cannot be read or is not valid.
    """
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise TournamentRefused(f"cannot read {path}: {error.strerror}") from error
    except RecursionError as error:
        raise TournamentRefused(f"{path} is not valid TOML: it is nested too deeply") from error
    except ValueError as error:  # a number with too many digits is not a TOMLDecodeError
        raise TournamentRefused(f"{path} is not valid TOML: {error}") from error
    request = request_from_dict(data, str(path))
    return msgspec.structs.replace(
        request,
        bots=_all_relative_to(path, request.bots),
        sweep=_all_relative_to(path, request.sweep),
        introduction=_introduction(path, request.introduction),
    )


def _introduction(path: Path, given: str | None) -> str | None:
    """Return the text of the introduction, which may be in an .md file beside the file at `path`."""
    if given is None or "\n" in given or not given.endswith(".md"):
        return given
    place = path.parent / given
    try:
        text = place.read_text("utf-8")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise TournamentRefused(f"{path}: introduction: cannot read {place}: {why}") from error
    if len(text) > LONGEST_INTRODUCTION:
        raise TournamentRefused(
            f"{path}: introduction: {place} has {len(text):,} characters; the most are"
            f" {LONGEST_INTRODUCTION:,}"
        )
    return text


def request_from_dict(data: dict[str, Any], where: str) -> TournamentRequest:
    """Make a request from plain data; every error message begins with `where`.

    Raises TournamentRefused, or BotRefused for limits that are not valid.
    """
    try:
        request = msgspec.convert(data, TournamentRequest)
    except msgspec.ValidationError as error:
        why = plain_mistake(str(error), data, TournamentRequest, TableRequest)
        raise TournamentRefused(f"{where}: {why}") from error
    if request.limits is None:
        return request
    limits = read_grants(request.limits, f"{where}: limits")
    return msgspec.structs.replace(request, limits=limits)


def request_from_options(options: RunOptions) -> TournamentRequest:
    """Return the request that gives these run options."""
    test = options.sprt
    return TournamentRequest(
        format=options.format,
        blocks=SETTLED if options.is_open and test is None else options.blocks,
        blocks_per_bot=options.blocks_per_bot,
        rounds=options.rounds,
        hero=options.hero,
        permutations="all" if options.all_orders else "rotations",
        sprt=None if test is None else (test.low, test.high),
        alpha=None if test is None else test.alpha,
        beta=None if test is None else test.beta,
        disqualify_at=options.out_at,
        disqualify_after=options.out_after,
    )


def _all_relative_to(path: Path, words: tuple[str, ...] | None) -> tuple[str, ...] | None:
    return None if words is None else tuple(_relative_to(path, word) for word in words)


def _relative_to(path: Path, word: str) -> str:
    """Return the word with the paths of a bot folder and of files of values relative to the file."""

    def beside(place: str) -> str | None:
        folder = path.parent / place
        return str(folder) if place and is_bot_folder(folder) else None

    return with_place(word, beside, lambda file: str(path.parent / file))


# What a number of blocks replaces, if an earlier run or a file has it.
_OTHER_UNITS: Final = {
    "blocks": ("blocks_per_bot",),
    "blocks_per_bot": ("blocks", "rounds"),
    "rounds": ("blocks_per_bot",),
    "sprt": ("blocks", "blocks_per_bot", "rounds"),
}


def merge(first: TournamentRequest, second: TournamentRequest) -> TournamentRequest:
    """Combine two requests; if both give a value, the first one counts, and limits are merged.

    If the first counts blocks in one way, the second one's other ways do not count.
    """
    given = {
        key: value for key, value in msgspec.structs.asdict(first).items() if value is not None
    }
    replaced = {other for unit in _OTHER_UNITS.keys() & given for other in _OTHER_UNITS[unit]}
    given.update(dict.fromkeys(replaced - given.keys()))
    if first.limits and second.limits:
        given["limits"] = merge_grants(first.limits, second.limits)
    if first.allow_build and second.allow_build:
        given["allow_build"] = (*first.allow_build, *second.allow_build)
    return msgspec.structs.replace(second, **given)


def make_definition(request: TournamentRequest, bots: int, seed: int) -> Definition:
    """Make the definition of a new tournament with this many bots.

    Raises TournamentRefused, MapRefused or RulesRefused for tables that cannot be played.
    """
    tables = request.tables or (TableRequest(),)
    made = tuple(_tables(tables, request, bots))
    names = [table.name for table in made]
    if len(set(names)) < len(names):
        raise TournamentRefused("two of the tables are the same; remove one or change its settings")
    return Definition(seed, made, _conditions(request))


def _tables(
    tables: Sequence[TableRequest], request: TournamentRequest, bots: int
) -> Iterator[TableJob]:
    """Yield the tables; an error names the table, if the request lists them."""
    for number, table in enumerate(tables, start=1):
        try:
            yield _table(table, request, bots)
        except RefereeError as error:
            if request.tables is None:
                raise
            raise type(error)(f"[[tables]] {number}: {error}") from error


def _table(table: TableRequest, request: TournamentRequest, bots: int) -> TableJob:
    seats = table.seats or request.seats or min(bots, DEFAULT_SEATS)
    options = table.options(default=request.options())
    board, rules = load_game(options, seats)
    return TableJob(table.name or rules.name, seats, dict(board.words), options.rule_options())


def _conditions(request: TournamentRequest) -> Conditions:
    clock = request.rules(default=ClockRules())
    return Conditions(
        **msgspec.structs.asdict(clock),
        strikes=DEFAULT_STRIKES if request.strikes is None else request.strikes,
        ponder=request.ponder or "report",
        fresh=bool(request.fresh),
    )


def with_seats_of(request: TournamentRequest, definition: Definition) -> TournamentRequest:
    """Fill in the numbers of seats of the tournament where none were given."""
    if request.seats is not None:
        return request
    if request.tables is None:
        return msgspec.structs.replace(request, seats=definition.tables[0].seats)
    tables = [
        given if given.seats is not None else msgspec.structs.replace(given, seats=table.seats)
        for given, table in zip(request.tables, definition.tables, strict=False)
    ]
    return msgspec.structs.replace(request, tables=(*tables, *request.tables[len(tables) :]))


def given_format(request: TournamentRequest) -> Format | None:
    """Return the format that a request asks for; a sequential test is a gauntlet."""
    return "gauntlet" if request.format is None and request.sprt is not None else request.format


def make_run_options(request: TournamentRequest, bots: Sequence[str]) -> RunOptions:
    """Make the options of one run; TournamentRefused if the request contradicts itself."""
    kind = given_format(request) or "round-robin"
    hero = request.hero
    if hero is None and kind in ("gauntlet", "ladder") and bots:
        hero = bots[0]
    _check_run_options(request, kind)
    default = RunOptions()
    per_bot = request.blocks_per_bot
    if request.blocks is None and per_bot is None and request.sprt is None:
        # The other formats have their own number.
        per_bot = DEFAULT_BLOCKS_PER_BOT if kind in ("round-robin", "gauntlet") else None
    return RunOptions(
        format=kind,
        blocks=None if request.blocks == SETTLED else request.blocks,
        blocks_per_bot=per_bot,
        weights=_weights(request),
        rounds=request.rounds,
        hero=hero,
        even_seats=kind == "gauntlet",
        all_orders=request.permutations == "all",
        sprt=_sprt(request),
        out_at=default.out_at if request.disqualify_at is None else request.disqualify_at,
        out_after=default.out_after
        if request.disqualify_after is None
        else request.disqualify_after,
    )


def _weights(request: TournamentRequest) -> tuple[float, ...]:
    """Return the weights of the tables; () if all tables have the same."""
    weights = tuple(1.0 if table.weight is None else table.weight for table in request.tables or ())
    return weights if set(weights) - {1.0} else ()


def _check_run_options(request: TournamentRequest, kind: Format) -> None:
    """Raise TournamentRefused for the first contradiction in a request."""
    tested, blocks, share = request.sprt is not None, request.blocks, request.disqualify_at
    for is_wrong, message in (
        (
            tested and kind != "gauntlet",
            f"a sequential test is a gauntlet: leave out --format {kind}",
        ),
        (
            tested and (isinstance(blocks, int) or request.blocks_per_bot is not None),
            "a sequential test plays as many blocks as it takes: --games and --hours limit it",
        ),
        (
            blocks is not None and request.blocks_per_bot is not None,
            "blocks are counted by set (--blocks) or by bot (--blocks-per-bot), not both",
        ),
        (
            request.rounds is not None and request.blocks_per_bot is not None,
            "--blocks-per-bot sets the number of rounds: leave out --rounds",
        ),
        (
            not tested and (request.alpha, request.beta) != (None, None),
            "alpha and beta belong to a sequential test: --sprt LOW HIGH",
        ),
        (
            request.rounds is not None and kind != "swiss",
            "rounds belong to a Swiss tournament: --format swiss",
        ),
        (
            request.hero is not None and kind not in ("gauntlet", "ladder"),
            "a hero is for a gauntlet or a ladder: --format gauntlet",
        ),
        (
            not tested and blocks == SETTLED and kind == "gauntlet",
            f"--blocks {SETTLED} belongs to a round-robin; a gauntlet has --sprt",
        ),
        (
            share is not None and not 0 < share <= 1,
            "the share of games that disqualifies a bot must be above 0 and at most 1",
        ),
    ):
        if is_wrong:
            raise TournamentRefused(message)


def _sprt(request: TournamentRequest) -> SprtTerms | None:
    if request.sprt is None:
        return None
    low, high = request.sprt
    alpha = 0.05 if request.alpha is None else request.alpha
    beta = 0.05 if request.beta is None else request.beta
    if not low < high:
        raise TournamentRefused(f"sprt needs LOW to be less than HIGH, not {low} and {high}")
    if not (0 < alpha < 0.5 and 0 < beta < 0.5):
        raise TournamentRefused(
            "alpha and beta are error rates: they must be above 0 and below 0.5"
        )
    Sprt(low, high, alpha, beta)  # refuses limits that are too far apart
    return SprtTerms(low, high, alpha, beta)
