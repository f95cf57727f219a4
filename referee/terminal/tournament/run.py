"""What `referee tournament` shows: a live screen, progress lines, JSON lines, or only the result."""

from __future__ import annotations

import json
import sys
import time
from collections import deque
from collections.abc import Collection, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from rich.text import Text

from referee.terminal import Output, say
from referee.terminal.full_screen.raw_terminal import RawTerminal, can_be_taken, can_be_watched
from referee.terminal.full_screen.rows import RowRenderer
from referee.terminal.tournament.lines import (
    closing_lines,
    final_lines,
    one_line,
    opening_lines,
    progress_line,
    share_done,
)
from referee.terminal.tournament.live import STOPPING, LiveFrame, Result, Size, draw_frame
from referee.terminal.tournament.live_view import LiveView
from referee.terminal.tournament.plan import plan_lines
from referee.text import plural, visible
from referee.tournament.coordinator import Progress
from referee.tournament.forecast import Forecast
from referee.tournament.live_ratings import LiveRatings
from referee.tournament.secret import Closing
from referee.tournament.summary import RunOverview, Summary, block_to_dict, played_to_dict
from referee.tournament.workers.messages import Played
from referee.tournament.workers.pool import Lost

LINE_EVERY_S: Final = 30.0
LINE_EVERY_SHARE: Final = 0.1
FRAME_EVERY_S: Final = 0.25
FRAME_PAUSE_FACTOR: Final = 20  # times the drawing time: frames take at most a twentieth of a run
KEPT_RESULTS: Final = 200  # for the live screen


class RunDisplay:
    """A way to show a run; each method shows nothing unless it is overridden."""

    def opened(self, overview: RunOverview) -> None:
        """Show that the run begins."""

    def progressed(self, progress: Progress) -> None:
        """Show the progress; called several times a second."""

    def finished(self, played: Played) -> None:
        """Show that a block is finished."""

    def lost(self, lost: Lost) -> None:
        """Show that a worker ended before its block did."""

    def disqualified(self, bot: str, why: str) -> None:
        """Show that a bot is disqualified."""

    def dropped(self, blocks: Collection[str]) -> None:
        """Show that finished blocks do not count any more."""

    def closed(self) -> None:
        """End the display, however the run ended."""

    def ended(self, overview: RunOverview, summary: Summary) -> None:
        """Show the result of the run."""


class PlainRunDisplay(RunDisplay):
    """Lines for a pipe or a log file: what is played, progress from time to time, and the final table."""

    def __init__(self, standings: LiveRatings, console: Output | None = None) -> None:
        self._out = console or Output(highlight=False)
        self._standings = standings
        self._printed_at = time.monotonic()
        self._printed_share = 0.0
        self._announced_stop = False

    def opened(self, overview: RunOverview) -> None:
        """Print what the run plays."""
        for line in opening_lines(overview):
            self._out.print(line, soft_wrap=True)

    def progressed(self, progress: Progress) -> None:
        """Print a line after every tenth of the run, and at least every half a minute."""
        if progress.stopping and not self._announced_stop:
            self._announced_stop = True
            self._out.print(Text(STOPPING, style="yellow"))
        now, share = time.monotonic(), share_done(progress)
        is_time = now - self._printed_at >= LINE_EVERY_S
        if progress.new_games and (is_time or share >= self._printed_share + LINE_EVERY_SHARE):
            self._printed_at, self._printed_share = now, share
            self._out.print(progress_line(progress, self._standings.latest(), now), soft_wrap=True)

    def lost(self, lost: Lost) -> None:
        """Print a line for a block that is played again."""
        self._out.print(lost_line(lost), soft_wrap=True)

    def disqualified(self, bot: str, why: str) -> None:
        """Print a line for a disqualified bot."""
        self._out.print(Text(visible(f"{bot} is disqualified: {why}"), style="red"), soft_wrap=True)

    def dropped(self, blocks: Collection[str]) -> None:
        """Print how many finished blocks do not count."""
        line = f"not counted, because not in the new schedule: {plural(len(blocks), 'block')}"
        self._out.print(Text(line, style="yellow"), soft_wrap=True)

    def ended(self, overview: RunOverview, summary: Summary) -> None:
        """Print the table, and the next commands."""
        show_final_lines(overview, summary, self._out)


