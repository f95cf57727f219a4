"""Sweeps: variants of a bot with listed or drawn values, entered and rated like other bots."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee import Tournament
from referee.bots.find import find_bot
from referee.cli import main
from referee.errors import RefereeError
from referee.tournament.opening import open_tournament, plan_tournament
from referee.tournament.request import TournamentRequest, read_request
from referee.tournament.sweep import with_variants

PARAMETERS = """
[parameters]
post = { type = "float", default = 1, low = 0, high = 4 }
depth = { type = "int", default = 1, low = 1, high = 2 }
"""
# Plays the first choice; it needs the two arguments.
PROGRAM = """
from protocol import run

def first(view, choices, *, post, depth):
    return 0

run(first)
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bot with two parameters in the folder `mine` of the current folder."""
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "mine"
    place.mkdir()
    (place / "bot.py").write_text(PROGRAM)
    (place / "bot.toml").write_text(f'name = "mine"\ncommand = ["python", "bot.py"]\n{PARAMETERS}')
    return place


def entered(*sweep: str, bots: tuple[str, ...] = (), **options: Any) -> tuple[str, ...]:
    """The words of the bots that sweeps enter."""
    request = TournamentRequest(sweep=sweep, bots=bots or None, **options)
    return with_variants(request, find_bot).bots or ()


def refusal(*sweep: str, **options: Any) -> str:
    with pytest.raises(RefereeError) as refused:
        entered(*sweep, **options)
    return str(refused.value)


# -- which variants


def test_listed_values_enter_in_every_combination_but_the_default(mine: Path) -> None:
    assert entered("mine --set post=1,2.5 --set depth=1,2", bots=("random",)) == (
        "random",
        "mine",
        "mine-depth-2=mine --set depth=2",
        "mine-post-2.5=mine --set post=2.5",
        "mine-post-2.5-depth-2=mine --set post=2.5 --set depth=2",
    )


def test_drawn_variants_are_numbered_and_follow_from_the_seed(mine: Path) -> None:
    few = entered("x=mine", variants=3)
    assert [word.partition("=")[0] for word in few] == ["x", "x-v1", "x-v2", "x-v3"]
    assert entered("x=mine", variants=5)[:4] == few
    assert entered("x=mine", variants=3, sweep_seed=2) != few
    assert len(set(entered("mine"))) == 9


def test_a_range_limits_the_draws_and_other_parameters_keep_their_defaults(mine: Path) -> None:
    bots = [find_bot(word) for word in entered("mine --set post=2..2.5", variants=20)[1:]]
    assert all(bot.values.keys() == {"post"} for bot in bots)
    assert all(2 <= bot.values["post"] <= 2.5 for bot in bots)


def test_a_sweep_has_no_more_variants_than_there_are_different_values(mine: Path) -> None:
    assert entered("mine --set depth") == ("mine", "mine-v1=mine --set depth=2")


def test_the_bot_of_a_sweep_enters_once(mine: Path) -> None:
    assert entered("./mine --set depth=2", bots=(str(mine), "random")) == (
        str(mine),
        "random",
        "mine-depth-2=./mine --set depth=2",
    )


@pytest.mark.parametrize(
    ("word", "options", "why"),
    [
        ("mine --set post=5", {}, "--sweep: post must be a number from 0.0 to 4.0, not 5"),
        ("mine --set post=2..1", {}, "--sweep: post: 2 must be less than 1"),
        ("mine --set pots", {}, "--sweep: bot mine has no parameter 'pots': did you mean 'post'?"),
        ("mine --set post --set post", {}, "--sweep: bot mine: a parameter is set twice"),
        ("random", {}, "--sweep: bot random declares no parameters"),
        ("no-such-bot", {}, "--sweep: 'no-such-bot' is not a valid bot"),
        ("mine --set post=1,2", {"variants": 3}, "--variants and --sweep-seed belong to a sweep"),
        (
            f"mine --set post={','.join(str(n / 1000) for n in range(1001))}",
            {},
            "--sweep: the listed values have 1001 combinations; at most 1000 can enter",
        ),
    ],
)
def test_a_sweep_that_is_not_valid_is_refused(
    mine: Path, word: str, options: dict[str, Any], why: str
) -> None:
    assert refusal(word, **options).startswith(why)


# -- in a tournament


def test_a_file_can_have_a_sweep_of_a_folder_beside_it(
    mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (mine.parent / "cup.toml").write_text('sweep = ["mine --set depth=2"]\nbots = ["random"]')
    monkeypatch.chdir(mine)
    request = read_request(Path("../cup.toml"))
    assert plan_tournament(mine.parent / "t", request).names == ["random", "mine", "mine-depth-2"]


def test_the_same_command_again_enters_no_bot_and_more_variants_can_follow(mine: Path) -> None:
    for variants, count in ((2, 3), (2, 3), (4, 5)):
        request = TournamentRequest(sweep=("mine",), variants=variants, seats=2)
        opened = open_tournament(mine.parent / "t", request)
        opened.store.close()
        assert len(opened.names) == count


def test_standings_show_the_values(mine: Path) -> None:
    folder = str(mine.parent / "t")
    options = ["--seats", "2", "--max-turns", "2", "--blocks", "1", "--workers", "1"]
    sweep = ["tournament", "--sweep", "mine --set depth=2", "--out", folder, *options]
    played = CliRunner().invoke(main, [*sweep, "--sandbox", "limits", "--json"])
    assert played.exit_code == 0, played.stderr
    values = {"mine-depth-2": {"depth": 2}}
    first, *_, last = map(json.loads, played.stdout.splitlines())
    assert (first["values"], last["values"]) == (values, values)
    assert (last["faults"], last["games"]) == (0, 2)
    shown = CliRunner().invoke(main, ["standings", folder]).stdout
    assert "Values of parameters that are not the defaults\n  mine-depth-2  depth=2\n" in shown
    as_json = CliRunner().invoke(main, ["standings", folder, "--json"]).stdout
    assert json.loads(as_json)["values"] == values
    planned = CliRunner().invoke(main, [*sweep, "--blocks", "2", "--dry-run"]).stdout
    assert "  mine-depth-2  depth=2\n" in planned


def test_python_takes_the_same_options(mine: Path) -> None:
    request = Tournament([], sweep=[mine], variants=2, sweep_seed=7)._request
    assert (request.sweep, request.variants, request.sweep_seed) == ((str(mine),), 2, 7)
