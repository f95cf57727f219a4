"""What every key does, without a terminal."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from referee.replay.controller import PANES, SPEEDS, ReplayController
from referee.replay.position import Viewpoint
from referee.replay.timeline import open_timeline
from support.board_records import write_record
from support.replay_games import FULL, SHORT, abandoned_record, game_of, record, timeline


def controller(name: str = FULL, viewer_seat: int | None = None) -> ReplayController:
    return ReplayController(timeline(name), Viewpoint(viewer_seat))


def press(one: ReplayController, keys: Iterable[str]) -> ReplayController:
    for key in keys:
        one.press(key)
    return one


def test_arrows_go_from_decision_to_decision() -> None:
    one = press(controller(), ["right", "right", "enter", "left"])
    assert one.at == 2
    assert press(one, ["left"] * 5).at == 0
    assert press(one, ["end"]).at == one.timeline.last
    assert press(one, ["right"]).at == one.timeline.last
    assert press(one, ["home"]).at == 0


def test_turn_keys_go_to_the_beginnings_of_turns() -> None:
    one, turns = controller(), timeline(FULL).turns
    assert press(one, ["down", "n"]).at == turns[2].step
    assert press(one, ["right", "up"]).at == turns[2].step
    assert press(one, ["p"]).at == turns[1].step
    assert press(one, ["page-up"] * 3).at == 0
    assert press(one, ["page-down"] * 1000).at == one.timeline.last


def test_brackets_go_to_the_turns_of_one_player() -> None:
    one, turns = controller(), timeline(FULL).turns
    assert press(one, ["]"]).at == turns[4].step
    assert press(one, ["["]).at == turns[0].step
    assert [press(one, ["m"]).player for _ in range(3)] == [0, 1, 2]
    assert press(one, ["]", "]"]).at == turns[6].step
    assert [press(one, ["m"]).player for _ in range(2)] == [3, None]
    assert "active player" in one.notice


@pytest.mark.parametrize(("key", "marks"), [("x", "displacements"), ("c", "creations")])
def test_marks_can_be_jumped_to_in_both_directions(key: str, marks: str) -> None:
    one, steps = controller(), getattr(timeline(FULL), marks)
    found = [press(one, [key]).at for _ in steps]
    assert found == steps
    press(one, [key])
    assert one.at == steps[-1]
    assert "no " in one.notice
    assert [press(one, [key.upper()]).at for _ in steps[1:]] == steps[-2::-1]


def test_f_jumps_to_faults() -> None:
    one = ReplayController(open_timeline(abandoned_record()))
    steps = [mark.step for mark in one.timeline.faults]
    assert [press(one, ["f"]).at for _ in steps] == steps
    assert press(one, ["F"]).at == steps[-2]
    assert press(controller(SHORT), ["f"]).notice == "no fault after this"


def test_a_number_and_enter_go_to_that_decision() -> None:
    assert press(controller(), [*"123", "enter"]).at == 123
    assert press(controller(), [*"12x3", "backspace", "enter"]).at == 12
    one = press(controller(), [*"99999999999999999999", "enter"])
    assert (one.at, one.notice) == (one.timeline.last, f"the last decision is {one.timeline.last}")
    assert press(controller(), ["5", "escape"]).at == 0
    assert press(controller(), ["5", "clear", "enter"]).at == 0
    assert press(controller(), ["5", "backspace", "backspace", "right"]).at == 1


def test_t_and_a_number_go_to_that_turn() -> None:
    turns = timeline(FULL).turns
    assert press(controller(), ["t", *"30", "enter"]).at == turns[29].step
    one = press(controller(), ["t", *"9999", "enter"])
    assert one.at == turns[-1].step
    assert one.notice == f"the turns go from 1 to {len(turns)}"
    assert press(controller(), ["t", "0", "enter"]).at == 0


def test_the_log_can_be_searched() -> None:
    one = press(controller(), ["/", *"creates the", "enter"])
    marks = timeline(FULL).creations
    assert one.at == marks[0]
    assert press(one, [".", "."]).at == marks[2]
    assert press(one, [","]).at == marks[1]
    assert press(one, ["/", "enter"]).at == marks[2]
    assert press(one, ["/", *"no such thing", "enter"]).at == marks[2]
    assert one.notice == "no “no such thing” after this"
    assert press(controller(), ["."]).prompt == "search"
    assert press(controller(), ["/", "q"]).typed == "q"


def test_panes_and_help() -> None:
    one = controller()
    assert [press(one, ["tab"]).pane for _ in PANES] == [*PANES[1:], PANES[0]]
    assert press(one, ["back-tab"]).pane == "log"
    assert [press(one, [key]).pane for key in "bdsl"] == list(PANES)
    assert press(one, ["?"]).shows_help
    assert press(one, ["j", "down", "k"]).scrolled == 1
    assert not press(one, ["right"]).shows_help
    assert one.at == 0
    assert press(one, ["z"]).zoomed
    assert press(one, ["?", "q"]).has_quit


def test_e_changes_the_viewpoint_unless_it_was_chosen() -> None:
    one = controller()
    assert [press(one, ["e"]).viewpoint.seat for _ in range(5)] == [0, 1, 2, 3, None]
    one = press(controller(viewer_seat=2), ["e"])
    assert one.viewpoint.seat == 2
    assert "--seat" in one.notice


def test_space_plays_at_the_chosen_speed() -> None:
    one = press(controller(), [" "])
    assert one.playing
    assert not one.pass_time(0.3)
    assert one.pass_time(0.3)
    assert one.at == 1
    assert one.seconds_to_next_step() == pytest.approx(0.4)
    press(one, ["+"])
    assert one.speed == 4
    one.pass_time(10.0)
    assert one.at == 41
    press(one, ["right"])
    assert (one.at, one.playing, one.seconds_to_next_step()) == (42, False, None)
    assert press(one, ["-"] * 20).speed == SPEEDS[0]
    assert press(one, ["+"] * 20).speed == SPEEDS[-1]
    press(one, [" "]).pass_time(1000)
    assert (one.at, one.playing) == (one.timeline.last, False)
    assert press(one, [" "]).at == 0
    assert not press(one, ["escape"]).playing


def test_the_end_of_a_growing_record_stays_in_view(tmp_path: Path) -> None:
    path = write_record(tmp_path / "game.jsonl", game_of(SHORT), upto=20)
    line = open_timeline(path)
    one = press(ReplayController(line), ["end"])
    shutil.copy(write_record(tmp_path / "more.jsonl", game_of(SHORT), upto=30), path)
    assert line.grow()
    one.on_growth(20)
    assert one.at == 30
    press(one, ["left"])
    one.on_growth(30)
    assert one.at == 29


def test_unknown_keys_do_nothing() -> None:
    one = press(controller(), ["right"])
    before = (one.at, one.pane, one.viewpoint, one.playing)
    press(one, ["ü", "Q", "%", "delete", "back", ""])
    assert (one.at, one.pane, one.viewpoint, one.playing) == before
    assert record(FULL).exists()
