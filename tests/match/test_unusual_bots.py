"""Bots that are unusual but correct: no strike, in both encodings."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from referee.adjudication.faults import Fault
from referee.records.writer import MOST_SAY
from support.match_setup import PLAIN, BotMatch, played_once
from support.paths import BAD_BOTS

pytestmark = pytest.mark.usefixtures("in_charge")

CLASSES = re.findall(r"(?m)^class (\w+)\(Ordinary\)", (BAD_BOTS / "odd.py").read_text())
KINDS = [re.sub("(?<!^)([A-Z])", r"-\1", name).lower() for name in CLASSES]


@pytest.mark.parametrize("kind", KINDS)
def test_an_unusual_bot_plays_without_a_fault(kind: str) -> None:
    game = played_once(f"odd {kind}", PLAIN, PLAIN)
    assert game.outcome.faults == []
    assert all(set(game.by(seat)) == {"bot"} for seat in range(3))
    assert game.end["reason"] == "max-turns"


def test_all_kinds_of_unusual_bots_are_found() -> None:
    assert len(KINDS) >= 15


def test_a_long_remark_is_cut() -> None:
    game = played_once("odd long-say", PLAIN, PLAIN)
    remarks = {line["say"] for line in game.of("decision", 0) if line["by"] == "bot"}
    assert remarks == {"ä" * MOST_SAY}


def test_a_remark_keeps_its_letters() -> None:
    game = played_once("odd escaped-text", PLAIN, PLAIN)
    assert game.of("decision", 0)[0]["say"] == "ä ä ⚓ 😀"


def test_a_decision_without_a_remark_has_no_say() -> None:
    game = played_once("odd ordinary", PLAIN, PLAIN)
    assert all("say" not in line for line in game.of("decision"))


def test_names_and_versions_are_cut() -> None:
    game = played_once("odd long-names", PLAIN, PLAIN)
    assert game.lines[0]["players"][0]["version"] == "v" * 100


def test_the_name_in_the_record_is_the_organisers() -> None:
    game = played_once("odd long-names", PLAIN, PLAIN)
    assert game.lines[0]["players"][0]["name"] == "odd-long-names-0"


def test_one_late_message_more_than_allowed_is_a_flood() -> None:
    with BotMatch(["odd many-late-ones", PLAIN, PLAIN]) as match:
        assert match.play().outcome.faults == []
        match.players[0].start = _start_with_one_unasked(match)  # type: ignore[method-assign]
        assert match.play().faults(0) == ["flood"]


def _start_with_one_unasked(match: BotMatch) -> Callable[..., Fault | None]:
    """A `start` after which one unasked message has already been counted."""
    begin = match.players[0].start

    def start(*args: Any) -> Fault | None:
        fault = begin(*args)
        match.players[0].player._unasked = 1
        return fault

    return start
