"""Games as spectators see them: the page of a game, which follows it while it is played."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from referee.replay.position import SPECTATOR, Viewpoint
from referee.web.game.page import SiteFrame, board_files, live_page_of
from referee.web.live.app import html
from referee.web.live.broadcast import Channel
from referee.web.live.event_stream import stream
from referee.web.live.game_feed import GameFeed
from referee.web.live.hub import Hub

MOST_REMEMBERED: Final = 1000  # places of records
_KEY: Final = re.compile(r"[a-z0-9._~-]{1,150}")


class GameIndex(Protocol):
    """Knows the records of games by their keys in addresses."""

    def record(self, key: str) -> Path | None:
        """The record of a game; None if there is no such game."""

    def frame(self, key: str) -> SiteFrame:
        """What surrounds the page of a game."""


class Games:
    """The pages of games below /game/, for everybody."""

    def __init__(self, index: GameIndex, delay: int = 0) -> None:
        self._index = index
        self._delay = delay
        self._boards: dict[str, str] = {}
        self._records: dict[str, Path] = {}  # by key

    def routes(self, hub: Hub) -> Sequence[BaseRoute]:
        """The page of a game, and its events."""

        async def page(request: Request) -> Response:
            key = request.path_params["key"]
            channel, feed = await self._channel(hub, key)
            return html(await channel.page(lambda: self._page(key, feed)))

        async def events(request: Request) -> Response:
            channel, _ = await self._channel(hub, request.path_params["key"])
            return await stream(hub, channel, request)

        return [Route("/game/{key}", page), Route("/game/{key}/events", events)]

    def files(self) -> dict[str, str]:
        """The files of the boards of the games that were shown."""
        return self._boards

    async def _channel(self, hub: Hub, key: str) -> tuple[Channel, GameFeed]:
        if not _KEY.fullmatch(key):
            raise HTTPException(404)
        if key not in self._records:
            self._remember(key, await hub.read(lambda: self._index.record(key)))
        return await game_channel(hub, self._records[key], delay=self._delay)

    def _remember(self, key: str, path: Path | None) -> None:
        if path is None:
            raise HTTPException(404)
        if len(self._records) >= MOST_REMEMBERED:
            self._records.clear()
        self._records[key] = path

    def _page(self, key: str, feed: GameFeed) -> str:
        """The page of a game so far."""
        feed.poll()
        self._boards |= board_files(feed.steps.timeline.board.words)
        return game_page(feed, self._index.frame(key), f"{key}/events")


async def game_channel(
    hub: Hub, record: Path, viewpoint: Viewpoint = SPECTATOR, delay: int = 0
) -> tuple[Channel, GameFeed]:
    """The channel of a record as it is seen from a viewpoint, and its source."""
    channel = await hub.channel((record, viewpoint), lambda: GameFeed(record, viewpoint, delay))
    assert isinstance(channel.source, GameFeed)
    return channel, channel.source


def game_page(feed: GameFeed, frame: SiteFrame, events: str, script: str = "live.js") -> str:
    """The page of a game so far; while it goes on, the page asks for more at the address `events`."""
    live = None if feed.is_finished else {"events": events, "after": feed.event_id}
    return live_page_of(feed.steps, frame, live, script)
