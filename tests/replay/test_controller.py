"""What every key does, without a terminal."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from referee.replay.controller import PANES, SPEEDS, Viewer
from referee.replay.timeline import open_timeline
from support.board_records import write_record
from support.replay_games import FULL, SHORT, abandoned_record, game_of, record, timeline


def viewer(name: str = FULL, eyes: int | None = None) -> Viewer:
    return Viewer(timeline(name), eyes)


def press(one: Viewer, keys: Iterable[str]) -> Viewer:
    for key in keys:
        one.press(key)
    return one


def test_arrows_go_from_decision_to_decision() -> None:
    one = press(viewer(), ["right", "right", "enter", "left"])
    assert one.at == 2
    assert press(one, ["left"] * 5).at == 0
    assert press(one, ["end"]).at == one.timeline.last
    assert press(one, ["right"]).at == one.timeline.last
    assert press(one, ["home"]).at == 0


def test_turns_are_gone_through_by_their_beginnings() -> None:
    one, turns = viewer(), timeline(FULL).turns
    assert press(one, ["down", "n"]).at == turns[2].step
    assert press(one, ["right", "up"]).at == turns[2].step
    assert press(one, ["p"]).at == turns[1].step
    assert press(one, ["page-up"] * 3).at == 0
    assert press(one, ["page-down"] * 1000).at == one.timeline.last


def test_the_turns_of_one_player() -> None:
    one, turns = viewer(), timeline(FULL).turns
    assert press(one, ["]"]).at == turns[4].step
    assert press(one, ["["]).at == turns[0].step
    assert [press(one, ["m"]).player for _ in range(3)] == [0, 1, 2]
    assert press(one, ["]", "]"]).at == turns[6].step
    assert [press(one, ["m"]).player for _ in range(2)] == [3, None]
    assert "whoever" in one.notice


@pytest.mark.parametrize(("key", "marks"), [("x", "displacements"), ("c", "creations")])
def test_marks_are_jumped_to_both_ways(key: str, marks: str) -> None:
    one, steps = viewer(), getattr(timeline(FULL), marks)
    found = [press(one, [key]).at for _ in steps]
    assert found == steps
    press(one, [key])
    assert one.at == steps[-1]
    assert "no " in one.notice
    assert [press(one, [key.upper()]).at for _ in steps[1:]] == steps[-2::-1]


def test_faults_are_jumped_to() -> None:
    one = Viewer(open_timeline(abandoned_record()))
    steps = [mark.step for mark in one.timeline.faults]
    assert [press(one, ["f"]).at for _ in steps] == steps
    assert press(one, ["F"]).at == steps[-2]
    assert press(viewer(SHORT), ["f"]).notice == "no fault after this"


def test_a_number_leads_to_a_decision() -> None:
    assert press(viewer(), [*"123", "enter"]).at == 123
    assert press(viewer(), [*"12x3", "backspace", "enter"]).at == 12
    one = press(viewer(), [*"99999999999999999999", "enter"])
    assert (one.at, one.notice) == (one.timeline.last, f"the last decision is {one.timeline.last}")
    assert press(viewer(), ["5", "escape"]).at == 0
    assert press(viewer(), ["5", "clear", "enter"]).at == 0
    assert press(viewer(), ["5", "backspace", "backspace", "right"]).at == 1


def test_a_turn_can_be_asked_for() -> None:
    turns = timeline(FULL).turns
    assert press(viewer(), ["t", *"30", "enter"]).at == turns[29].step
    one = press(viewer(), ["t", *"9999", "enter"])
    assert one.at == turns[-1].step
    assert one.notice == f"the turns go from 1 to {len(turns)}"
    assert press(viewer(), ["t", "0", "enter"]).at == 0


def test_the_log_can_be_searched() -> None:
    one = press(viewer(), ["/", *"creates the", "enter"])
    marks = timeline(FULL).creations
    assert one.at == marks[0]
    assert press(one, [".", "."]).at == marks[2]
    assert press(one, [","]).at == marks[1]
    assert press(one, ["/", "enter"]).at == marks[2]
    assert press(one, ["/", *"no such thing", "enter"]).at == marks[2]
    assert one.notice == "no “no such thing” after this"
    assert press(viewer(), ["."]).asking == "search"
    assert press(viewer(), ["/", "q"]).typed == "q"


def test_panes_and_help() -> None:
    one = viewer()
    assert [press(one, ["tab"]).pane for _ in PANES] == [*PANES[1:], PANES[0]]
    assert press(one, ["back-tab"]).pane == "log"
    assert [press(one, [key]).pane for key in "bdsl"] == list(PANES)
    assert press(one, ["?"]).helps
    assert press(one, ["j", "down", "k"]).scrolled == 1
    assert not press(one, ["right"]).helps
    assert one.at == 0
    assert press(one, ["z"]).zoomed
    assert press(one, ["?", "q"]).left


def test_eyes_go_round_unless_they_were_chosen() -> None:
    one = viewer()
    assert [press(one, ["e"]).eyes for _ in range(5)] == [0, 1, 2, 3, None]
    one = press(viewer(eyes=2), ["e"])
    assert one.eyes == 2
    assert "chosen" in one.notice


def test_it_plays_on_at_a_speed() -> None:
    one = press(viewer(), [" "])
    assert one.playing
    assert not one.pass_time(0.3)
    assert one.pass_time(0.3)
    assert one.at == 1
    assert one.patience() == pytest.approx(0.4)
    press(one, ["+"])
    assert one.speed == 4
    one.pass_time(10.0)
    assert one.at == 41
    press(one, ["right"])
    assert (one.at, one.playing, one.patience()) == (42, False, None)
    assert press(one, ["-"] * 20).speed == SPEEDS[0]
    assert press(one, ["+"] * 20).speed == SPEEDS[-1]
    press(one, [" "]).pass_time(1000)
    assert (one.at, one.playing) == (one.timeline.last, False)
    assert press(one, [" "]).at == 0
    assert not press(one, ["escape"]).playing


def test_who_looks_at_the_end_of_a_growing_record_stays_there(tmp_path: Path) -> None:
    path = write_record(tmp_path / "game.jsonl", game_of(SHORT), upto=20)
    line = open_timeline(path)
    one = press(Viewer(line), ["end"])
    shutil.copy(write_record(tmp_path / "more.jsonl", game_of(SHORT), upto=30), path)
    assert line.grow()
    one.grown(20)
    assert one.at == 30
    press(one, ["left"])
    one.grown(30)
    assert one.at == 29


def test_unknown_keys_do_nothing() -> None:
    one = press(viewer(), ["right"])
    before = (one.at, one.pane, one.eyes, one.playing)
    press(one, ["ü", "Q", "%", "delete", "back", ""])
    assert (one.at, one.pane, one.eyes, one.playing) == before
    assert record(FULL).exists()
