"""What a decision costs with real bot processes, compared with a pipe that echoes the same bytes.

The total is measured over whole games. Its parts are measured one by one on the same decisions: the
engine, then messages, records and replies, and the echo through a pipe to a C program.
"""

from __future__ import annotations

import math
import os
import select
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import NamedTuple

from protocol.codec import decode_reply
from referee import atlas
from referee.adjudication.clock import NO_CLOCK
from referee.bench.c_programs import compile_program, compiler
from referee.bench.common import cpu_time, heading, one_core, rounded
from referee.bots.find import Bot, find_bot
from referee.encoder import Detail, Formats, GameEncoder, SeatEncoder
from referee.engine import game
from referee.engine.digest import Digester
from referee.engine.ruleset import Ruleset, make_ruleset
from referee.engine.state import GameState
from referee.match.players import BotPlayer
from referee.match.runner import BY_BOT, GameListener, RefereedGame, Settings
from referee.records.lines import DecisionLine
from referee.records.reader import RecordReader
from referee.records.writer import RecordWriter
from referee.system import resident_mib

SEATS = 4
BOARD = "hanse-4-5"
MAX_TURNS = 300
WARM_UP = 0  # the seed of the game whose decisions are measured part by part
ROUNDS = 9
MEMORY_TURNS = 12
_US = 1e6


@dataclass(frozen=True)
class Case:
    """One kind of bot, and the messages that the referee sends to it."""

    name: str
    program: str  # "quick" is the C bot, "random" the Python one
    detail: Detail
    state: str


CASES = (
    Case("codes/none, C", "quick", "codes", "none"),
    Case("codes/full, C", "quick", "codes", "full"),
    Case("words/none, C", "quick", "words", "none"),
    Case("words/full, C", "quick", "words", "full"),
    Case("codes/none, Python", "random", "codes", "none"),
)


@dataclass(frozen=True)
class Cost:
    """Microseconds per decision that a bot makes; medians of rounds."""

    case: str
    total: float
    echo: float
    engine: float  # choices, apply, and the digest at the end of a turn
    messages: float  # events, view and request
    record: float
    reply: float
    bot: float  # CPU time of the bot itself
    bytes: float  # of a request
    decisions: int
    cpu: float = math.nan  # CPU time of the referee in the total
    echo_cpu: float = math.nan  # CPU time of the echo, on the side of the referee

    @property
    def ratio(self) -> float:
        """How many times as long as the echo the referee's part of the total takes."""
        return (self.total - self.bot) / self.echo

    @property
    def cpu_ratio(self) -> float:
        """The same in CPU time of the referee's process, which a busy machine changes little."""
        return self.cpu / self.echo_cpu


@dataclass(frozen=True)
class Memory:
    """Resident memory of the referee over many games in one process, in MiB."""

    games: int
    after_tenth: float
    after_all: float


def measure_case(case: Case, folder: Path) -> Cost:
    """Play whole games, then measure the parts of a decision one by one."""
    board = atlas.load_board(BOARD)
    rules = make_ruleset(atlas.load_components(), board, SEATS, max_turns=MAX_TURNS)
    formats = Formats(board)
    with one_core(), _seated(case, folder) as players, _echoing(folder) as echo:
        indices = play_round(formats, rules, players, folder, WARM_UP).indices
        again = _SameDecisions(formats, rules, indices, case)
        asked = len(again.requests)
        played, echoes = [], []
        for seed in range(1, ROUNDS + 1):  # alternately, so that a busy machine slows both
            played.append(play_round(formats, rules, players, folder, seed))
            echoes.append(echo(again.requests))
        engine = _per_asked(asked, again.engine)
        record = _per_asked(asked, lambda: again.record(folder)) - engine
        messages = _per_asked(asked, again.messages) - engine
        return Cost(
            case=case.name,
            total=median(times.total for times in played),
            echo=median(times.total for times in echoes),
            engine=engine,
            messages=messages,
            record=record,
            reply=_per_asked(asked, again.replies),
            bot=median(times.bot for times in played),
            bytes=sum(map(len, again.requests)) / asked,
            decisions=asked,
            cpu=median(times.cpu for times in played),
            echo_cpu=median(times.cpu for times in echoes),
        )


