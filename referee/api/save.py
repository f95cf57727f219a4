"""The record of a `Game` that was played from Python: written, and read again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from referee.adjudication.clock import NO_CLOCK
from referee.adjudication.faults import DEFAULT_STRIKES, Strikes
from referee.adjudication.standings import final_standings
from referee.encoder import Formats
from referee.engine import game
from referee.engine.digest import Digester
from referee.engine.state import GameState
from referee.errors import RecordRefused
from referee.match.in_process import CONTENT
from referee.match.runner import BY_BOT, BY_SINGLE, header_dict
from referee.records.resume import Record
from referee.records.writer import RecordWriter

PLAYER_HASH: Final = f"{CONTENT}game"  # the players of a `Game` have no files to hash


def load_record(path: str | Path, at: int | None) -> tuple[GameState, int, list[int]]:
    """The position before decision `at`, the seed of the game and the choices so far.

    Without `at`, it is the end of an unfinished record. Raises RecordRefused if there is none.
    """
    source = Record(Path(path))
    state, past = source.position(at)
    lines = map(json.loads, past.lines)
    indices = [line["choice"] for line in lines if line["line"] == "decision"]
    return state, source.header.seed, indices


def save_record(
    path: str | Path,
    state: GameState,
    seed: int,
    game_id: str,
    indices: Sequence[int],
    names: Sequence[str],
) -> None:
    """Play the game again from its beginning, and write its record.

    Raises RecordRefused if the record cannot be written or if there is not one name per seat.
    """
    if len(names) != state.rules.players:
        count = state.rules.players
        raise RecordRefused(f"a game of {count} players needs {count} names, not {len(names)}")
    again = game.new_game(state.board, state.rules, seed)
    players: list[dict[str, object]] = [
        {"seat": seat, "name": name, "version": None, "hash": PLAYER_HASH}
        for seat, name in enumerate(names)
    ]
    writer = RecordWriter(Path(path), Formats(state.board).get("json", "words"))
    with closing(writer):
        writer.header(header_dict(again, seed, game_id, players, NO_CLOCK, DEFAULT_STRIKES))
        _write(writer, again, indices)
        if again.is_over:
            strikes = Strikes(again.rules.players)
            writer.end(again, final_standings(again, strikes, names))


def _write(writer: RecordWriter, state: GameState, indices: Sequence[int]) -> None:
    digester = Digester(state)
    for index in indices:
        by, turn = BY_SINGLE if len(game.choices(state)) == 1 else BY_BOT, state.turn
        writer.decision(state, index, by, 0.0, 0.0, None)
        game.apply(state, index)
        if state.turn != turn or state.is_over:
            writer.turn(turn, digester.digest())
