"""The field of a single-agent environment: policies, past selves and bots that play in this process."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy as copied
from pathlib import Path
from typing import Protocol, TypeAlias

import numpy as np

import protocol
from referee.adjudication.clock import NO_CLOCK
from referee.adjudication.faults import Fault
from referee.bots.find import Bot
from referee.encoder import Formats, GameEncoder, SeatEncoder
from referee.engine import game as engine
from referee.errors import BotRefused
from referee.match.in_process import InProcessPlayer
from referee.rl.bundled import house_bot
from referee.rl.game import Kind, NumberedGame
from referee.rl.policy import Policy, PolicyBot, choose
from referee.rl.seen import agent_names

Opponent: TypeAlias = str | Policy | PolicyBot | protocol.Bot
"""What can play against the learner: the name of a bundled bot in Python, a policy, a PolicyBot, or a
bot of the SDK (`protocol.FunctionBot` makes one from a function of view and choices)."""


class Seated(Protocol):
    """An opponent in its seat."""

    def begin(self, game: NumberedGame, seat: int, game_id: str) -> None:
        """Prepare for a game that begins now."""

    def play(self, game: NumberedGame) -> None:
        """Make the choice of the seat that has to choose."""


class Field:
    """The opponents that a learner can meet in games of one kind."""

    def __init__(self, opponents: Sequence[Opponent], kind: Kind) -> None:
        if isinstance(opponents, str):
            raise BotRefused(f"the field must be a list of opponents, not the text {opponents!r}")
        if not opponents:
            raise BotRefused("the field is empty: give at least one opponent")
        formats = Formats(kind.board)
        # For each opponent: one or more of it, because one can be drawn for several seats.
        self._seated = [[_seated(opponent, kind, formats)] for opponent in opponents]

    @property
    def has_bots(self) -> bool:
        """Whether some opponents get messages, which report what happened in the game."""
        return any(isinstance(copies[0], _SeatedBot) for copies in self._seated)

    def draw(self, count: int, rng: np.random.Generator) -> list[Seated]:
        """Draw so many opponents in random order; each comes once before any comes twice."""
        drawn: list[Seated] = []
        for time in range(-(-count // len(self._seated))):
            for at in rng.permutation(len(self._seated))[: count - len(drawn)]:
                copies = self._seated[at]
                if time == len(copies):
                    copies.append(copies[0].copy())
                drawn.append(copies[time])
        return drawn


def _seated(opponent: Opponent, kind: Kind, formats: Formats) -> _SeatedPolicy | _SeatedBot:
    if isinstance(opponent, str | protocol.Bot):
        return _SeatedBot(opponent, formats)
    if isinstance(opponent, PolicyBot):
        _check_sizes(opponent, kind)
        return _SeatedPolicy(opponent.policy)
    if isinstance(opponent, type) or not callable(opponent):
        raise BotRefused(
            f"{opponent!r:.80} is not an opponent: it must be the name of a bundled bot in Python, a"
            " policy (a function of row and mask), a PolicyBot or a bot of the SDK"
        )
    return _SeatedPolicy(opponent)


def _check_sizes(bot: PolicyBot, kind: Kind) -> None:
    given, needed = [(one.row_size, one.numbering.size) for one in (bot.kind, kind)]
    if given != needed:
        raise BotRefused(
            f"the policy {bot.name} is for rows of {given[0]} and {given[1]} actions, but this kind of"
            f" game has {needed[0]} and {needed[1]}"
        )


class _SeatedPolicy:
    """A seat that a function of row and mask plays."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def copy(self) -> _SeatedPolicy:
        """Return itself: it keeps nothing of a game."""
        return self

    def begin(self, game: NumberedGame, seat: int, game_id: str) -> None:
        """Do nothing: a policy sees everything in its rows."""

    def play(self, game: NumberedGame) -> None:
        """Make the choice that the policy picks; ChoiceRefused if it is not legal."""
        game.step(choose(self._policy, game, game.seat))


class _SeatedBot:
    """A seat that a bot plays; it gets the messages that it would get in a match."""

    def __init__(self, given: str | protocol.Bot, formats: Formats) -> None:
        self._given = given
        self._formats = formats
        # A bot of the SDK knows its seat, so one object cannot play in two seats.
        bot = house_bot(given) if isinstance(given, str) else copied(given)
        name = given if isinstance(given, str) else given.name or type(given).__name__
        self._player = InProcessPlayer(Bot(name, (), Path(), "", in_process=bot))

    def copy(self) -> _SeatedBot:
        """Return another one, with its own bot."""
        return _SeatedBot(self._given, self._formats)

    def begin(self, game: NumberedGame, seat: int, game_id: str) -> None:
        """Start the bot's game; BotRefused if it raises an exception."""
        fault = self._player.open(NO_CLOCK)
        if fault is None:
            message_format = self._formats.get("json", self._player.message_format.detail)
            encoder = SeatEncoder(GameEncoder(message_format, game.state), seat)
            fault = self._player.start(encoder, game_id, agent_names(game.kind), NO_CLOCK)
        if fault is not None:
            raise self._refused(fault)

    def play(self, game: NumberedGame) -> None:
        """Make the choice of the bot; BotRefused if it raises an exception or chooses nothing legal."""
        answer = self._player.decide(game.state.decision_id, engine.choices(game.state))
        if isinstance(answer, Fault):
            raise self._refused(answer)
        game.choose(answer.index)

    def _refused(self, fault: Fault) -> BotRefused:
        refused = BotRefused(f"the opponent {self._player.name} {fault.message}")
        refused.__cause__ = self._player.error
        return refused
