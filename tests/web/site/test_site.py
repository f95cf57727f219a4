"""The files of a site: which are written, what they contain, and what is refused."""

from __future__ import annotations

import csv
import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.errors import SiteRefused
from referee.tournament.store.export import EXPORTED
from referee.tournament.store.store import Store, StoredBot
from referee.web.site.build import make_site
from referee.web.site.downloads import FIGURES
from referee.web.site.games import DEFAULT_PAGES, select_games
from referee.web.site.html import likelihood, number, page, percent, tag
from referee.web.site.paths import MARKER, SiteFolder, file_name
from referee.web.site.snapshot import StoredGame, StoredSeat, read_snapshot
from support.sample_site import ONE_TABLE, STRENGTH, TWO_TABLES, fault, write_tournament


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
    void = [row[0] for row in games if row[-1] is not None]
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
    assert len(files) == 18
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


# --- data ------------------------------------------------------------------------------------


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


def sample_games(count: int, at_fault: set[int]) -> list[StoredGame]:
    def game(number: int) -> StoredGame:
        seat = StoredSeat("a", "a", 1, 9, int(number in at_fault), None)
        return StoredGame("b", number, "g", "t", 0, "", "", 1, 1, 0.1, "r", None, (seat,))

    return [game(number) for number in range(count)]


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        ("default", [0, 1, 2, 3, 4]),
        ("all", [0, 1, 2, 3, 4]),
        ("faults", [1, 3]),
        ("none", []),
        (2, [3, 4]),
        (0, []),
        (9, [0, 1, 2, 3, 4]),
    ],
)
def test_the_games_that_get_a_page(wanted: int, numbers: list[int]) -> None:
    assert [game.number for game in select_games(sample_games(5, {1, 3}), wanted)] == numbers


def test_of_many_games_those_with_faults_and_the_newest_get_a_page() -> None:
    chosen = [
        game.number for game in select_games(sample_games(DEFAULT_PAGES + 100, {3, 7}), "default")
    ]
    assert chosen == [3, 7, *range(102, DEFAULT_PAGES + 100)]


def test_of_many_faults_the_newest_get_a_page() -> None:
    many = sample_games(DEFAULT_PAGES + 50, set(range(DEFAULT_PAGES + 20)))
    chosen = [game.number for game in select_games(many, "default")]
    assert chosen == list(range(20, DEFAULT_PAGES + 20))


def test_a_game_without_a_record_gets_no_page() -> None:
    games = sample_games(3, set())
    games[2] = games[2]._replace(record=None)
    assert [game.number for game in select_games(games, 1)] == [1]


def test_pages_that_are_newer_than_their_records_are_kept(tmp_path: Path) -> None:
    folder = write_tournament(tmp_path / "t", blocks=1, records=[0, 1])
    first = make_site(folder, tmp_path / "site", games=2)
    assert (first.pages.made, first.pages.kept) == (2, 0)
    again = make_site(folder, tmp_path / "site", games=2)
    assert (again.pages.made, again.pages.kept) == (0, 2)
    record = folder / "records" / "b0001" / "2.jsonl.gz"
    later = (tmp_path / "site" / "games" / "b0001-2.html").stat().st_mtime + 1
    os.utime(record, (later, later))
    changed = make_site(folder, tmp_path / "site", games=2)
    assert (changed.pages.made, changed.pages.kept) == (1, 1)
    (tmp_path / "site" / MARKER).write_text('{"site": 1, "referee": "0.0.0"}')
    other = make_site(folder, tmp_path / "site", games=1)
    assert (other.pages.made, other.pages.kept) == (1, 0)


def test_pages_that_the_site_no_longer_has_are_removed(tmp_path: Path) -> None:
    folder = write_tournament(tmp_path / "t", blocks=1, most=1, records=[0])
    make_site(folder, tmp_path / "site", games=1)
    assert [page.name for page in (tmp_path / "site" / "games").iterdir()] == ["b0000-2.html"]
    make_site(folder, tmp_path / "site", games="none")
    assert list((tmp_path / "site" / "games").iterdir()) == []


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
        f"Written: {out / 'index.html'}",
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
    text = page("{{body}}", [tag("p", "{{script}}")], subtitle="{{data}}")
    assert text.count("{{") == 3


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


def test_the_site_loads_nothing_and_makes_no_markup_of_text(site: Path) -> None:
    for page_file in pages_in(site):
        text = page_file.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert re.findall(r"https?:|//[a-z0-9-]+\.[a-z]|@import|\burl\(", text) == []
        assert re.findall(r"\b(?:src|srcset|action|poster)=|\son[a-z]+=|\sstyle=", text) == []
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
        assert "secret-" not in path.read_text("utf-8")
