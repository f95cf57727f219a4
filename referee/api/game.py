"""A game to play from Python, with choices, views and events as in the protocol.

Bots import this module when they start, so it loads little more than the engine; what else a method
needs, it loads when it is called (test_a_searching_bot_loads_little_more_than_the_engine).
"""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Generic, TypeVar, cast

from protocol.request import Choice
from referee.api.received import position_of, read_start
from referee.engine import game, view
from referee.engine.choice import Choice as EngineChoice
from referee.engine.codes import choice_code
from referee.engine.digest import position_key
from referee.engine.restore import redraw
from referee.engine.serialize import choice_words, event_words
from referee.engine.terms import DECISIONS, END_REASONS
from referee.errors import ChoiceRefused, RecordRefused

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import SupportsIndex, Unpack

    from protocol.choices import ChoiceValue
    from protocol.events import Event
    from protocol.incoming import DecideMessage, StartMessage
    from protocol.parts import Board, Rules, Standing
    from protocol.request import Game as StartedGame
    from protocol.request import Request
    from protocol.words import Code, DecisionKind, EndReason, State, View
    from referee.engine.board import Board as EngineBoard
    from referee.engine.state import GameState
    from referee.options import GameKeywords

T = TypeVar("T")

_KNOWN_BOARDS: Final = 16


