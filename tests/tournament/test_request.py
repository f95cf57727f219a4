"""Requests: a file can say the same as the command line, and every mistake has a message."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.errors import RefereeError, TournamentRefused
from referee.tournament.definition import RunOptions, SprtTerms
from referee.tournament.request import (
    TournamentRequest,
    make_definition,
    make_run_options,
    merge,
    read_request,
)
from referee.tournament.results import TableKind
from support.combinations import ALL_PROMOS
from support.groups import together

NAMES = ["a", "b", "c", "d"]


def read(tmp_path: Path, text: str) -> TournamentRequest:
    path = tmp_path / "t.toml"
    path.write_text(text, "utf-8")
    return read_request(path)


def test_a_file_gives_a_request(tmp_path: Path) -> None:
    request = read(
        tmp_path,
        """
        bots = ["random", "strong=random"]
        seed = 7
        format = "swiss"
        rounds = 5
        blocks = 2
        bank_ms = "off"
        promos = true
        [[tables]]
        board = "east"
        seats = 3
        [[tables]]
        promos = false
        [[tables]]
        board = "britannia-2-3"
        seats = 3
        promo_markers = [
            "additional-post", "additional-post", "exchange-posts", "plus-3-actions",
            "plus-4-actions", "move-3", "swap-marker", "swap-marker", "tribute", "tribute",
            "block", "block",
        ]
        country_ties = "next-lower"
        """,
    )
    assert (request.bots, request.seed, request.rounds) == (("random", "strong=random"), 7, 5)
    definition = make_definition(request, 4, 7)
    assert [table.name for table in definition.tables] == [
        "east:3:bigbox+promos+max_turns=1000",
        "hanse-4-5:4:bigbox+max_turns=1000",
        f"britannia-2-3:3:bigbox+promos+{ALL_PROMOS}+country_ties=next-lower+max_turns=1000",
    ]
    assert definition.conditions.bank_ms is None


def test_folders_of_bots_are_relative_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "bot.toml").write_text("")
    request = read(tmp_path, 'bots = ["mine", "other=mine", "random", "./run me"]')
    mine = tmp_path / "mine"
    assert request.bots == (str(mine), f"other={mine}", "random", "./run me")


@together(
    ("text", "message"),
    [
        ("blocs = 3", "unknown key 'blocs'; did you mean 'blocks'?"),
        ("[[tables]]\nbord = 'east'", "unknown key 'bord'; did you mean 'board'?"),
        ("zzz = 1", "unknown key 'zzz'$"),
        (
            "[[tables]]\nblcks = 3",
            r"\[\[tables\]\] 1: unknown key 'blcks'; did you mean 'blocks', above the tables\?$",
        ),
        (
            "wieght = 3",
            r"unknown key 'wieght'; did you mean 'weight', in a table: \[\[tables\]\]\?$",
        ),
        (
            "[tables]\nboard = 'east'",
            r"t.toml: a table begins with \[\[tables\]\], in two pairs of",
        ),
        ("points = [5, inf]", "t.toml: points, item 2 must be a number, not inf"),
        ("hours = inf", "t.toml: hours must be a number above 0, not inf"),
        ("alpha = 2", "t.toml: alpha must be a number above 0 and below 0.5, not 2"),
        (
            "disqualify_at = 3",
            "t.toml: disqualify_at must be a number above 0 and at most 1, not 3",
        ),
        ("sprt = [0, nan]", "t.toml: sprt, item 2 must be a number, not nan"),
        ("blocks = 'many'", "blocks"),
        (
            "blocks = 'ten'",
            "t.toml: blocks must be a whole number of 1 or more, or \"settled\", not 'ten'",
        ),
        ("blocks = 0", 'blocks must be a whole number of 1 or more, or "settled", not 0'),
        (
            "[[tables]]\nblocks = 3",
            r"t.toml: \[\[tables\]\] 1: unknown key 'blocks'; it belongs above the tables",
        ),
        (
            "[[tables]]\n[[tables]]\nseats = 9",
            r"\[\[tables\]\] 2: seats must be a whole number from 2 to 5, not 9",
        ),
        ("[[tables]]\nweight = 0", r"\[\[tables\]\] 1: weight must be a number above 0"),
        ("weight = 2", r"unknown key 'weight'; it belongs in a table: \[\[tables\]\]"),
        ("name = 'x'", "it belongs in a table"),
        ("bots = [1]", "bots, item 1 must be a text in quotes, not 1"),
        ("bots = 'random'", "bots must be a list, in brackets, not 'random'"),
        ("sprt = [1]", r"sprt must be a list of 2 numbers, in brackets, not \[1\]"),
        ("fresh = 1", "fresh must be true or false, not 1"),
        ("hours = 0", "hours must be a number above 0, not 0"),
        ("limits = 3", "limits must be a table of keys and values, not 3"),
        ("[[tables]]\nname = ''", "name must be a text in quotes of 1 to 60 characters"),
        ("seats = 'four'", "seats must be a whole number from 2 to 5, not 'four'"),
        (
            "format = 'league'",
            'format must be "gauntlet", "ladder", "round-robin" or "swiss", not \'league\'',
        ),
        ("= 3", "is not valid TOML"),
        ("a = " + "[" * 5000 + "]" * 5000, "is not valid TOML: it is nested too deeply"),
        ("seed = " + "1" * 5000, "is not valid TOML: "),
        ("seed = -1", "seed must be a whole number of 0 or more, not -1"),
        ("seed = 9007199254740992", "seed must be a whole number from 0 to 9007199254740991"),
        ("rounds = 0", "rounds"),
        ("blocks = 1000000001", "blocks must be a whole number from 1 to 1000000000"),
        ("disqualify_after = 0", "disqualify_after"),
        ("bank_ms = 0", "bank_ms"),
        ("move_ms = 86400001", "move_ms"),
        ("increment_ms = -1", "increment_ms"),
        ("strikes = -1", "strikes"),
        ("workers = 1025", "workers"),
    ],
)
def test_a_mistake_in_a_file_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(TournamentRefused, match=message):
        read(tmp_path, text)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TournamentRefused, match="cannot read"):
        read_request(tmp_path / "none.toml")


def test_values_of_the_first_request_override_the_second() -> None:
    merged = merge(
        TournamentRequest(blocks=3, missions=False),
        TournamentRequest(blocks=9, missions=True, rounds=2),
    )
    assert (merged.blocks, merged.missions, merged.rounds) == (3, False, 2)


def test_a_file_names_the_bots_whose_builds_may_use_the_network(tmp_path: Path) -> None:
    assert read(tmp_path, 'allow_build = ["ada"]').allow_build == ("ada",)
    with pytest.raises(TournamentRefused, match="allow_build"):
        read(tmp_path, 'allow_build = "ada"')


def test_a_sequential_test_has_no_number_of_blocks() -> None:
    with pytest.raises(TournamentRefused, match="as many blocks as it takes"):
        make_run_options(TournamentRequest(format="gauntlet", sprt=(0, 50), blocks=10), NAMES)


def test_a_sequential_test_is_a_gauntlet_of_the_first_bot() -> None:
    options = make_run_options(TournamentRequest(sprt=(0, 50)), NAMES)
    assert (options.format, options.hero, options.is_open) == ("gauntlet", "a", True)


def test_a_sequential_test_replaces_a_number_of_blocks() -> None:
    test = TournamentRequest(sprt=(0, 50))
    assert merge(test, TournamentRequest(blocks=3, hero="a")).blocks is None
    assert merge(test, TournamentRequest(blocks_per_bot=3)).blocks_per_bot is None


@pytest.mark.parametrize("rates", [{"alpha": 0.1}, {"beta": 0.1}])
def test_error_rates_without_a_test_are_refused(rates: dict[str, float]) -> None:
    with pytest.raises(TournamentRefused, match="belong to a sequential test"):
        make_run_options(TournamentRequest(format="gauntlet", **rates), NAMES)  # type: ignore[arg-type]


def test_the_default_is_a_round_robin() -> None:
    assert make_run_options(TournamentRequest(), NAMES) == RunOptions(blocks_per_bot=30)


def test_one_number_of_blocks_replaces_another() -> None:
    by_bot = TournamentRequest(blocks_per_bot=9, hero="a")
    assert merge(TournamentRequest(blocks=3), by_bot) == TournamentRequest(blocks=3, hero="a")
    by_set = TournamentRequest(blocks="settled", rounds=3)
    assert merge(TournamentRequest(blocks_per_bot=3), by_set) == TournamentRequest(blocks_per_bot=3)
    assert merge(TournamentRequest(rounds=5), by_bot).blocks_per_bot is None
    assert merge(TournamentRequest(seed=1), by_bot).blocks_per_bot == 9


def test_a_table_has_a_name_and_a_weight_of_its_own(tmp_path: Path) -> None:
    request = read(
        tmp_path,
        """
        points = [5, 3, 1]
        anchor = "a"
        records = false
        [[tables]]
        name = "the large board"
        [[tables]]
        weight = 0.5
        """,
    )
    assert (request.points, request.anchor, request.records) == ((5.0, 3.0, 1.0), "a", False)
    definition = make_definition(request, 4, 7)
    assert definition.tables[0].name == "the large board"
    assert definition.tables[0].options == definition.tables[1].options
    options = make_run_options(request, NAMES)
    assert definition.kinds(options.weights) == [
        TableKind("the large board", 4),
        TableKind(definition.tables[1].name, 4, 0.5),
    ]


def test_the_default_hero_is_the_first_bot() -> None:
    assert make_run_options(TournamentRequest(format="gauntlet"), NAMES).hero == "a"
    assert make_run_options(TournamentRequest(format="gauntlet", hero="c"), NAMES).hero == "c"


def test_a_sequential_test_has_default_error_rates() -> None:
    request = TournamentRequest(format="gauntlet", sprt=(0, 20))
    assert make_run_options(request, NAMES).sprt == SprtTerms(0, 20, 0.05, 0.05)


@together(
    ("options", "message"),
    [
        ({"sprt": (0.0, 20.0), "format": "swiss"}, "is a gauntlet: leave out --format swiss"),
        ({"rounds": 3}, "Swiss"),
        ({"hero": "a"}, "gauntlet or a ladder"),
        ({"blocks": 3, "blocks_per_bot": 3}, "by set .--blocks. or by bot"),
        ({"format": "swiss", "rounds": 3, "blocks_per_bot": 3}, "leave out --rounds"),
        ({"format": "gauntlet", "sprt": (0.0, 20.0), "blocks_per_bot": 3}, "as many blocks"),
        ({"format": "gauntlet", "sprt": (20.0, 0.0)}, "LOW to be less than HIGH"),
        ({"format": "gauntlet", "sprt": (0.0, 20.0), "alpha": 0.7}, "error rates"),
        ({"format": "gauntlet", "sprt": (0.0, 2000.0)}, "between -1000 and 1000"),
        ({"format": "gauntlet", "blocks": "settled"}, "belongs to a round-robin"),
        ({"disqualify_at": 1.5}, "share of games"),
    ],
)
def test_contradicting_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(RefereeError, match=message):
        make_run_options(TournamentRequest(**options), NAMES)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("board = 'nowhere'", "there is no board"),
        ("board = 'hanse-4-5'\nseats = 3", "board hanse-4-5 takes 4 to 5 players, not 3"),
        ("max_turns = -1", "max_turns -1 is not a whole number from 0"),
    ],
)
def test_a_table_that_cannot_be_played_is_named(tmp_path: Path, text: str, message: str) -> None:
    request = read(tmp_path, f"[[tables]]\n[[tables]]\n{text}\n")
    with pytest.raises(RefereeError, match=rf"^\[\[tables\]\] 2: {message}"):
        make_definition(request, 4, 7)
