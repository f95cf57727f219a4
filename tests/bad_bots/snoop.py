"""A bot that looks for the pages of the game that it plays in, tries to take part, and reports all it got.

python snoop.py REPORT
"""

import contextlib
import json
import re
import sys
import threading
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from pathlib import Path

from protocol import Bot, Choice, Request, run

CODE = re.compile(rb"\b[0-9a-z]{4}(?:-[0-9a-z]{4}){3}\b|[A-Za-z0-9_-]{43}")
ADDRESSES = ("", "events", "seat/0", "seat/0/events", "seat/0/held", "seat/1", "seat/1/events")


def readable_texts():
    """Yield what the arguments, environments and open files' names of all processes say."""
    for process in Path("/proc").glob("[0-9]*"):
        for name in ("cmdline", "environ"):
            with contextlib.suppress(OSError):
                yield (process / name).read_bytes()
    for folder in (Path("/tmp"), Path.home()):
        for file in folder.glob("referee*"):
            with contextlib.suppress(OSError):
                yield str(file).encode()
                yield file.read_bytes()


def listening_ports():
    ports = set()
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[3] == "0A":
            ports.add(int(fields[1].split(":")[1], 16))
    return ports


def ask(address, data=None):
    headers = {"Origin": address.rsplit("/seat", 1)[0], "Content-Type": "application/json"}
    request = urllib.request.Request(address, data, headers)
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:
            # Events never end, so it takes what there is.
            read = answer.read1 if address.endswith("/events") else answer.read
            return f"{answer.status} {read(3000).decode(errors='replace')}"
    except urllib.error.HTTPError as error:
        return f"{error.code} {error.read(300).decode(errors='replace')}"
    except (OSError, ValueError, HTTPException) as error:  # perhaps it does not speak HTTP
        return type(error).__name__


def snoop(report):
    codes = {found.decode() for text in readable_texts() for found in CODE.findall(text)}
    found = {}
    roots = [f"http://127.0.0.1:{port}/" for port in listening_ports()]
    with ThreadPoolExecutor(len(roots)) as pool:  # a port of another program may never answer
        answers = list(pool.map(ask, roots))
    for root, first in zip(roots, answers, strict=True):
        if "Hansa" not in first and "begins soon" not in first:
            continue
        found[root] = first
        for path in ADDRESSES:
            found[root + path] = ask(root + path)
        for seat in (0, 1):
            bodies = [{"id": 1, "choice": 0}, {}, *({"code": code} for code in ["", *codes])]
            for action in ("choose", "leave", "take"):
                for body in bodies[:60]:
                    address = f"{root}seat/{seat}/{action}"
                    found[f"{address} {body}"] = ask(address, json.dumps(body).encode())
    Path(report).write_text(json.dumps(found))


class Snoop(Bot):
    name = "snoop"
    state = "none"

    def decide(self, request: Request) -> Choice:
        if not hasattr(self, "thread"):
            self.thread = threading.Thread(target=snoop, args=sys.argv[1:], daemon=True)
            self.thread.start()
        self.thread.join(20)
        return self.random.choice(request.choices)


if __name__ == "__main__":
    run(Snoop())
