"""A lesson: which games it is made of, what it says, and that it fits on one page."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from referee.analysis.lesson import (
    DEFAULT_CPU_S,
    BotGames,
    Lesson,
    Place,
    Position,
    Share,
    choose_games,
    make_lesson,
    read_games,
)
from referee.analysis.lesson_text import WIDTH, lesson_lines
from referee.analysis.lines import Settings
from referee.analysis.run import Wanted, analyse_records
from referee.errors import TournamentRefused
from support.blocks import block, finished_block
from support.recorded_games import record
from support.sample_store import BOTS, blocks_with_faults, plain_blocks, write_store

GAME = "hanse-4-5:4:bigbox+max_turns=24"
QUICK = Settings(time_ms=None, rounds=1)
MOST_LINES = 60


def add_record(folder: Path, source: Path, block: int, number: int) -> None:
    place = folder / "records" / f"b-{block:04}"
    place.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, place / f"{number}.jsonl.gz")


@pytest.fixture(scope="module")
def tournament(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three blocks of four games, of which the games of the first two have records."""
    folder = tmp_path_factory.mktemp("lesson")
    write_store(folder / "t", blocks_with_faults())
    source = record(folder / "game.jsonl.gz", GAME, names=BOTS)
    for number in range(8):
        add_record(folder / "t", source, number // 4, number % 4)
    return folder / "t"


@pytest.fixture(scope="module")
def games(tournament: Path) -> BotGames:
    return read_games(tournament, "b")


def test_only_games_with_a_record_are_counted(games: BotGames) -> None:
    assert (len(games.games), games.without_record) == (8, 4)
    assert games.faults == {"illegal": 1}
    assert games.shares["a"] == (12, 0.25)


def test_lost_games_come_first_and_the_worst_before_others(games: BotGames) -> None:
    chosen = choose_games(games, 7, 1500)
    ranks = [next(seat.rank for seat in game.seats if seat.bot == "b") for game in chosen]
    assert ranks == [4, 4, 3, 3, 2, 2, 1]
    assert chosen == choose_games(replace(games, games=games.games[::-1]), 7, 1500)


def test_tables_take_turns(games: BotGames) -> None:
    both = [
        one._replace(table=f"table {at % 2}", block=f"b-{at}") for at, one in enumerate(games.games)
    ]
    chosen = choose_games(replace(games, games=both), 4, 1500)
    assert [game.table for game in chosen] == ["table 0", "table 1"] * 2


def test_by_default_the_games_take_the_default_time(games: BotGames) -> None:
    turns = 40 / 4
    assert len(choose_games(games, None, 1)) == 8
    assert len(choose_games(games, None, 1000 * DEFAULT_CPU_S / turns / 3)) == 2
    assert len(choose_games(games, None, 1e9)) == 1


def test_an_unknown_bot_and_missing_records_are_explained(tmp_path: Path) -> None:
    write_store(tmp_path / "t", plain_blocks(1), bots=("alpha", "b", "c", "d"))
    with pytest.raises(TournamentRefused, match="no bot has the name 'alpa': did you mean 'alpha'"):
        read_games(tmp_path / "t", "alpa")
    with pytest.raises(TournamentRefused, match="has a record: play a tournament without --no-rec"):
        read_games(tmp_path / "t", "b")


def test_a_void_block_does_not_count(tmp_path: Path) -> None:
    write_store(tmp_path / "t", [*plain_blocks(1), finished_block(block(1), void="an error")])
    source = record(tmp_path / "game.jsonl.gz", GAME, names=BOTS)
    for number in range(2):
        add_record(tmp_path / "t", source, number, 0)
    found = read_games(tmp_path / "t", "b")
    assert (len(found.games), found.without_record) == (1, 3)


def test_the_lesson_agrees_with_the_analysis(games: BotGames) -> None:
    chosen = choose_games(games, 1, 1500)
    paths = [games.path(game) for game in chosen]
    results = list(analyse_records(paths, Wanted(QUICK, bot="b"), 1))
    lesson = make_lesson(games, results)
    turns = [turn for one in results if one.analysis for turn in one.analysis.turns]
    assert (lesson.analysed, lesson.left_out, lesson.without_record) == (1, 7, 4)
    assert sum(one.turns for one in lesson.kinds) == len(turns) > 0
    assert lesson.loss == pytest.approx(sum(turn.loss for turn in turns), abs=1e-3)
    assert sum(one.share for one in lesson.phases) == pytest.approx(1, abs=1e-2)
    assert (lesson.of, lesson.faults) == (4, {"illegal": 1})
    assert {one.name for one in lesson.opponents} == {"a", "c", "d"}
    worst = max(turns, key=lambda turn: (turn.is_mistake, turn.loss))
    assert lesson.positions[0].loss == worst.loss
    assert (games.folder / lesson.positions[0].record).is_file()
    assert lesson.positions[0].replay.endswith(f".jsonl.gz --turn {lesson.positions[0].turn}")
    assert lesson_lines(lesson)[0].startswith("# What b can learn from ")


# -- the page


def long_lesson() -> Lesson:
    """A lesson in which everything is as long as it can be."""
    place = Place(
        "a-name-of-forty-characters-that-is-long-x" * 2, 10_000, 1500.4, 1400.1, 1600.7, 0.5
    )
    share = Share("displace", 0.5, 0.45, 10_000, 2000)
    words = "places a trader at Göttingen – Quedlinburg; " * 30
    position = Position(
        "records/b-0929a1148190e169/3.jsonl.gz", 399, 2000, "a-board" * 20, "displace", "middle",
        0.5, words, words, words,
        "referee replay records/b-0929a1148190e169/3.jsonl.gz --turn 399",
    )  # fmt: skip
    return Lesson(
        bot="b" * 60, folder="a/folder" * 20, place=3, of=100, rating=place,
        rating_without_faults=1600.0,
        faults={f"fault-{number}": 1000 for number in range(30)} | {"timeout": 1},
        disqualified=99, tables=[replace(place, elo=1000.0)] * 9, opponents=[place] * 30,
        analysed=1000, left_out=10_000, without_record=10_000, loss=1.5, kinds=[share] * 9,
        phases=[replace(share, name="middle")] * 3, positions=[position] * 3,
    )  # fmt: skip


def test_the_longest_lesson_fits_on_one_page() -> None:
    lines = lesson_lines(long_lesson())
    assert len(lines) <= MOST_LINES
    command = f"--bot {'b' * 60}"  # a command is never broken
    assert [line for line in lines if len(line) > WIDTH and command not in line] == []
    for title in ("## Where the Elo goes", "## Positions", "## What to try next"):
        assert any(line.startswith(title) for line in lines), title


def test_faults_come_first() -> None:
    lines = lesson_lines(long_lesson())
    assert lines[lines.index("## Where the Elo goes") + 1].startswith("- Faults: ")
    first_advice = lines[lines.index("## What to try next") + 1]
    assert first_advice.startswith("- First of all, make it answer in time")


def test_a_bot_without_faults_and_mistakes_has_a_lesson_too() -> None:
    lesson = replace(
        long_lesson(), faults={}, disqualified=0, rating_without_faults=None, tables=[], kinds=[],
        phases=[], positions=[], loss=0.0, left_out=0, without_record=0,
    )  # fmt: skip
    text = "\n".join(lesson_lines(lesson))
    assert "Fault" not in text
    assert "## Positions" not in text
    assert "referee compare" in text
