"""A real server in a thread of the test process, where a test can change its constants."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from referee.web.live.app import Application
from referee.web.live.parts import parts_of
from referee.web.live.process import DEFAULT_HOST, Address, ServerSettings, listen, run_server


@contextmanager
def served_here(
    settings: ServerSettings, host: str = DEFAULT_HOST, port: int = 0
) -> Iterator[Address]:
    """Serve during the block, as `server_process` does in a process of its own."""
    listener, address = listen(host, port)
    read_end, write_end = os.pipe()
    app = Application(parts_of(settings), settings.allowed_hosts)
    serving = threading.Thread(
        target=run_server, args=(app, listener), kwargs={"until_closed": read_end}
    )
    serving.start()
    try:
        yield address
    finally:
        os.close(write_end)
        serving.join()
        os.close(read_end)
