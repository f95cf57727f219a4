"""The sequential test: the share of a block, the likelihood, and the verdict."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import SprtRefused
from referee.tournament.sprt import (
    FEWEST_BLOCKS,
    Decision,
    Sprt,
    SprtRun,
    SprtState,
    Verdict,
    hero_share,
    log_likelihood,
)
from support.rating_results import block, game

SHARES = st.lists(st.sampled_from([n / 12 for n in range(13)]), max_size=60)
FEW = settings(max_examples=50)


# --- The share of a block ------------------------------------------------------------------


def test_a_share_is_the_mean_share_of_beaten_opponents() -> None:
    result = block(0, game("hxyz", (1, 2, 3, 4)), game("xyzh", (1, 2, 3, 4)))
    assert hero_share(result, "h") == pytest.approx(1 / 2)


def test_a_tie_counts_one_half() -> None:
    assert hero_share(block(0, game("hxyz", (1, 1, 3, 4))), "h") == pytest.approx(2.5 / 3)


def test_copies_of_the_hero_are_not_opponents() -> None:
    assert hero_share(block(0, game("hhxy", (1, 4, 2, 3))), "h") == pytest.approx(1 / 2)


def test_a_hero_without_opponents_is_refused() -> None:
    with pytest.raises(SprtRefused, match="'h' meets nobody in block b3"):
        hero_share(block(3, game("hh", (1, 2))), "h")


# --- The likelihood ------------------------------------------------------------------------


@pytest.mark.parametrize("mean", [0.1, 0.5, 0.64, 0.99])
def test_wins_and_losses_have_the_likelihood_of_coins(mean: float) -> None:
    """If all shares are 0 or 1, there is only one distribution with a given mean."""
    wins, losses = 13.0, 8.0
    coin = wins * math.log(mean) + losses * math.log(1 - mean)
    best = wins * math.log(13 / 21) + losses * math.log(8 / 21)
    assert log_likelihood({0.0: losses, 1.0: wins}, mean) == pytest.approx(coin - best)


def test_the_observed_mean_has_the_highest_likelihood() -> None:
    counts = {0.0: 2.0, 0.25: 5.0, 0.5: 3.0, 1.0: 4.0}
    mean = sum(share * count for share, count in counts.items()) / sum(counts.values())
    assert log_likelihood(counts, mean) == pytest.approx(0, abs=1e-12)
    assert log_likelihood(counts, mean - 0.1) < 0
    assert log_likelihood(counts, mean + 0.1) < 0


@FEW
@given(SHARES, st.integers(0, 59), st.integers(0, 12))
def test_a_better_share_never_lowers_the_likelihood_ratio(
    shares: list[float], at: int, better: int
) -> None:
    if at >= len(shares) or better / 12 < shares[at]:
        return
    test = Sprt(0, 40, alpha=1e-9, beta=1e-9)
    improved = [*shares[:at], better / 12, *shares[at + 1 :]]
    assert test.judge(improved).llr >= test.judge(shares).llr - 1e-9


# --- The verdict ---------------------------------------------------------------------------


@FEW
@given(SHARES)
def test_adding_blocks_gives_the_same_state_as_judge(shares: list[float]) -> None:
    run = SprtRun(Sprt(0, 40))
    for share in shares:
        run.add(share)
    assert run.state == Sprt(0, 40).judge(shares)


def test_a_verdict_is_final() -> None:
    run = SprtRun(Sprt(0, 50))
    for _ in range(50):
        run.add(1.0)
    passed = run.state
    assert passed.verdict == "pass"
    assert run.add(0.0) is passed


@pytest.mark.parametrize(("share", "verdict"), [(1.0, "pass"), (0.0, "fail"), (0.5, "fail")])
def test_equal_shares_do_not_mean_certainty(share: float, verdict: str) -> None:
    """A variance of zero would decide at once; this takes as long as with coins."""
    state = Sprt(0, 50).judge([share] * 100)
    assert state.verdict == verdict
    assert state.blocks >= 15


def test_there_is_no_verdict_before_the_fewest_blocks() -> None:
    wide = Sprt(-500, 500)
    assert wide.judge([1.0] * (FEWEST_BLOCKS - 1)).verdict is None
    assert wide.judge([1.0] * FEWEST_BLOCKS).verdict == "pass"


def test_a_test_without_blocks_has_no_verdict() -> None:
    state = Sprt(0, 50).judge([])
    assert (state.blocks, state.share, state.llr, state.verdict) == (0, None, 0.0, None)


def test_the_bounds_are_those_of_wald() -> None:
    test = Sprt(0, 50, alpha=0.05, beta=0.1)
    assert (test.lower, test.upper) == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))


@pytest.mark.parametrize(("low", "high"), [(50, 0), (10, 10), (0, 5000), (float("nan"), 5)])
def test_impossible_limits_are_refused(low: float, high: float) -> None:
    with pytest.raises(SprtRefused, match="is not possible"):
        Sprt(low, high)


def test_impossible_error_rates_are_refused() -> None:
    with pytest.raises(SprtRefused, match="error rates of a test must be between 0"):
        Sprt(0, 50, alpha=0.6)


# --- The verdict in words ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "decision", "elo", "sentence"),
    [
        (0, 100, "fail", 9.4, "Not better: 'new' is closer to +0 than to +100 Elo (measured +9, 22 blocks)"),
        (0, 50, "pass", 93, "Better: 'new' is closer to +50 than to +0 Elo (measured +93, 22 blocks)"),
        (-10, 2.5, "fail", -0.2, "Not better: 'new' is closer to -10 than to +2.5 Elo (measured +0, 22 blocks)"),
        (-30, 0, "pass", 1, "Not worse: 'new' is closer to +0 than to -30 Elo (measured +1, 22 blocks)"),
        (-30, 0, "fail", -40, "Worse: 'new' is closer to -30 than to +0 Elo (measured -40, 22 blocks)"),
        (0, 50, None, 20, "Undecided: 'new' may be closer to +0 or to +50 Elo (measured +20, 22 blocks)"),
    ],
)  # fmt: skip
def test_a_verdict_is_a_sentence(
    low: float, high: float, decision: Decision | None, elo: float, sentence: str
) -> None:
    state = SprtState(22, 0.5, elo, 0.0, -1.0, 1.0, decision)
    verdict = Verdict("new", low, high, state)
    assert verdict.sentence == sentence
    assert verdict.to_dict() == {
        "hero": "new",
        "decision": decision,
        "low": low,
        "high": high,
        "estimate": elo,
        "blocks": 22,
        "sentence": sentence,
    }


def test_a_test_without_blocks_has_no_estimate() -> None:
    verdict = Verdict("new", 0, 50, Sprt(0, 50).judge([]))
    assert verdict.estimate is None
    assert verdict.sentence == "Undecided: 'new' may be closer to +0 or to +50 Elo (0 blocks)"
