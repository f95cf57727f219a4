"""Which games a version of the rules changed: the options of a game decide, and nothing else."""

from __future__ import annotations

from pathlib import Path

from referee import atlas
from referee.engine import game
from referee.engine.ruleset import RULES_VERSION
from support.combinations import combinations, named
from support.groups import each_of
from support.table import rules_for
from support.two_player_tables import edited


def is_changed_by_2(board: str, options: str) -> bool:
    """Whether version 2 changed a game on a bundled board, written again from the history."""
    return (
        any(option in options for option in ("favours", "promos", "permits"))
        or board.startswith("britannia")
        or (board in ("hanse-2-3", "east") and "neutral=britannia" in options)
    )


@each_of(combinations())
def test_the_version_of_a_game_is_the_last_that_changed_it(name: str) -> None:
    board, _, options = name.split(":", 2)
    assert named(name)[1].version == (2 if is_changed_by_2(board, options) else 1)


def test_no_game_has_a_later_version_than_the_rules() -> None:
    assert max(named(name)[1].version for name in combinations()) == RULES_VERSION


def test_the_options_with_a_value_do_not_change_other_games() -> None:
    plain = rules_for("britannia-4-5", edition="original")
    same = rules_for(
        "britannia-4-5", edition="original", country_ties="shared", permanent_markers="may"
    )
    assert same == plain
    assert plain.name == "britannia-4-5:4:original"


def test_special_cities_count_for_the_digest_only_if_given(
    tmp_path: Path,
) -> None:
    line = 'neutral_start_britannia = ["coellen", "goettingen", "groningen", "halle", "luebeck", "stade"]'
    without = atlas.load_board(edited(tmp_path, "hanse-2-3", line + "\n", ""))
    bundled = atlas.load_board("hanse-2-3")
    assert without.digest == "6864c6fb2449450c"  # as in version 0.1.0
    assert bundled.digest != without.digest
    assert bundled.digest_for(False) == without.digest_for(False) == without.digest_for(True)
    assert bundled.digest_for(True) == bundled.digest
    other = atlas.load_board(edited(tmp_path, "hanse-2-3", line, line.replace("coellen", "emden")))
    assert other.digest not in (bundled.digest, without.digest)


def test_without_special_cities_of_its_own_britannia_uses_those_of_2009(tmp_path: Path) -> None:
    line = 'neutral_start_britannia = ["coellen", "goettingen", "groningen", "halle", "luebeck", "stade"]'
    board = atlas.load_board(edited(tmp_path, "hanse-2-3", line + "\n", ""))
    starts = [
        game.new_game(board, rules_for(board, 2, neutral=neutral), 1).points
        for neutral in ("2009", "britannia")
    ]
    assert starts[0] == starts[1]