class LiveRunDisplay(PlainRunDisplay):
    """A live screen with keys; after it, the final table."""

    def __init__(
        self,
        standings: LiveRatings,
        console: Output | None = None,
        terminal: RawTerminal | None = None,
    ) -> None:
        super().__init__(standings, console)
        # No thread: a process with threads should not start worker processes.
        self._terminal = terminal or RawTerminal(encoding=self._out.encoding)
        self._screen = ExitStack()  # restores the terminal
        self._rows = RowRenderer(self._out)
        self._view = LiveView()
        self._records: Path | None = None
        self._results: deque[Result] = deque(maxlen=KEPT_RESULTS)
        self._next_frame = 0.0
        self._last_fault: str | None = None
        self._unprinted: list[Text] = []

    def opened(self, overview: RunOverview) -> None:
        """Print what is played, and start the screen."""
        super().opened(overview)
        self._records = overview.records
        self._screen.enter_context(self._terminal)

    def progressed(self, progress: Progress) -> None:
        """Follow the keys, and draw a frame if a key was pressed or the last frame is old enough."""
        keys = self._terminal.wait(0)
        for key in keys:
            self._view.press(key)
        now = time.monotonic()
        if not keys and now < self._next_frame:
            return
        content = LiveFrame(
            progress,
            self._standings.latest(),
            now,
            last_fault=self._last_fault,
            test=progress.test,
            view=self._view,
            by_table=self._standings.by_table() if self._view.view == "tables" else {},
            results=list(self._results),
            records=self._records,
        )
        size, began = Size(*self._terminal.size()), time.monotonic()
        self._terminal.draw(draw_frame(content, size, self._rows))
        ended = time.monotonic()
        self._next_frame = ended + max(FRAME_EVERY_S, FRAME_PAUSE_FACTOR * (ended - began))

    def finished(self, played: Played) -> None:
        """Remember the results and the last fault, for the next frame."""
        for game in played.games:
            self._results.appendleft(Result(played.block.table, played.block.id, game))
            for fault in game.faults[-1:]:
                who = game.seats[fault.seat].bot if game.seats else f"seat {fault.seat}"
                self._last_fault = f"{who}, {fault.message} ({fault.fault})"

    def lost(self, lost: Lost) -> None:
        """Remember the line, which is printed after the screen."""
        self._unprinted.append(lost_line(lost))

    def disqualified(self, bot: str, why: str) -> None:
        """Print nothing: the next frame shows it."""

    def dropped(self, blocks: Collection[str]) -> None:
        """Print nothing: the next frame counts without them."""

    def closed(self) -> None:
        """Restore the terminal, and print what would have disturbed the screen."""
        self._screen.close()
        while self._unprinted:
            self._out.print(self._unprinted.pop(0), soft_wrap=True)


def lost_line(lost: Lost) -> Text:
    """Return a line that says that a block is played again, and why."""
    again = f"block {lost.block.id} is played again: {lost.message.splitlines()[0]}"
    return Text(visible(again), style="yellow")


class JsonRunDisplay(RunDisplay):
    """JSON lines, for other programs."""

    def __init__(self) -> None:
        self._announced_stop = False

    def opened(self, overview: RunOverview) -> None:
        """Print the first object: what is played."""
        _print({"event": "begin", **overview.to_dict()})

    def finished(self, played: Played) -> None:
        """Print an object for each block."""
        _print({"event": "block", **played_to_dict(played)})

    def lost(self, lost: Lost) -> None:
        """Print an object for a worker that ended."""
        _print({"event": "lost", "block": lost.block.id, "message": lost.message})

    def disqualified(self, bot: str, why: str) -> None:
        """Print an object for a disqualified bot."""
        _print({"event": "disqualified", "bot": bot, "why": why})

    def dropped(self, blocks: Collection[str]) -> None:
        """Print an object with the finished blocks that do not count any more."""
        _print({"event": "dropped", "blocks": [*blocks]})

    def progressed(self, progress: Progress) -> None:
        """Print an object when the run was interrupted."""
        if progress.stopping and not self._announced_stop:
            self._announced_stop = True
            _print({"event": "stopping"})

    def ended(self, overview: RunOverview, summary: Summary) -> None:
        """Print the last object: the result."""
        _print({"event": "end", "folder": str(overview.folder), **summary.to_dict()})


def _print(fields: Mapping[str, object]) -> None:
    """Print an object in ASCII, so that it cannot contain terminal control codes."""
    sys.stdout.write(json.dumps(fields) + "\n")
    sys.stdout.flush()


class QuietRunDisplay(RunDisplay):
    """Prints only the result, in one line."""

    def ended(self, overview: RunOverview, summary: Summary) -> None:
        """Print the result in one line."""
        say(one_line(overview, summary))


def show_final_lines(
    overview: RunOverview, summary: Summary, console: Output | None = None
) -> None:
    """Print the table, how the run ended, and the next commands."""
    out = console or Output(highlight=False)
    for part in final_lines(overview, summary, out.width):
        out.print(part, soft_wrap=isinstance(part, Text) and bool(part.no_wrap))


def is_live() -> bool:
    """Return whether a live screen is possible: on a terminal with keys, in the foreground."""
    return can_be_watched() and can_be_taken()


# -- closing


def show_closing(folder: Path, closing: Closing, seeds: Mapping[str, int]) -> None:
    """Print that the tournament is closed, its secret, and where the seeds are."""
    out = Output(highlight=False)
    for line in closing_lines(folder, closing, len(seeds)):
        out.print(line, soft_wrap=True)


def show_closing_as_json(folder: Path, closing: Closing, seeds: Mapping[str, int]) -> None:
    """Print one object with the secret and the seed of every block."""
    fields = {"folder": str(folder), "at": closing.at, "secret": closing.secret}
    _print({"event": "closed", **fields, "seeds": dict(seeds)})


# -- what would be played


def show_plan(overview: RunOverview, forecast: Forecast) -> None:
    """Print the plan in a few lines, with its next blocks."""
    out = Output(highlight=False)
    for line in plan_lines(overview, forecast):
        out.print(line, soft_wrap=True)


def show_plan_as_json(overview: RunOverview, forecast: Forecast) -> None:
    """Print one object for the plan, then one for each block that remains."""
    planned = overview.planned
    _print(
        {
            "event": "plan",
            **overview.to_dict(),
            **forecast.to_dict(),
            "retired": planned.retired,
            "refusals": planned.refusals,
        }
    )
    for block in forecast.blocks:
        _print({"event": "block", **block_to_dict(block)})
