"""What the live screen of a tournament shows, and what its keys do. It draws nothing."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

View: TypeAlias = Literal["standings", "tables", "results", "games"]

_VIEWS: Final[dict[str, View]] = {
    "s": "standings",
    "t": "tables",
    "r": "results",
    "g": "games",
}
_STEPS: Final = {"down": 1, "j": 1, "up": -1, "k": -1}
_PAGES: Final = {"page-down": 1, " ": 1, "page-up": -1}
STOP_HINT: Final = "Ctrl-C stops the tournament after the running blocks"


class LiveView:
    """The view that is shown and how far it is scrolled: `press` handles a key."""

    def __init__(self) -> None:
        self.view: View = "standings"
        self.table = 0  # the table of the view by table, counted on and on
        self.notice = ""
        self._scrolled = 0
        self._page = 1

    def press(self, key: str) -> None:
        """Handle a key; unknown keys do nothing."""
        self.notice = STOP_HINT if key in ("q", "escape") else ""
        if key in _STEPS:
            self._scrolled += _STEPS[key]
        elif key in _PAGES:
            self._scrolled += _PAGES[key] * self._page
        elif key in ("home", "end"):
            self._scrolled = 0 if key == "home" else 1_000_000_000  # `window` returns to the end
        elif key == "tab":
            views = list(_VIEWS.values())
            self._show(views[(views.index(self.view) + 1) % len(views)])
        elif key in _VIEWS:
            self._show(_VIEWS[key])

    def _show(self, view: View) -> None:
        if view == self.view == "tables":
            self.table += 1
        self.view = view
        self._scrolled = 0

    def window(self, count: int, rows: int) -> slice:
        """Return which of `count` lines are in a window of `rows` rows; scrolling ends at the last one."""
        self._page = max(rows, 1)
        self._scrolled = min(max(self._scrolled, 0), max(count - self._page, 0))
        return slice(self._scrolled, self._scrolled + self._page)
