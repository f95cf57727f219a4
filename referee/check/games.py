"""Scenes: games in which the bot has one seat and the referee plays the others.

Where nothing is to be asked it plays the bot's seat too, as it does in the place of a bot at fault.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from random import Random
from typing import Final
from zlib import crc32

from referee import atlas
from referee.adjudication.clock import ClockRules, SeatClock
from referee.adjudication.faults import Fault, FaultRecord, Strikes, default_choice
from referee.adjudication.standings import final_standings
from referee.check.aims import Aim
from referee.check.conversation import Talk
from referee.check.opponent import build
from referee.encoder import Speech, Tale
from referee.engine import game
from referee.engine.board import Board
from referee.engine.decision import Decision
from referee.engine.ruleset import NEUTRAL_MODES, Ruleset, make_ruleset
from referee.engine.state import GameState
from referee.engine.terms import (
    DECISIONS,
    LEVY,
    LIFT,
    MOVE_2_ANY,
    NEUTRAL_POST,
    NONE,
    PERMANENT,
    PLACE_MARKER,
    PUT,
    RELOCATE,
    TURN,
)
from referee.random_play import kind_first

EVERY_KIND: Final = tuple(range(len(DECISIONS)))
SEEDS: Final = 40  # how many games are looked through for a rare decision
LONGEST: Final = 2000  # decisions after which a game is given up
_ANYWHERE: Final = (TURN, LIFT, PUT, RELOCATE, PLACE_MARKER)


@dataclass(frozen=True)
class Scene:
    """A game, and the bot's seat in it."""

    board: Board
    rules: Ruleset
    seat: int = 0
    seed: int = 1

    @property
    def id(self) -> str:
        """A public id: the same whenever the scene is played again."""
        return f"check-{crc32(f'{self.rules.name} {self.seed}'.encode()):08x}"

    def rng(self) -> Random:
        """Chance for the seats that the referee plays."""
        return Random(f"check {self.id}")

    def kinds(self) -> set[int]:
        """The kinds of decision that can come up."""
        permanent = set(self.board.permanent) - {NONE, MOVE_2_ANY}
        rare = {
            LEVY: self.rules.favours,
            PERMANENT: bool(permanent),
            NEUTRAL_POST: self.rules.neutral is not None,
        }
        return {*_ANYWHERE, *(kind for kind, there in rare.items() if there)}


def bundled() -> list[Board]:
    """Every bundled board."""
    return [atlas.load_board(name) for name in atlas.board_names()]


def board_for(players: int) -> Board:
    """A bundled board for so many players."""
    return next(board for board in bundled() if board.players[0] <= players <= board.players[1])


def usual(board: Board, players: int | None = None, **more: int) -> Scene:
    """A game without options."""
    rules = make_ruleset(atlas.load_components(), board, players or board.players[1])
    return Scene(board, rules, **more)


def scenes_of(board: Board, seed: int = 1) -> list[Scene]:
    """Games that together have every number of seats, both editions and every option of a board.

    Each has all options that it can have, but for the last one, which has none.
    """
    box = atlas.load_components()
    fewest, most = board.players
    ways = list(product(range(fewest, most + 1), enumerate(box.editions.values())))
    found: list[Scene] = []
    for number, (players, (at, edition)) in enumerate(ways):
        full = number < len(ways) - 1
        rules = make_ruleset(
            box,
            board,
            players,
            edition=edition.name,
            missions=full and bool(board.missions),
            favours=full and board.favours,
            neutral=NEUTRAL_MODES[at % len(NEUTRAL_MODES)] if players == 2 else None,
            permits=full and bool(board.permits),
            promos=full and edition.promos,
        )
        found.append(Scene(board, rules, seat=(number + seed) % players, seed=seed))
    return found


