"""A bot that attacks at its second decision: `python -I -S bot.py KIND`."""

import json
import os
import signal
import sys
import time

FOREVER = 3600
CHUNK = bytes(1 << 20)


def fork_bomb() -> None:
    """Start as many processes as possible, each of which does the same."""
    while True:
        try:
            os.fork()
        except OSError:
            time.sleep(0.01)


def memory_bomb() -> None:
    """Use as much memory as possible."""
    kept = []
    while True:
        kept.append(bytearray(CHUNK))


def daemon() -> None:
    """Leave a grandchild in a session of its own, with an empty environment, and end."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 3)
            os.execve("/bin/sleep", ["sleep", str(FOREVER)], {})
        os._exit(0)
    os.wait()
    os._exit(0)


def ignores_sigterm() -> None:
    """Ignore every signal that can be ignored, and never answer."""
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    time.sleep(FOREVER)


def floods_stdout() -> None:
    """Write a line that never ends."""
    while True:
        os.write(1, CHUNK)


def floods_stderr() -> None:
    """Log forever, also when writing fails."""
    while True:
        try:
            os.write(2, CHUNK)
        except OSError:
            time.sleep(0.001)


KINDS = {
    "fork-bomb": fork_bomb,
    "memory-bomb": memory_bomb,
    "daemon": daemon,
    "sigterm-ignorer": ignores_sigterm,
    "stdout-flood": floods_stdout,
    "stderr-flood": floods_stderr,
}


def say(**message: object) -> None:
    os.write(1, json.dumps(message).encode() + b"\n")


def main(kind: str) -> None:
    """Answer, and attack when asked for the second time; `plain` never attacks."""
    asked = 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say(type="hello", name=kind, state="none", detail="codes")
        elif message["type"] == "start":
            say(type="ready")
        elif message["type"] == "decide":
            asked += 1
            if asked == 2 and kind in KINDS:
                KINDS[kind]()
            say(type="choose", id=message["id"], choice=0)
        elif message["type"] == "quit":
            return


if __name__ == "__main__":
    main(sys.argv[1])
