"""Entering: the same command goes on, more bots and blocks are welcome, another tournament is not."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from referee.bots.find import BUNDLED, Bot
from referee.errors import BotRefused, RefereeError, RulesRefused, TournamentRefused
from referee.tournament.definition import DEFINITION_KEY, stored_definition
from referee.tournament.opening import (
    OpenTournament,
    find_bot_on_disk,
    open_tournament,
    plan_tournament,
    with_absolute_folder,
)
from referee.tournament.ratings import RatingsRefused
from referee.tournament.request import TableRequest, TournamentRequest
from referee.tournament.store.store import FILE, Store, StoreRefused, exists
from support.blocks import block, finished_block

FOUR = ("random", "random", "random", "random")


class Desk:
    """Enters tournaments in one folder, and closes each before the next."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.reports: list[str] = []
        self._open = ExitStack()

    def open(self, *bots: str, replay_changed: bool = False, **request: Any) -> OpenTournament:
        self.close()
        opened = open_tournament(
            self.folder,
            TournamentRequest(bots=bots or None, **request),
            replay_changed=replay_changed,
            report=self.reports.append,
        )
        self._open.callback(opened.store.close)
        return opened

    def close(self) -> None:
        self._open.close()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path / "t")
    yield desk
    desk.close()


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A bot in a folder of its own."""
    shutil.copytree(BUNDLED / "random", tmp_path / "mine")
    place = tmp_path / "mine" / "bot.toml"
    place.write_text(place.read_text().replace('name = "random"', 'name = "mine"'))
    return tmp_path / "mine"


def test_a_new_tournament_keeps_what_it_is(desk: Desk) -> None:
    opened = desk.open(*FOUR, seed=5, missions=True)
    assert opened.names == ["random", "random#2", "random#3", "random#4"]
    assert opened.definition.seed == 5
    assert [table.name for table in opened.definition.tables] == [
        "hanse-4-5:4:bigbox+missions+max_turns=1000"
    ]
    assert stored_definition(opened.store) == opened.definition


def test_it_goes_on_without_a_word(desk: Desk) -> None:
    first = desk.open(*FOUR, missions=True)
    again = desk.open()
    assert (again.definition, again.names) == (first.definition, first.names)


def test_the_same_command_again_enters_nobody_twice(desk: Desk) -> None:
    first = desk.open(*FOUR, missions=True, bank_ms=500)
    again = desk.open(*FOUR, missions=True, bank_ms=500)
    assert (again.definition, again.names) == (first.definition, first.names)


def test_bots_can_be_added(desk: Desk, mine: Path) -> None:
    desk.open(*FOUR)
    assert desk.open(str(mine)).names == [*desk.open().names]
    assert desk.open().names[-1] == "mine"
    assert desk.open("random").names[-1] == "mine"  # it was entered already
    assert desk.open(*FOUR, "random").names[-1] == "random#5"


def test_a_bot_is_found_again_from_any_folder(
    desk: Desk, mine: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    names = desk.open("mine", "other=mine", "python mine/bot.py", "random").names
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert desk.open().names == names == ["mine", "other", "bot", "random"]


def test_a_word_for_a_folder_is_made_to_last(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(mine.parent)
    assert with_absolute_folder("mine") == str(mine)
    assert with_absolute_folder("new=mine") == f"new={mine}"
    assert with_absolute_folder("random") == "random"
    assert with_absolute_folder("python mine/bot.py") == "python mine/bot.py"


def test_a_bot_that_has_changed_is_not_mixed_in(desk: Desk, mine: Path) -> None:
    desk.open(str(mine), *FOUR[1:])
    (mine / "bot.py").write_text("# another bot\n")
    with pytest.raises(TournamentRefused, match="mine has changed since it was entered"):
        desk.open()


def test_the_blocks_of_a_bot_that_has_changed_can_be_played_again(desk: Desk, mine: Path) -> None:
    store = desk.open(str(mine), *FOUR).store
    store.finish(finished_block(block(0, ("mine", "random", "random#2", "random#3"))))
    store.finish(finished_block(block(1, ("random#4", "random", "random#2", "random#3"))))
    store.disqualify("mine", "at fault")
    (mine / "bot.py").write_text("# another bot\n")
    store = desk.open(replay_changed=True).store
    assert [result.block.id for result in store.results()] == ["b-0001"]
    assert desk.reports == ["mine has changed: its 1 blocks are played again"]
    assert store.bots()[0].out is None
    desk.open()  # from now on it is the known one


@pytest.mark.parametrize(
    "other", [{"missions": True}, {"bank_ms": 1}, {"board": "east"}, {"strikes": 9}, {"seats": 3}]
)
def test_other_rules_are_another_tournament(desk: Desk, other: dict[str, Any]) -> None:
    desk.open(*FOUR)
    with pytest.raises(TournamentRefused, match="cannot change"):
        desk.open(**other)


def test_another_seed_is_another_tournament(desk: Desk) -> None:
    desk.open(*FOUR, seed=1)
    with pytest.raises(TournamentRefused, match="seed of a tournament cannot change"):
        desk.open(seed=2)


def test_other_rules_than_this_referee_plays_are_refused(desk: Desk) -> None:
    store = desk.open(*FOUR).store
    store.put(DEFINITION_KEY, {**store.get(DEFINITION_KEY), "rules_version": 0})
    with pytest.raises(TournamentRefused, match="version 0 of the rules"):
        desk.open()


def tables_only(folder: Path) -> None:
    Store.create(folder).close()


def nothing_but_the_file(folder: Path) -> None:
    folder.mkdir()
    (folder / FILE).touch()


def a_file_without_tables(folder: Path) -> None:
    folder.mkdir()
    with closing(sqlite3.connect(folder / FILE)) as sql:
        sql.execute("PRAGMA journal_mode = WAL")


@pytest.mark.parametrize("left", [tables_only, nothing_but_the_file, a_file_without_tables])
def test_a_tournament_that_was_killed_before_it_began_begins_anew(
    desk: Desk, left: Callable[[Path], None]
) -> None:
    left(desk.folder)
    assert plan_tournament(desk.folder, TournamentRequest(bots=FOUR)).names[0] == "random"
    assert desk.open(*FOUR).names[0] == "random"


def test_somebody_elses_database_is_not_begun_in(desk: Desk) -> None:
    desk.folder.mkdir()
    with closing(sqlite3.connect(desk.folder / FILE)) as sql:
        sql.execute("CREATE TABLE theirs (one)")
    with pytest.raises(StoreRefused, match="is not the store of a tournament"):
        plan_tournament(desk.folder, TournamentRequest(bots=FOUR))
    with pytest.raises(StoreRefused):
        desk.open(*FOUR)


def test_seats_that_were_left_open_stay_as_many_as_they_were(desk: Desk) -> None:
    tables = (TableRequest(board="hanse-2-3"), TableRequest(board="east"))
    desk.open(*FOUR[:3], tables=tables)
    opened = desk.open(*FOUR, tables=tables)
    assert [table.seats for table in opened.definition.tables] == [3, 3]
    assert len(opened.names) == 4


@pytest.mark.parametrize(
    ("bots", "asked", "kind", "sentence"),
    [
        (("random", "nobody-knows"), {}, BotRefused, "is not a valid bot"),
        (("random", "human"), {}, TournamentRefused, "a tournament is for bots"),
        (FOUR, {"board": "hanse-2-3"}, RulesRefused, "hanse-2-3"),
        (("x=random", "x=python -c 0"), {}, BotRefused, "two different bots have the name 'x'"),
        (
            FOUR,
            {"tables": (TableRequest(), TableRequest())},
            TournamentRefused,
            "two of the tables are the same",
        ),
    ],
)
def test_what_cannot_be_played_leaves_nothing_behind(
    desk: Desk,
    bots: tuple[str, ...],
    asked: dict[str, Any],
    kind: type[RefereeError],
    sentence: str,
) -> None:
    with pytest.raises(kind, match=sentence):
        desk.open(*bots, **asked)
    assert not desk.folder.exists()


def test_a_tournament_in_use_is_refused(desk: Desk) -> None:
    desk.open(*FOUR)
    with pytest.raises(StoreRefused, match="in use"):
        open_tournament(desk.folder, TournamentRequest())
    assert exists(desk.folder)


# --- a dry run, and what is done once ----------------------------------------------------------


@pytest.mark.parametrize("other", [{"missions": True}, {"seed": 2}])
def test_a_dry_run_refuses_what_a_run_refuses(desk: Desk, other: dict[str, Any]) -> None:
    desk.open(*FOUR, seed=1)
    with pytest.raises(TournamentRefused, match="cannot change"):
        plan_tournament(desk.folder, TournamentRequest(**other))


def test_a_dry_run_of_people_is_refused(desk: Desk) -> None:
    with pytest.raises(TournamentRefused, match="a tournament is for bots"):
        plan_tournament(desk.folder, TournamentRequest(bots=("random", "human")))


def test_an_unknown_anchor_is_refused_before_anything_is_written(desk: Desk) -> None:
    with pytest.raises(RatingsRefused, match="is not one of the bots"):
        open_tournament(desk.folder, TournamentRequest(bots=FOUR), anchor="nobody")
    assert not desk.folder.exists()


def test_each_bot_is_found_once(desk: Desk, mine: Path) -> None:
    asked: list[str] = []

    def find(word: str) -> Bot:
        asked.append(word)
        return find_bot_on_disk(word)

    request = TournamentRequest(bots=(*FOUR, str(mine)))
    for _ in range(2):  # a new tournament, and the same one again
        asked.clear()
        open_tournament(desk.folder, request, find=find).store.close()
        assert sorted(asked) == sorted(["random", str(mine)])


def test_a_bot_that_changes_its_own_name_keeps_the_one_it_has(desk: Desk, mine: Path) -> None:
    desk.open(str(mine), "random")
    toml = mine / "bot.toml"
    toml.write_text(toml.read_text().replace('name = "mine"', 'name = "other"'))
    opened = desk.open(replay_changed=True)
    assert opened.names == ["mine", "random"]
    assert [bot.name for bot in opened.bots] == opened.names
    assert [bot.name for bot in opened.store.bots()] == opened.names
