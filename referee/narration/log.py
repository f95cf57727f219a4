"""The log of a game in plain words: every sentence once, and which of them each step tells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeAlias, cast

from referee.adjudication.faults import FaultRecord
from referee.engine.board import Board
from referee.engine.choice import Choice
from referee.engine.serialize import choice_words, event_words
from referee.engine.state import GameState
from referee.engine.terms import NONE
from referee.narration.events import Phrase, Teller, Told, Who
from referee.text import visible

LONGEST_TEXT: Final = 500
TONES: Final = (
    "action", "create", "prestige", "marker", "city", "quiet", "fault", "say", "end",
)  # fmt: skip

# A sentence: who (a colour, or -1), its tone, and its parts; a number is the name of that colour.
Sentence: TypeAlias = tuple[int | str, ...]

# Choices that tell no event of their own.
_SILENT: Final = {
    "move": "moves tradesmen",
    "stop": "stops there",
    "end-turn": "ends the turn",
    "decline": "declines",
}


def shown_text(text: str) -> str:
    """A stranger's text, its length bounded and everything in it visible."""
    short = text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…"
    return visible(short)


def fault_text(fault: FaultRecord) -> str:
    """A recorded fault in a sentence; its message comes from a stranger."""
    cause = replace(fault.cause, message=shown_text(fault.message))
    return replace(fault, cause=cause).describe()


class Tale:
    """Collects what the steps of one game tell."""

    def __init__(self, board: Board, neutral: int) -> None:
        self.sentences: dict[Sentence, int] = {}
        self._board = board
        self._neutral = neutral
        self._teller = Teller(board.words)
        self._heard = 0

    def news(self, state: GameState) -> list[int]:
        """The events since the last time."""
        events = state.events or []
        fresh, self._heard = events[self._heard :], len(events)
        told = [self._teller.tell(event_words(state, event)) for event in fresh]
        return [self._note(one) for one in told if one is not None and one.tone != "fault"]

    def silent(self, seat: int, choice: Choice) -> int:
        """A choice that no event tells of."""
        words = choice_words(self._board, choice)
        said = _SILENT.get(str(words["do"]), str(words["do"]).replace("-", " "))
        if words["do"] == "lift":
            said = f"lifts a tradesman at {self._teller.places.point(words)}"
        return self.add(seat, "quiet", said)

    def add(self, seat: int, tone: str, *said: int | str) -> int:
        """A sentence by its number; the same one is kept once."""
        sentence = (seat, TONES.index(tone), *said)
        return self.sentences.setdefault(sentence, len(self.sentences))

    def _note(self, told: Told) -> int:
        seat = NONE if told.seat is None else self._colour(told.seat)
        return self.add(seat, told.tone, *self._parts(told.phrase))

    def _parts(self, phrase: Phrase) -> Sequence[int | str]:
        said: list[int | str] = []
        for part in phrase:
            if isinstance(part, Who):
                said.append(self._colour(part.seat))
                said += ["'s"] if part.whose else []
            else:
                said.append(part)
        return said

    def _colour(self, seat: int | str) -> int:
        return self._neutral if seat == "n" else cast("int", seat)