class Table:
    """A scene being played; nothing is said to the bot before `begin`."""

    def __init__(
        self,
        talk: Talk,
        scene: Scene,
        *,
        clock: ClockRules | None = None,
        aim: Aim | None = None,
    ) -> None:
        self.talk = talk
        self.scene = scene
        self.state = game.new_game(scene.board, scene.rules, scene.seed)
        hello = talk.hello
        dialect = talk.subject.dialects(scene.board).get(hello.encoding, hello.detail)
        self._tale = Tale(dialect, self.state)
        self.speech = Speech(self._tale, scene.seat)
        self._with_state = hello.state == "full"
        self._rng = scene.rng()
        rules = clock or talk.subject.clock
        self._clock = SeatClock(rules)
        self._allowed_ms: float | None = None
        self._begun = False
        self._aim = aim
        self._names = [
            talk.subject.bot.name if seat == scene.seat else f"referee-{seat}"
            for seat in range(scene.rules.players)
        ]
        self.start = self.speech.start(scene.id, self._names, rules)

    # -- with the bot

    def begin(self) -> Table:
        """Start the game."""
        self._begun = True
        self.talk.where = f"the start of {self._name}"
        self.talk.ready(self.talk.send(self.start))
        return self

    def play(self, most: int) -> int:
        """Let the bot play its seat for so many decisions; how many there were."""
        asked = 0
        while asked < most and self.talk.subject.in_time() and self.advance():
            self.ask()
            asked += 1
        return asked

    def ask(self) -> int:
        """Ask the bot for the pending decision, and carry its choice out."""
        index = self.answer(self.talk.send(self.question()))
        game.apply(self.state, index)
        return index

    def question(self) -> bytes:
        """The request for the pending decision; the bot's clock goes on."""
        self._allowed_ms = self._clock.begin()
        clock_ms = None if self._allowed_ms is None else int(self._allowed_ms)
        options = game.choices(self.state)
        return self.speech.decide(options, clock_ms, with_state=self._with_state)

    def answer(self, started_ns: int) -> int:
        """The bot's answer to it."""
        state = self.state
        kind = DECISIONS[state.agenda[-1].kind]
        self.talk.where = f"decision {state.decision_id} ({kind}) of {self._name}"
        count = len(game.choices(state))
        index, ms = self.talk.choice(state.decision_id, count, started_ns, self._allowed_ms)
        self._clock.use(ms)
        return index

    def refusal(self, chosen: int) -> bytes:
        """The answer was refused: the referee chooses in the bot's place, and this says so."""
        state = self.state
        cause = Fault("illegal", f"choice {chosen} is refused by this check")
        seat = self.scene.seat
        fault = FaultRecord(seat, self._names[seat], state.decision_id, cause, 1, 3, False)
        said = self.speech.error(fault)
        game.apply(state, default_choice(game.choices(state)))
        return said

    def end(self) -> bytes:
        """The last message of the game, which is broken off if it is not over."""
        self.talk.where = f"the end of {self._name}"
        game.abandon(self.state)
        strikes = Strikes(self.state.rules.players)
        return self.speech.end(final_standings(self.state, strikes, self._names))

    @property
    def _name(self) -> str:
        scene = self.scene
        return f"{scene.rules.name}, seat {scene.seat}, seed {scene.seed}"

    # -- without it

    @property
    def kind(self) -> int:
        """The kind of the pending decision."""
        return self.state.agenda[-1].kind

    def advance(self, kinds: Collection[int] = EVERY_KIND) -> bool:
        """Play on until the bot has a decision of these kinds to make; False if there is none.

        In a game that has begun it places its own markers: only a request shows what they are.
        """
        seat = self.scene.seat
        asked = {*kinds, PLACE_MARKER} if self._begun else kinds
        state, rng = self.state, self._rng
        return _advance(state, rng, lambda one: one.seat == seat and one.kind in asked, self._aim)

    def wander(self, decisions: int) -> None:
        """Let so many decisions pass: the bot's seat passes its turns, the others play at random."""
        state = self.state
        for _ in range(decisions):
            if state.is_over:
                return
            options = game.choices(state)
            mine = state.agenda[-1].seat == self.scene.seat
            game.apply(state, default_choice(options) if mine else kind_first(options, self._rng))


def _advance(
    state: GameState, rng: Random, wanted: Callable[[Decision], bool], aim: Aim | None = None
) -> bool:
    """Build until a decision with two or more choices is a wanted one."""
    for _ in range(LONGEST):
        if state.is_over:
            return False
        options = game.choices(state)
        if len(options) > 1 and wanted(state.agenda[-1]):
            return True
        game.apply(state, build(state, options, rng, aim) if len(options) > 1 else 0)
    return False


def aimed_at(talk: Talk, scenes: Sequence[Scene], kind: int) -> Iterator[Table]:
    """Games, not yet begun, in which the referee plays so that this kind comes up for the bot's seat.

    Those in which it does not, when the referee plays that seat too, are left out.
    """
    for seed in range(2, SEEDS + 2):
        for scene in [replace(scene, seed=seed) for scene in scenes if kind in scene.kinds()]:
            aim = Aim(scene.seat, kind)
            state = game.new_game(scene.board, scene.rules, scene.seed, events=False)
            if _advance(state, scene.rng(), aim.is_met, aim):
                yield Table(talk, scene, aim=aim)
