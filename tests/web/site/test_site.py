"""The files of a site: which are written, what they contain, and what is refused."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from click.testing import CliRunner, Result

from referee.bots.profile import Profile
from referee.cli import main
from referee.errors import SiteRefused
from referee.tournament.about import store_about
from referee.tournament.definition import RUN_OPTIONS_KEY, RunOptions
from referee.tournament.request import TableRequest, TournamentRequest
from referee.tournament.secret import close_tournament
from referee.tournament.store.export import EXPORTED
from referee.tournament.store.games import StoredGame, StoredSeat
from referee.tournament.store.store import FILE, Judgement, Store, StoredBot
from referee.web.site.build import make_site
from referee.web.site.descriptions import dates, progress
from referee.web.site.downloads import FIGURES
from referee.web.site.games import DEFAULT_PAGES, PageResult, PageSelection, select_games
from referee.web.site.html import SiteHead, likelihood, number, page, percent, tag
from referee.web.site.interest import close_games, first_meetings, upsets
from referee.web.site.paths import MARKER, FileCounts, SiteFolder, file_name
from referee.web.site.snapshot import read_snapshot
from support.sample_site import ONE_TABLE, STRENGTH, TURNS, TWO_TABLES, fault, write_tournament

VOID, RECORD = 10, 11  # fields of a row in the list of games


def report(*words: str) -> Result:
    return CliRunner().invoke(main, ["report", *words])


class LinksAndIds(HTMLParser):
    """The links and the ids of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        values = dict(attributes)
        if name == "a":
            self.links.append(values["href"] or "")
        if values.get("id"):
            self.ids.append(values["id"] or "")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament with everything: two tables, faults, a void block, a bot that is out."""
    folder = write_tournament(
        tmp_path_factory.mktemp("everything") / "t",
        tables=TWO_TABLES,
        faults={0: [fault(0, 4), fault(1, 7, kind="crash", message="=1+1")], 5: [fault(1)]},
        records=[0],
        void=3,
        out={"dora": "it was at fault too often"},
    )
    out = folder.parent / "site"
    make_site(folder, out, points=(5, 3, 1))
    return out


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text("utf-8").splitlines()))


def pages_in(site: Path) -> list[Path]:
    return [*site.glob("*.html"), *site.glob("bots/*.html")]


# --- what is made ----------------------------------------------------------------------------


def test_there_is_a_page_for_every_bot_and_for_games_with_a_record(site: Path) -> None:
    assert {page.stem for page in site.glob("bots/*.html")} == set(STRENGTH)
    assert {page.name for page in site.glob("games/*.html")} == {
        "b0000-0.html",
        "b0000-1.html",
        "b0000-2.html",
    }


def test_every_link_of_every_page_leads_somewhere(site: Path) -> None:
    for page_file in pages_in(site):
        for link in LinksAndIds(page_file.read_text("utf-8")).links:
            parts = urlsplit(link)
            assert (parts.scheme, parts.netloc) == ("", "")
            target = page_file.parent / unquote(parts.path) if parts.path else page_file
            assert target.is_file(), f"{page_file.name}: {link}"
            if parts.fragment and "=" not in parts.fragment:
                assert parts.fragment in LinksAndIds(target.read_text("utf-8")).ids


def test_ids_are_unique_on_a_page(site: Path) -> None:
    for page_file in pages_in(site):
        ids = LinksAndIds(page_file.read_text("utf-8")).ids
        assert len(ids) == len(set(ids)), page_file.name


def test_the_first_page_has_every_section(site: Path) -> None:
    parts = LinksAndIds((site / "index.html").read_text("utf-8")).ids
    wanted = ["standings", "growth", "superiority", "cross", "seats", "selections", "faults"]
    wanted += ["played", "data"]
    assert [part for part in parts if part in wanted] == wanted


def test_a_fault_leads_to_its_game_at_the_decision(site: Path) -> None:
    faults = data_of(site / "faults.html")["faults"]
    assert [row[1] for row in faults] == [None, "games/b0000-0.html#7", "games/b0000-0.html#4"]


def test_a_void_block_is_listed_but_does_not_count(site: Path) -> None:
    games = data_of(site / "games.html")["games"]
    void = [row[0] for row in games if row[VOID] is not None]
    assert void == ["b0003-2", "b0003-1", "b0003-0"]
    words = json.loads((site / "data" / "figures.json").read_text("utf-8"))
    assert (words["games"], words["ratings"]["games"]) == (len(games), len(games) - 3)


def data_of(path: Path) -> dict[str, list[list[object]]]:
    text = path.read_text("utf-8")
    (found,) = re.findall(r'<script type="application/json" id="site-data">(.*?)</script>', text)
    data: dict[str, list[list[object]]] = json.loads(found)
    return data


def test_the_same_tournament_gives_the_same_site(tmp_path: Path) -> None:
    folder = write_tournament(tmp_path / "t", blocks=1, records=[0])
    for name in ("one", "two"):
        make_site(folder, tmp_path / name, games=1)
    files = [path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.*")]
    assert len(files) == 26
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_a_tournament_without_a_finished_block_has_a_site(tmp_path: Path) -> None:
    folder = write_tournament(tmp_path / "t", blocks=0)
    made = make_site(folder, tmp_path / "site")
    assert (made.blocks, made.games, made.bots) == (0, 0, 4)
    assert "No block is finished yet." in (tmp_path / "site" / "index.html").read_text("utf-8")
    assert (tmp_path / "site" / "bots" / "anna.html").is_file()


def test_a_bot_that_has_not_played_comes_last(tmp_path: Path) -> None:
    folder = write_tournament(tmp_path / "t")
    with Store.resume(folder) as store:
        store.enter([StoredBot("aaron", "aaron", "0" * 64, "/")])
    make_site(folder, tmp_path / "site")
    rows = rows_of(tmp_path / "site" / "data" / "standings.csv")
    assert [row["bot"] for row in rows] == ["anna", "bert", "carl", "dora", "aaron"]
    assert "none yet" in (tmp_path / "site" / "bots" / "aaron.html").read_text("utf-8")


def test_a_running_tournament_can_be_reported(tmp_path: Path) -> None:
    folder = write_tournament(tmp_path / "t", blocks=1)
    with Store.resume(folder):
        assert make_site(folder, tmp_path / "site").blocks == 4


# --- title, progress, rounds, large fields ---------------------------------------------------


ABOUT = TournamentRequest(title="Spring cup <1>", introduction="Welcome to the *cup*.")
PROFILE = Profile("Ada <b>", "Plays <i>well</i>.", "https://example.org/ada?a=1&b=2")


def site_of(folder: Path) -> Path:
    make_site(folder, folder.parent / "site")
    return folder.parent / "site"


def test_the_title_and_the_introduction_are_shown(tmp_path: Path) -> None:
    site = site_of(write_tournament(tmp_path / "t", most=1, about=ABOUT))
    first = (site / "index.html").read_text("utf-8")
    assert "<title>Standings · Spring cup &lt;1&gt;</title>" in first
    assert "<p>Welcome to the <em>cup</em>.</p>" in first
    for page_file in pages_in(site):
        heading = '<h1><a href="{}index.html">Spring cup &lt;1&gt;</a></h1>'
        root = "../" if page_file.parent.name == "bots" else ""
        assert heading.format(root) in page_file.read_text("utf-8")


def test_the_author_of_a_bot_is_named(tmp_path: Path) -> None:
    site = site_of(write_tournament(tmp_path / "t", most=1, profiles={"anna": PROFILE}))
    text = (site / "bots" / "anna.html").read_text("utf-8")
    assert "<dd>Ada &lt;b&gt;</dd>" in text
    assert "<p>Plays &lt;i&gt;well&lt;/i&gt;.</p>" in text
    assert (
        '<a href="https://example.org/ada?a=1&amp;b=2" rel="nofollow noopener noreferrer">' in text
    )
    assert "author" not in (site / "bots" / "bert.html").read_text("utf-8")


def test_a_link_in_a_store_that_is_not_a_web_address_is_only_text(tmp_path: Path) -> None:
    bad = {"anna": Profile(link="javascript:hacked=1")}
    site = site_of(write_tournament(tmp_path / "t", most=1, profiles=bad))
    text = (site / "bots" / "anna.html").read_text("utf-8")
    assert "<dd>javascript:hacked=1</dd>" in text
    assert 'href="javascript' not in text


@pytest.mark.parametrize(
    ("options", "most", "sentence"),
    [
        (RunOptions(blocks=2), 3, "In progress: 3 of 8 blocks"),
        (RunOptions(blocks=2), None, "Finished: 8 blocks"),
        (RunOptions(blocks_per_bot=3), 1, "In progress: 1 of 4 blocks"),
        (RunOptions(format="swiss", rounds=3), 1, "In progress: 1 of at most 3 blocks"),
        (RunOptions(format="swiss", rounds=2), None, "Finished: 2 blocks"),
        (RunOptions(), 2, "In progress: 2 blocks"),
        (RunOptions(), 0, "Not started yet"),
        (RunOptions(format="gauntlet", hero="nobody", blocks=2), 0, "Not started yet"),
    ],
)
def test_the_first_page_says_how_far_the_tournament_is(
    tmp_path: Path, options: RunOptions, most: int | None, sentence: str
) -> None:
    plan = None if options.hero == "nobody" else options
    folder = write_tournament(tmp_path / "t", options=plan, most=most)
    with Store.resume(folder) as store:
        store.put(RUN_OPTIONS_KEY, options)
    assert progress(read_snapshot(folder)) == sentence


def test_a_closed_tournament_is_finished(tmp_path: Path) -> None:
    folder = write_tournament(tmp_path / "t", options=RunOptions(blocks=2), most=3)
    with Store.resume(folder) as store:
        close_tournament(store)
    assert progress(read_snapshot(folder)) == "Finished: 3 blocks"


def test_the_days_of_a_tournament_are_shown(tmp_path: Path) -> None:
    folder = write_tournament(tmp_path / "t", most=2)
    for block, day in (("b0000", "2026-05-16"), ("b0001", "2026-05-17")):
        with closing(sqlite3.connect(folder / FILE)) as store, store:
            time = f"{day}T20:15:00+00:00"
            store.execute("UPDATE blocks SET finished = ? WHERE id = ?", (time, block))
        store.close()
    snapshot = read_snapshot(folder)
    assert dates(snapshot) == "2026-05-16 to 2026-05-17"
    assert dates(replace(snapshot, games=snapshot.games[:1])) == "2026-05-16"
    assert dates(replace(snapshot, games=[])) is None


def test_swiss_rounds_are_listed_with_their_byes(tmp_path: Path) -> None:
    options = RunOptions(format="swiss", rounds=3)
    folder = write_tournament(tmp_path / "t", options=options)
    text = (site_of(folder) / "index.html").read_text("utf-8")
    rounds = re.findall(r"<tr><th scope=\"row\">(Round \d)</th>(.*?)</tr>", text)
    assert [name for name, _ in rounds] == ["Round 1", "Round 2", "Round 3"]
    for _, cells in rounds:
        assert sorted(re.findall(r"bots/(\w+)\.html", cells)) == sorted(STRENGTH)


def test_large_matrices_have_a_page_of_their_own(tmp_path: Path, site: Path) -> None:
    strength = {f"bot-{number:02}": 1.0 + number for number in range(11)}
    large = site_of(write_tournament(tmp_path / "t", strength=strength, blocks=1, most=5))
    first = LinksAndIds((large / "index.html").read_text("utf-8"))
    assert "matrices.html" in first.links
    assert "cross" not in first.ids
    assert {"superiority", "cross"} < set(LinksAndIds((large / "matrices.html").read_text()).ids)
    assert not (site / "matrices.html").exists()


def test_a_table_has_the_name_that_the_file_gives_it(tmp_path: Path) -> None:
    named = (TableRequest(seats=3, max_turns=TURNS, name="the hall"), TWO_TABLES[1])
    site = site_of(write_tournament(tmp_path / "t", tables=named, most=6))
    tables = data_of(site / "games.html")["tables"]
    assert [*map(str, tables)] == [
        "the hall",
        "The Eastern Hanseatic League · 2 players · bigbox · neutral 2009",
    ]
    for name in ("index.html", "bots/anna.html"):
        text = (site / name).read_text("utf-8")
        assert "the hall" in text
        assert "east:2:bigbox" not in text


# --- data ------------------------------------------------------------------------------------


def test_nothing_of_a_block_is_published_before_all_its_games_are_finished(tmp_path: Path) -> None:
    folder = write_tournament(tmp_path / "t", most=2, records=[0, 1])
    with Store.resume(folder) as store:
        assert store.forget(store.bots()[0].name) == 2  # its games are played again
    make_site(folder, tmp_path / "site", games="all")
    assert len(list((folder / "records").rglob("*.gz"))) == 6
    assert list((tmp_path / "site" / "games").iterdir()) == []
    for path in (tmp_path / "site").rglob("*.*"):
        assert "b0000" not in path.read_text("utf-8"), path


def test_the_data_files_contain_what_the_store_has(site: Path) -> None:
    snapshot = read_snapshot(site.parent / "t")
    games = rows_of(site / "data" / "games.csv")
    assert [(row["block"], int(row["number"])) for row in games] == [
        game.key for game in snapshot.games
    ]
    seats = rows_of(site / "data" / "seats.csv")
    assert [(row["block"], int(row["number"]), row["bot"], int(row["rank"])) for row in seats] == [
        (*game.key, seat.bot, seat.rank) for game in snapshot.games for seat in game.seats
    ]


def test_report_and_standings_export_the_same_files(site: Path, tmp_path: Path) -> None:
    exported = tmp_path / "files"
    words = ["standings", str(site.parent / "t"), "--points", "5,3,1", "--export", str(exported)]
    assert CliRunner().invoke(main, words).exit_code == 0
    names = sorted(path.name for path in exported.iterdir())
    assert names == sorted(EXPORTED)
    assert sorted(path.name for path in (site / "data").iterdir()) == sorted([*names, FIGURES])
    for name in names:
        assert (site / "data" / name).read_bytes() == (exported / name).read_bytes(), name


def test_no_spreadsheet_takes_a_message_for_a_formula(site: Path) -> None:
    rows = rows_of(site / "data" / "faults.csv")
    assert [row["message"] for row in rows if row["fault"] == "crash"] == ["'=1+1"]


# --- which games -----------------------------------------------------------------------------


RATINGS = {"strong": 1700.0, "weak": 1300.0}


def sample_games(
    count: int, at_fault: Collection[int] = (), totals: Mapping[int, tuple[int, int]] | None = None
) -> list[StoredGame]:
    """Games of two bots, which the strong one wins by 20, unless `totals` has another result."""

    def seat(bot: str, total: int, other: int, faults: int) -> StoredSeat:
        return StoredSeat(bot, bot, 1 + (total < other), total, faults, None)

    def game(number: int) -> StoredGame:
        strong, weak = (totals or {}).get(number, (30, 10))
        seats = (
            seat("strong", strong, weak, int(number in at_fault)),
            seat("weak", weak, strong, 0),
        )
        return StoredGame("b", number, "g", "t", 0, "", "", 1, 1, 0.1, "r", None, seats)

    return [game(number) for number in range(count)]


def selected(games: Sequence[StoredGame], selection: PageSelection) -> list[int]:
    return [game.number for game in select_games(games, selection, RATINGS)]


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        ("default", [0, 1, 2, 3, 4]),
        ("all", [0, 1, 2, 3, 4]),
        ("faults", [1, 3]),
        ("none", []),
        (2, [0, 3]),
        (0, []),
        (9, [0, 1, 2, 3, 4]),
    ],
)
def test_the_games_that_get_a_page(wanted: PageSelection, numbers: list[int]) -> None:
    assert selected(sample_games(5, {1, 3}), wanted) == numbers


def test_of_many_games_the_interesting_ones_get_a_page() -> None:
    """Game 0 is the first meeting, 50 an upset, 60 close; 70 and 80 have faults; 99 is the newest."""
    games = sample_games(100, {70, 80}, {50: (10, 30), 60: (30, 29)})
    assert selected(games, 5) == [0, 50, 60, 80, 99]
    assert {0, 50, 60, 70, 80, 99} < set(selected(games, 20))


def test_faults_do_not_take_all_pages() -> None:
    games = sample_games(DEFAULT_PAGES + 100, set(range(DEFAULT_PAGES + 50)), {5: (10, 30)})
    chosen = selected(games, "default")
    assert len(chosen) == DEFAULT_PAGES
    assert 20 < sum(game >= DEFAULT_PAGES + 50 for game in chosen) < DEFAULT_PAGES


def test_each_pair_of_bots_has_a_first_meeting() -> None:
    games = sample_games(4)
    third = games[2].seats[1]._replace(bot="third")
    games[2] = games[2]._replace(seats=(games[2].seats[0], third))
    assert [highlight.game.number for highlight in first_meetings(games)] == [0, 2]


def test_highlights_say_what_happened() -> None:
    games = sample_games(3, (), {0: (10, 30), 1: (30, 30), 2: (30, 28)})
    assert [highlight.reason for highlight in upsets(games, RATINGS)] == [
        "weak won against strong, which is rated 400 higher"
    ]
    assert [highlight.reason for highlight in close_games(games)] == [
        "strong won by 2 prestige ahead of weak"
    ]


def test_a_game_without_a_record_gets_no_page() -> None:
    games = sample_games(3)
    games[2] = games[2]._replace(record=None)
    assert selected(games, "all") == [0, 1]


# --- what is written -------------------------------------------------------------------------


def changed_since(before: dict[Path, int], site: Path) -> set[str]:
    """The files that were written or removed since `before` was made by `times_of`."""
    after = times_of(site)
    return {
        str(path.relative_to(site))
        for path in before.keys() | after.keys()
        if before.get(path) != after.get(path)
    }


def times_of(site: Path) -> dict[Path, int]:
    """The time of each file, which is set to the past, so that a new time shows that it was written."""
    files = [path for path in site.rglob("*") if path.is_file()]
    for path in files:
        if path.stat().st_mtime > 2e9:  # set by the last call
            continue
        os.utime(path, (path.stat().st_mtime + 1e9,) * 2)
    return {path: path.stat().st_mtime_ns for path in files}


def test_only_what_has_changed_is_written_again(tmp_path: Path) -> None:
    folder, site = write_tournament(tmp_path / "t", blocks=1, records=[0]), tmp_path / "site"
    first = make_site(folder, site)
    assert (first.pages.made, first.files.unchanged, first.files.removed) == (3, 0, 0)
    assert first.files.written + 1 == len(list(site.rglob("*.*")))  # the marker is not counted
    before = times_of(site)
    again = make_site(folder, site)
    assert changed_since(before, site) == set()
    assert again.files == FileCounts(0, first.files.written, 0)
    with Store.resume(folder) as store:
        store.judge(Judgement((), {"dora": "a reason"}))
    make_site(folder, site)
    assert changed_since(before, site) == {
        "index.html",
        "bots/dora.html",
        "data/figures.json",
        "data/tournament.json",
    }


def test_a_page_is_made_again_if_its_record_is_newer_or_the_pages_change(tmp_path: Path) -> None:
    folder, site = write_tournament(tmp_path / "t", blocks=1, records=[0]), tmp_path / "site"
    make_site(folder, site)
    page_file, record = site / "games" / "b0000-1.html", folder / "records" / "b0000" / "1.jsonl.gz"
    whole = page_file.read_text("utf-8")
    page_file.write_text("cut off")
    assert make_site(folder, site).pages.made == 0  # it is newer than its record
    os.utime(record, (2e9, 2e9))
    assert make_site(folder, site).pages.made == 1
    assert page_file.read_text("utf-8") == whole
    with Store.resume(folder) as store:
        store_about(store, TournamentRequest(title="The cup"))
    assert make_site(folder, site).pages.made == 3
    assert "The cup" in page_file.read_text("utf-8")


def test_what_the_site_no_longer_has_is_removed_and_nothing_else(tmp_path: Path) -> None:
    folder, site = write_tournament(tmp_path / "t", most=1, records=[0]), tmp_path / "site"
    make_site(folder, site)
    foreign = [site / "CNAME", site / "games" / "mine.html", site / "assets" / "logo.png"]
    for path in foreign:
        path.write_text("mine")
    removed = make_site(folder, site, games="none").files.removed
    assert removed == 6  # three pages and three records
    assert [path.name for path in (site / "games").iterdir()] == ["mine.html"]
    assert list((site / "records").iterdir()) == []
    assert [path.read_text() for path in foreign] == ["mine"] * 3


def test_what_a_killed_run_has_written_is_removed_by_a_later_one(tmp_path: Path) -> None:
    folder, site = write_tournament(tmp_path / "t", most=1, records=[0]), tmp_path / "site"

    def killed(results: Iterator[PageResult], _: int, __: str) -> Iterator[PageResult]:
        yield next(results)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_site(folder, site, progress=killed)
    assert [path.name for path in (site / "games").iterdir()] == ["b0000-0.html"]
    make_site(folder, site, games="none")
    assert list((site / "games").iterdir()) == []


def test_a_site_of_an_earlier_version_is_replaced(tmp_path: Path) -> None:
    folder, site = write_tournament(tmp_path / "t", most=1, records=[0]), tmp_path / "site"
    make_site(folder, site)
    (site / MARKER).write_text('{"site": 1, "referee": "0.1.0"}')
    (site / "bots" / "gone.html").write_text("of a bot that is no longer there")
    made = make_site(folder, site)
    assert (made.pages.kept, made.files.removed) == (3, 1)
    assert not (site / "bots" / "gone.html").exists()


def test_the_list_of_files_cannot_lead_out_of_the_site(tmp_path: Path) -> None:
    folder, site = write_tournament(tmp_path / "t", most=1), tmp_path / "site"
    make_site(folder, site)
    mine = tmp_path / "mine.txt"
    mine.write_text("mine")
    files = json.dumps(["../mine.txt", str(mine), "", "."])
    (site / MARKER).write_text(f'{{"site": 2, "files": {files}}}')
    make_site(folder, site)
    assert mine.read_text() == "mine"


def test_a_game_takes_less_than_28_kilobytes(tmp_path: Path) -> None:
    """So 500 games of 24 turns take less than 15 MB, with the files that they share."""
    tables = (TableRequest(seats=4, max_turns=24),)
    folder = write_tournament(tmp_path / "t", tables=tables, most=1, records=[0])
    make_site(folder, tmp_path / "site")
    sizes = {path: path.stat().st_size for path in (tmp_path / "site").rglob("*.*")}
    shared = sum(size for path, size in sizes.items() if path.parent.name == "assets")
    games = sum(size for path, size in sizes.items() if path.name.startswith("b0000"))
    assert games / 4 < 28_000
    assert shared < 250_000


def test_records_can_be_downloaded(site: Path) -> None:
    rows = data_of(site / "games.html")["games"]
    offered = [str(row[RECORD]) for row in rows if row[RECORD] is not None]
    assert offered == [f"records/b0000-{game}.jsonl.gz" for game in (2, 1, 0)]
    for game, address in zip((2, 1, 0), offered, strict=True):
        record = site.parent / "t" / "records" / "b0000" / f"{game}.jsonl.gz"
        assert (site / address).read_bytes() == record.read_bytes()


def test_the_page_of_a_game_leads_back_and_names_the_bots(site: Path) -> None:
    text = (site / "games" / "b0000-0.html").read_text("utf-8")
    names = [seat.bot for seat in read_snapshot(site.parent / "t").games[0].seats]
    assert f"<title>{', '.join(names)} · The Hanseatic League · Hansa Teutonica" in text
    links = LinksAndIds(text).links
    assert {"../index.html", "../games.html", "../records/b0000-0.jsonl.gz"} < set(links)


def test_a_record_of_another_board_gets_no_page(tmp_path: Path) -> None:
    east = write_tournament(tmp_path / "east", tables=TWO_TABLES[1:], most=1, records=[0])
    folder = write_tournament(tmp_path / "t", most=1, records=[0])
    record = Path("records") / "b0000" / "0.jsonl.gz"
    shutil.copy(east / record, folder / record)
    (missing,) = make_site(folder, tmp_path / "site").pages.missing
    assert missing.endswith("was not played on the board of its table")


def test_a_missing_or_wrong_record_is_reported_and_stops_nothing(tmp_path: Path) -> None:
    folder = write_tournament(tmp_path / "t", blocks=1, most=1, records=[0])
    (folder / "records" / "b0000" / "0.jsonl.gz").unlink()
    (folder / "records" / "b0000" / "1.jsonl.gz").write_bytes(b"no record")
    made = make_site(folder, tmp_path / "site")
    assert made.pages.made == 1
    assert sorted(line.partition(":")[0] for line in made.pages.missing) == [
        "games/b0000-0.html",
        "games/b0000-1.html",
    ]


# --- what is refused -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("nowhere", "--out", "site"), "nowhere is not the folder of a tournament"),
        (("t", "--out", "full"), "full is neither empty nor a site made before"),
        (("t", "--out", "t"), "t is neither empty nor a site made before"),
        (("t", "--out", "file"), "file"),
        (("t", "--out", "file/site"), "cannot write to file/site"),
        (("t", "--out", "site", "--anchor", "nobody"), "'nobody' cannot be the anchor"),
        (("t", "--out", "site", "--points", "5,x"), "'5,x' is not a valid list of points"),
        (("t", "--out", "site", "--points", "nan"), "'nan' is not a valid list of points"),
        (("t", "--out", "site", "--games", "some"), "'some' is neither a whole number"),
        (("t", "--out", "site", "--games", "-1"), "'-1' is neither a whole number"),
    ],
)
def test_an_error_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], sentence: str
) -> None:
    write_tournament(tmp_path / "t", blocks=1)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    monkeypatch.chdir(tmp_path)
    result = report(*words)
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert sentence in result.stderr
    assert not Path("site").exists()
    assert [path.name for path in Path("full").iterdir()] == ["letter.txt"]


def test_the_error_of_a_damaged_store_is_one_sentence(tmp_path: Path) -> None:
    folder = write_tournament(tmp_path / "t", blocks=20)
    file = folder / "tournament.sqlite"
    words = bytearray(file.read_bytes())
    words[8192:] = b"\xff" * (len(words) - 8192)
    file.write_bytes(words)
    result = report(str(folder), "--out", str(tmp_path / "site"))
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)


def test_a_store_without_a_definition_is_refused(tmp_path: Path) -> None:
    Store.create(tmp_path / "t").close()
    result = report(str(tmp_path / "t"), "--out", str(tmp_path / "site"))
    assert result.exit_code == 2
    assert "never started and has no settings" in result.stderr


# --- the command -----------------------------------------------------------------------------


def test_the_command_prints_what_it_made(tmp_path: Path) -> None:
    folder, out = write_tournament(tmp_path / "t", records=[0]), tmp_path / "site"
    result = report(str(folder), "--out", str(out), "--games", "1")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "16 blocks, 48 games, 4 bots.",
        "1 of 48 games can be replayed.",
        "Files: 25 written, 0 unchanged, 0 removed.",
        f"The site: {out / 'index.html'}",
    ]


def test_the_command_prints_one_object_with_json(tmp_path: Path) -> None:
    folder, out = write_tournament(tmp_path / "t"), tmp_path / "site"
    result = report(
        str(folder), "--out", str(out), "--json", "--points", "5,3,1", "--anchor", "bert"
    )
    assert json.loads(result.stdout) == {
        "site": str(out / "index.html"),
        "blocks": 16,
        "games": 48,
        "bots": 4,
        "pages_made": 0,
        "pages_kept": 0,
        "without_page": [],
        "files": {"written": 23, "unchanged": 0, "removed": 0},
    }
    rows = {row["bot"]: row for row in rows_of(out / "data" / "standings.csv")}
    assert float(rows["bert"]["rating"]) == 1500
    assert sum(float(row["points"]) for row in rows.values()) == 48 * (5 + 3 + 1)


# --- names and markup ------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["random", "random-2", "a.b_c-1", "x" * 80])
def test_a_plain_name_is_its_own_file_name(name: str) -> None:
    assert file_name(name) == name


def test_file_names_differ_even_without_upper_and_lower_case() -> None:
    names = ["Anna", "anna", "ANNA", "random#2", "random-2", "../x", "..", ".", "", "a/b", "a\\b"]
    names += ["con\x00", "ä", "ae", "-x", file_name("Anna"), "x" * 81, "x" * 80]
    files = [file_name(name).lower() for name in names]
    assert len(set(files)) == len(names)
    for file in files:
        assert re.fullmatch(r"[a-z0-9~][a-z0-9._~-]*", file), file


def test_text_is_escaped_in_markup() -> None:
    assert tag("b", "<i> & \"'\u2028", title='"><x') == (
        '<b title="&quot;&gt;&lt;x">&lt;i&gt; &amp; &quot;&#x27;\\u2028</b>'
    )


def test_a_slot_inside_a_value_is_not_filled() -> None:
    head = SiteHead("{{nav}}", "{{data}}", ())
    text = page(head, "{{body}}", [tag("p", "{{script}}")])
    assert text.count("{{") == 5


def test_numbers_are_rounded_and_never_minus_zero() -> None:
    assert [number(-0.3), number(-0.04, 1), number(1.25, 1), number(None)] == [
        "0",
        "0.0",
        "1.2",
        "–",
    ]
    assert [percent(1.0), percent(0.0), percent(None)] == ["100.0 %", "0.0 %", "–"]


def test_a_probability_is_never_shown_as_certain() -> None:
    chances = (1.0, 0.9995, 0.9994, 0.25, 0.0005, 0.0)
    texts = ["> 99.9 %", "> 99.9 %", "99.9 %", "25.0 %", "0.1 %", "< 0.1 %"]
    assert [likelihood(chance) for chance in chances] == texts


def test_the_site_loads_only_its_own_files_and_makes_no_markup_of_text(site: Path) -> None:
    scripts = [*(site / "assets").glob("*.js"), *(site / "assets").glob("*.css")]
    for page_file in [*pages_in(site), *site.glob("games/*.html"), *scripts]:
        text = page_file.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert re.findall(r"https?:|//[a-z0-9-]+\.[a-z]|@import|\burl\(", text) == []
        loaded = re.findall(r"\b(?:src|srcset|action|poster)=\"?([^\" >]*)", text)
        assert [
            place for place in loaded if not re.match(r"(\.\./)?assets/[a-z0-9.-]+", place)
        ] == []
        assert re.findall(r"\son[a-z]+=|\sstyle=", text) == []
        assert (
            re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", text) == []
        )
        assert (
            re.findall(r"\b(?:fetch|XMLHttpRequest|WebSocket|importScripts|import)\(", text) == []
        )


def test_a_folder_is_marked_as_a_site_before_pages_are_written(tmp_path: Path) -> None:
    SiteFolder(tmp_path / "site")
    SiteFolder(tmp_path / "site")
    (tmp_path / "site" / MARKER).write_text("[]")
    with pytest.raises(SiteRefused, match="neither empty nor a site"):
        SiteFolder(tmp_path / "site")


def test_no_path_or_command_of_the_organiser_is_in_the_site(tmp_path: Path) -> None:
    folder = write_tournament(tmp_path / "t", tables=ONE_TABLE)
    with Store.resume(folder) as store:
        store.enter([StoredBot("eve", "./secret-word", "0" * 64, "/secret-folder")])
    make_site(folder, tmp_path / "site")
    for path in (tmp_path / "site").rglob("*.*"):
        assert b"secret-" not in path.read_bytes()
