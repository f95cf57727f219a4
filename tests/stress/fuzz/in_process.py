"""Fuzzed replies in this process: the codec, the judging of answers and the runner, in whole games.

Strikes are unlimited, so that a seat whose reply is refused is asked again. Every reply must end as
a legal choice or as a fault with a name, and the game must be the one that follows from the choices.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Final

from protocol.codec import Overflow, Splitter, WireError
from referee import atlas
from referee.adjudication.clock import NO_CLOCK, ClockRules
from referee.adjudication.faults import MOST_UNASKED, Fault, FaultRecord, default_choice
from referee.adjudication.standings import Outcome, SeatResult
from referee.encoder import Formats, MessageFormat, SeatEncoder
from referee.engine import game
from referee.engine.choice import Choice
from referee.engine.ruleset import make_ruleset
from referee.engine.state import GameState
from referee.engine.terms import FAULTS
from referee.errors import RefereeError
from referee.match.players import Answer, judge
from referee.match.runner import RefereedGame, Settings
from referee.system import resident_mib
from stress.fuzz.mutator import below
from stress.fuzz.replies import Encoding, Replies
from stress.fuzz.second_reader import is_legal
from stress.program import heading

BOARD: Final = "hanse-4-5"
SEATS: Final = 4
MAX_TURNS: Final = 60
LIMIT: Final = 4096  # bytes of a message: small, so that floods also occur
MOST_WRONG: Final = 10
CHECKED: Final = 16  # a second reader reads one refused reply in 16
REPLAYED: Final = 4  # one game in four is played again


@dataclass
class Fuzzed:
    """How the replies were judged, and what was left running or open."""

    seed: int
    replies: int = 0
    games: int = 0
    legal: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)  # errors of the referee
    seconds: float = 0.0
    early_mib: float = 0.0  # memory after a tenth of them
    late_mib: float = 0.0
    left_running: int = 0
    left_open: int = 0  # descriptors more than at the beginning

    @property
    def is_clean(self) -> bool:
        """Whether nothing was wrong, and nothing is left."""
        return not self.wrong and not self.left_running and self.left_open <= 0

    def note(self, what: str) -> None:
        """Keep what was wrong; only the first few."""
        if len(self.wrong) < MOST_WRONG:
            self.wrong.append(what)


def to_dict(fuzzed: Fuzzed, what: str) -> dict[str, object]:
    """Every figure, for JSON."""
    figures = {
        key: round(value, 2) if isinstance(value, float) else value
        for key, value in asdict(fuzzed).items()
    }
    return {
        **heading(f"fuzz {what}"),
        **figures,
        "faults": dict(sorted(fuzzed.faults.items())),
        "clean": fuzzed.is_clean,
    }


def fuzz_replies(
    count: int, seed: int, on_progress: Callable[[int], None] = lambda _: None
) -> Fuzzed:
    """Judge this many fuzzed replies; `on_progress` is called with their number after each game."""
    board = atlas.load_board(BOARD)
    rules = make_ruleset(atlas.load_components(), board, SEATS, max_turns=MAX_TURNS)
    formats = Formats(board)
    fuzzed = Fuzzed(seed)
    players = [FuzzPlayer(seat, seed, fuzzed) for seat in range(SEATS)]
    settings = Settings(clock=NO_CLOCK, strikes=0)
    began = time.perf_counter()
    while fuzzed.replies < count and len(fuzzed.wrong) < MOST_WRONG:
        for player in players:
            player.restart()
        number = fuzzed.games
        fuzzed.games += 1
        try:
            outcome = RefereedGame(
                formats, rules, number, f"fuzz-{number}", players, settings
            ).play()
            _check_game(outcome, players, fuzzed)
        except RefereeError as error:
            fuzzed.note(f"game {number} broke off: {error}")
        note_memory(fuzzed, count)
        on_progress(fuzzed.replies)
    fuzzed.seconds = time.perf_counter() - began
    return fuzzed


def note_memory(fuzzed: Fuzzed, count: int) -> None:
    """Measure the memory of this process: early is after the first tenth of the replies."""
    fuzzed.late_mib = resident_mib(os.getpid())
    if fuzzed.replies <= count // 10 or not fuzzed.early_mib:
        fuzzed.early_mib = fuzzed.late_mib


def _check_game(outcome: Outcome, players: list[FuzzPlayer], fuzzed: Fuzzed) -> None:
    """Note a game that is void, or that differs when it is replayed from its choices."""
    if outcome.void is not None:
        fuzzed.note(f"game {outcome.seed} is void: {outcome.void}")
    elif outcome.seed % REPLAYED == 0:
        chosen = {key: index for player in players for key, index in player.chosen.items()}
        if _played_again(outcome, chosen).digest() != outcome.state.digest():
            fuzzed.note(f"game {outcome.seed} does not follow from the choices")


def _played_again(outcome: Outcome, chosen: dict[int, int]) -> GameState:
    """Play the same game from its seed and the choices of the bots, and return its state."""
    reached = outcome.state
    state = game.new_game(reached.board, reached.rules, outcome.seed)
    while not state.is_over and state.decision_id < reached.decision_id:
        options = game.choices(state)
        default = 0 if len(options) == 1 else default_choice(options)
        game.apply(state, chosen.get(state.decision_id, default))
    if reached.is_over:
        game.abandon(state)  # unless it has ended already
    return state


class FuzzPlayer:
    """A player whose answers are fuzzed bytes, which are read like the output of a process."""

    version: str | None = None
    content = "fuzz"

    def __init__(self, seat: int, seed: int, fuzzed: Fuzzed) -> None:
        self.name = f"fuzz-{seat}"
        self._encoding: Encoding = "json" if seat % 2 == 0 else "msgpack"
        self._replies = Replies(f"{seed} {seat}", self._encoding)
        self._rng = Random(f"{seed} {seat} pieces")
        self._fuzzed = fuzzed
        self._judged = 0
        self.restart()

    def restart(self) -> None:
        """Forget what was read, as with a new process."""
        self._splitter = Splitter(self._encoding, LIMIT)
        self._unasked = 0
        self.chosen: dict[int, int] = {}

    @property
    def message_format(self) -> MessageFormat:
        """The encoding and the detail of its messages."""
        return MessageFormat(self._encoding, "codes")

    def open(self, clock: ClockRules) -> Fault | None:
        return None

    def start(
        self, encoder: SeatEncoder, game: str, names: list[str], clock: ClockRules
    ) -> Fault | None:
        return None

    def decide(self, decision_id: int, options: list[Choice]) -> Answer | Fault:
        """Judge one more fuzzed reply."""
        fuzzed = self._fuzzed
        fuzzed.replies += 1
        self._feed(self._replies.next(decision_id, len(options)))
        found = self._hear(decision_id, len(options))
        if isinstance(found, Fault):
            fuzzed.faults[found.fault] += 1
            if found.fault not in FAULTS or not found.message:
                fuzzed.note(f"a fault without a name: {found}")
            return found
        fuzzed.legal += 1
        self.chosen[decision_id] = found
        return Answer(found, 0.0, 0, 0)

    def _feed(self, data: bytes) -> None:
        """Feed the bytes to the splitter, sometimes in two pieces."""
        if self._rng.random() < 0.2:
            at = below(self._rng, len(data) + 1)
            self._splitter.feed(data[:at])
            data = data[at:]
        self._splitter.feed(data)

    def _hear(self, decision_id: int, count: int) -> int | Fault:
        """Read and judge the bytes as a player does; return the chosen index or a fault."""
        while True:
            try:
                raw = self._splitter.next()
            except WireError as error:
                kind = "flood" if isinstance(error, Overflow) else "garbage"
                return Fault(kind, str(error), error.data)
            if raw is None:
                return Fault("timeout", "gave no answer in time")
            judged = judge(raw, self._encoding, decision_id, count)
            self._compare(raw, decision_id, count, judged)
            if judged is not None:
                return judged if isinstance(judged, Fault) else judged.choice
            self._unasked += 1
            if self._unasked > MOST_UNASKED:
                return Fault(
                    "flood",
                    f"sent more than {MOST_UNASKED} messages that it was not asked for",
                    raw,
                )

    def _compare(self, raw: bytes, decision_id: int, count: int, judged: object) -> None:
        """Note a difference if a second reader of the same bytes comes to another verdict."""
        self._judged += 1
        refused = isinstance(judged, Fault)
        if judged is None or (refused and self._judged % CHECKED):
            return
        right = is_legal(raw, self._encoding, decision_id, count)
        if right is not None and right == refused:
            self._fuzzed.note(f"decision {decision_id} of {count}: {raw!r} was judged {judged}")

    def refuse(self, fault: FaultRecord) -> None: ...
    def dismiss(self) -> None: ...
    def end(self, standings: list[SeatResult]) -> None: ...

    def stderr_excerpt(self) -> bytes:
        return b""
