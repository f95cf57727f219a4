"""Bots for a soak test that misbehave, each in one way: `python -I -S bad_bot.py KIND`.

Each answers normally until its second decision of a game. None of them harms the machine, not even
without a sandbox: `breeds` has few children, and `hoards` limits its own memory.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

Request = dict[str, Any]

FOREVER_S = 3600.0
CHILDREN = 3
FLOOD = b"x" * (1 << 16)
FLOODS = 20  # together they are longer than a message may be
MOST_MEMORY = 256 << 20
SHOUT = b"!" * (1 << 16)


def write(data: bytes) -> None:
    """Write all of it, even if the pipe takes it in pieces."""
    while data:
        data = data[os.write(1, data) :]


def say(**message: object) -> None:
    write(json.dumps(message).encode() + b"\n")


def choose(request: Request, choice: int) -> None:
    say(type="choose", id=request["id"], choice=choice)


def crash(_: Request) -> None:
    """Write a lot to stderr, and end."""
    os.write(2, SHOUT)
    os._exit(3)


def mumble(_: Request) -> None:
    """Write a line that is not a message."""
    write(b"\x00\xff what? \x1b[31m\n")


def cheat(request: Request) -> None:
    """Choose an index that is not offered."""
    choose(request, len(request["choices"]))


def sleep(_: Request) -> None:
    """Never answer this request."""


def flood(_: Request) -> None:
    """Write more than a message may have, without a line end."""
    for _piece in range(FLOODS):
        write(FLOOD)


def breed(_: Request) -> None:
    """Leave children in sessions of their own that ignore SIGTERM, and end."""
    for _child in range(CHILDREN):
        if os.fork() == 0:
            os.setsid()
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(FOREVER_S)
            os._exit(0)
    os._exit(0)


def hoard(_: Request) -> None:
    """Ask for memory until there is no more."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    held: list[bytearray] = []
    while True:
        held.append(bytearray(b"x") * (1 << 20))


def vanish(_: Request) -> None:
    """Ends before its first message; see `main`."""


KINDS: dict[str, Callable[[Request], None]] = {
    "breeds": breed,
    "cheats": cheat,
    "crashes": crash,
    "floods": flood,
    "hoards": hoard,
    "mumbles": mumble,
    "sleeps": sleep,
    "vanishes": vanish,
}


def play(misbehave: Callable[[Request], None]) -> None:
    """Answer the referee until it says quit."""
    asked = 0
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if message["type"] == "hello":
            say(type="hello", name="bad", detail="codes", state="none")
        elif message["type"] == "start":
            asked = 0
            say(type="ready")
        elif message["type"] == "quit":
            return
        elif message["type"] == "decide":
            asked += 1
            if asked == 2:
                misbehave(message)
            else:
                choose(message, message["id"] * 7919 % len(message["choices"]))


def main() -> None:
    """Play as the kind of bot that the argument names."""
    kind = sys.argv[1]
    if kind == "vanishes":
        sys.exit(1)
    play(KINDS[kind])


if __name__ == "__main__":
    main()
