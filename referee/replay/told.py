"""What the steps of a game tell, and how much of it one seat hears."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from referee.adjudication.faults import FaultRecord
from referee.engine.board import Board
from referee.engine.choice import Choice
from referee.engine.state import GameState
from referee.engine.terms import NONE
from referee.narration.log import TONES, Sentence, Tale, fault_text, shown_text

Numbers: TypeAlias = tuple[int, ...]


class Tellings:
    """Sentences by their numbers. Remarks and faults are heard by the seat that they are of alone."""

    def __init__(self, board: Board, neutral: int) -> None:
        self._tale = Tale(board, neutral)
        self._sentences: list[Sentence] = []
        self._public: dict[int, int | None] = {}  # what all others hear in place of a sentence

    @property
    def sentences(self) -> Sequence[Sentence]:
        """Every sentence once, by number."""
        if len(self._sentences) < len(self._tale.sentences):
            self._sentences = list(self._tale.sentences)
        return self._sentences

    def news(self, state: GameState, seat: int, choice: Choice | None, say: str | None) -> Numbers:
        """What happened since the last time, after a remark if one was made."""
        remark = () if say is None else (self._private(seat, "say", shown_text(say), None),)
        news = self._tale.news(state)
        if not news and choice is not None:
            news = [self._tale.silent(seat, choice)]
        return (*remark, *news)

    def fault(self, fault: FaultRecord) -> int:
        """A fault; others hear of it if it ends the seat's part in the game."""
        seat, public = fault.seat, None
        if fault.disqualified:
            public = self._tale.add(seat, "fault", f"is disqualified ({fault.fault})")
        return self._private(seat, "fault", fault_text(fault), public)

    def _private(self, seat: int, tone: str, said: str, public: int | None) -> int:
        number = self._tale.add(seat, tone, said)
        self._public[number] = public
        return number

    def heard(self, numbers: Numbers, eyes: int | None) -> Numbers:
        """As much of these sentences as a seat hears; None hears everything."""
        if eyes is None:
            return numbers
        return tuple(
            other for number in numbers if (other := self._heard(number, eyes)) is not None
        )

    def _heard(self, number: int, eyes: int) -> int | None:
        if number not in self._public or self.sentences[number][0] == eyes:
            return number
        return self._public[number]


def remark(tone: str, said: str) -> Sentence:
    """A sentence about the record, of no seat."""
    return (NONE, TONES.index(tone), said)
