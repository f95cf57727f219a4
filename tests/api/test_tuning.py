"""`tune` from Python: bots in this process, in worker processes and in folders."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from referee import tune
from referee.bots.find import find_bot
from referee.bots.values_file import read_values
from referee.errors import BotRefused, RefereeError, TuningRefused
from support.importable_bots import at_random, at_share
from support.tuned_bot import write_tuned_bot


def test_a_function_is_tuned_in_this_process_and_the_same_call_continues(tmp_path: Path) -> None:
    seen: list[int] = []
    short = partial(
        tune,
        at_share,
        out=tmp_path / "out",
        seats=2,
        max_turns=8,
        iterations=2,
        blocks=1,
        workers=1,
    )
    result = short(look=lambda now: seen.append(now.stage))
    assert (result.ending, result.games, len(result.path)) == ("done", 8, 3)
    assert result.path[0] == {"share": 0.5} != result.values == result.path[-1]
    assert read_values(tmp_path / "out" / "values.toml") == result.values
    assert set(seen) == {0, 1}
    again = short()
    assert (again.values, again.games) == (result.values, 8)
    with pytest.raises(TuningRefused, match="another tuning"):
        short(seed=2)


def test_a_bot_in_a_folder_starts_from_given_values(tmp_path: Path) -> None:
    bot = write_tuned_bot(tmp_path / "tuned")
    result = tune(
        f"{bot} --set salt=8", only=["pepper"], seats=2, max_turns=4, iterations=1, blocks=1,
        workers=1, sandbox="off",
    )  # fmt: skip
    assert result.folder is None
    assert result.values["salt"] == 8
    assert find_bot(f"{bot} --set pepper={result.values['pepper']}").all_values["salt"] == 3


def test_the_file_of_a_board_may_be_a_path(tmp_path: Path) -> None:
    bot = write_tuned_bot(tmp_path / "tuned")
    with pytest.raises(RefereeError, match=r"no-board\.toml"):
        tune(f"{bot}", board=tmp_path / "no-board.toml", seats=2, sandbox="off")


def test_a_bot_without_parameters_is_refused() -> None:
    with pytest.raises(BotRefused, match="declares no parameters, so there is nothing to tune"):
        tune(at_random)
