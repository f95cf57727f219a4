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


def press(replay: ReplayController, keys: Iterable[str]) -> ReplayController:
    for key in keys:
        replay.press(key)
    return replay


def test_arrows_go_from_decision_to_decision() -> None:
    replay = press(controller(), ["right", "right", "enter", "left"])
    assert replay.at == 2
    assert press(replay, ["left"] * 5).at == 0
    assert press(replay, ["end"]).at == replay.timeline.last
    assert press(replay, ["right"]).at == replay.timeline.last
    assert press(replay, ["home"]).at == 0


def test_turn_keys_go_to_the_beginnings_of_turns() -> None:
    replay, turns = controller(), timeline(FULL).turns
    assert press(replay, ["down", "n"]).at == turns[2].step
    assert press(replay, ["right", "up"]).at == turns[2].step
    assert press(replay, ["p"]).at == turns[1].step
    assert press(replay, ["page-up"] * 3).at == 0
    assert press(replay, ["page-down"] * 1000).at == replay.timeline.last


def test_brackets_go_to_the_turns_of_one_player() -> None:
    replay, turns = controller(), timeline(FULL).turns
    assert press(replay, ["]"]).at == turns[4].step
    assert press(replay, ["["]).at == turns[0].step
    assert [press(replay, ["m"]).player for _ in range(3)] == [0, 1, 2]
    assert press(replay, ["]", "]"]).at == turns[6].step
    assert [press(replay, ["m"]).player for _ in range(2)] == [3, None]
    assert "active player" in replay.notice


@pytest.mark.parametrize(("key", "marks"), [("x", "displacements"), ("c", "creations")])
def test_marks_can_be_jumped_to_in_both_directions(key: str, marks: str) -> None:
    replay, steps = controller(), getattr(timeline(FULL), marks)
    found = [press(replay, [key]).at for _ in steps]
    assert found == steps
    press(replay, [key])
    assert replay.at == steps[-1]
    assert "no " in replay.notice
    assert [press(replay, [key.upper()]).at for _ in steps[1:]] == steps[-2::-1]


def test_f_jumps_to_faults() -> None:
    replay = ReplayController(open_timeline(abandoned_record()))
    steps = [mark.step for mark in replay.timeline.faults]
    assert [press(replay, ["f"]).at for _ in steps] == steps
    assert press(replay, ["F"]).at == steps[-2]
    assert press(controller(SHORT), ["f"]).notice == "no fault after this"


def test_a_number_and_enter_go_to_that_decision() -> None:
    assert press(controller(), [*"123", "enter"]).at == 123
    assert press(controller(), [*"12x3", "backspace", "enter"]).at == 12
    replay = press(controller(), [*"99999999999999999999", "enter"])
    assert (replay.at, replay.notice) == (
        replay.timeline.last,
        f"the last decision is {replay.timeline.last}",
    )
    assert press(controller(), ["5", "escape"]).at == 0
    assert press(controller(), ["5", "clear", "enter"]).at == 0
    assert press(controller(), ["5", "backspace", "backspace", "right"]).at == 1


def test_t_and_a_number_go_to_that_turn() -> None:
    turns = timeline(FULL).turns
    assert press(controller(), ["t", *"30", "enter"]).at == turns[29].step
    replay = press(controller(), ["t", *"9999", "enter"])
    assert replay.at == turns[-1].step
    assert replay.notice == f"turns are numbered from 1 to {len(turns)}"
    assert press(controller(), ["t", "0", "enter"]).at == 0


def test_the_log_can_be_searched() -> None:
    replay = press(controller(), ["/", *"creates the", "enter"])
    marks = timeline(FULL).creations
    assert replay.at == marks[0]
    assert press(replay, [".", "."]).at == marks[2]
    assert press(replay, [","]).at == marks[1]
    assert press(replay, ["/", "enter"]).at == marks[2]
    assert press(replay, ["/", *"no such thing", "enter"]).at == marks[2]
    assert replay.notice == "no “no such thing” after this"
    assert press(controller(), ["."]).prompt == "search"
    assert press(controller(), ["/", "q"]).typed == "q"


def test_panes_and_help() -> None:
    replay = controller()
    assert [press(replay, ["tab"]).pane for _ in PANES] == [*PANES[1:], PANES[0]]
    assert press(replay, ["back-tab"]).pane == "log"
    assert [press(replay, [key]).pane for key in "bdsl"] == list(PANES)
    assert press(replay, ["?"]).shows_help
    assert press(replay, ["j", "down", "k"]).scrolled == 1
    assert not press(replay, ["right"]).shows_help
    assert replay.at == 0
    assert press(replay, ["z"]).zoomed
    assert press(replay, ["?", "q"]).has_quit


def test_e_changes_the_viewpoint_unless_it_was_chosen() -> None:
    replay = controller()
    assert [press(replay, ["e"]).viewpoint.seat for _ in range(5)] == [0, 1, 2, 3, None]
    replay = press(controller(viewer_seat=2), ["e"])
    assert replay.viewpoint.seat == 2
    assert "--seat" in replay.notice


def test_space_plays_at_the_chosen_speed() -> None:
    replay = press(controller(), [" "])
    assert replay.playing
    assert not replay.pass_time(0.3)
    assert replay.pass_time(0.3)
    assert replay.at == 1
    assert replay.seconds_to_next_step() == pytest.approx(0.4)
    press(replay, ["+"])
    assert replay.speed == 4
    replay.pass_time(10.0)
    assert replay.at == 41
    press(replay, ["right"])
    assert (replay.at, replay.playing, replay.seconds_to_next_step()) == (42, False, None)
    assert press(replay, ["-"] * 20).speed == SPEEDS[0]
    assert press(replay, ["+"] * 20).speed == SPEEDS[-1]
    press(replay, [" "]).pass_time(1000)
    assert (replay.at, replay.playing) == (replay.timeline.last, False)
    assert press(replay, [" "]).at == 0
    assert not press(replay, ["escape"]).playing


def test_the_end_of_a_growing_record_stays_in_view(tmp_path: Path) -> None:
    path = write_record(tmp_path / "game.jsonl", game_of(SHORT), upto=20)
    line = open_timeline(path)
    replay = press(ReplayController(line), ["end"])
    shutil.copy(write_record(tmp_path / "more.jsonl", game_of(SHORT), upto=30), path)
    assert line.grow()
    replay.on_growth(20)
    assert replay.at == 30
    press(replay, ["left"])
    replay.on_growth(30)
    assert replay.at == 29


def test_unknown_keys_do_nothing() -> None:
    replay = press(controller(), ["right"])
    before = (replay.at, replay.pane, replay.viewpoint, replay.playing)
    press(replay, ["ü", "Q", "%", "delete", "back", ""])
    assert (replay.at, replay.pane, replay.viewpoint, replay.playing) == before
    assert record(FULL).exists()
