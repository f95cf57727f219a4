"""Sends control characters and markup wherever a bot can send text."""

from __future__ import annotations

import json
import sys

ESCAPE = "\x1b[2J\x1b]0;owned\x07\r\x9b31m\u202e"
MARKUP = "[red]rich[/red][link=file:///]x[/link]"
PAGE = "<script>alert(1)</script><img src=x onerror=alert(2)>&lt;"
LOUD = ESCAPE + MARKUP + PAGE


def say(**message: object) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main() -> None:
    asked = 0
    for line in sys.stdin:
        message = json.loads(line)
        sys.stderr.write(f"{LOUD}\n")
        sys.stderr.flush()
        if message["type"] == "hello":
            say(type="hello", name=LOUD, version=LOUD, author=LOUD)
        elif message["type"] == "start":
            say(type="ready")
        elif message["type"] == "decide":
            asked += 1
            if asked == 3:
                sys.stdout.write(f"{LOUD}\n")  # not a message: the referee quotes it
                sys.stdout.flush()
                continue
            say(type="choose", id=message["id"], choice=0, say=LOUD)


if __name__ == "__main__":
    main()
