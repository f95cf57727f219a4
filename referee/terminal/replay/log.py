"""The log of a recorded game in the terminal: the lines of one step, or a page around a step."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from rich.console import Console
from rich.text import Text

from referee.narration.log import TONES as TONE_NAMES
from referee.narration.log import Sentence
from referee.replay.position import Viewpoint
from referee.replay.timeline import Timeline
from referee.terminal.game.log import TONES
from referee.terminal.replay.judgement import MISTAKE, MISTAKE_STYLE
from referee.terminal.seats import seat_text

STYLES: Final = {**TONES, "say": "italic dim", "end": "bold"}
LONGEST_NAME: Final = 14
HERE: Final = "▸"
NARROW: Final = 66  # columns; on a narrower terminal each turn has a heading
INDENT: Final = 3
FOUND: Final = "black on yellow"


class LogLine(NamedTuple):
    """A line of the log, and the step that it belongs to."""

    step: int
    text: Text
    is_heading: bool = False  # of a turn


class LogPage:
    """The log of one game, for a terminal of `width` columns."""

    def __init__(
        self,
        timeline: Timeline,
        console: Console,
        width: int,
        *,
        dense: bool = False,
        mistakes: Collection[int] = (),
    ) -> None:
        self._timeline = timeline
        self._mistakes = mistakes  # the numbers of turns that get a sign
        self._dense = dense  # the sentences of a step share one line
        self._console = console
        self._names = timeline.names
        longest = max(len(name) for name in self._names)
        self._name_width = min(longest, LONGEST_NAME, max(width // 6, 4))
        self._stacked = width < NARROW
        self._margin_width = INDENT if self._stacked else self._name_width + 9
        self._width = width

    # -- sentences

    def sentence(self, sentence: Sentence, active: int) -> Text:
        """Return a sentence in its colours; it names a seat only if that is not the active one."""
        seat, tone_number, *parts = sentence
        tone = TONE_NAMES[int(tone_number)]
        style = STYLES[tone]
        text = Text()
        if isinstance(seat, int) and seat not in (-1, active):
            text.append_text(self._name(seat, "")).append(" ")
        before, after = _around(tone)
        text.append(before, style)
        for part in parts:
            if isinstance(part, int):
                text.append_text(self._name(part, style))
            else:
                text.append(part, style)
        return text.append(after, style)

    def _name(self, colour: int, style: str) -> Text:
        seat: int | str = colour if colour < len(self._names) else "n"
        return seat_text(seat, self._names, most=LONGEST_NAME, style=style)

    # -- lines

    def lines(self, step: int, viewpoint: Viewpoint, found: str = "") -> list[LogLine]:
        """Return the lines of a step without their margin; the text `found` is highlighted."""
        lines = self._folded(step, viewpoint.sentences(self._timeline, step), found)
        if self._stacked and not self._dense and lines and self.begins_turn(step):
            return [LogLine(step, self._turn(step), is_heading=True), *lines]
        return lines

    def closing_lines(self, viewpoint: Viewpoint, found: str = "") -> list[LogLine]:
        """Return the lines after the last step: how the game ended."""
        last = self._timeline.last
        return self._folded(last, viewpoint.closing_sentences(self._timeline), found)

    def _folded(self, step: int, sentences: Sequence[Sentence], found: str) -> list[LogLine]:
        active = self._active(step)
        lines: list[LogLine] = []
        texts = [self.sentence(sentence, active) for sentence in sentences]
        for text in [Text("; ").join(texts)] if self._dense and texts else texts:
            if found:
                text.highlight_regex(re.compile(re.escape(found), re.IGNORECASE), FOUND)
            lines += [LogLine(step, line) for line in self.folded(text, self._margin_width)]
        return lines

    def _active(self, step: int) -> int:
        """The seat whose turn it was."""
        turn = self._timeline.steps[step].turn
        return self._timeline.turns[turn - 1].seat

    def margin(self, step: int, *, named: bool, here: bool = False) -> Text:
        """Return the left margin: with `here` a sign, with `named` the turn and its player."""
        sign = (HERE if here else " ", "bold")
        if self._stacked or not named:
            return Text.assemble(sign, " " * (self._margin_width - 1))
        turn = self._turn(step)
        turn.pad_right(self._margin_width - 1 - turn.cell_len)
        return Text.assemble(sign, turn)

    def _turn(self, step: int) -> Text:
        """The number of a turn, and the name of its player."""
        turn, seat = self._timeline.steps[step].turn, self._active(step)
        name = seat_text(seat, self._names, most=self._name_width)
        sign = (MISTAKE, MISTAKE_STYLE) if turn in self._mistakes else " "
        return Text.assemble((f"{turn:>4}", "dim"), sign, name)

    def begins_turn(self, step: int) -> bool:
        """Whether a step is the first of its turn."""
        steps = self._timeline.steps
        return step == 0 or steps[step].turn != steps[step - 1].turn

    def of_line(self, sentences: Sequence[Sentence], active: int) -> list[Text]:
        """Return the sentences of a turn that was not played, folded and with an empty margin."""
        texts = [self.sentence(sentence, active) for sentence in sentences]
        lines = [line for text in texts for line in self.folded(text, INDENT)]
        return [Text(" " * INDENT).append_text(line) for line in lines]

    def folded(self, text: Text, margin: int = 0) -> list[Text]:
        """Return a text in lines that fit beside a margin."""
        lines = list(text.wrap(self._console, max(self._width - margin, 16)))
        for line in lines:
            line.rstrip()
        return lines

    # -- a page of lines

    def page(
        self, at: int, rows: int, viewpoint: Viewpoint, *, later: int = 0, found: str = ""
    ) -> list[LogLine]:
        """Return at most `rows` lines up to step `at`, then at most `later` lines after it."""
        own = self.lines(at, viewpoint, found)
        lines = [*own, *self._following(at, later, viewpoint, found)]
        while at > 0 and len(lines) < rows:
            at -= 1
            lines = [*self.lines(at, viewpoint, found), *lines]
        return own[:rows] if len(own) > rows else lines[-rows:]

    def _following(self, at: int, most: int, viewpoint: Viewpoint, found: str) -> list[LogLine]:
        """The lines after a step; after the last one, how the game ended."""
        last = self._timeline.last
        if at == last:
            return self.closing_lines(viewpoint, found)
        lines: list[LogLine] = []
        for step in range(at + 1, last + 1):
            if len(lines) >= most:
                break
            lines += self.lines(step, viewpoint, found)
        return lines[:most]

    def with_margins(self, lines: Sequence[LogLine], at: int) -> list[Text]:
        """Return the lines with their margins; the first one always names turn and player."""
        shown: list[Text] = []
        before = marked = None
        for step, text, is_heading in lines:
            named = before is None or (step != before and self.begins_turn(step))
            here = step == at and marked is None and not is_heading
            marked = step if here else marked
            line = (
                text if is_heading else self.margin(step, named=named, here=here).append_text(text)
            )
            if step > at:
                line.stylize("dim")
            shown.append(line)
            before = step
        return shown


def _around(tone: str) -> tuple[str, str]:
    """Return what is written before and after a sentence of this tone."""
    return {"say": ('says "', '"'), "fault": ("✗ ", "")}.get(tone, ("", ""))
