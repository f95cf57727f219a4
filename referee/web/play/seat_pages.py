"""The pages of one running game: one for each seat that is played in a browser, and one for spectators.

Everything below `/seat/N` but the page that takes the seat needs the secret of that seat, which the
browser has as a cookie for these addresses only.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from referee.errors import RecordRefused
from referee.replay.position import SPECTATOR, Viewpoint
from referee.web import shared
from referee.web.game.page import SiteFrame, board_files, live_page_of
from referee.web.live.app import html
from referee.web.live.broadcast import Channel
from referee.web.live.event_stream import stream
from referee.web.live.game_feed import GameFeed
from referee.web.live.games import game_channel, game_page
from referee.web.live.hub import Hub
from referee.web.live.security import small_body
from referee.web.play.seat_channel import SeatChannel
from referee.web.play.seats import Choosing, Seat
from referee.web.template import LIVE_POLICY, escaped, filled

COOKIE: Final = "seat"
COOKIE_SECONDS: Final = 7 * 24 * 3600  # a browser that is started again still holds the seat
_WAIT_S: Final = 1  # until the page asks again whether the game has begun

_REFUSALS: Final[Mapping[Choosing, tuple[HTTPStatus, str]]] = {
    "closed": (HTTPStatus.CONFLICT, "This decision is over; the page shows the next one."),
    "answered": (HTTPStatus.CONFLICT, "You have already chosen something else."),
    "illegal": (HTTPStatus.BAD_REQUEST, "This is not one of the choices."),
}

Handler = Callable[[Request], Awaitable[Response]]
SeatHandler = Callable[[Request, Seat], Awaitable[Response]]
Body = TypeVar("Body", "Code", "Choice", "Decision")


class Code(msgspec.Struct):
    """The body of a request that takes a seat."""

    code: str


class Choice(msgspec.Struct):
    """The body of a request that answers a question."""

    id: int
    choice: int


class Decision(msgspec.Struct):
    """The body of a request for a hint."""

    id: int


class SeatPages:
    """The pages and events of a game that `referee play` plays, as a part of the server."""

    def __init__(self, record: Path, seats: Sequence[Seat], *, hints: bool = False) -> None:
        self.has_begun = False  # until then, the record may be that of an earlier game
        self._record = record
        self._hints = hints
        self._seats = {seat.number: seat for seat in seats}
        self._questions = {seat.number: SeatChannel(seat) for seat in seats}
        self._games: dict[int, Channel] = {}  # by seat
        self._updates: set[asyncio.Task[None]] = set()
        self._boards: dict[str, str] = {}

    @property
    def open_pages(self) -> int:
        """The number of pages of seats that are open."""
        return sum(channel.clients for channel in self._questions.values())

    def sender(self, seat: Seat) -> Callable[[], None]:
        """The function that sends the state of a seat to its pages, and the steps before its question."""

        def send() -> None:
            self._questions[seat.number].send()
            if channel := self._games.get(seat.number):
                update = asyncio.get_running_loop().create_task(channel.update())
                self._updates.add(update)  # a task that nobody refers to may be lost
                update.add_done_callback(self._updates.discard)

        return send

    def files(self) -> dict[str, str]:
        """The files of the board, once a page of the game was made."""
        return self._boards

    def routes(self, hub: Hub) -> list[BaseRoute]:
        """All addresses of the game."""
        self._hub = hub
        held = self._held
        hint = Route("/seat/{seat:int}/hint", held(self._hint), methods=["POST"])
        return [
            Route("/", self._spectators),
            Route("/events", self._public_events),
            Route("/seat/{seat:int}", self._seat_page),
            Route("/seat/{seat:int}/held", self._is_held),
            Route("/seat/{seat:int}/take", self._take, methods=["POST"]),
            Route("/seat/{seat:int}/events", held(self._events)),
            Route("/seat/{seat:int}/choose", held(self._choose), methods=["POST"]),
            Route("/seat/{seat:int}/leave", held(self._leave), methods=["POST"]),
            *([hint] if self._hints else []),
        ]

    # -- who asks

    def _seat(self, request: Request) -> Seat | None:
        return self._seats.get(request.path_params["seat"])

    def _held(self, handler: SeatHandler) -> Handler:
        """A handler that answers only the browser that holds the seat."""

        async def answer(request: Request) -> Response:
            seat = self._seat(request)
            if seat is None or not _holds(request, seat):
                return _error(HTTPStatus.FORBIDDEN, "This browser does not hold the seat.")
            return await handler(request, seat)

        return answer

    async def _is_held(self, request: Request) -> Response:
        seat = self._seat(request)
        return JSONResponse({"held": seat is not None and _holds(request, seat)})

    async def _take(self, request: Request) -> Response:
        seat = self._seat(request)
        body = await _decoded(request, Code)
        if seat is None or body is None:
            return _error(HTTPStatus.BAD_REQUEST, "The code is missing.")
        result, secret = seat.take(body.code)
        if result == "wrong":
            return _error(
                HTTPStatus.FORBIDDEN, "This is not the code of the seat; the terminal shows it."
            )
        if result == "used":
            return _error(
                HTTPStatus.CONFLICT,
                "This code was used already, and it works only once. The terminal of the game gives new"
                " ones: press Enter there.",
            )
        self._questions[seat.number].close()
        answer = Response(status_code=HTTPStatus.NO_CONTENT)
        answer.set_cookie(
            COOKIE,
            secret,
            max_age=COOKIE_SECONDS,
            path=f"/seat/{seat.number}",
            httponly=True,
            samesite="strict",
        )
        return answer

    # -- pages

    async def _seat_page(self, request: Request) -> Response:
        seat = self._seat(request)
        if seat is None:
            return _page("There is no such seat", "The terminal shows the addresses of the seats.", HTTPStatus.NOT_FOUND)  # fmt: skip
        if not _holds(request, seat):
            message = f"{seat.name}, enter the code that the terminal shows for your seat:"
            return _page(f"Seat {seat.number}: {seat.name}", message, entry=True)
        address = f"/seat/{seat.number}"
        links = {
            "number": seat.number,
            "choose": f"{address}/choose",
            "leave": f"{address}/leave",
            **({"hint": f"{address}/hint"} if self._hints else {}),
        }
        live = {"events": f"{address}/events", "replay": "/", "seat": links}
        return await self._game_page(Viewpoint(seat.number), "../", live)

    async def _spectators(self, _: Request) -> Response:
        return await self._game_page(SPECTATOR, "", {"events": "/events"})

    async def _game_page(
        self, viewpoint: Viewpoint, root: str, live: Mapping[str, object]
    ) -> Response:
        try:
            channel, feed = await self._channel(viewpoint)
        except RecordRefused:
            return _page("The game begins soon", "The bots are starting.", refresh=True)
        return html(await channel.run(lambda: self._made_page(feed, root, live)))

    def _made_page(self, feed: GameFeed, root: str, live: Mapping[str, object]) -> str:
        """The page of the game so far; a seat keeps its page after the end, spectators get a replay."""
        feed.poll()
        self._boards |= board_files(feed.steps.timeline.board.words)
        frame = SiteFrame("referee play", "", frozenset(), root)
        if "seat" in live:
            about = {**live, "after": feed.event_id, "ended": feed.is_finished}
            return live_page_of(feed.steps, frame, about, "play.js", ["play.css"])
        return game_page(feed, frame, str(live["events"]))

    async def _channel(self, viewpoint: Viewpoint) -> tuple[Channel, GameFeed]:
        """The steps of the game from this viewpoint; RecordRefused before it has begun."""
        if not self.has_begun:
            raise RecordRefused("the game has not begun")
        return await game_channel(self._hub, self._record, viewpoint)

    # -- events

    async def _public_events(self, request: Request) -> Response:
        return await self._game_events(request, SPECTATOR)

    async def _events(self, request: Request, seat: Seat) -> Response:
        """The steps of the game and the questions of the seat, as one stream: browsers open few at once."""
        return await self._game_events(
            request, Viewpoint(seat.number), self._questions[seat.number]
        )

    async def _game_events(
        self, request: Request, viewpoint: Viewpoint, *questions: SeatChannel
    ) -> Response:
        try:
            channel, _ = await self._channel(viewpoint)
        except RecordRefused:
            return _error(HTTPStatus.SERVICE_UNAVAILABLE, "The game has not begun.")
        if viewpoint.seat is not None:
            self._games[viewpoint.seat] = channel
        return await stream(self._hub, channel, request, *questions)

    # -- choices

    async def _choose(self, request: Request, seat: Seat) -> Response:
        body = await _decoded(request, Choice)
        if body is None:
            return _error(HTTPStatus.BAD_REQUEST, "The body must be {“id”: number, “choice”: number}.")  # fmt: skip
        result = seat.choose(body.id, body.choice)
        if result in _REFUSALS:
            return _error(*_REFUSALS[result])
        return JSONResponse({"result": result})

    async def _hint(self, request: Request, seat: Seat) -> Response:
        """Ask for a hint; it comes with the events of the seat."""
        body = await _decoded(request, Decision)
        if body is None:
            return _error(HTTPStatus.BAD_REQUEST, "The body must be {“id”: number}.")
        if not seat.ask_hint(body.id):
            return _error(*_REFUSALS["closed"])
        return JSONResponse({"result": "asked"})

    async def _leave(self, request: Request, seat: Seat) -> Response:
        await small_body(request)
        seat.leave()
        return JSONResponse({"result": "left"})


def _holds(request: Request, seat: Seat) -> bool:
    return seat.is_held_by(request.cookies.get(COOKIE, ""))


def _error(status: HTTPStatus, sentence: str) -> Response:
    return JSONResponse({"error": sentence}, status_code=status)


async def _decoded(request: Request, kind: type[Body]) -> Body | None:
    """The body of a request; None if it is too long, too slow or not of this kind."""
    body = await small_body(request)
    try:
        return None if body is None else msgspec.json.decode(body, type=kind)
    except msgspec.DecodeError:
        return None


def _page(
    title: str,
    message: str,
    status: HTTPStatus = HTTPStatus.OK,
    *,
    entry: bool = False,
    refresh: bool = False,
) -> Response:
    """A page with a message; with `entry`, it takes a code."""
    page = filled(
        "play/enter.html",
        {
            "policy": LIVE_POLICY,
            "title": escaped(title),
            "message": escaped(message),
            "style": shared.style_link("/", "game.css") + shared.style_link("/", "play.css"),
            "scripts": shared.script_link("/", "enter.js") if entry else "",
        },
    )
    headers = {"refresh": str(_WAIT_S)} if refresh else {}
    return HTMLResponse(page, status, headers)