def cases() -> list[Case]:
    """Return the cases that this machine can measure: without a C compiler only the Python bot."""
    return [case for case in CASES if compiler() or case.program != "quick"]


def measure_memory(games: int, folder: Path) -> Memory:
    """Play many short games with the same players, and measure the memory of this process."""
    board = atlas.load_board(BOARD)
    rules = make_ruleset(atlas.load_components(), board, SEATS, max_turns=MEMORY_TURNS)
    formats = Formats(board)
    after_tenth = 0.0
    with one_core(), _seated(cases()[0], folder) as players:
        for number in range(games):
            record = RecordWriter(folder / "memory.jsonl", formats.get("json", "words"))
            RefereedGame(
                formats, rules, number, f"bench-{number}", players, _SETTINGS, record
            ).play()
            record.close()
            if number == games // 10:
                after_tenth = _own_mib()
    return Memory(games, after_tenth, _own_mib())


def _own_mib() -> float:
    return resident_mib(os.getpid()) or float("nan")


def to_dict(costs: list[Cost], memory: Memory) -> dict[str, object]:
    """Every figure, for JSON."""
    return {
        **heading("match"),
        "us_per_decision": {
            cost.case: {
                **{key: rounded(value) for key, value in asdict(cost).items() if key != "case"},
                "ratio": rounded(cost.ratio),
                "cpu_ratio": rounded(cost.cpu_ratio),
            }
            for cost in costs
        },
        "memory_mib": {key: rounded(value) for key, value in asdict(memory).items()},
    }


_SETTINGS = Settings(clock=NO_CLOCK)


@contextmanager
def _seated(case: Case, folder: Path) -> Iterator[list[BotPlayer]]:
    bot = _bot(case, folder)
    players = [BotPlayer(bot, folder / f"stderr-{seat}.txt") for seat in range(SEATS)]
    try:
        yield players
    finally:
        for player in players:
            player.close()


def _bot(case: Case, folder: Path) -> Bot:
    if case.program != "quick":
        return find_bot(case.program)
    program = compile_program("quick", folder)
    return Bot("quick", (str(program), case.detail, case.state), folder, "bench")


class RoundTimes(NamedTuple):
    """Microseconds per decision of one game, or per request of an echo."""

    total: float
    cpu: float  # CPU time of the referee
    bot: float = 0.0  # CPU time of the bots
    indices: Sequence[int] = ()  # all choices of the game


def play_round(
    formats: Formats, rules: Ruleset, players: list[BotPlayer], folder: Path, seed: int
) -> RoundTimes:
    """Play a game; return the times of a decision, and all choices."""
    record = RecordWriter(folder / "bench.jsonl", formats.get("json", "words"))
    watch = _Stopwatch(players)
    name = f"bench-{seed}"
    RefereedGame(formats, rules, seed, name, players, _SETTINGS, record, watch.watcher).play()
    took, own, spent_ms = watch.read()
    record.close()
    decisions = [
        line for line in RecordReader(record.path).lines() if isinstance(line, DecisionLine)
    ]
    asked = sum(line.by == BY_BOT for line in decisions)
    return RoundTimes(
        took / asked * _US,
        own / asked * _US,
        spent_ms * 1000 / asked,
        [line.choice for line in decisions],
    )


