"""Records of games on every board, written without bots and without the match runner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from protocol.messages import PROTOCOL_VERSION
from referee import __version__
from referee.adjudication.clock import NO_CLOCK
from referee.adjudication.faults import Fault, FaultRecord, Strikes, default_choice
from referee.adjudication.standings import final_standings
from referee.encoder import Formats
from referee.engine import game
from referee.engine.board import Board
from referee.engine.ruleset import Ruleset
from referee.records.writer import RecordWriter
from support.random_games import Game


def names_for(players: int) -> list[str]:
    return ["Adele", "Bruno", "Clara", "Dietrich", "Elsbeth"][:players]


def write_record(
    path: Path,
    one: Game,
    *,
    names: Sequence[str] | None = None,
    says: Mapping[int, str] | None = None,
    upto: int | None = None,
) -> Path:
    """Write the record of a game; `says` has remarks by decision, `upto` cuts it off there."""
    names = names or names_for(one.rules.players)
    writer = RecordWriter(path, Formats(one.board).get("json", "words"))
    writer.header(header(one.board, one.rules, one.seed, names))
    state = game.new_game(one.board, one.rules, one.seed)
    for number, index in enumerate(one.indices[:upto], 1):
        by = "single" if len(game.choices(state)) == 1 else "bot"
        ms = 0.0 if by == "single" else 0.5
        say = (says or {}).get(number) if by == "bot" else None
        writer.decision(state, index, by, ms, 0.0, say)
        turn = state.turn
        game.apply(state, index)
        if state.turn != turn or state.is_over:
            writer.turn(turn, state.digest())
    if state.is_over:
        writer.end(state, final_standings(state, Strikes(one.rules.players), names))
    writer.close()
    return path


def write_abandoned(path: Path, one: Game, message: str = "no answer") -> Path:
    """Write the record of a game in which every seat crashes at its second decision."""
    names = names_for(one.rules.players)
    writer = RecordWriter(path, Formats(one.board).get("json", "words"))
    writer.header(header(one.board, one.rules, one.seed, names))
    state = game.new_game(one.board, one.rules, one.seed)
    strikes, asked = Strikes(one.rules.players), [0] * one.rules.players
    while not state.is_over:
        options, seat = game.choices(state), state.agenda[-1].seat
        by = "single" if len(options) == 1 else "bot"
        asked[seat] += by == "bot"
        index = 0
        if by == "bot" and asked[seat] > 1:
            by, index = "referee", default_choice(options)
            if strikes.answers(seat):
                strikes.add(seat, "crash", state.decision_id)
                cause = Fault("crash", message)
                writer.fault(FaultRecord(seat, "", state.decision_id, cause, 1, 3, True))
                game.emit_disqualified(state, seat, "crash", state.decision_id)
                if strikes.nobody_answers():
                    game.abandon(state)
                    break
        writer.decision(state, index, by, 0.0, 0.0, None)
        turn = state.turn
        game.apply(state, index)
        if state.turn != turn:
            writer.turn(turn, state.digest())
    writer.end(state, final_standings(state, strikes, names))
    writer.close()
    return path


def header(board: Board, rules: Ruleset, seed: int, names: Sequence[str]) -> dict[str, object]:
    return {
        "rules_version": rules.version,
        "protocol": PROTOCOL_VERSION,
        "referee": __version__,
        "rules": rules.to_dict(),
        "ruleset": rules.name,
        "board_digest": board.digest,
        "seed": seed,
        "game": "play-0123456789ab",
        "players": [
            {"seat": seat, "name": name, "version": None, "hash": "0" * 64}
            for seat, name in enumerate(names)
        ],
        "clock": NO_CLOCK.to_dict(),
        "strikes": 3,
    }
