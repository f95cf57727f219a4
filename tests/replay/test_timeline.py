"""The steps of a recorded game are those of the engine, and the marks are at the right steps."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from referee.engine.serialize import event_words
from referee.errors import RecordRefused
from referee.narration.log import narrated
from referee.replay.position import Viewpoint, position_at
from referee.replay.search import Search
from referee.replay.timeline import Timeline, open_timeline
from support.board_records import write_record
from support.random_games import decisions
from support.replay_games import EVERY, FULL, SHORT, abandoned_record, game_of, record, timeline


def events_at(line: Timeline, step: int) -> list[str]:
    state = line.state(step)
    return [str(event_words(state, event)["event"]) for event in line.events(step)]


def texts(line: Timeline, step: int, viewer_seat: int | None = None) -> list[str]:
    sentences = Viewpoint(viewer_seat).sentences(line, step)
    return [line.log.plain_text(sentence) for sentence in sentences]


def closing(line: Timeline) -> str:
    return line.log.plain_text(Viewpoint().closing_sentences(line)[-1])


@pytest.mark.parametrize("name", EVERY[::2])
def test_every_step_has_the_position_of_the_engine(name: str) -> None:
    line = timeline(name)
    digests = [state.digest() for state in decisions(game_of(name))]
    assert line.last == len(digests) - 1
    steps = list(range(len(digests)))
    Random(name).shuffle(steps)
    assert all(line.state(step).digest() == digests[step] for step in steps)


@pytest.mark.parametrize("name", EVERY[::2])
def test_marks_are_at_the_steps_with_such_events(name: str) -> None:
    line = timeline(name)
    events = [events_at(line, step) for step in range(len(line.steps))]
    displaced = [step for step, names in enumerate(events) if "displaced" in names]
    created = [
        step for step, names in enumerate(events) if {"created", "neutral-created"} & {*names}
    ]
    assert line.displacements == displaced
    assert line.creations == created
    assert line.creations
    turns = [step for step, names in enumerate(events) if "turn" in names]
    assert [mark.step for mark in line.turns] == turns
    assert [mark.turn for mark in line.turns] == list(range(1, len(line.turns) + 1))
    assert all(line.state(mark.step).active == mark.seat for mark in line.turns)


@pytest.mark.parametrize("name", EVERY)
def test_every_step_has_a_sentence(name: str) -> None:
    line = timeline(name)
    assert all(texts(line, step) for step in range(len(line.steps)))
    assert "The game ended because" in closing(line)


def test_a_trail_has_the_sentences_of_the_log_one_for_each_choice() -> None:
    line = timeline(SHORT)
    steps = line.steps[60:200]
    said = narrated(line.state(59), [(step.seat, step.picked) for step in steps], line.names)
    assert said == [line.log.step_text(step) for step in range(60, 200)]
    assert all(said)


def test_a_step_is_one_sentence_without_remarks_that_names_each_seat_once() -> None:
    line = timeline(SHORT)
    several = next(
        step
        for step in line.creations
        if len({line.log.sentences[number][0] for number in line.log.steps[step]}) == 1
        and len(line.log.steps[step]) > 1
    )
    text, name = line.log.step_text(several), line.names[line.steps[several].seat]
    assert text.startswith(f"{name} creates the trade route ")
    assert text.count(name) == 1
    assert "first!" not in "".join(line.log.step_text(step) for step in range(len(line.steps)))


def test_a_position_is_a_copy() -> None:
    line = timeline(SHORT)
    line.state(16).points[0] = 99
    assert line.state(16).points[0] != 99


@pytest.mark.parametrize("name", EVERY[1::2])
def test_one_forward_pass_yields_every_step_with_its_state(name: str) -> None:
    line = Timeline(record(name))
    digests = [line.newest_state.digest() for _ in line.read()]
    assert digests == [state.digest() for state in decisions(game_of(name))]
    assert list(line.read()) == []


# --- Viewpoints


def test_a_seat_sees_only_its_own_mission_before_the_end() -> None:
    line = timeline(SHORT)
    assert all(position_at(line, 10, Viewpoint()).missions)
    seen = position_at(line, 10, Viewpoint(1))
    assert [mission is not None for mission in seen.missions] == [False, True, False]
    assert seen.result.missions == seen.missions
    assert all(position_at(line, line.last, Viewpoint(1)).missions)


def test_a_seat_sees_scores_without_the_missions_of_others() -> None:
    line = timeline(SHORT)
    for step in range(0, line.last, 25):
        seen = position_at(line, step, Viewpoint(1)).result.standings
        true = position_at(line, step, Viewpoint()).result.standings
        assert [result.parts["missions"] for result in seen] == [0, true[1].parts["missions"], 0]
        assert seen[1].total == true[1].total
        assert [result.total for result in seen[::2]] == [
            result.total - result.parts["missions"] for result in true[::2]
        ]
        assert [result.rank for result in seen] == [
            1 + sum(other.total > result.total for other in seen) for result in seen
        ]


def test_only_the_seat_that_made_a_remark_reads_it() -> None:
    line = timeline(SHORT)
    assert texts(line, 1)[0].endswith("first!")
    seat = line.steps[1].seat
    assert texts(line, 1, seat) == texts(line, 1)
    assert texts(line, 1, (seat + 1) % 3) == texts(line, 1)[1:]


def test_other_seats_only_read_that_a_fault_disqualified() -> None:
    line = open_timeline(abandoned_record())
    fault = line.faults[0]
    assert "(crash, decision" in texts(line, fault.step, fault.fault.seat)[0]
    other = texts(line, fault.step, (fault.fault.seat + 1) % 3)[0]
    assert other.endswith("is disqualified (crash)")


# --- Records that are not whole


def test_an_abandoned_game_ends_with_a_step_without_a_choice() -> None:
    line = open_timeline(abandoned_record())
    assert [mark.fault.seat for mark in line.faults] == [0, 1, 2]
    assert line.steps[-1].choice is None
    assert line.state(line.last).is_over
    assert not line.state(line.last - 1).is_over
    assert "nobody was left" in closing(line)
    assert line.strikes(line.last).nobody_answers()
    assert not line.strikes(line.faults[1].step).nobody_answers()


def test_an_incomplete_record_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = write_record(tmp_path / "cut.jsonl", game_of(SHORT), upto=50)
    path.write_bytes(path.read_bytes() + b'{"line":"deci')
    line = open_timeline(path)
    assert (line.last, line.is_finished, line.is_complete) == (50, False, False)
    assert closing(line) == "the record breaks off here"


def test_reading_stops_at_the_first_wrong_line(tmp_path: Path) -> None:
    lines = record(SHORT).read_bytes().splitlines(keepends=True)
    at = next(n for n, raw in enumerate(lines) if b'"id":40,' in raw)
    words = json.loads(lines[at])
    lines[at] = json.dumps({**words, "choice": 9999}).encode() + b"\n"
    path = tmp_path / "wrong.jsonl"
    path.write_bytes(b"".join(lines))
    line = open_timeline(path)
    assert (line.last, line.is_finished, line.is_complete) == (39, True, False)
    assert "wrong from here on: choice 9999" in closing(line)


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"nonsense\n", b'{"line":"game"}\n', b"[" * 100_000 + b"\n"]
)
def test_an_invalid_record_is_refused(tmp_path: Path, data: bytes) -> None:
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
    assert line.log.steps == whole.log.steps
    assert line.turns == whole.turns
    assert not line.grow()


def test_search_finds_the_steps_whose_sentences_match() -> None:
    line = timeline(FULL)
    wanted = [at for at in range(len(line.steps)) if "Lübeck" in " ".join(texts(line, at))]
    search = Search(line)
    assert search.found(Viewpoint()) == []
    search.text = "LÜBECK"
    assert search.found(Viewpoint()) == wanted
    search.text = "first!"
    assert search.found(Viewpoint()) == [1]
    assert search.found(Viewpoint((line.steps[1].seat + 1) % 4)) == []
