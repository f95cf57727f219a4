"""Functions and classes that workers can import, and the parameters that they declare."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from protocol import Choice, View
from referee import Tournament, TournamentResult, play_match
from referee.api.bots import find
from referee.errors import BlockLost, BotRefused, TournamentRefused
from referee.match.imported import import_bot, path_of
from referee.match.in_process import MARK
from referee.tournament.store import Store
from referee.tournament.workers import pool
from support import importable_bots
from support.importable_bots import CALLER, Sharer, at_random, at_share, elsewhere

HERE = "support.importable_bots"


def short(bots: Any, workers: int = 1, **options: Any) -> TournamentResult:
    shortest: Any = {"seats": 2, "blocks": 1, "max_turns": 6, "seed": 5, "secret": "5a" * 16}
    return Tournament(bots, workers=workers, **{**shortest, **options}).run()


# -- import paths


def test_functions_and_classes_of_modules_have_an_import_path() -> None:
    assert path_of(at_random) == f"{HERE}:at_random"
    assert path_of(Sharer) == f"{HERE}:Sharer"
    assert import_bot(f"{HERE}:Sharer") is Sharer


def test_what_another_process_could_not_import_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def inside(view: View, choices: list[Choice]) -> int:
        return 0

    for bot in (inside, lambda view, choices: 0, Sharer()):
        assert path_of(bot) == ""
    monkeypatch.setattr(at_random, "__module__", "__main__")
    assert path_of(at_random) == ""
    monkeypatch.setattr(at_share, "__qualname__", "elsewhere")  # that is another function
    assert path_of(at_share) == ""


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("no_such_module:bot", "cannot be imported: ModuleNotFoundError"),
        (f"{HERE}:no_such_bot", "cannot be imported: AttributeError"),
        (f"{HERE}:CALLER", "is neither a function nor an SDK bot"),
    ],
)
def test_other_paths_are_refused(path: str, why: str) -> None:
    with pytest.raises(BotRefused, match=why):
        find(path)


def test_a_match_takes_import_paths() -> None:
    result = play_match([f"{HERE}:at_share --set share=0", f"one={HERE}:Sharer"], max_turns=4)
    assert [place["name"] for place in result.standings] == [
        f"at_share-share-0.0{MARK}",
        f"one{MARK}",
    ]
    assert not result.faults


# -- parameters


def test_values_are_keywords_of_functions_and_classes() -> None:
    function = short([f"{HERE}:at_share --set share=0.25", at_random])
    of_class = short([f"{HERE}:Sharer --set share=0.25", at_random])
    assert [game.totals for game in function.games] == [game.totals for game in of_class.games]
    assert function.values == {f"at_share-share-0.25{MARK}": {"share": 0.25}}


def test_a_declared_default_is_a_keyword_too() -> None:
    default = short([at_share, at_random])
    same = short([lambda view, choices: at_share(view, choices, share=0.5), at_random])
    assert [game.totals for game in default.games] == [game.totals for game in same.games]


def test_a_value_out_of_range_is_refused() -> None:
    with pytest.raises(BotRefused, match=r"share must be a number from 0\.0 to 1\.0, not 2"):
        find(f"{HERE}:at_share --set share=2")
    with pytest.raises(BotRefused, match="bot at_random declares no parameters"):
        find(f"{HERE}:at_random --set share=2")


def test_a_declaration_that_is_not_valid_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sharer, "parameters", {"share": {"type": "float"}})
    with pytest.raises(BotRefused, match=r"bot Sharer: parameters\.share\.default is missing"):
        find(Sharer)


def test_a_bot_whose_attribute_is_something_else_has_no_parameters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Sharer, "parameters", lambda self: [])
    assert find(Sharer).parameters == ()


# -- workers


def test_two_workers_play_the_same_games_as_this_process(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    bots = [at_random, f"{HERE}:Sharer --set share=0.3"]
    here = short(bots, workers=1)
    # Only now: a worker imports it again, without this change.
    monkeypatch.setenv(CALLER, str(os.getpid()))
    two = short({"r": at_random, "s": bots[1], "e": elsewhere}, workers=2, out=tmp_path)
    assert not two.faults  # of the bot that plays only in another process
    between = [game for game in two.games if f"e{MARK}" not in game.bots]
    assert [(game.ranks, game.totals) for game in between] == [
        (game.ranks, game.totals) for game in here.games
    ]
    with Store.read(tmp_path) as store:
        assert [bot.word for bot in store.bots()] == [
            "in-process:r",
            f"s=in-process:{HERE}:Sharer --set share=0.3",
            "in-process:e",
        ]


def test_a_bot_that_has_changed_since_it_was_imported_ends_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pool, "subprocess", subprocess)  # a fork would have the new version, too
    monkeypatch.setattr(at_random, "version", "2", raising=False)
    with pytest.raises(BlockLost, match="its source or its version has changed"):
        short([at_random, at_share], workers=2)


def test_a_sweep_of_an_import_path(tmp_path: Path) -> None:
    sweep = [f"{HERE}:at_share --set share=0.1,0.5,0.9"]
    result = short([at_random], sweep=sweep, out=tmp_path)
    names = {f"at_share-share-{share}{MARK}": {"share": share} for share in (0.1, 0.9)}
    assert result.values == names
    assert {entry.bot for entry in result.standings} == {
        *names, f"at_share{MARK}", f"at_random{MARK}",
    }  # fmt: skip
    again = short([at_random], sweep=sweep, out=tmp_path)
    assert again.games == result.games


def test_variants_of_a_long_name_have_different_names(tmp_path: Path) -> None:
    options: Any = {"sweep": [f"{'x' * 40}={HERE}:at_share"], "seats": 2, "hours": 1e-9}
    result = Tournament([at_random], out=tmp_path, variants=2, workers=1, **options).run()
    assert [len(name) for name in result.values] == [40, 40]


def test_an_import_path_cannot_play_on_a_cluster() -> None:
    for options in ({"bots": [f"{HERE}:at_random", "random"]}, {"sweep": [f"{HERE}:at_share"]}):
        with pytest.raises(TournamentRefused, match="cannot play on a cluster"):
            Tournament(**{"bots": ["random"], "cluster": "tcp://127.0.0.1:1", **options})  # type: ignore[arg-type]


def test_the_bots_of_this_file_are_importable() -> None:
    assert importable_bots.__name__ == HERE
