"""`referee replay` on a terminal: the whole screen for a step, laid out for the room there is."""

from __future__ import annotations

import gc
import io
import time
from collections.abc import Sequence
from typing import Final

from rich.console import Console, RenderableType
from rich.segment import Segment, Segments
from rich.text import Text

from referee.engine.terms import DECISIONS
from referee.replay.controller import Viewer
from referee.replay.highlights import news_of
from referee.replay.position import Position, position_at
from referee.replay.timeline import Timeline
from referee.terminal.ascii import in_ascii
from referee.terminal.board.animated import AnimatedBoard, HighlightingWriter, Line, Size, shape_for
from referee.terminal.board.pieces import Men
from referee.terminal.replay.log import LogPage
from referee.terminal.replay.panes import (
    desks_pane,
    desks_strip,
    help_pane,
    next_text,
    score_line,
    scores_pane,
)
from referee.terminal.replay.raw_terminal import Terminal
from referee.text import visible

SMALLEST: Final = (40, 12)
SIDE: Final = (50, 64)  # columns beside the board: at least, and what it can make use of
SIDE_PART: Final = 0.38
WIDE: Final = 76 + SIDE[0]
LOG_AT_LEAST: Final = 12  # rows, beside the board
HIGH: Final = 30  # rows from which on there is room beside the board
TALL: Final = 32  # rows from which on every desk has a line
DENSE: Final = 3  # so few rows of the log hold as much as they can
LOOK_AGAIN_S: Final = 0.4  # at a record that is still being written
HINTS: Final = ("←→ step", "↑↓ turn", "space play", "/ search", "tab desks…", "? help", "q quit")
SCROLL_HINT: Final = "jk scroll"


def watch(timeline: Timeline, eyes: int | None, console: Console | None = None) -> None:
    """Walk through a game at the terminal until the one who looks has seen enough."""
    console = console or Console(highlight=False)
    viewer = Viewer(timeline, eyes)
    screen = Screen(viewer, console)
    gc.freeze()  # what was read stays: no jump waits for it to be looked through
    with Terminal(encoding=console.encoding or "utf-8") as terminal:
        before = time.monotonic()
        while not viewer.left:
            terminal.draw(screen.frame(terminal.size()))
            for key in terminal.wait(_patience(viewer)):
                viewer.press(key)
            now = time.monotonic()
            viewer.pass_time(now - before)
            before = now
            _keep_up(viewer)


def _patience(viewer: Viewer) -> float | None:
    waits = [viewer.patience(), None if viewer.timeline.is_finished else LOOK_AGAIN_S]
    return min((one for one in waits if one is not None), default=None)


def _keep_up(viewer: Viewer) -> None:
    last = viewer.timeline.last
    if not viewer.timeline.is_finished and viewer.timeline.grow():
        viewer.grown(last)


