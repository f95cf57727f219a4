"""The player cache: a process plays at most one game of a block, and starts no more often than needed."""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import mean

import pytest

from protocol import Choice, View
from referee.api.bots import find
from referee.bots.find import Bot
from referee.engine import game
from referee.options import GameOptions, load_game
from referee.tournament.results import Block
from referee.tournament.schedule import game_id
from referee.tournament.workers.messages import BotJob, Conditions, Job, TableJob
from referee.tournament.workers.player_cache import (
    MOST_IDLE,
    CachedPlayer,
    PlayerCache,
    PlayerKey,
)
from referee.tournament.workers.worker import Worker

OPTIONS = GameOptions(max_turns=1)
BOARD, RULES = load_game(OPTIONS, 3)
TABLE = TableJob("table", 3, dict(BOARD.words), OPTIONS.rule_options())
BLOCKS = 12

REMEMBERER = """
import json, sys
games = []
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "name": "r", "state": "none", "detail": "codes"}), flush=True)
    elif message["type"] == "start":
        sys.stderr.write(json.dumps(games + [message["game"]]) + chr(10))
        sys.stderr.flush()
        games.append(message["game"])
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"type": "choose", "id": message["id"], "choice": 0}), flush=True)
    elif message["type"] == "quit":
        break
"""


def block(number: int, bots: Sequence[str] = ("a", "b", "c"), *, all_orders: bool = False) -> Block:
    return Block(f"b-{number}", "table", tuple(bots), 1000 + number, all_orders=all_orders)


# -- stderr


CRASHING = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "name": "c", "state": "none"}), flush=True)
    elif message["type"] == "start":
        game = message["game"]
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "decide":
        sys.exit(f"crashed in {game}")
