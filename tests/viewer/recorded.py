"""Records of games on every board, written as the referee writes them, but played without bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from protocol.messages import PROTOCOL_VERSION
from referee import __version__
from referee.engine import game, view
from referee.engine.board import Board
from referee.engine.ruleset import RULES_VERSION, Ruleset
from referee.match.clock import NO_CLOCK
from referee.match.conduct import Conduct, Fault, stand_in
from referee.match.standings import final_standings
from referee.records.write import RecordWriter
from referee.speech import Dialects
from walks import Game


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
    """Write the record of a game with remarks by decision; `upto` cuts it after that decision."""
    names = names or names_for(one.rules.players)
    writer = RecordWriter(path, Dialects(one.board).get("json", "words"))
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
        conduct = Conduct(one.rules.players)
        missions = [view.mission_words(state, seat) for seat in range(one.rules.players)]
        writer.end(state, final_standings(state, conduct, names), missions)
    writer.close()
    return path


def write_abandoned(path: Path, one: Game, message: str = "no answer") -> Path:
    """Write the record of a game in which every seat crashes at its second question."""
    names = names_for(one.rules.players)
    writer = RecordWriter(path, Dialects(one.board).get("json", "words"))
    writer.header(header(one.board, one.rules, one.seed, names))
    state = game.new_game(one.board, one.rules, one.seed)
    conduct, asked = Conduct(one.rules.players), [0] * one.rules.players
    while not state.is_over:
        options, seat = game.choices(state), state.agenda[-1].seat
        by = "single" if len(options) == 1 else "bot"
        asked[seat] += by == "bot"
        index = 0
        if by == "bot" and asked[seat] > 1:
            by, index = "referee", stand_in(options)
            if conduct.answers(seat):
                fault = Fault("crash", message)
                conduct.strike(seat, fault, state.decision_id)
                strikes = conduct.strikes[seat]
                writer.fault(seat, state.decision_id, "crash", message, b"", b"", strikes)
                game.tell_disqualified(state, seat, "crash", state.decision_id)
                if conduct.nobody_answers():
                    game.abandon(state)
                    break
        writer.decision(state, index, by, 0.0, 0.0, None)
        turn = state.turn
        game.apply(state, index)
        if state.turn != turn:
            writer.turn(turn, state.digest())
    missions = [view.mission_words(state, seat) for seat in range(one.rules.players)]
    writer.end(state, final_standings(state, conduct, names), missions)
    writer.close()
    return path


def header(board: Board, rules: Ruleset, seed: int, names: Sequence[str]) -> dict[str, object]:
    return {
        "rules_version": RULES_VERSION,
        "protocol": PROTOCOL_VERSION,
        "referee": __version__,
        "rules": rules.words(),
        "ruleset": rules.name,
        "board_digest": board.digest,
        "seed": seed,
        "game": "play-0123456789ab",
        "players": [
            {"seat": seat, "name": name, "version": None, "hash": "0" * 64}
            for seat, name in enumerate(names)
        ],
        "clock": {**NO_CLOCK.words(), "by_cpu": NO_CLOCK.by_cpu},
        "strikes": 3,
    }
