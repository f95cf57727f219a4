"""Bots are judged in the order of the plan, whatever the order in which blocks finish."""

from __future__ import annotations

from referee.tournament.definition import RunOptions
from referee.tournament.disqualification import FaultCounts, Judge
from support.blocks import at_fault, block, fault, finished_block

OPTIONS = RunOptions(out_at=0.5, out_after=8)
BLOCKS = [block(number) for number in range(4)]
BAD = at_fault("a")


def judge() -> Judge:
    found = Judge(OPTIONS, {})
    for one in BLOCKS:
        assert found.scheduled(one) == {}
    return found


def test_a_bot_is_judged_after_the_block_that_decides() -> None:
    judge_ = judge()
    assert judge_.finished(BAD(BLOCKS[0]).result()) == {}
    assert judge_.finished(BAD(BLOCKS[1]).result()) == {"a": "at fault in 8 of 8 games"}


def test_a_block_ahead_of_the_plan_counts_later() -> None:
    judge_ = judge()
    for number in (3, 1, 2):
        assert judge_.finished(BAD(BLOCKS[number]).result()) == {}
    assert [*judge_.ahead] == ["b-0003", "b-0001", "b-0002"]
    assert judge_.finished(finished_block(BLOCKS[0]).result()) == {"a": "at fault in 4 of 8 games"}
    assert [*judge_.ahead] == ["b-0003", "b-0002"]


def test_blocks_of_earlier_runs_count_at_once_except_those_ahead() -> None:
    judge_ = Judge(OPTIONS, {})
    results = [BAD(one).result() for one in BLOCKS]
    judge_.begin(results[1:3], ["b-0002"])
    assert judge_.verdicts("abcd") == {}
    assert judge_.scheduled(BLOCKS[2]) == {"a": "at fault in 8 of 8 games"}


def test_a_disqualified_bot_is_not_judged_again() -> None:
    judge_ = Judge(OPTIONS, {"a": "at fault"})
    judge_.begin([BAD(one).result() for one in BLOCKS], ())
    assert judge_.verdicts("abcd") == {}


def test_a_void_block_counts_for_nobody() -> None:
    judge_ = judge()
    judge_.finished(finished_block(BLOCKS[0], void="oh").result())
    judge_.finished(BAD(BLOCKS[1]).result())
    assert judge_.finished(BAD(BLOCKS[2]).result()) == {"a": "at fault in 8 of 8 games"}


def test_a_bot_that_appears_twice_at_a_table_is_one_bot_in_one_game() -> None:
    counts = FaultCounts()
    twice = block(0, ("a", "b", "a", "b"))
    counts.note(finished_block(twice, [fault(0), fault(2)]).result())
    options = RunOptions(out_at=0.25, out_after=4)
    assert counts.verdict("a", options) == "at fault in 1 of 4 games"
    assert counts.verdict("b", options) is None
