"""Which step of a recorded game the terminal shows, and what each key does. It draws nothing."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Final, Literal, Protocol, TypeAlias

from referee.replay.position import Viewpoint
from referee.replay.search import Search
from referee.replay.timeline import Timeline
from referee.text import visible

Pane: TypeAlias = Literal["board", "desks", "scores", "log", "graph"]
Prompt: TypeAlias = Literal["decision", "turn", "search"]
Action: TypeAlias = Callable[[], None]

PANES: Final[tuple[Pane, ...]] = ("board", "desks", "scores", "log")
ANALYSED_PANES: Final[tuple[Pane, ...]] = (*PANES, "graph")
SPEEDS: Final = (0.5, 1, 2, 4, 8, 16, 32, 64)  # decisions a second
DEFAULT_SPEED: Final = 2
LONGEST_ANSWER: Final = 60
NOT_ANALYSED: Final = "no analysis to see here: `referee analyse RECORD` makes one"
SCROLLS: Final = {"j": 1, "k": -1}
HELP_SCROLLS: Final = {**SCROLLS, "down": 1, "up": -1}


class Judgements(Protocol):
    """The analysis of a record, as far as the controller must know it."""

    def mistakes(self, viewpoint: Viewpoint) -> Sequence[int] | None:
        """The steps at which mistakes begin; None if no analysis can be seen."""

    def line_length(self, viewpoint: Viewpoint, step: int) -> int:
        """The number of choices of the turn that is better than the one at a step; 0 if there is none."""


class ReplayController:
    """The step and the pane that are shown: `press` handles a key, `pass_time` shows the next steps while playing."""

    def __init__(
        self,
        timeline: Timeline,
        viewpoint: Viewpoint | None = None,
        judgements: Judgements | None = None,
    ) -> None:
        self.timeline = timeline
        self.at = 0
        self.pane: Pane = "board"
        self.viewpoint = viewpoint or Viewpoint()
        self.player: int | None = None  # the seat whose turns [ and ] go to
        self.shows_help = False
        self.zoomed = False
        self.scrolled = 0
        self.playing = False
        self.prompt: Prompt | None = None
        self.typed = ""
        self.search = Search(timeline)
        self.judgements = judgements
        self.better: int | None = None  # how many choices of the better turn are shown, if it is
        self.notice = ""
        self.has_quit = False
        self._speed = SPEEDS.index(DEFAULT_SPEED)
        self._viewpoint_is_fixed = not self.viewpoint.sees_everything
        self._waited = 0.0  # the part of a step that has passed while playing
        self._keys = {**self._jump_keys(), **self._view_keys(), **self._play_keys()}

    def press(self, key: str) -> None:
        """Handle a key; unknown keys do nothing."""
        self.notice = ""
        if self.prompt is not None:
            self._edit_prompt(key)
        elif key == "q":
            self.has_quit = True
        elif self.shows_help:
            self._in_help(key)
        elif key in "0123456789":
            self._ask("decision", key)
        elif key in self._keys:
            self._keys[key]()

    # -- going to a step

    def _jump_keys(self) -> dict[str, Action]:
        marks = self.timeline
        actions: dict[str, Action] = {
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
            "w": lambda: self._to_mistake(1),
            "W": lambda: self._to_mistake(-1),
            ".": lambda: self._match(1),
            ",": lambda: self._match(-1),
        }
        actions |= dict.fromkeys(("right", "enter"), lambda: self._step(1))
        actions |= dict.fromkeys(("left", "backspace"), lambda: self._step(-1))
        actions |= dict.fromkeys(("down", "page-down", "n"), lambda: self._turn(1))
        actions |= dict.fromkeys(("up", "page-up", "p"), lambda: self._turn(-1))
        return {key: self._paused(action) for key, action in actions.items()}

    def _paused(self, action: Action) -> Action:
        def paused() -> None:
            self.playing = False
            action()

        return paused

    def go(self, step: int) -> None:
        """Show a step; a number that is too small or too large shows the first or last step."""
        self.at = min(max(step, 0), self.timeline.last)
        self.scrolled, self.better = 0, None

    def _step(self, by: int) -> None:
        """Show the next or previous step: of the better turn if that is shown, else of the game."""
        if self.better is None:
            self.go(self.at + by)
        else:
            self.better = min(max(self.better + by, 0), self._line_length())

    def _jump(self, marks: Sequence[int], by: int, what: str) -> None:
        """Go to the nearest of these steps after or before the one that is shown."""
        at = bisect_right(marks, self.at) if by > 0 else bisect_left(marks, self.at) - 1
        if 0 <= at < len(marks):
            self.go(marks[at])
        else:
            self.notice = f"no {what} {'after' if by > 0 else 'before'} this"

    def _turn(self, by: int) -> None:
        turns, at = self.timeline.turns, self.timeline.turn_at(self.at)
        if by > 0:
            self.go(turns[at + 1].step if at + 1 < len(turns) else self.timeline.last)
        else:
            began = turns[at].step
            self.go(began if self.at > began or at == 0 else turns[at - 1].step)

    def _turn_of_player(self, by: int) -> None:
        """Go to the beginning of a turn of the chosen player, or else of the active one."""
        turns = self.timeline.turns
        seat = turns[self.timeline.turn_at(self.at)].seat if self.player is None else self.player
        marks = [mark.step for mark in turns if mark.seat == seat]
        self._jump(marks, by, f"turn of {visible(self.timeline.names[seat])}")

    def _faults(self) -> list[int]:
        """The steps that show a fault."""
        last, marks = self.timeline.last, self.timeline.faults
        return sorted({min(mark.step, last) for mark in marks if self.viewpoint.sees_fault(mark)})

    def _match(self, by: int) -> None:
        if not self.search.text:
            self._ask("search")
            return
        self._jump(self.search.found(self.viewpoint), by, f"“{visible(self.search.text)}”")

    # -- mistakes

    def _to_mistake(self, by: int) -> None:
        marks = self._mistakes()
        if marks is not None:
            self._jump(marks, by, "mistake")

    def _mistakes(self) -> Sequence[int] | None:
        """The steps at which mistakes begin; None, with a notice, if no analysis can be seen."""
        judgements = self.judgements
        marks = None if judgements is None else judgements.mistakes(self.viewpoint)
        if marks is None:
            self.notice = NOT_ANALYSED
        return marks

    def _line_length(self) -> int:
        return self.judgements.line_length(self.viewpoint, self.at) if self.judgements else 0

    def _toggle_better(self) -> None:
        """Show the better turn in place of a mistake, or the game again."""
        self.playing = False
        if self.better is not None:
            self.go(self.at)
        elif self._mistakes() is not None:
            length = self._line_length()
            self.better = length or None
            self.notice = "" if length else "this turn is not a mistake; w goes to the next one"

    # -- asking for a number or a text

    def _ask(self, what: Prompt, typed: str = "") -> None:
        self.prompt, self.typed = what, typed
        self.playing = False

    def _edit_prompt(self, key: str) -> None:
        if key in ("escape", "enter"):
            asked, self.prompt = self.prompt, None
            if key == "enter":
                self._answered(asked)
        elif key == "clear":
            self.typed = ""
        elif key == "backspace":
            if not self.typed:
                self.prompt = None
            self.typed = self.typed[:-1]
        elif self._takes(key):
            self.typed += key

    def _takes(self, key: str) -> bool:
        if len(key) != 1 or len(self.typed) >= LONGEST_ANSWER:
            return False
        return self.prompt == "search" or (key.isascii() and key.isdigit())

    def _answered(self, asked: Prompt | None) -> None:
        if asked == "search":
            self.search.text = self.typed or self.search.text
            self._match(1)
        elif asked == "turn" and self.typed:
            self._go_to_turn(int(self.typed))
        elif self.typed:
            self._go_to_decision(int(self.typed))

    def _go_to_decision(self, number: int) -> None:
        self.go(number)
        if self.at != number:
            self.notice = f"the last decision is {self.timeline.last}"

    def _go_to_turn(self, number: int) -> None:
        turns = self.timeline.turns
        at = min(max(number, 1), len(turns)) - 1
        self.go(turns[at].step)
        if turns[at].turn != number:
            self.notice = f"turns are numbered from 1 to {len(turns)}"

    # -- what is shown

    def _view_keys(self) -> dict[str, Action]:
        return {
            "b": lambda: self._show("board"),
            "d": lambda: self._show("desks"),
            "s": lambda: self._show("scores"),
            "l": lambda: self._show("log"),
            "g": self._show_graph,
            "a": self._toggle_better,
            "tab": lambda: self._next_pane(1),
            "back-tab": lambda: self._next_pane(-1),
            "m": self._next_player,
            "e": self._next_viewpoint,
            "z": self._zoom,
            "j": lambda: self._scroll(1),
            "k": lambda: self._scroll(-1),
            "t": lambda: self._ask("turn"),
            "/": lambda: self._ask("search"),
            "?": self._help,
        }

    def _show(self, pane: Pane) -> None:
        self.pane, self.scrolled = pane, 0

    def _show_graph(self) -> None:
        if self._mistakes() is not None:
            self._show("graph")

    def _next_pane(self, by: int) -> None:
        judgements = self.judgements
        has_graph = judgements is not None and judgements.mistakes(self.viewpoint) is not None
        panes = ANALYSED_PANES if has_graph else PANES
        at = panes.index(self.pane) if self.pane in panes else 0
        self._show(panes[(at + by) % len(panes)])

    def _next_player(self) -> None:
        self.player = self._after(self.player)
        who = "the active player" if self.player is None else self.timeline.names[self.player]
        self.notice = f"[ and ] go through the turns of {visible(who)}"

    def _next_viewpoint(self) -> None:
        if self._viewpoint_is_fixed:
            self.notice = "the seat was chosen with --seat"
            return
        seat = self._after(self.viewpoint.seat)
        self.viewpoint, self.better = Viewpoint(seat), None
        self.notice = "everything is shown"
        if seat is not None:
            self.notice = f"as {visible(self.timeline.names[seat])} sees it"

    def _after(self, seat: int | None) -> int | None:
        """The next seat; None comes after the last seat and before the first one."""
        after = 0 if seat is None else seat + 1
        return after if after < self.timeline.rules.players else None

    def _zoom(self) -> None:
        self.zoomed, self.scrolled = not self.zoomed, 0

    def _scroll(self, by: int) -> None:
        self.scrolled += by

    def _help(self) -> None:
        self.shows_help, self.playing, self.scrolled = True, False, 0

    def _in_help(self, key: str) -> None:
        if key in HELP_SCROLLS:
            self._scroll(HELP_SCROLLS[key])
        else:
            self.shows_help, self.scrolled = False, 0

    # -- playing

    def _play_keys(self) -> dict[str, Action]:
        return {
            " ": self._toggle,
            "+": lambda: self._faster(1),
            "=": lambda: self._faster(1),
            "-": lambda: self._faster(-1),
            "escape": self._stop,
        }

    @property
    def speed(self) -> float:
        """The number of decisions shown in a second."""
        return SPEEDS[self._speed]

    def _toggle(self) -> None:
        if not self.playing and self.at == self.timeline.last and self.timeline.is_finished:
            self.go(0)
        self.playing, self._waited = not self.playing, 0.0

    def _stop(self) -> None:
        self.playing = False

    def _faster(self, by: int) -> None:
        self._speed = min(max(self._speed + by, 0), len(SPEEDS) - 1)
        self.notice = f"{self.speed:g} decision{'' if self.speed == 1 else 's'} a second"

    def pass_time(self, seconds: float) -> bool:
        """While playing, show the steps of so many seconds; return whether the step has changed."""
        if not self.playing:
            return False
        self._waited += seconds * self.speed
        steps, self._waited = int(self._waited), self._waited % 1
        if self.at + steps >= self.timeline.last and self.timeline.is_finished:
            self.playing = False
        before = self.at
        if steps:
            self.go(self.at + steps)
        return self.at != before

    def seconds_to_next_step(self) -> float | None:
        """The time until the next step must be shown; None while not playing."""
        return (1 - self._waited) / self.speed if self.playing else None

    def on_growth(self, last_before: int) -> None:
        """Show the new last step if the last step was shown before the record grew."""
        if self.at == last_before and not self.playing:
            self.go(self.timeline.last)
