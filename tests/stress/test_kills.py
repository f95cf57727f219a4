"""A tournament whose whole tree is killed at any moment goes on as if nothing had happened."""

from __future__ import annotations

from pathlib import Path

from stress.kills import kill_and_resume


def test_a_tournament_survives_the_death_of_its_whole_tree(tmp_path: Path) -> None:
    found = kill_and_resume(tmp_path, 4, blocks=6, max_turns=12, seed=11)
    assert (found.blocks, found.lost, found.doubled, found.different) == (6, 0, 0, 0)
    assert found.same_standings
    assert found.left_running == 0
