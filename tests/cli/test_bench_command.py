"""`referee bench engine`: its figures, for people and for programs."""

import json

from click.testing import CliRunner, Result

from referee import atlas
from referee.cli import main
from referee.version import build_name


def bench(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["bench", "engine", "--seconds", "0", *arguments])


def test_json_is_one_object_with_every_board() -> None:
    words = json.loads(bench("--json").stdout)
    assert words["build"] == build_name()
    boards = set(atlas.board_names())
    for figure in ("decisions_per_s", "copy_us", "apply_us", "replay_decisions_per_s", "digest"):
        assert set(words[figure]) == boards
    assert all(words["decisions_per_s"][board] > 0 for board in boards)


def test_both_runs_play_the_same_games() -> None:
    one, two = (json.loads(bench("--board", "east", "--json").stdout) for _ in range(2))
    assert one["digest"] == two["digest"]
    assert one["decisions"] == two["decisions"]


def test_the_table_has_a_row_for_each_board_that_was_asked_for() -> None:
    table = bench("--board", "east", "--board", "hanse-4-5", "--seats", "5").stdout
    assert "east" in table
    assert "hanse-4-5" in table
    assert "hanse-2-3" not in table
    assert build_name() in table


def test_seats_that_a_board_does_not_have_are_refused() -> None:
    result = bench("--board", "hanse-2-3", "--seats", "5")
    assert result.exit_code == 2
    assert result.stderr == "referee: board hanse-2-3 takes 2 to 3 seats, not 5\n"
