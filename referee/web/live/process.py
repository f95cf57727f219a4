"""The server as a process of its own: at low priority, with a socket that its parent bound, ended with its parent.

The parent writes the settings to the standard input of the process and leaves it open; when it is
closed, the server ends. Nothing secret is in the arguments, which other programs could read.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

import msgspec

from referee.bots.launch import die_with_parent
from referee.bots.reaper import REAPER
from referee.errors import RefereeError, ServerRefused
from referee.system import child_environment, hide_memory
from referee.text import reason_of
from referee.web.live.requirements import check_installed

if TYPE_CHECKING:
    from referee.web.live.app import Application

DEFAULT_HOST: Final = "127.0.0.1"
_ANY: Final = {"0.0.0.0": DEFAULT_HOST, "::": "::1"}  # noqa: S104  all addresses, and one of them
_NICENESS: Final = 5  # enough to give way; at 10, a burst of work takes seconds on a busy machine
_BACKLOG: Final = 512
_GRACE: Final = 1  # seconds until open connections are cut
_KILL_AFTER: Final = 5.0  # seconds
_STUCK_MS: Final = 20_000  # until the system gives up a connection whose client reads nothing


class SeatSettings(msgspec.Struct, frozen=True):
    """A seat that is played in a browser, and the code that takes it."""

    number: int
    name: str
    code: str


class GameSettings(msgspec.Struct, frozen=True):
    """A game that another process plays, with seats in browsers."""

    record: str
    link: int  # the descriptor of a socket to the game, for JSON lines
    seats: tuple[SeatSettings, ...]
    hints: bool = False  # whether people may ask for hints


class ServerSettings(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a server shows and to whom; sent to its process as JSON."""

    tournament: str | None = None  # its folder
    records: tuple[str, ...] = ()  # files and folders
    points: tuple[float, ...] | None = None  # of the tournament's standings
    anchor: str | None = None  # the same
    delay: int = 0  # decisions that spectators are behind
    allowed_hosts: tuple[str, ...] = ()
    game: GameSettings | None = None


class Address(msgspec.Struct, frozen=True):
    """Where a server listens."""

    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host == "::1" or self.host.startswith("127.")

    @property
    def url(self) -> str:
        """The address for a browser on this machine."""
        return self._url_of(_ANY.get(self.host, self.host))

    @property
    def network_url(self) -> str:
        """The address for a browser on another machine; the same as `url` if only this one can reach it."""
        own = _own_address(self.host) if self.host in _ANY else self.host
        return self._url_of(own or _ANY[self.host])

    def _url_of(self, host: str) -> str:
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"


def _own_address(any_host: str) -> str | None:
    """The address of this machine in its network; None without a network."""
    family, elsewhere = (
        (socket.AF_INET6, "2001:db8::1") if ":" in any_host else (socket.AF_INET, "192.0.2.1")
    )
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((elsewhere, 9))  # finds the way, and sends nothing
        return str(probe.getsockname()[0])
    return None


def listen(host: str = DEFAULT_HOST, port: int = 0) -> tuple[socket.socket, Address]:
    """Open a socket on which a server can listen; port 0 is any free one. ServerRefused if that fails."""
    try:
        family, _, _, _, place = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        opened = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    except OSError as error:
        raise _not_listening(host, port, error) from error
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _STUCK_MS)
        opened.bind(place)
        opened.listen(_BACKLOG)
    except OSError as error:
        opened.close()
        raise _not_listening(host, port, error) from error
    name = opened.getsockname()
    return opened, Address(name[0], name[1])


def _not_listening(host: str, port: int, error: OSError) -> ServerRefused:
    return ServerRefused(
        f"no server can listen on {host} port {port}: {reason_of(error)}; choose another"
    )


