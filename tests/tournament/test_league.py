"""A league with bad bots, a newcomer, a new version and a retired bot plays the same if it is disturbed."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.tournament.field import BotChanges
from referee.tournament.opening import open_tournament
from referee.tournament.request import TableRequest, TournamentRequest
from referee.tournament.results import BlockResult
from referee.tournament.run import play
from referee.tournament.workers.pool import WorkerEvent
from support.blocks import at_fault
from support.two_workers import TwoWorkers

SECRET = "5ec2e7" * 8  # the same games each time
BOTS = tuple(f"b{number}=random" for number in range(8))
BAD = ("b6", "b7")  # at fault in every game, so they are disqualified
TABLES = (TableRequest(), TableRequest(board="east", seats=3, weight=0.5))
# What an organiser does in the course of a season.
SEASON: tuple[tuple[dict[str, Any], BotChanges], ...] = (
    ({"bots": BOTS, "seed": 7, "tables": TABLES, "blocks_per_bot": 2}, BotChanges()),
    ({"blocks_per_bot": 3}, BotChanges()),
    ({"bots": ("late=random",)}, BotChanges()),
    ({}, BotChanges(replace=["b3=greedy"])),
    ({"blocks_per_bot": 4}, BotChanges(retire=["b5"])),
)


class UnreliableWorkers(TwoWorkers):
    """Blocks finish in any order, and after some of them the run is killed."""

    slots = 5

    def __init__(self, random: Random, survives: int) -> None:
        super().__init__(at_fault(*BAD))
        self._random = random
        self._left = survives

    def wait(self, seconds: float) -> list[WorkerEvent]:
        if self._left == 0:
            raise KeyboardInterrupt
        self._left -= 1
        self._random.shuffle(self.taken)
        return super().wait(seconds)


def play_season(folder: Path, random: Random | None = None) -> list[BlockResult]:
    """Play all runs of the season; with `random`, each of them is killed several times."""
    for request, changes in SEASON:
        survivals = [] if random is None else [random.randrange(9) for _ in range(2)]
        for survives in [*survivals, None]:
            opened = open_tournament(
                folder, TournamentRequest(**request), secret=SECRET, changes=changes
            )
            with opened.store as store:
                if random is None or survives is None:
                    assert play(opened, lambda: TwoWorkers(at_fault(*BAD))).ending == "done"
                else:
                    play(opened, lambda: UnreliableWorkers(random, survives))  # noqa: B023  called at once
                results = list(store.results())
    return sorted(results)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[BlockResult]:
    return play_season(tmp_path_factory.mktemp("league") / "t")


def test_a_disturbed_league_plays_the_same_blocks(
    tmp_path: Path, undisturbed: list[BlockResult]
) -> None:
    assert play_season(tmp_path / "t", Random(0)) == undisturbed


def test_all_bots_of_a_league_play_their_blocks(undisturbed: list[BlockResult]) -> None:
    for table, fewest in (("hanse", 4), ("east", 2)):
        blocks = [result.block for result in undisturbed if result.block.table.startswith(table)]
        counts = {bot: sum(bot in block.bots for block in blocks) for bot in ("late", "b3@2", "b1")}
        assert min(counts.values()) == fewest
    replaced = [result.block for result in undisturbed if "b3@2" in result.block.bots]
    assert not any("b3" in block.bots for block in replaced)
