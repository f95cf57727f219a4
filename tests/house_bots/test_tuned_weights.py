"""The tuned weights: a set for each board, and a file that is checked when it is read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee import atlas
from referee.thinking.tuned_weights import (
    ANY_BOARD,
    WEIGHTS_FILE,
    read_weights,
    tuned_weights,
    write_weights,
)
from referee.thinking.weights import DEFAULT_WEIGHTS


def test_a_board_in_the_file_has_its_own_weights() -> None:
    boards = read_weights(WEIGHTS_FILE)
    assert {*boards} - {ANY_BOARD} <= {*atlas.board_names()}
    assert tuned_weights("east") == boards["east"] != boards[ANY_BOARD]


def test_another_board_has_the_weights_for_any() -> None:
    assert tuned_weights("hanse-4-5") == tuned_weights(ANY_BOARD) == DEFAULT_WEIGHTS


def test_weights_are_the_same_after_writing_and_reading(tmp_path: Path) -> None:
    given = {ANY_BOARD: DEFAULT_WEIGHTS, "east": replace(DEFAULT_WEIGHTS, post=2.0, enough=8)}
    write_weights(tmp_path / "weights.json", given)
    assert read_weights(tmp_path / "weights.json") == given


@pytest.mark.parametrize(
    ("part", "other", "message"),
    [
        ('"post":', '"posts":', "missing or unknown weights: post, posts"),
        ('"enough": ', '"enough": 0.', "enough is .*, not something like 7"),
        ('"uses": [', '"uses": [1.0,', "uses is .*, not something like"),
        (f'"{ANY_BOARD}"', '"other"', "has no weights for"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, part: str, other: str, message: str) -> None:
    path = tmp_path / "weights.json"
    path.write_text(WEIGHTS_FILE.read_text("utf-8").replace(part, other, 1), "utf-8")
    with pytest.raises(ValueError, match=message):
        read_weights(path)
