"""Verifying: the records that a referee writes are fine, and every wrong line is found."""

from __future__ import annotations

import gzip
import json
import multiprocessing
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.adjudication.clock import NO_CLOCK, ClockRules
from referee.encoder import Formats
from referee.engine import game
from referee.engine.serialize import choice_words
from referee.errors import RecordRefused
from referee.records import verify as verifying
from referee.records.verify import RecordVerdict, in_parallel, verify
from referee.records.writer import RecordWriter
from support.combinations import named
from support.groups import together
from support.match_setup import BotMatch
from support.recorded_games import (
    AT_START,
    EVERY_BOARD,
    SOME_FAULTS,
    Faults,
    Words,
    lines_of,
    record,
    record_bytes,
    recorded,
)

PLAIN = "hanse-2-3:3:bigbox+missions+max_turns=12"
LONG = "hanse-2-3:3:bigbox+max_turns=40"


def verdict_of(folder: Path, data: bytes, name: str = "game.jsonl") -> RecordVerdict:
    path = folder / name
    path.write_bytes(data)
    return verify(path)


# --- The records that a referee writes are fine --------------------------------------------


@together("name", EVERY_BOARD)
@together("faulty", [False, True])
def test_a_record_is_fine(name: str, faulty: bool, tmp_path: Path) -> None:
    verdict = verdict_of(tmp_path, recorded(name, faulty))
    assert (verdict.verdict, verdict.line, verdict.why) == ("fine", None, None)
    assert verdict.ruleset == name
    assert bool(verdict.faults) == faulty


def test_a_packed_record_is_fine(tmp_path: Path) -> None:
    assert verify(record(tmp_path / "game.jsonl.gz", PLAIN)).verdict == "fine"


def test_the_verdict_counts_what_is_in_the_record(tmp_path: Path) -> None:
    lines = lines_of(recorded(PLAIN, with_faults=True))
    verdict = verdict_of(tmp_path, recorded(PLAIN, with_faults=True))
    assert verdict.turns == sum(line["line"] == "turn" for line in lines)
    assert verdict.decisions == sum(line["line"] == "decision" for line in lines)
    assert verdict.faults == sum(line["line"] == "fault" for line in lines)
    assert (verdict.game, verdict.reason) == ("a-game", "max-turns")


ENDINGS: dict[str, Faults] = {
    "nobody starts": {seat: {AT_START: "start"} for seat in range(3)},
    "two do not start, one in a flood": {1: {AT_START: "start"}, 2: {AT_START: "flood"}},
    "the first floods at the start": {0: {AT_START: "flood"}, 1: {AT_START: "start"}},
    "the first request floods": {0: {0: "flood"}, 1: {AT_START: "start"}},
    "everybody crashes": {seat: {seat + 1: "crash"} for seat in range(3)},
    "strike after strike": {0: dict.fromkeys(range(9), "garbage"), 1: {0: "illegal", 2: "ponder"}},
    "late again and again": {0: dict.fromkeys(range(9), "timeout")},
}


@together("what", ENDINGS)
@together("strikes", [0, 1, 3])
def test_sanctions_are_fine(what: str, strikes: int, tmp_path: Path) -> None:
    path = record(tmp_path / "game.jsonl", PLAIN, faults=ENDINGS[what], strikes=strikes)
    assert verify(path) == verify(path)
    assert (verify(path).verdict, verify(path).why) == ("fine", None)


@pytest.mark.parametrize(
    "clock",
    [
        NO_CLOCK,
        ClockRules(bank_ms=None, move_ms=50),
        ClockRules(bank_ms=50, increment_ms=0, move_ms=None),
        ClockRules(bank_ms=None, move_ms=None, increment_ms=3),
        ClockRules(bank_ms=10, increment_ms=1, move_ms=5, by_cpu=True),
    ],
)
def test_any_clock_adds_up(clock: ClockRules, tmp_path: Path) -> None:
    timed = clock.bank_ms is not None or clock.move_ms is not None
    faults = {0: {2: "timeout" if timed else "illegal", 4: "garbage"}}
    assert verify(record(tmp_path / "game.jsonl", PLAIN, clock=clock, faults=faults)).why is None


