"""How fast records are verified, compared with how fast the engine plays the same games.

Both are measured alternately, in one process and by CPU time, so that a busy machine changes the
ratio little. As in `bench engine`, only decisions with two or more choices count.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from statistics import median

from referee.adjudication.faults import Fault
from referee.bench.common import cpu_time, heading, rounded
from referee.bench.engine import FEWEST_ROUNDS, GAMES, MAX_TURNS
from referee.bots.process import monotonic_ns
from referee.encoder import Formats
from referee.engine.board import Board
from referee.engine.choice import Choice
from referee.engine.ruleset import RULES_VERSION, Components, Ruleset, make_ruleset
from referee.errors import BenchRefused
from referee.match.players import Answer
from referee.match.runner import RefereedGame, Settings
from referee.match.without_process import WithoutProcess
from referee.random_play import Playout, kind_first, play_game, rng_of
from referee.records.verify import verify
from referee.records.writer import RecordWriter


@dataclass(frozen=True, slots=True)
class VerifySpeed:
    """The speeds on one board and their ratio; all are medians of rounds."""

    board: str
    seats: int
    engine_decisions_per_s: float
    verify_decisions_per_s: float
    ratio: float
    decisions: int  # with two or more choices, in one round
    records: int
    bytes: int
    rounds: int


def measure_board(
    components: Components, board: Board, seats: int, seconds: float, folder: Path
) -> VerifySpeed:
    """Write the records of the games of `bench engine`, then measure for about this many seconds."""
    rules = make_ruleset(components, board, seats, max_turns=MAX_TURNS)
    games = [play_game(board, rules, seed) for seed in range(GAMES)]
    paths = [write_record(folder / f"{board.id}-{played.seed}.jsonl", played) for played in games]
    decisions = sum(played.tally.open_decisions for played in games)
    times: list[tuple[float, float]] = []
    _verify(paths)  # parses the board, which is then known
    while len(times) < FEWEST_ROUNDS or sum(map(sum, times)) < seconds:
        times.append((cpu_time(lambda: _play(board, rules)), cpu_time(lambda: _verify(paths))))
    return VerifySpeed(
        board=board.id,
        seats=seats,
        engine_decisions_per_s=decisions / median(play for play, _ in times),
        verify_decisions_per_s=decisions / median(check for _, check in times),
        ratio=median(play / check for play, check in times),
        decisions=decisions,
        records=len(paths),
        bytes=sum(path.stat().st_size for path in paths),
        rounds=len(times),
    )


def to_dict(speeds: Sequence[VerifySpeed]) -> dict[str, object]:
    """Every figure, for JSON: a list of boards."""
    return {
        **heading("verify"),
        "rules_version": RULES_VERSION,
        "boards": [
            {key: rounded(value, 3) for key, value in asdict(speed).items()} for speed in speeds
        ],
        "lowest_ratio": round(min(speed.ratio for speed in speeds), 3),
    }


def write_record(path: Path, played: Playout) -> Path:
    """Play a random game again with the referee and players in this process; write its record.

    Return the path; raise BenchRefused if the game ends in another position.
    """
    formats = Formats(played.state.board)
    rng = rng_of(played.seed)
    seats = [_RandomSeat(f"random#{seat + 1}", rng) for seat in range(played.ruleset.players)]
    with closing(RecordWriter(path, formats.get("json", "words"))) as record:
        game = RefereedGame(
            formats, played.ruleset, played.seed, "bench", seats, Settings(), record
        )
        state = game.play().state
    if state.digest() != played.state.digest():
        raise BenchRefused("the recorded game is not the one that the engine played")
    return path


class _RandomSeat(WithoutProcess):
    """A seat of a refereed game that plays at random."""

    def __init__(self, name: str, rng: Random) -> None:
        super().__init__(name, "0" * 64)
        self._rng = rng

    def decide(self, _: int, options: list[Choice]) -> Answer | Fault:
        asked_ns = monotonic_ns()
        index = kind_first(options, self._rng)
        read_ns = monotonic_ns()
        return Answer(index, (read_ns - asked_ns) / 1e6, asked_ns, read_ns)


def _play(board: Board, rules: Ruleset) -> None:
    for seed in range(GAMES):
        play_game(board, rules, seed)


def _verify(paths: Sequence[Path]) -> None:
    for path in paths:
        verdict = verify(path)
        if verdict.verdict != "fine":
            raise BenchRefused(f"a record of the benchmark is {verdict.verdict}: {verdict.why}")