class ServerProcess:
    """A server that runs in a process of its own; ServerRefused if it cannot be started."""

    def __init__(self, settings: ServerSettings, host: str = DEFAULT_HOST, port: int = 0) -> None:
        check_installed()
        listener, self.address = listen(host, port)
        with listener:
            passed = [listener.fileno(), *([] if settings.game is None else [settings.game.link])]
            self._process = subprocess.Popen(  # noqa: S603  our own module
                [sys.executable, "-m", __name__, str(listener.fileno())],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                pass_fds=passed,
                start_new_session=True,  # Ctrl-C is for the parent, which then ends the server
                env=child_environment(),
            )
        assert self._process.stdin is not None
        self._input = self._process.stdin
        REAPER.enter(self.pid)  # it is not a stray of a bot
        with suppress(BrokenPipeError):
            self._input.write(msgspec.json.encode(settings) + b"\n")
            self._input.flush()

    @property
    def pid(self) -> int:
        return self._process.pid

    def end(self) -> None:
        """End the process: ask first, then kill it."""
        with suppress(BrokenPipeError):
            self._input.close()
        try:
            self._process.wait(_KILL_AFTER)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        REAPER.end(self.pid)


@contextmanager
def server_process(
    settings: ServerSettings, host: str = DEFAULT_HOST, port: int = 0
) -> Iterator[Address]:
    """Run a server process during the block; ServerRefused if it cannot be started."""
    server = ServerProcess(settings, host, port)
    try:
        yield server.address
    finally:
        server.end()


# -- inside the process


def run_server(
    app: Application, listener: socket.socket, *, until_closed: int | None = None
) -> None:
    """Serve an application until Ctrl-C, SIGTERM, or the end of the file `until_closed`."""
    import uvicorn  # noqa: PLC0415  optional

    logging.getLogger("asyncio").setLevel(logging.ERROR)  # not that clients leave

    from referee.web.live.http_server import HttpServer  # noqa: PLC0415  the same
    from referee.web.live.security import GuardedProtocol  # noqa: PLC0415  the same

    server = HttpServer(
        uvicorn.Config(
            app,
            http=GuardedProtocol,
            ws="none",
            lifespan="on",
            log_config=None,
            log_level="critical",
            access_log=False,  # the addresses of seats are secret
            server_header=False,
            timeout_graceful_shutdown=_GRACE,
        )
    )

    async def serve() -> None:
        if until_closed is not None:
            asyncio.get_running_loop().add_reader(until_closed, stop_at_end)
        await server.serve(sockets=[listener])

    def stop_at_end() -> None:
        assert until_closed is not None
        if not os.read(until_closed, 1 << 16):
            loop = asyncio.get_running_loop()
            loop.remove_reader(until_closed)
            ending.append(loop.create_task(finish()))

    async def finish() -> None:
        """Send what is new a last time."""
        await app.finish()
        server.end()

    ending: list[asyncio.Task[None]] = []

    asyncio.run(serve())


def lower_priority() -> None:
    """Give way to everything else that runs on this machine."""
    with suppress(OSError):
        os.nice(_NICENESS)


def serve_here(
    settings: ServerSettings, listener: socket.socket, *, until_closed: int | None = None
) -> None:
    """Serve in this process until it is asked to end; RefereeError if there is nothing to show."""
    lower_priority()
    from referee.web.live.app import Application  # noqa: PLC0415  needs optional packages
    from referee.web.live.parts import parts_of  # noqa: PLC0415  the same

    app = Application(parts_of(settings), settings.allowed_hosts)
    gc.freeze()  # what stays until the end: the garbage collector need not look at it again
    run_server(app, listener, until_closed=until_closed)


def main() -> None:
    """Run a server process. Its argument is the descriptor of its socket; standard input has its settings."""
    die_with_parent()
    listener = socket.socket(fileno=int(sys.argv[1]))
    settings = msgspec.json.decode(_first_line(0), type=ServerSettings)
    if settings.game is not None:
        hide_memory()  # it contains the secrets of the seats
    try:
        serve_here(settings, listener, until_closed=0)
    except RefereeError as error:
        sys.exit(f"referee: the server ended: {error}")


def _first_line(file: int) -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        data = os.read(file, 1)
        if not data:
            raise SystemExit(1)  # the parent is gone
        line += data
    return line


if __name__ == "__main__":
    main()
