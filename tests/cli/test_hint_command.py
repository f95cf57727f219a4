"""`referee hint`: the best turns at a decision of a record, and what it says where there is none."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from referee.records.resume import Record
from support.command_runs import error_sentence, referee_here
from support.recorded_games import record

GAME = "hanse-2-3:3:original+max_turns=8"
QUICK = ("--rounds", 1)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return record(tmp_path_factory.mktemp("hint") / "game.jsonl", GAME)


def test_the_hint_says_the_best_turn_and_two_others(game: Path) -> None:
    done = referee_here("hint", "--from", game, "--at", 1, *QUICK)
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.split())
    parts = re.split(r" (?=Best: |Chance to |Loses |About as good|Why )", said)
    assert parts[0].startswith("Decision 1 (turn), seat 0, ")
    heads = [part.partition(" ")[0] for part in parts[1:]]
    assert heads[:2] == ["Best:", "Chance"]
    assert len([head for head in heads[2:] if head in ("Loses", "About")]) == 2


def test_the_json_has_indices_that_a_program_can_play(game: Path) -> None:
    words = ("hint", "--from", game, "--at", 5, *QUICK, "--json")
    found = json.loads(referee_here(*words).stdout)
    assert found == json.loads(referee_here(*words).stdout)
    state, _ = Record(game).position(5)
    assert (found["id"], found["seat"]) == (5, state.agenda[-1].seat)
    assert found["suggestions"][0]["choices"][0] == [found["seat"], found["choice"]]


def test_an_unfinished_game_has_a_hint_at_its_end(game: Path, tmp_path: Path) -> None:
    lines = game.read_bytes().splitlines(keepends=True)
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(b"".join(lines[:-4]))
    _, past = Record(cut).position(None)
    found = json.loads(referee_here("hint", "--from", cut, *QUICK, "--json").stdout)
    assert found["id"] == past.at


def test_a_wrong_question_is_answered_by_one_sentence(game: Path, tmp_path: Path) -> None:
    last = max(json.loads(line).get("id") or 0 for line in game.read_text().splitlines())
    after = referee_here("hint", "--from", game, "--at", last + 1)
    assert (
        error_sentence(after) == f"{game} has no decision {last + 1}: its decisions are 1 to {last}"
    )
    over = f"the game of {game} is over: name one of its decisions, from 1 to {last} (--at)"
    assert error_sentence(referee_here("hint", "--from", game)) == over
    missing = referee_here("hint", "--from", tmp_path / "no.jsonl", "--at", 1)
    assert "no.jsonl: it cannot be read: No such file" in error_sentence(missing)
    both = referee_here("hint", "--from", game, "--at", 1, "--time", 5, "--rounds", 5)
    assert error_sentence(both).startswith("--time and --rounds are mutually exclusive")
