"""Sequential tests from the first block to the verdict, however often they are interrupted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.errors import TournamentRefused
from referee.tournament.sprt import Verdict
from referee.tournament.stopping import stored_verdict
from referee.tournament.store.store import Store
from referee.web.site.build import make_site
from support.blocks import at_fault
from support.sequential_tests import HERO, MortalWorkers, draw_results, open_test, run_test
from support.two_workers import TwoWorkers

FOUR_BOTS = (HERO, "old", "older", "oldest")


@pytest.fixture(scope="module")
def decided(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Verdict]:
    """An undisturbed test and its verdict."""
    folder = tmp_path_factory.mktemp("decided") / "t"
    finished = run_test(folder)
    assert finished.ending == "tested"
    assert finished.verdict is not None
    return folder, finished.verdict


def verdict_in(folder: Path) -> Verdict | None:
    with Store.read(folder) as store:
        return stored_verdict(store)


# --- Interruptions


def test_five_interruptions_do_not_change_the_verdict(
    tmp_path: Path, decided: tuple[Path, Verdict]
) -> None:
    _, whole = decided
    for blocks in (1, 2, 0, 3, 2):
        finished = run_test(tmp_path / "t", MortalWorkers(blocks))
        assert finished.is_interrupted
    finished = run_test(tmp_path / "t")
    assert finished.ending == "tested"
    assert finished.verdict == whole
    assert whole.decision is not None
    assert whole.blocks > 8


def test_a_test_that_is_killed_after_its_last_block_plays_no_more(
    tmp_path: Path, decided: tuple[Path, Verdict]
) -> None:
    _, whole = decided
    run_test(tmp_path / "t", games=4 * whole.blocks - 4)
    opened = open_test(tmp_path / "t")
    with opened.store as store:
        stage = opened.planned.plan.stage(0, (), frozenset())
        store.finish(draw_results(next(one for one in stage or () if not store.has(one.id))))
    workers = TwoWorkers(draw_results)
    finished = run_test(tmp_path / "t", workers)
    assert (finished.ending, finished.verdict) == ("tested", whole)
    assert workers.submitted == []


def test_a_budget_does_not_change_the_verdict(
    tmp_path: Path, decided: tuple[Path, Verdict]
) -> None:
    _, whole = decided
    first = run_test(tmp_path / "t", games=20)
    assert first.ending == "budget"
    assert first.verdict is not None
    assert (first.verdict.decision, first.verdict.blocks) == (None, 5)
    assert verdict_in(tmp_path / "t") == first.verdict
    assert run_test(tmp_path / "t").verdict == whole


def test_a_disqualification_and_interruptions_do_not_change_the_verdict(tmp_path: Path) -> None:
    play = at_fault("older", play=draw_results)
    options: dict[str, Any] = {"bots": FOUR_BOTS, "seats": 3, "disqualify_after": 6}
    whole = run_test(tmp_path / "whole", TwoWorkers(play), **options)
    assert whole.ending == "tested"
    # Interrupted only after the disqualification, so that it comes at the same block.
    for number in range(4):
        finished = run_test(tmp_path / "t", MortalWorkers(6 + number, play), **options)
        assert finished.is_interrupted
    finished = run_test(tmp_path / "t", TwoWorkers(play), **options)
    assert finished.verdict == whole.verdict
    assert verdict_in(tmp_path / "t") == verdict_in(tmp_path / "whole") == whole.verdict


def test_a_decided_test_is_not_continued(decided: tuple[Path, Verdict]) -> None:
    with pytest.raises(TournamentRefused, match="was closed at"):
        open_test(decided[0])


def test_a_test_of_two_bots_that_loses_one_is_undecided(tmp_path: Path) -> None:
    finished = run_test(tmp_path / "t", TwoWorkers(at_fault("old", play=draw_results)))
    assert finished.ending == "too-few-bots"
    assert finished.verdict is not None
    assert finished.verdict.decision is None
    assert finished.verdict.blocks == 3  # the next one was still running, and does not count
    assert verdict_in(tmp_path / "t") == finished.verdict


# --- Where the verdict is shown


def test_the_verdict_stands_in_the_standings(decided: tuple[Path, Verdict]) -> None:
    folder, verdict = decided
    shown = CliRunner().invoke(main, ["standings", str(folder)], env={"COLUMNS": "80"}).stdout
    assert f"{verdict.sentence}.\n" in shown
    as_json = CliRunner().invoke(main, ["standings", str(folder), "--json"]).stdout
    assert json.loads(as_json)["verdict"] == verdict.to_dict()


def test_the_verdict_stands_on_the_site(decided: tuple[Path, Verdict], tmp_path: Path) -> None:
    folder, verdict = decided
    make_site(folder, tmp_path / "site", games="none")
    page = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert f"{verdict.sentence}.".replace("'", "&#x27;") in page


def test_other_tournaments_have_no_verdict(tmp_path: Path) -> None:
    finished = run_test(tmp_path / "t", sprt=None, blocks=1)
    assert finished.verdict is None
    assert verdict_in(tmp_path / "t") is None
