"""Entering: the same command goes on, more bots and blocks are welcome, another tournament is not."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from referee.bots.find import BUNDLED
from referee.errors import BotRefused, RefereeError, RulesRefused
from referee.tournament.definition import TournamentRefused
from referee.tournament.opening import CHARTER, Entered, charter_in, enter, lasting
from referee.tournament.prospect import prospect
from referee.tournament.request import TableWish, Wishes
from referee.tournament.store.store import FILE, Store, StoreRefused, exists
from support.blocks import block, played

FOUR = ("random", "random", "random", "random")


class Desk:
    """Enters tournaments in one folder, and closes each before the next."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.told: list[str] = []
        self._open = ExitStack()

    def enter(self, *bots: str, replay_changed: bool = False, **wishes: Any) -> Entered:
        self.close()
        entered = enter(
            self.folder,
            Wishes(bots=bots or None, **wishes),
            replay_changed=replay_changed,
            tell=self.told.append,
        )
        self._open.callback(entered.store.close)
        return entered

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
    entered = desk.enter(*FOUR, seed=5, missions=True)
    assert entered.names == ["random", "random#2", "random#3", "random#4"]
    assert entered.charter.seed == 5
    assert [table.name for table in entered.charter.tables] == [
        "hanse-4-5:4:bigbox+missions+max_turns=1000"
    ]
    assert charter_in(entered.store) == entered.charter


def test_it_goes_on_without_a_word(desk: Desk) -> None:
    first = desk.enter(*FOUR, missions=True)
    again = desk.enter()
    assert (again.charter, again.names) == (first.charter, first.names)


def test_the_same_command_again_enters_nobody_twice(desk: Desk) -> None:
    first = desk.enter(*FOUR, missions=True, bank_ms=500)
    again = desk.enter(*FOUR, missions=True, bank_ms=500)
    assert (again.charter, again.names) == (first.charter, first.names)


def test_bots_can_be_added(desk: Desk, mine: Path) -> None:
    desk.enter(*FOUR)
    assert desk.enter(str(mine)).names == [*desk.enter().names]
    assert desk.enter().names[-1] == "mine"
    assert desk.enter("random").names[-1] == "mine"  # it was entered already
    assert desk.enter(*FOUR, "random").names[-1] == "random#5"


def test_a_bot_is_found_again_from_any_folder(
    desk: Desk, mine: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    names = desk.enter("mine", "other=mine", "python mine/bot.py", "random").names
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert desk.enter().names == names == ["mine", "other", "bot", "random"]


def test_a_word_for_a_folder_is_made_to_last(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(mine.parent)
    assert lasting("mine") == str(mine)
    assert lasting("new=mine") == f"new={mine}"
    assert lasting("random") == "random"
    assert lasting("python mine/bot.py") == "python mine/bot.py"


def test_a_bot_that_has_changed_is_not_mixed_in(desk: Desk, mine: Path) -> None:
    desk.enter(str(mine), *FOUR[1:])
    (mine / "bot.py").write_text("# another bot\n")
    with pytest.raises(TournamentRefused, match="mine has changed since it was entered"):
        desk.enter()


def test_the_blocks_of_a_bot_that_has_changed_can_be_played_again(desk: Desk, mine: Path) -> None:
    store = desk.enter(str(mine), *FOUR).store
    store.finish(played(block(0, ("mine", "random", "random#2", "random#3"))))
    store.finish(played(block(1, ("random#4", "random", "random#2", "random#3"))))
    store.disqualify("mine", "at fault")
    (mine / "bot.py").write_text("# another bot\n")
    store = desk.enter(replay_changed=True).store
    assert [result.block.id for result in store.results()] == ["b-0001"]
    assert desk.told == ["mine has changed: its 1 blocks are played again"]
    assert store.bots()[0].out is None
    desk.enter()  # from now on it is the known one


@pytest.mark.parametrize(
    "other", [{"missions": True}, {"bank_ms": 1}, {"board": "east"}, {"strikes": 9}, {"seats": 3}]
)
def test_other_rules_are_another_tournament(desk: Desk, other: dict[str, Any]) -> None:
    desk.enter(*FOUR)
    with pytest.raises(TournamentRefused, match="cannot change"):
        desk.enter(**other)


def test_another_seed_is_another_tournament(desk: Desk) -> None:
    desk.enter(*FOUR, seed=1)
    with pytest.raises(TournamentRefused, match="seed of a tournament cannot change"):
        desk.enter(seed=2)


def test_other_rules_than_this_referee_plays_are_refused(desk: Desk) -> None:
    store = desk.enter(*FOUR).store
    store.put(CHARTER, {**store.get(CHARTER), "rules_version": 0})
    with pytest.raises(TournamentRefused, match="version 0 of the rules"):
        desk.enter()


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
    assert prospect(desk.folder, Wishes(bots=FOUR)).names[0] == "random"
    assert desk.enter(*FOUR).names[0] == "random"


def test_somebody_elses_database_is_not_begun_in(desk: Desk) -> None:
    desk.folder.mkdir()
    with closing(sqlite3.connect(desk.folder / FILE)) as sql:
        sql.execute("CREATE TABLE theirs (one)")
    with pytest.raises(StoreRefused, match="is no store of a tournament"):
        prospect(desk.folder, Wishes(bots=FOUR))
    with pytest.raises(StoreRefused):
        desk.enter(*FOUR)


def test_seats_that_were_left_open_stay_as_many_as_they_were(desk: Desk) -> None:
    tables = (TableWish(board="hanse-2-3"), TableWish(board="east"))
    desk.enter(*FOUR[:3], tables=tables)
    entered = desk.enter(*FOUR, tables=tables)
    assert [table.seats for table in entered.charter.tables] == [3, 3]
    assert len(entered.names) == 4


@pytest.mark.parametrize(
    ("bots", "wishes", "kind", "sentence"),
    [
        (("random", "nobody-knows"), {}, BotRefused, "is not a valid bot"),
        (("random", "human"), {}, TournamentRefused, "a tournament is for bots"),
        (FOUR, {"board": "hanse-2-3"}, RulesRefused, "hanse-2-3"),
        (("x=random", "x=python -c 0"), {}, BotRefused, "two different bots have the name 'x'"),
        (
            FOUR,
            {"tables": (TableWish(), TableWish())},
            TournamentRefused,
            "two of the tables are the same",
        ),
    ],
)
def test_what_cannot_be_played_leaves_nothing_behind(
    desk: Desk,
    bots: tuple[str, ...],
    wishes: dict[str, Any],
    kind: type[RefereeError],
    sentence: str,
) -> None:
    with pytest.raises(kind, match=sentence):
        desk.enter(*bots, **wishes)
    assert not desk.folder.exists()


def test_a_tournament_in_use_is_refused(desk: Desk) -> None:
    desk.enter(*FOUR)
    with pytest.raises(StoreRefused, match="in use"):
        enter(desk.folder, Wishes())
    assert exists(desk.folder)
