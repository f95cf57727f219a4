"""Searching the log: the steps that tell of something."""

from __future__ import annotations

from collections.abc import Sequence

from referee.narration.log import Sentence
from referee.replay.timeline import Timeline
from referee.text import visible


def plain(sentence: Sentence, names: Sequence[str]) -> str:
    """A sentence with the names of those it is about; without colours it is all there is."""
    seat, _, *parts = sentence
    who = [] if seat == -1 else [f"{_name(seat, names)} "]
    return "".join(
        [*who, *(_name(part, names) if isinstance(part, int) else part for part in parts)]
    )


def _name(seat: int | str, names: Sequence[str]) -> str:
    return visible(names[seat]) if isinstance(seat, int) and seat < len(names) else "neutral"


class Search:
    """What is looked for, and the steps that tell of it."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self.text = ""
        self._found: list[int] = []
        self._key: tuple[str, int, int | None] | None = None

    def found(self, eyes: int | None) -> list[int]:
        """The steps with a sentence that has the text in it, small and large letters alike."""
        key = (self.text, len(self._timeline.steps), eyes)
        if key != self._key:
            self._key, self._found = key, self._look(eyes)
        return self._found

    def _look(self, eyes: int | None) -> list[int]:
        if not self.text:
            return []
        tellings, names = self._timeline.tellings, self._timeline.names
        wanted = self.text.casefold()
        fits = {
            number
            for number, sentence in enumerate(tellings.sentences)
            if wanted in plain(sentence, names).casefold()
        }
        return [
            step
            for step, one in enumerate(self._timeline.steps)
            if not fits.isdisjoint(tellings.heard(one.told, eyes))
        ]
