"""Searching the log of a recorded game."""

from __future__ import annotations

from referee.replay.position import Viewpoint
from referee.replay.timeline import Timeline


class Search:
    """The steps whose sentences contain `text`; upper and lower case are the same."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self.text = ""
        self._found: list[int] = []
        self._key: tuple[str, int, Viewpoint] | None = None

    def found(self, viewpoint: Viewpoint) -> list[int]:
        """The steps that match, in order; none while the text is empty."""
        key = (self.text, len(self._timeline.steps), viewpoint)
        if key != self._key:
            self._key, self._found = key, self._find(viewpoint)
        return self._found

    def _find(self, viewpoint: Viewpoint) -> list[int]:
        if not self.text:
            return []
        log, wanted = self._timeline.log, self.text.casefold()
        matching = {
            number
            for number, sentence in enumerate(log.sentences)
            if wanted in log.plain_text(sentence).casefold()
        }
        return [
            step
            for step, numbers in enumerate(log.steps)
            if not matching.isdisjoint(viewpoint.readable(self._timeline, numbers))
        ]
