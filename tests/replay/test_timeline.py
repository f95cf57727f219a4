"""The steps of a recorded game are the engine's, and every jump leads to what it promises."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from referee.engine.serialize import event_words
from referee.errors import RecordRefused
from referee.replay.position import position_at
from referee.replay.search import Search, plain
from referee.replay.timeline import Timeline, open_timeline
from support.board_records import write_record
from support.random_games import decisions
from support.replay_games import EVERY, FULL, SHORT, abandoned_record, game_of, record, timeline


def events_at(line: Timeline, step: int) -> list[str]:
    state = line.state(step)
    return [str(event_words(state, event)["event"]) for event in line.events(step)]


def said(line: Timeline, step: int, eyes: int | None = None) -> list[str]:
    return [plain(sentence, line.names) for sentence in line.told(step, eyes)]


@pytest.mark.parametrize("name", EVERY)
def test_every_step_has_the_position_of_the_engine(name: str) -> None:
    line = timeline(name)
    digests = [state.digest() for state in decisions(game_of(name))]
    assert line.last == len(digests) - 1
    steps = list(range(len(digests)))
    Random(name).shuffle(steps)
    assert all(line.state(step).digest() == digests[step] for step in steps)


@pytest.mark.parametrize("name", EVERY)
def test_the_marks_are_the_steps_whose_events_say_so(name: str) -> None:
    line = timeline(name)
    told = [events_at(line, step) for step in range(len(line.steps))]
    assert line.displacements == [at for at, events in enumerate(told) if "displaced" in events]
    created = [at for at, events in enumerate(told) if {"created", "neutral-created"} & {*events}]
    assert line.creations == created
    assert line.creations
    assert [mark.step for mark in line.turns] == [
        at for at, events in enumerate(told) if "turn" in events
    ]
    assert [mark.turn for mark in line.turns] == list(range(1, len(line.turns) + 1))
    assert all(line.state(mark.step).active == mark.seat for mark in line.turns)


@pytest.mark.parametrize("name", EVERY)
def test_every_step_tells_something(name: str) -> None:
    line = timeline(name)
    assert all(said(line, step) for step in range(len(line.steps)))
    assert "The game ended because" in plain(line.coda()[-1], line.names)


def test_a_position_can_be_changed_by_the_one_who_asked_for_it() -> None:
    line = timeline(SHORT)
    line.state(16).points[0] = 99
    assert line.state(16).points[0] != 99


# --- Eyes


def test_a_seat_sees_its_own_mission_alone_until_the_game_is_over() -> None:
    line = timeline(SHORT)
    assert all(position_at(line, 10, None).missions)
    seen = position_at(line, 10, 1)
    assert [mission is not None for mission in seen.missions] == [False, True, False]
    assert seen.result.missions == seen.missions
    assert all(position_at(line, line.last, 1).missions)


def test_the_score_that_a_seat_sees_is_without_the_missions_of_others() -> None:
    line = timeline(SHORT)
    for step in range(0, line.last, 25):
        seen = position_at(line, step, 1).result.standings
        true = position_at(line, step, None).result.standings
        assert [one.parts["missions"] for one in seen] == [0, true[1].parts["missions"], 0]
        assert seen[1].total == true[1].total
        assert [one.total for one in seen[::2]] == [
            one.total - one.parts["missions"] for one in true[::2]
        ]
        assert [one.rank for one in seen] == [
            1 + sum(other.total > one.total for other in seen) for one in seen
        ]


def test_remarks_are_heard_by_the_one_who_made_them_alone() -> None:
    line = timeline(SHORT)
    assert said(line, 1)[0].endswith("first!")
    seat = line.steps[1].seat
    assert said(line, 1, seat) == said(line, 1)
    assert said(line, 1, (seat + 1) % 3) == said(line, 1)[1:]


def test_others_hear_of_a_fault_only_that_it_disqualifies() -> None:
    line = open_timeline(abandoned_record())
    fault = line.faults[0]
    assert "(crash, decision" in said(line, fault.step, fault.fault.seat)[0]
    other = said(line, fault.step, (fault.fault.seat + 1) % 3)[0]
    assert other.endswith("is disqualified (crash)")


# --- Records that are not whole


def test_a_game_that_was_given_up_ends_with_a_step_of_nobody() -> None:
    line = open_timeline(abandoned_record())
    assert [mark.fault.seat for mark in line.faults] == [0, 1, 2]
    assert line.steps[-1].choice is None
    assert line.state(line.last).is_over
    assert not line.state(line.last - 1).is_over
    assert "nobody was left" in plain(line.coda()[-1], line.names)
    assert line.conduct(line.last).nobody_answers()
    assert not line.conduct(line.faults[1].step).nobody_answers()


def test_a_record_that_breaks_off_is_shown_as_far_as_it_goes(tmp_path: Path) -> None:
    path = write_record(tmp_path / "cut.jsonl", game_of(SHORT), upto=50)
    path.write_bytes(path.read_bytes() + b'{"line":"deci')
    line = open_timeline(path)
    assert (line.last, line.is_finished, line.is_complete) == (50, False, False)
    assert plain(line.coda()[-1], line.names) == "the record breaks off here"


def test_nothing_is_shown_from_the_first_wrong_line_on(tmp_path: Path) -> None:
    lines = record(SHORT).read_bytes().splitlines(keepends=True)
    at = next(n for n, raw in enumerate(lines) if b'"id":40,' in raw)
    words = json.loads(lines[at])
    lines[at] = json.dumps({**words, "choice": 9999}).encode() + b"\n"
    path = tmp_path / "wrong.jsonl"
    path.write_bytes(b"".join(lines))
    line = open_timeline(path)
    assert (line.last, line.is_finished, line.is_complete) == (39, True, False)
    assert "wrong from here on: choice 9999" in plain(line.coda()[-1], line.names)


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"nonsense\n", b'{"line":"game"}\n', b"[" * 100_000 + b"\n"]
)
def test_what_is_no_record_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(data)
    with pytest.raises(RecordRefused):
        open_timeline(path)


# --- Records that grow


def test_a_timeline_grows_with_its_record(tmp_path: Path) -> None:
    raw = record(SHORT).read_bytes()
    path = tmp_path / "growing.jsonl"
    path.write_bytes(b"")
    line = Timeline(path)
    assert not line.grow()
    with path.open("ab", buffering=0) as file:
        for begin in range(0, len(raw), 5000):
            file.write(raw[begin : begin + 5000])
            line.grow()
            assert not line.is_finished or begin + 5000 >= len(raw)
    assert line.is_complete
    whole = timeline(SHORT)
    assert [step.told for step in line.steps] == [step.told for step in whole.steps]
    assert line.turns == whole.turns
    assert not line.grow()


def test_searching_finds_the_steps_that_tell_of_it() -> None:
    line = timeline(FULL)
    wanted = [at for at in range(len(line.steps)) if "Lübeck" in " ".join(said(line, at))]
    search = Search(line)
    assert search.found(None) == []
    search.text = "LÜBECK"
    assert search.found(None) == wanted
    search.text = "first!"
    assert search.found(None) == [1]
    assert search.found((line.steps[1].seat + 1) % 4) == []
