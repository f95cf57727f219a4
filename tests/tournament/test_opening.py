"""Opening a tournament: the same command continues it, bots can be added, rules cannot change."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.bots.find import BUNDLED, Bot
from referee.errors import BotRefused, RefereeError, RulesRefused, TournamentRefused
from referee.tournament.definition import DEFINITION_KEY, RUN_OPTIONS_KEY, stored_definition
from referee.tournament.field import BotChanges, find_bot_on_disk, with_absolute_folder
from referee.tournament.opening import OpenTournament, open_tournament, plan_tournament
from referee.tournament.ratings import RatingsRefused
from referee.tournament.request import TableRequest, TournamentRequest
from referee.tournament.store.store import FILE, Judgement, Store, StoreRefused, exists
from support.blocks import block, finished_block

FOUR = ("random", "random", "random", "random")


class Opener:
    """Opens tournaments in one folder, and closes each before the next."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.reports: list[str] = []
        self._open = ExitStack()

    def open(
        self,
        *bots: str,
        replay_changed: bool = False,
        retire: Sequence[str] = (),
        replace: Sequence[str] = (),
        **request: Any,
    ) -> OpenTournament:
        self.close()
        opened = open_tournament(
            self.folder,
            TournamentRequest(bots=bots or None, **request),
            changes=BotChanges(replay_changed, retire, replace),
            report=self.reports.append,
        )
        self._open.callback(opened.store.close)
        return opened

    def close(self) -> None:
        self._open.close()


