"""`referee lesson`: a page from a tournament that was really played."""

from __future__ import annotations

import json
from pathlib import Path

from support.command_runs import error_sentence, referee_here, tournament_arguments

QUICK = ("--rounds", 1, "--games", 1)


def test_a_tournament_teaches_its_bots(tmp_path: Path) -> None:
    folder = tmp_path / "t"
    assert referee_here(*tournament_arguments(folder, "--blocks", 1)).returncode == 0
    page = referee_here("lesson", folder, "plain", *QUICK)
    assert page.returncode == 0, page.stderr
    assert page.stdout.startswith("# What plain can learn from ")
    assert "## What to try next" in page.stdout
    found = json.loads(referee_here("lesson", folder, "plain", *QUICK, "--json").stdout)
    assert (found["bot"], found["analysed"]) == ("plain", 1)
    refused = error_sentence(referee_here("lesson", folder, "plane"))
    assert refused.startswith("no bot has the name 'plane': did you mean 'plain'?")
    assert "is not the folder of a tournament" in error_sentence(
        referee_here("lesson", tmp_path, "plain")
    )