class Screen:
    """Draws what a viewer shows."""

    def __init__(self, viewer: Viewer, console: Console) -> None:
        self._viewer = viewer
        self._timeline = viewer.timeline
        self._names = [visible(name) for name in viewer.timeline.names]
        encoding = (console.encoding or "utf-8").lower().replace("_", "-")
        self._ascii_only = not encoding.startswith("utf")
        self._colours = console.color_system is not None and not console.no_color
        self._men = Men(colours=self._colours, ascii_only=self._ascii_only)
        self._console = Console(
            file=io.StringIO(),
            force_terminal=True,
            color_system=console.color_system if self._colours else "standard",  # type: ignore[arg-type]  # its own name
            no_color=not self._colours,
            highlight=False,
            legacy_windows=False,
        )
        self._sketches: dict[Size, AnimatedBoard] = {}
        self._cropped = False  # only a part of the board is shown

    def frame(self, size: Size) -> list[str]:
        """Every row of the screen, ready to be written."""
        columns, rows = size
        self._console.size = (columns, rows)
        lines = self._lines(columns, rows)
        fitted = [Segment.adjust_line_length(line, columns) for line in lines[:rows]]
        fitted += [[]] * (rows - len(fitted))
        with self._console.capture() as captured:
            for line in fitted:
                self._console.print(Segments([*line, Segment.line()]), end="", crop=False)
        written = captured.get().split("\n")[:rows]
        return [in_ascii(line) for line in written] if self._ascii_only else written

    # -- the parts

    def _lines(self, columns: int, rows: int) -> list[Line]:
        if columns < SMALLEST[0] or rows < SMALLEST[1]:
            small = f"too small: {SMALLEST[0]}x{SMALLEST[1]}, please"
            return self._rendered(Text(small), columns)
        position = position_at(self._timeline, self._viewer.at, self._viewer.eyes)
        room = rows - 2
        if self._viewer.helps:
            middle = self._scrolled(
                self._rendered(
                    help_pane(self._timeline.board.words, self._colours, self._ascii_only), columns
                ),
                room,
            )
        elif columns >= WIDE and rows >= HIGH:
            middle = self._wide(position, columns, room)
        else:
            middle = self._narrow(position, columns, room)
        top, bottom = self._title(position, columns), self._status(columns)
        return [self._line(top), *_filled(middle, room), self._line(bottom)]

    def _rendered(self, renderable: RenderableType, columns: int) -> list[Line]:
        options = self._console.options.update(width=columns, height=None)
        return self._console.render_lines(renderable, options, pad=True)

    def _line(self, text: Text) -> Line:
        return list(text.render(self._console))

    def _title(self, position: Position, columns: int) -> Text:
        """Where one is, whose turn it is, and how it was decided."""
        timeline, at = self._timeline, self._viewer.at
        more = "" if timeline.is_finished else "…"
        left = Text.assemble(
            (f"{at}", "bold"),
            (f" of {timeline.last}{more}", "dim"),
            ("  turn ", "dim"),
            (f"{position.state.turn}  ", "bold"),
        )
        left.append_text(next_text(position, self._names, self._men))
        right = Text(self._deed(), style="dim")
        return _both_ends(left, right, columns)

    def _deed(self) -> str:
        step, eyes = self._timeline.steps[self._viewer.at], self._viewer.eyes
        if step.choice is None:
            return "the set-up" if self._viewer.at == 0 else ""
        kind = DECISIONS[step.kind].replace("-", " ")
        if eyes not in (None, step.seat):
            return kind
        if step.by == "single":
            return f"{kind}, the only choice"
        how = "chosen by the referee" if step.by == "referee" else f"{step.ms:.1f} ms"
        return f"{kind}, 1 of {step.offered}, {how}"

    def _status(self, columns: int) -> Text:
        viewer = self._viewer
        if viewer.asking is not None:
            question = "search" if viewer.asking == "search" else f"go to {viewer.asking}"
            text = Text.assemble((f"{question}: ", "bold"), visible(viewer.typed), ("_", "blink"))
        elif viewer.notice:
            text = Text(viewer.notice, style="yellow")
        elif viewer.playing:
            text = Text(f"▶ {viewer.speed:g} a second   space pause   + - speed", style="bold")
        else:
            text = Text(self._hints(columns), style="dim")
        right = Text()
        if viewer.eyes is not None:
            right = Text.assemble(("eyes of ", "dim"), (self._names[viewer.eyes], "bold"))
        return _both_ends(text, right, columns)

    def _hints(self, columns: int) -> str:
        """The keys that are of most use here, as many as there is room for; the last two always."""
        hints = list(HINTS)
        if self._cropped and self._viewer.pane == "board":
            hints.insert(2, SCROLL_HINT)
        while len(hints) > 2 and len("  ".join(hints)) > columns:
            del hints[-3]
        return "  ".join(hints)

    def _narrow(self, position: Position, columns: int, rows: int) -> list[Line]:
        """One pane, the log below it, and between them a line for all seats or for each."""
        if self._viewer.pane == "log":
            return self._log_pane(columns, rows)
        viewer = self._viewer
        seats: RenderableType = score_line(position, self._names, self._men, viewer.player, columns)
        tall = rows >= TALL
        if tall and viewer.pane == "board":
            seats = desks_strip(position, self._names, self._men, viewer.player)
        strip = self._rendered(seats, columns)[: len(self._names) + 1 if tall else 1]
        tail = 6 if rows >= 40 else 5 if tall else 3
        room = rows - len(strip) - tail
        if viewer.pane == "board":
            pane = self._board(position, columns, room)
        else:
            pane = self._scrolled(self._rendered(self._table(position), columns), room)
        spare = room - len(pane)
        return [*pane, *strip, *self._log(columns, tail + max(spare, 0))]

    def _wide(self, position: Position, columns: int, rows: int) -> list[Line]:
        """The board on the left; on the right the desks or the score, and the log below."""
        wanted = min(max(int(columns * SIDE_PART), SIDE[0]), SIDE[1])
        board = self._board(position, columns - wanted - 1, rows)
        width = max(sum(segment.cell_length for segment in line) for line in board)
        side = columns - width - 1
        if self._viewer.pane == "log":
            right = self._log_pane(side, rows)
        else:
            upper = self._rendered(self._table(position), side)
            upper = [*self._scrolled(upper, rows - LOG_AT_LEAST), []]
            right = [*upper, *self._log(side, rows - len(upper))]
        return [
            [*Segment.adjust_line_length(one, width + 1), *other]
            for one, other in zip(_filled(board, rows), _filled(right, rows), strict=True)
        ]

    def _table(self, position: Position) -> RenderableType:
        if self._viewer.pane == "scores":
            return scores_pane(position, self._viewer.eyes)
        return desks_pane(position, self._names, self._viewer.eyes)

    def _scrolled(self, lines: list[Line], room: int) -> list[Line]:
        """A part of the lines, from where they were scrolled to."""
        most = max(len(lines) - room, 0)
        self._viewer.scrolled = min(max(self._viewer.scrolled, 0), most)
        return lines[self._viewer.scrolled :][:room]

    # -- the log

    def _log(self, columns: int, rows: int) -> list[Line]:
        """What happened lately, up to the step that is shown."""
        return self._log_lines(columns, rows, self._viewer.at, 0)

    def _log_pane(self, columns: int, rows: int) -> list[Line]:
        """The log around the step that is shown."""
        viewer = self._viewer
        middle = min(max(viewer.at + viewer.scrolled, 0), self._timeline.last)
        viewer.scrolled = middle - viewer.at
        return self._log_lines(columns, rows, middle, rows // 2)

    def _log_lines(self, columns: int, rows: int, middle: int, later: int) -> list[Line]:
        viewer = self._viewer
        page = LogPage(self._timeline, self._console, columns, dense=rows <= DENSE)
        found = viewer.search.text
        lines = page.page(middle, rows, viewer.eyes, later=later, found=found)
        return [self._line(text) for text in page.with_margins(lines, viewer.at)]

    # -- the board

    def _board(self, position: Position, columns: int, rows: int) -> list[Line]:
        """The board, or the part of it where something happened."""
        words = self._timeline.board.words
        zoomed = self._viewer.zoomed
        size, room = shape_for(words["aspect"], columns, rows, true=zoomed)
        if size not in self._sketches:
            self._sketches = {size: AnimatedBoard(words, size, ascii_only=self._ascii_only)}
        sketch, news = self._sketches[size], news_of(self._timeline, self._viewer.at)
        pen = HighlightingWriter(
            words, position.seen, news, colours=self._colours, ascii_only=self._ascii_only
        )
        lines = sketch.draw(pen)
        self._cropped = len(lines) > room
        if not self._cropped:
            return lines
        middle = sketch.row_of(news)
        top = (len(lines) // 2 if middle is None else middle) - room // 2
        first = min(max(top + self._viewer.scrolled, 0), len(lines) - room)
        self._viewer.scrolled = first - top if self._viewer.scrolled else 0
        return lines[first : first + room]


def _both_ends(left: Text, right: Text, columns: int) -> Text:
    """Two texts in one line; the right one only if there is room."""
    gap = columns - left.cell_len - right.cell_len
    if gap >= 2:
        left.append(" " * gap).append_text(right)
    left.truncate(columns)
    left.no_wrap = True
    return left


def _filled(lines: Sequence[Line], rows: int) -> list[Line]:
    return [*lines[:rows], *([[]] * (rows - len(lines)))]