@pytest.fixture
def opener(tmp_path: Path) -> Iterator[Opener]:
    opener = Opener(tmp_path / "t")
    yield opener
    opener.close()


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A bot in its own folder."""
    shutil.copytree(BUNDLED / "random", tmp_path / "mine")
    place = tmp_path / "mine" / "bot.toml"
    place.write_text(place.read_text().replace('name = "random"', 'name = "mine"'))
    return tmp_path / "mine"


def test_a_new_tournament_stores_its_definition(opener: Opener) -> None:
    opened = opener.open(*FOUR, seed=5, missions=True)
    assert opened.names == ["random", "random#2", "random#3", "random#4"]
    assert opened.definition.seed == 5
    assert [table.name for table in opened.definition.tables] == [
        "hanse-4-5:4:bigbox+missions+max_turns=1000"
    ]
    assert stored_definition(opened.store) == opened.definition


def test_a_tournament_continues_without_options(opener: Opener) -> None:
    first = opener.open(*FOUR, missions=True)
    again = opener.open()
    assert (again.definition, again.names) == (first.definition, first.names)


def test_the_same_command_again_adds_no_bot(opener: Opener) -> None:
    first = opener.open(*FOUR, missions=True, bank_ms=500)
    again = opener.open(*FOUR, missions=True, bank_ms=500)
    assert (again.definition, again.names) == (first.definition, first.names)


def test_bots_can_be_added(opener: Opener, mine: Path) -> None:
    opener.open(*FOUR)
    assert opener.open(str(mine)).names == [*opener.open().names]
    assert opener.open().names[-1] == "mine"
    assert opener.open("random").names[-1] == "mine"  # it was entered already
    assert opener.open(*FOUR, "random").names[-1] == "random#5"


def test_a_bot_is_found_again_from_any_folder(
    opener: Opener, mine: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    names = opener.open("mine", "other=mine", "python mine/bot.py", "random").names
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert opener.open().names == names == ["mine", "other", "bot", "random"]


def test_the_word_for_a_folder_gets_an_absolute_path(
    mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(mine.parent)
    assert with_absolute_folder("mine") == str(mine)
    assert with_absolute_folder("new=mine") == f"new={mine}"
    assert with_absolute_folder("random") == "random"
    assert with_absolute_folder("python mine/bot.py") == "python mine/bot.py"


def test_a_bot_that_has_changed_is_refused(opener: Opener, mine: Path) -> None:
    opener.open(str(mine), *FOUR[1:])
    (mine / "bot.py").write_text("# another bot\n")
    with pytest.raises(TournamentRefused, match="mine has changed since it entered the tournament"):
        opener.open()


def test_the_blocks_of_a_changed_bot_can_be_played_again(opener: Opener, mine: Path) -> None:
    store = opener.open(str(mine), *FOUR).store
    store.finish(finished_block(block(0, ("mine", "random", "random#2", "random#3"))))
    store.finish(finished_block(block(1, ("random#4", "random", "random#2", "random#3"))))
    store.judge(Judgement((), {"mine": "at fault"}))
    (mine / "bot.py").write_text("# another bot\n")
    store = opener.open(replay_changed=True).store
    assert [result.block.id for result in store.results()] == ["b-0001"]
    assert opener.reports == ["mine has changed: 1 block will be played again"]
    assert store.bots()[0].out is None
    opener.open()  # the new content is stored now


def test_a_retired_bot_plays_no_more_and_its_folder_may_be_gone(opener: Opener, mine: Path) -> None:
    opener.open(str(mine), *FOUR)
    shutil.rmtree(mine)
    with pytest.raises(BotRefused, match=r"bot mine cannot play any more: .*: --retire mine$"):
        opener.open()
    for _ in range(2):  # the same command again changes nothing
        opened = opener.open(str(mine), retire=["mine"])
        assert opened.names == ["mine", "random", "random#2", "random#3", "random#4"]
        assert [bot.name for bot in opened.bots] == opened.names[1:]
        assert not any(
            "mine" in block.bots for block in opened.planned.plan.stage(0, (), frozenset()) or ()
        )
    assert [bot.name for bot in opener.open().bots] == opened.names[1:]


def test_a_copy_keeps_its_name_when_another_is_retired(opener: Opener) -> None:
    opener.open(*FOUR)
    opened = opener.open("random", retire=["random", "random#2"])
    assert [bot.name for bot in opened.bots] == ["random#3", "random#4"]
    assert opener.open(*FOUR, "random").names[-1] == "random#5"


def test_a_new_version_is_another_bot(opener: Opener, mine: Path) -> None:
    store = opener.open(str(mine), *FOUR).store
    store.finish(finished_block(block(0, ("mine", "random", "random#2", "random#3"))))
    (mine / "bot.py").write_text("# another bot\n")
    for _ in range(2):  # the same command again changes nothing
        opened = opener.open(str(mine), replace=[f"mine={mine}"])
        assert opened.names == ["mine", "random", "random#2", "random#3", "random#4", "mine@2"]
        assert [bot.name for bot in opened.bots] == opened.names[1:]
    assert [result.block.id for result in opened.store.results()] == ["b-0000"]
    opener.open()  # the old files are not needed any more
    (mine / "bot.py").write_text("# a third bot\n")
    opened = opener.open(replace=[f"mine={mine}"])
    assert opened.names[-1] == "mine@3"
    assert [bot.name for bot in opened.bots] == [
        "random",
        "random#2",
        "random#3",
        "random#4",
        "mine@3",
    ]


def test_a_new_version_of_the_hero_is_the_hero(opener: Opener) -> None:
    opened = opener.open(*FOUR, format="gauntlet", hero="random#2")
    opened.store.put(RUN_OPTIONS_KEY, opened.planned.options)
    assert opener.open(replace=["random#2=greedy"]).planned.options.hero == "random-2@2"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"retire": ["randm"]},
            "there is no bot 'randm' in this tournament: did you mean 'random'?",
        ),
        ({"retire": ["random", "random#2", "random#3"]}, "1 bot would play"),
        ({"replace": ["random"]}, "--replace needs NAME=BOT, not 'random'"),
        ({"replace": ["nobody=random"]}, "there is no bot 'nobody'"),
        ({"replace": ["random=human"]}, "a tournament is for bots"),
        ({"retire": ["random"], "replace": ["random=greedy"]}, "bot random is retired"),
        (
            {"limits": {"randm": {"memory": 1 << 30}}},
            "there is no bot 'randm' .* did you mean 'random'?",
        ),
    ],
)
def test_changes_of_bots_that_are_not_valid_are_refused(
    opener: Opener, changes: dict[str, Any], message: str
) -> None:
    before = opener.open(*FOUR).store.bots()
    with pytest.raises(RefereeError, match=message):
        opener.open(**changes)
    assert opener.open().store.bots() == before
    assert opener.open().store.retired() == []


def test_an_earlier_run_keeps_its_weights_and_the_meaning_of_its_blocks(opener: Opener) -> None:
    tables = (TableRequest(), TableRequest(board="east", weight=0.5))
    opened = opener.open(*["random"] * 13, blocks=1, tables=tables)
    assert opened.planned.outline.blocks == 715 + 715
    old = msgspec.to_builtins(opened.planned.options)
    del old["most_sets"], old["blocks_per_bot"]
    opened.store.put(RUN_OPTIONS_KEY, old)
    assert opener.open().planned.outline.blocks == 4 + 4
    planned = opener.open(blocks=6).planned
    assert planned.options.weights == (1.0, 0.5)
    assert planned.outline.blocks == 20 + 10  # ceil(6 * 13 / 4), ceil(3 * 13 / 4)


def test_another_format_decides_about_the_orders_of_seats_itself(opener: Opener) -> None:
    options = opener.open(*FOUR, blocks=1).planned.options
    opener.open().store.put(RUN_OPTIONS_KEY, msgspec.structs.replace(options, even_seats=True))
    assert opener.open().planned.options.even_seats
    other = opener.open(format="swiss", rounds=2).planned.options
    assert (other.format, other.even_seats) == ("swiss", False)


def test_a_folder_with_other_files_is_refused(opener: Opener) -> None:
    opener.folder.mkdir()
    (opener.folder / "thesis.txt").touch()
    for attempt in (
        opener.open,
        lambda *_: plan_tournament(opener.folder, TournamentRequest(bots=FOUR)),
    ):
        with pytest.raises(
            StoreRefused, match=r"not empty and not .* a tournament: it contains thesis.txt"
        ):
            attempt(*FOUR)
    assert [path.name for path in opener.folder.iterdir()] == ["thesis.txt"]


def test_a_budget_below_one_block_is_refused(opener: Opener) -> None:
    with pytest.raises(TournamentRefused, match=r"--games 3 is too few: .* a block has 4 games"):
        opener.open(*FOUR, games=3)


@pytest.mark.parametrize(
    "change", [{"missions": True}, {"bank_ms": 1}, {"board": "east"}, {"strikes": 9}, {"seats": 3}]
)
def test_the_rules_cannot_change(opener: Opener, change: dict[str, Any]) -> None:
    opener.open(*FOUR)
    with pytest.raises(TournamentRefused, match="cannot change"):
        opener.open(**change)


def test_the_seed_cannot_change(opener: Opener) -> None:
    opener.open(*FOUR, seed=1)
    with pytest.raises(TournamentRefused, match="seed of a tournament cannot change"):
        opener.open(seed=2)


@pytest.mark.parametrize(
    ("version", "message"),
    [
        (0, "began with rules version 0, and version 1 changed"),
        (99, "uses version 99 of the rules"),
    ],
)
def test_another_version_of_the_rules_is_refused(
    opener: Opener, version: int, message: str
) -> None:
    store = opener.open(*FOUR).store
    store.put(DEFINITION_KEY, {**store.get(DEFINITION_KEY), "rules_version": version})
    with pytest.raises(TournamentRefused, match=message):
        opener.open()


def tables_only(folder: Path) -> None:
    Store.create(folder).close()


def empty_file(folder: Path) -> None:
    folder.mkdir()
    (folder / FILE).touch()


def file_without_tables(folder: Path) -> None:
    folder.mkdir()
    with closing(sqlite3.connect(folder / FILE)) as sql:
        sql.execute("PRAGMA journal_mode = WAL")


@pytest.mark.parametrize("left", [tables_only, empty_file, file_without_tables])
def test_a_tournament_that_was_killed_before_it_began_begins_again(
    opener: Opener, left: Callable[[Path], None]
) -> None:
    left(opener.folder)
    assert plan_tournament(opener.folder, TournamentRequest(bots=FOUR)).names[0] == "random"
    assert opener.open(*FOUR).names[0] == "random"


@pytest.mark.parametrize("key", [DEFINITION_KEY, RUN_OPTIONS_KEY])
def test_settings_that_cannot_be_read_are_refused(opener: Opener, key: str) -> None:
    opened = opener.open(*FOUR)
    opened.store.put(key, {"seed": "seven", "blocks": "many"})
    with pytest.raises(TournamentRefused, match=f"cannot read the settings in {opener.folder}: "):
        opener.open(*FOUR)


def test_the_database_of_another_program_is_refused(opener: Opener) -> None:
    opener.folder.mkdir()
    with closing(sqlite3.connect(opener.folder / FILE)) as sql:
        sql.execute("CREATE TABLE theirs (one)")
    with pytest.raises(StoreRefused, match="is not the store of a tournament"):
        plan_tournament(opener.folder, TournamentRequest(bots=FOUR))
    with pytest.raises(StoreRefused):
        opener.open(*FOUR)


def test_a_default_number_of_seats_does_not_change(opener: Opener) -> None:
    tables = (TableRequest(board="hanse-2-3"), TableRequest(board="east"))
    opener.open(*FOUR[:3], tables=tables)
    opened = opener.open(*FOUR, tables=tables)
    assert [table.seats for table in opened.definition.tables] == [3, 3]
    assert len(opened.names) == 4


@pytest.mark.parametrize(
    ("bots", "options", "kind", "message"),
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
def test_a_refused_tournament_writes_nothing(
    opener: Opener,
    bots: tuple[str, ...],
    options: dict[str, Any],
    kind: type[RefereeError],
    message: str,
) -> None:
    with pytest.raises(kind, match=message):
        opener.open(*bots, **options)
    assert not opener.folder.exists()


def test_a_tournament_in_use_is_refused(opener: Opener) -> None:
    opener.open(*FOUR)
    with pytest.raises(StoreRefused, match="in use"):
        open_tournament(opener.folder, TournamentRequest())
    assert exists(opener.folder)


# --- dry runs and bots ----------------------------------------------------------


@pytest.mark.parametrize("change", [{"missions": True}, {"seed": 2}])
def test_a_dry_run_refuses_what_a_run_refuses(opener: Opener, change: dict[str, Any]) -> None:
    opener.open(*FOUR, seed=1)
    with pytest.raises(TournamentRefused, match="cannot change"):
        plan_tournament(opener.folder, TournamentRequest(**change))


def test_a_dry_run_of_people_is_refused(opener: Opener) -> None:
    with pytest.raises(TournamentRefused, match="a tournament is for bots"):
        plan_tournament(opener.folder, TournamentRequest(bots=("random", "human")))


def test_an_unknown_anchor_is_refused_before_anything_is_written(opener: Opener) -> None:
    with pytest.raises(RatingsRefused, match="is not one of the bots"):
        open_tournament(opener.folder, TournamentRequest(bots=FOUR, anchor="nobody"))
    assert not opener.folder.exists()


def test_each_bot_is_found_once(opener: Opener, mine: Path) -> None:
    searched: list[str] = []

    def find(word: str) -> Bot:
        searched.append(word)
        return find_bot_on_disk(word)

    request = TournamentRequest(bots=(*FOUR, str(mine)))
    for _ in range(2):  # a new tournament, and the same one again
        searched.clear()
        open_tournament(opener.folder, request, find=find).store.close()
        assert sorted(searched) == sorted(["random", str(mine)])


def test_a_bot_keeps_its_name_in_the_tournament(opener: Opener, mine: Path) -> None:
    opener.open(str(mine), "random")
    toml = mine / "bot.toml"
    toml.write_text(toml.read_text().replace('name = "mine"', 'name = "other"'))
    opened = opener.open(replay_changed=True)
    assert opened.names == ["mine", "random"]
    assert [bot.name for bot in opened.bots] == opened.names
    assert [bot.name for bot in opened.store.bots()] == opened.names
