"""The level `limits`: what it enforces, and how limits are given and shown."""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.bots import launch
from referee.bots.find import Bot, find_bot
from referee.bots.process import BotProcess, monotonic_ns
from referee.bots.sandbox.limits import (
    DEFAULT_LIMITS,
    GIB,
    KIB,
    LEVELS,
    MIB,
    NAMES,
    Level,
    Limits,
    limits_of,
    merge_grants,
    parse_grants,
    read_amounts,
    read_grants,
    show,
)
from referee.errors import BotRefused
from support.groups import together
from support.paths import ROOT
from support.sandboxed import SMALL, SOON_NS, need_strict

Tries = Callable[..., Any]
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="limits are read from /proc")


# --- enforced limits --------------------------------------------------------------------------


@pytest.fixture(params=["launcher", "fork"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits are set by prlimit, or in our own fork if prlimit is missing."""
    if request.param == "fork":
        monkeypatch.setattr(launch, "_prlimit", lambda: None)


@on_linux
@pytest.mark.usefixtures("way")
def test_limits_are_set_before_a_bot_runs(tries: Tries) -> None:
    found = tries("itself", level="limits", limits=SMALL)["limits"]
    assert found["DATA"] == [SMALL.memory] * 2
    assert (
        found["STACK"][0] == found["STACK"][1] <= SMALL.memory
    )  # the stack does not count as data
    assert found["FSIZE"] == [SMALL.file_size] * 2
    assert found["NOFILE"] == [SMALL.open_files] * 2


@on_linux
@pytest.mark.usefixtures("way")
def test_the_limit_of_processes_is_above_all_that_run_now(tries: Tries) -> None:
    """It holds for the whole user, who also runs other processes."""
    soft, hard = tries("itself", level="limits", limits=SMALL)["limits"]["NPROC"]
    assert soft == hard > SMALL.processes


@on_linux
def test_without_a_sandbox_only_file_sizes_are_limited(tries: Tries) -> None:
    found = tries("itself", level="off", limits=SMALL)["limits"]
    assert found["FSIZE"] == [DEFAULT_LIMITS.file_size] * 2
    assert found["DATA"] != [SMALL.memory] * 2


@pytest.mark.parametrize("level", ["off", "limits"])
def test_a_bot_has_a_session_of_its_own_and_three_files(tries: Tries, level: str) -> None:
    about = tries("itself", level=level)
    assert about["session"]
    assert about["files"] == [0, 1, 2]


@pytest.mark.usefixtures("way")
def test_memory_is_limited(tries: Tries) -> None:
    assert 16 < tries("takes_memory", "its own", level="limits", limits=SMALL) <= 64


@pytest.mark.usefixtures("way")
def test_open_files_are_limited(tries: Tries) -> None:
    assert 50 < tries("opens", level="limits", limits=SMALL) <= 64


@pytest.mark.usefixtures("way")
def test_a_file_at_its_limit_is_an_error_and_does_not_kill(tries: Tries, tmp_path: Path) -> None:
    result = tries("grows", tmp_path / "large", level="limits", limits=SMALL)
    assert result == [SMALL.file_size, "File too large"]


@on_linux
@pytest.mark.parametrize("level", LEVELS)
def test_every_program_starts_with_sigxfsz_ignored(level: Level, tmp_path: Path) -> None:
    """Python ignores this signal by itself; other languages must inherit that."""
    if level == "strict":
        need_strict()
    bot = Bot("sh", ("sh", "-c", "grep SigIgn /proc/self/status; cat"), tmp_path, "", level=level)
    process = BotProcess(bot, tmp_path / "stderr.txt")
    try:
        heard = process.hear(monotonic_ns() + SOON_NS)
        assert isinstance(heard, bytes)
        assert int(heard.split()[1], 16) >> (signal.SIGXFSZ - 1) & 1
    finally:
        process.kill()


@pytest.mark.skipif(os.geteuid() == 0, reason="processes are not limited for root")
def test_processes_of_a_user_are_limited(tries: Tries) -> None:
    assert tries("forks", level="limits", limits=SMALL) < 1000


def test_limits_are_never_above_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (100, 100))
    assert launch._within("nofile", 256) == 100


# --- amounts ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "amount"),
    [
        ("64", 64),
        (64, 64),
        ("16K", 16 * KIB),
        ("1 MiB", MIB),
        ("512MB", 512 * MIB),
        ("4G", 4 * GIB),
    ],
)
def test_an_amount_is_a_number_with_or_without_a_unit(given: object, amount: int) -> None:
    assert read_amounts({"processes": given}, "x") == {"processes": amount}


@together("given", ["", "x", "-1", "1.5G", "0", 0, True, None, [], 1 << 60, "9" * 30])
def test_an_invalid_amount_is_refused_in_one_sentence(given: object) -> None:
    with pytest.raises(
        BotRefused, match=r"^here: memory must be an amount of at least 4096, such as"
    ):
        read_amounts({"memory": given}, "here")


def test_an_unknown_limit_is_refused_with_a_suggestion() -> None:
    with pytest.raises(BotRefused, match="unknown limit 'memroy'; did you mean 'memory'"):
        read_amounts({"memroy": 1}, "here")
    with pytest.raises(
        BotRefused, match="there are memory, processes, scratch, scratch_files, open_files"
    ):
        read_amounts({"xyz": 1}, "here")


def test_limits_are_granted_to_all_bots_or_to_one_bot() -> None:
    grants = parse_grants(["memory=4G", "mine:processes=8", "mine:memory=8G"])
    assert limits_of("other", {}, grants) == Limits(memory=4 * GIB)
    assert limits_of("mine", {}, grants) == Limits(memory=8 * GIB, processes=8)
    assert limits_of("mine#2", {}, grants) == limits_of("mine", {}, grants)


def test_tables_in_a_file_give_the_same_grants() -> None:
    grants = read_grants({"memory": "4G", "mine": {"processes": 8, "memory": "8G"}}, "file")
    assert grants == parse_grants(["memory=4G", "mine:processes=8", "mine:memory=8G"])


def test_the_command_line_wins_limit_by_limit() -> None:
    first = parse_grants(["memory=4G", "mine:memory=8G"])
    second = parse_grants(["memory=1G", "scratch=1G", "mine:processes=8"])
    merged = merge_grants(first, second)
    assert merged["memory"] == 4 * GIB
    assert merged["scratch"] == GIB
    assert merged["mine"] == {"memory": 8 * GIB, "processes": 8}


@pytest.mark.parametrize("given", ["memory", "4G", ""])
def test_a_limit_without_an_amount_is_refused(given: str) -> None:
    with pytest.raises(BotRefused, match="a limit must look like memory=4G or NAME:memory=4G"):
        parse_grants([given])


def test_a_bot_may_request_less() -> None:
    assert limits_of("mine", {"processes": 4}, {}).processes == 4


def test_a_refused_request_says_how_to_grant_it() -> None:
    with pytest.raises(BotRefused) as error:
        limits_of("mine", {"memory": 8 * GIB}, {})
    assert str(error.value) == (
        "bot mine asks for memory 8 GiB, but only 2 GiB is allowed; to grant it, use --limit mine:memory=8GiB"
    )
    grants = parse_grants(["mine:memory=8GiB"])
    assert limits_of("mine", {"memory": 8 * GIB}, grants).memory == 8 * GIB
    assert limits_of("mine", {"memory": 8 * GIB}, parse_grants(["memory=16G"])).memory == 8 * GIB


@pytest.mark.parametrize("amount", [4096, 3 * MIB, 5 * GIB, 12345])
def test_an_amount_is_shown_exactly(amount: int) -> None:
    assert read_amounts({"memory": show("memory", amount)}, "x") == {"memory": amount}
    assert read_amounts({"memory": show("memory", amount, "")}, "x") == {"memory": amount}


def test_bot_toml_has_a_table_of_limits(tmp_path: Path) -> None:
    place = tmp_path / "bot.toml"
    place.write_text('name = "x"\ncommand = "cat"\n[limits]\nmemory = "1 GiB"\nprocesses = 2\n')
    assert find_bot(str(tmp_path)).asks == {"memory": GIB, "processes": 2}
    place.write_text('name = "x"\ncommand = "cat"\n[limits]\nmemory = "much"\n')
    with pytest.raises(BotRefused, match=r"bot.toml: limits: memory must be an amount"):
        find_bot(str(tmp_path))


def test_the_security_page_names_every_limit() -> None:
    page = ROOT / "docs" / "security.md"
    assert all(f"`{name}`" in page.read_text("utf-8") for name in NAMES)
