"""`referee replay` without a full screen: the log and a position as text, or as JSON lines."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from rich.text import Text

from referee.match.recorded_request import RecordedRequest
from referee.narration.result import game_title
from referee.replay.json_lines import end_line, game_line, position_line, step_lines
from referee.replay.position import Viewpoint, position_at
from referee.replay.timeline import Timeline
from referee.terminal import Output, note, say, show_json
from referee.terminal.board.picture import show_position
from referee.terminal.game.score_tables import scores_so_far
from referee.terminal.replay.log import LogPage
from referee.terminal.replay.panes import desks_pane
from referee.text import visible

POLL_SECONDS: Final = 0.1


class PlainReplay:
    """Prints steps and positions as text."""

    def __init__(self, timeline: Timeline, viewpoint: Viewpoint) -> None:
        self._timeline = timeline
        self._viewpoint = viewpoint
        self._names = [visible(name) for name in timeline.names]
        self._console = Output(highlight=False)
        self._log = LogPage(timeline, self._console, self._console.width)
        self._begun = False  # whether a line was printed

    def opened(self) -> None:
        """Print the board and rules, then the seed or the seat whose view is shown."""
        timeline = self._timeline
        self._console.print(Text(visible(game_title(timeline.board, timeline.rules)), style="bold"))
        seat, note = self._viewpoint.seat, f"seed {timeline.header.seed}"
        if seat is not None:
            note = f"as seen by {self._names[seat]}, seat {seat}"
        self._console.print(Text(note, style="dim"))
        self._console.print()

    def steps(self, steps: Iterable[int]) -> None:
        """Print the log of these steps."""
        for step in steps:
            named = not self._begun or self._log.begins_turn(step)
            for _, text, is_heading in self._log.lines(step, self._viewpoint):
                margin = Text() if is_heading else self._log.margin(step, named=named)
                self._console.print(margin.append_text(text), soft_wrap=True)
                self._begun, named = True, named and is_heading

    def position(self, step: int) -> None:
        """Print board, desks and score; at the end of an incomplete record, also why it ends."""
        out, timeline = self._console, self._timeline
        position = position_at(timeline, step, self._viewpoint)
        out.print()
        show_position(timeline.board.words, position.seen, self._names, out)
        out.print("", desks_pane(position, self._names, self._viewpoint), "", sep="\n")
        out.print(scores_so_far(position.result, self._viewpoint))
        if step == timeline.last and not timeline.is_complete:
            for sentence in self._viewpoint.closing_sentences(timeline):
                out.print(self._log.sentence(sentence, -1))


class JsonReplay:
    """Prints JSON lines, in ASCII."""

    def __init__(self, timeline: Timeline, viewpoint: Viewpoint) -> None:
        self._timeline = timeline
        self._viewpoint = viewpoint

    def opened(self) -> None:
        """Print the object of the game."""
        show_json(game_line(self._timeline, self._viewpoint))

    def steps(self, steps: Iterable[int]) -> None:
        """Print an object for each of these steps, and for each fault before it."""
        for step in steps:
            for line in step_lines(self._timeline, step, self._viewpoint):
                show_json(line)
        sys.stdout.flush()

    def position(self, step: int) -> None:
        """Print the position after a step; after the last step, also how the record ends."""
        show_json(position_line(self._timeline, step, self._viewpoint))
        if step == self._timeline.last:
            show_json(end_line(self._timeline, self._viewpoint))
        sys.stdout.flush()


def show_request(request: RecordedRequest) -> None:
    """Write the bytes of a request; on a terminal, show them as text."""
    encoding, detail, state = request.message_format
    if request.is_assumed:
        note(
            "the record does not say what the bot's hello asked for;"
            f" this is {encoding}, detail {detail}, state {state}"
        )
    if not sys.stdout.isatty():
        sys.stdout.buffer.write(request.data)
        sys.stdout.buffer.flush()
        return
    say(visible(request.as_json()))
    if encoding == "msgpack":
        note(f"the bot got this as MessagePack, {len(request.data):,} bytes; > FILE writes them")


def show_steps(output: PlainReplay | JsonReplay, first: int, last: int) -> None:
    """Show the log from one step to another, and the position after it."""
    output.opened()
    output.steps(range(first, last + 1))
    output.position(last)


def follow(timeline: Timeline, output: PlainReplay | JsonReplay) -> None:
    """Show steps as they are written, until the game is over; then the position."""
    output.opened()
    shown = 0
    while True:
        output.steps(range(shown, timeline.last + 1))
        shown = timeline.last + 1
        if timeline.is_finished:
            break
        if not timeline.grow():
            time.sleep(POLL_SECONDS)
    output.position(timeline.last)


def wait_for_first_line(path: Path) -> Timeline:
    """Wait until a record that may still be empty has its first line, and return its timeline."""
    timeline = Timeline(path)
    while not timeline.steps:
        if not timeline.grow():
            time.sleep(POLL_SECONDS)
    return timeline
