"""The engine, the atlas and `Game` need nothing that only POSIX systems have."""

import subprocess
import sys

import pytest

# Runs before everything else in the subprocess.
HIDE = """
import os
import select
import signal
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name in ("resource", "fcntl", "termios"):
            raise ImportError(f"there is no module {name} here")

for name in ("resource", "fcntl", "termios"):
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Absent())
for module, names in (
    (os, ("O_CLOEXEC", "fork", "killpg", "pidfd_open", "sched_getaffinity", "waitid")),
    (select, ("epoll", "poll")),
    (signal, ("SIGCHLD", "SIGHUP", "SIGKILL", "SIGPIPE")),
):
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
"""
PLAY = """
from referee import Game

game = Game(3, seed=1, missions=True, max_turns=30)
while not game.over:
    game.play(game.choices[-1])
print(game.reason, len(game.standings))
"""
SAVE_AND_LOAD = """
import sys
from pathlib import Path
from referee import Game

game = Game(2, seed=5, max_turns=8)
while not game.over:
    game.play(0)
path = Path(sys.argv[1]) / "game.jsonl"
game.save(path)
print(Game.load(path, at=9).turn)
"""
ENGINE = """
from referee import atlas
from referee.engine import game, ruleset

board = atlas.load_board("east")
rules = ruleset.make_ruleset(atlas.load_components(), board, 4, max_turns=6)
state = game.new_game(board, rules, 3)
while not state.is_over:
    game.apply(state, 0)
print(len(game.standings(state)))
"""


def run_without_posix(program: str, *arguments: object) -> str:
    """Return the output of a program in a Python without the POSIX modules."""
    command = [sys.executable, "-c", HIDE + program, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_game_is_played_without_posix_modules() -> None:
    assert run_without_posix(PLAY) == "max-turns 3"


def test_a_game_is_saved_and_loaded_without_posix_modules(tmp_path: object) -> None:
    assert int(run_without_posix(SAVE_AND_LOAD, tmp_path)) > 0


def test_engine_and_atlas_work_without_posix_modules() -> None:
    assert run_without_posix(ENGINE) == "4"


@pytest.mark.parametrize("name", ["resource", "fcntl", "termios"])
def test_the_hidden_modules_are_really_absent(name: str) -> None:
    with pytest.raises(AssertionError, match=f"there is no module {name} here"):
        run_without_posix(f"import {name}")
