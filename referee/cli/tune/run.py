"""One run of a tuning, shown in the terminal, and the confirmation of its result."""

from __future__ import annotations

import time
from typing import Final

from referee import terminal
from referee.cli.tournament_options import Given
from referee.cli.tournament_run import TournamentRun, show_result
from referee.errors import RefereeError
from referee.terminal import guarded
from referee.terminal.tournament.run import is_live
from referee.terminal.tuning import (
    JsonTuningDisplay,
    LiveTuningDisplay,
    PlainTuningDisplay,
    QuietTuningDisplay,
    TuningDisplay,
)
from referee.text import shell_word
from referee.tournament.compare import Comparison
from referee.tournament.coordinator import RunListener
from referee.tournament.request import TournamentRequest
from referee.tournament.run import RunResult, run_tournament
from referee.tournament.summary import RunOverview, Summary
from referee.tuning.confirm import confirmation_of, secret_of
from referee.tuning.opening import OpenTuning
from referee.tuning.summary import TuningSummary, make_summary, save_values

BETTER, NOT_BETTER, UNDECIDED, STOPPED = 0, 1, 3, 130
_STATUSES: Final = {"pass": BETTER, "fail": NOT_BETTER, None: UNDECIDED}


class TuningRun:
    """One run of an open tuning, shown in the terminal."""

    def __init__(self, tuning: OpenTuning, given: Given) -> None:
        self._tuning = tuning
        self._given = given
        self._display = _make_display(given)
        self._overview: RunOverview

    def play(self) -> TuningSummary:
        """Play the iterations, write the values, and show the result."""
        began = time.monotonic()
        result = self._run()
        before = self._overview.games_before
        summary = make_summary(self._tuning, result, before, time.monotonic() - began)
        save_values(self._tuning.bot.name, summary)
        guarded(self._display.ended)(summary)
        return summary

    def confirm(
        self, summary: TuningSummary, request: TournamentRequest, limits: tuple[float, float]
    ) -> int:
        """Test the result on new games, and note the verdict in the file of the values."""
        comparison = confirmation_of(self._tuning, request, limits)
        if comparison is None:
            terminal.note(
                "The tuned values are those of the start, so there is nothing to confirm."
            )
            return NOT_BETTER
        tested = self._test(comparison)
        if tested.verdict is not None and tested.verdict.decision is not None:
            save_values(self._tuning.bot.name, summary, tested.verdict)
        if tested.ending == "stopped":
            return STOPPED
        return _STATUSES[None if tested.verdict is None else tested.verdict.decision]

    def _test(self, comparison: Comparison) -> Summary:
        """Play the comparison, or show the result of an earlier run."""
        earlier = comparison.result()
        if earlier is not None:
            show_result(self._given, *earlier)
            return earlier[1]
        opened = comparison.open(secret_of(self._tuning), terminal.note)
        with opened.store:
            return TournamentRun(opened, self._given, is_comparison=True).play()

    def _run(self) -> RunResult:
        display, tuning = self._display, self._tuning
        listener = RunListener(
            lambda progress: guarded(display.progressed)(progress, tuning.state),
            lost=guarded(display.lost),
        )
        try:
            return run_tournament(
                tuning.tournament,
                listener,
                cluster=self._given.cluster,
                records=False,
                started=self._started,
            )
        except RefereeError:
            display.closed()
            terminal.note(f"To continue it: referee tune --resume {shell_word(tuning.folder)}")
            raise
        finally:
            display.closed()

    def _started(self, overview: RunOverview) -> None:
        self._overview = overview
        guarded(self._display.opened)(self._tuning.bot.name, overview, self._tuning.state)


def _make_display(given: Given) -> TuningDisplay:
    if given.as_json:
        return JsonTuningDisplay()
    if given.quiet:
        return QuietTuningDisplay()
    return LiveTuningDisplay() if is_live() else PlainTuningDisplay()
