"""The random bot of every language follows the protocol and plays on every board."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from referee import atlas
from referee.adjudication.clock import ClockRules
from referee.bots.find import Bot, find_bot
from referee.bots.starter_kits import LANGUAGES, make_bot
from referee.check.registry import CHECKS
from referee.check.run import run, trial
from referee.encoder import Formats
from referee.engine.ruleset import make_ruleset
from referee.match.players import BotPlayer
from referee.match.runner import RefereedGame, Settings
from support.language_bots import BotBuilder
from support.parts import is_wanted

# A build may come before the first test of a language.
pytestmark = pytest.mark.timeout(400)

PLAIN = [(language,) for language in LANGUAGES]
WITH_FLAGS = [
    ("python", "--msgpack"),
    ("javascript", "--msgpack"),
    ("rust", "--codes"),
    ("rust", "--msgpack"),
    ("rust", "--codes", "--msgpack"),
    ("go", "--msgpack"),
    ("cpp", "--codes"),
]
FLAG_CHECKS = ("handshake", "encodings", "games", "large-messages", "pieces", "errors", "quit")
# The bots in Python share an SDK, and one of them passes every check in `check/test_checks.py`.
# These depend on the bot's own code, and ask it decisions of every kind.
OWN_CHECKS = ("games", "seats", "decisions-britannia-2-3", "decisions-hanse-4-5", "repeatable")
OWN_FLAG_CHECKS = ("encodings", "games", "quit")
MAX_TURNS = 40


def shares_its_code(language: str) -> bool:
    """Whether the default tests check the code of a bot elsewhere; `tox -e languages` does it here."""
    return language == "python" and not is_wanted("languages")


def statuses(bot: Bot, *names: str) -> dict[str, str]:
    """Return the checks that a bot did not pass; of those with these names, if given."""
    checks = [one for one in CHECKS if not names or one.name in names]
    with trial(bot, ClockRules()) as subject:
        found = list(run(subject, checks))
    return {
        finding.check.name: f"{finding.verdict.status}: {finding.verdict.sentence}"
        for finding in found
        if finding.verdict.status != "passed"
    }


@pytest.mark.parametrize("words", PLAIN, ids=" ".join)
def test_a_bot_passes_every_check(builder: BotBuilder, words: tuple[str, ...]) -> None:
    names = OWN_CHECKS if shares_its_code(words[0]) else ()
    assert statuses(builder.bot(*words), *names) == {}


def test_a_bot_made_from_the_kit_in_python_plays(tmp_path: Path) -> None:
    """The kit itself, which is the sample bot in Python, passes every check."""
    make_bot(tmp_path / "kit", "python")
    assert statuses(find_bot(str(tmp_path / "kit")), "handshake", "answer") == {}


@pytest.mark.parametrize("words", WITH_FLAGS, ids=" ".join)
def test_a_bot_with_a_flag_passes_the_checks(builder: BotBuilder, words: tuple[str, ...]) -> None:
    names = OWN_FLAG_CHECKS if shares_its_code(words[0]) else FLAG_CHECKS
    assert statuses(builder.bot(*words), *names) == {}


@pytest.mark.parametrize("words", [*PLAIN, *WITH_FLAGS], ids=" ".join)
def test_a_bot_plays_a_game_on_every_board(
    builder: BotBuilder, words: tuple[str, ...], tmp_path: Path
) -> None:
    bot = builder.bot(*words)
    with ExitStack() as stack:
        players = [BotPlayer(bot, tmp_path / f"stderr-{seat}") for seat in range(4)]
        for player in players:
            stack.callback(player.close)
        for board in atlas.board_names():
            assert play(board, players) == []


def play(name: str, players: list[BotPlayer]) -> list[str]:
    """Play a game with as many players as the board allows, and return the faults."""
    board = atlas.load_board(name)
    seated = players[: board.words["players"]["max"]]
    rules = make_ruleset(atlas.load_components(), board, len(seated), max_turns=MAX_TURNS)
    game = RefereedGame(Formats(board), rules, 7, f"game-{name}", seated, Settings())
    outcome = game.play()
    assert outcome.state.is_over
    return [f"{noted.fault} {noted.stderr!r}" for noted in outcome.faults]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_build_does_not_change_the_hash_of_a_bot(builder: BotBuilder, language: str) -> None:
    bot = builder.bot(language)
    assert find_bot(str(bot.folder)).content == bot.content
