"""A bot that changes during a tournament is reported, and not mixed with the old one in the next run."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

from support.command_runs import PLAIN, error_sentence, referee_here, results
from support.paths import PLAIN as PLAIN_BOT
from support.waiting import wait_until

CHANGED = "The files of bot mine changed during the run"


def mine(folder: Path) -> Path:
    place = folder / "mine"
    place.mkdir()
    shutil.copy(PLAIN_BOT, place / "bot.py")
    (place / "bot.toml").write_text('name = "mine"\ncommand = "python -I -S bot.py"\n')
    return place


def tournament(folder: Path, bot: Path, *more: object) -> list[str]:
    words = (
        "tournament", bot, PLAIN, "--out", folder, "--max-turns", 6, "--seed", 7, "--workers", 1,
        "--quiet", "--sandbox", "off", *more,
    )  # fmt: skip
    return list(map(str, words))


def replaced_in_play(folder: Path, bot: Path) -> str:
    """Play a tournament, change the bot after the first block, and return what the command printed."""

    def replace() -> None:
        wait_until(lambda: any(folder.glob("records/*/1.jsonl.gz")), "the first block is played")
        with (bot / "bot.py").open("a") as program:
            program.write("# another one\n")

    replacing = threading.Thread(target=replace)
    replacing.start()
    done = referee_here(*tournament(folder, bot, "--blocks", 16))
    replacing.join()
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_a_replaced_bot_is_reported_and_its_blocks_can_be_replayed(tmp_path: Path) -> None:
    bot, folder = mine(tmp_path), tmp_path / "t"
    assert CHANGED in replaced_in_play(folder, bot)
    assert len(results(folder)) == 16  # no finished block is lost
    assert "bot mine has changed since it entered the tournament" in error_sentence(
        referee_here(*tournament(folder, bot, "--blocks", 16))
    )
    again = referee_here(*tournament(folder, bot, "--blocks", 1, "--replay-changed"))
    assert again.returncode == 0
    assert CHANGED not in again.stderr
    assert len(results(folder)) == 1


def test_unchanged_bots_are_not_reported(tmp_path: Path) -> None:
    done = referee_here(*tournament(tmp_path / "t", mine(tmp_path), "--blocks", 1))
    assert (done.returncode, done.stderr) == (0, "")
