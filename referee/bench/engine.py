"""How fast the engine is on a board: random play, copy, apply and replay.

Every round plays the same games, whatever the machine and the build; more time means more rounds.
The times are CPU time, so that a busy machine changes them little.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median

from referee.bench.common import cpu_time, heading, rounded
from referee.engine import game
from referee.engine.board import Board
from referee.engine.ruleset import Components, Ruleset, make_ruleset
from referee.engine.state import GameState
from referee.errors import BenchRefused
from referee.random_play import Playout, play_game

GAMES = 8
FEWEST_ROUNDS = 3
DEFAULT_SEATS = 4
MAX_TURNS = 200  # longer than a game of people; after that, random players only move tradesmen
SHARE_OF_PLAY = 0.6  # of the time for a board; the other measurements share the rest
MICROSECONDS = 1e6


@dataclass(frozen=True, slots=True)
class BoardSpeed:
    """The speed of the engine on one board; every figure is the median of its rounds."""

    board: str
    seats: int
    decisions_per_s: float
    copy_us: float
    apply_us: float
    replay_decisions_per_s: float
    decisions: int  # with two or more choices, in one round
    rounds: int
    digest: str  # of the last game: equal on every build and machine


def measure_board(components: Components, board: Board, seats: int, seconds: float) -> BoardSpeed:
    """Measure one board for about this many seconds."""
    ruleset = make_ruleset(components, board, seats, max_turns=MAX_TURNS)
    games = [play_game(board, ruleset, seed) for seed in range(GAMES)]
    decisions = sum(played.tally.open_decisions for played in games)
    rest = seconds * (1 - SHARE_OF_PLAY) / 3
    play_times = _rounds(lambda: _play(board, ruleset), seconds * SHARE_OF_PLAY)
    positions = _positions(board, games[0])
    copy_times = _rounds(lambda: _copy(positions), rest)
    replays = sum(len(played.tally.indices) for played in games)
    replay_times = _rounds(lambda: _replay(board, games), rest)
    return BoardSpeed(
        board=board.id,
        seats=seats,
        decisions_per_s=decisions / median(play_times),
        copy_us=median(copy_times) / len(positions) * MICROSECONDS,
        apply_us=_apply_us(positions, rest),
        replay_decisions_per_s=replays / median(replay_times),
        decisions=decisions,
        rounds=len(play_times),
        digest=games[-1].state.digest(),
    )


def default_seats(board: Board, seats: int | None) -> int:
    """Return the given number of seats, else four or the nearest number that the board allows.

    Raise BenchRefused if the board does not allow the given number.
    """
    fewest, most = board.players
    if seats is None:
        return max(fewest, min(DEFAULT_SEATS, most))
    if not fewest <= seats <= most:
        raise BenchRefused(f"board {board.id} takes {fewest} to {most} seats, not {seats}")
    return seats


def to_dict(speeds: Sequence[BoardSpeed]) -> dict[str, object]:
    """Return every figure by board, for JSON."""
    figures = (
        "seats",
        "decisions_per_s",
        "copy_us",
        "apply_us",
        "replay_decisions_per_s",
        "decisions",
        "rounds",
        "digest",
    )
    by_board = {
        figure: {speed.board: rounded(getattr(speed, figure)) for speed in speeds}
        for figure in figures
    }
    return {
        **heading("engine"),
        "rules_version": game.RULES_VERSION,
        "games": GAMES,
        **by_board,
    }


def _rounds(work: Callable[[], None], seconds: float) -> list[float]:
    """Return the seconds of CPU time of each round; there are at least FEWEST_ROUNDS rounds."""
    times: list[float] = []
    while len(times) < FEWEST_ROUNDS or sum(times) < seconds:
        times.append(cpu_time(work))
    return times


def _play(board: Board, ruleset: Ruleset) -> None:
    for seed in range(GAMES):
        play_game(board, ruleset, seed)


def _copy(positions: Sequence[tuple[GameState, int]]) -> None:
    for state, _ in positions:
        state.copy()


def _replay(board: Board, games: Sequence[Playout]) -> None:
    for played in games:
        game.replay(board, played.ruleset, played.seed, played.tally.indices)


def _positions(board: Board, played: Playout) -> list[tuple[GameState, int]]:
    """Return every position of a game, without the event log, and the index chosen there."""
    state = game.new_game(board, played.ruleset, played.seed, events=False)
    positions: list[tuple[GameState, int]] = []
    for index in played.tally.indices:
        positions.append((state.copy(), index))
        game.apply(state, index)
    return positions


def _apply(positions: Sequence[tuple[GameState, int]]) -> None:
    for state, index in positions:
        game.apply(state, index)


def _apply_us(positions: Sequence[tuple[GameState, int]], seconds: float) -> float:
    """Measure `apply` alone: the choices of each position are listed before the clock starts."""
    times: list[float] = []
    while len(times) < FEWEST_ROUNDS or sum(times) < seconds:
        fresh = [(state.copy(), index) for state, index in positions]
        for state, _ in fresh:
            game.choices(state)
        times.append(cpu_time(partial(_apply, fresh)))
    return median(times) / len(positions) * MICROSECONDS
