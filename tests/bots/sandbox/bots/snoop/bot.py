"""Plays, and writes to stderr every message that it gets and all that it can find out."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path


def note(**words: object) -> None:
    sys.stderr.write(json.dumps(words) + "\n")
    sys.stderr.flush()


def say(**message: object) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def text_of(path: Path) -> str:
    try:
        return path.read_bytes().decode(errors="replace")
    except OSError as error:
        return f"refused: {error.strerror}"


def inspect_machine() -> None:
    """Note the environment, the arguments, every process and every mount."""
    note(environment=dict(os.environ), arguments=sys.argv)
    for path in Path("/proc").glob("[0-9]*"):
        note(process={name: text_of(path / name) for name in ("cmdline", "environ", "status")})
    for line in text_of(Path("/proc/self/mountinfo")).splitlines():
        note(mount=line.split()[4], source=line.split()[3])


def main() -> None:
    inspect_machine()
    for line in sys.stdin:
        note(message=json.loads(line))
        message = json.loads(line)
        if message["type"] == "hello":
            say(type="hello", name="snoop")
        elif message["type"] == "start":
            say(type="ready")
        elif message["type"] == "decide":
            say(type="choose", id=message["id"], choice=len(message["choices"]) // 2)
        elif message["type"] == "quit":
            return


main()