class Game:
    """One game, which you play choice by choice.

    `seed` determines everything random; without it, a random seed is drawn. The other options are
    those of `referee play`: board, edition, missions, favours, neutral, permits, promos,
    promo_markers, country_ties, permanent_markers, max_turns.
    Raises RefereeError if they do not fit together.

    If a decision has only one choice, it is made automatically, as in a refereed game.

    Two games are equal if they are in the same position, whatever was chosen before. A game changes,
    so it is not hashable: use `position_key` as a key. Games can be pickled.
    """

    def __init__(
        self, players: int = 4, *, seed: int | None = None, **options: Unpack[GameKeywords]
    ) -> None:
        from referee.options import load_game, options_from  # noqa: PLC0415  see above

        board, rules = load_game(options_from(options), players)
        self.seed: int = _seed_or_random(seed)
        self._id = _game_id(rules.name, self.seed)
        self._state = game.new_game(board, rules, self.seed)
        # The choices so far; None if hidden things were drawn, because no seed leads there.
        self._indices: list[int] | None = [0] * game.settle(self._state)

    @classmethod
    def load(cls, record: str | Path, *, at: int | None = None) -> Game:
        """Return the game of a record as it was before decision `at`.

        Without `at`, it is the last position of an unfinished record. Raises RefereeError if the
        record cannot be read, if it has no such decision, or if the game is over there.
        """
        from referee.api.save import load_record  # noqa: PLC0415  see above

        state, seed, indices = load_record(record, at)
        indices += [0] * game.settle(state)
        return cls._made(state, seed, _game_id(state.rules.name, seed), indices)

    @classmethod
    def from_request(
        cls,
        start: StartMessage | StartedGame,
        request: DecideMessage | Request,
        seed: int,
        *,
        state: State | None = None,
    ) -> Game:
        """Return a full game that agrees with everything that a seat was sent.

        `start` and `request` are the messages `start` and `decide` as dicts, or the objects that a
        `protocol.Bot` gets for them, in words or in codes. The game offers the choices of the request,
        in the same order. What the seat cannot know is drawn from the seed, as by `redraw`.

        A bot that asks for no state passes the `state` that a `protocol.Table` keeps for it.
        Raises RefereeError if the request does not belong to the game of the `start` message.
        """
        opening = start if isinstance(start, dict) else start.message
        asked = request if isinstance(request, dict) else request.message
        return cls._made(position_of(opening, asked, seed, state), seed, opening["game"], None)

    @staticmethod
    def prepare(start: StartMessage | StartedGame) -> None:
        """Read the board and the rules of a `start` message.

        `from_request` does it as well, once for each game; but it takes some milliseconds, and in
        `Bot.start` they do not count as thinking time.
        """
        read_start(start if isinstance(start, dict) else start.message)

    @classmethod
    def _made(cls, state: GameState, seed: int, game_id: str, indices: list[int] | None) -> Game:
        made = cls.__new__(cls)
        made.seed = seed
        made._id = game_id
        made._state = state
        made._indices = indices
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
        return self._id

    @property
    def engine_state(self) -> GameState:
        """The position as an object of the engine, which may change in any version; do not write to it."""
        return self._state

    # -- the decision

    @property
    def seat(self) -> int | None:
        """The seat that must decide; None when the game is over."""
        agenda = self._state.agenda
        return agenda[-1].seat if agenda else None

    @property
    def decision(self) -> DecisionKind | None:
        """The kind of decision: `turn`, `relocate`, ...; None when the game is over."""
        agenda = self._state.agenda
        return DECISIONS[agenda[-1].kind] if agenda else None

    @property
    def choice_count(self) -> int:
        """The number of legal choices; 0 when the game is over. Much faster than `len(choices)`."""
        return len(game.choices(self._state))

    @property
    def choices(self) -> list[Choice]:
        """All legal choices in words; empty when the game is over."""
        words = _board_words(self._state.board).words
        return [_numbered(words[one], at) for at, one in enumerate(game.choices(self._state))]

    def choice(self, index: SupportsIndex) -> Choice:
        """Return one of the legal choices in words; ChoiceRefused if there is no such index."""
        at, offered = operator.index(index), game.choices(self._state)
        if not 0 <= at < len(offered):
            raise ChoiceRefused(f"choice {at} is not one of {len(offered)} choices")
        return _numbered(_board_words(self._state.board).words[offered[at]], at)

    @property
    def codes(self) -> list[Code]:
        """All legal choices in the order of `choices`, as the numbers of the detail `codes`."""
        codes = _board_words(self._state.board).codes
        return [codes[one][:] for one in game.choices(self._state)]

    def play(self, choice: SupportsIndex | Mapping[str, object]) -> None:
        """Play a choice, given by its index or as one of `choices`.

        Raises ChoiceRefused if the choice is not legal; then the game does not change.
        """
        index = choice if type(choice) is int else self._index(choice)
        singles = game.play(self._state, index)
        if self._indices is not None:
            self._indices.append(index)
            if singles:
                self._indices += [0] * singles

    def _index(self, choice: SupportsIndex | Mapping[str, object]) -> int:
        if not isinstance(choice, Mapping):
            return operator.index(choice)
        offered = self.choices
        if choice not in offered:
            raise ChoiceRefused(f"{choice} is not a choice of decision {self._state.decision_id}")
        return offered.index(cast("Choice", choice))

    # -- the position

    def view(self, seat: int | None = None) -> View:
        """Return what a seat may see, by default the seat that must decide.

        This is the first argument of a bot that is a function. Raises IndexError if there is no
        such seat.
        """
        state = self._state
        viewer = self._checked_seat(seat if seat is not None else self.seat or 0)
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

    def _checked_seat(self, seat: int) -> int:
        players = self._state.rules.players
        if not 0 <= seat < players:
            raise IndexError(f"there is no seat {seat}; the seats are 0 to {players - 1}")
        return seat

    def events(self, since: int = 0) -> list[Event]:
        """Return the events of the game, starting with number `since`.

        A copy has no events, and neither has a game from a request.
        """
        events = (self._state.events or ())[since:]
        return [cast("Event", event_words(self._state, event)) for event in events]

    def draw(self) -> str:
        """Return the board and the position as text, to be printed."""
        from referee.terminal.board.plain_text import position_text  # noqa: PLC0415  rich is slow to import

        seen = cast("State", view.see(self._state, 0))
        return position_text(self._state.board.words, seen, self._names())

    def position_key(self) -> bytes:
        """Return a key that is equal for equal positions, and for no others.

        Hidden things, pending decisions, the rules and the number of the turn are parts of a position;
        the choices that led to it, and how many there were, are not.
        """
        return position_key(self._state)

    def __eq__(self, other: object) -> bool:
        """Whether both games are in the same position."""
        if not isinstance(other, Game):
            return NotImplemented
        return self._state is other._state or self.position_key() == other.position_key()

    __hash__ = None  # type: ignore[assignment]  # it changes

    # -- the result

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return not self._state.agenda

    @property
    def reason(self) -> EndReason | None:
        """The reason why the game ended; None before its end."""
        return cast("EndReason | None", END_REASONS[self._state.over] or None)

    @property
    def turn(self) -> int:
        """The number of the current turn, starting at 1; each player's turn counts separately."""
        return self._state.turn

    @property
    def scores(self) -> list[int]:
        """The total of each seat; before the end, as if the game ended now."""
        return [standing.total for standing in game.standings(self._state)]

    @property
    def ranks(self) -> list[int]:
        """The rank of each seat, 1 for the first; seats that tie share a rank."""
        return [standing.rank for standing in game.standings(self._state)]

    @property
    def standings(self) -> list[Standing]:
        """The result of each seat, in the order of seats; before the end, as if the game ended now."""
        from referee.adjudication.faults import Strikes  # noqa: PLC0415  see above
        from referee.adjudication.standings import final_standings  # noqa: PLC0415

        strikes = Strikes(self._state.rules.players)
        results = final_standings(self._state, strikes, self._names())
        return [result.to_dict() for result in results]

    def _names(self) -> list[str]:
        return [f"seat {seat}" for seat in range(self._state.rules.players)]

    # -- what a seat does not know

    def redraw(self, seat: int, seed: int | None = None) -> None:
        """Draw again everything that a seat cannot know; without a seed, at random.

        This is the order of the marker supply, the face-down plates of others and their missions. What
        the seat has seen stays. All deals that agree with it are equally likely: each marker that it
        has not seen is equally likely at each hidden place, whatever the others chose.

        If another seat must place its markers, it has other choices then, perhaps a single one. In a
        finished game nothing is hidden, and nothing is drawn. A game with drawn things cannot be saved.
        Raises IndexError if there is no such seat.
        """
        drawn = _seed_or_random(seed)
        redraw(self._state, self._checked_seat(seat), drawn)
        if not self.over:
            self.seed = drawn
            self._indices = None

    # -- copies and records

    def copy(self, *, view: int | None = None, seed: int | None = None) -> Game:
        """Return an independent game in the same position; it has no events, which makes it fast.

        A plain copy knows everything that is hidden: the marker supply, all plates, all missions. A
        player that searches in it looks at the cards of the others. With `view`, the copy is what this
        seat knows: everything hidden from it is drawn again from `seed`, as by `redraw`.
        """
        indices = None if self._indices is None else self._indices[:]
        copied = self._made(self._state.copy(), self.seed, self._id, indices)
        if view is not None:
            copied.redraw(view, seed)
        return copied

    def __copy__(self) -> Game:
        """An independent game with the same events."""
        copied = self.copy()
        if self._state.events is not None:
            copied._state.events = self._state.events[:]
        return copied

    def __deepcopy__(self, _: object) -> Game:
        """The same: nothing but the board and the rules is shared, and they never change."""
        return self.__copy__()

    def save(self, record: str | Path, names: Sequence[str] | None = None) -> None:
        """Write the record of the game so far, for `referee replay` and `referee verify`.

        `names` are the names of the players, one for each seat; by default `seat 0`, `seat 1` and
        so on. Raises RefereeError if it cannot be written, or if hidden things were drawn: then no
        seed leads to the position.
        """
        from referee.api.save import save_record  # noqa: PLC0415  see above

        if self._indices is None:
            raise RecordRefused(
                "a game whose hidden things were drawn cannot be saved: save the game itself"
            )
        players = names or self._names()
        save_record(record, self._state, self.seed, self.id, self._indices, players)

    def __repr__(self) -> str:
        now = self.reason if self.over else f"seat {self.seat} decides: {self.decision}"
        return f"<Game {self._state.rules.name} seed {self.seed}, turn {self.turn}, {now}>"


