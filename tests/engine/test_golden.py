"""Golden games: stored as files, and the same on every machine, Python and build."""

from __future__ import annotations

import pytest

import support.golden_games
from support.combinations import BOARDS, EDITIONS
from support.golden_games import FOLDER, GAMES, file_of, game_of, read, record_of
from support.groups import together
from support.random_games import decisions, events_since

every_game = together("name", [name for name, _ in GAMES])


@every_game
def test_a_golden_game_replays_as_stored(name: str) -> None:
    record = read(name)
    again = record_of(game_of(record))
    for number, (was, now) in enumerate(zip(record["digests"], again["digests"], strict=True)):
        assert now == was, f"another state after {support.golden_games.EVERY * number} choices"
    assert again == record


def test_golden_games_include_games_of_every_version_of_the_rules() -> None:
    assert {read(name)["rules_version"] for name, _ in GAMES} == {1, 2}


def test_every_file_is_replayed() -> None:
    assert sorted(FOLDER.glob("*")) == sorted(file_of(name) for name, _ in GAMES)


def test_there_is_a_golden_game_of_every_board_in_both_editions() -> None:
    there = {
        (one.board.id, one.rules.edition) for one in (game_of(read(name)) for name, _ in GAMES)
    }
    assert there == {(board, edition) for board in BOARDS for edition in EDITIONS}


def test_golden_games_contain_every_end_and_every_kind_of_event() -> None:
    found: set[str] = set()
    for name, _ in GAMES:
        *_, final = decisions(game_of(read(name)))
        found |= {event["event"] for event in events_since(final)}
    reasons = {read(name)["reason"] for name, _ in GAMES}
    assert reasons == {"prestige", "markers", "cities", "max-turns"}
    assert len(found) == 30  # all but disqualified


def test_stored_games_are_not_overwritten_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {path: path.stat().st_mtime_ns for path in FOLDER.glob("*")}
    monkeypatch.setattr("sys.argv", ["golden_games"])
    with pytest.raises(SystemExit, match="use --force to write them again"):
        support.golden_games.main()
    assert {path: path.stat().st_mtime_ns for path in FOLDER.glob("*")} == before
