"""Makes the pictures of README.md and of docs/ from a real tournament and a real game, with tmux and Chromium.

python tools/pictures.py            makes all of them
python tools/pictures.py standings  makes one of them: standings, replay, play or analysis
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
REFEREE = [sys.executable, "-m", "referee"]
COLUMNS, ROWS = 118, 15
PATIENCE_S = 900
TOURNAMENT = (
    "greedy merchant navigator random --blocks 12 --seed 7 --bank-ms 3000 --increment-ms 20"
)
SEEN_AFTER = 9  # blocks: the intervals are small by then, and games are still running
GAME = "navigator merchant greedy random --seed 7 --bank-ms 3000 --increment-ms 20"
PAGE = "1240,780"  # pixels
STEP = 0.6  # of the game
ANALYSED = "merchant greedy rusher builder --board hanse-4-5 --seed 4"
LOSSES = (
    "JSON.parse(document.getElementById('game').textContent)"
    ".analysis.mistakes.map((mistake) => mistake.loss[0])"
)
PLAYED = "hanse-4-5:4:bigbox+missions"
SEAT_DECISIONS = 15  # until the picture


def standings(folder: Path) -> None:
    """Write the live screen of a tournament in a terminal as SVG."""
    words = [*REFEREE, "tournament", *TOURNAMENT.split(), "--clock", "cpu", "--out", "spring"]
    tmux = ["tmux", "-L", f"pictures-{folder.name}"]
    size = ["-x", str(COLUMNS), "-y", str(ROWS)]
    subprocess.run(
        [*tmux, "new-session", "-d", *size, f"cd {folder} && {shlex.join(words)}"], check=True
    )
    try:
        screen = _wait_for(tmux, f"{SEEN_AFTER} of 12 blocks")
    finally:
        subprocess.run([*tmux, "kill-server"], check=False)
    _write_svg(screen, "referee tournament", PICTURES / "standings.svg")


def _wait_for(tmux: list[str], text: str) -> str:
    """Wait until the screen shows this text, and return it with its colours."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        time.sleep(1)
        command = [*tmux, "capture-pane", "-p", "-e"]
        screen = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        if text in re.sub(r"\x1b\[[\d;]*m", "", screen):
            return screen
    raise SystemExit(f"the screen did not show {text!r} within {PATIENCE_S} s")


def _write_svg(screen: str, title: str, path: Path) -> None:
    console = Console(record=True, width=COLUMNS, file=tempfile.TemporaryFile("w+"))  # noqa: SIM115
    console.print(Text.from_ansi(screen.rstrip()))
    drawn = console.export_svg(title=title)
    # Without these rules the picture loads no font from the network.
    path.write_text(re.sub(r"\s*@font-face \{.*?\}", "", drawn, flags=re.DOTALL), "utf-8")


def replay(folder: Path) -> None:
    """Write the web page of a recorded game, in the middle of it, as PNG."""
    record, page = folder / "game.jsonl", folder / "game.html"
    subprocess.run(
        [*REFEREE, "play", *GAME.split(), "--clock", "cpu", "--quiet", "--record", str(record)],
        check=True,
    )
    subprocess.run([*REFEREE, "replay", str(record), "--html", str(page)], check=True)
    decisions = record.read_text("utf-8").count('"line":"decision"')
    shot = [f"--window-size={PAGE}", f"--screenshot={PICTURES / 'replay.png'}"]
    quiet = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    step = f"file://{page}#{int(decisions * STEP)}"
    browser = shutil.which("chromium") or shutil.which("google-chrome") or "chromium"
    subprocess.run([browser, *quiet, *shot, step], check=True, capture_output=True)


def play(folder: Path) -> None:
    """Write the page of a person's seat, some decisions after the start of a game, as PNG."""
    sys.path.insert(0, str(ROOT / "tests"))
    from support.browser import Browser  # noqa: PLC0415  the tests have a driver for the browser
    from support.played_in_browser import (  # noqa: PLC0415  the same
        RunningGame,
        SeatPage,
        play_decisions,
    )

    with Browser() as browser, RunningGame(PLAYED, folder, seed=11) as running:
        width, height = map(int, PAGE.split(","))
        seat = SeatPage(browser, running.addresses[0], width=width, height=height)
        play_decisions([seat], running, SEAT_DECISIONS)
        seat.page.until("Boolean(document.querySelector('#choose.asks'))")
        (PICTURES / "play.png").write_bytes(seat.page.screenshot())


def analysis(folder: Path) -> None:
    """Write the page of an analysed game as PNG: the better turn in place of its worst mistake."""
    sys.path.insert(0, str(ROOT / "tests"))
    from support.browser import Browser  # noqa: PLC0415  the tests have a driver for the browser

    record, page = folder / "game.jsonl", folder / "game.html"
    words = [*ANALYSED.split(), "--quiet", "--record", str(record)]
    subprocess.run([*REFEREE, "play", *words], check=True)
    subprocess.run([*REFEREE, "analyse", str(record)], check=True, capture_output=True)
    subprocess.run([*REFEREE, "replay", str(record), "--html", str(page)], check=True)
    with Browser() as browser:
        width, height = map(int, PAGE.split(","))
        opened = browser.open(page, width=width, height=height)
        losses = opened.run(LOSSES)
        opened.press(*["w"] * (1 + losses.index(max(losses))), "a")
        opened.run("new Promise((done) => setTimeout(done, 500))")
        (PICTURES / "analysis.png").write_bytes(opened.screenshot())


def main(names: list[str]) -> None:
    """Make all pictures, or those with these names."""
    makers = {"standings": standings, "replay": replay, "play": play, "analysis": analysis}
    PICTURES.mkdir(exist_ok=True)
    for name in names or makers:
        with tempfile.TemporaryDirectory() as folder:
            makers[name](Path(folder))
        print(f"made: {name}")


if __name__ == "__main__":
    main(sys.argv[1:])
