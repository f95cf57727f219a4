"""The pages of a game on the server: who may see and choose what."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Iterator, Mapping
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.web.live.app import Application
from referee.web.live.process import GameSettings, SeatSettings
from referee.web.play import game_link
from referee.web.play.game_link import GameLink
from referee.web.play.seat_messages import (
    Ask,
    AskHint,
    Began,
    Chosen,
    Closed,
    Left,
    Over,
    decoded_to_game,
    encoded,
)
from support import asgi
from support.asgi import Answer
from support.board_records import write_record
from support.random_games import played
from support.sinks import KeptEvents

CODES = {0: "aaaa-bbbb-cccc-dddd", 2: "eeee-ffff-gggg-hhhh"}
HOST = "127.0.0.1:8000"


def error_of(answer: Answer) -> str:
    """Return the sentence of a refusal."""
    return str(msgspec.json.decode(answer.body)["error"])


def secret_of(answer: Answer) -> str:
    """Return the secret that the cookie of an answer contains."""
    return SimpleCookie(answer.headers["set-cookie"])["seat"].value


class Server:
    """The application of a game with two seats in browsers, asked in this process."""

    def __init__(self, record: Path, *, hints: bool = False) -> None:
        self.ours, theirs = socket.socketpair()
        seats = tuple(SeatSettings(seat, f"ann {seat}", code) for seat, code in CODES.items())
        self.link = GameLink(GameSettings(str(record), theirs.detach(), seats, hints))
        self.link._pages.has_begun = record.exists()
        self.app = Application([self.link], ["table.example"])
        self.sent: list[Any] = []
        for seat in self.link._seats:
            seat.connect(self.sent.append, lambda: None)

    def request(
        self,
        path: str,
        body: object = None,
        *,
        secret: str = "",
        raw: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send a request as a page of this server would, and return the answer."""
        data = raw if raw is not None else b"" if body is None else msgspec.json.encode(body)
        is_post = body is not None or raw is not None
        given = {"host": HOST, "content-length": str(len(data))}
        if is_post:
            given |= {"origin": f"http://{HOST}", "content-type": "application/json"}
        if secret:
            given["cookie"] = f"seat={secret}"
        given |= headers or {}
        return asyncio.run(asgi.request(self.app, path, "POST" if is_post else "GET", given, data))

    def take(self, seat: int = 0, code: str | None = None) -> Answer:
        return self.request(f"/seat/{seat}/take", {"code": CODES[seat] if code is None else code})

    def ask(self, seat: int, decision_id: int, choices: int = 4) -> None:
        (found,) = (one for one in self.link._seats if one.number == seat)
        found.hear(Ask(seat, decision_id, choices, msgspec.Raw(b"{}")))


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    game = played("hanse-2-3:3:bigbox+missions+max_turns=6")
    return write_record(tmp_path_factory.mktemp("seats") / "game.jsonl", game)


@pytest.fixture
def server(record: Path) -> Iterator[Server]:
    found = Server(record)
    yield found
    found.ours.close()
    found.link._link.close()


def test_the_cookie_of_a_seat_is_for_its_own_pages_only(server: Server) -> None:
    cookie = server.take(2).headers["set-cookie"]
    assert "; Path=/seat/2;" in f"{cookie};"
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie


def test_a_code_works_once_and_a_used_one_gets_a_clear_answer(server: Server) -> None:
    assert server.take().status == 204
    again = server.take()
    assert (again.status, "set-cookie" in again.headers) == (409, False)
    assert "used already" in error_of(again)


@pytest.mark.parametrize("code", ["", "aaaa-bbbb-cccc-dddx", CODES[2], "x" * 3000])
def test_another_code_takes_nothing(server: Server, code: str) -> None:
    answer = server.take(0, code)
    assert (answer.status, "set-cookie" in answer.headers) == (403, False)


