"""The games that checks play: the bot has one seat and the referee plays the others.

Decisions that a check does not need are also made by the referee, as they are for a bot at fault.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product
from random import Random
from typing import Final
from zlib import crc32

from referee import atlas
from referee.adjudication.clock import ClockRules, SeatClock
from referee.adjudication.faults import Fault, FaultRecord, Strikes, default_choice
from referee.adjudication.standings import final_standings
from referee.check.conversation import Conversation
from referee.check.opponent import PlayGoal, choose
from referee.encoder import GameEncoder, SeatEncoder
from referee.engine import game
from referee.engine.board import Board
from referee.engine.decision import Decision
from referee.engine.ruleset import NEUTRAL_MODES, Components, Edition, Ruleset, make_ruleset
from referee.engine.state import GameState
from referee.engine.terms import (
    BLOCK,
    DECISIONS,
    LEVY,
    LIFT,
    MOVE_2_ANY,
    NEUTRAL_POST,
    NONE,
    PAY_BLOCK,
    PERMANENT,
    PLACE_MARKER,
    PUT,
    RELOCATE,
    REWARD,
    TAKE_TRIBUTE,
    TRIBUTE,
    TURN,
)
from referee.random_play import kind_first

EVERY_KIND: Final = tuple(range(len(DECISIONS)))
SEEDS: Final = 100  # seeds to try for a game with a rare decision
LONGEST: Final = 2000  # decisions after which a game is abandoned
_ON_ALL_BOARDS: Final = (TURN, LIFT, PUT, RELOCATE, PLACE_MARKER)


@dataclass(frozen=True)
class GameSetup:
    """Board, rules and seed of a game, and the bot's seat in it."""

    board: Board
    rules: Ruleset = field(hash=False)  # it contains dicts
    seat: int = 0
    seed: int = 1

    @property
    def id(self) -> str:
        """The public id of the game: the same whenever this setup is played again."""
        return f"check-{crc32(f'{self.rules.name} {self.seed}'.encode()):08x}"

    def rng(self) -> Random:
        """Return the random numbers for the seats that the referee plays."""
        return Random(f"check {self.id}")

    def kinds(self) -> set[int]:
        """Return the kinds of decision that can come up."""
        permanent = set(self.board.permanent) - {NONE, MOVE_2_ANY}
        rare = {
            LEVY: self.rules.favours,
            PERMANENT: bool(permanent),
            NEUTRAL_POST: self.rules.neutral is not None,
            TAKE_TRIBUTE: TRIBUTE in self.rules.supply_markers,
            PAY_BLOCK: BLOCK in self.rules.supply_markers,
            REWARD: self.rules.permanent_first,
        }
        return {*_ON_ALL_BOARDS, *(kind for kind, possible in rare.items() if possible)}


def bundled() -> list[Board]:
    return [atlas.load_board(name) for name in atlas.board_names()]


def board_for(players: int) -> Board:
    """Return a bundled board for this number of players."""
    return next(board for board in bundled() if board.players[0] <= players <= board.players[1])


def basic_setup(board: Board, players: int | None = None, **more: int) -> GameSetup:
    """Return a game without optional rules; by default with as many players as possible."""
    rules = make_ruleset(atlas.load_components(), board, players or board.players[1])
    return GameSetup(board, rules, **more)


def game_setups(board: Board, seed: int = 1) -> list[GameSetup]:
    """Return games that together have all numbers of seats, editions and options of a board.

    Each has all options that are possible for it, except the last one, which has none.
    """
    box = atlas.load_components()
    fewest, most = board.players
    variations = list(product(range(fewest, most + 1), enumerate(box.editions.values())))
    found: list[GameSetup] = []
    for number, (players, (at, edition)) in enumerate(variations):
        full = number < len(variations) - 1
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
            promo_markers=_with_all_promos(box, board, edition)
            if full and edition.promos
            else None,
            country_ties="next-lower" if full and board.scoring_countries else None,
            permanent_markers="must" if full and _may_be_must(board, edition) else None,
        )
        found.append(GameSetup(board, rules, seat=(number + seed) % players, seed=seed))
    return found


def _with_all_promos(box: Components, board: Board, edition: Edition) -> list[str]:
    """Return a supply of markers that contains all promo markers."""
    kinds = (*box.promo_markers, *edition.supply)
    names = [board.replaces.get(name, name) for name, count in kinds for _ in range(count)]
    return names[: sum(count for _, count in edition.supply)]


def _may_be_must(board: Board, edition: Edition) -> bool:
    """Return whether permanent markers can be played as `must`."""
    rules = make_ruleset(atlas.load_components(), board, board.players[1], edition=edition.name)
    return rules.permanent_markers is not None


