"""`python -m stress.browser_games`: a real browser plays whole games by clicking, against bundled bots."""

from __future__ import annotations

import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import click

from referee.cli.lazy import examples
from referee.engine.terms import DECISIONS
from referee.records.verify import verify
from referee.terminal import explain, show_json
from stress import program
from stress.program import StressRefused, heading
from support.browser import Browser, browser_path
from support.combinations import ALL_PROMOS
from support.played_in_browser import Played, RunningGame, answer_one, play_by_clicks

# Every board, with every variant that it allows.
RULESETS: Final = (
    f"hanse-4-5:4:bigbox+missions+favours+promos+{ALL_PROMOS}",
    f"hanse-2-3:2:bigbox+missions+favours+promos+neutral=2009+{ALL_PROMOS}",
    f"hanse-2-3:3:bigbox+missions+favours+promos+{ALL_PROMOS}",
    f"east:3:bigbox+promos+{ALL_PROMOS}",
    f"britannia-4-5:4:bigbox+permits+promos+{ALL_PROMOS}",
    f"britannia-2-3:3:bigbox+permits+promos+{ALL_PROMOS}+country_ties=next-lower",
    "britannia-2-3:2:original+permits+neutral=britannia+permanent_markers=must",
)


@dataclass(frozen=True)
class BrowserGame:
    """One game, and what the browser did in it."""

    ruleset: str
    seed: int
    decisions: int
    clicks: int
    kinds: list[str]  # of decisions that the browser answered
    verdict: str  # of `referee verify`
    complaints: list[str]  # of the page

    @property
    def is_clean(self) -> bool:
        """Whether the record verifies, and the page reported no error."""
        return self.verdict == "fine" and not self.complaints


@click.command(
    cls=program.StressProgram,
    epilog=examples(
        "python -m stress.browser_games",
        "python -m stress.browser_games --rounds 3 --people 2 --seed 7",
        "python -m stress.browser_games --max-turns 20 --json",
    ),
)
@click.option("--rounds", type=click.IntRange(1), default=1, show_default=True, help="Games of each ruleset.")  # fmt: skip
@click.option("--people", type=click.IntRange(1, 4), default=1, show_default=True, help="Seats in the browser; the others are bots.")  # fmt: skip
@click.option("--max-turns", type=click.IntRange(0), default=0, show_default=True, help="End each game after N turns; 0 means no limit.")  # fmt: skip
@program.seed
@program.as_json
def main(rounds: int, people: int, max_turns: int, seed: int, as_json: bool) -> int:
    """Play whole games on every board with every variant on, by real clicks in Chromium.

    At each decision, what the click paths and the list of the page reach must be the legal list. A
    click must have the effect that the page says, and every record must verify. Kinds of decision
    that no game had are asked in recorded positions. The exit status is 1 if anything differs.
    """
    if browser_path() is None:
        raise StressRefused("no browser is installed (on Debian: apt install chromium)")
    found: list[BrowserGame] = []
    with Browser() as browser, program.counting(rounds * len(RULESETS)) as count:
        for number in range(rounds * len(RULESETS)):
            ruleset = RULESETS[number % len(RULESETS)]
            found.append(_play(browser, ruleset, seed + number, people, max_turns))
            count(number + 1)
        rare = _answer_rest(browser, {kind for one in found for kind in one.kinds})
    return _report(found, rare, as_json=as_json)


def _play(browser: Browser, ruleset: str, seed: int, people: int, max_turns: int) -> BrowserGame:
    players = int(ruleset.split(":")[1])
    with tempfile.TemporaryDirectory(prefix="browser-games-") as folder:
        with RunningGame(
            ruleset,
            Path(folder),
            seed=seed,
            people=min(people, players - 1),
            max_turns=max_turns,
        ) as running:
            played = play_by_clicks(browser, running)
            running.finish()
        verdict = verify(running.record).verdict
    return BrowserGame(
        ruleset,
        seed,
        played.decisions,
        played.clicks,
        sorted(played.kinds),
        verdict,
        played.complaints,
    )


def _answer_rest(browser: Browser, kinds: set[str]) -> list[str]:
    """Answer one decision of each kind that was not met yet; return these kinds."""
    rest = [kind for kind in DECISIONS if kind not in kinds]
    for kind in rest:
        with tempfile.TemporaryDirectory(prefix="browser-games-") as folder:
            played: Played = answer_one(browser, Path(folder), kind)
        if played.kinds != {kind} or played.complaints:
            raise StressRefused(f"the decision {kind} was not answered: {played.complaints}")
    return rest


def _report(found: list[BrowserGame], rare: list[str], *, as_json: bool) -> int:
    clean = all(one.is_clean for one in found)
    if as_json:
        result: dict[str, Any] = heading("browser-games")
        show_json(result | {"games": [asdict(one) for one in found], "rare": rare, "clean": clean})
    else:
        for one in found:
            explain(
                f"{one.ruleset}, seed {one.seed}: {one.decisions} decisions, {one.clicks} clicks,"
                f" record {one.verdict}; {', '.join(one.kinds)}"
            )
            for complaint in one.complaints:
                explain(f"  the page: {complaint}")
        explain(f"in recorded positions: {', '.join(rare) or 'none'}")
    return 0 if clean else program.FAILED


if __name__ == "__main__":
    main()
