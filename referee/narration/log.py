"""The log of a recorded game: the sentences of each step, and which seat may read them.

Each sentence is kept once and has a number. A remark or a fault has an owner: only that seat may
read the sentence. Code that shows the log asks `referee.replay.position` what may be shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeAlias, cast

from referee.adjudication.faults import FaultRecord
from referee.engine import game
from referee.engine.board import Board
from referee.engine.choice import Choice
from referee.engine.serialize import choice_words, event_words
from referee.engine.state import GameState
from referee.engine.terms import NONE
from referee.narration.events import EventNarrator, Phrase, SeatName, Statement
from referee.text import visible

LONGEST_TEXT: Final = 500
TONES: Final = (
    "action", "create", "prestige", "marker", "city", "quiet", "fault", "say", "end",
)  # fmt: skip

# A sentence: the colour that acts (or -1), the index of its tone, and its parts.
# A part that is a number stands for the name of that colour.
Sentence: TypeAlias = tuple[int | str, ...]
Numbers: TypeAlias = tuple[int, ...]

# Choices that cause no event of their own.
_WITHOUT_EVENT: Final = {
    "move": "moves tradesmen",
    "stop": "stops there",
    "end-turn": "ends the turn",
    "decline": "declines",
}


def shown_text(text: str) -> str:
    """A bot's text for people: cut to LONGEST_TEXT, with control characters made visible."""
    return visible(text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…")


def fault_text(fault: FaultRecord) -> str:
    """A recorded fault as a sentence; its message may come from a bot, so it is made visible and cut."""
    cause = replace(fault.cause, message=shown_text(fault.message))
    return replace(fault, cause=cause).describe()


def narrated(state: GameState, trail: Iterable[tuple[int, int]], names: Sequence[str]) -> list[str]:
    """A sentence for each choice of a trail (pairs of a seat and an index), played from a position."""
    log = GameLog(state.board, state.neutral, names)
    for _ in played_out(state, trail, log):
        pass
    return [log.step_text(step) for step in range(len(log.steps))]


def played_out(
    state: GameState, trail: Iterable[tuple[int, int]], log: GameLog
) -> Iterator[GameState]:
    """Play a trail from a position; add each choice to an empty log, and yield the position after it.

    It is always the same object, and it has all events of the trail. Raises ChoiceRefused if a choice
    is not legal.
    """
    played = state.copy()
    played.events = []
    for seat, index in trail:
        options = game.choices(played)
        choice = options[index] if 0 <= index < len(options) else None
        game.apply(played, index)
        log.add_step(played, seat, choice)
        yield played


def record_sentence(tone: str, text: str) -> Sentence:
    """A sentence about the record itself, not about a seat."""
    return (NONE, TONES.index(tone), text)


class GameLog:
    """The sentences of a game, step by step. Step 0 is the set-up."""

    def __init__(self, board: Board, neutral: int, names: Sequence[str]) -> None:
        self.sentences: list[Sentence] = []
        self.steps: list[Numbers] = []  # the sentences of each step
        self.waiting: Numbers = ()  # faults and hints that belong to the next step
        self._numbers: dict[Sentence, int] = {}
        self._owners: dict[int, int] = {}
        self._for_others: dict[int, int] = {}
        self._board = board
        self._neutral = neutral
        self._names = [visible(name) for name in names]
        self._narrator = EventNarrator(board.words)
        self._event_count = 0  # events that are in the log

    # -- reading

    def owner(self, number: int) -> int | None:
        """The only seat that may read a sentence; None if every seat may."""
        return self._owners.get(number)

    def is_remark(self, number: int) -> bool:
        """Whether a sentence is what a seat said."""
        return TONES[cast("int", self.sentences[number][1])] == "say"

    def for_others(self, number: int) -> int | None:
        """The sentence that other seats read in place of a private one, if there is any."""
        return self._for_others.get(number)

    def plain_text(self, sentence: Sentence) -> str:
        """A sentence as text, with the name of the seat that acts."""
        seat, _, *parts = sentence
        who = [] if seat == NONE else [f"{self._name(seat)} "]
        return "".join(
            [*who, *(self._name(part) if isinstance(part, int) else part for part in parts)]
        )

    def step_text(self, step: int) -> str:
        """Everything public that happened in a step, as one sentence; what goes without saying is left out."""
        public = [self.sentences[one] for one in self.steps[step] if self.owner(one) is None]
        loud = [one for one in public if TONES[cast("int", one[1])] != "quiet"] or public
        text, seat = "", None
        for one in loud:
            said = self.plain_text(one)
            is_same = seat == one[0] != NONE
            text += f", {said.removeprefix(self._name(one[0]) + ' ')}" if is_same else f"; {said}"
            seat = one[0]
        return text.removeprefix("; ")

    def _name(self, colour: int | str) -> str:
        is_seat = isinstance(colour, int) and colour < len(self._names)
        return self._names[cast("int", colour)] if is_seat else "neutral"

    # -- writing

    def add_fault(self, fault: FaultRecord) -> None:
        """Add a fault to the next step. Other seats only learn of it if it disqualifies the seat."""
        number = self._add_private(fault.seat, "fault", fault_text(fault))
        if fault.disqualified:
            self._for_others[number] = self._add(
                fault.seat, "fault", f"is disqualified ({fault.fault})"
            )
        self.waiting = (*self.waiting, number)

    def add_hint(self, seat: int) -> None:
        """Add to the next step that the seat asked for a hint; everybody may know it."""
        self.waiting = (*self.waiting, self._add(seat, "quiet", "asked for a hint"))

    def add_step(
        self,
        state: GameState,
        seat: int = NONE,
        choice: Choice | None = None,
        remark: str | None = None,
    ) -> None:
        """Add a step: waiting faults and hints, the seat's remark, and the events since the step before.

        A choice that caused no event is described by a sentence of its own.
        """
        remarks = () if remark is None else (self._add_private(seat, "say", shown_text(remark)),)
        events = self._new_events(state)
        if not events and choice is not None:
            events = [self._add_choice(seat, choice)]
        self.steps.append((*self.waiting, *remarks, *events))
        self.waiting = ()

    def _new_events(self, state: GameState) -> list[int]:
        events = state.events or []
        new, self._event_count = events[self._event_count :], len(events)
        statements = [self._narrator.narrate(event_words(state, event)) for event in new]
        # A disqualification is in the log already, as a fault.
        return [
            self._add_statement(statement)
            for statement in statements
            if statement and statement.tone != "fault"
        ]

    def _add_choice(self, seat: int, choice: Choice) -> int:
        words = choice_words(self._board, choice)
        text = _WITHOUT_EVENT.get(str(words["do"]), str(words["do"]).replace("-", " "))
        if words["do"] == "lift":
            text = f"lifts a tradesman at {self._narrator.places.point(words)}"
        return self._add(seat, "quiet", text)

    def _add_statement(self, statement: Statement) -> int:
        seat = NONE if statement.seat is None else self._colour(statement.seat)
        return self._add(seat, statement.tone, *self._parts(statement.phrase))

    def _parts(self, phrase: Phrase) -> Sequence[int | str]:
        parts: list[int | str] = []
        for part in phrase:
            if isinstance(part, SeatName):
                parts.append(self._colour(part.seat))
                parts += ["'s"] if part.possessive else []
            else:
                parts.append(part)
        return parts

    def _colour(self, seat: int | str) -> int:
        return self._neutral if seat == "n" else cast("int", seat)

    def _add_private(self, seat: int, tone: str, text: str) -> int:
        number = self._add(seat, tone, text)
        self._owners[number] = seat
        return number

    def _add(self, seat: int, tone: str, *parts: int | str) -> int:
        """Add a sentence unless the log has it already; return its number."""
        sentence = (seat, TONES.index(tone), *parts)
        number = self._numbers.setdefault(sentence, len(self.sentences))
        if number == len(self.sentences):
            self.sentences.append(sentence)
        return number
