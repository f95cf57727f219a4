"""A tournament on the server: a live page, and the pages of its site, always up to date."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from referee.tournament.store.store import RECORDS
from referee.tournament.workers.messages import record_name
from referee.web.game.page import SiteFrame
from referee.web.live.app import html
from referee.web.live.broadcast import Channel
from referee.web.live.event_stream import stream
from referee.web.live.hub import Hub
from referee.web.live.running_games import game_key
from referee.web.live.tournament_feed import TournamentFeed
from referee.web.live.tournament_state import LIVE, TournamentState
from referee.web.site.html import Html, intro, page, section, tag


class TournamentGames:
    """The records of a tournament by their keys in addresses, running or finished."""

    def __init__(self, state: TournamentState) -> None:
        self._state = state

    def record(self, key: str) -> Path | None:
        """The record of a game; None if there is no such game."""
        block, _, number = key.rpartition("-")
        if not (number.isascii() and number.isdigit() and len(number) < 6):
            return None
        records = self._state.folder / RECORDS
        for game in self._state.reading.snapshot.games:
            if game_key(*game.key) == key:
                return game.record_in(self._state.folder)
        path = records / record_name(block, int(number))
        is_inside = path.resolve().is_relative_to(records.resolve())
        packed = path.with_name(f"{path.name}.gz")
        return path if is_inside and (path.is_file() or packed.is_file()) else None

    def frame(self, key: str) -> SiteFrame:  # noqa: ARG002  all games have the same frame
        """What surrounds the page of a game: links to the tournament."""
        title = self._state.reading.head.title
        links = (tag("a", title, href="../"), tag("a", "Games", href="../games.html"))
        return SiteFrame(title, tag("nav", *links, aria_label="Site"), frozenset())


class TournamentPages:
    """The live page of a tournament, and the pages of its site."""

    def __init__(self, state: TournamentState) -> None:
        self._state = state

    def routes(self, hub: Hub) -> Sequence[BaseRoute]:
        """The live page, its events, and the pages of the site."""

        async def live(_: Request) -> Response:
            channel, feed = await self._channel(hub)
            return html(await channel.page(lambda: self._live_page(feed)))

        async def events(request: Request) -> Response:
            channel, _ = await self._channel(hub)
            return await stream(hub, channel, request)

        async def site(request: Request) -> Response:
            name = request.path_params["name"]
            text = await hub.build(lambda: self._state.refresh().page(name))
            if text is None:
                raise HTTPException(404)
            return html(text)

        async def game(request: Request) -> Response:
            return RedirectResponse(f"../game/{request.path_params['key']}")

        return [
            Route("/", live),
            Route("/events", events),
            Route("/games/{key}.html", game),
            Route("/{name:path}", site),
        ]

    def files(self) -> dict[str, str]:
        """The files of the boards."""
        return self._state.reading.board_files

    async def _channel(self, hub: Hub) -> tuple[Channel, TournamentFeed]:
        channel = await hub.channel("tournament", lambda: TournamentFeed(self._state))
        assert isinstance(channel.source, TournamentFeed)
        return channel, channel.source

    def _live_page(self, feed: TournamentFeed) -> str:
        feed.poll()
        head = self._state.reading.head
        data = {"events": "events", "after": feed.event_id, "sections": feed.data()}
        return page(head, LIVE[1], _sections(), data=data, is_live=True)


_RUNNING = (
    "Click a game to watch it. Games without records and games on a cluster appear below when they are"
    " finished."
)


def _sections() -> list[Html]:
    """The parts of the live page; its script fills them."""
    return [
        tag("p", id="status", class_="status", role="status"),
        tag("div", tag("div", class_="done"), class_="progress", id="progress", role="progressbar",
            aria_label="Games that are finished"),
        section("running", "Running games", intro(_RUNNING), tag("div", class_="filled")),
        section("standings", "Standings", intro(_STANDINGS), tag("div", class_="filled")),
        section("results", "Latest results", tag("div", class_="filled")),
        section("faults", "Faults", tag("div", class_="filled")),
    ]  # fmt: skip


_STANDINGS = (
    "Ratings are on the Elo scale with 95 % confidence intervals; they move as games are finished."
)