def test_without_its_secret_a_seat_shows_only_the_page_that_takes_it(server: Server) -> None:
    page = server.request("/seat/0")
    assert (page.status, b"enter.js" in page.body) == (200, True)
    other = secret_of(server.take(2))
    for secret in ("", "guess", other):
        assert b"play.js" not in server.request("/seat/0", secret=secret).body
        assert server.request("/seat/0/events", secret=secret).status == 403
        assert server.request("/seat/0/choose", {"id": 1, "choice": 0}, secret=secret).status == 403
        assert server.request("/seat/0/leave", {}, secret=secret).status == 403
        assert server.request("/seat/0/held", secret=secret).body == b'{"held":false}'
    assert server.sent == []


def test_with_its_secret_a_seat_shows_its_game(server: Server) -> None:
    secret = secret_of(server.take())
    page = server.request("/seat/0", secret=secret)
    assert (page.status, b"play.js" in page.body) == (200, True)
    assert server.request("/seat/0/held", secret=secret).body == b'{"held":true}'
    assert secret.encode() not in page.body


def test_a_choice_is_sent_to_the_game_once(server: Server) -> None:
    secret = secret_of(server.take())
    server.ask(0, 9)
    results = [
        server.request("/seat/0/choose", {"id": 9, "choice": choice}, secret=secret)
        for choice in (3, 3, 2)
    ]
    assert [result.status for result in results] == [200, 200, 409]
    assert server.sent == [Chosen(0, 9, 3)]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[9, 1]",
        b'{"id": 9}',
        b'{"id": "9", "choice": 1}',
        b'{"id": 9, "choice": 1.5}',
        b'{"id": 9, "choice": 1e400}',
        b'{"id": 9, "choice": -1}',
        b'{"id": 9, "choice": 4}',
        b'{"id": 8, "choice": 1}',
        b'{"id": 10, "choice": 1}',
        b"\xff" * 100,
        b'{"id": 9, "choice": ' + b"9" * 4000 + b"}",
        b"[" * 4000,
    ],
)
def test_malformed_and_out_of_order_choices_change_nothing(server: Server, body: bytes) -> None:
    secret = secret_of(server.take())
    server.ask(0, 9)
    answer = server.request("/seat/0/choose", raw=body, secret=secret)
    assert answer.status in (400, 409)
    assert error_of(answer).endswith(".")
    assert server.sent == []


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"host": "evil.example"}, 421),
        ({"host": "127.0.0.1.evil.example:8000"}, 421),
    ],
)
def test_choices_from_other_sites_or_for_other_hosts_are_refused(
    server: Server, headers: dict[str, str], status: int
) -> None:
    secret = secret_of(server.take())
    server.ask(0, 9)
    body = {"id": 9, "choice": 1}
    assert server.request("/seat/0/choose", body, secret=secret, headers=headers).status == status
    assert server.sent == []


def test_the_game_hears_that_a_person_leaves(server: Server) -> None:
    secret = secret_of(server.take())
    assert server.request("/seat/0/leave", {}, secret=secret).status == 200
    assert server.sent == [Left(0)]


def test_seats_that_do_not_exist_get_a_clear_answer(server: Server) -> None:
    assert server.request("/seat/1").status == 404
    assert server.request("/seat/1/take", {"code": CODES[0]}).status == 400
    assert server.request("/seat/1/choose", {"id": 1, "choice": 0}).status == 403


def test_before_the_game_begins_a_page_says_so_and_asks_again(tmp_path: Path) -> None:
    server = Server(tmp_path / "not-yet.jsonl")
    page = server.request("/")
    assert (page.headers["refresh"], b"begins soon" in page.body) == ("1", True)
    server.ours.close()
    server.link._link.close()


def test_before_the_game_begins_it_has_no_events(tmp_path: Path) -> None:
    server = Server(tmp_path / "not-yet.jsonl")
    answers = [server.request("/events"), server.request("/seat/0/events", secret=secret_of(server.take()))]  # fmt: skip
    assert [answer.status for answer in answers] == [503, 503]
    assert {error_of(answer) for answer in answers} == {"The game has not begun."}
    server.ours.close()
    server.link._link.close()


