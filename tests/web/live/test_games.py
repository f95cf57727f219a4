"""Games on the server: pages that grow, events that resume, and nothing that spectators may not see."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import re
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from referee.replay.position import SPECTATOR, Viewpoint
from referee.replay.timeline import open_timeline
from referee.web.game.position_cells import cells
from referee.web.live import broadcast, event_stream, games, hub, records
from referee.web.live.app import Application
from referee.web.live.game_feed import GameFeed
from referee.web.live.games import game_page
from referee.web.live.parts import parts_of
from referee.web.live.process import ServerSettings
from support.analysed_games import write_analysis
from support.asgi import Answer, events, request
from support.board_records import write_abandoned, write_record
from support.golden_games import GAMES
from support.random_games import played
from support.sinks import KeptEvents

MISSIONS = ("hanse-2-3:3:original+missions", 1)
SECRET = "my secret plan"
REMARKS = {4: SECRET}


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """The lines of a whole record with missions and remarks."""
    path = tmp_path_factory.mktemp("record") / "whole.jsonl"
    write_record(path, played(*MISSIONS), says=REMARKS)
    return path.read_bytes().splitlines(keepends=True)


@pytest.fixture
def record(tmp_path: Path, lines: list[bytes]) -> Path:
    """The first 30 lines of the record."""
    path = tmp_path / "game.jsonl"
    path.write_bytes(b"".join(lines[:30]))
    return path


def app_of(*places: Path, delay: int = 0) -> Application:
    return Application(parts_of(ServerSettings(records=tuple(map(str, places)), delay=delay)))


def address_of(app: Application) -> str:
    return asyncio.run(request(app, "/")).headers["location"].removeprefix("..")


def grow(record: Path, lines: list[bytes]) -> None:
    with record.open("ab", buffering=0) as file:
        file.write(b"".join(lines))


def data_of(text: str) -> dict[str, Any]:
    (found,) = re.findall(r'<script type="application/json" id="game">(.*?)</script>', text)
    data: dict[str, Any] = json.loads(found)
    return data


def joined(parts: list[Any], field: str) -> list[Any]:
    return list(chain.from_iterable(part[field] for part in parts))


def texts_of(sentences: list[list[Any]]) -> str:
    return " ".join(str(part) for sentence in sentences for part in sentence)


# --- pages and events ----------------------------------------------------------------------------


def test_a_growing_record_is_shown_live_and_a_finished_one_is_not(
    record: Path, lines: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcast, "PAGE_SECONDS", 0.0)
    app = app_of(record)
    address = f"/{address_of(app)}"
    page = asyncio.run(request(app, address))
    assert page.status == 200
    assert data_of(page.text)["live"]["after"] == str(len(data_of(page.text)["deltas"]))
    grow(record, lines[30:])
    whole = data_of(asyncio.run(request(app, address)).text)
    assert (whole["live"], whole["complete"]) == (None, True)


def test_the_page_of_a_finished_game_shows_its_analysis(record: Path, lines: list[bytes]) -> None:
    def page() -> dict[str, Any]:
        app = app_of(record)
        return data_of(asyncio.run(request(app, f"/{address_of(app)}")).text)

    write_analysis(record)
    assert "analysis" not in page()
    grow(record, lines[30:])
    write_analysis(record, [3])
    found = page()["analysis"]
    assert [mistake["turn"] for mistake in found["mistakes"]] == [3]


def test_a_page_is_made_once_for_all_who_come_within_a_second(
    record: Path, lines: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def counted(feed: GameFeed, *arguments: Any) -> str:
        made.append(feed.event_id)
        return game_page(feed, *arguments)

    monkeypatch.setattr(games, "game_page", counted)
    monkeypatch.setattr(broadcast, "PAGE_SECONDS", 3600.0)
    app = app_of(record)
    address = f"/{address_of(app)}"

    async def pages(count: int) -> list[dict[str, Any]]:
        answers = await asyncio.gather(*(request(app, address) for _ in range(count)))
        return [data_of(answer.text) for answer in answers]

    first, second = asyncio.run(pages(2))
    grow(record, lines[30:40])
    (third,) = asyncio.run(pages(1))
    assert first == second == third
    assert first["live"]["after"] == made[0]  # so its events bring what was added
    assert len(made) == 1


def test_a_page_is_made_again_after_a_second(
    record: Path, lines: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcast, "PAGE_SECONDS", 0.0)
    app = app_of(record)
    address = f"/{address_of(app)}"
    before = data_of(asyncio.run(request(app, address)).text)
    grow(record, lines[30:40])
    after = data_of(asyncio.run(request(app, address)).text)
    assert len(after["deltas"]) > len(before["deltas"])


def test_the_events_and_the_page_together_are_the_whole_game(
    record: Path, lines: list[bytes]
) -> None:
    async def watch() -> list[Any]:
        app = app_of(record)
        address = "/" + (await request(app, "/")).headers["location"]
        first = data_of((await request(app, address)).text)
        parts = [first]
        async with events(app, f"{address}/events?after={first['live']['after']}") as stream:
            grow(record, lines[30:60])
            parts.append((await stream.next()).data)
            grow(record, lines[60:])
            while not parts[-1].get("ended"):
                parts.append((await stream.next()).data)
            await stream.until_over()
        return parts

    parts = asyncio.run(watch())
    whole = GameFeed(record, SPECTATOR).steps
    assert joined(parts, "deltas") == whole.deltas
    sentences = joined(parts, "sentences")
    assert [tuple(sentence) for sentence in sentences] == whole.sentences
    numbers = joined(parts, "step_sentences")
    for part in parts:
        for step, revised in part.get("revised", {}).items():
            numbers[int(step)] = revised
    assert numbers == whole.step_sentences


def test_a_client_that_comes_back_gets_exactly_what_it_missed(
    record: Path, lines: list[bytes]
) -> None:
    async def watch(known: str) -> Any:
        app = app_of(record)  # a server that was started again
        address = "/" + (await request(app, "/")).headers["location"]
        async with events(app, f"{address}/events", {"Last-Event-ID": known}) as stream:
            return await stream.next()

    event = asyncio.run(watch("5"))
    steps = len(GameFeed(record, SPECTATOR).steps.deltas)
    assert (event.kind, event.id, event.data["from"]) == ("steps", str(steps), 5)
    assert len(event.data["deltas"]) == steps - 5
    for unknown in ("", "x", "999999", "-1", "0", "3.7"):
        assert asyncio.run(watch(unknown)).kind == "reset"


def test_updates_are_coalesced_to_four_a_second(
    record: Path, lines: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    sleep = asyncio.sleep

    async def counted(seconds: float) -> None:
        if seconds:
            waits.append(seconds)
        await sleep(0.001)

    async def watch() -> int:
        app = app_of(record)
        address = "/" + (await request(app, "/")).headers["location"]
        async with events(app, f"{address}/events?after=1") as stream:
            await stream.next()
            monkeypatch.setattr(asyncio, "sleep", counted)
            grow(record, lines[30:80])  # many lines, one event
            event = await stream.next()
            monkeypatch.undo()
        return len(event.data["deltas"])

    assert asyncio.run(watch()) > 10
    assert waits
    assert min(waits) >= broadcast.SHORTEST_INTERVAL == 0.25


def test_each_update_is_encoded_once_for_all_clients(
    record: Path, lines: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    encoded: list[str] = []
    since = GameFeed.since

    def counted(feed: GameFeed, event_id: str) -> bytes:
        encoded.append(event_id)
        return since(feed, event_id)

    monkeypatch.setattr(GameFeed, "since", counted)

    async def watch() -> None:
        app = app_of(record)
        address = "/" + (await request(app, "/")).headers["location"]
        listening = [events(app, f"{address}/events?after=1") for _ in range(8)]
        streams = [await one.__aenter__() for one in listening]
        for stream in streams:
            await stream.next()
        grow(record, lines[30:40])
        for stream in streams:
            await stream.next()
        for one in listening:
            await one.__aexit__(None, None, None)

    asyncio.run(watch())
    assert len(encoded) == len(set(encoded)) == 2


def test_a_channel_without_clients_keeps_no_events(record: Path, lines: list[bytes]) -> None:
    async def watch() -> dict[str, broadcast.Update]:
        app = app_of(record)
        address = "/" + (await request(app, "/")).headers["location"]
        channel, _ = await games.game_channel(app.hub, record)
        async with events(app, f"{address}/events?after=1") as stream:
            await stream.next()
            grow(record, lines[30:])
            await stream.until_over()
        async with asyncio.timeout(10):
            while channel._is_followed:
                await asyncio.sleep(0.01)
        return channel._encoded

    assert asyncio.run(watch()) == {}


def test_a_client_that_does_not_read_is_dropped(
    record: Path, lines: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_stream, "MOST_WAITING", 2)
    monkeypatch.setattr(broadcast, "SHORTEST_INTERVAL", 0.01)
    monkeypatch.setattr(broadcast, "LONGEST_INTERVAL", 0.01)

    async def watch() -> int:
        app = app_of(record)
        address = "/" + (await request(app, "/")).headers["location"]
        async with events(app, f"{address}/events?after=1") as stream:
            await stream.next()
            stream.may_read.clear()
            for line in lines[30:90]:
                grow(record, [line])
                await asyncio.sleep(0.02)
                if stream.is_over.is_set():
                    break
            assert stream.is_over.is_set()
        return app.hub.clients

    assert asyncio.run(watch()) == 0


def test_a_client_with_nothing_to_hear_gets_a_comment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_stream, "HEARTBEAT", 0.01)

    async def listen() -> list[bytes]:
        sink = KeptEvents()
        client = broadcast.Client("1", sink)
        waiting = asyncio.create_task(event_stream._until_over(client, sink))
        while not sink.written:
            await asyncio.sleep(0.01)
        client.push(broadcast.update_of(b"data: 1\n\n"), "2")
        client.end()
        await waiting
        return sink.written

    heard = asyncio.run(listen())
    assert heard[0] == b": still here\n\n"
    assert b"data: 1\n\n" in heard


def test_a_client_is_cut_once_and_not_after_its_end() -> None:
    dropped, ended = KeptEvents(), KeptEvents()
    client = broadcast.Client("1", dropped)
    client.drop()
    client.drop()
    other = broadcast.Client("1", ended)
    other.end()
    other.drop()
    assert (dropped.aborts, ended.aborts) == (1, 0)


def test_too_many_spectators_are_asked_to_come_later(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "MOST_CLIENTS", 1)

    async def watch() -> Answer:
        app = app_of(record)
        address = "/" + (await request(app, "/")).headers["location"]
        async with events(app, f"{address}/events?after=1") as stream:
            await stream.next()
            return await request(app, f"{address}/events?after=1")

    answer = asyncio.run(watch())
    assert (answer.status, answer.headers["retry-after"]) == (503, "10")


def test_only_some_games_that_nobody_watches_are_kept(
    tmp_path: Path, lines: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "MOST_IDLE", 2)
    monkeypatch.setattr(games, "MOST_REMEMBERED", 2)
    for number in range(4):
        (tmp_path / f"{number}.jsonl").write_bytes(b"".join(lines[:30]))
    app = app_of(tmp_path)
    keys = re.findall(r'href="game/([^"]+)"', asyncio.run(request(app, "/")).text)

    async def visit() -> set[int]:
        return {(await request(app, f"/game/{key}")).status for key in (*keys, keys[0])}

    assert asyncio.run(visit()) == {200}
    assert len(app.hub._channels) == 2


def test_a_moment_of_much_work_hardly_delays_the_updates(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, cpu = iter([0.0, 1.0, 2.0]), iter([0.0, 0.9, 0.9])
    times = SimpleNamespace(monotonic=lambda: next(clock), process_time=lambda: next(cpu))
    monkeypatch.setattr(broadcast, "time", times)
    pace = broadcast.Pace()
    pace.measure()
    assert pace.interval == broadcast.SHORTEST_INTERVAL * broadcast.LARGEST_STEP
    pace.measure()
    assert pace.interval == broadcast.SHORTEST_INTERVAL


def test_all_channels_send_at_the_same_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broadcast, "SHORTEST_INTERVAL", 0.01)

    async def moments() -> list[list[int]]:
        pace = broadcast.Pace()
        found: list[list[int]] = [[], []]
        moment = 0

        async def follow(mine: list[int]) -> None:
            nonlocal moment
            for _ in range(3):
                waited_for = moment
                await pace.next_moment()
                moment = waited_for + 1
                mine.append(moment)

        await asyncio.gather(*map(follow, found))
        return found

    assert asyncio.run(moments()) == [[1, 2, 3], [1, 2, 3]]


def test_a_server_without_clients_reads_nothing(
    record: Path, lines: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    polls: list[int] = []
    poll = GameFeed.poll

    def counted(feed: GameFeed, *, is_last: bool = False) -> bool:
        polls.append(1)
        return poll(feed, is_last=is_last)

    monkeypatch.setattr(GameFeed, "poll", counted)

    async def watch() -> int:
        app = app_of(record)
        address = "/" + (await request(app, "/")).headers["location"]
        async with events(app, f"{address}/events?after=1") as stream:
            await stream.next()
        await asyncio.sleep(0.3)
        before = len(polls)
        await asyncio.sleep(0.6)
        return len(polls) - before

    assert asyncio.run(watch()) == 0


# --- what may be seen ----------------------------------------------------------------------------


def shown_before_the_end(record: Path) -> str:
    feed = GameFeed(record, SPECTATOR)
    assert not feed.is_finished
    return feed.since("1").decode() + json.dumps([feed.steps.first, feed.steps.since()])


def test_spectators_see_no_mission_before_the_end(record: Path, lines: list[bytes]) -> None:
    feed = GameFeed(record, SPECTATOR)
    begin, count = feed.steps.places["missions"]
    state = feed.steps.timeline.newest_state
    strikes = feed.steps.timeline.newest_strikes
    assert cells(state, strikes, SPECTATOR)[begin : begin + count] == [[]] * count
    assert all(cells(state, strikes, Viewpoint())[begin : begin + count])
    grow(record, lines[30:])
    feed.poll()
    final = feed.steps.timeline.newest_state
    assert all(cells(final, strikes, SPECTATOR)[begin : begin + count])


def test_remarks_can_be_read_after_the_end_only(record: Path, lines: list[bytes]) -> None:
    assert SECRET not in shown_before_the_end(record)
    feed = GameFeed(record, SPECTATOR)
    known = feed.event_id
    grow(record, lines[30:])
    feed.poll()
    last = json.loads(feed.since(known).decode().split("data: ")[1])
    assert SECRET in texts_of(last["sentences"])
    revised = {int(step) for step in last["revised"]}
    assert revised >= set(REMARKS)


def test_spectators_see_no_seed_and_no_time_of_an_answer(record: Path, lines: list[bytes]) -> None:
    app = app_of(record)
    data = data_of(asyncio.run(request(app, f"/{address_of(app)}")).text)
    assert (data["seed"], data["public"], data["viewer_seat"]) == (None, True, None)
    assert set(data["decisions"]["ms"]) == {0}
    assert json.loads(lines[0])["seed"] == 1


def test_spectators_see_disqualifications_but_not_what_a_bot_wrote(tmp_path: Path) -> None:
    record = write_abandoned(tmp_path / "game.jsonl", played(*GAMES[3]), SECRET)
    steps = GameFeed(record, SPECTATOR).steps
    shown = texts_of([list(sentence) for sentence in steps.sentences])
    assert "is disqualified" in shown
    assert SECRET not in shown


def test_a_delay_holds_decisions_back_until_the_end(record: Path, lines: list[bytes]) -> None:
    now, late = GameFeed(record, SPECTATOR), GameFeed(record, SPECTATOR, delay=7)
    assert len(late.steps.deltas) == len(now.steps.deltas) - 7
    assert late.steps.deltas == now.steps.deltas[:-7]
    grow(record, lines[30:33])
    assert late.poll()
    grow(record, lines[33:])
    late.poll()
    assert late.is_finished
    assert late.steps.deltas == GameFeed(record, SPECTATOR).steps.deltas


# --- records that are packed or replaced ---------------------------------------------------------


def packed(record: Path, lines: list[bytes]) -> None:
    record.with_name(f"{record.name}.gz").write_bytes(gzip.compress(b"".join(lines)))
    record.unlink()


def test_a_game_goes_on_when_its_record_is_packed(record: Path, lines: list[bytes]) -> None:
    feed = GameFeed(record, SPECTATOR)
    known, steps = feed.event_id, feed.steps
    packed(record, lines)
    assert feed.poll()
    assert feed.is_finished
    assert feed.steps is steps  # what was read is not read again
    assert steps.deltas == GameFeed(record, SPECTATOR).steps.deltas
    event = feed.since(known)
    assert event.startswith(b"event: steps\nid: end\n")
    assert b'"complete":true' in event


def test_a_record_that_is_gone_may_come_back_packed(record: Path, lines: list[bytes]) -> None:
    feed = GameFeed(record, SPECTATOR)
    steps = len(feed.steps.deltas)
    record.unlink()
    assert not feed.poll()
    assert (len(feed.steps.deltas), feed.is_finished) == (steps, False)
    assert feed.since(feed.event_id) == b""
    record.write_bytes(b"")
    packed(record, lines)
    assert feed.poll()
    assert feed.is_finished


def test_another_packed_game_in_the_place_of_a_record_resets_its_page(
    record: Path, lines: list[bytes]
) -> None:
    feed = GameFeed(record, SPECTATOR)
    known = feed.event_id
    other = lines[0].replace(b'"game":"', b'"game":"another-')
    assert other != lines[0]
    packed(record, [other, *lines[1:]])
    assert feed.poll()
    assert feed.is_finished
    assert feed.since(known).startswith(b"event: reset\n")


def test_a_game_that_is_played_again_resets_its_page(record: Path, lines: list[bytes]) -> None:
    feed = GameFeed(record, SPECTATOR)
    known = feed.event_id
    fresh = record.with_name("fresh")
    fresh.write_bytes(b"".join(lines[:10]))
    fresh.replace(record)
    assert feed.poll()
    assert feed.since(known).startswith(b"event: reset\n")
    grow(record, lines[10:20])
    before = feed.event_id
    assert feed.poll()
    assert feed.since(before).startswith(b"event: steps\n")


def test_a_record_that_becomes_wrong_shows_the_steps_before(record: Path) -> None:
    feed = GameFeed(record, SPECTATOR)
    steps = len(feed.steps.deltas)
    grow(record, [b'{"line":"decision","id":99}\n'])
    feed.poll()
    assert len(feed.steps.deltas) == steps
    assert feed.is_finished
    assert open_timeline(record).wrong is not None


# --- lists of records ----------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, lines: list[bytes]) -> Path:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "one.jsonl").write_bytes(b"".join(lines))
    (tmp_path / "<b>.jsonl").write_bytes(b"".join(lines))
    return tmp_path


def test_a_folder_is_shown_as_a_list_without_paths(folder: Path) -> None:
    text = asyncio.run(request(app_of(folder), "/")).text
    assert re.findall(r'href="game/([^"]+)">([^<]+)<', text)
    assert "&lt;b&gt;" in text
    assert str(folder) not in text


def test_a_long_list_has_the_newest_records(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MOST_LISTED", 1)
    os.utime(folder / "a" / "one.jsonl", (1, 1))
    text = asyncio.run(request(app_of(folder), "/")).text
    assert "2 records, the newest first. Only the newest 1 are listed." in text
    assert "&lt;b&gt;" in text
    assert "a/one" not in text


def test_a_record_that_cannot_be_read_is_listed_but_not_shown(folder: Path) -> None:
    (folder / "broken.jsonl").write_bytes(b"\xff\n")
    (folder / "empty.jsonl").write_bytes(b"")
    (folder / "turn.jsonl").write_bytes(b'{"line":"turn","turn":1,"digest":"0"}\n')
    app = app_of(folder)
    rows = re.findall(
        r'href="game/([^"]+)">([^<]+)</a>.*?<td[^>]*>([^<]*)<',
        asyncio.run(request(app, "/")).text,
        re.DOTALL,
    )
    unread = {name: key for key, name, players in rows if players == "–"}
    assert set(unread) == {"broken", "empty", "turn"}
    for key in unread.values():
        answer = asyncio.run(request(app, f"/game/{key}"))
        assert (answer.status, answer.text) == (
            404,
            "This cannot be shown: its file cannot be read.\n",
        )
    assert records._changed(folder / "deleted.jsonl") == 0.0


def test_the_files_that_a_page_names_are_there(folder: Path) -> None:
    app = app_of(folder)
    key = re.findall(r'href="game/([^"]+)"', asyncio.run(request(app, "/")).text)[0]
    page = asyncio.run(request(app, f"/game/{key}")).text
    names = re.findall(r'(?:src|href)="(?:\.\./)*(assets/[^"]+)"', page)
    assert any("board" in name for name in names)
    assert {asyncio.run(request(app, f"/{name}")).status for name in names} == {200}


def test_the_analysis_of_a_record_is_not_in_the_list(folder: Path) -> None:
    (folder / "a" / "one.analysis.jsonl").write_bytes(b"{}\n")
    text = asyncio.run(request(app_of(folder), "/")).text
    assert "analysis" not in text


def test_only_listed_records_can_be_reached(folder: Path) -> None:
    app = app_of(folder / "a")
    for key in ("..", "one", "..%2f%3cb%3e", "%00", "etc-passwd"):
        assert asyncio.run(request(app, f"/game/{key}")).status == 404
