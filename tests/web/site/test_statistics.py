"""The figures of a site: who finished ahead of whom, results by seat, and ratings over time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee.tournament.ratings import RatingsRefused, rate
from referee.tournament.ratings.meetings import Meeting, meetings
from referee.tournament.ratings.scale import RatingInterval
from referee.tournament.results import Block, BlockResult, GameResult
from referee.web.site.charts import Bars
from referee.web.site.snapshot import read_snapshot
from referee.web.site.statistics import (
    ALL_GAMES,
    POINTS_OF_CURVE,
    WITHOUT_FAULTS,
    by_seat,
    curve,
    figures_of,
    summed,
)
from support.sample_site import TWO_TABLES, fault, write_tournament


def game(bots: str, *ranks: int, table: str = "t") -> GameResult:
    seats = tuple(bots)
    no_faults = (0,) * len(seats)
    totals = tuple(10 * seat for seat in range(len(seats)))
    return GameResult(table, seats, ranks, totals, no_faults, (False,) * len(seats))


def result(*games: GameResult, number: int = 0) -> BlockResult:
    return BlockResult(Block(f"b{number}", "t", games[0].bots, 1), games)


def test_a_meeting_counts_who_finished_ahead_and_a_tie_as_half() -> None:
    found = meetings([result(game("abc", 1, 2, 2), game("bca", 1, 2, 3))])
    assert found["a", "b"] == Meeting(2, 1.0)
    assert found["a", "c"] == Meeting(2, 1.0)
    assert found["b", "c"] == Meeting(2, 1.5)
    assert found["c", "b"].share == pytest.approx(0.25)


def test_the_shares_of_both_bots_of_a_meeting_add_up_to_one() -> None:
    found = meetings([result(game("abc", 1, 3, 1), game("bca", 3, 1, 2))])
    for (bot, other), meeting in found.items():
        back = found[other, bot]
        assert (meeting.games, meeting.share + back.share) == (back.games, 1)


def test_each_copy_of_a_bot_meets_the_others_but_not_its_copies() -> None:
    found = meetings([result(game("aab", 1, 3, 2))])
    assert found == {("a", "b"): Meeting(2, 1.0), ("b", "a"): Meeting(2, 1.0)}


def test_results_are_summed_by_bot_table_and_seat() -> None:
    found = by_seat([result(game("ab", 1, 2), game("ba", 1, 1), game("ab", 2, 1, table="u"))])
    assert summed(found, bot="a", table="t").first_places == pytest.approx(1.5)
    assert summed(found, bot="a", seat=0).ranks == 3
    assert summed(found, table="t", seat=1).totals == 20
    assert summed(found).games == 6


def test_the_curve_ends_with_the_standings_and_has_few_points(tmp_path: Path) -> None:
    results = read_snapshot(write_tournament(tmp_path / "t", blocks=20)).results
    points = list(curve(results))
    assert [points[0].blocks, points[-1].blocks] == [len(results) // POINTS_OF_CURVE, 80]
    assert len(points) == POINTS_OF_CURVE
    final = {entry.bot: (entry.rating, entry.low, entry.high) for entry in rate(results).entries}
    assert points[-1].ratings == final


def test_a_curve_of_few_blocks_has_a_point_for_each() -> None:
    results = [result(game("ab", 1, 2), number=number) for number in range(3)]
    assert [point.blocks for point in curve(results)] == [1, 2, 3]
    assert list(curve([])) == []


def test_the_curve_begins_when_the_anchor_has_played() -> None:
    results = [result(game("ab", 1, 2), number=0), result(game("ac", 1, 2), number=1)]
    (point,) = curve(results, anchor="c")
    assert (point.blocks, point.ratings["c"].rating) == (2, 1500)


def test_a_selection_that_equals_all_games_is_left_out(tmp_path: Path) -> None:
    plain = figures_of(read_snapshot(write_tournament(tmp_path / "plain")))
    assert list(plain.selections) == [ALL_GAMES]
    folder = write_tournament(tmp_path / "two", tables=TWO_TABLES, faults={0: [fault()]})
    snapshot = read_snapshot(folder)
    both = figures_of(snapshot)
    assert list(both.selections) == [ALL_GAMES, WITHOUT_FAULTS, *snapshot.tables]
    games = [ratings.games for ratings in both.selections.values()]
    assert games[0] == games[1] + 1 == games[2] + games[3]


def test_a_selection_without_the_anchor_is_left_out(tmp_path: Path) -> None:
    snapshot = read_snapshot(write_tournament(tmp_path / "t", blocks=1))
    results = [
        one._replace(games=tuple(game._replace(faults=(1, 0, 0)) for game in one.games))
        if "anna" in one.block.bots
        else one
        for one in snapshot.results
    ]
    changed = replace(snapshot, results=results)
    assert list(figures_of(changed).selections) == [ALL_GAMES, WITHOUT_FAULTS]
    assert list(figures_of(changed, anchor="anna").selections) == [ALL_GAMES]


def test_a_bar_that_leaves_the_scale_has_an_arrow_there() -> None:
    near = [RatingInterval(1500 + n, 1490 + n, 1510 + n) for n in range(8)]
    wide = RatingInterval(1500, -4000, 1510)
    bars = Bars([*near, wide], 1500.0)
    plain, left = str(bars.bar(near[0])), str(bars.bar(wide))
    assert (plain.count('class="dot"'), left.count('class="dot"')) == (1, 2)
    assert "1500, from -4000 to 1510" in left


def test_an_anchor_that_did_not_play_is_refused(tmp_path: Path) -> None:
    snapshot = read_snapshot(write_tournament(tmp_path / "t"))
    with pytest.raises(RatingsRefused, match="'nobody' cannot be the anchor"):
        figures_of(snapshot, anchor="nobody")
