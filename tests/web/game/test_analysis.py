"""The page of a game with an analysis: chances, mistakes, and better turns as positions of the engine."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from referee.engine import game
from referee.replay.position import SPECTATOR, Viewpoint
from referee.replay.timeline import open_timeline
from referee.web.game.page import SiteFrame, live_page_of, page_of
from referee.web.game.position_cells import Cells, Delta, cells
from referee.web.game.steps import GameSteps
from support.analysed_games import chances, why, write_analysis
from support.board_records import write_record
from support.random_games import played
from support.replay_games import BRIEF, game_of

LARGEST_PAGE = 400_000  # bytes
LONG = "hanse-4-5:5:bigbox+missions+favours+promos"
MISTAKES = (2, 5, 7)


def data_of(page: str) -> dict[str, Any]:
    (found,) = re.findall(r'<script type="application/json" id="game">(.*?)</script>', page)
    data: dict[str, Any] = json.loads(found)
    return data


@cache
def page(viewer_seat: int | None = None, *, omniscient: bool = False) -> str:
    with TemporaryDirectory() as folder:
        record = write_record(Path(folder) / "game.jsonl", game_of(BRIEF))
        write_analysis(record, MISTAKES, omniscient=omniscient)
        return page_of(record, viewer_seat)


def applied(before: Cells, delta: Delta) -> Cells:
    after = [*before]
    for index, value in zip(delta[::2], delta[1::2], strict=True):
        assert isinstance(index, int)
        after[index] = value
    return after


def test_without_an_analysis_the_page_has_none(tmp_path: Path) -> None:
    data = data_of(page_of(write_record(tmp_path / "game.jsonl", game_of(BRIEF))))
    assert "analysis" not in data


def test_the_page_has_the_chances_of_every_turn() -> None:
    data = data_of(page())
    found = data["analysis"]
    assert len(found["steps"]) == data["decisions"]["turn"][-1] + 1
    in_per_cent = [[round(100 * one) for one in chances(4, step)] for step in found["steps"]]
    assert found["chances"] == in_per_cent


def test_the_page_has_the_mistakes_and_why_they_are_mistakes() -> None:
    found = data_of(page())["analysis"]["mistakes"]
    assert [one["turn"] for one in found] == list(MISTAKES)
    assert [one["why"] for one in found] == [why(one["seat"]) for one in found]
    assert {tuple(one["loss"]) for one in found} == {(25, 20, 30)}


def test_better_turns_are_positions_of_the_engine(tmp_path: Path) -> None:
    record = write_record(tmp_path / "game.jsonl", game_of(BRIEF))
    write_analysis(record, MISTAKES)
    timeline, everything = open_timeline(record), Viewpoint()
    for mistake in data_of(page_of(record))["analysis"]["mistakes"]:
        state, strikes = timeline.state(mistake["step"]), timeline.strikes(mistake["step"])
        shown = cells(state, strikes, everything)
        line = mistake["better"]
        for seat, delta, sentences in zip(
            line["seats"], line["deltas"], line["sentences"], strict=True
        ):
            assert state.agenda[-1].seat == seat
            assert sentences
            shown = applied(shown, delta)
            index = _reaches(state, shown, strikes)
            assert index is not None
            game.apply(state, index)


def _reaches(state: Any, wanted: Cells, strikes: Any) -> int | None:
    """The choice after which a position has these cells."""
    for index in range(len(game.choices(state))):
        after = state.copy()
        game.apply(after, index)
        if cells(after, strikes, Viewpoint()) == wanted:
            return index
    return None


def test_a_seat_gets_only_the_analysis_of_its_own_turns() -> None:
    for seat in (0, 1):
        text = page(seat)
        turns = [one["turn"] for one in data_of(text).get("analysis", {}).get("mistakes", ())]
        assert turns == [turn for turn in MISTAKES if (turn - 1) % 4 == seat]
        assert not any(why(other) in text for other in range(4) if other != seat)


def test_a_seat_gets_nothing_that_was_judged_by_the_whole_truth() -> None:
    assert "analysis" not in data_of(page(0, omniscient=True))
    assert "analysis" in data_of(page(omniscient=True))


@pytest.mark.parametrize("is_over", [True, False])
def test_spectators_get_the_analysis_when_the_game_is_over(is_over: bool, tmp_path: Path) -> None:
    upto = None if is_over else 15
    record = write_record(tmp_path / "game.jsonl", game_of(BRIEF), upto=upto)
    write_analysis(record)
    timeline = open_timeline(record)
    steps = GameSteps(open_timeline(record), SPECTATOR)
    for number in range(timeline.last + 1):
        steps.add(number)
    steps.finish()
    frame = SiteFrame("a site", "", frozenset())
    assert ("analysis" in data_of(live_page_of(steps, frame, None))) == is_over
    assert "analysis" not in data_of(live_page_of(steps, frame, {"events": "x", "after": "1"}))


def test_the_page_of_a_long_game_with_an_analysis_is_small(
    tmp_path: Path,
) -> None:
    """Every fifth turn is a mistake, in a game of five that random players made long."""
    record = write_record(tmp_path / "game.jsonl", played(LONG))
    turns = open_timeline(record).turns[-1].turn
    plain = len(page_of(record).encode())
    write_analysis(record, range(1, turns, 5))
    size = len(page_of(record).encode())
    print(f"page of {turns} turns: {plain:,} bytes, {size:,} with an analysis")  # noqa: T201  shown by -rP
    assert turns > 100
    assert plain < size < LARGEST_PAGE
