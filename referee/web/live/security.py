"""Who may ask the server for what: allowed hosts, the origin of choices, limits, and the headers of all answers."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Iterable
from typing import Final, cast

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from referee.web.live.broadcast import Update
from referee.web.template import LIVE_POLICY

LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
LARGEST_BODY: Final = 4096  # bytes
LONGEST_ADDRESS: Final = 2048  # bytes
LARGEST_HEAD: Final = 16 * 1024  # bytes of the first line and the headers
MOST_UNREAD: Final = 256 * 1024  # bytes that wait for a slow client before it is dropped
REQUEST_SECONDS: Final = 10.0  # until the head of a request, and then until its body, must be there
_READING: Final = frozenset({"GET", "HEAD"})
_METHODS: Final = _READING | {"POST"}
_STATIC: Final = "/assets/"
# In the scope of a request: its connection. Its address would not do, because a client can claim any
# address with X-Forwarded-For.
_TRANSPORT: Final = "referee.transport"

_HEADERS: Final = [
    (b"content-security-policy", f"{LIVE_POLICY}; frame-ancestors 'none'".encode()),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
]
_FOREVER: Final = (b"cache-control", b"private, max-age=86400, immutable")
_NEVER: Final = (b"cache-control", b"no-store")


class Guard:
    """ASGI middleware: refuses requests with a sentence before anything else sees them."""

    def __init__(self, app: ASGIApp, allowed_hosts: Iterable[str] = ()) -> None:
        self._app = app
        self._allowed = LOOPBACK_NAMES | {_plain_host(name) for name in allowed_hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # such as a WebSocket: closing the connection is the answer
        answer = _with_headers(scope["path"], send)
        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, receive, answer)
        else:
            status, sentence = refusal
            response = PlainTextResponse(
                f"{sentence}\n", status_code=status, headers={"connection": "close"}
            )
            await response(scope, receive, answer)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """The status and the sentence with which a request is refused; None if it is not."""
        headers = Headers(scope=scope)
        if len(scope["raw_path"]) + len(scope["query_string"]) > LONGEST_ADDRESS:
            return 414, "The address is too long."
        if sum(len(name) + len(value) for name, value in scope["headers"]) > LARGEST_HEAD:
            return 431, f"The headers of a request have at most {LARGEST_HEAD} bytes."
        if scope["method"] not in _METHODS:
            return 405, "Only GET, HEAD and POST are possible here."
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_allowed(_plain_host(hosts[0]), scope):
            return 421, "This server has another name; --allow-host NAME allows one more."
        if _is_foreign(scope, headers):
            return 403, "Requests from other sites are not answered."
        if not _is_short(headers):
            return 413, f"The body of a request has at most {LARGEST_BODY} bytes."
        return None

    def _is_allowed(self, host: str, scope: Scope) -> bool:
        """Whether a host is allowed: one of the names, or the address that the request came to.

        A request to an address cannot come from a page that gave its own name this address.
        """
        server = scope.get("server")
        return host in self._allowed or (
            server is not None and _is_address(host) and host == _plain_host(f"[{server[0]}]")
        )


def _is_foreign(scope: Scope, headers: Headers) -> bool:
    """Whether a page of another site made a request that is more than a link to a page."""
    site = headers.get("sec-fetch-site", "none")
    if scope["method"] in _READING:
        return site == "cross-site" and headers.get("sec-fetch-mode") != "navigate"
    return site not in ("none", "same-origin") or headers.get("origin") != (
        f"{scope['scheme']}://{headers['host']}"
    )


def _is_short(headers: Headers) -> bool:
    length = headers.get("content-length", "0")
    return length.isascii() and length.isdigit() and int(length[:12]) <= LARGEST_BODY


def _plain_host(host: str) -> str:
    """A host without its port and without the brackets of IPv6."""
    name = host.strip().lower()
    if name.startswith("["):
        return name[1:].partition("]")[0].partition("%")[0]
    return name.rpartition(":")[0] if name.count(":") == 1 else name


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _with_headers(path: str, send: Send) -> Send:
    # Files with a digest in their address never change; everything else is never kept.
    keep = _FOREVER if path.startswith(_STATIC) else _NEVER

    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start":
            cache = keep if message["status"] < 400 else _NEVER
            message["headers"] = [*message.get("headers", ()), *_HEADERS, cache]
        await send(message)

    return answer


async def small_body(request: Request) -> bytes | None:
    """The body of a request; None if it is too long, or not there in time."""
    body = b""
    try:
        async with asyncio.timeout(REQUEST_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > LARGEST_BODY:
                    return None
    except TimeoutError:
        return None
    return body


# -- connections


class GuardedProtocol(HttpToolsProtocol):
    """A connection whose requests must come in time and end some day, and that can be aborted."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._unfinished = 0  # bytes since the head of the last request
        self._expect_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._deadline.cancel()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        cast("Scope", self.scope)[_TRANSPORT] = self.transport

    def data_received(self, data: bytes) -> None:
        cycle = self.cycle
        super().data_received(data)
        if self.cycle is not cycle:  # the head of a request is complete
            self._unfinished = 0
            self._deadline.cancel()
            return
        self._unfinished += len(data)
        if self._unfinished > LARGEST_HEAD:
            self.send_400_response("The request is too long.")

    def send_400_response(self, msg: str) -> None:
        """Answer a malformed request; while another answer is under way, cut the connection."""
        cycle: RequestResponseCycle | None = self.cycle  # None before the first request
        if cycle is None or cycle.response_complete:
            super().send_400_response(msg)
        else:
            self.transport.abort()

    def on_response_complete(self) -> None:
        cycle = self.cycle
        super().on_response_complete()
        if self.cycle is cycle:  # else the next request was there already
            self._deadline.cancel()
            self._expect_request()

    def _expect_request(self) -> None:
        self._deadline = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)


class ChunkSink:
    """Writes chunks of a response that has begun to its connection; this takes a tenth of the time of `send`."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport

    def write(self, update: Update) -> bool:
        """Write events; return False if the client is too far behind to get them."""
        if self._transport.get_write_buffer_size() > MOST_UNREAD:
            return False
        self._transport.write(update.chunk)
        return True

    def abort(self) -> None:
        """Close the connection at once, without waiting for a client that does not read."""
        self._transport.abort()


def abort_connection(scope: Scope) -> None:
    """Close the connection of a request at once, without waiting for a client that does not read."""
    if _TRANSPORT in scope:
        scope[_TRANSPORT].abort()


def chunk_sink(scope: Scope) -> ChunkSink | None:
    """The sink of a response without a known length; None where it is not sent in chunks."""
    is_chunked = scope["http_version"] == "1.1" and scope["method"] == "GET"
    return ChunkSink(scope[_TRANSPORT]) if is_chunked and _TRANSPORT in scope else None
