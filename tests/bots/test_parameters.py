"""Parameters: what bot.toml may declare, and which values a bot can be given."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from protocol import settings
from referee.bots.find import Bot, find_bot, find_bots, with_place, with_values
from referee.bots.parameters import (
    Parameter,
    files_of,
    name_with,
    read_parameters,
    settings_of,
    split_settings,
    values_of,
)
from referee.errors import BotRefused
from support.groups import together

TOML = """
name = "mine"
command = ["python", "bot.py", "--fast"]

[parameters.post]
type = "float"
default = 1
low = 0
high = 4

[parameters.depth]
type = "int"
default = 3
low = 1
high = 64
scale = "log"
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder `mine` with a bot that has two parameters, in the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "bot.toml").write_text(TOML)
    return tmp_path / "mine"


def refused(word: str) -> str:
    """The sentence that refuses this word."""
    with pytest.raises(BotRefused) as refusal:
        find_bot(word)
    return str(refusal.value)


def arguments(bot: Bot) -> list[str]:
    """What the program gets after its own words."""
    return list(bot.command[3:])


# -- bot.toml


def test_a_bot_gets_the_value_of_every_parameter_in_the_order_of_bot_toml(mine: Path) -> None:
    bot = find_bot("mine")
    assert bot.parameters == (
        Parameter("post", "float", 1.0, 0.0, 4.0),
        Parameter("depth", "int", 3, 1, 64, "log"),
    )
    assert arguments(bot) == ["--set", "post=1.0", "--set", "depth=3"]
    assert settings(list(bot.command)) == {"post": 1.0, "depth": 3}


@together(
    ("old", "new", "why"),
    [
        ('type = "int"', 'type = "whole"', "depth.type must be 'int' or 'float', not 'whole'"),
        ('scale = "log"', 'scale = "cubic"', "depth.scale must be 'linear' or 'log', not 'cubic'"),
        ("default = 3", "default = 3.5", "depth.default must be a whole number, not 3.5"),
        ("default = 3", "default = true", "depth.default must be a whole number, not True"),
        ("high = 4\n", "high = inf\n", "post.high must be a number, not inf"),
        ("high = 4\n", "high = 0\n", "post.low must be less than high"),
        ("default = 1", "default = 9", "post.default must be from low to high"),
        ("low = 1\n", "low = 0\n", "depth.low must be above 0, because the scale is log"),
        ("low = 1\n", "", "depth.low is missing"),
        ("low = 1\n", "lo = 1\n", "depth: unknown key 'lo': did you mean 'low'?"),
    ],
)
def test_a_mistake_is_reported_with_file_and_key(mine: Path, old: str, new: str, why: str) -> None:
    (mine / "bot.toml").write_text(TOML.replace(old, new))
    assert refused("mine").startswith(f"mine/bot.toml: parameters.{why}")


@pytest.mark.parametrize(
    ("tables", "why"),
    [
        (3, "parameters must be tables: [parameters.NAME]"),
        ({"post": 3}, "parameters.post must be a table with type, default, low, high"),
        ({"my-post": {}}, "parameters.my-post: the name of a parameter must be 1 to 40"),
        ({f"p{number}": {} for number in range(201)}, "at most 200 parameters, not 201"),
    ],
)
def test_other_things_than_tables_are_refused(tables: Any, why: str) -> None:
    with pytest.raises(BotRefused) as refusal:
        read_parameters(tables, "here")
    assert why in str(refusal.value)


# -- values on the command line


def test_a_bot_with_other_values_is_another_player(mine: Path) -> None:
    plain, other = find_bot("mine"), find_bot("mine --set depth=5 --set post=2")
    assert arguments(other) == ["--set", "post=2.0", "--set", "depth=5"]
    assert other.values == {"post": 2.0, "depth": 5}
    assert other.all_values == other.values
    assert other.name == "mine-post-2.0-depth-5"
    assert other.content == f"{plain.content}+post=2.0,depth=5"
    assert (other.files, values_of(other.content)) == (plain.content, other.values)
    assert [bot.name for bot in find_bots(["mine", "mine --set depth=5"])] == [
        "mine",
        "mine-depth-5",
    ]


def test_a_bot_with_the_default_values_is_the_same_player(mine: Path) -> None:
    assert find_bot("mine --set post=1") == find_bot("mine")


