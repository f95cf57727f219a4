"""Secrets: no bot gets or finds anything in a whole game that it must not know."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee.bots.find import BUNDLED, find_bot
from referee.bots.sandbox import bubblewrap
from referee.cli import main
from support.sandboxed import BOTS

SEED = "7362514098321745"
NAMES = ("one", "two", "three")
pytestmark = pytest.mark.usefixtures("strict")


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a game of three bots that write all that they find to stderr."""
    from support.sandboxed import need_strict

    need_strict()
    record = tmp_path_factory.mktemp("game") / "game.jsonl"
    bots = [f"{name}={BOTS / 'snoop'}" for name in NAMES]
    words = ["--seed", SEED, "--missions", "--favours", "--max-turns", "30", "--quiet"]
    words += ["--record", str(record), "--sandbox", "strict"]
    result = CliRunner().invoke(main, ["play", *bots, *words])
    assert result.exit_code == 0, result.output
    return record


def diary(game: Path, name: str) -> list[dict[str, Any]]:
    lines = Path(f"{game}.stderr", f"{name}.txt").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def messages_to(game: Path, name: str) -> list[dict[str, Any]]:
    return [words["message"] for words in diary(game, name) if "message" in words]


@pytest.mark.parametrize("name", NAMES)
def test_the_seed_cannot_be_found(game: Path, name: str) -> None:
    """Not in a message, an environment, a command, or the status of a process."""
    text = Path(f"{game}.stderr", f"{name}.txt").read_text("utf-8")
    assert '"message"' in text
    assert '"process"' in text
    assert SEED not in text
    assert f"{int(SEED):x}" not in text


@pytest.mark.parametrize("name", NAMES)
def test_another_seats_mission_is_sent_only_at_the_end(game: Path, name: str) -> None:
    cards = messages_to(game, name)[-2]["missions"]
    own = cards[NAMES.index(name)]
    other_cards = [sorted(card) for card in cards if card != own]
    assert len(other_cards) == 2
    for message in messages_to(game, name)[:-2]:
        message.pop("board", None)  # it lists every card of the game
        assert not any(sorted(found) in other_cards for found in lists_in(message))
    assert own in list(lists_in(messages_to(game, name)[1]))


def lists_in(words: object) -> list[list[str]]:
    """Every list of words in a message."""
    if isinstance(words, dict):
        return [found for value in words.values() for found in lists_in(value)]
    if isinstance(words, list):
        inner = [found for value in words for found in lists_in(value)]
        return [words, *inner] if words and all(isinstance(w, str) for w in words) else inner
    return []


@pytest.mark.parametrize("name", NAMES)
def test_the_marker_supply_is_sent_as_a_count(game: Path, name: str) -> None:
    asked = [message for message in messages_to(game, name) if message["type"] == "decide"]
    assert all(isinstance(message["state"]["marker_supply"], int) for message in asked)
    events = [event for message in asked for event in message["events"]]
    drawn = [event for event in events if event["event"] == "marker-drawn"]
    assert drawn
    assert all(set(event) == {"event", "seat", "left"} for event in drawn)


@pytest.mark.parametrize("name", NAMES)
def test_a_bot_sees_only_its_files_the_system_and_the_sdk(game: Path, name: str) -> None:
    """Every file inside comes from a mount, so nothing else can be read."""
    bot = find_bot(str(BOTS / "snoop"))
    allowed = {*map(str, bubblewrap.system_paths()), *map(str, bubblewrap.readable(bot))}
    devices = {f"/dev/{name}" for name in ("null", "urandom")}
    made = {"/", "/dev", "/tmp", "/proc", str(BUNDLED), *devices}
    found = {words["mount"] for words in diary(game, name) if "mount" in words}
    assert {place for place in found - made if not place.startswith("/proc/")} <= allowed
    assert str(BOTS / "snoop") in found
