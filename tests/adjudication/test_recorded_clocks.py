"""The clocks of a record allow and charge the same times as the clocks of a game."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.adjudication.clock import NO_CLOCK, TOLERANCE_MS, ClockRules, RecordedClocks, SeatClock

LIMITS = st.one_of(st.none(), st.integers(1, 500))
TIMES = st.lists(st.integers(0, 300_000).map(lambda us: us / 1000), max_size=60)


@given(LIMITS, st.integers(0, 50), LIMITS, TIMES)
def test_a_recorded_clock_allows_what_the_clock_of_a_game_allows(
    bank: int | None, increment: int, move: int | None, times: list[float]
) -> None:
    rules = ClockRules(bank_ms=bank, increment_ms=increment, move_ms=move)
    clock, recorded = SeatClock(rules), RecordedClocks([NO_CLOCK, rules])
    for ms in times:
        allowed = clock.begin()
        assert recorded.allowed(1) == pytest.approx(inf if allowed is None else allowed, abs=1e-6)
        used = ms if allowed is None else min(ms, allowed)
        clock.use(used)
        assert recorded.charge(1, round(used, 3))


def test_more_time_than_was_left_is_not_charged() -> None:
    clocks = RecordedClocks([ClockRules(bank_ms=100, increment_ms=10, move_ms=50)])
    assert not clocks.charge(0, 50 + 2 * TOLERANCE_MS)
    assert clocks.charge(0, 50)
    assert clocks.charge(0, 50)
    assert clocks.allowed(0) == pytest.approx(30)
    assert not clocks.charge(0, 31)
    assert clocks.charge(0, 30)