def _seed_or_random(seed: int | None) -> int:
    if seed is not None:
        return seed
    from referee.random_play import draw_seed  # noqa: PLC0415  see above

    return draw_seed()


def _game_id(rules_name: str, seed: int) -> str:
    return "game-" + hashlib.sha256(f"{rules_name} {seed}".encode()).hexdigest()[:12]


# -- the choices of a board in words and codes, each made once


class _ByChoice(dict[EngineChoice, T], Generic[T]):
    """What a function makes of each choice; kept if the choice can be offered again."""

    def __init__(self, make: Callable[[EngineChoice], T]) -> None:
        self._make = make

    def __missing__(self, choice: EngineChoice) -> T:
        made = self._make(choice)
        if choice.is_shared:
            self[choice] = made
        return made


class _BoardWords:
    """The choices of one board."""

    def __init__(self, board: EngineBoard) -> None:
        self.words = _ByChoice(lambda choice: choice_words(board, choice))
        self.codes = _ByChoice(choice_code)


@lru_cache(maxsize=_KNOWN_BOARDS)
def _board_words(board: EngineBoard) -> _BoardWords:
    return _BoardWords(board)


def _numbered(words: Mapping[str, object], index: int) -> Choice:
    """A choice of its own for the caller, who may change it."""
    choice = Choice(cast("Mapping[str, ChoiceValue]", words))
    for field, value in choice.items():
        if isinstance(value, dict | list):
            choice[field] = value.copy()
    choice.index = index
    return choice
