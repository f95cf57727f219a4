"""What the screens show of an analysis: no seat sees more than it may, and a wrong file harms nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from referee.analysis.lines import TurnAnalysis
from referee.analysis.shown import better_line, shown_analysis
from referee.analysis.turns import finished_turns
from referee.engine import game
from referee.engine.digest import position_key
from referee.records.find import analysis_path
from referee.replay.position import SPECTATOR, Viewpoint
from referee.replay.timeline import Timeline, open_timeline
from support.analysed_games import chances, write_analysis
from support.board_records import write_record
from support.replay_games import game_of

EVERYTHING = Viewpoint()
SHORT = "hanse-2-3:3:original+missions+max_turns=12"


@pytest.fixture(scope="module")
def analysed(tmp_path_factory: pytest.TempPathFactory) -> Timeline:
    """A finished game with missions; every turn is a mistake."""
    record = write_record(tmp_path_factory.mktemp("shown") / "game.jsonl", game_of(SHORT))
    write_analysis(record)
    return open_timeline(record)


def copied(timeline: Timeline, folder: Path) -> Timeline:
    """A copy of a record without its analysis."""
    return open_timeline(Path(shutil.copy(timeline.path, folder / "game.jsonl")))


def turns_seen(timeline: Timeline, viewpoint: Viewpoint) -> set[int]:
    found = shown_analysis(timeline, viewpoint)
    return {turn.seat for turn in found.turns} if found else set()


def test_without_an_analysis_there_is_nothing_to_see(analysed: Timeline, tmp_path: Path) -> None:
    assert shown_analysis(copied(analysed, tmp_path), EVERYTHING) is None


def test_a_seat_sees_the_analysis_of_its_own_turns(analysed: Timeline) -> None:
    assert turns_seen(analysed, EVERYTHING) == {0, 1, 2}
    assert turns_seen(analysed, Viewpoint(1)) == {1}
    assert turns_seen(analysed, SPECTATOR) == {0, 1, 2}


def test_a_summary_needs_all_turns(analysed: Timeline) -> None:
    everything, one_seat = (shown_analysis(analysed, Viewpoint(seat)) for seat in (None, 1))
    assert everything is not None
    assert everything.summary.startswith(("Decided in turn", "Adele"))
    assert one_seat is not None
    assert one_seat.summary == ""


def test_what_judged_by_the_whole_truth_is_hidden_from_seats(
    analysed: Timeline, tmp_path: Path
) -> None:
    timeline = copied(analysed, tmp_path)
    write_analysis(timeline.path, omniscient=True)
    assert turns_seen(timeline, Viewpoint(1)) == set()
    assert turns_seen(timeline, EVERYTHING) == {0, 1, 2}


def test_spectators_of_a_game_that_goes_on_see_no_analysis(tmp_path: Path) -> None:
    record = write_record(tmp_path / "game.jsonl", game_of(SHORT), upto=30)
    write_analysis(record)
    assert turns_seen(open_timeline(record), SPECTATOR) == set()
    assert turns_seen(open_timeline(record), EVERYTHING) == {0, 1, 2}


def test_chances_are_known_where_turns_begin_and_at_the_end(analysed: Timeline) -> None:
    found = shown_analysis(analysed, EVERYTHING)
    assert found is not None
    points = list(found.points())
    assert [point.step for point in points] == [
        *(mark.step for mark in analysed.turns[: len(found.turns)]),
        analysed.last,
    ]
    assert [point.chances for point in points] == [chances(3, point.step) for point in points]


def test_a_seat_sees_chances_around_its_turns_alone(analysed: Timeline) -> None:
    found = shown_analysis(analysed, Viewpoint(1))
    assert found is not None
    turns = [turn for turn in finished_turns(analysed) if turn.seat == 1]
    ends = [step for turn in turns for step in (turn.first, turn.last)]
    assert [point.step for point in found.points()] == ends


def test_a_step_is_in_the_turn_that_begins_there(analysed: Timeline) -> None:
    found = shown_analysis(analysed, EVERYTHING)
    own = shown_analysis(analysed, Viewpoint(1))
    assert found is not None
    assert own is not None
    for turn in found.turns:
        assert found.turn_at(turn.first_step) == turn
        assert found.turn_at(turn.last_step - 1) == turn
        assert own.turn_at(turn.first_step) == (turn if turn.seat == 1 else None)
    assert found.turn_at(analysed.last) == found.turns[-1]


def test_a_better_turn_is_played_out_from_where_the_turn_began(analysed: Timeline) -> None:
    found = shown_analysis(analysed, EVERYTHING)
    assert found is not None
    for turn in found.turns[::3]:
        assert turn.best is not None
        state = analysed.state(turn.first_step)
        line = better_line(analysed, turn, EVERYTHING)
        assert len(line) == len(turn.best.choices)
        for (seat, index), step in zip(turn.best.choices, line, strict=True):
            game.apply(state, index)
            assert position_key(step.state) == position_key(state)
            assert step.seat == seat
            assert step.sentences


def ending_turn(timeline: Timeline) -> TurnAnalysis:
    """The last turn, with what was played as the better turn: it ends the game."""
    found = shown_analysis(timeline, EVERYTHING)
    assert found is not None
    turn = found.turns[-1]
    assert turn.best is not None
    steps = timeline.steps[turn.first_step + 1 : turn.last_step + 1]
    trail = [(step.seat, step.picked) for step in steps]
    return msgspec.structs.replace(turn, best=msgspec.structs.replace(turn.best, choices=trail))


def test_a_better_turn_that_ends_the_game_opens_no_missions_to_a_seat(analysed: Timeline) -> None:
    turn = ending_turn(analysed)
    assert better_line(analysed, turn, EVERYTHING)[-1].state.is_over
    assert better_line(analysed, turn, SPECTATOR)[-1].state.is_over
    seen = better_line(analysed, turn, Viewpoint(turn.seat))
    assert not any(step.state.is_over for step in seen)
    assert len(seen) < len(better_line(analysed, turn, EVERYTHING))


def test_an_illegal_choice_ends_a_better_turn(analysed: Timeline) -> None:
    found = shown_analysis(analysed, EVERYTHING)
    assert found is not None
    turn = found.turns[5]
    assert turn.best is not None
    for wrong in (10**6, -1):
        trail = [turn.best.choices[0], (turn.seat, wrong), turn.best.choices[0]]
        spoilt = msgspec.structs.replace(turn.best, choices=trail)
        line = better_line(analysed, msgspec.structs.replace(turn, best=spoilt), EVERYTHING)
        assert len(line) == 1


@pytest.mark.parametrize("wrong", [{"names": ["one"]}, {"winners": [3]}], ids=str)
def test_an_analysis_of_other_seats_is_left_out(
    wrong: dict[str, object], analysed: Timeline, tmp_path: Path
) -> None:
    timeline = copied(analysed, tmp_path)
    header, *rest = analysis_path(analysed.path).read_bytes().splitlines(keepends=True)
    spoilt = msgspec.json.encode(msgspec.json.decode(header) | wrong) + b"\n"
    analysis_path(timeline.path).write_bytes(b"".join([spoilt, *rest]))
    assert shown_analysis(timeline, EVERYTHING) is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"turn": 0},
        {"turn": 9999},
        {"seat": 2},
        {"first_step": 1},
        {"last_step": 10**9},
        {"chances": [0.5]},
        {"chances_after": [2.0, -1.0, 0.0]},
    ],
    ids=str,
)
def test_a_turn_that_does_not_fit_the_record_is_left_out(
    wrong: dict[str, object], analysed: Timeline, tmp_path: Path
) -> None:
    timeline = copied(analysed, tmp_path)
    header, first, *rest = analysis_path(analysed.path).read_bytes().splitlines(keepends=True)
    spoilt = msgspec.json.encode(msgspec.json.decode(first) | wrong) + b"\n"
    analysis_path(timeline.path).write_bytes(b"".join([header, spoilt, *rest]))
    found = shown_analysis(timeline, EVERYTHING)
    assert found is not None
    assert [turn.turn for turn in found.turns] == list(range(2, len(rest) + 2))
