"""Follow README.md as a newcomer would: a fresh clone, a clean environment, the commands as printed.

The environment has only the programs of this machine and its settings for downloading packages.
From the clone to the standings of the first tournament it may take three minutes on two cores.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pages import ROOT, Block, Reader, blocks_of

MOST_S = 180
HOUSE_BOTS = ("greedy", "merchant", "navigator", "random")
KEPT = ("PIP_", "SSL_", "REQUESTS_", "http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")


def main() -> None:
    """Run every code block of README.md, and print the time that each takes."""
    with tempfile.TemporaryDirectory(prefix="newcomer-") as name:
        began = time.monotonic()
        reader = newcomer(Path(name))
        blocks = blocks_of(reader.folder / "README.md")
        (first,) = [block for block in blocks if block.notes.get("command") == "tournament"]
        follow(reader, first)
        assert all(bot in reader.printed for bot in HOUSE_BOTS), reader.printed
        seconds = time.monotonic() - began
        print(f"from the clone to the standings: {seconds:.0f} s")
        assert seconds < MOST_S, f"that is more than {MOST_S} s"
        for block in blocks:
            follow(reader, block)


def newcomer(folder: Path) -> Reader:
    """Return a reader with a fresh clone of this project, in a folder that is also its HOME."""
    clone = folder / "clone"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    kept = {key: value for key, value in os.environ.items() if key.startswith(KEPT)}
    # `python3` runs this Python.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    reader = Reader(clone, {**kept, "HOME": str(folder), "PATH": path})
    reader.is_patient = True
    return reader


def follow(reader: Reader, block: Block) -> None:
    """Run a block and print how long it took; blocks that are only read are skipped."""
    began = time.monotonic()
    if block.notes.get("command") == "tournament" and not (reader.folder / ".venv").exists():
        reader.run(block, MOST_S)
    elif block.is_run or "file" in block.notes:
        reader.follow(block)
    else:
        return
    print(f"{time.monotonic() - began:6.1f} s  {block.place}")


if __name__ == "__main__":
    main()
