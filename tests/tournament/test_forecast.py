"""Forecasts: what a run would play, by bot and table, after what is finished."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.tournament.forecast import Forecast, make_forecast
from referee.tournament.opening import open_tournament, plan_tournament
from referee.tournament.request import TableRequest, TournamentRequest
from referee.tournament.run import play
from referee.tournament.store import Judgement
from support.two_workers import TwoWorkers

SIX = ("random",) * 6
NAMES = ["random", *(f"random#{number}" for number in range(2, 7))]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "t"


def played(folder: Path, **request: Any) -> None:
    """Play a run with invented results, in which the earlier seat always wins."""
    bots = None if (folder / "tournament.sqlite").exists() else SIX
    opened = open_tournament(folder, TournamentRequest(bots=bots, **request))
    with opened.store:
        play(opened, TwoWorkers)


def forecast(folder: Path, **request: Any) -> Forecast:
    bots = None if (folder / "tournament.sqlite").exists() else SIX
    if bots is not None:
        return make_forecast(plan_tournament(folder, TournamentRequest(bots=bots, **request)), None)
    opened = open_tournament(folder, TournamentRequest(**request))
    with opened.store:
        return make_forecast(opened.planned, opened.store)


def games(found: Forecast) -> dict[str, tuple[int, int | None]]:
    return {count.bot: (count.finished, count.remaining) for count in found.counts}


def test_a_new_tournament_has_everything_before_it(folder: Path) -> None:
    found = forecast(folder, blocks_per_bot=8)
    assert (found.size, found.remaining_blocks, found.remaining_games) == ("exact", 12, 48)
    assert games(found) == dict.fromkeys(NAMES, (0, 32))
    assert found.seconds is None


def test_an_earlier_tournament_has_only_the_rest_before_it(folder: Path) -> None:
    played(folder, blocks_per_bot=4)
    found = forecast(folder, blocks_per_bot=8, workers=2)
    assert (found.finished_blocks, found.remaining_blocks) == (6, 6)
    assert games(found) == dict.fromkeys(NAMES, (16, 16))
    assert found.seconds == 24 * 0.5 / 2
    assert forecast(folder, blocks_per_bot=8, hours=0.001).seconds == 3.6


def test_a_budget_limits_the_forecast(folder: Path) -> None:
    assert forecast(folder, games=21).remaining_games == 20
    played(folder, games=21)
    found = forecast(folder, games=30)
    assert (found.finished_games, found.remaining_games) == (20, 8)


def test_games_are_counted_by_table(folder: Path) -> None:
    tables = (TableRequest(board="hanse-2-3", seats=3), TableRequest(weight=0.5))
    found = forecast(folder, blocks_per_bot=4, tables=tables)
    by_table = [count.remaining for count in found.counts if count.bot == "random"]
    assert by_table == [12, 8]


def test_the_hero_of_a_gauntlet_plays_in_every_block(folder: Path) -> None:
    found = forecast(folder, format="gauntlet", blocks_per_bot=3)
    assert games(found) == {**dict.fromkeys(NAMES, (0, 12)), "random": (0, 20)}


def test_a_sequential_test_has_no_fixed_end(folder: Path) -> None:
    found = forecast(folder, format="gauntlet", sprt=(0.0, 30.0))
    assert (found.size, found.remaining_games) == ("open", None)
    assert len(found.blocks) == 1000
    assert set(games(found).values()) == {(0, None)}
    limited = forecast(folder, format="gauntlet", sprt=(0.0, 30.0), games=100)
    assert (limited.size, limited.remaining_games) == ("exact", 100)


def test_a_settled_round_robin_is_counted_to_its_next_check(folder: Path) -> None:
    found = forecast(folder, blocks="settled")
    assert (found.size, found.remaining_blocks) == ("at least", 6)  # 4 passes of 6 bots
    played(folder, blocks="settled", games=28)
    found = forecast(folder)
    assert (found.finished_blocks, found.size, found.remaining_blocks) == (7, "at least", 2)


def test_rounds_that_depend_on_results_are_counted_at_most(folder: Path) -> None:
    found = forecast(folder, format="swiss", rounds=5)
    assert (found.size, found.remaining_games) == ("at most", 20)
    assert sum(count.remaining or 0 for count in found.counts) == 16  # of the next round
    found = forecast(folder, format="ladder", blocks_per_bot=10)
    assert (found.size, found.remaining_blocks) == ("at most", 12)


def test_disqualified_and_retired_bots_play_no_more(folder: Path) -> None:
    played(folder, blocks_per_bot=2)
    opened = open_tournament(folder, TournamentRequest(blocks_per_bot=4))
    with opened.store as store:
        store.judge(Judgement((), {"random#2": "at fault"}))
        found = make_forecast(opened.planned, store)
        assert found.out == {"random#2": "at fault"}
        assert games(found)["random#2"] == (0, 0)
        for name in NAMES[2:]:
            store.judge(Judgement((), {name: "at fault"}))
        lacking = make_forecast(opened.planned, store)
    assert lacking.lack == "1 bot can still play, and a game needs 2"
    assert lacking.remaining_blocks == 0


@pytest.mark.parametrize(("games", "blocks"), [(None, 487_635), (4000, 1000)])
def test_very_many_blocks_are_not_counted_by_bot(
    folder: Path, monkeypatch: pytest.MonkeyPatch, games: int | None, blocks: int
) -> None:
    monkeypatch.setattr("referee.tournament.forecast.MOST_BLOCKS", 100)
    request = TournamentRequest(bots=("random",) * 60, blocks=1, games=games)
    found = make_forecast(plan_tournament(folder, request), None)
    assert (found.remaining_blocks, found.remaining_games) == (blocks, 4 * blocks)
    assert found.counts == []
