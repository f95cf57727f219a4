"""A game to play from Python, with choices, views and events as in the protocol."""

from __future__ import annotations

import hashlib
import json
import operator
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import SupportsIndex, Unpack, cast

from protocol.choices import ChoiceValue
from protocol.events import Event
from protocol.parts import Board, Rules, Standing
from protocol.request import Choice
from protocol.words import DecisionKind, EndReason, State, View
from referee.adjudication.faults import Strikes
from referee.adjudication.standings import final_standings
from referee.api.save import save_record
from referee.engine import game, view
from referee.engine.ruleset import Ruleset
from referee.engine.serialize import choice_words, event_words
from referee.engine.state import GameState
from referee.engine.terms import DECISIONS, END_REASONS
from referee.errors import ChoiceRefused
from referee.options import GameKeywords, load_game, options_from
from referee.random_play import draw_seed
from referee.records.resume import Record


class Game:
    """One game, which you play choice by choice.

    `seed` determines everything random; without it, a random seed is drawn. The other options are
    those of `referee play`: board, edition, missions, favours, neutral, permits, promos, max_turns.
    Raises RefereeError if they do not fit together.

    If a decision has only one choice, it is made automatically, as in a refereed game.
    """

    def __init__(
        self, players: int = 4, *, seed: int | None = None, **options: Unpack[GameKeywords]
    ) -> None:
        board, rules = load_game(options_from(options), players)
        self.seed: int = draw_seed() if seed is None else seed
        self._state = game.new_game(board, rules, self.seed)
        self._indices: list[int] = []
        self._settle()

    @classmethod
    def load(cls, record: str | Path, *, at: int | None = None) -> Game:
        """Return the game of a record as it was before decision `at`.

        Without `at`, it is the last position of an unfinished record. Raises RefereeError if the
        record cannot be read, if it has no such decision, or if the game is over there.
        """
        source = Record(Path(record))
        state, past = source.position(at)
        loaded = cls._from_state(state, source.header.seed)
        lines = map(json.loads, past.lines)
        loaded._indices = [line["choice"] for line in lines if line["line"] == "decision"]
        loaded._settle()
        return loaded

    @classmethod
    def _from_state(cls, state: GameState, seed: int) -> Game:
        made = cls.__new__(cls)
        made.seed = seed
        made._state = state
        return made

    # -- the rules and the board

    @property
    def rules(self) -> Rules:
        """The board's name, the number of players and the options."""
        return cast("Rules", self._state.rules.to_dict())

    @property
    def board(self) -> Board:
        """The board as in the message `start`: cities, routes and everything else that never changes."""
        return cast("Board", self._state.board.words)

    @property
    def id(self) -> str:
        """An id for this game that does not reveal its seed."""
        return _game_id(self._state.rules, self.seed)

    # -- the decision

    @property
    def seat(self) -> int | None:
        """The seat that must decide; None when the game is over."""
        return None if self.over else self._state.agenda[-1].seat

    @property
    def decision(self) -> DecisionKind | None:
        """The kind of decision: `turn`, `relocate`, ...; None when the game is over."""
        if self.over:
            return None
        return DECISIONS[self._state.agenda[-1].kind]

    @property
    def choices(self) -> list[Choice]:
        """All legal choices; empty when the game is over."""
        return [self._choice(at, choice) for at, choice in enumerate(game.choices(self._state))]

    def _choice(self, index: int, choice: game.Choice) -> Choice:
        words = choice_words(self._state.board, choice)
        offered = Choice(cast("dict[str, ChoiceValue]", words))
        offered.index = index
        return offered

    def play(self, choice: SupportsIndex | Mapping[str, object]) -> None:
        """Play a choice, given by its index or as one of `choices`.

        Raises ChoiceRefused if the choice is not legal; then the game does not change.
        """
        index = self._index(choice)
        game.apply(self._state, index)
        self._indices.append(index)
        self._settle()

    def _index(self, choice: SupportsIndex | Mapping[str, object]) -> int:
        if not isinstance(choice, Mapping):
            return operator.index(choice)
        offered = self.choices
        if choice not in offered:
            raise ChoiceRefused(f"{choice} is not a choice of decision {self._state.decision_id}")
        return offered.index(cast("Choice", choice))

    def _settle(self) -> None:
        self._indices += [0] * game.settle(self._state)

    # -- the position

    def view(self, seat: int | None = None) -> View:
        """Return what a seat may see, by default the seat that must decide.

        This is the first argument of a bot that is a function. Raises IndexError if there is no
        such seat.
        """
        state = self._state
        viewer = seat if seat is not None else self.seat or 0
        if not 0 <= viewer < state.rules.players:
            raise IndexError(
                f"there is no seat {viewer}; the seats are 0 to {state.rules.players - 1}"
            )
        is_asked = not self.over and viewer == self.seat
        about = view.about(state, state.agenda[-1]) if is_asked else None
        seen = {
            **view.see(state, viewer),
            "game": self.id,
            "seat": viewer,
            "id": state.decision_id,
            "decision": self.decision if is_asked else None,
            "about": about or {},
        }
        return cast("View", seen)

    def events(self, since: int = 0) -> list[Event]:
        """Return the events of the game, starting with number `since`; a copy has no events."""
        events = (self._state.events or ())[since:]
        return [cast("Event", event_words(self._state, event)) for event in events]

    def draw(self) -> str:
        """Return the board and the position as text, to be printed."""
        from referee.terminal.board.plain_text import position_text  # noqa: PLC0415  rich is slow to import

        seen = cast("State", view.see(self._state, 0))
        return position_text(self._state.board.words, seen, self._names())

    # -- the result

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._state.is_over

    @property
    def reason(self) -> EndReason | None:
        """The reason why the game ended; None before its end."""
        return cast("EndReason | None", END_REASONS[self._state.over] or None)

    @property
    def turn(self) -> int:
        """The number of the current turn, starting at 1; each player's turn counts separately."""
        return self._state.turn

    @property
    def standings(self) -> list[Standing]:
        """The result of each seat, in the order of seats; before the end, as if the game ended now."""
        strikes = Strikes(self._state.rules.players)
        results = final_standings(self._state, strikes, self._names())
        return [result.to_dict() for result in results]

    def _names(self) -> list[str]:
        return [f"seat {seat}" for seat in range(self._state.rules.players)]

    # -- copies and records

    def copy(self) -> Game:
        """Return an independent game in the same position; it has no events, which makes it fast."""
        copied = Game._from_state(self._state.copy(), self.seed)
        copied._indices = self._indices[:]
        return copied

    def save(self, record: str | Path, names: Sequence[str] | None = None) -> None:
        """Write the record of the game so far, for `referee replay` and `referee verify`.

        `names` are the names of the players, one for each seat; by default `seat 0`, `seat 1` and
        so on.
        """
        state = self._state
        save_record(Path(record), state, self.seed, self.id, self._indices, names or self._names())

    def __repr__(self) -> str:
        now = self.reason if self.over else f"seat {self.seat} decides: {self.decision}"
        return f"<Game {self._state.rules.name} seed {self.seed}, turn {self.turn}, {now}>"


def _game_id(rules: Ruleset, seed: int) -> str:
    return "game-" + hashlib.sha256(f"{rules.name} {seed}".encode()).hexdigest()[:12]
