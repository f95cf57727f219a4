"""Valid files of every kind, which are then fuzzed, and how each kind is read."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from referee import atlas
from referee.adjudication.clock import NO_CLOCK
from referee.adjudication.faults import Fault, FaultRecord
from referee.atlas import maps_folder
from referee.bots.find import find_bot
from referee.encoder import Formats
from referee.engine import game
from referee.engine.ruleset import make_ruleset
from referee.match.runner import RefereedGame, Settings
from referee.records.game_stats import tally_record
from referee.records.resume import Record
from referee.records.writer import RecordWriter
from referee.tournament.definition import (
    DEFINITION_KEY,
    RUN_OPTIONS_KEY,
    make_plan,
    stored_definition,
)
from referee.tournament.live_ratings import RatingOptions
from referee.tournament.opening import with_earlier_options
from referee.tournament.request import (
    TournamentRequest,
    make_definition,
    make_run_options,
    read_request,
)
from referee.tournament.results import Block
from referee.tournament.standings import make_standings
from referee.tournament.store.store import FILE, Store, StoredBot
from referee.tournament.workers.messages import GameReport, Played, SeatReport
from stress.fuzz.in_process import Fuzzed, FuzzPlayer

CONFIG: Final = b"""\
bots = ["random", "first=random", "greedy", "python bot.py"]
board = "hanse-4-5"
seats = 4
edition = "bigbox"
missions = true
max_turns = 80
seed = 7
format = "round-robin"
blocks = 3
start_ms = 2000
bank_ms = "off"
increment_ms = 50
move_ms = 1000
clock = "wall"
strikes = 3
ponder = "report"
disqualify_at = 0.5
disqualify_after = 12
workers = 2
"""
GAUNTLET: Final = b"""\
bots = ["random", "hero=greedy", "third=random", "fourth=random"]
format = "gauntlet"
hero = "hero"
sprt = [0.0, 20.0]
alpha = 0.05
permutations = "all"

[[tables]]
board = "hanse-2-3"
seats = 3
favours = true

[[tables]]
board = "britannia-4-5"
permits = true
"""
BOT: Final = b"""\
name = "mine"
command = ["python", "-I", "bot.py", "--deep"]
build = "make all"
description = "a bot"

[limits]
memory = "512 MiB"
processes = 64

[parameters.post]
type = "float"
default = 1.5
low = 1e-2
high = 4
scale = "log"
"""


@dataclass(frozen=True)
class FileKind:
    """A kind of file, where it is put, and what reads it."""

    name: str
    corpus: tuple[bytes, ...]
    path: Path
    read: Callable[[], object]
    is_text: bool = True
    is_packed: bool = False
    share: int = 4  # of all files; lower for kinds that take long to read

    def write(self, data: bytes) -> None:
        """Write the file to its path; delete files that an earlier reading left beside it."""
        for beside in self.path.parent.glob(f"{self.path.name}-*"):
            with suppress(OSError):
                beside.unlink()
        self.path.write_bytes(data)


def kinds(folder: Path) -> tuple[FileKind, ...]:
    """Return all kinds of files; they are written below this folder."""
    maps = tuple(path.read_bytes() for path in sorted(maps_folder().glob("*-[24]-*.toml")))
    record = _record(folder / "made.jsonl")
    board, config, bot = folder / "board.toml", folder / "config.toml", folder / "bot" / "bot.toml"
    box, parts = maps_folder() / "components.toml", folder / "components.toml"
    plain, packed = folder / "game.jsonl", folder / "game.jsonl.gz"
    store = folder / "tournament" / FILE
    bot.parent.mkdir(parents=True, exist_ok=True)
    stored = _store(store.parent)
    return (
        FileKind("map", maps, board, lambda: atlas.load_board(board), share=1),
        FileKind("components", (box.read_bytes(),), parts, lambda: _play_with(parts)),
        FileKind("config", (CONFIG, GAUNTLET), config, lambda: _plan(config)),
        FileKind("bot", (BOT,), bot, lambda: find_bot(str(bot.parent))),
        FileKind("record", (record,), plain, lambda: _read_record(plain), share=1),
        FileKind(
            "packed record", (gzip.compress(record, 1),), packed, lambda: _read_record(packed),
            is_text=False, is_packed=True, share=1,
        ),
        FileKind(
            "store", (stored,), store, lambda: _read_store(store.parent), is_text=False
        ),
    )  # fmt: skip


# -- reading files as the commands do


def _play_with(path: Path) -> None:
    """Read the components, and set up a game with them."""
    components = atlas.read_components(path)
    board = atlas.load_board("hanse-4-5")
    for edition in components.editions:
        game.new_game(board, make_ruleset(components, board, 4, edition=edition), 1)


def _plan(path: Path) -> None:
    request = read_request(path)
    names = [f"bot-{number}" for number in range(len(request.bots or ()))]
    definition = make_definition(request, len(names), request.seed or 0)
    hero = None if request.hero is None else names[0] if names else None
    options = make_run_options(msgspec.structs.replace(request, hero=hero), names)
    stage = make_plan(definition, options, names).stage(0, (), frozenset())
    for _, _block in zip(range(3), stage or (), strict=False):
        pass


def _read_record(path: Path) -> None:
    """Verify a record, count its events, and read it up to a position."""
    tally_record(path)
    Record(path).position(2)


def _read_store(folder: Path) -> None:
    with Store.read(folder) as store:
        make_standings(store, RatingOptions(None, None))
        for _ in store.faults():
            pass
        store.bots()
        store.void_blocks()
        stored_definition(store)
        with_earlier_options(store, TournamentRequest())
        for table in ("blocks", "games", "faults"):
            store.count(table)


# -- valid files


def _record(path: Path) -> bytes:
    """Return the record of a short game with all kinds of faults."""
    board = atlas.load_board("hanse-2-3")
    rules = make_ruleset(atlas.load_components(), board, 3, missions=True, max_turns=6)
    formats = Formats(board)
    players = [FuzzPlayer(seat, 1, Fuzzed(1)) for seat in range(3)]
    record = RecordWriter(path, formats.get("json", "words"))
    with closing(record):
        RefereedGame(
            formats, rules, 1, "fuzz", players, Settings(NO_CLOCK, strikes=0), record
        ).play()
    return path.read_bytes()


def _store(folder: Path) -> bytes:
    """Return the store of a small tournament with invented results."""
    request = TournamentRequest(seats=4)
    names = ("a", "b", "c", "d")
    definition = make_definition(request, len(names), 1)
    bots = [StoredBot(name, "random", name * 64, str(folder)) for name in names]
    with Store.create(folder) as store:
        store.begin(
            {DEFINITION_KEY: definition, RUN_OPTIONS_KEY: make_run_options(request, names)}, bots
        )
        for number in range(6):
            block = Block(f"b-{number:016x}", definition.tables[0].name, names, number, 0, False)
            store.finish(Played(block, tuple(map(_game, range(4), block.seatings()))))
    return (folder / FILE).read_bytes()


def _game(number: int, seating: Sequence[str]) -> GameReport:
    seats = tuple(
        SeatReport(bot, bot, place + 1, 40 - place, 0, None) for place, bot in enumerate(seating)
    )
    fault = FaultRecord(
        1, seating[1], 9, Fault("illegal", "chose 99", b"\xff{}"), 1, 3, False, b"oops\n"
    )
    return GameReport(number, f"g-{number}", seats, (fault,), "prestige", 40, 200, 0.5, None)
