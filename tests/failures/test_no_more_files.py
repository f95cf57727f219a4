"""Too few file descriptors: the run ends with one sentence, no bot is blamed, and it can continue."""

from __future__ import annotations

import resource
from functools import partial
from pathlib import Path

import pytest

from referee.bots.find import Bot
from referee.errors import BotRefused
from referee.match.players import BotPlayer
from referee.tournament.results import BlockResult
from support.command_runs import (
    error_sentence,
    referee,
    referee_here,
    results,
    tournament_arguments,
)
from support.match_setup import PLAIN, BotMatch


def limited(files: int) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))


@pytest.mark.parametrize("files", [9, 16])
def test_too_few_files_are_reported_and_no_bot_is_at_fault(tmp_path: Path, files: int) -> None:
    folder = tmp_path / "t"
    done = referee(*tournament_arguments(folder, "--blocks", 1), limit=partial(limited, files))
    if done.returncode:
        assert "Too many open files" in error_sentence(done)
    for block in results(folder):
        assert [sum(game.faults) for game in block.games] == [0, 0, 0]


def test_the_run_continues_when_there_are_files_again(
    tmp_path: Path, undisturbed: list[BlockResult]
) -> None:
    folder = tmp_path / "t"
    done = referee(*tournament_arguments(folder), limit=partial(limited, 12))
    assert "Too many open files" in error_sentence(done)
    assert referee_here(*tournament_arguments(folder)).returncode == 0
    assert results(folder) == undisturbed


def test_a_bot_that_the_system_cannot_start_is_not_at_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def lacks(*_: object) -> None:
        raise BotRefused("no bot can be started") from OSError(24, "Too many open files")

    with BotMatch([PLAIN, PLAIN]) as match:
        monkeypatch.setattr(BotPlayer, "open", lacks)
        with pytest.raises(BotRefused, match="no bot can be started"):
            match.game().play()


def test_a_bot_that_is_not_a_program_is_at_fault(tmp_path: Path) -> None:
    bot = Bot("nothing", (str(tmp_path / "nothing"),), tmp_path, "0")
    with BotMatch([PLAIN, PLAIN]) as match:
        match.players[0].player.bot = bot
        outcome = match.game().play()
    assert [fault.fault for fault in outcome.faults] == ["start"]
