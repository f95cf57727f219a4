"""Fault records: as JSON for programs, and as sentences for people."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from referee.adjudication.faults import Fault, FaultRecord

CAUSE = Fault("illegal", "chose 99, which is not one of 0 to 7", b"\xff{}", 1.25)
FAULT = FaultRecord(2, "bot", 7, CAUSE, 1, 3, disqualified=False, stderr_excerpt=b"oops \xff\n")


def test_a_fault_record_survives_json() -> None:
    encoded = msgspec.json.encode(FAULT)
    assert msgspec.json.decode(encoded, type=FaultRecord) == FAULT


def test_a_sentence_gives_fault_decision_and_strike() -> None:
    sentence = f"{CAUSE.message} (illegal, decision 7): strike 1 of 3"
    assert FAULT.describe() == f"{sentence}, the referee chose in its place"


def test_without_a_limit_a_sentence_counts_strikes_only() -> None:
    assert ": strike 1, the referee" in replace(FAULT, allowed=0).describe()


def test_a_sentence_ends_with_a_disqualification() -> None:
    assert replace(FAULT, disqualified=True).describe().endswith("decision 7): disqualified")


def test_a_fault_at_the_start_has_no_decision() -> None:
    fault = replace(FAULT, cause=Fault("start", "did not send hello"), disqualified=True)
    assert fault.asked_id is None
    assert fault.to_dict()["id"] is None
    assert fault.describe() == "did not send hello (start): disqualified"


def test_stderr_is_text_with_replaced_bytes() -> None:
    assert FAULT.stderr == "oops \ufffd\n"


def test_a_dict_has_the_file_of_stderr_or_none() -> None:
    assert FAULT.to_dict()["stderr"] is None
    assert replace(FAULT, stderr_file="bot.txt").to_dict()["stderr"] == "bot.txt"
