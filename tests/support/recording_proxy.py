"""A proxy between a browser and the referee's server that keeps all bytes that the server sent."""

from __future__ import annotations

import contextlib
import socket
import threading
from types import TracebackType
from typing import Self


class RecordingProxy:
    """Passes connections on to a port of this machine."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._parts: list[bytes] = []
        self._open: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._threads = [self._start(self._accept)]

    @property
    def received(self) -> bytes:
        """Return everything that came from the server so far."""
        return b"".join(self._parts)

    def _start(self, act: object, *arguments: object) -> threading.Thread:
        thread = threading.Thread(target=act, args=arguments, daemon=True)  # type: ignore[arg-type]
        thread.start()
        return thread

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                theirs, _ = self._listener.accept()
                ours = socket.create_connection(("127.0.0.1", self._port))
                self._open |= {theirs, ours}
                self._threads.append(self._start(self._pass, theirs, ours, False))
                self._threads.append(self._start(self._pass, ours, theirs, True))

    def _pass(self, source: socket.socket, goal: socket.socket, keep: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                if keep:
                    self._parts.append(data)
                goal.sendall(data)
        with contextlib.suppress(OSError):
            goal.shutdown(socket.SHUT_WR)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for end in self._open:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(5)
        for end in self._open:
            end.close()
