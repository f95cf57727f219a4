"""Fuzzed replies in process: the codec, what judges answers and the runner, in games that go on.

Strikes are without end, so that a seat that is refused is asked again. Whatever comes must end as a
legal choice or as a fault with a name; the game must be the one that the choices say.
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
from referee.bench.common import heading
from referee.bench.fuzz_replies import Encoding, Replies
from referee.bench.leaks import resident_mib
from referee.bench.mutator import below
from referee.bench.second_reader import is_legal
from referee.engine import game
from referee.engine.choice import Choice
from referee.engine.ruleset import make_ruleset
from referee.engine.state import GameState
from referee.engine.terms import FAULTS
from referee.errors import RefereeError
from referee.match.players import Answer, judge
from referee.match.runner import Game, Settings
from referee.speech import Detail, Dialects, Speech

BOARD: Final = "hanse-4-5"
SEATS: Final = 4
MAX_TURNS: Final = 60
LIMIT: Final = 4096  # of a message: small, so that floods are met as well
MOST_WRONG: Final = 10
CHECKED: Final = 16  # one refused reply in so many is looked at by another reader
REPLAYED: Final = 4  # and one game in so many is played again


@dataclass
class Fuzzed:
    """What became of them."""

    seed: int
    replies: int = 0
    games: int = 0
    legal: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)  # what should never be
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
        """Something was wrong; the first few are kept."""
        if len(self.wrong) < MOST_WRONG:
            self.wrong.append(what)


def as_words(fuzzed: Fuzzed, what: str) -> dict[str, object]:
    """One object with every figure."""
    words = {
        key: round(value, 2) if isinstance(value, float) else value
        for key, value in asdict(fuzzed).items()
    }
    return {
        **heading(f"fuzz {what}"),
        **words,
        "faults": dict(sorted(fuzzed.faults.items())),
        "clean": fuzzed.is_clean,
    }


def fuzz_replies(count: int, seed: int, tell: Callable[[int], None] = lambda _: None) -> Fuzzed:
    """So many replies; `tell` hears now and then how many there were."""
    board = atlas.load_board(BOARD)
    rules = make_ruleset(atlas.load_components(), board, SEATS, max_turns=MAX_TURNS)
    dialects = Dialects(board)
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
            outcome = Game(dialects, rules, number, f"fuzz-{number}", players, settings).play()
            _check_game(outcome, players, fuzzed)
        except RefereeError as error:
            fuzzed.note(f"game {number} broke off: {error}")
        look_at_memory(fuzzed, count)
        tell(fuzzed.replies)
    fuzzed.seconds = time.perf_counter() - began
    return fuzzed


def look_at_memory(fuzzed: Fuzzed, count: int) -> None:
    """After the first tenth of them, and now."""
    fuzzed.late_mib = resident_mib(os.getpid())
    if fuzzed.replies <= count // 10 or not fuzzed.early_mib:
        fuzzed.early_mib = fuzzed.late_mib


def _check_game(outcome: Outcome, players: list[FuzzPlayer], fuzzed: Fuzzed) -> None:
    """It ended by itself; now and then, that it is the game that was chosen."""
    if outcome.void is not None:
        fuzzed.note(f"game {outcome.seed} is void: {outcome.void}")
    elif outcome.seed % REPLAYED == 0:
        chosen = {key: index for player in players for key, index in player.chosen.items()}
        if _played_again(outcome, chosen).digest() != outcome.state.digest():
            fuzzed.note(f"game {outcome.seed} is another than the choices say")


def _played_again(outcome: Outcome, chosen: dict[int, int]) -> GameState:
    """The same game from its seed and the choices of the bots alone."""
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
    """A seat whose answers are fuzzed bytes, read as those of a process are."""

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
        """A new process would begin so."""
        self._splitter = Splitter(self._encoding, LIMIT)
        self._unasked = 0
        self.chosen: dict[int, int] = {}

    @property
    def dialect(self) -> tuple[Encoding, Detail]:
        """How it is spoken to, if anybody did."""
        return self._encoding, "codes"

    def open(self, clock: ClockRules) -> Fault | None:
        """It is there."""

    def start(self, speech: Speech, game: str, names: list[str], clock: ClockRules) -> Fault | None:
        """It is ready."""

    def decide(self, decision_id: int, options: list[Choice]) -> Answer | Fault:
        """One more reply, judged."""
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
        """At times in pieces."""
        if self._rng.random() < 0.2:
            at = below(self._rng, len(data) + 1)
            self._splitter.feed(data[:at])
            data = data[at:]
        self._splitter.feed(data)

    def _hear(self, decision_id: int, count: int) -> int | Fault:
        """As a player does with what a process says."""
        while True:
            try:
                raw = self._splitter.next()
            except WireError as error:
                kind = "flood" if isinstance(error, Overflow) else "garbage"
                return Fault(kind, str(error), error.data)
            if raw is None:
                return Fault("timeout", "gave no answer in time")
            judged = judge(raw, self._encoding, decision_id, count)
            self._doubt(raw, decision_id, count, judged)
            if judged is not None:
                return judged if isinstance(judged, Fault) else judged.choice
            self._unasked += 1
            if self._unasked > MOST_UNASKED:
                return Fault("flood", f"sent more than {MOST_UNASKED} messages unasked", raw)

    def _doubt(self, raw: bytes, decision_id: int, count: int, judged: object) -> None:
        """Whether another reader of the same bytes comes to the same end."""
        self._judged += 1
        refused = isinstance(judged, Fault)
        if judged is None or (refused and self._judged % CHECKED):
            return
        right = is_legal(raw, self._encoding, decision_id, count)
        if right is not None and right == refused:
            self._fuzzed.note(f"decision {decision_id} of {count}: {raw!r} was judged {judged}")

    def refuse(self, fault: FaultRecord) -> None:
        """It does not mind."""

    def dismiss(self) -> None:
        """It is not asked again in this game."""

    def end(self, standings: list[SeatResult]) -> None:
        """It is over."""

    def stderr_tail(self) -> bytes:
        """It has none."""
        return b""
