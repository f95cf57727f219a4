"""A hint for a person, made by a process of its own: the game can still be stopped meanwhile.

The process gets what the seat is allowed to see, and nothing else, so a hint cannot tell more.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec

from referee import atlas
from referee.analysis.lines import Settings
from referee.bots.launch import die_with_parent
from referee.bots.reaper import REAPER
from referee.engine import view
from referee.engine.restore import restore
from referee.engine.state import GameState
from referee.records.lines import RulesLine
from referee.system import child_environment


class HintRequest(msgspec.Struct):
    """A position as one seat sees it, and how long to look for a hint."""

    board: dict[str, Any]
    rules: RulesLine
    names: list[str]
    seat: int
    seen: dict[str, Any]  # as in the message that asks a bot
    settings: Settings

    def state(self) -> GameState:
        """A position that agrees with what the seat sees; what is hidden is drawn at random."""
        board = atlas.board_from_words(self.board)
        rules = self.rules.ruleset(board, self.rules.players)
        return restore(board, rules, self.seat, self.seen, seed=0)


def request_of(state: GameState, names: Sequence[str], settings: Settings) -> bytes:
    """The request for the seat that must decide, as JSON."""
    seat = state.agenda[-1].seat
    seen = {**view.request(state), "state": view.see(state, seat)}
    fields = {
        "board": state.board.words,
        "rules": state.rules.to_dict(),
        "names": list(names),
        "seat": seat,
        "seen": seen,
        "settings": settings,
    }
    return msgspec.json.encode(fields)


class HintProcess:
    """A process that looks for a hint; its output can be read when it is ready."""

    def __init__(self, state: GameState, names: Sequence[str], settings: Settings) -> None:
        self._process = subprocess.Popen(  # noqa: S603  our own module
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the game, which then ends this process
            env=child_environment(),
        )
        REAPER.enter(self._process.pid)  # it is not a stray of a bot
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._output = self._process.stdout
        with suppress(BrokenPipeError), self._process.stdin as given:
            given.write(request_of(state, names, settings))

    def fileno(self) -> int:
        """The output of the process, which can be read when the hint is ready."""
        return self._output.fileno()

    def text(self) -> str:
        """Wait for the hint: sentences, one a line; "" if the process failed."""
        return self._output.read().decode(errors="replace").strip()

    def stop(self) -> None:
        """Kill the process, whether it is ready or not."""
        self._process.kill()
        self._process.wait()
        self._output.close()
        REAPER.end(self._process.pid)


def main() -> None:
    """Read a request from standard input, and print the hint."""
    from referee.analysis.hint import hint_for, hint_lines  # noqa: PLC0415  only this process needs it

    die_with_parent()
    request = msgspec.json.decode(sys.stdin.buffer.read(), type=HintRequest)
    hint = hint_for(request.state(), request.names, request.settings)
    sys.stdout.buffer.write("\n".join(hint_lines(hint)).encode())


if __name__ == "__main__":
    main()
