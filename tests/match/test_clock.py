"""Clocks: how long an answer may take, what it is charged, by wall time or CPU time."""

from __future__ import annotations

import time
from typing import Any

import pytest
from msgspec.structs import replace

from referee.adjudication.clock import NO_CLOCK, ClockRules, SeatClock
from referee.engine.state import GameState
from referee.match.players import SLOW_MS, Ponder
from referee.match.runner import GameListener
from support.match_setup import PLAIN, BotMatch, Played, play

pytestmark = pytest.mark.usefixtures("in_charge")


def clock(**limits: Any) -> SeatClock:
    return SeatClock(replace(NO_CLOCK, **limits))


# --- the clock -----------------------------------------------------------------------------


def test_a_clock_without_limits_allows_any_time() -> None:
    assert clock().begin() is None


def test_a_move_limit_alone_is_the_same_for_every_answer() -> None:
    seat = clock(move_ms=50)
    seat.use(45)
    assert (seat.begin(), seat.begin()) == (50, 50)


def test_the_bank_grows_by_the_increment_before_each_request() -> None:
    seat = clock(bank_ms=100, increment_ms=10)
    assert (seat.begin(), seat.begin(), seat.begin()) == (110, 120, 130)


def test_the_bank_shrinks_by_what_is_used() -> None:
    seat = clock(bank_ms=100, increment_ms=10)
    seat.begin()
    seat.use(30)
    assert seat.begin() == 90


def test_unused_time_accumulates() -> None:
    seat = clock(bank_ms=0, increment_ms=10)
    for _ in range(5):
        seat.begin()
        seat.use(4)
    assert seat.begin() == 5 * 6 + 10


def test_the_bank_is_never_negative() -> None:
    seat = clock(bank_ms=100, increment_ms=10)
    seat.begin()
    seat.use(500)
    assert seat.begin() == 10


@pytest.mark.parametrize(("bank", "move", "allowed"), [(100, 50, 50), (40, 50, 40), (50, 50, 50)])
def test_an_answer_may_take_the_smaller_of_bank_and_move(
    bank: int, move: int, allowed: int
) -> None:
    assert clock(bank_ms=bank, move_ms=move).begin() == allowed


def test_a_move_limit_saves_the_rest_of_the_bank() -> None:
    seat = clock(bank_ms=100, move_ms=50)
    assert seat.begin() == 50
    seat.use(50)
    seat.begin()
    seat.use(20)
    assert seat.begin() == 30


def test_the_message_start_has_the_default_limits() -> None:
    words = ClockRules().message_dict()
    assert list(words) == ["start_ms", "bank_ms", "increment_ms", "move_ms"]
    assert all(limit is not None and limit > 0 for limit in words.values())


def test_no_clock_has_no_limits() -> None:
    assert set(NO_CLOCK.message_dict().values()) == {None, 0}


# --- with bots -----------------------------------------------------------------------------


def clock_times(kind: str, **options: Any) -> list[int | None]:
    """The `clock_ms` of each request that the first bot got."""
    limits = {key: options.pop(key) for key in list(options) if key.endswith("_ms")}
    with BotMatch([kind, PLAIN, PLAIN], clock=replace(NO_CLOCK, **limits), **options) as match:
        match.play()
        return [x["clock_ms"] for x in match.diary() if x["type"] == "decide"]


def test_without_a_clock_requests_have_no_clock_ms() -> None:
    assert set(clock_times("diary")) == {None}


def test_clock_ms_is_the_smaller_of_bank_and_move() -> None:
    assert set(clock_times("diary", bank_ms=900_000, move_ms=90_000)) == {90_000}
    assert clock_times("diary", bank_ms=90_000, increment_ms=7, move_ms=900_000)[0] == 90_007


def test_what_a_bot_uses_is_taken_from_its_bank() -> None:
    with BotMatch(["diary", PLAIN, PLAIN], clock=replace(NO_CLOCK, bank_ms=90_000)) as match:
        answers = [x for x in match.play().of("decision", 0) if x["by"] == "bot"]
        times = [x["clock_ms"] for x in match.diary() if x["type"] == "decide"]
    left = [90_000 - sum(x["ms"] for x in answers[:count]) for count in range(len(answers))]
    assert times == pytest.approx(left, abs=1.001)  # clock_ms has whole milliseconds


def test_a_timeout_uses_all_the_time_that_was_left() -> None:
    assert clock_times("silent-diary", bank_ms=60, increment_ms=10) == [70, 10, 10]


def test_the_move_limit_stops_an_answer_long_before_the_bank_is_empty() -> None:
    assert clock_times("silent-diary", bank_ms=100_000, move_ms=20) == [20, 20, 20]


def test_every_game_begins_with_a_full_bank() -> None:
    limits = replace(NO_CLOCK, bank_ms=50)
    with BotMatch(["silent-diary", PLAIN, PLAIN], clock=limits, strikes=0, max_turns=3) as match:
        match.play()
        match.play()
        times = [x["clock_ms"] for x in match.diary() if x["type"] == "decide"]
    assert times.count(50) == 2


def test_the_time_of_an_answer_is_in_the_record() -> None:
    game = play("crashes", PLAIN, PLAIN)
    for line in game.of("decision"):
        assert (line["ms"] > 0) == (line["by"] == "bot")