def test_a_person_has_no_clock(tmp_path: Path) -> None:
    path = record(tmp_path / "game.jsonl", PLAIN, clock=NO_CLOCK, people=[1])
    lines = lines_of(path)
    lines[0]["clock"] |= {"bank_ms": 1, "increment_ms": 0}
    for line in lines:
        if line.get("by") == "bot":
            line["ms"] = 5000.0 if line["seat"] == 1 else 0.0
    assert verdict_of(tmp_path, record_bytes(lines)).why is None


def test_a_game_continued_from_a_recorded_position_is_fine(tmp_path: Path) -> None:
    whole = record(tmp_path / "whole.jsonl", LONG, faults=SOME_FAULTS)
    faults = {0: {AT_START: "start"}, 1: {1: "timeout"}}
    path = record(tmp_path / "on.jsonl", LONG, origin=(whole, 30), faults=faults)
    verdict = verify(path)
    assert (verdict.verdict, verdict.why) == ("fine", None)
    again = record(tmp_path / "on-again.jsonl", LONG, origin=(path, 45))
    assert verify(again).why is None


def test_a_record_of_real_bots_is_fine(tmp_path: Path) -> None:
    with BotMatch(["crashes", "plain", "out-of-range"]) as match:
        match.play()
        data = (match.path / "game.jsonl").read_bytes()
    verdict = verdict_of(tmp_path, data)
    assert (verdict.verdict, verdict.why) == ("fine", None)
    assert verdict.faults > 1


def test_blanks_and_the_order_of_keys_do_not_matter(tmp_path: Path) -> None:
    lines = [dict(reversed(line.items())) for line in lines_of(recorded(PLAIN))]
    data = b"".join(json.dumps(line, indent=None).encode() + b" \r\n" for line in lines)
    assert verdict_of(tmp_path, data).why is None


# --- Incomplete and void records -----------------------------------------------------------