"""


def test_a_fault_has_only_the_stderr_of_its_game_and_names_its_file(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(CRASHING)
    command = (sys.executable, "-I", "-S", str(tmp_path / "bot.py"))
    bots = tuple(BotJob(name, command, str(tmp_path), "0", level="off") for name in "abc")
    worker = Worker(Job((TABLE,), bots, Conditions(), None, str(tmp_path / "stderr")))
    try:
        games = [game for number in (1, 2) for game in worker.play(block(number), print).games]
    finally:
        worker.close()
    written: dict[str, str] = {}
    for played in games:
        for fault in played.faults:
            assert fault.stderr == f"crashed in {played.game}\n"
            written[fault.stderr_file] = written.get(fault.stderr_file, "") + fault.stderr
    assert written == {path.name: path.read_text() for path in (tmp_path / "stderr").iterdir()}
    assert [text.count("\n") for text in written.values()] == [2, 2, 2]


# -- processes that remember


@pytest.fixture(scope="module")
def remembered(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[list[str]]]:
    """Play blocks with bots that remember; for each process, the games that it knows at each start."""
    folder = tmp_path_factory.mktemp("remembered")
    (folder / "bot.py").write_text(REMEMBERER)
    command = (sys.executable, "-I", "-S", str(folder / "bot.py"))
    bots = tuple(BotJob(name, command, str(folder), "0", level="off") for name in "abc")
    worker = Worker(Job((TABLE,), bots, Conditions(), None, str(folder / "stderr")))
    try:
        for number in range(BLOCKS):
            worker.play(block(number), lambda _: None)
    finally:
        worker.close()
    return {
        path.name: [json.loads(line) for line in path.read_text().splitlines()]
        for path in (folder / "stderr").iterdir()
    }


def games_of(number: int) -> list[str]:
    return [game_id(block(number), index) for index in range(3)]


def test_a_process_never_plays_two_games_of_a_block(remembered: dict[str, list[list[str]]]) -> None:
    for starts in remembered.values():
        for number in range(BLOCKS):
            assert len(set(starts[-1]) & set(games_of(number))) == 1


def test_a_process_plays_as_many_games_as_there_are_blocks(
    remembered: dict[str, list[list[str]]],
) -> None:
    """Nine processes in all: three bots, and three games in a block."""
    assert [len(starts) for starts in remembered.values()] == [BLOCKS] * 9


def supply_of(seed: int) -> tuple[int, ...]:
    return game.new_game(BOARD, RULES, seed).supply_order


def hits(seed: int, other: int) -> float:
    """Return the share of the supply that is the same in two games."""
    pairs = list(zip(supply_of(seed), supply_of(other), strict=True))
    return sum(one == two for one, two in pairs) / len(pairs)


def test_memory_predicts_the_supply_no_better_than_chance(
    remembered: dict[str, list[list[str]]],
) -> None:
    """A bot knows at most the supplies of the games that its process has played."""
    seeds = {one: block(number).seed for number in range(BLOCKS) for one in games_of(number)}
    memories = [known for starts in remembered.values() for known in starts if len(known) > 1]
    predicted = mean(hits(seeds[old], seeds[new]) for *before, new in memories for old in before)
    supply = supply_of(1)
    chance = sum((supply.count(kind) / len(supply)) ** 2 for kind in set(supply))
    assert predicted == pytest.approx(chance, abs=0.05)
    assert all(seeds[old] != seeds[new] for *before, new in memories for old in before)


# -- starts


class Counting(PlayerCache):
    """A cache that counts how many players it starts."""

    def __init__(self, bots: Sequence[Bot], *, is_self_play: bool = False) -> None:
        named = {bot.name: bot for bot in bots}
        super().__init__(named, Path(), "report", is_self_play=is_self_play)
        self.starts = 0

    def _start(self, key: PlayerKey) -> CachedPlayer:
        self.starts += 1
        return super()._start(key)

    def play(self, one: Block) -> None:
        seatings = one.seatings()
        for number in range(len(seatings)):
            self.seat(seatings, number)


def field(count: int) -> list[Bot]:
    return [find(lambda _, __: 0, f"b{number}") for number in range(count)]


def some_of(bots: Sequence[Bot], count: int, rng: Random) -> list[str]:
    return [bot.name for bot in rng.sample(bots, count)]


def test_bots_that_stayed_in_one_set_of_players_stay_in_all_sets() -> None:
    """As many bots as ever: each starts once for each game of a block, and never again."""
    bots, rng = field(4 + MOST_IDLE), Random(1)
    cache = Counting(bots)
    for number in range(200):
        cache.play(block(number, some_of(bots, 4, rng)))
    assert cache.starts == 4 * len(bots)


def at_share(view: View, choices: list[Choice], *, share: float = 0.5) -> int:
    return round(share * (len(choices) - 1))


at_share.parameters = {  # type: ignore[attr-defined]
    "share": {"type": "float", "default": 0.5, "low": 0.0, "high": 1.0}
}


def test_a_bot_starts_again_when_a_block_gives_it_other_values() -> None:
    cache = Counting([find(at_share, "a"), *field(1)])
    one, other = cache._bots
    for share, starts in (("0.5", 2), ("0.5", 2), ("0.25", 3), ("0.5", 4)):
        cache.set_values([(one, [f"share={share}"])])
        (first, _) = cache.seat([(one, other)], 0)
        assert (first.bot.all_values, first.name) == ({"share": float(share)}, one)
        assert cache.starts == starts


def test_in_self_play_one_player_plays_all_games_of_a_block() -> None:
    cache = Counting(field(2), is_self_play=True)
    one, other = cache._bots
    cache.play(block(0, [one, other, one]))
    assert cache.starts == 3


def test_the_number_of_players_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    bots, rng = field(40), Random(1)
    cache, few = Counting(bots), Counting(bots)
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 1024))
    for number in range(20):
        cache.play(block(number, some_of(bots, 5, rng), all_orders=True))
        assert len(cache._players) <= 128
    monkeypatch.setattr(resource, "getrlimit", lambda _: (16, 16))
    few.play(block(0, some_of(bots, 5, rng)))
    assert len(few._players) == 5  # never fewer than sit at the table


def test_a_block_that_comes_twice_is_played_by_new_processes() -> None:
    bots = field(3)
    worker = Worker(Job((TABLE,), (), Conditions(), None, "stderr"), bots)
    worker._players = cache = Counting(bots)
    for number in (0, 1, 0):
        worker.play(block(number, [bot.name for bot in bots]), lambda _: None)
    assert cache.starts == 9 + 9
