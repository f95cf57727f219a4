"""`play_match`: bots in this process and bots in their own processes at the same table."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from protocol import Bot, Choice, Request, View
from referee import Clock, play_match
from referee.api.bots import chance, find
from referee.errors import BotRefused, RulesRefused
from referee.match.in_process import MARK
from referee.records.verify import verify
from support.paths import TROUBLE

Words = dict[str, Any]


def careful(view: View, choices: list[Choice]) -> Any:
    return chance(view).choice(choices)


class Counting(Bot):
    """A bot of the SDK that notes its calls."""

    name = "counting"
    version = "7"

    def __init__(self) -> None:
        self.calls: list[str] = []

    def start(self, game: Any) -> None:
        self.calls.append(f"start {game.seat}")

    def events(self, events: list[Any]) -> None:
        assert all("event" in event for event in events)

    def decide(self, request: Request) -> Any:
        return self.random.choice(request.choices), f"decision {request.id}"

    def end(self, result: Any) -> None:
        self.calls.append(f"end {result.reason}")


class InCodes(Counting):
    name = "in-codes"
    detail = "codes"
    state = "none"

    def events(self, events: list[Any]) -> None:
        assert all(isinstance(event, list) for event in events)

    def decide(self, request: Request) -> Any:
        assert request.state is None
        return request.choices[-1]


def at_decision(faulty: Callable[[list[Any]], Any]) -> Callable[[View, list[Choice]], Any]:
    """A function that calls `faulty` from its third decision on."""
    asked = 0

    def bot(view: View, choices: list[Choice]) -> Any:
        nonlocal asked
        asked += 1
        return faulty(choices) if asked > 2 else 0

    return bot


def raise_lookup_error(_: list[Any]) -> int:
    raise LookupError("no such city")


def lines_of(path: Path) -> list[Words]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_processes_and_functions_play_the_same_match(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    result = play_match([careful, "random", Counting], seed=4, max_turns=20, record=path)
    assert [place["name"] for place in result.standings] == [
        f"careful{MARK}", "random", f"counting{MARK}",
    ]  # fmt: skip
    assert result.faults == []
    assert result.reason == "max-turns"
    assert result.record == path
    assert verify(path).verdict == "fine"


def test_the_same_seed_plays_the_same_match_again(tmp_path: Path) -> None:
    paths = [tmp_path / "one.jsonl", tmp_path / "other.jsonl"]
    for path in paths:
        play_match([careful, Counting], seed=11, max_turns=15, record=path)
    first, second = (
        [line["choice"] for line in lines_of(path) if line["line"] == "decision"] for path in paths
    )
    assert first == second


def test_a_function_sees_what_a_process_is_sent() -> None:
    seen: list[View] = []

    def watching(view: View, choices: list[Choice]) -> int:
        seen.append(view)
        assert [choice.index for choice in choices] == list(range(len(choices)))
        return 0

    play_match([watching, "random"], seed=2, max_turns=6)
    first = seen[0]
    assert (first["seat"], first["decision"], first["about"]) == (0, "turn", {})
    assert first["game"].startswith("play-")
    assert {"routes", "cities", "players", "actions_left"} <= set(first)


def test_a_function_plays_the_same_in_its_own_process(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from random import Random\n"
        "def mine(view, choices):\n"
        "    luck = Random(f\"{view['seat']} {view['id']} {view['turn']} {view['decision']}\")\n"
        "    return luck.choice(choices)\n"
    )
    (tmp_path / "bot.py").write_text("from protocol import run\nfrom mine import mine\nrun(mine)\n")
    (tmp_path / "bot.toml").write_text('name = "mine"\ncommand = ["python", "bot.py"]\n')
    names: dict[str, Any] = {}
    exec((tmp_path / "mine.py").read_text(), names)
    played = []
    for bot in (names["mine"], tmp_path):
        path = tmp_path / "game.jsonl"
        result = play_match(
            {"mine": bot, "other": names["mine"]}, seed=6, max_turns=20, record=path
        )
        assert result.faults == []
        played.append([line["choice"] for line in lines_of(path) if line["line"] == "decision"])
    assert played[0] == played[1]


def test_a_function_may_change_its_view() -> None:
    def destructive(view: View, choices: list[Choice]) -> int:
        for choice in choices:
            choice.clear()
        seen: Any = view
        seen.clear()
        return 0

    result = play_match([destructive, destructive], seed=2, max_turns=6)
    assert result.faults == []


def test_a_choice_that_a_bot_adds_to_its_request_is_illegal() -> None:
    class Forger(Bot):
        def decide(self, request: Request) -> Any:
            offered: Any = request.message["choices"]
            offered.append({"do": "win"})
            return len(offered) - 1

    result = play_match([Forger, careful], seed=2, max_turns=6)
    assert {fault.fault for fault in result.faults} == {"illegal"}


def test_a_bot_of_the_sdk_gets_start_and_end() -> None:
    bot = Counting()
    result = play_match([bot, careful], seed=3, max_turns=6)
    assert bot.calls == ["start 0", "end max-turns"]
    assert result.standings[0]["name"] == f"counting{MARK}"


def test_a_bot_of_the_sdk_gets_the_detail_that_it_requests() -> None:
    assert play_match([InCodes, InCodes], seed=3, max_turns=6).faults == []


def test_the_settings_of_a_bot_are_read_before_its_first_game() -> None:
    class Reassigning(Counting):
        state = "none"

        def start(self, game: Any) -> None:
            self.state, self.detail = np.zeros(3), np.zeros(3)  # type: ignore[assignment]

        def decide(self, request: Request) -> Any:
            assert request.state is None
            return 0

    assert play_match([Reassigning, careful], seed=3, max_turns=6).faults == []


def test_one_object_at_two_seats_is_copied() -> None:
    bot = Counting()
    play_match([bot, bot], seed=3, max_turns=6)
    assert bot.calls.count("start 0") == 1


def test_remarks_and_versions_are_in_the_record(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    play_match([Counting(), careful], seed=3, max_turns=4, record=path)
    header, *lines = lines_of(path)
    assert header["players"][0]["version"] == "7"
    assert [player["hash"].startswith("in-process:") for player in header["players"]] == [True] * 2
    assert any(line.get("say", "").startswith("decision ") for line in lines)


@pytest.mark.parametrize(
    ("remark", "recorded"),
    [
        (42, "42"),
        (["why", "not"], "['why', 'not']"),
        ("half a letter: \ud800", "half a letter: ?"),
        ("ä" * 600, "ä" * 500),
    ],
)
def test_a_remark_can_be_any_printable_object(remark: Any, recorded: str, tmp_path: Path) -> None:
    class Chatty(Bot):
        def decide(self, request: Request) -> Any:
            return 0, remark

    path = tmp_path / "game.jsonl"
    assert play_match([Chatty, careful], seed=3, max_turns=2, record=path).faults == []
    remarks = [line["say"] for line in lines_of(path) if "say" in line]
    assert set(remarks) == {recorded}


class Unprintable(Exception):
    """An exception whose text raises another exception."""

    def __str__(self) -> str:
        raise RuntimeError

    __repr__ = __str__


class IndexOnly:
    """An object that can be an index, but cannot be compared with one."""

    def __index__(self) -> int:
        return 0


def raising(error: Exception) -> Callable[[list[Any]], Any]:
    def faulty(_: list[Any]) -> Any:
        raise error

    return faulty


@pytest.mark.parametrize(
    ("faulty", "fault", "message"),
    [
        (raising(Unprintable()), "crash", "raised Unprintable: <Unprintable without text>"),
        (raising(ValueError("half: \ud800")), "crash", "raised ValueError: half: ?"),
        (lambda _: Unprintable(), "garbage", "chose <Unprintable without text>, which is"),
        (
            lambda _: "half: \ud800",
            "garbage",
            "neither the index of an offered choice nor one of the choices",
        ),
        (lambda _: IndexOnly(), "illegal", "which is not one of 0 to"),
        (lambda _: 10**5000, "illegal", "which is not one of 0 to"),
    ],
)
def test_an_error_without_printable_text_is_a_fault_too(
    faulty: Callable[[list[Any]], Any], fault: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    result = play_match([at_decision(faulty), careful], seed=1, max_turns=30, record=path)
    assert {found.fault for found in result.faults} == {fault}
    assert message in result.faults[0].message
    assert verify(path).verdict == "fine"


@pytest.mark.parametrize(
    ("faulty", "fault", "message"),
    [
        (raise_lookup_error, "crash", "raised LookupError: no such city"),
        (len, "illegal", "which is not one of 0 to"),
        (
            lambda _: "east",
            "garbage",
            "neither the index of an offered choice nor one of the choices",
        ),
        (
            lambda _: None,
            "garbage",
            "neither the index of an offered choice nor one of the choices",
        ),
        (
            lambda _: {"do": "fly"},
            "garbage",
            "neither the index of an offered choice nor one of the choices",
        ),
    ],
)
def test_an_error_of_a_function_is_a_fault(
    faulty: Callable[[list[Any]], Any], fault: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    result = play_match(
        {"bad": at_decision(faulty), "good": careful}, seed=1, max_turns=30, record=path
    )
    assert [found.fault for found in result.faults] == [fault] * (1 if fault == "crash" else 3)
    assert message in result.faults[0].message
    assert result.faults[-1].disqualified
    assert result.standings[0]["disqualified"] == fault
    assert result.winners == [f"good{MARK}"]
    assert verify(path).verdict == "fine"


def test_the_traceback_of_a_function_is_kept_with_its_fault(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    result = play_match(
        [at_decision(raise_lookup_error), careful], seed=1, max_turns=30, record=path
    )
    assert "in raise_lookup_error" in result.faults[0].stderr
    assert result.faults[0].stderr.endswith("LookupError: no such city\n")
    (line,) = [line for line in lines_of(path) if line["line"] == "fault"]
    assert line["stderr"] == result.faults[0].stderr


def test_a_bot_that_fails_to_start_is_disqualified_from_the_start() -> None:
    class Broken(Counting):
        def start(self, game: Any) -> None:
            raise OSError("no model")

    class Unborn(Counting):
        def __init__(self) -> None:
            raise OSError("no memory")

    for bot in (Broken, Unborn):
        result = play_match([bot, careful], seed=1, max_turns=4)
        assert [(fault.fault, fault.disqualified) for fault in result.faults] == [("start", True)]


def test_stop_at_fault_raises_the_exception_of_a_function_again() -> None:
    with pytest.raises(LookupError, match="no such city"):
        play_match([careful, at_decision(raise_lookup_error)], seed=1, stop_at_fault=True)
    with pytest.raises(ValueError, match="is not a choice of request"):
        play_match([careful, at_decision(len)], seed=1, stop_at_fault=True)


def test_a_game_that_stops_at_the_fault_of_a_process_gives_its_result() -> None:
    bad = f"python {TROUBLE} garbage"
    result = play_match([careful, bad], seed=1, stop_at_fault=True, max_turns=50)
    assert result.reason is None
    assert [fault.seat for fault in result.faults] == [1]


def test_a_function_has_no_clock(tmp_path: Path) -> None:
    def slow(view: View, choices: list[Choice]) -> int:
        if view["id"] == 1:
            time.sleep(0.03)
        return 0

    path = tmp_path / "game.jsonl"
    clock = Clock(bank_ms=1, increment_ms=0, move_ms=1)
    result = play_match([slow, slow], seed=1, max_turns=4, clock=clock, record=path)
    assert result.faults == []
    first = next(line for line in lines_of(path) if line["line"] == "decision")
    assert first["ms"] >= 30
    assert verify(path).verdict == "fine"


def test_names_come_from_a_mapping_an_attribute_or_the_function() -> None:
    def best(view: View, choices: list[Choice]) -> int:
        return 0

    assert find(best).name == f"best{MARK}"
    assert find(lambda view, choices: 0).name == f"lambda{MARK}"
    assert find(Counting()).name == f"counting{MARK}"
    assert find(best, "mine").name == f"mine{MARK}"
    assert find("random", "mine").name == "mine"
    assert len(find(best, 60 * "x").name) == 40


def test_two_different_functions_of_one_name_are_refused() -> None:
    def other(view: View, choices: list[Choice]) -> int:
        return 1

    with pytest.raises(
        BotRefused, match="the name 'careful@in-process'; give them names with a dict"
    ):
        play_match([careful, renamed(other, "careful")], seed=1)


def renamed(function: Any, name: str) -> Any:
    function.__name__ = name
    return function


@pytest.mark.parametrize(
    ("bots", "message"),
    [
        ("random", "bots must be a list"),
        ([careful, 7], "7 is not a bot"),
        ([careful, "human"], "a person can only play in a terminal"),
        ([careful, "randm"], "did you mean 'random'"),
    ],
)
def test_a_value_that_is_not_a_bot_is_refused(bots: Any, message: str) -> None:
    with pytest.raises(BotRefused, match=message):
        play_match(bots)


def test_one_bot_is_too_few() -> None:
    with pytest.raises(RulesRefused, match="not 1"):
        play_match([careful])


def test_another_version_is_another_bot() -> None:
    old, new = Counting(), Counting()
    new.version = "8"
    assert find(old).content == find(Counting).content
    assert find(old).content != find(new).content


def test_the_text_of_a_result_is_one_line() -> None:
    result = play_match({"a": careful, "b": careful}, seed=9, max_turns=2)
    assert str(result) == f"1. a{MARK} 0, 1. b{MARK} 0 (seed 9)"