@pytest.mark.parametrize("packed", [False, True])
def test_a_record_that_is_cut_off_anywhere_is_incomplete(packed: bool, tmp_path: Path) -> None:
    data = recorded(PLAIN, with_faults=True)
    head = data.index(b"\n") + 1
    cuts = [0, 1, 20, head - 1, head, *range(head + 1, len(data) - 1, 97), len(data) - 1]
    for cut in cuts:
        kept = gzip.compress(data, mtime=0)[: cut * 2 // 25] if packed else data[:cut]
        name = "game.jsonl.gz" if packed else "game.jsonl"
        verdict = verdict_of(tmp_path, kept, name)
        assert verdict.verdict == "incomplete", (cut, verdict)
        assert verdict.line is None


def test_the_verdict_says_where_a_record_breaks_off(tmp_path: Path) -> None:
    data = recorded(PLAIN)
    lines = data.splitlines(keepends=True)
    assert verdict_of(tmp_path, b"").why == "it is empty"
    assert verdict_of(tmp_path, data[:30]).why == "it breaks off in the first line"
    assert verdict_of(tmp_path, b"".join(lines[:2])).why == "it breaks off at decision 2"
    cut = b"".join(lines[:2]) + lines[2][:9]
    assert verdict_of(tmp_path, cut).why == "it breaks off at decision 2, in the middle of a line"
    assert (
        verdict_of(tmp_path, b"".join(lines[:-1])).why
        == "it breaks off before the end of the game is recorded"
    )


def test_a_game_that_was_stopped_at_a_fault_is_incomplete(tmp_path: Path) -> None:
    path = record(tmp_path / "game.jsonl", PLAIN, faults={0: {2: "garbage"}}, stop_at_fault=True)
    assert verify(path).verdict == "incomplete"


@pytest.mark.parametrize("after", [0, 1, 5])
def test_a_void_game_is_void(after: int, tmp_path: Path) -> None:
    lines = lines_of(recorded(PLAIN))[:after]
    lines.append({"line": "void", "message": "ValueError: \x1b[31mred"})
    verdict = verdict_of(tmp_path, record_bytes(lines))
    assert verdict.verdict == "void"
    assert verdict.why == "the referee failed: ValueError: \\u001b[31mred"
    lines.append({"line": "void", "message": "again"})
    assert verdict_of(tmp_path, record_bytes(lines)).verdict == "wrong"


# --- A wrong line is found, and the verdict says which line and why ------------------------

Edit = Callable[[list[Words]], Any]


def nth(lines: list[Words], kind: str, number: int = 0, **wanted: object) -> Words:
    """Return the line with this number, from 0, among those of this kind with the wanted fields."""
    fits = [x for x in lines if x["line"] == kind and wanted.items() <= x.items()]
    return fits[number]


def wrong(tmp_path: Path, edit: Edit, name: str = PLAIN, faulty: bool = True) -> tuple[int, str]:
    """Return the number of the line that is wrong after an edit, and why it is wrong."""
    lines = lines_of(recorded(name, faulty))
    edit(lines)
    verdict = verdict_of(tmp_path, record_bytes(lines))
    assert verdict.verdict == "wrong", verdict
    assert verdict.line is not None
    assert verdict.why is not None
    return verdict.line, verdict.why


HEADER: dict[str, tuple[Edit, str]] = {
    "format": (lambda x: x[0].update(format=9), "format 9"),
    "rules version": (lambda x: x[0].update(rules_version=9), "rules version 9"),
    "protocol": (lambda x: x[0].update(protocol=0), "protocol 0"),
    "ruleset": (lambda x: x[0].update(ruleset="chess"), "'chess'"),
    "players": (lambda x: x[0]["rules"].update(players=2), "ruleset"),
    "option": (lambda x: x[0]["rules"].update(favours=True), "ruleset"),
    "neutral": (lambda x: x[0]["rules"].update(neutral="2009"), "only for games of 2 players"),
    "edition": (lambda x: x[0]["rules"].update(edition="third"), "edition"),
    "board id": (lambda x: x[0]["rules"].update(board="east"), "rules.board"),
    "inner version": (lambda x: x[0]["rules"].update(rules_version=0), "rules.rules_version"),
    "board digest": (lambda x: x[0].update(board_digest="0" * 16), "digest"),
    "board": (lambda x: x[0]["board"]["routes"][0]["points"].pop(), "digest"),
    "no board": (lambda x: x[0].update(board=[]), "the board is refused"),
    "seat": (lambda x: x[0]["players"][1].update(seat=2), "seats"),
    "too few": (lambda x: x[0]["players"].pop(), "seats"),
    "seed": (lambda x: x[0].update(seed=2**53), "seed"),
    "clock": (lambda x: x[0]["clock"].update(bank_ms=-1), "bank_ms"),
    "unknown field": (lambda x: x[0].update(colour="red"), "unknown field `colour`"),
    "missing field": (lambda x: x[0].pop("seed"), "missing required field `seed`"),
}


@together("what", HEADER)
def test_a_wrong_first_line_is_found(what: str, tmp_path: Path) -> None:
    edit, why = HEADER[what]
    line, found = wrong(tmp_path, edit)
    assert line == 1
    assert why in found


def other_seat(lines: list[Words]) -> None:
    line = nth(lines, "decision", 3)
    line["seat"] = (line["seat"] + 1) % 3


DECISIONS: dict[str, tuple[Edit, str]] = {
    "id": (lambda x: nth(x, "decision", 3).update(id=99), "decision 99 comes where 4 is expected"),
    "seat": (other_seat, "is asked"),
    "kind": (lambda x: nth(x, "decision", 3).update(decision="levy"), "must be 'turn'"),
    "index": (lambda x: nth(x, "decision", 3).update(choice=0), "choice 0 is"),
    "far index": (lambda x: nth(x, "decision", 3).update(choice=10**30), "is not one of 0 to"),
    "negative index": (lambda x: nth(x, "decision", 3).update(choice=-1), "is not one of 0 to"),
    "words": (
        lambda x: nth(x, "decision", 3).update(do={"do": "win"}),
        'is written as {"do":"win"}, but must be',
    ),
    "single": (lambda x: nth(x, "decision", 0, by="bot").update(by="single"), "choices"),
    "not single": (lambda x: nth(x, "decision", 0, by="single").update(by="bot"), "one choice"),
    "by nobody": (lambda x: nth(x, "decision", 3).update(by="nobody"), "not a line of a record"),
    "no fault": (lambda x: nth(x, "decision", 0, by="bot").update(by="referee"), "not at fault"),
    "no stand-in": (lambda x: nth(x, "decision", 0, by="referee").update(by="bot"), "was at fault"),
    "time of no bot": (lambda x: nth(x, "decision", 0, by="referee").update(ms=1), "only a bot"),
    "remark of no bot": (
        lambda x: nth(x, "decision", 0, by="referee").update(say=""),
        "only a bot",
    ),
    "long remark": (lambda x: nth(x, "decision", 0, by="bot").update(say="a" * 501), "500"),
    "negative time": (lambda x: nth(x, "decision", 0, by="bot").update(ms=-0.5), "ms"),
    "negative lag": (lambda x: nth(x, "decision", 0, by="bot").update(lag_ms=-1), "lag_ms"),
    "too long": (
        lambda x: nth(x, "decision", 0, by="bot").update(ms=101.0),
        "101.0 ms were used, but only 100.000 ms were left: a time-out",
    ),
    "twice": (lambda x: x.insert(2, x[1]), "decision 1 comes where 2 is expected"),
    "left out": (lambda x: x.remove(nth(x, "decision", 1, by="bot")), "comes where"),
}


@together("what", DECISIONS)
def test_a_wrong_decision_is_found(what: str, tmp_path: Path) -> None:
    edit, why = DECISIONS[what]
    before = lines_of(recorded(PLAIN, with_faults=True))
    after = lines_of(recorded(PLAIN, with_faults=True))
    edit(after)
    pairs = zip(before, after, strict=False)
    first = next(number for number, (old, new) in enumerate(pairs, 1) if old != new)
    line, found = wrong(tmp_path, edit)
    assert why in found
    assert line == first


def test_true_is_not_1_in_the_words_of_a_choice(tmp_path: Path) -> None:
    def muddle(lines: list[Words]) -> None:
        words = [line["do"] for line in lines if line.get("do", {}).get("point") == 1]
        words[0]["point"] = True

    assert '"point":true' in wrong(tmp_path, muddle)[1]


def test_another_legal_choice_is_found_by_the_end_of_the_turn(tmp_path: Path) -> None:
    """The index and its words agree, but they are not the choice that was made."""
    board, rules = named(PLAIN)
    lines = lines_of(recorded(PLAIN))
    options = game.choices(game.new_game(board, rules, lines[0]["seed"]))
    other = len(options) - 1
    assert lines[1]["choice"] != other
    lines[1] |= {"choice": other, "do": choice_words(board, options[other])}
    verdict = verdict_of(tmp_path, record_bytes(lines))
    assert verdict.verdict == "wrong"
    assert 2 < (verdict.line or 0) <= 2 + lines.index(nth(lines, "turn"))


def test_the_bank_runs_out(tmp_path: Path) -> None:
    """Each answer is within its limit, but all together are not."""

    def slow(lines: list[Words]) -> None:
        for line in lines:
            if line.get("by") == "bot":
                line["ms"] = 90.0

    lines = lines_of(recorded(PLAIN))
    slow(lines)
    verdict = verdict_of(tmp_path, record_bytes(lines))
    asked = [n for n, x in enumerate(lines, 1) if x.get("by") == "bot" and x["seat"] == 0]
    assert verdict.line == asked[4]
    assert verdict.why == "90.0 ms were used, but only 65.000 ms were left: a time-out"


FAULTS: dict[str, tuple[Edit, str]] = {
    "name": (lambda x: nth(x, "fault").update(fault="rude"), "'rude' is not a valid fault"),
    "seat": (lambda x: nth(x, "fault").update(seat=7), "seat 7"),
    "other seat": (lambda x: nth(x, "fault").update(seat=2), "was not asked"),
    "strikes": (lambda x: nth(x, "fault").update(strikes=2), "strikes is 2, but must be 1"),
    "id": (lambda x: nth(x, "fault").update(id=1), "the fault has the id 1"),
    "no id": (lambda x: nth(x, "fault").update(id=None), "the fault has the id None"),
    "start": (lambda x: nth(x, "fault").update(fault="start", id=None), "was not asked"),
    "time of a time-out": (
        lambda x: nth(x, "fault", fault="timeout").update(ms=3),
        "a time-out takes all 100.000 ms, not 3.0",
    ),
    "time of another": (lambda x: nth(x, "fault", fault="garbage").update(ms=999), "a time-out"),
    "base64": (lambda x: nth(x, "fault").update(bytes_base64="%%%"), "not valid base64"),
    "many bytes": (lambda x: nth(x, "fault").update(bytes_base64="AAAA" * 400), "1024 bytes"),
    "long stderr": (lambda x: nth(x, "fault").update(stderr="a" * 4097), "stderr"),
    "fatal": (lambda x: nth(x, "fault", fault="crash").update(fault="garbage"), "not at fault"),
    "not fatal": (lambda x: nth(x, "fault", fault="timeout").update(fault="crash"), "disqualified"),
    "twice": (lambda x: x.insert(x.index(nth(x, "fault")), nth(x, "fault")), "a second fault"),
    "left out": (lambda x: x.remove(nth(x, "fault")), "not at fault"),
    "no clock": (lambda x: x[0]["clock"].update(bank_ms=None, move_ms=None), "no clock"),
}


@together("what", FAULTS)
def test_a_wrong_fault_is_found(what: str, tmp_path: Path) -> None:
    edit, why = FAULTS[what]
    assert why in wrong(tmp_path, edit)[1]


def test_another_choice_in_a_bots_place_is_found(tmp_path: Path) -> None:
    def otherwise(lines: list[Words]) -> None:
        line = nth(lines, "decision", 0, by="referee")
        line["choice"] -= 1

    assert "the referee chooses" in wrong(tmp_path, otherwise)[1]


def test_a_fault_before_the_continued_part_is_found(tmp_path: Path) -> None:
    whole = record(tmp_path / "whole.jsonl", LONG)
    lines = lines_of(record(tmp_path / "on.jsonl", LONG, origin=(whole, 20)))
    number = next(n for n, x in enumerate(lines) if x.get("by") == "bot" and x["id"] > 4)
    fault = nth(lines_of(recorded(PLAIN, with_faults=True)), "fault", fault="garbage")
    asked = lines[number]
    lines.insert(number, {**fault, "id": asked["id"], "seat": asked["seat"], "strikes": 1})
    verdict = verdict_of(tmp_path, record_bytes(lines))
    assert verdict.line == number + 1
    assert "a fault before decision 20" in (verdict.why or "")


ENDS: dict[str, tuple[Edit, str]] = {
    "turn": (lambda x: nth(x, "turn", 2).update(turn=9), "the end of turn 9 comes where"),
    "digest": (lambda x: nth(x, "turn", 2).update(digest="0" * 16), "the digest is 0000"),
    "turn left out": (lambda x: x.remove(nth(x, "turn", 2)), "the end of turn 3 is expected"),
    "turn twice": (
        lambda x: x.insert(x.index(nth(x, "turn", 2)), nth(x, "turn", 2)),
        "no turn has ended",
    ),
    "total": (lambda x: x[-1]["standings"][1].update(total=99), "standings[1].total is 99"),
    "part": (lambda x: x[-1]["standings"][0].update(track=1.5), "standings[0].track is 1.5"),
    "truth": (lambda x: x[-1]["standings"][0].update(rank=True), "standings[0].rank is true"),
    "rank": (lambda x: x[-1]["standings"][2].update(rank=9), "standings[2].rank is 9"),
    "name": (lambda x: x[-1]["standings"][2].update(name="me"), 'standings[2].name is "me"'),
    "other name": (lambda x: x[0]["players"][2].update(name="me"), "standings[2].name"),
    "disqualified": (lambda x: x[-1]["standings"][2].update(disqualified=None), "is null"),
    "country": (lambda x: x[-1]["standings"][0]["countries"].update(Narnia=1), "countries"),
    "too few": (lambda x: x[-1]["standings"].pop(), "standings has 2 entries"),
    "unknown part": (lambda x: x[-1]["standings"][0].update(luck=1), "must have"),
    "reason": (lambda x: x[-1].update(reason="prestige"), "must be 'max-turns'"),
    "mission": (lambda x: x[-1]["missions"][0].reverse(), "missions[0][0]"),
    "last digest": (lambda x: x[-1].update(digest="0" * 16), "the digest is"),
    "too early": (lambda x: x.insert(3, x[-1]), "the end comes where"),
    "twice": (lambda x: x.append(x[-1]), "after the end"),
    "second header": (lambda x: x.insert(4, x[0]), "a second game line"),
    "no header": (lambda x: x.pop(0), "must be its game line"),
}


@together("what", ENDS)
def test_a_wrong_turn_or_end_is_found(what: str, tmp_path: Path) -> None:
    edit, why = ENDS[what]
    assert why in wrong(tmp_path, edit)[1]


@pytest.mark.parametrize("rest", [b"{", b'{"line":"void"', b"\n", b"more"])
def test_bytes_after_the_end_are_found(rest: bytes, tmp_path: Path) -> None:
    data = recorded(PLAIN)
    verdict = verdict_of(tmp_path, data + rest)
    assert (verdict.verdict, verdict.line) == ("wrong", data.count(b"\n") + 1)


# --- Many records ---------------------------------------------------------------------------


def test_many_records_are_verified_in_their_order_by_many_processes(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.jsonl" for number in range(12)]
    for number, path in enumerate(paths):
        path.write_bytes(recorded(PLAIN) if number % 3 else b"[]\n")
    verdicts = list(in_parallel(verify, paths, 3))
    assert [verdict.record for verdict in verdicts] == list(map(str, paths))
    assert [verdict.verdict == "wrong" for verdict in verdicts] == [True, False, False] * 4


def test_an_interrupt_ends_the_processes_at_once(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(recorded(PLAIN))
    verdicts = in_parallel(verify, [path] * 2000, 2)
    assert next(verdicts).verdict == "fine"
    assert multiprocessing.active_children()
    with pytest.raises(KeyboardInterrupt):
        verdicts.throw(KeyboardInterrupt())  # type: ignore[attr-defined]  # it is a generator
    assert multiprocessing.active_children() == []


def test_a_killed_worker_is_reported_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(recorded(PLAIN))
    verdicts = in_parallel(verify, [path] * 2000, 2)
    next(verdicts)
    multiprocessing.active_children()[0].kill()
    with pytest.raises(RecordRefused, match="was killed"):
        list(verdicts)


def test_a_few_records_need_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(verifying, "ProcessPoolExecutor")
    (tmp_path / "game.jsonl").write_bytes(recorded(PLAIN))
    assert [one.verdict for one in in_parallel(verify, [tmp_path / "game.jsonl"], 8)] == ["fine"]


def test_a_record_of_a_referee_that_failed_is_void(tmp_path: Path) -> None:
    message_format = Formats(named(PLAIN)[0]).get("json", "words")
    writer = RecordWriter(tmp_path / "game.jsonl", message_format)
    writer.void("boom")
    writer.close()
    assert verify(tmp_path / "game.jsonl").verdict == "void"
