"""Hints in a record: written where they are used, checked, counted, logged, and kept in continued games."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from referee.encoder import Formats
from referee.match.hints import NO_HINT, Hints
from referee.records.game_stats import tally_record
from referee.records.resume import Record
from referee.records.verify import verify
from referee.records.writer import RecordWriter
from referee.replay.timeline import open_timeline
from support.combinations import named
from support.recorded_games import Words, lines_of, record, record_bytes

GAME = "hanse-2-3:3:bigbox+max_turns=9"
PERSON = 1


def with_hints(path: Path, *, most: int = 3) -> list[Words]:
    """The lines of a game in which seat 1, a person, asked for a hint before its first answers."""
    lines = lines_of(record(path, GAME, people=[PERSON]))
    lines[0]["format"] = 2
    own = [
        at for at, line in enumerate(lines) if line.get("by") == "bot" and line["seat"] == PERSON
    ]
    for at in reversed(own[:most]):
        lines.insert(at, {"line": "hint", "id": lines[at]["id"], "seat": PERSON})
    return lines


def written(path: Path, lines: list[Words]) -> Path:
    path.write_bytes(record_bytes(lines))
    return path


def test_a_record_with_hints_is_fine_and_its_hints_are_counted_and_logged(tmp_path: Path) -> None:
    path = written(tmp_path / "game.jsonl", with_hints(tmp_path / "game.jsonl"))
    verdict, tally = tally_record(path)
    assert verdict.verdict == "fine", verdict
    assert tally is not None
    assert [seat.hints for seat in tally.seats] == [0, 3, 0]
    log = open_timeline(path).log
    logged = [
        log.plain_text(log.sentences[number])
        for step in log.steps
        for number in step
        if log.owner(number) is None
    ]
    assert logged.count("script-1 asked for a hint") == 3


def test_a_hint_is_logged_with_the_decision_that_it_was_for(tmp_path: Path) -> None:
    lines = with_hints(tmp_path / "game.jsonl", most=1)
    (hint,) = [line for line in lines if line["line"] == "hint"]
    log = open_timeline(written(tmp_path / "game.jsonl", lines)).log
    first = log.steps[hint["id"]][0]
    assert log.plain_text(log.sentences[first]) == "script-1 asked for a hint"


def hint_at(lines: list[Words]) -> int:
    return next(at for at, line in enumerate(lines) if line["line"] == "hint")


def in_format_1(lines: list[Words]) -> None:
    lines[0]["format"] = 1


def of_a_bot(lines: list[Words]) -> None:
    lines[0]["players"][PERSON]["hash"] = "0" * 64


def of_another_seat(lines: list[Words]) -> None:
    lines[hint_at(lines)]["seat"] = 2


def of_another_decision(lines: list[Words]) -> None:
    lines[hint_at(lines)]["id"] += 1


def after_the_end(lines: list[Words]) -> None:
    lines.append(lines[hint_at(lines)])


def before_the_end_of_a_turn(lines: list[Words]) -> None:
    at = next(at for at, line in enumerate(lines) if line["line"] == "turn")
    lines.insert(at, {"line": "hint", "id": lines[at - 1]["id"] + 1, "seat": PERSON})


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (in_format_1, "a hint comes in a record of format 1"),
        (of_a_bot, "seat 1 gets a hint, but is not a person who must decide"),
        (of_another_seat, "of seat 2 comes where decision"),
        (of_another_decision, "of seat 1 is expected"),
        (after_the_end, "there is a line after the end"),
        (before_the_end_of_a_turn, "a hint comes where the end of turn 1 is expected"),
    ],
)
def test_a_hint_in_the_wrong_place_is_wrong(
    spoil: Callable[[list[Words]], None], why: str, tmp_path: Path
) -> None:
    lines = with_hints(tmp_path / "game.jsonl")
    spoil(lines)
    verdict = verify(written(tmp_path / "game.jsonl", lines))
    assert verdict.verdict == "wrong"
    assert why in str(verdict.why)


@pytest.mark.parametrize("after", [0, 1])
def test_a_continued_game_keeps_the_hints_that_were_given(after: int, tmp_path: Path) -> None:
    lines = with_hints(tmp_path / "game.jsonl", most=2)
    hints = [line for line in lines if line["line"] == "hint"]
    origin = written(tmp_path / "game.jsonl", lines)
    again = record(tmp_path / "again.jsonl", GAME, origin=(origin, hints[1]["id"] + after))
    kept = lines_of(again)
    assert kept[0]["format"] == 2
    assert [line for line in kept if line["line"] == "hint"] == hints
    assert verify(again).verdict == "fine", verify(again)


def test_a_game_without_hints_is_written_in_format_1(tmp_path: Path) -> None:
    assert lines_of(record(tmp_path / "game.jsonl", GAME))[0]["format"] == 1


# -- writing


class Task:
    """A hint that is there at once."""

    def __init__(self, text: str) -> None:
        self.hint = text
        self.is_stopped = False

    def fileno(self) -> int:
        raise NotImplementedError

    def text(self) -> str:
        return self.hint

    def stop(self) -> None:
        self.is_stopped = True


@pytest.mark.parametrize(("text", "said", "count"), [("Best: x", "Best: x", 1), ("", NO_HINT, 0)])
def test_a_hint_that_was_given_is_written_and_a_failed_one_is_not(
    text: str, said: str, count: int, tmp_path: Path
) -> None:
    source = record(tmp_path / "game.jsonl", GAME)
    state, _ = Record(source).position(5)
    message_format = Formats(named(GAME)[0]).get("json", "words")
    with closing(RecordWriter(tmp_path / "new.jsonl", message_format, hints=True)) as writer:
        hints = Hints(lambda _, __: Task(text), writer)
        assert hints.take(state, hints.begin(state, [])) == said
    seat = state.agenda[-1].seat
    assert lines_of(tmp_path / "new.jsonl") == [{"line": "hint", "id": 5, "seat": seat}] * count
