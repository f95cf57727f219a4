"""`referee replay` on a terminal: one step fills the screen, whatever its size."""

from __future__ import annotations

import gc
import time
from collections.abc import Sequence
from typing import Final

from rich.console import Console, RenderableType
from rich.segment import Segment
from rich.text import Text

from referee.analysis.shown import LineStep, RecordAnalysis
from referee.engine.terms import DECISIONS
from referee.replay.controller import ReplayController
from referee.replay.highlights import Highlights, highlights_in, highlights_of
from referee.replay.position import Position, Viewpoint, position_at, position_of
from referee.replay.timeline import Timeline
from referee.terminal.board.animated import AnimatedBoard, HighlightingWriter, Line, Size, shape_for
from referee.terminal.board.pieces import TradesmanWriter
from referee.terminal.full_screen.raw_terminal import RawTerminal
from referee.terminal.full_screen.rows import RowRenderer
from referee.terminal.game.score_tables import scores_so_far
from referee.terminal.replay.judgement import graph_pane, line_sentences, mistake_text
from referee.terminal.replay.log import LogPage
from referee.terminal.replay.panes import (
    desks_pane,
    desks_strip,
    help_pane,
    next_text,
    score_line,
)
from referee.text import visible

SMALLEST: Final = (40, 12)
SIDE: Final = (50, 64)  # columns beside the board: at least, at most
SIDE_PART: Final = 0.38
WIDE: Final = 76 + SIDE[0]
LOG_AT_LEAST: Final = 12  # rows, beside the board
HIGH: Final = 30  # rows from which on desks and log are beside the board
TALL: Final = 32  # rows from which on every desk has a line
DENSE: Final = 3  # a log of at most this many rows puts a step into one line
POLL_SECONDS: Final = 0.4  # between checks of a record that is still being written
HINTS: Final = ("←→ step", "↑↓ turn", "space play", "/ search", "tab desks…", "? help", "q quit")
SCROLL_HINT: Final = "jk scroll"


def watch(timeline: Timeline, viewpoint: Viewpoint, console: Console | None = None) -> None:
    """Show a game on the terminal and follow the keys, until q is pressed."""
    console = console or Console(highlight=False)
    analysis = RecordAnalysis(timeline)
    controller = ReplayController(timeline, viewpoint, analysis)
    screen = Screen(controller, console, analysis)
    gc.freeze()  # the record stays in memory: the garbage collector need not look at it again
    with RawTerminal(encoding=console.encoding or "utf-8") as terminal:
        before = time.monotonic()
        while not controller.has_quit:
            terminal.draw(screen.frame(terminal.size()))
            for key in terminal.wait(_seconds_to_wait(controller)):
                controller.press(key)
            now = time.monotonic()
            controller.pass_time(now - before)
            before = now
            _follow_growth(controller)


def _seconds_to_wait(controller: ReplayController) -> float | None:
    waits = [
        controller.seconds_to_next_step(),
        None if controller.timeline.is_finished else POLL_SECONDS,
    ]
    return min((wait for wait in waits if wait is not None), default=None)


def _follow_growth(controller: ReplayController) -> None:
    last = controller.timeline.last
    if not controller.timeline.is_finished and controller.timeline.grow():
        controller.on_growth(last)


