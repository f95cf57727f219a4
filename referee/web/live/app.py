"""The application of the server: the addresses of its parts, the shared files, and answers to mistakes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Final, Protocol, runtime_checkable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from referee.errors import RefereeError
from referee.web import shared
from referee.web.live.hub import Hub
from referee.web.live.security import Guard

_TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "html": "text/html; charset=utf-8",
}


class Part(Protocol):
    """One thing that the server shows; it adds its own addresses.

    A part gets the hub that all parts share. It makes pages with `hub.read` or `hub.build`, so that
    the event loop never waits, and sends what is new with `event_stream.stream`.
    """

    def routes(self, hub: Hub) -> Sequence[BaseRoute]:
        """The addresses of this part."""

    def files(self) -> dict[str, str]:
        """The names and contents of its files below /assets/."""


@runtime_checkable
class RunningPart(Part, Protocol):
    """A part with work of its own to do while the server runs."""

    async def run(self) -> None:
        """Do this work; it is cancelled when the server ends."""


class Application:
    """The whole application with its parts; it answers only to the allowed hosts and to loopback names."""

    def __init__(self, parts: Sequence[Part], allowed_hosts: Iterable[str] = ()) -> None:
        self.hub = Hub()
        self._parts = parts
        self._files: dict[str, Response] = {}  # ready to be sent, by name
        self._add_files(shared.files() | shared.server_files())
        routes = [route for part in parts for route in part.routes(self.hub)]
        self._app = Guard(
            Starlette(
                routes=[Route(f"/{shared.FOLDER}/{{name}}", self._file), *routes],
                exception_handlers={
                    HTTPException: _refused,
                    RefereeError: _not_there,
                    Exception: _failed,
                },
                lifespan=self._lifespan,
            ),
            allowed_hosts,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)

    async def finish(self) -> None:
        """Send what is new to all clients a last time, before the server ends."""
        await self.hub.finish()

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        running = [
            asyncio.create_task(part.run()) for part in self._parts if isinstance(part, RunningPart)
        ]
        yield
        for task in running:
            task.cancel()
        self.hub.close()

    async def _file(self, request: Request) -> Response:
        """A shared file; those of boards are made when they are first asked for."""
        name = request.path_params["name"]
        if name not in self._files:
            for part in self._parts:
                self._add_files(await self.hub.read(part.files))
        if name not in self._files:
            raise HTTPException(404)
        return self._files[name]

    def _add_files(self, texts: Mapping[str, str]) -> None:
        """Keep new files; the names of those of boards contain a digest, so they never change."""
        new = {name: text for name, text in texts.items() if name not in self._files}
        self._files |= {name: _file_response(name, text) for name, text in new.items()}


def _file_response(name: str, text: str) -> Response:
    return Response(text, media_type=_TYPES[name.rpartition(".")[2]])


def html(text: str | bytes) -> Response:
    return Response(text, media_type=_TYPES["html"])


_SENTENCES: Final = {
    404: "There is nothing at this address.",
    405: "This address cannot be used like this.",
}


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    sentence = _SENTENCES.get(error.status_code, error.detail)
    return PlainTextResponse(f"{sentence}\n", error.status_code, error.headers)


async def _not_there(_: Request, __: Exception) -> Response:
    """A record or a store that cannot be read; its message may name files, so it stays here."""
    return PlainTextResponse("This cannot be shown: its file cannot be read.\n", 404)


async def _failed(_: Request, __: Exception) -> Response:
    return PlainTextResponse("The server failed at this request.\n", 500)