# --- by CPU time ---------------------------------------------------------------------------


def by_cpu(kind: str, **options: Any) -> Played:
    return play(kind, PLAIN, PLAIN, by_cpu=True, **options)


def test_by_cpu_a_bot_that_sleeps_is_not_charged() -> None:
    times = [line["ms"] for line in by_cpu("sleeps", bank_ms=900_000).of("decision", 0)]
    assert sum(times) < 30 * len(times)


def test_by_cpu_sleeping_longer_than_the_limit_is_not_a_timeout() -> None:
    game = by_cpu("sleeps", move_ms=25)
    assert game.faults(0) == []


def test_by_cpu_a_bot_that_computes_is_charged() -> None:
    game = by_cpu("computes", bank_ms=900_000)
    assert game.of("decision", 0)[1]["ms"] >= 80


def test_by_cpu_a_bot_that_spins_is_stopped() -> None:
    game = by_cpu("spins", move_ms=40)
    assert game.faults(0) == ["timeout"] * 3


def test_by_cpu_a_bot_that_sleeps_for_ever_is_stopped_by_wall_time() -> None:
    game = by_cpu("silent", move_ms=20, strikes=1)
    assert (game.fault()["fault"], game.fault()["message"]) == (
        "timeout",
        "gave no answer within 20 ms of CPU time, or 1200 ms in all: it sent nothing",
    )


def test_by_cpu_a_crash_is_a_crash() -> None:
    assert by_cpu("crashes", bank_ms=900_000).faults(0) == ["crash"]


def test_by_cpu_without_limits_a_bot_may_take_its_time() -> None:
    assert by_cpu("computes").faults(0) == []


# --- pondering -----------------------------------------------------------------------------


def pondering(ponder: Ponder, kind: str = "ponders") -> tuple[Played, float]:
    """A game in which the other seats wait until the first one has computed for a while."""
    match = BotMatch([kind, PLAIN, PLAIN], ponder=ponder, strikes=0)
    first = match.players[0]
    begun: list[float] = []

    def wait(state: GameState) -> None:
        if state.decision_id == 3:  # after its second answer
            begun.append(first.cpu_ms())
            give_up = time.monotonic() + 60
            while kind == "ponders" and first.cpu_ms() < begun[0] + 60:
                assert time.monotonic() < give_up, "the bot does not compute"
                time.sleep(0.002)

    match.listener = GameListener(applied=wait)
    with match:
        game = match.play()
        return game, first.pondered_ms


def test_pondering_is_measured_and_reported() -> None:
    game, pondered_ms = pondering("report")
    assert pondered_ms >= 60
    assert game.faults(0) == []


def test_pondering_is_a_fault_where_it_is_forbidden() -> None:
    game, _ = pondering("forbid")
    assert game.faults(0) == ["ponder"]
    assert game.fault()["message"].endswith(
        "ms of CPU time during other players' decisions, which is forbidden"
    )
    assert game.at(game.fault()["id"])["by"] == "referee"


def test_pondering_is_not_a_fault_where_it_is_allowed() -> None:
    game, pondered_ms = pondering("allow")
    assert game.faults(0) == []
    assert pondered_ms >= 60


def test_waiting_is_not_pondering() -> None:
    game, pondered_ms = pondering("forbid", PLAIN)
    assert game.faults(0) == []
    assert pondered_ms < 50


def test_pondering_is_counted_from_zero_in_every_game() -> None:
    with BotMatch([PLAIN, PLAIN, PLAIN]) as match:
        match.players[0].player.pondered_ms = 1e9
        match.play()
        assert match.players[0].player.pondered_ms < 1e6


# --- slow machines ------------------------------------------------------------------------


def waits_for_core(monkeypatch: pytest.MonkeyPatch, *total_ms: float) -> None:
    """Replace the total times that bots have waited for a core, one for each call."""
    values = iter(total_ms)
    monkeypatch.setattr(
        "referee.bots.process.BotProcess.core_wait_ms", lambda _: next(values, total_ms[-1])
    )


def slow_answers(**options: Any) -> list[float]:
    waits: list[float] = []
    listener = GameListener(slow=lambda _, answer: waits.append(answer.core_wait_ms))
    play("computes", PLAIN, PLAIN, listener=listener, **options)
    return waits


@pytest.mark.usefixtures("interpreted")
def test_a_slow_machine_is_reported_instead_of_the_bot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits_for_core(monkeypatch, 1_000, 901_000)
    assert slow_answers()[0] == 900_000


@pytest.mark.usefixtures("interpreted")
def test_a_bot_that_was_slow_itself_does_not_blame_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits_for_core(monkeypatch, 1_000)
    assert slow_answers() == []


@pytest.mark.usefixtures("interpreted")
def test_a_timeout_says_how_long_the_bot_waited_for_a_core(monkeypatch: pytest.MonkeyPatch) -> None:
    waits_for_core(monkeypatch, 1_000, 901_000)
    game = play("silent", PLAIN, PLAIN, move_ms=int(SLOW_MS) + 20, strikes=1)
    assert game.fault()["message"] == (
        "gave no answer within 70 ms: it sent nothing; it waited 900000 ms for a core"
    )
