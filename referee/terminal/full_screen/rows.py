"""What rich draws, as rows of a full screen."""

from __future__ import annotations

import io
from collections.abc import Sequence

from rich.console import Console, RenderableType
from rich.segment import Segment, Segments
from rich.text import Text

from referee.terminal.ascii import in_ascii
from referee.terminal.board.animated import Line


class RowRenderer:
    """Renders for a terminal like `console`: with its colours, and in ASCII if it has no Unicode."""

    def __init__(self, console: Console) -> None:
        encoding = (console.encoding or "utf-8").lower().replace("_", "-")
        self.ascii_only = not encoding.startswith("utf")
        self.colours = console.color_system is not None and not console.no_color
        self.console = Console(
            file=io.StringIO(),
            force_terminal=True,
            color_system=console.color_system if self.colours else "standard",  # type: ignore[arg-type]  # a name that rich returned
            no_color=not self.colours,
            highlight=False,
            legacy_windows=False,
        )

    def lines(self, renderable: RenderableType, columns: int) -> list[Line]:
        """Return the lines of what rich can draw, each as wide as `columns`."""
        options = self.console.options.update(width=columns, height=None)
        return self.console.render_lines(renderable, options, pad=True)

    def line(self, text: Text) -> Line:
        """Return a text as one line, as wide as it is."""
        return list(text.render(self.console))

    def rows(self, lines: Sequence[Line], size: tuple[int, int]) -> list[str]:
        """Return a text with escape sequences for each row of a screen of this size."""
        columns, rows = size
        self.console.size = (columns, rows)
        fitted = [Segment.adjust_line_length(line, columns) for line in lines[:rows]]
        fitted += [[]] * (rows - len(fitted))
        with self.console.capture() as captured:
            for line in fitted:
                self.console.print(Segments([*line, Segment.line()]), end="", crop=False)
        written = captured.get().split("\n")[:rows]
        return [in_ascii(line) for line in written] if self.ascii_only else written
