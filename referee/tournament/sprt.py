"""A sequential test of whether one bot, the hero, is `high` or only `low` Elo above a field.

Blocks are added one by one, and the test ends as soon as the answer is clear. A block gives one
number, the hero's share: the share of opponents that it beat. The test assumes nothing about the
shares except their mean. Each hypothesis gets the most likely distribution of shares with its mean,
and the two likelihoods are compared (a generalised sequential probability ratio test).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import log, log1p, sqrt
from typing import Final, Literal

from referee.errors import SprtRefused
from referee.text import plural
from referee.tournament.ratings.estimates import elo_of_score, expected_score
from referee.tournament.results import BlockResult, GameResult

Decision = Literal["pass", "fail"]

FEWEST_BLOCKS: Final = 8  # there is no verdict before
# One invented block, half lost and half won, is added to those that were played, so that equal
# shares do not look like certainty. `tox -e statistics` measures how often the verdict is wrong.
_PSEUDO_BLOCK: Final = {0.0: 0.5, 1.0: 0.5}
_CLOSE_ENOUGH: Final = 1e-7
_ROUNDS: Final = 100


@dataclass(frozen=True, slots=True)
class SprtState:
    """The state of a test; all numbers are from the hero's point of view."""

    blocks: int
    share: float | None  # the mean share of opponents beaten; None before the first block
    elo: float  # relative to the field, from this share; a little closer to 0
    llr: float  # the logarithm of the likelihood ratio: above 0 speaks for `high`
    lower: float  # the test fails when llr comes down to this
    upper: float  # the test passes when llr comes up to this
    verdict: Decision | None  # None: more blocks are needed


@dataclass(frozen=True, slots=True)
class Sprt:
    """Tests whether a hero is `low` or `high` Elo above the field.

    A hero of `low` or less passes with a probability of at most `alpha`; a hero of `high` or more
    fails with a probability of at most `beta`. Raises SprtRefused for impossible values.
    """

    low: float
    high: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -1000 <= self.low < self.high <= 1000:
            raise SprtRefused(
                f"a test from {self.low:g} to {self.high:g} Elo is not possible: "
                "the first must be below the second, and both between -1000 and 1000"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise SprtRefused("both error rates of a test must be between 0 and 0.5")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which the test fails."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which the test passes."""
        return log((1 - self.beta) / self.alpha)

    def judge(self, shares: Iterable[float]) -> SprtState:
        """Return the state after these shares, in this order; shares after a verdict are ignored."""
        run = SprtRun(self)
        for share in shares:
            if run.add(share).verdict:
                break
        return run.state


class SprtRun:
    """A running test; gives the same result as `Sprt.judge`, one block at a time."""

    def __init__(self, sprt: Sprt) -> None:
        self._sprt = sprt
        self._counts = dict(_PSEUDO_BLOCK)
        self._sum = 0.0
        self.state = SprtState(0, None, 0.0, 0.0, sprt.lower, sprt.upper, None)

    def add(self, share: float) -> SprtState:
        """Add a block, and return the new state; after a verdict nothing changes."""
        if self.state.verdict is None:
            self._counts[share] = self._counts.get(share, 0.0) + 1
            self._sum += share
            self.state = self._next_state(self.state.blocks + 1)
        return self.state

    def _next_state(self, blocks: int) -> SprtState:
        sprt = self._sprt
        low, high = expected_score(sprt.low, 0), expected_score(sprt.high, 0)
        llr = log_likelihood(self._counts, high) - log_likelihood(self._counts, low)
        verdict: Decision | None = None
        if blocks >= FEWEST_BLOCKS and llr >= sprt.upper:
            verdict = "pass"
        if blocks >= FEWEST_BLOCKS and llr <= sprt.lower:
            verdict = "fail"
        elo = elo_of_score((self._sum + 0.5) / (blocks + 1))
        return SprtState(blocks, self._sum / blocks, elo, llr, sprt.lower, sprt.upper, verdict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a sequential test says about its hero; its sentence is the same wherever it is shown."""

    hero: str
    low: float
    high: float
    state: SprtState

    @property
    def decision(self) -> Decision | None:
        """The result: "pass" if `high` is nearer to the truth than `low`; None if it is open."""
        return self.state.verdict

    @property
    def estimate(self) -> float | None:
        """The measured strength in Elo; None before the first block."""
        return self.state.elo if self.state.blocks else None

    @property
    def blocks(self) -> int:
        """The number of blocks that were needed, or that were played so far."""
        return self.state.blocks

    @property
    def sentence(self) -> str:
        """The verdict in one sentence, without a full stop."""
        low, high = f"{self.low:+g}", f"{self.high:+g}"
        measured = "" if self.estimate is None else f"measured {round(self.estimate):+d}, "
        evidence = f"({measured}{plural(self.blocks, 'block')})"
        if self.decision is None:
            return f"Undecided: {self.hero!r} may be closer to {low} or to {high} Elo {evidence}"
        near, far = (high, low) if self.decision == "pass" else (low, high)
        return f"{self._answer()}: {self.hero!r} is closer to {near} than to {far} Elo {evidence}"

    def _answer(self) -> str:
        """Return the decision as an adjective; a test up to 0 Elo asks whether the hero is worse."""
        is_passed = self.decision == "pass"
        if self.high > 0:
            return "Better" if is_passed else "Not better"
        return "Not worse" if is_passed else "Worse"

    def to_dict(self) -> dict[str, object]:
        """Return plain data for `--json`."""
        return {
            "hero": self.hero,
            "decision": self.decision,
            "low": self.low,
            "high": self.high,
            "estimate": self.estimate,
            "blocks": self.blocks,
            "sentence": self.sentence,
        }


def hero_share(result: BlockResult, hero: str) -> float:
    """Return the share of opponents that the hero beat in a block; a tie counts one half.

    It is the mean over the games and over the hero's seats. Copies of the hero do not count as
    opponents. Raises SprtRefused if there are no others.
    """
    duels = [duel for game in result.games for duel in _duels(game, hero)]
    if not duels:
        raise SprtRefused(f"{hero!r} meets nobody in block {result.block.id}")
    return sum(duels) / len(duels)


def log_likelihood(counts: Mapping[float, float], mean: float) -> float:
    """Return the log-likelihood of the best distribution with this mean, relative to the best of all.

    That distribution weights each observed share x by 1 / (1 + tilt * (x - mean)). The tilt is the
    maximum of a concave function of one variable; far from it, Newton's steps are shortened.
    """
    gaps = [share - mean for share in counts]
    weights = list(counts.values())
    tilt = 0.0
    for _ in range(_ROUNDS):
        pulls = [gap / (1 + tilt * gap) for gap in gaps]
        slope = sum(count * pull for count, pull in zip(weights, pulls, strict=True))
        step = slope / sum(count * pull * pull for count, pull in zip(weights, pulls, strict=True))
        far = sqrt(2 * slope * step)
        tilt += step if far < 0.25 else step / (1 + far)
        if far < _CLOSE_ENOUGH:
            break
    return -sum(count * log1p(tilt * gap) for count, gap in zip(weights, gaps, strict=True))


def _duels(game: GameResult, hero: str) -> Iterator[float]:
    """Yield 1, 0.5 or 0 for each opponent that the hero beat, tied with or lost to, seat by seat."""
    seated = list(zip(game.bots, game.ranks, strict=True))
    for own in (rank for bot, rank in seated if bot == hero):
        for other in (rank for bot, rank in seated if bot != hero):
            yield 1.0 if own < other else 0.5 if own == other else 0.0
