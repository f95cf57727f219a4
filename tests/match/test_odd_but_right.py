"""Odd but right habits: accepted without a strike, in both encodings."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from referee.adjudication.faults import Fault
from referee.records.writer import MOST_SAY
from support.match_setup import PLAIN, BotMatch, play
from support.paths import BAD_BOTS

pytestmark = pytest.mark.usefixtures("in_charge")

CLASSES = re.findall(r"(?m)^class (\w+)\(Ordinary\)", (BAD_BOTS / "odd.py").read_text())
HABITS = [re.sub("(?<!^)([A-Z])", r"-\1", name).lower() for name in CLASSES]


@pytest.mark.parametrize("habit", HABITS)
def test_it_is_accepted(habit: str) -> None:
    game = play(f"odd {habit}", PLAIN, PLAIN)
    assert game.outcome.faults == []
    assert all(set(game.by(seat)) == {"bot"} for seat in range(3))
    assert game.end["reason"] == "max-turns"


def test_all_habits_are_tried() -> None:
    assert len(HABITS) >= 15


def test_a_long_remark_is_cut() -> None:
    game = play("odd long-say", PLAIN, PLAIN)
    remarks = {line["say"] for line in game.of("decision", 0) if line["by"] == "bot"}
    assert remarks == {"ä" * MOST_SAY}


def test_a_remark_keeps_its_letters() -> None:
    game = play("odd escaped-text", PLAIN, PLAIN)
    assert game.of("decision", 0)[0]["say"] == "ä ä ⚓ 😀"


def test_who_says_nothing_has_no_remark() -> None:
    game = play("odd ordinary", PLAIN, PLAIN)
    assert all("say" not in line for line in game.of("decision"))


def test_names_and_versions_are_cut() -> None:
    game = play("odd long-names", PLAIN, PLAIN)
    assert game.lines[0]["players"][0]["version"] == "v" * 100


def test_the_name_at_the_table_is_the_organisers() -> None:
    game = play("odd long-names", PLAIN, PLAIN)
    assert game.lines[0]["players"][0]["name"] == "odd-long-names-0"


def test_one_late_message_more_than_allowed_is_a_flood() -> None:
    with BotMatch(["odd many-late-ones", PLAIN, PLAIN]) as party:
        assert party.play().outcome.faults == []
        party.players[0].start = _one_before(party)  # type: ignore[method-assign]
        assert party.play().faults(0) == ["flood"]


def _one_before(party: BotMatch) -> Callable[..., Fault | None]:
    """A start after which one unasked message is counted already."""
    begin = party.players[0].start

    def start(*args: Any) -> Fault | None:
        fault = begin(*args)
        party.players[0].player._unasked = 1
        return fault

    return start