class _Stopwatch:
    """Starts at the first decision that is applied: starting the bots does not count."""

    def __init__(self, players: list[BotPlayer]) -> None:
        self._bots = players
        self.watcher = GameListener(applied=self._start)
        self.began = self.own = self.cpu_ms = 0.0

    def _start(self, _: GameState) -> None:
        self.watcher.applied = lambda _: None
        self.cpu_ms = self._spent_ms()
        self.began, self.own = time.perf_counter(), time.process_time()

    def _spent_ms(self) -> float:
        return sum(player.cpu_ms() for player in self._bots)

    def read(self) -> tuple[float, float, float]:
        """Return the seconds since the start, of CPU time too, and the bots' CPU milliseconds."""
        took, own = time.perf_counter() - self.began, time.process_time() - self.own
        return took, own, self._spent_ms() - self.cpu_ms


class _SameDecisions:
    """Makes the decisions of a game again without bots, with only the work that is measured."""

    def __init__(
        self, formats: Formats, rules: Ruleset, indices: Sequence[int], case: Case
    ) -> None:
        self._board, self._rules, self._indices = formats.board, rules, indices
        self._format = formats.get("json", case.detail)
        self._words = formats.get("json", "words")
        self._with_state = case.state == "full"
        self.requests: list[bytes] = []
        self.messages()

    def engine(self) -> None:
        """Run the engine: choices, apply, and the digest of each turn."""
        state = game.new_game(self._board, self._rules, WARM_UP)
        digester = Digester(state)
        for index in self._indices:
            game.choices(state)
            turn = state.turn
            game.apply(state, index)
            if state.turn != turn:
                digester.digest()

    def messages(self) -> None:
        """Run the engine and encode every request."""
        state = game.new_game(self._board, self._rules, WARM_UP)
        digester = Digester(state)
        game_encoder = GameEncoder(self._format, state)
        encoders = [SeatEncoder(game_encoder, seat) for seat in range(SEATS)]
        self.requests = []
        for index in self._indices:
            options = game.choices(state)
            if len(options) > 1:
                encoder = encoders[state.agenda[-1].seat]
                self.requests.append(encoder.decide(options, None, with_state=self._with_state))
            turn = state.turn
            game.apply(state, index)
            if state.turn != turn:
                digester.digest()

    def record(self, folder: Path) -> None:
        """Run the engine and write every line of the record."""
        state = game.new_game(self._board, self._rules, WARM_UP)
        digester = Digester(state)
        writer = RecordWriter(folder / "again.jsonl", self._words)
        for index in self._indices:
            game.choices(state)
            writer.decision(state, index, "bot", 0.01, 0.01, None)
            turn = state.turn
            game.apply(state, index)
            if state.turn != turn:
                writer.turn(turn, digester.digest())
        writer.close()

    def replies(self) -> None:
        """Decode a reply for each request."""
        for number in range(len(self.requests)):
            decode_reply(b'{"type":"choose","id":%d,"choice":7}' % number, "json")


def _per_asked(asked: int, work: Callable[[], None]) -> float:
    return median(cpu_time(work) for _ in range(ROUNDS)) / asked * _US


@contextmanager
def _echoing(folder: Path) -> Iterator[Callable[[list[bytes]], RoundTimes]]:
    """Yield a function that returns the times of a request to a program that answers at once."""
    if compiler() is None:
        yield lambda _: RoundTimes(math.nan, math.nan)
        return
    with subprocess.Popen(  # noqa: S603  our own program
        [compile_program("echo", folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        there, back = child.stdin.fileno(), child.stdout.fileno()
        os.set_blocking(there, False)
        os.set_blocking(back, False)
        poll = select.poll()
        poll.register(back, select.POLLIN)

        def echo(requests: list[bytes]) -> RoundTimes:
            begin, own = time.perf_counter(), time.process_time()
            _exchange(requests, there, back, poll)
            took, own = time.perf_counter() - begin, time.process_time() - own
            return RoundTimes(took / len(requests) * _US, own / len(requests) * _US)

        yield echo
        child.stdin.close()


def _exchange(requests: list[bytes], there: int, back: int, poll: select.poll) -> None:
    for request in requests:
        os.write(there, request)
        poll.poll()
        os.read(back, 1 << 16)