def test_the_files_that_a_page_names_are_there(server: Server) -> None:
    for page in (server.request("/"), server.request("/seat/0", secret=secret_of(server.take()))):
        names = re.findall(r'(?:src|href)="(?:\.\./)*(assets/[^"]+)"', page.text)
        assert any("board" in name for name in names)
        assert {server.request(f"/{name}").status for name in names} == {200}


def test_the_events_of_a_seat_are_steps_of_its_game_and_its_questions(server: Server) -> None:
    secret = secret_of(server.take())
    (seat, _) = server.link._seats
    seat.connect(server.sent.append, server.link._pages.sender(seat))

    async def watch() -> list[str]:
        async with asgi.events(server.app, "/seat/0/events?after=1", {"host": HOST, "cookie": f"seat={secret}"}) as stream:  # fmt: skip
            kinds = [(await stream.next()).kind for _ in range(2)]
            assert server.link._pages.open_pages == 1
            server.ask(0, 9)
            asked = await stream.next()
            assert asked.data["question"] == {}
            again = seat.take(CODES[0])
            assert again == ("used", "")
        assert server.link._pages.open_pages == 0
        return kinds

    assert sorted(asyncio.run(watch())) == ["seat", "steps"]


def test_the_game_waits_until_the_pages_of_its_seats_are_closed(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_link, "_LOOK_S", 0.01)
    monkeypatch.setattr(game_link, "CLOSING_S", 0.03)
    channel = server.link._pages._questions[0]

    async def talk() -> None:
        running = asyncio.create_task(server.link.run())
        page = await channel.join("", KeptEvents())
        server.ours.sendall(encoded(Began()) + encoded(Over()))
        await asyncio.sleep(0.1)
        assert server.link._pages.has_begun
        with pytest.raises(BlockingIOError):
            server.ours.recv(1000)
        channel.leave(page)
        while not (ready := _received(server.ours)):
            await asyncio.sleep(0.01)
        assert decoded_to_game(ready) == Closed()
        server.ours.shutdown(socket.SHUT_WR)
        await running

    server.ours.setblocking(False)
    asyncio.run(talk())


def _received(link: socket.socket) -> bytes:
    try:
        return link.recv(1000)
    except BlockingIOError:
        return b""


def test_messages_between_game_and_server_pass_the_connection(server: Server) -> None:
    async def talk() -> None:
        running = asyncio.create_task(server.link.run())
        ask = {"type": "ask", "seat": 2, "id": 5, "choices": 3, "question": {"id": 5}}
        server.ours.sendall(msgspec.json.encode(ask) + b"\n")
        (seat,) = (one for one in server.link._seats if one.number == 2)
        while seat.choose(5, 1) != "accepted":
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.01)
        running.cancel()
        await asyncio.wait([running])

    asyncio.run(talk())
    assert decoded_to_game(server.ours.recv(1000)) == Chosen(2, 5, 1)


def test_only_the_holder_of_a_seat_gets_a_hint_and_only_with_hints(record: Path) -> None:
    for hints, status in ((True, 200), (False, 404)):
        server = Server(record, hints=hints)
        try:
            secret = secret_of(server.take())
            server.ask(0, 5)
            found = server.request("/seat/0/hint", {"id": 5}, secret=secret)
            assert found.status == status
            assert server.sent == [AskHint(0, 5)] * hints
            assert (b"/seat/0/hint" in server.request("/seat/0", secret=secret).body) == hints
            if hints:
                assert server.request("/seat/0/hint", {"id": 4}, secret=secret).status == 409
                assert server.request("/seat/0/hint", {"no": 4}, secret=secret).status == 400
                assert server.request("/seat/0/hint", {"id": 5}).status == 403
        finally:
            server.ours.close()
            server.link._link.close()