class Screen:
    """Draws what a controller shows."""

    def __init__(
        self,
        controller: ReplayController,
        console: Console,
        analysis: RecordAnalysis | None = None,
    ) -> None:
        self._controller = controller
        self._analysis = analysis or RecordAnalysis(controller.timeline)
        self._timeline = controller.timeline
        self._names = [visible(name) for name in controller.timeline.names]
        self._rows = RowRenderer(console)
        self._ascii_only, self._colours = self._rows.ascii_only, self._rows.colours
        self._tradesmen = TradesmanWriter(colours=self._colours, ascii_only=self._ascii_only)
        self._boards: dict[Size, AnimatedBoard] = {}
        self._cropped = False  # only a part of the board is shown

    def frame(self, size: Size) -> list[str]:
        """Return every row of the screen as text with escape sequences; `size` is columns and rows."""
        return self._rows.rows(self._lines(*size), size)

    # -- the parts

    def _lines(self, columns: int, rows: int) -> list[Line]:
        if columns < SMALLEST[0] or rows < SMALLEST[1]:
            small = f"too small: make it at least {SMALLEST[0]}x{SMALLEST[1]}"
            return self._rendered(Text(small), columns)
        position = self._position()
        height = rows - 2
        if self._controller.shows_help:
            middle = self._scrolled(
                self._rendered(
                    help_pane(self._timeline.board.words, self._colours, self._ascii_only), columns
                ),
                height,
            )
        elif columns >= WIDE and rows >= HIGH:
            middle = self._wide(position, columns, height)
        else:
            middle = self._narrow(position, columns, height)
        top, bottom = self._title(position, columns), self._status(columns)
        return [self._line(top), *_filled(middle, height), self._line(bottom)]

    def _better(self) -> list[LineStep]:
        """The steps of the better turn that are shown; none while the game is shown."""
        controller = self._controller
        line = self._analysis.line(controller.viewpoint, controller.at)
        return line[: controller.better or 0]

    def _position(self) -> Position:
        """The position of the step, or of the better turn."""
        timeline, at, viewpoint = self._timeline, self._controller.at, self._controller.viewpoint
        if line := self._better():
            return position_of(timeline, at, line[-1].state, viewpoint)
        turn = self._analysis.mistake_at(viewpoint, at)
        is_before = self._controller.better is not None and turn is not None
        return position_at(timeline, turn.first_step if turn and is_before else at, viewpoint)

    def _highlights(self) -> Highlights:
        """The places that the step changed, or all choices of the better turn."""
        if self._controller.better is None:
            return highlights_of(self._timeline, self._controller.at)
        events = [event for step in self._better() for event in step.events]
        return highlights_in(self._timeline.newest_state, events)

    def _rendered(self, renderable: RenderableType, columns: int) -> list[Line]:
        return self._rows.lines(renderable, columns)

    def _line(self, text: Text) -> Line:
        return self._rows.line(text)

    def _title(self, position: Position, columns: int) -> Text:
        """The step, whose turn it is, and how the decision was made."""
        timeline, at = self._timeline, self._controller.at
        more = "" if timeline.is_finished else "…"
        left = Text.assemble(
            (f"{at}", "bold"),
            (f" of {timeline.last}{more}", "dim"),
            ("  turn ", "dim"),
            (f"{position.state.turn}  ", "bold"),
        )
        if self._controller.better is not None:
            length = self._analysis.line_length(self._controller.viewpoint, at)
            left.append(f"better turn {self._controller.better}/{length}  ", "bold yellow")
        left.append_text(next_text(position, self._names, self._tradesmen))
        right = Text(self._decision_text(), style="dim")
        return _both_ends(left, right, columns)

    def _decision_text(self) -> str:
        controller = self._controller
        if controller.better is not None:
            return "not played"
        step = self._timeline.steps[controller.at]
        if step.choice is None:
            return "the set-up" if controller.at == 0 else ""
        kind = DECISIONS[step.kind].replace("-", " ")
        if not controller.viewpoint.sees_answer(step):
            return kind
        if step.by == "single":
            return f"{kind}, the only choice"
        how = "chosen by the referee" if step.by == "referee" else f"{step.ms:.1f} ms"
        return f"{kind}, choice {step.picked} of 0 to {step.offered - 1}, {how}"

    def _status(self, columns: int) -> Text:
        controller = self._controller
        if controller.prompt is not None:
            question = "search" if controller.prompt == "search" else f"go to {controller.prompt}"
            text = Text.assemble(
                (f"{question}: ", "bold"), visible(controller.typed), ("_", "blink")
            )
        elif controller.notice:
            text = Text(controller.notice, style="yellow")
        elif controller.playing:
            text = Text(f"▶ {controller.speed:g} a second   space pause   + - speed", style="bold")
        elif (mistake := self._mistake()) is not None:
            text = mistake
        else:
            text = Text(self._hints(columns), style="dim")
        right = Text()
        if controller.viewpoint.seat is not None:
            name = self._names[controller.viewpoint.seat]
            right = Text.assemble(("as seen by ", "dim"), (name, "bold"))
        return _both_ends(text, right, columns)

    def _mistake(self) -> Text | None:
        """The mistake that begins here, and the key that shows the better turn."""
        controller = self._controller
        turn = self._analysis.mistake_at(controller.viewpoint, controller.at)
        if turn is None or (controller.at != turn.first_step and controller.better is None):
            return None
        hint = "a better" if controller.better is None else "a back"
        return mistake_text(turn, self._names).append(f"   {hint}   w next", "dim")

    def _hints(self, columns: int) -> str:
        """The most useful keys, as many as fit; always the last two."""
        hints = list(HINTS)
        if self._cropped and self._controller.pane == "board":
            hints.insert(2, SCROLL_HINT)
        while len(hints) > 2 and len("  ".join(hints)) > columns:
            del hints[-3]
        return "  ".join(hints)

    def _narrow(self, position: Position, columns: int, rows: int) -> list[Line]:
        """One pane, the log below it, and between them one line for all seats or for each of them."""
        if self._controller.pane == "log":
            return self._log_pane(columns, rows)
        controller = self._controller
        seats: RenderableType = score_line(
            position, self._names, self._tradesmen, controller.player, columns
        )
        tall = rows >= TALL
        if tall and controller.pane == "board":
            seats = desks_strip(position, self._names, self._tradesmen, controller.player)
        strip = self._rendered(seats, columns)[: len(self._names) + 1 if tall else 1]
        tail = 6 if rows >= 40 else 5 if tall else 3
        height = rows - len(strip) - tail
        if controller.pane == "board":
            pane = self._board(position, columns, height)
        else:
            pane = self._scrolled(self._rendered(self._table(position, columns), columns), height)
        spare = height - len(pane)
        return [*pane, *strip, *self._log(columns, tail + max(spare, 0))]

    def _wide(self, position: Position, columns: int, rows: int) -> list[Line]:
        """The board on the left; on the right the desks or the score, and the log below."""
        wanted = min(max(int(columns * SIDE_PART), SIDE[0]), SIDE[1])
        board = self._board(position, columns - wanted - 1, rows)
        width = max(sum(segment.cell_length for segment in line) for line in board)
        side = columns - width - 1
        if self._controller.pane == "log":
            right = self._log_pane(side, rows)
        else:
            upper = self._rendered(self._table(position, side), side)
            upper = [*self._scrolled(upper, rows - LOG_AT_LEAST), []]
            right = [*upper, *self._log(side, rows - len(upper))]
        return [
            [*Segment.adjust_line_length(left_line, width + 1), *right_line]
            for left_line, right_line in zip(
                _filled(board, rows), _filled(right, rows), strict=True
            )
        ]

    def _table(self, position: Position, columns: int) -> RenderableType:
        seen = self._analysis.seen(self._controller.viewpoint)
        if self._controller.pane == "graph" and seen is not None:
            return graph_pane(seen, self._names, self._controller.at, columns)
        if self._controller.pane == "scores":
            return scores_so_far(position.result, self._controller.viewpoint)
        return desks_pane(position, self._names, self._controller.viewpoint)

    def _scrolled(self, lines: list[Line], height: int) -> list[Line]:
        """The lines that fit, from the scrolled line on."""
        most = max(len(lines) - height, 0)
        self._controller.scrolled = min(max(self._controller.scrolled, 0), most)
        return lines[self._controller.scrolled :][:height]

    # -- the log

    def _log(self, columns: int, rows: int) -> list[Line]:
        """The end of the log, up to the step that is shown."""
        return self._log_lines(columns, rows, self._controller.at, 0)

    def _log_pane(self, columns: int, rows: int) -> list[Line]:
        """The log around the step that is shown."""
        controller = self._controller
        middle = min(max(controller.at + controller.scrolled, 0), self._timeline.last)
        controller.scrolled = middle - controller.at
        return self._log_lines(columns, rows, middle, rows // 2)

    def _log_lines(self, columns: int, rows: int, middle: int, later: int) -> list[Line]:
        controller = self._controller
        seen = self._analysis.seen(controller.viewpoint)
        mistakes = {turn.turn for turn in seen.mistakes} if seen is not None else set()
        console = self._rows.console
        page = LogPage(
            self._timeline, console, columns, dense=rows <= DENSE, mistakes=frozenset(mistakes)
        )
        if controller.better is not None:
            return [self._line(text) for text in self._better_log(page, rows)]
        found = controller.search.text
        lines = page.page(middle, rows, controller.viewpoint, later=later, found=found)
        return [self._line(text) for text in page.with_margins(lines, controller.at)]

    def _better_log(self, page: LogPage, rows: int) -> list[Text]:
        """The better turn in place of the log: why it is better, then what was done up to here."""
        controller = self._controller
        turn = self._analysis.mistake_at(controller.viewpoint, controller.at)
        assert turn is not None
        why = Text.assemble((f"better than turn {turn.turn}: ", "bold"), visible(turn.why))
        reason = page.folded(why)[: max(rows // 2, 1)]
        said = page.of_line(line_sentences(self._better()), turn.seat)
        free = rows - len(reason)
        return [*reason, *said[-free:]] if free else reason

    # -- the board

    def _board(self, position: Position, columns: int, rows: int) -> list[Line]:
        """The board, or the part of it that changed last."""
        words = self._timeline.board.words
        zoomed = self._controller.zoomed
        size, height = shape_for(words["aspect"], columns, rows, true_shape=zoomed)
        if size not in self._boards:
            self._boards = {size: AnimatedBoard(words, size, ascii_only=self._ascii_only)}
        board, highlights = (
            self._boards[size],
            self._highlights(),
        )
        writer = HighlightingWriter(
            words, position.seen, highlights, colours=self._colours, ascii_only=self._ascii_only
        )
        lines = board.draw(writer)
        self._cropped = len(lines) > height
        if not self._cropped:
            return lines
        middle = board.row_of(highlights)
        top = (len(lines) // 2 if middle is None else middle) - height // 2
        first = min(max(top + self._controller.scrolled, 0), len(lines) - height)
        self._controller.scrolled = first - top if self._controller.scrolled else 0
        return lines[first : first + height]


def _both_ends(left: Text, right: Text, columns: int) -> Text:
    """Two texts in one line; the right one only if both fit."""
    gap = columns - left.cell_len - right.cell_len
    if gap >= 2:
        left.append(" " * gap).append_text(right)
    left.truncate(columns)
    left.no_wrap = True
    return left


def _filled(lines: Sequence[Line], rows: int) -> list[Line]:
    return [*lines[:rows], *([[]] * (rows - len(lines)))]
