"""The viewer without its terminal: which step is shown and how, and what every key does about it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal, TypeAlias

from referee.replay.search import Search
from referee.replay.timeline import Timeline

Pane: TypeAlias = Literal["board", "desks", "scores", "log"]
Asking: TypeAlias = Literal["decision", "turn", "search"]

PANES: Final[tuple[Pane, ...]] = ("board", "desks", "scores", "log")
SPEEDS: Final = (0.5, 1, 2, 4, 8, 16, 32, 64)  # decisions a second
USUAL_SPEED: Final = 2
LONGEST_ANSWER: Final = 60


class Viewer:
    """What is shown of a game. `press` takes a key, `pass_time` lets it play on."""

    def __init__(self, timeline: Timeline, eyes: int | None = None) -> None:
        self.timeline = timeline
        self.at = 0
        self.pane: Pane = "board"
        self.eyes = eyes  # the seat whose eyes it is seen with
        self.player: int | None = None  # the seat whose turns are gone through
        self.helps = False
        self.zoomed = False
        self.scrolled = 0
        self.playing = False
        self.speed = SPEEDS.index(USUAL_SPEED)
        self.asking: Asking | None = None
        self.typed = ""
        self.search = Search(timeline)
        self.notice = ""
        self.left = False
        self._fixed = eyes is not None
        self._waited = 0.0
        self._keys = self._table()

    # -- keys

    def _table(self) -> dict[str, Callable[[], None]]:
        forward: dict[str, Callable[[], None]] = {}
        marks = self.timeline
        forward |= dict.fromkeys(("right", "enter"), lambda: self.go(self.at + 1))
        forward |= dict.fromkeys(("left", "backspace"), lambda: self.go(self.at - 1))
        forward |= dict.fromkeys(("down", "page-down", "n"), lambda: self._turn(1))
        forward |= dict.fromkeys(("up", "page-up", "p"), lambda: self._turn(-1))
        forward |= {
            "home": lambda: self.go(0),
            "end": lambda: self.go(self.timeline.last),
            "]": lambda: self._turn_of_player(1),
            "[": lambda: self._turn_of_player(-1),
            "x": lambda: self._jump(marks.displacements, 1, "displacement"),
            "X": lambda: self._jump(marks.displacements, -1, "displacement"),
            "c": lambda: self._jump(marks.creations, 1, "created route"),
            "C": lambda: self._jump(marks.creations, -1, "created route"),
            "f": lambda: self._jump(self._faults(), 1, "fault"),
            "F": lambda: self._jump(self._faults(), -1, "fault"),
            ".": lambda: self._match(1),
            ",": lambda: self._match(-1),
        }
        return {
            **{key: self._paused(act) for key, act in forward.items()},
            **{pane[0]: self._shows(pane) for pane in PANES},
            **dict.fromkeys("0123456789", self._ask_number),
            "tab": lambda: self._next_pane(1),
            "back-tab": lambda: self._next_pane(-1),
            " ": self._toggle,
            "+": lambda: self._faster(1),
            "=": lambda: self._faster(1),
            "-": lambda: self._faster(-1),
            "t": lambda: self._ask("turn"),
            "/": lambda: self._ask("search"),
            "m": self._next_player,
            "e": self._next_eyes,
            "z": self._zoom,
            "j": lambda: self._scroll(1),
            "k": lambda: self._scroll(-1),
            "?": self._help,
            "q": self._leave,
        }

    def press(self, key: str) -> None:
        """What a key does."""
        self.notice = ""
        if key == "ctrl-c":
            self._leave()
        elif self.asking is not None:
            self._answer(key)
        elif self.helps and key not in ("j", "k", "down", "up", "q"):
            self.helps = False
        elif self.helps and key != "q":
            self._scroll(1 if key in ("j", "down") else -1)
        elif key in self._keys:
            self._digit = key
            self._keys[key]()

    def _paused(self, act: Callable[[], None]) -> Callable[[], None]:
        def paused() -> None:
            self.playing = False
            act()

        return paused

    # -- going somewhere

    def go(self, step: int) -> None:
        """Show a step, or the nearest that there is."""
        self.at = min(max(step, 0), self.timeline.last)
        self.scrolled = 0

    def _turn(self, by: int) -> None:
        turns, at = self.timeline.turns, self.timeline.turn_at(self.at)
        if by < 0:
            began = turns[at].step
            self.go(began if self.at > began or at == 0 else turns[at - 1].step)
        else:
            self.go(turns[at + 1].step if at + 1 < len(turns) else self.timeline.last)

    def _turn_of_player(self, by: int) -> None:
        """To the beginning of a turn of the player that was chosen, or whose turn it is."""
        turns = self.timeline.turns
        seat = turns[self.timeline.turn_at(self.at)].seat if self.player is None else self.player
        marks = [mark.step for mark in turns if mark.seat == seat]
        self._jump(marks, by, f"turn of {self.timeline.names[seat]}")

    def _faults(self) -> list[int]:
        own = [mark for mark in self.timeline.faults if self.eyes is None or self._is_heard(mark)]
        return sorted({min(mark.step, self.timeline.last) for mark in own})