def test_a_bundled_bot_and_a_name_can_have_values(mine: Path) -> None:
    bot = find_bot("daring=merchant --set others=0.1")
    assert (bot.name, dict(bot.values)) == ("daring", {"others": 0.1})


def test_values_can_be_set_with_numbers(mine: Path) -> None:
    assert with_values(find_bot("mine"), {"depth": 5}) == find_bot("mine --set depth=5")
    with pytest.raises(BotRefused, match="has no parameter 'breadth'"):
        with_values(find_bot("mine"), {"breadth": 5})


@together(
    ("word", "why"),
    [
        ("mine --set pots=1", "bot mine has no parameter 'pots': did you mean 'post'?"),
        ("mine --set x=1", "bot mine has no parameter 'x': its parameters are post, depth"),
        ("mine --set post", "bot mine: --set needs NAME=VALUE, not 'post'"),
        ("mine --set post=9", "bot mine: post must be a number from 0.0 to 4.0, not 9"),
        ("mine --set post=nan", "bot mine: post must be a number from 0.0 to 4.0, not nan"),
        ("mine --set post=much", "bot mine: post must be a number from 0.0 to 4.0, not much"),
        ("mine --set depth=2.5", "bot mine: depth must be a whole number from 1 to 64, not 2.5"),
        ("mine --set post=1 --set post=2", "bot mine: post is set twice"),
        ("random --set post=1", "bot random declares no parameters, so 'post' cannot be set"),
    ],
)
def test_values_that_are_not_valid_are_refused_in_one_sentence(
    mine: Path, word: str, why: str
) -> None:
    assert refused(word) == why


def test_the_arguments_of_a_command_are_its_own(mine: Path) -> None:
    command = find_bot("python mine/bot.py --set anything=9").command
    assert command[1:] == ("mine/bot.py", "--set", "anything=9")


def test_a_folder_in_a_word_can_be_replaced() -> None:
    assert split_settings("a b  --set x=1 --set y=2") == ("a b", ["x=1", "y=2"])
    assert with_place("n=a b --set x=1", str.upper) == "n=A B --set x=1"
    assert with_place("n=a --set x=1", lambda _: None) == "n=a --set x=1"


def test_a_name_has_the_values_if_they_fit() -> None:
    assert name_with("ada", {}) == "ada"
    assert name_with("ada", {"post": -0.5, "far": 1e20}) == "ada-post--0.5-far-1e20"
    long = name_with("a" * 40, {"post": 1.5})
    assert len(long) == 40
    assert long != name_with("a" * 40, {"post": 1.6})


def test_values_survive_as_text() -> None:
    values = {"tiny": 1e-7, "many": 12, "share": 0.1}
    content = f"in-process:abc+{','.join(settings_of(values))}"
    assert values_of(content) == values
    assert files_of(content) == "in-process:abc"
    assert values_of("abc") == {}


# -- draws


def test_draws_are_in_the_range_and_uniform_on_the_scale() -> None:
    log = Parameter("depth", "int", 3, 1, 64, "log")
    linear = Parameter("post", "float", 1.0, 0.5, 4.5)
    rng = Random(1)
    depths = [log.draw(rng) for _ in range(1000)]
    posts = [linear.draw(rng) for _ in range(1000)]
    assert {type(depth) for depth in depths} == {int}
    assert (min(depths), max(depths)) == (1, 64)
    assert 0.4 < sum(depth <= 8 for depth in depths) / 1000 < 0.6  # half of the logarithms
    assert 0.4 < sum(post <= 2.5 for post in posts) / 1000 < 0.6
    assert all(float(f"{post:.4g}") == post for post in posts)
    assert (linear.at(0), linear.at(1), log.at(0), log.at(1)) == (0.5, 4.5, 1, 64)


# -- the SDK


@pytest.mark.parametrize("words", [["--set"], ["--set", "post"], ["--set", "post=much"]])
def test_the_sdk_ends_with_a_sentence_for_arguments_that_are_not_valid(words: list[str]) -> None:
    with pytest.raises(SystemExit, match="--set needs NAME=NUMBER, not "):
        settings(words)


def test_the_sdk_ignores_other_arguments() -> None:
    assert settings(["--nodes", "5", "--set", "post=-2", "--codes"]) == {"post": -2}
