"""A tournament on the server: its sections change with the store, and spectators see no secrets."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.tournament.live_ratings import RatingOptions
from referee.tournament.store.store import FILE, RECORDS, Store, exists
from referee.web.live import tournament_state
from referee.web.live.app import Application
from referee.web.live.parts import parts_of
from referee.web.live.process import ServerSettings
from referee.web.live.running_games import RunningGames
from referee.web.live.tournament_feed import TournamentFeed
from referee.web.live.tournament_state import Reading, TournamentState
from referee.web.site.snapshot import read_snapshot
from support.asgi import events, request
from support.board_records import write_record
from support.command_runs import PLAIN
from support.forks import Fork
from support.golden_games import GAMES
from support.paths import REFEREE
from support.random_games import played
from support.sample_site import fault, write_tournament

SECRET = b"Traceback in /srv/secret/bot.py"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament that is finished: one block has records, and a bot that wrote a secret is at fault."""
    folder = tmp_path_factory.mktemp("finished") / "tournament"
    secret = SECRET.decode()
    at_fault = fault(message=secret, data=SECRET, stderr=SECRET)
    out = {"dora": "too many faults"}
    return write_tournament(folder, blocks=1, faults={0: [at_fault]}, records=[0], out=out)


def app_of(folder: Path) -> Application:
    return Application(parts_of(ServerSettings(tournament=str(folder))))


def page(folder: Path, address: str) -> Any:
    return asyncio.run(request(app_of(folder), address))


def sections_of(text: str) -> dict[str, Any]:
    (found,) = re.findall(r'<script type="application/json" id="site-data">(.*?)</script>', text)
    sections: dict[str, Any] = json.loads(found)["sections"]
    return sections


def add_running(folder: Path, name: str = "0.jsonl") -> Path:
    path = folder / RECORDS / "b-running" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return write_record(path, played(*GAMES[3]), upto=20)


def test_the_live_page_has_standings_progress_results_and_faults(finished: Path) -> None:
    sections = sections_of(page(finished, "/").text)
    bots = {bot["bot"]: bot for bot in sections["standings"]["bots"]}
    assert set(bots) == {"anna", "bert", "carl", "dora"}
    assert all(bot["low"] < bot["rating"] < bot["high"] for bot in bots.values())
    assert bots["dora"]["out"] == "too many faults"
    assert sections["progress"]["games"] == 12
    assert sections["results"]["games"][0]["seats"][0][1] == 1
    assert [one["fault"] for one in sections["faults"]] == ["timeout"]


def test_live_pages_need_no_figures_of_the_site(
    finished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament_state, "figures_of", None)  # they take long
    results = sections_of(page(finished, "/").text)["results"]
    key = next(game["key"] for game in results["games"] if game["key"] is not None)
    assert page(finished, f"/game/{key}").status == 200


@pytest.mark.parametrize(
    "address", ["/index.html", "/games.html", "/faults.html", "/bots/anna.html"]
)
def test_the_pages_of_the_site_are_served_without_secrets(finished: Path, address: str) -> None:
    answer = page(finished, address)
    assert answer.status == 200
    assert "/srv/secret" not in answer.text
    assert "<dt>seed</dt>" not in answer.text
    assert "data/" not in re.sub(r"data:image", "", answer.text).replace(
        "needs JavaScript; data/", ""
    )
    assert ".jsonl" not in answer.text


def test_files_of_the_tournament_cannot_be_fetched(finished: Path) -> None:
    block = next((finished / RECORDS).iterdir()).name
    for address in ("/tournament.sqlite", f"/records/{block}/0.jsonl.gz", "/data/games.csv",
                    "/../tournament.sqlite", "/game/..-0", "/game/x%2f..-0"):  # fmt: skip
        assert page(finished, address).status == 404


def test_a_finished_game_can_be_replayed_without_its_seed(finished: Path) -> None:
    block = next((finished / RECORDS).iterdir()).name
    answer = page(finished, f"/game/{block}-0")
    assert answer.status == 200
    assert '"seed":null' in answer.text
    moved = page(finished, f"/games/{block}-0.html")
    assert moved.status == 307


def test_the_files_that_a_page_names_are_there(finished: Path) -> None:
    app = app_of(finished)
    block = next((finished / RECORDS).iterdir()).name
    text = asyncio.run(request(app, "/")).text + asyncio.run(request(app, f"/game/{block}-0")).text
    names = set(re.findall(r'(?:src|href)="(?:\.\./)*(assets/[^"]+)"', text))
    assert any("board" in name for name in names)
    assert {asyncio.run(request(app, f"/{name}")).status for name in names} == {200}


@pytest.mark.parametrize("key", ["nothing", "b-running-x", "b-running-²", "b-running-100000"])
def test_a_key_without_a_number_is_not_a_game(finished: Path, key: str) -> None:
    assert page(finished, f"/game/{key}").status == 404


