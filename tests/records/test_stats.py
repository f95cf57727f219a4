"""The figures of many games agree with the records, and they add up."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from referee.records.game_stats import GameTally, tally_record
from referee.records.stats import COLUMNS, SCORE_PARTS, bot_name, rows, stats
from support.recorded_games import SOME_FAULTS, lines_of, record

NAMES = (
    "hanse-4-5:4:bigbox+missions+favours+promos+max_turns=60",
    "hanse-2-3:3:bigbox+max_turns=60",
    "britannia-2-3:3:bigbox+permits+max_turns=60",
)


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("records")
    made = []
    for number, name in enumerate(NAMES * 2):
        who = ["one", "two", "one#2", "three"][: 4 if name.startswith("hanse-4-5") else 3]
        faults = SOME_FAULTS if number == 4 else {}
        made.append(record(folder / f"{number}.jsonl", name, seed=number, faults=faults, names=who))
    return made


@pytest.fixture(scope="module")
def games(paths: list[Path]) -> list[GameTally]:
    found = [tally_record(path) for path in paths]
    assert {verdict.verdict for verdict, _ in found} == {"fine"}
    return [game for _, game in found if game is not None]


@pytest.fixture(scope="module")
def figures(games: list[GameTally]) -> dict[str, Any]:
    return stats(games, Counter(incomplete=2))


@pytest.mark.parametrize("name", ["one", "one#2", "one~2", "one#2~3"])
def test_copies_of_a_bot_are_one_bot(name: str) -> None:
    assert bot_name(name) == "one"


def choices_of(paths: list[Path], do: str) -> int:
    every = [line["do"] for path in paths for line in lines_of(path) if line["line"] == "decision"]
    return sum(one["do"] == do and "from" not in one for one in every)


def test_games_and_left_out_records_are_counted(figures: dict[str, Any]) -> None:
    assert figures["games"] == 6
    assert figures["left_out"] == {"incomplete": 2}


def test_the_length_is_that_of_the_records(figures: dict[str, Any], paths: list[Path]) -> None:
    turns = [sum(line["line"] == "turn" for line in lines_of(path)) for path in paths]
    asked = [sum(line["line"] == "decision" for line in lines_of(path)) for path in paths]
    length = figures["length"]
    assert length["turns"]["median"] == median(turns)
    assert (length["decisions"]["least"], length["decisions"]["most"]) == (min(asked), max(asked))


def test_reasons_are_those_of_the_records(figures: dict[str, Any], paths: list[Path]) -> None:
    assert figures["reasons"] == Counter(lines_of(path)[-1]["reason"] for path in paths)


@pytest.mark.parametrize("action", ["income", "displace", "move", "create"])
def test_actions_are_those_that_were_chosen(
    action: str, figures: dict[str, Any], paths: list[Path]
) -> None:
    (found,) = [one for one in figures["actions"] if one["action"] == action]
    assert found["count"] == choices_of(paths, action)
    assert found["per_game"] == pytest.approx(found["count"] / 6, abs=0.001)
    assert sum(one["share"] for one in figures["actions"]) == pytest.approx(1, abs=0.01)


def test_routes_are_those_that_were_created(figures: dict[str, Any], paths: list[Path]) -> None:
    created: Counter[tuple[str, str]] = Counter()
    for path in paths:
        board, *lines = lines_of(path)
        for line in lines:
            if line.get("do", {}).get("do") == "create":
                created[board["rules"]["board"], line["do"]["route"]] += 1
    found = {(one["board"], one["route"]): one["created"] for one in figures["routes"]}
    assert found == created
    counts = [one["created"] for one in figures["routes"]]
    assert counts == sorted(counts, reverse=True)


def test_an_ability_is_developed_step_by_step(figures: dict[str, Any]) -> None:
    assert figures["abilities"]
    steps = {(one["ability"], one["step"]): one for one in figures["abilities"]}
    for (ability, step), one in steps.items():
        assert 1 <= one["median_turn"] <= 20
        if step > 1:
            assert steps[ability, step - 1]["seats"] >= one["seats"]


def test_no_more_markers_are_used_than_taken(games: list[GameTally]) -> None:
    """A swapped marker is used twice, so games with promos are left out."""
    plain = stats([game for game in games if "promos" not in game.ruleset], Counter())["markers"]
    assert sum(one["taken"] for one in plain) > 5
    assert all(one["used"] <= one["taken"] for one in plain)


def test_the_parts_of_every_row_add_up(figures: dict[str, Any]) -> None:
    for one in (*figures["seats"], *figures["bots"]):
        assert sum(one["parts"].values()) == pytest.approx(one["total"], abs=0.01)


def test_wins_add_up_to_the_games(figures: dict[str, Any]) -> None:
    assert sum(one["wins"] for one in figures["bots"]) == pytest.approx(6, abs=0.01)
    assert sum(one["wins"] for one in figures["seats"]) == pytest.approx(6, abs=0.01)


def test_seats_are_counted_by_the_number_of_players(figures: dict[str, Any]) -> None:
    found = [(one["players"], one["seat"], one["games"]) for one in figures["seats"]]
    assert found == [(3, s, 4) for s in range(3)] + [(4, s, 2) for s in range(4)]


def test_a_second_copy_counts_for_the_same_bot(figures: dict[str, Any]) -> None:
    games = {one["name"]: one["games"] for one in figures["bots"]}
    assert games == {"one": 12, "two": 6, "three": 2}


def test_faults_and_times_are_those_of_the_bots(figures: dict[str, Any], paths: list[Path]) -> None:
    bots = figures["bots"]
    lines = [line for path in paths for line in lines_of(path)]
    assert sum(one["faults"] for one in bots) == sum(line["line"] == "fault" for line in lines)
    assert sum(one["disqualified"] for one in bots) == 2
    times = [line["ms"] for line in lines if line.get("by") == "bot"]
    assert sum(one["answers"] for one in bots) == len(times)
    assert max(one["slowest_ms"] for one in bots) == max(times)


def test_a_row_has_every_column_and_its_parts_add_up(games: list[GameTally]) -> None:
    found = [row for game in games for row in rows(game)]
    assert len(found) == 20
    for row in found:
        assert tuple(row) == COLUMNS
        assert sum(row[part] for part in SCORE_PARTS) == row["total"]
        assert row["routes"] == row["action_create"]


@pytest.mark.parametrize("cut", [0, 100, 30_000])
def test_unfinished_games_are_not_counted(cut: int, tmp_path: Path, paths: list[Path]) -> None:
    path = tmp_path / "cut.jsonl"
    path.write_bytes(paths[0].read_bytes()[:cut])
    verdict, game = tally_record(path)
    assert (verdict.verdict, game) == ("incomplete", None)


def test_figures_of_no_game_are_empty() -> None:
    none = stats([], Counter())
    assert none["games"] == 0
    assert none["length"] == {"turns": None, "decisions": None}
    assert none["bots"] == []