class CheckGame:
    """A game with the bot in one seat; `begin` starts it for the bot."""

    def __init__(
        self,
        conversation: Conversation,
        setup: GameSetup,
        *,
        clock: ClockRules | None = None,
        goal: PlayGoal | None = None,
    ) -> None:
        self.conversation = conversation
        self.setup = setup
        self.state = game.new_game(setup.board, setup.rules, setup.seed)
        hello = conversation.hello
        message_format = conversation.subject.formats(setup.board).get(hello.encoding, hello.detail)
        self._game_encoder = GameEncoder(message_format, self.state)
        self.encoder = SeatEncoder(self._game_encoder, setup.seat)
        self._with_state = hello.state == "full"
        self._rng = setup.rng()
        rules = clock or conversation.subject.clock
        self._clock = SeatClock(rules)
        self._allowed_ms: float | None = None
        self._begun = False
        self._goal = goal
        self._names = [
            conversation.subject.bot.name if seat == setup.seat else f"referee-{seat}"
            for seat in range(setup.rules.players)
        ]
        self.start = self.encoder.start(setup.id, self._names, rules)

    # -- messages to the bot and its answers

    def begin(self) -> CheckGame:
        """Send `start` and wait for `ready`; return this game."""
        self._begun = True
        self.conversation.where = f"the start of {self._name}"
        self.conversation.ready(self.conversation.send(self.start))
        return self

    def play(self, most: int) -> int:
        """Ask the bot at most this many decisions; return how many it answered."""
        asked = 0
        while asked < most and self.conversation.subject.in_time() and self.advance():
            self.ask()
            asked += 1
        return asked

    def ask(self) -> int:
        """Ask the bot for the pending decision and apply its choice; return its index."""
        index = self.answer(self.conversation.send(self.request()))
        game.apply(self.state, index)
        return index

    def request(self) -> bytes:
        """Return the message that asks for the pending decision, and start the bot's clock."""
        self._allowed_ms = self._clock.begin()
        clock_ms = None if self._allowed_ms is None else int(self._allowed_ms)
        options = game.choices(self.state)
        return self.encoder.decide(options, clock_ms, with_state=self._with_state)

    def answer(self, started_ns: int) -> int:
        """Wait for the bot's answer to the request; return the chosen index."""
        state = self.state
        kind = DECISIONS[state.agenda[-1].kind]
        self.conversation.where = f"decision {state.decision_id} ({kind}) of {self._name}"
        count = len(game.choices(state))
        index, ms = self.conversation.choice(state.decision_id, count, started_ns, self._allowed_ms)
        self._clock.use(ms)
        return index

    def refusal(self, chosen: int) -> bytes:
        """Return an error message about the bot's answer; the referee chooses in its place."""
        state = self.state
        cause = Fault("illegal", f"this check rejects choice {chosen}")
        seat = self.setup.seat
        fault = FaultRecord(seat, self._names[seat], state.decision_id, cause, 1, 3, False)
        message = self.encoder.error(fault)
        game.apply(state, default_choice(game.choices(state)))
        return message

    def end(self) -> bytes:
        """Return the last message of the game, which is abandoned if it is not over."""
        self.conversation.where = f"the end of {self._name}"
        game.abandon(self.state)
        strikes = Strikes(self.state.rules.players)
        return self.encoder.end(final_standings(self.state, strikes, self._names))

    @property
    def _name(self) -> str:
        setup = self.setup
        return f"{setup.rules.name}, seat {setup.seat}, seed {setup.seed}"

    # -- decisions that the referee makes

    @property
    def kind(self) -> int:
        return self.state.agenda[-1].kind

    def advance(self, kinds: Collection[int] = EVERY_KIND) -> bool:
        """Play on until the bot has a decision of these kinds; False if the game ends before that.

        In a game that has begun the bot places its own markers: only a request shows them.
        """
        seat = self.setup.seat
        asked = {*kinds, PLACE_MARKER} if self._begun else kinds
        state, rng = self.state, self._rng

        def is_wanted(decision: Decision) -> bool:
            return decision.seat == seat and decision.kind in asked

        return _advance(state, rng, is_wanted, self._goal)

    def play_without_bot(self, decisions: int) -> None:
        """Make this many decisions: the bot's seat passes its turns, the others play at random."""
        state = self.state
        for _ in range(decisions):
            if state.is_over:
                return
            options = game.choices(state)
            mine = state.agenda[-1].seat == self.setup.seat
            game.apply(state, default_choice(options) if mine else kind_first(options, self._rng))


def _advance(
    state: GameState, rng: Random, wanted: Callable[[Decision], bool], goal: PlayGoal | None = None
) -> bool:
    """Play on until a decision with two or more choices is wanted; False if there is none."""
    for _ in range(LONGEST):
        if state.is_over:
            return False
        options = game.choices(state)
        if len(options) > 1 and wanted(state.agenda[-1]):
            return True
        game.apply(state, choose(state, options, rng, goal) if len(options) > 1 else 0)
    return False


def games_leading_to(
    conversation: Conversation, setups: Sequence[GameSetup], kind: int
) -> Iterator[CheckGame]:
    """Yield games, not yet begun, in which this kind of decision comes up for the bot's seat.

    Each was tried with the referee in all seats first; games without such a decision are skipped.
    """
    for seed in range(2, SEEDS + 2):
        for setup in [replace(setup, seed=seed) for setup in setups if kind in setup.kinds()]:
            goal = PlayGoal(setup.seat, kind)
            if _leads_to(setup, goal):
                yield CheckGame(conversation, setup, goal=goal)


@cache
def _leads_to(setup: GameSetup, goal: PlayGoal) -> bool:
    """Return whether the game reaches the goal when the referee plays all seats."""
    state = game.new_game(setup.board, setup.rules, setup.seed, events=False)
    return goal.may_be_reached(state) and _advance(state, setup.rng(), goal.is_met, goal)