def test_an_anchor_that_has_not_played_is_left_out_of_the_ratings(finished: Path) -> None:
    plain = TournamentState(finished, RatingOptions()).reading.ratings
    assert TournamentState(finished, RatingOptions(anchor="nobody")).reading.ratings == plain


def test_an_anchor_whose_games_are_all_void_is_left_out_of_the_pages(finished: Path) -> None:
    snapshot = read_snapshot(finished)
    results = [
        result._replace(games=()) if "anna" in result.block.bots else result
        for result in snapshot.results
    ]
    reading = Reading(replace(snapshot, results=results), RatingOptions(anchor="anna"))
    assert reading.ratings.anchor is None
    assert reading.page("index.html") is not None


def test_a_store_that_cannot_be_read_now_is_read_again_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament_state, "SHORTEST_PAUSE", 0.0)
    monkeypatch.setattr(tournament_state, "PAUSE_FACTOR", 0)
    folder = write_tournament(tmp_path / "t", blocks=1, most=1)
    state = TournamentState(folder, RatingOptions())
    first, store = state.reading, folder / FILE
    whole = store.read_bytes()
    store.write_bytes(b"something else")
    assert state.refresh() is first
    store.write_bytes(whole)
    os.utime(store)
    assert state.refresh() is not first
    assert len(state.reading.snapshot.games) == len(first.snapshot.games)


def test_a_running_game_is_listed_and_can_be_watched(tmp_path: Path) -> None:
    folder = write_tournament(tmp_path / "t", blocks=1, most=1)
    add_running(folder)
    app = app_of(folder)
    (running,) = sections_of(asyncio.run(request(app, "/")).text)["running"]
    assert running["names"] == ["Adele", "Bruno", "Clara"][: len(running["names"])]
    assert asyncio.run(request(app, f"/game/{running['key']}")).status == 200


def test_finished_blocks_and_forgotten_records_are_not_running(tmp_path: Path) -> None:
    folder = write_tournament(tmp_path / "t", blocks=1, most=1)
    path = add_running(folder)
    games = RunningGames(folder)
    assert len(games.find([])) == 1
    assert games.find(["b-running"]) == []
    os.utime(path, (1, 1))
    assert games.find([]) == []


def test_a_game_is_running_once_its_record_has_a_first_line(tmp_path: Path) -> None:
    folder = write_tournament(tmp_path / "t", blocks=1, most=1)
    path = folder / RECORDS / "b-running" / "0.jsonl"
    path.parent.mkdir(parents=True)
    for written in (b"", b"\xff\n"):
        path.write_bytes(written)
        assert RunningGames(folder).find([]) == []
    path.unlink()
    path.symlink_to("packed-meanwhile")
    assert RunningGames(folder).find([]) == []
    path.unlink()
    add_running(folder)
    assert len(RunningGames(folder).find([])) == 1


def test_only_changed_sections_are_sent(tmp_path: Path) -> None:
    folder = write_tournament(tmp_path / "t", blocks=1, most=2)
    feed = TournamentFeed(TournamentState(folder, RatingOptions()))
    known = feed.event_id
    assert feed.since(known) == b""
    add_running(folder)
    assert feed.poll()
    data = json.loads(feed.since(known).decode().split("data: ")[1])
    assert list(data) == ["running"]
    everything = json.loads(feed.since("another-1").decode().split("data: ")[1])
    assert set(everything) == {"progress", "standings", "results", "faults", "running"}


def _has_bots(folder: Path) -> bool:
    if not exists(folder):
        return False
    with Store.read(folder) as store:
        return bool(store.bots())


def test_a_killed_and_resumed_tournament_goes_on_for_its_clients(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One client stays connected all the time, and ends with the standings of the store."""
    monkeypatch.setattr(tournament_state, "SHORTEST_PAUSE", 0.1)
    monkeypatch.setattr(tournament_state, "PAUSE_FACTOR", 0)
    folder = tmp_path / "t"
    command = [*REFEREE, "tournament", "--workers", "1", "--quiet"]
    bots = [PLAIN, PLAIN, "--max-turns", "8", "--sandbox", "off", "--blocks", "6"]

    async def watch() -> dict[str, Any]:
        first = Fork([*command, *bots, "--out", str(folder)], stderr=subprocess.DEVNULL)
        sections: dict[str, Any] = {}
        try:
            while not _has_bots(folder):
                assert first.poll() is None
                await asyncio.sleep(0.02)
            app = app_of(folder)
            async with events(app, "/events") as stream:
                while not sections or not sections["progress"]["games"]:
                    sections |= (await stream.next()).data
                first.kill()
                first.wait()
                resumed = Fork([*command, "--resume", str(folder)], stdout=subprocess.DEVNULL)
                while sections["progress"]["goes_on"]:
                    sections |= (await stream.next()).data
                assert resumed.wait() == 0
        finally:
            first.kill()
            first.wait()
        return sections

    sections = asyncio.run(watch())
    final = TournamentFeed(TournamentState(folder, RatingOptions())).data()
    assert (sections["progress"]["games"], sections["running"]) == (12, [])
    assert sections["standings"] == final["standings"]
