"""What `referee tournament` shows: a live screen, progress lines, JSON lines, or only the result."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

from rich.live import Live
from rich.text import Text

from referee.terminal import Output, say
from referee.terminal.tournament.lines import (
    closing_lines,
    final_lines,
    one_line,
    opening_lines,
    progress_line,
    share_done,
)
from referee.terminal.tournament.live import STOPPING, LiveFrame, Size, frame
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
        again = f"block {lost.block.id} is played again: {lost.message.splitlines()[0]}"
        self._out.print(Text(visible(again), style="yellow"), soft_wrap=True)

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
    """A live screen, replaced by the final table at the end."""

    def __init__(self, standings: LiveRatings, console: Output | None = None) -> None:
        super().__init__(standings, console)
        # No refresh thread: a process with threads should not start worker processes.
        self._live = Live(console=self._out, auto_refresh=False, transient=True)
        self._drawn = 0.0
        self._all_orders = False
        self._last_fault: str | None = None

    def opened(self, overview: RunOverview) -> None:
        """Print what is played, and start the screen."""
        super().opened(overview)
        self._all_orders = overview.planned.options.all_orders
        self._live.start()

    def progressed(self, progress: Progress) -> None:
        """Draw a new frame, if the last one is old enough."""
        now = time.monotonic()
        if now - self._drawn < FRAME_EVERY_S:
            return
        self._drawn = now
        ratings = self._standings.latest()
        content = LiveFrame(
            progress, ratings, now, self._all_orders, self._last_fault, progress.test
        )
        size = Size(self._out.width, self._out.height)
        self._live.update(frame(content, size), refresh=True)

    def finished(self, played: Played) -> None:
        """Remember the last fault, for the next frame."""
        for game in played.games:
            for fault in game.faults[-1:]:
                who = game.seats[fault.seat].bot if game.seats else f"seat {fault.seat}"
                self._last_fault = f"{who}, {fault.message} ({fault.fault})"

    def disqualified(self, bot: str, why: str) -> None:
        """Print nothing: the next frame shows it."""

    def dropped(self, blocks: Collection[str]) -> None:
        """Print nothing: the next frame counts without them."""

    def closed(self) -> None:
        """Remove the screen from the terminal."""
        self._live.stop()


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
    """Return whether the output is a terminal that can show a live screen."""
    console = Output()
    return console.is_terminal and not console.is_dumb_terminal


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
